"""The steps of a search as plain data: events, and the tree that they describe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, isclose, nan

from plies.book.recorder import ITERATIONS, Value, Window
from plies.game import State


@dataclass(frozen=True)
class Enter:
    """An inner node is entered or, best first, joins the tree. Nodes are numbered in that order, from 0."""

    node: int
    parent: int | None
    action: str | None
    probability: float | None  # where chance led here
    position: str | None
    kind: str  # "max", "min", "chance", "matrix", "player", "or", "and", "iterations"
    player: int  # the player to move, or CHANCE, or SIMULTANEOUS
    window: Window | None
    value: Value | None = None  # of proof-number search, before the node is expanded
    state: State = field(default=None, compare=False, repr=False)  # not written to JSON


@dataclass(frozen=True)
class Leaf:
    """A leaf is reached and its value known."""

    node: int
    parent: int | None
    action: str | None
    probability: float | None
    position: str | None
    why: str  # "terminal", "depth", "cutoff", "goal", "cycle", "repeated", "known", "table", "stand-pat"
    value: Value
    state: State = field(default=None, compare=False, repr=False)
    relation: str = "="  # of the exact value to this one; "<=" or ">=" if the table has a bound only


@dataclass(frozen=True)
class Order:
    """The actions of a node are put in order."""

    node: int
    why: str  # "evaluation": by an estimate of each; "line": with the best one so far first
    actions: tuple[str, ...]
    estimates: tuple[float, ...]


@dataclass(frozen=True)
class Update:
    """An action gives a node a new value, and a new window."""

    node: int
    action: str
    value: Value
    window: Window | None
    bounds: Window | None = None  # of a chance node that is pruned: what its value can still be


@dataclass(frozen=True)
class Cut:
    """Actions of a node are skipped, for a reason.

    At a chance node all outcomes may have been visited, if only by a probe.
    """

    node: int
    kind: str  # "alpha", "beta", "or", "and", "forward" (pruning), "probe"; or one of NOT_PART
    skipped: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Leave:
    """A node is left with its value."""

    node: int
    value: Value


NOT_PART = ("lot", "quiet")
"""The kinds of cuts whose actions are no part of the tree that is searched: not sampled, or not noisy where
only noisy ones count. They leave no bound open."""

# -- Best first, where nodes are visited again and again.


@dataclass(frozen=True)
class Visit:
    """A node of the tree is visited again: the root, or a child selected for its score.

    A score is an action of the parent with, by UCT, the mean of its child and the width of the confidence
    bound, which is negative for MIN; by proof-number search, the proof and the disproof number.
    """

    node: int
    scores: tuple[tuple[str, float, float], ...]  # none at the root, and where chance decides


@dataclass(frozen=True)
class Playout:
    """A playout from a node has ended."""

    node: int
    line: tuple[str, ...]
    value: float


@dataclass(frozen=True)
class BackUp:
    """A node has a new value by what was found below it."""

    node: int
    value: Value
    visits: int | None  # of which the value is the mean, by UCT


Event = Enter | Leaf | Order | Update | Cut | Leave | Visit | Playout | BackUp

EVENTS: dict[str, type[Event]] = {
    "enter": Enter,
    "leaf": Leaf,
    "order": Order,
    "update": Update,
    "cut": Cut,
    "leave": Leave,
    "visit": Visit,
    "playout": Playout,
    "back_up": BackUp,
}
"""Events by name."""


@dataclass
class Node:
    """A node of the tree that a search walked."""

    entered: Enter | Leaf
    value: Value = nan  # until the node is left or, best first, backed up
    visits: int | None = None
    """By UCT, how often it was visited."""
    cuts: list[Cut] = field(default_factory=list)
    order: Order | None = None
    children: list[Node] = field(default_factory=list)
    at_least: float = -inf
    """The lower bound of the exact value: the value itself, if nothing below was cut."""
    at_most: float = inf
    """The upper bound of the exact value: the value itself, if nothing below was cut."""

    @property
    def cut(self) -> Cut | None:
        """The last of its cuts, if there are any."""
        return self.cuts[-1] if self.cuts else None

    @property
    def is_numbered(self) -> bool:
        """Whether its value is the proof and the disproof number of a node."""
        by = self.entered
        return isinstance(self.value, tuple) and (
            inf in self.value if isinstance(by, Leaf) else by.kind in ("or", "and")
        )

    @property
    def relation(self) -> str:
        """The relation of the exact value to the value found: "=", "<=", ">=", or "~" if there is none."""
        if not isinstance(self.value, float | int) or self.at_least == self.at_most == self.value:
            return "="
        if self.at_most <= self.value:
            return "<="
        return ">=" if self.at_least >= self.value else "~"


def tree(events: Iterable[Event]) -> list[Node]:
    """The nodes of the tree, by number; the first is the root."""
    nodes: list[Node] = []
    for event in events:
        if isinstance(event, Enter | Leaf):
            node = Node(event)
            nodes.append(node)
            if event.parent is not None:
                nodes[event.parent].children.append(node)
            if event.value is not None:
                node.value = event.value
            if isinstance(event, Leaf) and isinstance(event.value, float | int):
                node.at_least = -inf if event.relation == "<=" else event.value
                node.at_most = inf if event.relation == ">=" else event.value
        elif isinstance(event, Cut):
            nodes[event.node].cuts.append(event)
        elif isinstance(event, Order):
            nodes[event.node].order = event
        elif isinstance(event, Leave):
            nodes[event.node].value = event.value
            _bound(nodes[event.node])
        elif isinstance(event, BackUp):
            node = nodes[event.node]
            node.value, node.visits = event.value, event.visits
            if isinstance(event.value, float | int):
                node.at_least = node.at_most = event.value
    return nodes


def _bound(node: Node) -> None:
    """Bound a node's value by its children's: a branch that was cut may have any value.

    One that was not sampled does not belong to the tree of the value.
    """
    least = [child.at_least for child in node.children]
    most = [child.at_most for child in node.children]
    kind = node.entered.kind if isinstance(node.entered, Enter) else ""
    open_ended = any(cut.kind not in NOT_PART for cut in node.cuts)
    if kind == "max":
        node.at_least, node.at_most = max(least), inf if open_ended else max(most)
    elif kind == "min":
        node.at_least, node.at_most = -inf if open_ended else min(least), min(most)
    elif kind == ITERATIONS:
        node.at_least, node.at_most = least[-1], most[-1]
    elif isinstance(node.value, float | int):
        node.at_least = node.at_most = node.value
        if kind == "chance":
            _bound_chance(node)


def _bound_chance(node: Node) -> None:
    """Open the bounds of a chance node that was pruned, or whose outcomes are bounds themselves.

    An outcome may have been probed before it was searched: then both bound it.
    """
    odds = {child.entered.action: child.entered.probability or 0.0 for child in node.children}
    least, most = dict.fromkeys(odds, -inf), dict.fromkeys(odds, inf)
    for child in node.children:
        name = child.entered.action
        least[name], most[name] = max(least[name], child.at_least), min(most[name], child.at_most)
    value = float(node.value)  # type: ignore[arg-type]
    at_least, at_most = (sum(odds[name] * bound[name] for name in odds) for bound in (least, most))
    node.at_least = value if isclose(at_least, value) else at_least
    node.at_most = value if isclose(at_most, value) else at_most
    for cut in node.cuts:
        if cut.skipped:  # they may be worth anything
            node.at_least, node.at_most = -inf, inf
        if cut.kind == "alpha":
            node.at_most = value
        else:
            node.at_least = value
