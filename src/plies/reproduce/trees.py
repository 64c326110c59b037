"""Published trees and searches: what is visited, what is cut off, what comes out."""

from __future__ import annotations

from functools import partial
from typing import Any

from plies.registry import game as make_game
from plies.reproduce.computing import traced
from plies.reproduce.entry import Entry

AIMA = "Artificial Intelligence: A Modern Approach, 3rd edition"
CS188 = "Berkeley CS188, multi-agent Pac-Man project, test cases"
LARSEN = "TicTacToe strategic reduction, Stack Overflow"

LECTURE_6 = [[3, 12, 8], [5, 4, 6], [14, 1, 11]]
"""The test case 0-lecture-6-tree."""

ONE_GHOST = [[[[3, 13], [5, 9]], [[10, 11], [6, 8]]], [[[1, 0], [4, 7]], [[12, 15], [2, 14]]]]
"""The test case 3-one-ghost-4level."""

EXPECTIMAX = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
"""The test case 0-expectimax1."""


def _aima(algorithm: str) -> list[Any]:
    """The value of figure 5.2, and how many leaves are visited."""
    found = traced("aima", algorithm)
    return [found.value, found.leaves]


def _value(name: str, algorithm: str) -> Any:
    """The value of a tree of the gallery, with the first move."""
    found = traced(name, algorithm)
    value: Any = found.value
    return [list(value) if isinstance(value, tuple) else round(value, 9), found.action]


def _leaves(tree: Any, algorithm: str, levels: tuple[str, ...], **options: Any) -> list[Any]:
    """The value of a tree, and the leaves that are visited."""
    from plies.book import trace
    from plies.book.events import Leaf

    found = trace(make_game("tree", tree=tree, levels=levels), algorithm=algorithm, **options)
    value: Any = found.value
    return [round(value, 9), [event.value for event in found.events if isinstance(event, Leaf)]]


def _tic_tac_toe(algorithm: str) -> int:
    """The nodes that a search of the empty board visits, moves in the order of the cells."""
    from plies import book

    counts = book.Counts()
    getattr(book, algorithm)(make_game("tic-tac-toe"), trace=counts)
    return counts.nodes


def _best_first(branching: int, depth: int, low: float = 0.0, high: float = 1.0, mover: int = 0) -> Any:
    """A uniform tree of distinct leaves in which the best move always comes first."""
    if depth == 0:
        return (low + high) / 2
    step = (high - low) / branching
    parts = [(low + i * step, low + (i + 1) * step) for i in range(branching)]
    if mover == 0:
        parts.reverse()
    return [_best_first(branching, depth - 1, *part, 1 - mover) for part in parts]


def _minimal(branching: int, depth: int) -> int:
    """The leaves that alpha-beta visits in such a tree."""
    from plies import book

    counts = book.Counts()
    book.alpha_beta(make_game("tree", tree=_best_first(branching, depth)), trace=counts)
    return counts.leaves


def _knuth_moore(branching: int, depth: int, expected: int) -> Entry:
    return Entry(
        f"alpha-beta-minimum-{branching}-{depth}",
        f"leaves that alpha-beta visits at best, {branching} branches, {depth} plies",
        "Knuth & Moore",
        1975,
        "An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6",
        expected,
        1,
        partial(_minimal, branching, depth),
    )


def _berkeley(name: str, what: str, expected: Any, compute: Any) -> Entry:
    return Entry(f"cs188-{name}", what, "DeNero & Klein", 2010, CS188, expected, 1, compute)


def _russell_norvig(name: str, what: str, expected: Any, compute: Any) -> Entry:
    return Entry(f"aima-{name}", what, "Russell & Norvig", 2010, AIMA, expected, 1, compute)


def _larsen(algorithm: str, expected: int, seconds: float) -> Entry:
    name = algorithm.replace("_", "-")
    what = f"Tic-Tac-Toe, nodes visited by {name}"
    compute = partial(_tic_tac_toe, algorithm)
    return Entry(f"tic-tac-toe-nodes-{name}", what, "Larsen", 2010, LARSEN, expected, seconds, compute)


def _pirates() -> str:
    """What the captain of five pirates proposes, with three coins."""
    from plies import book

    game = make_game("pirates", pirates=5, coins=3)
    return game.notation(game.initial(), book.max_n(game).action)


ENTRIES = (
    _larsen("minimax", 549_946, 10),
    _larsen("alpha_beta", 18_297, 1),
    _knuth_moore(2, 10, 63),
    _knuth_moore(3, 4, 17),
    _knuth_moore(10, 4, 199),
    _knuth_moore(5, 6, 249),
    _russell_norvig(
        "minimax", "figure 5.2: value, leaves visited by minimax", [3, 9], partial(_aima, "minimax")
    ),
    _russell_norvig(
        "alpha-beta", "figure 5.5: value, leaves visited by alpha-beta", [3, 7], partial(_aima, "alpha-beta")
    ),
    _russell_norvig(
        "three-players",
        "figure 5.4: utilities of max^n, first move",
        [[1, 2, 6], "a1"],
        partial(_value, "three-players", "max-n"),
    ),
    _russell_norvig(
        "order-preserving",
        "figure 5.12: with dice, the values and the move before and after stretching the leaves",
        [[2.1, "a1"], [40.9, "a2"]],
        lambda: [_value(name, "expectiminimax") for name in ("linear", "linear-stretched")],
    ),
    _berkeley(
        "lecture-6-tree",
        "value, and leaves visited by alpha-beta: all but 11",
        [4, [3, 12, 8, 5, 4, 6, 14, 1]],
        partial(_leaves, LECTURE_6, "alpha-beta", ("max", "min"), cut_on_equal=False),
    ),
    _berkeley(
        "one-ghost-4level",
        "value, and leaves visited by alpha-beta: 8 of 16",
        [5, [3, 13, 5, 9, 10, 11, 1, 4]],
        partial(_leaves, ONE_GHOST, "alpha-beta", ("max", "min"), cut_on_equal=False),
    ),
    _berkeley(
        "expectimax",
        "value, and leaves visited by expectimax: all",
        [7.666666667, [3, 12, 8, 2, 4, 6, 14, 5, 2]],
        partial(_leaves, EXPECTIMAX, "expectiminimax", ("max", "chance")),
    ),
    Entry(
        "pirates-five",
        "the pirate game, the captain's proposal for 5 pirates and 3 coins",
        "Stewart",
        1999,
        "A Puzzle for Pirates, Scientific American, May 1999",
        "1/0/1/0/1",
        2,
        _pirates,
    ),
)
