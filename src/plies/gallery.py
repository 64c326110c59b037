"""The trees that lectures draw, by name: `slides:aima` can be given wherever a game can.

Data only: each is an installed game with parameters, and sometimes a position of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from plies.errors import UnknownGame

PREFIX = "slides:"
"""What the name of an example begins with where a game is asked for."""

FIGURE_5_2 = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
"""The two-ply tree of Russell and Norvig, "Artificial Intelligence: A Modern Approach", figure 5.2."""

ANY = 7
"""A leaf of slide 22 that is cut off before anybody reads it; the slide does not say what it is worth."""

FAR = 99
"""A leaf of the cut-off slides that is never read."""


@dataclass(frozen=True)
class Example:
    """A tree with a name."""

    name: str
    title: str
    lectures: tuple[int, ...]
    """The chapters of the course that use it."""
    algorithm: str
    """The algorithm of the book that it is about."""
    game: str = "tree"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    position: str = ""
    """The position to search; "" for the start of the game."""


def _tree(
    name: str, title: str, lectures: tuple[int, ...], algorithm: str, tree: Any, *levels: str | int
) -> Example:
    return Example(name, title, lectures, algorithm, parameters={"tree": tree, "levels": levels or None})


def _chance(*children: Any, probabilities: tuple[float, ...] | None = None) -> dict[str, Any]:
    given = {} if probabilities is None else {"probabilities": list(probabilities)}
    return {"player": "chance", "children": list(children), **given}


def _min(*leaves: int) -> dict[str, Any]:
    return {"player": "min", "children": list(leaves)}


def _loaded(*moves: tuple[int, int]) -> list[Any]:
    """A choice between coins that fall on the first side nine times out of ten; MIN has nothing to choose."""
    return [_chance(_min(a, a), _min(b, b), probabilities=(0.9, 0.1)) for a, b in moves]


_ALL = (
    _tree("aima", "AIMA, figure 5.2: 7 of 9 leaves", (0, 1, 2, 3), "alpha-beta", FIGURE_5_2),
    _tree(
        "slide-22",
        "Windows, one after the other",
        (1,),
        "alpha-beta",
        [[3, 12, [8, ANY]], [2, ANY], [14, 5, 1]],
    ),
    _tree(
        "alpha-cutoff",
        "An alpha cut-off, deep down",
        (2,),
        "alpha-beta",
        [-2, [[0, [[4, [3, FAR]]]]]],
    ),
    _tree(
        "beta-cutoff",
        "A beta cut-off, deep down",
        (2,),
        "alpha-beta",
        [[5, [[-2, [[3, [0, FAR]]]]]]],
    ),
    _tree(
        "three-plies",
        "Three plies, alpha and beta cuts",
        (1, 2),
        "alpha-beta",
        [[[5, 6], [7, 4, 5]], [[3, 4], [6, 2]], [[6, 9], [7, 2]]],
    ),
    _tree("equality", "Cuts on equality", (4,), "alpha-beta", [[4, 6, 5], [4, 2, 7], [8, 4, 3]]),
    _tree("ordinal", "Only the order of the leaves counts", (0, 2), "minimax", [[1, 2], [2, 4]]),
    _tree(
        "ordinal-stretched", "Same order, other numbers, same move", (0, 2), "minimax", [[1, 20], [20, 400]]
    ),
    _tree(
        "not-rational",
        "Minimax against a careless opponent",
        (0,),
        "minimax",
        [[99, 1000, 1000, 1000], [100, 101, 102, 100]],
    ),
    _tree(
        "expectiminimax",
        "Two coins: 3 or −1",
        (0, 2),
        "expectiminimax",
        [_chance(_min(2, 4), _min(7, 4)), _chance(_min(6, 0), _min(5, -2))],
    ),
    _tree(
        "linear", "With dice, numbers count: 2.1 or 1.3", (0, 2), "expectiminimax", _loaded((2, 3), (1, 4))
    ),
    _tree(
        "linear-stretched",
        "Same order, other numbers, other move",
        (0, 2),
        "expectiminimax",
        _loaded((20, 30), (1, 400)),
    ),
    _tree(
        "coin-and-die",
        "A coin and a die",
        (2,),
        "expectiminimax",
        [
            _chance(_min(2, 7), _min(4, 9)),
            _chance(_min(6, 3), _min(8, 1), _min(0, 5), probabilities=(0.5, 0.25, 0.25)),
        ],
    ),
    _tree(
        "star1",
        "A cut-off among dice: 7.75 is less than 8",
        (0,),
        "star1",
        [_chance(8, 8), _chance(1, 10, 0, 6)],
    ),
    _tree(
        "three-players",
        "Three players, each for themselves",
        (3,),
        "max-n",
        [
            [[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]],
            [[(5, 1, 1), (1, 5, 2)], [(7, 7, 1), (5, 4, 5)]],
        ],
        0,
        1,
        2,
    ),
    Example("sum-to-two", "Sum-to-2: a whole game on one slide", (1,), "alpha-beta", "sum-to-two"),
    Example(
        "tic-tac-toe",
        "Tic-Tac-Toe, three moves before the end",
        (0, 4),
        "minimax",
        "tic-tac-toe",
        position="..X/XXO/OO.",
    ),
)

EXAMPLES: Mapping[str, Example] = MappingProxyType({example.name: example for example in _ALL})
"""The examples, by name."""


def example(name: str) -> Example:
    """The example of that name, with or without `slides:` before it."""
    bare = name.removeprefix(PREFIX)
    if bare not in EXAMPLES:
        raise UnknownGame(f"there is no tree {bare[:40]!r} in the gallery; there are {', '.join(EXAMPLES)}")
    return EXAMPLES[bare]
