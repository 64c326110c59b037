"""The names of nodes, players and actions, in sentences about a search."""

from __future__ import annotations

from collections.abc import Sequence

from plies.book.events import Enter, Leaf
from plies.book.tracing import Trace


def listed(names: Sequence[str]) -> str:
    """Names as people list them: "c2, c3 and c4"; of many, the first few."""
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def name_of(by: Enter | Leaf) -> str:
    """The name of a node: that of its position if it is short, or the action that leads to it."""
    if by.position and len(by.position) <= 6 and by.position.isprintable() and "/" not in by.position:
        return by.position
    return f"the node after {by.action}" if by.action else "the root"


def capital(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[0].upper() + text[1:]


class Names:
    """What the nodes of a trace are called."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.nodes = trace.tree

    def name(self, number: int) -> str:
        """The name of a node."""
        return name_of(self.nodes[number].entered)

    def mover(self, number: int) -> str:
        """Who moves at an inner node."""
        by = self.nodes[number].entered
        assert isinstance(by, Enter)
        if by.kind == "player":
            return self.trace.players[by.player]
        if by.kind in ("max", "min"):
            return by.kind.upper()
        return {"or": "the player", "and": "anybody else", "chance": "chance", "matrix": "both"}[by.kind]

    def action(self, event: Enter | Leaf) -> str:
        """What leads to a node."""
        return f"{'Action' if event.probability is None else 'Outcome'} {event.action}"
