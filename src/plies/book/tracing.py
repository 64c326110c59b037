"""Traces: every step of a search, to be printed, drawn, or kept as JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from plies.book.decision import Decision
from plies.book.events import (
    EVENTS,
    BackUp,
    Cut,
    Enter,
    Event,
    Leaf,
    Leave,
    Node,
    Order,
    Playout,
    Update,
    Visit,
    tree,
)
from plies.book.plan import plan_text
from plies.book.recorder import ITERATIONS, LEAVES, STAND_PAT, Recorder, S, TreeNode, Value, Window
from plies.errors import PliesError
from plies.game import CHANCE, Action, Game, State

V = TypeVar("V")

LIMIT = 10_000
"""The most nodes of a trace, by default. Not tuned."""


class TooManyNodes(PliesError):
    """A search of more nodes than its trace may have."""


@dataclass(frozen=True)
class Trace:
    """A search, step by step, in text and numbers only, so that JSON can hold it."""

    game: str
    players: tuple[str, ...]
    algorithm: str
    value: Value | None
    """The value of the position; None if proof-number search has not found it out."""
    line: tuple[str, ...]
    plan: str | None
    """The plan that AND-OR search found, in words."""
    events: tuple[Event, ...]
    variant: str = ""
    """The arguments of the algorithm that are not its defaults, in words: "fail-hard, depth 3"."""

    @property
    def heading(self) -> str:
        """The algorithm, its variant, and the game: "alpha-beta (fail-hard) on tree"."""
        return f"{self.algorithm}{f' ({self.variant})' if self.variant else ''} on {self.game}"

    @property
    def action(self) -> str | None:
        """The action to take; None if there is nothing to decide."""
        return self.line[0] if self.line else None

    @property
    def last_iteration(self) -> Trace:
        """The last search of iterative deepening as a trace of its own; of others, the trace itself."""
        root = self.tree[0]
        if not isinstance(root.entered, Enter) or root.entered.kind != ITERATIONS:
            return self
        first = root.children[-1].entered.node
        events: list[Event] = []
        for event in self.events:
            if event.node < first:
                continue
            event = replace(event, node=event.node - first)
            if isinstance(event, Enter | Leaf):
                above = (event.parent or 0) - first
                event = (
                    replace(event, parent=above) if event.node else replace(event, parent=None, action=None)
                )
            events.append(event)
        return replace(self, events=tuple(events))

    @cached_property
    def tree(self) -> list[Node]:
        """The nodes that were visited, in order; the first is the root."""
        return tree(self.events)

    @property
    def nodes(self) -> int:
        """The number of nodes visited."""
        return sum(not isinstance(by := node.entered, Enter) or by.kind != ITERATIONS for node in self.tree)

    @property
    def leaves(self) -> int:
        """The number of leaves."""
        return sum(isinstance(event, Leaf) for event in self.events)

    @property
    def cuts(self) -> Counter[str]:
        """The number of cut-offs of each kind: "alpha" at MIN nodes, "beta" at MAX nodes, …."""
        return Counter(event.kind for event in self.events if isinstance(event, Cut) and event.skipped)

    def __str__(self) -> str:
        cuts = ", ".join(f"{number} {kind}" for kind, number in sorted(self.cuts.items())) or "none"
        lines = [
            f"{self.heading}: value {number(self.value)}"
            + (f", line {' '.join(self.line)}" if self.line else ""),
            f"{self.nodes} nodes, {self.leaves} leaves, cut-offs: {cuts}",
            "",
        ]
        stack: list[tuple[Node | Order | Cut, int]] = [(self.tree[0], 0)]
        while stack:
            item, depth = stack.pop()
            lines.append("  " * depth + self._line(item))
            if isinstance(item, Node):
                order = [item.order] if item.order else []
                below: list[Node | Order | Cut] = [*order, *item.children, *item.cuts]
                stack += [(child, depth + 1) for child in reversed(below)]
        return "\n".join(lines) + (f"\n\n{self.plan}" if self.plan else "")

    def _line(self, item: Node | Order | Cut) -> str:
        if isinstance(item, Order):
            return _order_text(item)
        return _cut_text(item) if isinstance(item, Cut) else self._caption(item)

    def _caption(self, node: Node) -> str:
        """A node in one line: "a2: MIN C <= 2  window (3, +inf)"."""
        by = node.entered
        chance = "" if by.probability is None else f" ({number(by.probability)})"
        action = "" if by.action is None else f"{by.action}{chance}: "
        if isinstance(node.value, tuple) and node.is_numbered:
            value = "proof {}, disproof {}".format(*map(number, node.value))
        else:
            value = number(node.value) + (f", {_visits(node.visits)}" if node.visits else "")
        if isinstance(by, Leaf):
            relation = "" if by.relation == "=" else f"{by.relation} "
            why = "" if by.why in ("terminal", "goal") else f" ({by.why})"
            return f"{action}{relation}{value}{why}"
        if by.kind == ITERATIONS:
            return f"ITERATIVE DEEPENING {node.relation} {number(node.value)}"
        who = self.players[by.player] if by.kind == "player" else by.kind.upper()
        if by.kind == "min" and len(self.players) > 2:
            who += f" ({self.players[by.player]})"
        words = [who, by.position, "" if node.is_numbered else node.relation, value]
        window = f"  window ({number(by.window[0])}, {number(by.window[1])})" if by.window else ""
        return action + " ".join(word for word in words if word) + window

    # -- JSON, where infinities are written as strings.

    def to_json(self) -> str:
        """The trace as JSON."""
        names = {event: name for name, event in EVENTS.items()}
        events = [{"event": names[type(event)], **_fields(event)} for event in self.events]
        return json.dumps(_encoded(_fields(self) | {"events": events}), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """The trace that `to_json` wrote."""
        try:
            data = _decoded(json.loads(text))
            events = []
            for event in data.pop("events"):
                events.append(EVENTS[event.pop("event")](**event))
            return cls(**data, events=tuple(events))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise PliesError(f"this is not a trace in JSON: {error}") from error


class Tracer(Recorder):
    """A recorder that makes a `Trace`, once the search is over.

    A search of more nodes than `limit` ends with an error, before it fills the memory.
    """

    trace: Trace

    def __init__(self, game: Game, limit: int = LIMIT) -> None:
        self.game = game
        self.limit = limit
        self.events: list[Event] = []
        self._nodes = 0
        self._root: State = None
        self._path: list[_Place] = []
        self._places: dict[TreeNode, _Place] = {}

    def enter(self, action: Action, state: State, kind: str, window: Window | None = None) -> None:
        arrival = self._arrive(action, state)
        mover = self.game.to_move(state)
        self.events.append(Enter(*arrival, kind, mover, _plain(window), state=state))
        chances = dict(self.game.chance(state)) if mover == CHANCE else {}
        self._path.append(_Place(arrival[0], state, kind, chances))

    def leaf(self, action: Action, state: State, why: str, value: S, relation: str = "=") -> S:
        self.events.append(Leaf(*self._arrive(action, state), why, _plain(value), state, relation))
        return value

    def order(self, why: str, actions: Sequence[Action], estimates: Sequence[float] = ()) -> None:
        if len(actions) > 1:  # one alone is in order
            names = tuple(self._name(action) for action in actions)
            self.events.append(Order(self._path[-1].node, why, names, _plain(tuple(estimates))))

    def update(
        self, action: Action, value: Any, window: Window | None = None, bounds: Window | None = None
    ) -> None:
        node = self._path[-1].node
        self.events.append(Update(node, self._name(action), _plain(value), _plain(window), _plain(bounds)))

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Action]) -> None:
        names = tuple(self._name(action) for action in skipped)
        if names or self._path[-1].kind == "chance":  # nothing is cut off behind the last action
            reason = _reason(kind, value, bound, [place.kind for place in self._path])
            self.events.append(Cut(self._path[-1].node, kind, names, reason))

    def leave(self, value: S) -> S:
        self.events.append(Leave(self._path.pop().node, _plain(value)))
        return value

    def add(self, node: TreeNode, kind: str, value: Value | None = None) -> None:
        self._path = [] if node.parent is None else [self._places[node.parent]]
        if value is not None and kind in LEAVES:
            self.leaf(node.action, node.state, kind, value)
            self._path.append(_Place(self._nodes - 1, node.state, kind, {}))
        else:
            self.enter(node.action, node.state, kind)
            self.events[-1] = replace(self.events[-1], value=_plain(value))
        self._places[node] = self._path[-1]

    def visit(self, node: TreeNode, scores: Mapping[Action, tuple[float, float]] | None = None) -> None:
        above = None if node.parent is None else node.parent.state
        named = tuple(
            (self.game.notation(above, action), *_plain(numbers))
            for action, numbers in (scores or {}).items()
        )
        self.events.append(Visit(self._places[node].node, named))

    def playout(self, node: TreeNode, line: Sequence[Action], value: float) -> None:
        self.events.append(Playout(self._places[node].node, self._names(node.state, line), _plain(value)))

    def back_up(self, node: TreeNode, value: Value, visits: int | None = None) -> None:
        self.events.append(BackUp(self._places[node].node, _plain(value), visits))

    def finish(self, algorithm: str, decision: Decision[V]) -> Decision[V]:
        self.trace = Trace(
            game=self.game.name,
            players=tuple(self.game.player_name(player) for player in range(self.game.players)),
            algorithm=algorithm,
            value=_plain(decision.value),
            line=self._names(self._root, decision.line),
            plan=None if decision.plan is None else plan_text(self.game, self._root, decision.plan),
            events=tuple(self.events),
        )
        return decision

    def _arrive(
        self, action: Action, state: State
    ) -> tuple[int, int | None, str | None, float | None, str | None]:
        """What Enter and Leaf begin with: node, parent, action, probability, position."""
        node = self._nodes
        if node == self.limit:
            raise TooManyNodes(f"the search has more than {node:,} nodes: give less depth, or a higher limit")
        self._nodes += 1
        position = self.game.position(state) if self.game.has("position") else None
        if not self._path:
            self._root = state
            return node, None, None, None, position
        above = self._path[-1]
        return node, above.node, self._name(action), above.chances.get(action), position

    def _name(self, action: Action) -> str:
        """The name of an action of the node: the game's own, unless it is none of the game's."""
        above = self._path[-1]
        if action is STAND_PAT:
            return "stand pat"
        if above.kind == ITERATIONS:
            return f"depth {action}"
        return str(self.game.notation(above.state, action))

    def _names(self, state: State, line: Iterable[Action]) -> tuple[str, ...]:
        """The names of actions that follow each other, from a state on."""
        names = []
        for action in line:
            names.append(self.game.notation(state, action))
            state = self.game.result(state, action)
        return tuple(names)


class _Place(NamedTuple):
    """A node on the path from the root to where the search is."""

    node: int
    state: State
    kind: str
    chances: dict[Action, float]
    """The probabilities of its outcomes, if chance decides there."""


def number(value: Value | None) -> str:
    """A value as text."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"({', '.join(number(item) for item in value)})"
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "+inf" if value > 0 else "-inf"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


