"""The values and windows of all nodes after each step of a search."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from plies.book.events import BackUp, Cut, Enter, Leaf, Node, Order, Playout, Update, Visit
from plies.book.recorder import Value
from plies.book.tracing import Trace

Shown = tuple[str, str]
"""Alpha and beta as they are shown."""


SIGNS = {"=": "", "<=": "≤ ", ">=": "≥ ", "~": "≈ "}
"""The relations of exact values to those found, as pictures show them."""


class Change(NamedTuple):
    """The state of a node after a step."""

    node: int
    value: str
    """The value so far: "≥ 3" and "≤ 3" are proved, "3…" may still change either way, and "2 to 5" is between
    those bounds. Of a node that is left, "≈ 3" is no bound. By UCT, "0.5 (4)" is the mean of four visits; by
    proof-number search, "1, 2" the proof and the disproof number."""
    window: Shown | None
    open: bool
    """Whether the node is still being searched."""


def changes(trace: Trace) -> list[Change]:
    """The change by each event of a trace, in order."""
    known: list[Change] = []
    latest: dict[int, Change] = {}
    bounds: dict[int, tuple[float, float]] = {}  # what the children so far prove
    for event in trace.events:
        node = trace.tree[event.node]
        before = latest.get(event.node)
        if isinstance(event, Enter):
            value = "" if event.value is None else numbers(event.value)
            change = Change(event.node, value, shown_window(event.window), event.value is None)
        elif isinstance(event, BackUp):
            value = numbers(event.value) if event.visits is None else f"{shown(event.value)} ({event.visits})"
            change = Change(event.node, value, None, False)
        elif before is None:  # a leaf
            change = Change(event.node, final(node), None, False)
        elif isinstance(event, Visit | Playout):
            change = before._replace(open=True)
        elif isinstance(event, Update) and event.bounds is not None:
            value = " to ".join(map(shown, event.bounds))
            change = Change(event.node, value, shown_window(event.window), True)
        elif isinstance(event, Update):
            value = _so_far(node, event.value, bounds.get(event.node, (-inf, inf)))
            change = Change(event.node, value, shown_window(event.window), True)
        elif isinstance(event, Cut | Order):
            change = before
        else:
            change = before._replace(value=final(node), open=False)
        if not change.open and (parent := node.entered.parent) is not None:
            least, most = bounds.get(parent, (-inf, inf))
            bounds[parent] = max(least, node.at_least), min(most, node.at_most)
        latest[event.node] = change
        known.append(change)
    return known


def shown(value: Value | None) -> str:
    """A value as a picture shows it: short, with signs in place of words."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"({', '.join(shown(item) for item in value)})"
    if value in (inf, -inf):
        return "+∞" if value > 0 else "−∞"
    text = str(int(value)) if value == int(value) and abs(value) < 1e6 else f"{value:.4g}"
    return text.replace("-", "−")


def numbers(value: Value) -> str:
    """A proof and a disproof number, or one of them, as a picture shows them."""
    both = value if isinstance(value, tuple) else (value,)
    return ", ".join("∞" if number == inf else shown(number) for number in both)


def shown_window(window: tuple[float, float] | None) -> Shown | None:
    """A window as a picture shows it."""
    return None if window is None else (shown(window[0]), shown(window[1]))


def _so_far(node: Node, value: Value, bounds: tuple[float, float]) -> str:
    """The value so far of a node that is still being searched, marked as a bound if it is one."""
    kind = _kind(node)
    if isinstance(value, tuple):
        return f"{shown(value)}…"
    if kind == "max" and bounds[0] >= value:
        return f"≥ {shown(value)}"
    if kind == "min" and bounds[1] <= value:
        return f"≤ {shown(value)}"
    return f"{shown(value)}…"


def final(node: Node) -> str:
    """The final value of a node: exact, a bound if branches were cut, or neither if some were left out."""
    return numbers(node.value) if node.is_numbered else SIGNS[node.relation] + shown(node.value)


def _kind(node: Node) -> str:
    return "leaf" if isinstance(node.entered, Leaf) else node.entered.kind
