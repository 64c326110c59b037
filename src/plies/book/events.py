"""The steps of a search as plain data: events, and the tree that they describe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, nan

from plies.book.recorder import Value, Window
from plies.game import State


@dataclass(frozen=True)
class Enter:
    """An inner node is entered. Nodes are numbered in the order of entering, from 0."""

    node: int
    parent: int | None
    action: str | None
    probability: float | None  # where chance led here
    position: str | None
    kind: str  # "max", "min", "chance", "matrix", "player", "or", "and"
    player: int  # the player to move, or CHANCE, or SIMULTANEOUS
    window: Window | None
    state: State = field(default=None, compare=False, repr=False)  # not written to JSON


@dataclass(frozen=True)
class Leaf:
    """A leaf is reached and its value known."""

    node: int
    parent: int | None
    action: str | None
    probability: float | None
    position: str | None
    why: str  # "terminal", "depth", "cutoff", "goal", "cycle", "repeated", "known"
    value: Value
    state: State = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Update:
    """An action gives a node a new value, and a new window."""

    node: int
    action: str
    value: Value
    window: Window | None


@dataclass(frozen=True)
class Cut:
    """Actions of a node are skipped, for a reason."""

    node: int
    kind: str  # "alpha", "beta", "or", "and"; "lot" if they were not sampled
    skipped: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Leave:
    """A node is left with its value."""

    node: int
    value: Value


Event = Enter | Leaf | Update | Cut | Leave

EVENTS: dict[str, type[Event]] = {
    "enter": Enter,
    "leaf": Leaf,
    "update": Update,
    "cut": Cut,
    "leave": Leave,
}
"""Events by name."""


@dataclass
class Node:
    """A node of the tree that a search walked."""

    entered: Enter | Leaf
    value: Value = nan  # until the node is left
    cut: Cut | None = None
    children: list[Node] = field(default_factory=list)
    at_least: float = -inf
    """The lower bound of the exact value: the value itself, if nothing below was cut."""
    at_most: float = inf
    """The upper bound of the exact value: the value itself, if nothing below was cut."""

    @property
    def relation(self) -> str:
        """The relation of the exact value to the value found: "=", "<=" or ">="."""
        if not isinstance(self.value, float | int) or self.at_least == self.at_most == self.value:
            return "="
        return "<=" if self.at_most <= self.value else ">="


def tree(events: Iterable[Event]) -> list[Node]:
    """The nodes of the tree, by number; the first is the root."""
    nodes: list[Node] = []
    for event in events:
        if isinstance(event, Enter | Leaf):
            node = Node(event)
            nodes.append(node)
            if event.parent is not None:
                nodes[event.parent].children.append(node)
            if isinstance(event, Leaf):
                node.value = event.value
                if isinstance(event.value, float | int):
                    node.at_least = node.at_most = event.value
        elif isinstance(event, Cut):
            nodes[event.node].cut = event
        elif isinstance(event, Leave):
            nodes[event.node].value = event.value
            _bound(nodes[event.node])
    return nodes


def _bound(node: Node) -> None:
    """Bound a node's value by its children's: a branch that was cut may have any value.

    One that was not sampled does not belong to the tree of the value.
    """
    least = [child.at_least for child in node.children]
    most = [child.at_most for child in node.children]
    kind = node.entered.kind if isinstance(node.entered, Enter) else ""
    open_ended = node.cut is not None and node.cut.kind != "lot"
    if kind == "max":
        node.at_least, node.at_most = max(least), inf if open_ended else max(most)
    elif kind == "min":
        node.at_least, node.at_most = -inf if open_ended else min(least), min(most)
    elif isinstance(node.value, float | int):
        node.at_least = node.at_most = node.value
