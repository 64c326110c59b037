"""Recorders, to which the book's algorithms report their steps.

Most algorithms walk a tree depth first, so `enter`, `leaf`, `update`, `cut` and `leave` are always about the
last node entered and not yet left. Best first, nodes stay in memory and are visited again and again, so
`add`, `visit`, `playout` and `back_up` say which node they are about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from plies.book.decision import Decision
from plies.game import Action, State

Value = float | tuple[float, ...]
"""A number; of max^n, one for each player; of searches for a goal, True or False; of proof-number search, the
proof and the disproof number."""

Window = tuple[float, float]
"""Alpha and beta: the values that MAX and MIN already have elsewhere."""

ITERATIONS = "iterations"
"""The kind of the node above the searches of iterative deepening, which are its actions, named by depth. It
is no position that is visited."""

STAND_PAT = "stand pat"
"""The action of quiescence search that is none of the game's: to stop here, and take the evaluation."""

LEAVES = ("terminal", "goal", "cycle", "depth", "cutoff")
"""Why a node that is added is a leaf."""

V = TypeVar("V")
S = TypeVar("S", bound=Value | Fraction)


@dataclass(eq=False)
class TreeNode:
    """A node of a tree that is searched best first."""

    state: State
    action: Action = None
    """The action that leads to it; None at the root."""
    parent: TreeNode | None = field(default=None, repr=False)
    ply: int = field(init=False)
    """How far below the root it is."""

    def __post_init__(self) -> None:
        self.ply = 0 if self.parent is None else self.parent.ply + 1


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

    def add(self, node: TreeNode, kind: str, value: Value | None = None) -> None:
        """A node joins the tree; its kind is that of `enter` or, if it is a leaf, why it is one."""

    def visit(self, node: TreeNode, scores: Mapping[Action, tuple[float, float]] | None = None) -> None:
        """A node of the tree is visited again: the root, or a child selected for its score among them all."""

    def playout(self, node: TreeNode, line: Sequence[Action], value: float) -> None:
        """A playout from a node has taken these actions, and ended with this value."""

    def back_up(self, node: TreeNode, value: Value, visits: int | None = None) -> None:
        """What was found below a node gives it a new value: by UCT, the mean of so many visits."""

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
        """The most nodes on the path at once, root and leaf included: what a search keeps in memory, unless
        it goes best first and keeps all."""
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

    def add(self, node: TreeNode, kind: str, value: Value | None = None) -> None:
        self.nodes += 1
        self.leaves += kind in LEAVES
        self.stack = max(self.stack, node.ply + 1)

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Action]) -> None:
        if any(True for _ in skipped):
            self.cuts[kind] += 1

    def leave(self, value: S) -> S:
        self._path -= 1
        return value
