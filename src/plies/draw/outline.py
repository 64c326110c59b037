"""The part of a trace that is drawn: the chosen line and as many other nodes as fit, level by level.

Branches that were cut, and those left out for lack of room, have their places beside the nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from plies.book.events import Cut, Enter, Leaf, Node
from plies.book.recorder import ITERATIONS
from plies.book.tracing import Trace

STUBS = 4
"""The most branches that were cut and are drawn one by one. Not tuned."""


ROOM = 60
"""The nodes that are drawn below one that was opened. Not tuned."""


@dataclass(eq=False)
class Item:
    """Something that has its place in the drawing."""

    parent: Item | None = field(repr=False)
    below: list[Item] = field(default_factory=list)
    level: int = 0
    x: float = 0
    y: float = 0
    form: tuple[float, float] = (0, 0)
    """The width and height of its own form."""
    label: float = 0
    """The width of the name of the action that leads to it."""
    left: float = 0
    """The width of the text on its left."""
    right: float = 0
    """The width of the text on its right."""


@dataclass(eq=False)
class Drawn(Item):
    """A node that was visited."""

    node: Node = field(kw_only=True)
    chosen: bool = field(kw_only=True)
    """Whether it is on the chosen line."""

    @property
    def number(self) -> int:
        return self.node.entered.node

    @property
    def kind(self) -> str:
        """What kind of node it is: "max", "min", "chance", "matrix", "player", "or", "and", "iterations" or
        "leaf"."""
        by = self.node.entered
        return "leaf" if isinstance(by, Leaf) else by.kind


@dataclass(eq=False)
class Stubs(Item):
    """Branches of the parent that were cut. The reason is on their right."""

    cut: Cut = field(kw_only=True)
    first: int = field(kw_only=True)
    """The number of the first one among the parent's branches."""
    widths: list[float] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """The text at each that is drawn; the last one may stand for many."""
        names = [brief(name) for name in self.cut.skipped]
        if len(names) <= STUBS:
            return names
        return [*names[: STUBS - 1], f"… {len(names) - STUBS + 1} more"]


@dataclass(eq=False)
class More(Item):
    """Neighbouring branches of the parent that are not drawn."""

    count: int = field(kw_only=True)
    """The number of their nodes."""

    @property
    def text(self) -> str:
        return f"… {self.count:,} more"


def brief(name: str) -> str:
    """The name of an action, shortened if it is long."""
    return name if len(name) <= 12 else f"{name[:11]}…"


def outline(trace: Trace, limit: int, opened: Collection[int] = ()) -> list[Item]:
    """The items to draw, every one after its parent; the first is the root.

    The line is drawn even if it alone has more nodes than `limit`. Below each node that is `opened`, `ROOM`
    more are drawn.
    """
    line = chosen_line(trace)
    wanted = _wanted(trace.tree[0], {id(node) for node in line}, limit)
    for number in opened:
        if 0 <= number < len(trace.tree):
            wanted |= _wanted(trace.tree[number], wanted, len(wanted) + ROOM)
    sizes = _sizes(trace.tree)
    items: list[Item] = []
    stack: list[Item] = [Drawn(None, node=line[0], chosen=True)]
    on_line = {id(node) for node in line}
    while stack:
        item = stack.pop()
        items.append(item)
        if item.parent is not None:
            item.level = item.parent.level + 1
            item.parent.below.append(item)
        if isinstance(item, Drawn):
            stack += reversed(list(_below(item, wanted, on_line, sizes)))
    return items


def chosen_line(trace: Trace) -> list[Node]:
    """The nodes of the chosen line, from the root."""
    nodes = [trace.tree[0]]
    if isinstance(by := nodes[0].entered, Enter) and by.kind == ITERATIONS:
        nodes.append(nodes[0].children[-1])
    for action in trace.line:
        following = [child for child in nodes[-1].children if child.entered.action == action]
        if not following:
            break
        nodes.append(following[0])
    return nodes


def _wanted(root: Node, line: set[int], limit: int) -> set[int]:
    """The nodes to draw: whole levels, and of the first that has no room an equal share of every family."""
    wanted = line | {id(root)}
    room = limit - len(wanted)
    level = [root]
    while level and room > 0:
        below = [child for node in level for child in node.children]
        added = [child for child in below if id(child) not in wanted]
        if len(added) > room:
            families = [node.children for node in level if node.children]
            share = room // len(families)
            added = [child for family in families for child in family[:share]]
            return wanted | {id(child) for child in added}
        wanted.update(id(child) for child in added)
        room -= len(added)
        level = below
    return wanted


def _sizes(nodes: list[Node]) -> dict[int, int]:
    """The number of nodes of every subtree."""
    sizes: dict[int, int] = {}
    for node in reversed(nodes):
        sizes[id(node)] = 1 + sum(sizes[id(child)] for child in node.children)
    return sizes


def _below(item: Drawn, wanted: set[int], line: set[int], sizes: dict[int, int]) -> Iterator[Item]:
    """The items below a node, in order: children, gaps where some are left out, branches cut."""
    missing = 0
    for child in item.node.children:
        if id(child) not in wanted:
            missing += sizes[id(child)]
            continue
        if missing:
            yield More(item, count=missing)
            missing = 0
        yield Drawn(item, node=child, chosen=id(child) in line)
    if missing:
        yield More(item, count=missing)
    first = len(item.node.children)
    for cut in filter(lambda cut: cut.skipped, item.node.cuts):
        yield Stubs(item, cut=cut, first=first)
        first += len(cut.skipped)
