"""The whole tree that a search goes through, with the branches that it cuts, to be seen before it begins.

The branches are taken from a search that visits every node, and added behind the events of the one to be
shown, whose nodes keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from plies.book.events import Cut, Event, Leaf, Leave, Node
from plies.book.tracing import Trace
from plies.draw.explain import explain
from plies.draw.known import changes, final
from plies.draw.steps import Steps
from plies.draw.tree import Drawing, short_reason
from plies.web.practice import by_path, paths_of


@dataclass(frozen=True)
class Whole:
    """A search with the branches that it cuts."""

    trace: Trace
    """The search, as it was."""
    grown: Trace
    """The tree to draw."""
    cut: dict[int, list[int]]
    """By the number of an event that cuts: the nodes that it cuts off."""

    @classmethod
    def of(cls, trace: Trace, full: Trace) -> Whole:
        """A search, with what a search of all nodes found behind the branches that it cuts."""
        known, paths = by_path(full), paths_of(trace)
        events: list[Event] = []
        added: list[Event] = []
        cut: dict[int, list[int]] = {}
        for place, event in enumerate(trace.events):
            if isinstance(event, Cut) and event.skipped:
                below = [known.get((*paths[event.node], action)) for action in event.skipped]
                if all(below):
                    cut[place] = []
                    for node in below:
                        assert node is not None
                        cut[place].append(len(trace.tree) + sum(not isinstance(one, Leave) for one in added))
                        added += _grafted(node, event.node, cut[place][-1])
                    event = replace(event, skipped=())  # they are drawn as branches
            events.append(event)
        return cls(trace, replace(trace, events=(*events, *added)), cut)

    def data(self, drawing: Drawing) -> dict[str, Any]:
        """The data of the steps, for JSON: also what is cut off, and the values of all leaves."""
        steps, drawn = Steps(drawing), {item.number for item in drawing.nodes}
        known, said, events = changes(self.trace), explain(self.trace), self.trace.events
        shown = [place for place, event in enumerate(events) if event.node in drawn]
        rows = []
        for place in shown:
            event = events[place]
            row = {**known[place]._asdict(), "cut": "", "say": said[place]}
            if isinstance(event, Cut):
                row["cut"] = event.kind
                row["skipped"] = [number for number in self.cut.get(place, ()) if number in drawn]
                row["reason"] = short_reason(event)
            rows.append(row)
        left_out = len(events) - len(shown)
        intro = "The search has not begun. Go forward, step by step."
        if left_out:
            intro += f" {left_out:,} steps at nodes that are not drawn are left out."
        nodes = [item.node for item in drawing.nodes]
        return {
            **{key: steps.data[key] for key in ("title", "svg", "parents")},
            "intro": intro,
            "steps": rows,
            "leaf_values": {
                node.entered.node: final(node) for node in nodes if isinstance(node.entered, Leaf)
            },
        }


def _grafted(node: Node, parent: int, number: int) -> Iterator[Event]:
    """The events of a node and all below it, with numbers from `number` on."""
    first, stack = number, [(node, parent)]
    entered: list[tuple[int, Node]] = []
    while stack:
        one, above = stack.pop()
        yield replace(one.entered, node=first, parent=above, **_no_window(one))
        entered.append((first, one))
        stack += [(child, first) for child in reversed(one.children)]
        first += 1
    for place, one in reversed(entered):
        if one.children:
            yield Leave(place, one.value)


def _no_window(node: Node) -> dict[str, Any]:
    return {} if isinstance(node.entered, Leaf) else {"window": None}
