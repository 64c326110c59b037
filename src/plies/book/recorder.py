"""Recorders, to which the book's algorithms report their steps.

An algorithm walks a tree depth first, so a report is always about the last node entered and not yet left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import TypeVar

from plies.book.decision import Decision
from plies.game import Action, State

Value = float | tuple[float, ...]
"""A number; of max^n, one for each player; of searches for a goal, True or False."""

Window = tuple[float, float]
"""Alpha and beta: the values that MAX and MIN already have elsewhere."""

V = TypeVar("V")
S = TypeVar("S", bound=Value | Fraction)


class Recorder:
    """A recorder that ignores every report: subclass it, and override those of interest."""

    def enter(self, action: Action, state: State, kind: str, window: Window | None = None) -> None:
        """An inner node is entered by an action (None at the root); its kind is "max", "min", "chance", …."""

    def leaf(self, action: Action, state: State, why: str, value: S) -> S:
        """A leaf is reached by an action; why is "terminal", "depth" (the bound), …. Returns its value."""
        return value

    def update(self, action: Action, value: Value | Fraction, window: Window | None = None) -> None:
        """An action gives the node a new value, or a new window."""

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Action]) -> None:
        """Actions of the node are skipped: its value has reached a bound, or they were not sampled."""

    def leave(self, value: S) -> S:
        """The node is left with this value, which is returned."""
        return value

    def finish(self, algorithm: str, decision: Decision[V]) -> Decision[V]:
        """The search is over. Returns its decision."""
        return decision


class Counts(Recorder):
    """Counts nodes, leaves and cut-offs, and keeps nothing else."""

    def __init__(self) -> None:
        self.nodes = 0
        self.leaves = 0
        self.cuts: Counter[str] = Counter()
        """Cut-offs by kind: "alpha" below a MIN node, "beta" below a MAX node."""

    def enter(self, action: Action, state: State, kind: str, window: Window | None = None) -> None:
        self.nodes += 1

    def leaf(self, action: Action, state: State, why: str, value: S) -> S:
        self.nodes += 1
        self.leaves += 1
        return value

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Action]) -> None:
        if any(True for _ in skipped):
            self.cuts[kind] += 1
