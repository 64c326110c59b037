"""Traces: every step of a search, to be printed, drawn, or kept as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeVar

from plies.book.decision import Decision
from plies.book.events import EVENTS, Cut, Enter, Event, Leaf, Leave, Node, Update, tree
from plies.book.plan import plan_text
from plies.book.recorder import Recorder, S, Value, Window
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
    value: Value
    line: tuple[str, ...]
    plan: str | None
    """The plan that AND-OR search found, in words."""
    events: tuple[Event, ...]

    @property
    def action(self) -> str | None:
        """The action to take; None if there is nothing to decide."""
        return self.line[0] if self.line else None

    @cached_property
    def tree(self) -> list[Node]:
        """The nodes that were visited, in order; the first is the root."""
        return tree(self.events)

    @property
    def nodes(self) -> int:
        """The number of nodes visited."""
        return len(self.tree)

    @property
    def leaves(self) -> int:
        """The number of leaves."""
        return sum(isinstance(event, Leaf) for event in self.events)

    @property
    def cuts(self) -> Counter[str]:
        """The number of cut-offs of each kind: "alpha" at MIN nodes, "beta" at MAX nodes, …."""
        return Counter(event.kind for event in self.events if isinstance(event, Cut))

    def __str__(self) -> str:
        cuts = ", ".join(f"{number} {kind}" for kind, number in sorted(self.cuts.items())) or "none"
        lines = [
            f"{self.algorithm} on {self.game}: value {number(self.value)}"
            + (f", line {' '.join(self.line)}" if self.line else ""),
            f"{self.nodes} nodes, {self.leaves} leaves, cut-offs: {cuts}",
            "",
        ]
        stack: list[tuple[Node | Cut, int]] = [(self.tree[0], 0)]
        while stack:
            item, depth = stack.pop()
            lines.append("  " * depth + (_cut_text(item) if isinstance(item, Cut) else self._caption(item)))
            if isinstance(item, Node):
                below: list[Node | Cut] = [*item.children, *([item.cut] if item.cut else [])]
                stack += [(child, depth + 1) for child in reversed(below)]
        return "\n".join(lines) + (f"\n\n{self.plan}" if self.plan else "")

    def _caption(self, node: Node) -> str:
        """A node in one line: "a2: MIN C <= 2  window (3, +inf)"."""
        by = node.entered
        chance = "" if by.probability is None else f" ({number(by.probability)})"
        action = "" if by.action is None else f"{by.action}{chance}: "
        if isinstance(by, Leaf):
            return action + number(node.value) + ("" if by.why in ("terminal", "goal") else f" ({by.why})")
        who = self.players[by.player] if by.kind == "player" else by.kind.upper()
        if by.kind == "min" and len(self.players) > 2:
            who += f" ({self.players[by.player]})"
        words = [who, by.position, node.relation, number(node.value)]
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
        self._path: list[tuple[int, State, dict[Action, float]]] = []

    def enter(self, action: Action, state: State, kind: str, window: Window | None = None) -> None:
        arrival = self._arrive(action, state)
        mover = self.game.to_move(state)
        self.events.append(Enter(*arrival, kind, mover, _plain(window), state))
        chances = dict(self.game.chance(state)) if mover == CHANCE else {}
        self._path.append((arrival[0], state, chances))

    def leaf(self, action: Action, state: State, why: str, value: S) -> S:
        self.events.append(Leaf(*self._arrive(action, state), why, _plain(value), state))
        return value

    def update(self, action: Action, value: Any, window: Window | None = None) -> None:
        node, state, _ = self._path[-1]
        self.events.append(Update(node, self.game.notation(state, action), _plain(value), _plain(window)))

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Action]) -> None:
        node, state, _ = self._path[-1]
        names = tuple(self.game.notation(state, action) for action in skipped)
        if names:  # nothing is cut off behind the last action
            self.events.append(Cut(node, kind, names, _reason(kind, value, bound)))

    def leave(self, value: S) -> S:
        node, _, _ = self._path.pop()
        self.events.append(Leave(node, _plain(value)))
        return value

    def finish(self, algorithm: str, decision: Decision[V]) -> Decision[V]:
        state = self._root
        line = []
        for action in decision.line:
            line.append(self.game.notation(state, action))
            state = self.game.result(state, action)
        self.trace = Trace(
            game=self.game.name,
            players=tuple(self.game.player_name(player) for player in range(self.game.players)),
            algorithm=algorithm,
            value=_plain(decision.value),
            line=tuple(line),
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
        parent, above, chances = self._path[-1]
        return node, parent, self.game.notation(above, action), chances.get(action), position


def number(value: Value) -> str:
    """A value as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"({', '.join(number(item) for item in value)})"
    if value in (float("inf"), float("-inf")):
        return "+inf" if value > 0 else "-inf"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def _reason(kind: str, value: float, bound: float) -> str:
    if kind == "alpha":
        return f"value {number(value)} <= alpha {number(bound)}: MAX already has {number(bound)} elsewhere"
    if kind == "beta":
        return f"value {number(value)} >= beta {number(bound)}: MIN already has {number(bound)} elsewhere"
    if kind == "lot":
        return "not sampled"
    return "one action that works is enough" if kind == "or" else "one reply without an answer is enough"


def _cut_text(cut: Cut) -> str:
    shown = ", ".join(cut.skipped[:10]) + (f", … {len(cut.skipped)} in all" if len(cut.skipped) > 10 else "")
    return f"cut {shown} ({cut.reason})"


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
