"""Recorders, to which the book's algorithms report their steps.

An algorithm walks a tree depth first, so a report is always about the last node entered and not yet left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

from plies.book.decision import Decision
from plies.game import Action, State

Value = float | tuple[float, ...]
"""A number; of max^n, one for each player; of searches for a goal, True or False."""

Window = tuple[float, float]
"""Alpha and beta: the values that MAX and MIN already have elsewhere."""

ITERATIONS = "iterations"
"""The kind of the node above the searches of iterative deepening, which are its actions, named by depth. It
is no position that is visited."""

STAND_PAT = "stand pat"
"""The action of quiescence search that is none of the game's: to stop here, and take the evaluation."""

V = TypeVar("V")
S = TypeVar("S", bound=Value | Fraction)


class Recorder:
    """A recorder that ignores every report: subclass it, and override those of interest."""

    def enter(self, action: Action, state: State, kind: str, window: Window | None = None) -> None:
        """An inner node is entered by an action (None at the root); its kind is "max", "min", "chance", …."""

    def iteration(self, depth: int) -> None:
        """The next iteration of iterative deepening begins, to this depth."""

    def leaf(self, action: Action, state: State, why: str, value: S, relation: str = "=") -> S:
        """A leaf is reached by an action; why is "terminal", "depth" (the bound), …. Returns its value.

        The exact value may be known to be "<=" or ">=" only: a bound, out of a table.
        """
        return value

    def order(self, why: str, actions: Sequence[Action], estimates: Sequence[float] = ()) -> None:
        """The actions of the node will be searched in this order: by "evaluation", with an estimate of each,
        or with the best "line" of the last iteration first."""

    def update(
        self,
        action: Action,
        value: Value | Fraction,
        window: Window | None = None,
        bounds: Window | None = None,
    ) -> None:
        """An action gives the node a new value, or a new window.

        Of a chance node that is pruned, `bounds` are the least and the most that its value can still be.
        """

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Action]) -> None:
        """Actions of the node are skipped: its value has reached a bound, or they were not chosen."""

    def leave(self, value: S) -> S:
        """The node is left with this value, which is returned."""
        return value

    def finish(self, algorithm: str, decision: Decision[V]) -> Decision[V]:
        """The search is over. Returns its decision."""
        return decision


class Counts(Recorder):
    """Counts nodes, leaves, cut-offs and the deepest stack, and keeps nothing else."""

    def __init__(self) -> None:
        self.nodes = 0
        self.leaves = 0
        self.cuts: Counter[str] = Counter()
        """Cut-offs by kind: "alpha" below a MIN node, "beta" below a MAX node."""
        self.stack = 0
        """The most nodes on the path at once, root and leaf included: what a search keeps in memory."""
        self._path = 0

    def enter(self, action: Action, state: State, kind: str, window: Window | None = None) -> None:
        below = kind != ITERATIONS  # which is above the root
        self.nodes += below
        self._path += below
        self.stack = max(self.stack, self._path)

    def leaf(self, action: Action, state: State, why: str, value: S, relation: str = "=") -> S:
        self.nodes += 1
        self.leaves += 1
        self.stack = max(self.stack, self._path + (action is not STAND_PAT))
        return value

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Action]) -> None:
        if any(True for _ in skipped):
            self.cuts[kind] += 1

    def leave(self, value: S) -> S:
        self._path -= 1
        return value
