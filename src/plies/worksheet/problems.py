"""A problem of a work sheet: a tree or a position, the questions about its search, and the book's answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from plies.book import trace as search
from plies.book.algorithms import about
from plies.book.events import Cut, Enter, Leaf, Node
from plies.book.tracing import Trace
from plies.draw.board import board
from plies.draw.known import numbers, shown
from plies.draw.names import name_of
from plies.draw.tree import Drawing
from plies.errors import BadParameter, PliesError
from plies.game import Game, State
from plies.games.tree import Tree

FULL = ("minimax", "expectiminimax", "max-n")
"""The algorithms that visit every node; the first that suits draws the tree."""

NEVER = "-"
"""The answer where a node is never visited."""

NONE = "none"
"""The answer where nothing is cut."""

LARGEST = 400
"""The most nodes of a search that a person may be asked to do. Not tuned."""


@dataclass(frozen=True)
class Question:
    """A blank of a problem, and what belongs into it."""

    label: str
    answer: str
    number: float | None = None
    """The answer as a number, if it is one."""


@dataclass(frozen=True)
class Problem:
    """A tree, or a position of a game, to be searched by an algorithm."""

    game: Game
    state: State
    algorithm: str
    options: dict[str, Any]
    depth: int | None

    @cached_property
    def trace(self) -> Trace:
        """The search, by the book; of iterative deepening, the last one."""
        usual = {"player": 0} if "player" in about(self.algorithm).takes and self.is_tree else {}
        options = {**usual, **self.options, "depth": self.depth}
        return search(
            self.game, self.state, algorithm=self.algorithm, limit=LARGEST, **options
        ).last_iteration

    @property
    def is_tree(self) -> bool:
        return isinstance(self.game, Tree)

    @property
    def hardness(self) -> tuple[Any, ...]:
        """What makes a search as much work as another: nodes, leaves, and cut-offs of each kind."""
        return self.trace.nodes, self.trace.leaves, tuple(sorted(self.trace.cuts.items()))

    @property
    def cuts(self) -> bool:
        """Whether branches can be cut."""
        return bool(self.trace.cuts) or any(
            isinstance(event, Enter) and event.window is not None for event in self.trace.events
        )

    @property
    def estimates(self) -> bool:
        """Whether positions are evaluated before the end of the game."""
        return any(isinstance(event, Leaf) and event.why == "depth" for event in self.trace.events)

    @cached_property
    def questions(self) -> list[Question]:
        """The questions about a search, with their answers."""
        found = self._nodes() if self.is_tree else [_value("Value of the position", self.trace.tree[0])]
        if self.cuts:
            found.append(self._skipped() if self.is_tree else _count("Cut-offs", self.trace.cuts.total()))
        found.append(_count("Leaves visited", self.trace.leaves))
        if about(self.algorithm).chooses and self.trace.action:
            found.append(Question("Best action (of equal ones, the first)", self.trace.action))
        return found

    def _nodes(self) -> list[Question]:
        """The value that the search finds at each inner node, also of those that it never visits."""
        paths = _by_path(self.trace)
        found = []
        for path, node in _by_path(self._full).items():
            if isinstance(node.entered, Leaf):
                continue
            label = f"Value of {name_of(node.entered)}"
            found.append(_value(label, paths[path]) if path in paths else Question(label, NEVER))
        return found

    def _skipped(self) -> Question:
        names = [name for event in self.trace.events if isinstance(event, Cut) for name in event.skipped]
        return Question("Branches cut, in the order of the search", " ".join(names) or NONE)

    @cached_property
    def _full(self) -> Trace:
        name = next((one for one in FULL if about(one).needs.serve(self.game)), None)
        if name is None:
            raise PliesError(f"no search visits every node of such a tree, which {self.algorithm} would need")
        return search(self.game, self.state, algorithm=name, limit=LARGEST)

    def picture(self, solved: bool = False) -> str:
        """The tree or the position as SVG; solved, the search of a tree as it ends."""
        if not self.is_tree:
            return str(board(self.game, self.state))
        return str(Drawing(self.trace).picture() if solved else Drawing(self._full).unsolved())

    @property
    def words(self) -> str:
        """The position in words, for those who cannot see the picture."""
        return self.game.text(self.state)


def checked(algorithm: str) -> str:
    """The name of an algorithm whose search can be done by hand, or an error."""
    from plies.book import ALGORITHMS

    able = [name for name in ALGORITHMS if about(name).predictable and "seed" not in about(name).takes]
    if algorithm not in ALGORITHMS:
        raise BadParameter(f"there is no algorithm {algorithm!r}; there are {', '.join(able)}")
    if algorithm not in able:
        raise BadParameter(f"{algorithm} plays at random, so it has no key; there are {', '.join(able)}")
    return algorithm


def _count(label: str, number: int) -> Question:
    return Question(label, str(number), float(number))


def _value(label: str, node: Node) -> Question:
    value = node.value
    if node.is_numbered:
        return Question(f"{label} (proof and disproof number)", numbers(value))
    if isinstance(value, bool | tuple):
        return Question(label, shown(value))
    if value is None or not math.isfinite(value):
        return Question(label, shown(value))
    return Question(label, shown(value).replace("−", "-"), float(value))


def _by_path(trace: Trace) -> dict[tuple[str, ...], Node]:
    """The nodes of a search by the actions that lead to them."""
    paths: list[tuple[str, ...]] = []
    for node in trace.tree:
        by = node.entered
        paths.append(() if by.parent is None else (*paths[by.parent], by.action or ""))
    return dict(zip(paths, trace.tree, strict=True))