REASONS = {
    "lot": "not sampled",
    "forward": "not among the {bound} best by EVAL",
    "quiet": "not noisy, beyond the depth bound",
    "probe": "a probe searches one action",
    "or": "one action that works is enough",
    "and": "one reply without an answer is enough",
}
"""Why actions are skipped, by the kind of the cut."""


def _reason(kind: str, value: float, bound: float, path: Sequence[str]) -> str:
    """Why actions of the last of some nodes, by their kinds, are skipped."""
    if kind not in ("alpha", "beta"):
        return REASONS[kind].format(bound=number(bound))
    other, relation = ("MAX", "<=") if kind == "alpha" else ("MIN", ">=")
    compared = f"value {number(value)} {relation} {kind} {number(bound)}"
    if path[-1] == "chance":
        return f"{compared}, whatever the other outcomes are worth"
    if "chance" in path:
        return f"{compared}: above, it no longer matters by how much"
    return f"{compared}: {other} already has {number(bound)} elsewhere"


def _visits(count: int) -> str:
    return "1 visit" if count == 1 else f"{count} visits"


def _order_text(order: Order) -> str:
    """The order of actions: "order a2 (5), a1 (3)"."""
    if order.why == "line":
        return f"order {order.actions[0]} first, the best so far"
    pairs = zip(order.actions[:10], order.estimates, strict=False)
    shown = ", ".join(f"{action} ({number(estimate)})" for action, estimate in pairs)
    return f"order {shown}" + (f", … {len(order.actions)} in all" if len(order.actions) > 10 else "")


def _cut_text(cut: Cut) -> str:
    shown = ", ".join(cut.skipped[:10]) + (f", … {len(cut.skipped)} in all" if len(cut.skipped) > 10 else "")
    return f"cut {shown} ({cut.reason})" if shown else f"enough ({cut.reason})"


def _plain(value: Any) -> Any:
    """A value in Python's own numbers, whatever type the game computes with."""
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return value if value is None or type(value) in (bool, int, float) else float(value)


def _fields(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record) if field.compare}


def _encoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _encoded(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_encoded(item) for item in value]
    return {"infinity": number(value)} if value in (float("inf"), float("-inf")) else value


def _decoded(value: Any) -> Any:
    if isinstance(value, dict):
        if "infinity" in value:
            return float(value["infinity"])
        return {key: _decoded(item) for key, item in value.items()}
    return tuple(_decoded(item) for item in value) if isinstance(value, list) else value
