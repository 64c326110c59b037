"""The places of a tree's parts: downwards, as in books, or from left to right if that would be too wide.

The place of a node is the middle of its form; that of branches that are cut or not drawn, the middle of their
beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from plies.draw.forms import Type
from plies.draw.layout import tidy
from plies.draw.outline import Drawn, Item, More, Stubs


class Point(NamedTuple):
    """A place in the picture."""

    x: float
    y: float


class Box(NamedTuple):
    """A part of the picture."""

    left: float
    top: float
    width: float
    height: float


class Down:
    """The root on top, every level a row."""

    name = "down"

    def __init__(self, type_: Type) -> None:
        self.type = type_

    def place(self, items: list[Item]) -> None:
        """Give every item its place: columns by the layout, rows far enough apart for their edges."""
        for item, x in zip(items, _spread(items, self._width, 10, 20), strict=True):
            item.x = x
        bottom = 0.0
        for row in rows(items):
            height = max(item.form[1] for item in row)
            top = bottom + (self.type.room + _distance(row, lambda item: item.x, 34) if bottom else 0)
            for item in row:
                item.y = top + height / 2 if isinstance(item, Drawn) else top
            bottom = top + height

    def _width(self, item: Item) -> float:
        """The width of an item: a text on one side of a node takes as much room on the other."""
        if isinstance(item, Stubs):
            return max(sum(item.widths), item.right + 6)
        beside = max(item.left, item.right)
        return max(item.form[0] + (2 * beside + 8 if beside else 0), item.label + 4)

    def box(self, items: list[Item], captions: float) -> Box:
        """What the drawing takes up, with captions so wide."""
        right = max(item.x + self._width(item) / 2 for item in items)
        bottom = max(item.y + item.form[1] / (2 if isinstance(item, Drawn) else 1) for item in items)
        left = captions + 12 if captions else 0
        return Box(-left, 0, right + left, bottom)

    def caption(self, box: Box, item: Drawn) -> Point:
        """Where it is written who moves at the level of a node."""
        return Point(box.left, item.y + 0.35 * self.type.label)

    def exit(self, item: Item) -> Point:
        """Where edges leave a node."""
        return Point(item.x, item.y + item.form[1] / 2)

    def entry(self, item: Item) -> Point:
        """Where the edge to an item ends."""
        if not isinstance(item, Drawn):
            return Point(item.x, item.y - 8)
        return Point(item.x, item.y - item.form[1] / 2 - (self.type.room - 3 if item.label else 0))

    def action(self, item: Item) -> Point:
        """Where the name of the action stands that leads to an item."""
        return Point(item.x, item.y - item.form[1] / 2 - 5)

    def more(self, item: More) -> Point:
        """Where the count of what is not drawn stands."""
        return Point(item.x, item.y + 0.55 * self.type.small)

    def stubs(self, item: Stubs) -> list[tuple[Point, Point]]:
        """Where each branch that was cut ends, and where its name stands."""
        places = []
        left = item.x - sum(item.widths) / 2
        for width in item.widths:
            x = left + width / 2
            places.append((Point(x, item.y - self.type.room + 3), Point(x, item.y - 5)))
            left += width
        return places

    def reason(self, item: Stubs) -> Point:
        """Where the reason of a cut stands."""
        return Point(item.x, item.y + 0.8 * self.type.small)


class Across:
    """The root on the left, every level a column."""

    name = "across"

    def __init__(self, type_: Type) -> None:
        self.type = type_

    def place(self, items: list[Item]) -> None:
        """Give every item its place: rows by the layout, columns far enough apart for their edges."""
        for item, y in zip(items, _spread(items, self._height, 5, 12), strict=True):
            item.y = y
        right = 0.0
        for column in rows(items):
            left = right + (_distance(column, lambda item: item.y, 40) if right else 0)
            middle = left + max(self._before(item) for item in column)
            for item in column:
                item.x = middle if isinstance(item, Drawn) else left
            right = max(item.x + self._after(item) for item in column)

    def _height(self, item: Item) -> float:
        if isinstance(item, Stubs):
            return self.type.line * len(item.widths)
        return max(item.form[1], 27 * self.type.scale if item.left or item.right else self.type.line)

    def _before(self, item: Item) -> float:
        """How far an item reaches to the left of its place."""
        if not isinstance(item, Drawn):
            return 0
        return item.form[0] / 2 + sum(width + 6 for width in (item.left, item.label) if width)

    def _after(self, item: Item) -> float:
        if isinstance(item, Stubs):
            return max(item.widths) + item.right + 12
        if not isinstance(item, Drawn):
            return item.form[0] + 4
        return item.form[0] / 2 + (item.right + 6 if item.right else 0)

    def box(self, items: list[Item], captions: float) -> Box:
        """What the drawing takes up, with captions so wide."""
        right = max(item.x + self._after(item) for item in items)
        bottom = max(item.y + self._height(item) / 2 for item in items)
        left, top = min(0, items[0].x - captions / 2), -30.0 * self.type.scale if captions else 0.0
        return Box(left, top, right - left, bottom - top)

    def caption(self, box: Box, item: Drawn) -> Point:
        """Where it is written who moves at the level of a node."""
        return Point(item.x, box.top + self.type.label)

    def exit(self, item: Item) -> Point:
        """Where edges leave a node."""
        return Point(item.x + self._after(item) + 2, item.y)

    def entry(self, item: Item) -> Point:
        """Where the edge to an item ends."""
        return Point(item.x - self._before(item) - (4 if item.label else 1), item.y)

    def action(self, item: Item) -> Point:
        """Where the name of the action stands that leads to an item."""
        beside = item.left + 6 if item.left else 0
        return Point(item.x - item.form[0] / 2 - beside - 5, item.y + 0.35 * self.type.label)

    def more(self, item: More) -> Point:
        """Where the count of what is not drawn stands."""
        return Point(item.x + 4, item.y + 0.35 * self.type.small)

    def stubs(self, item: Stubs) -> list[tuple[Point, Point]]:
        """Where each branch that was cut ends, and where its name stands."""
        top = item.y - self.type.line * len(item.widths) / 2
        heights = [top + self.type.line * (number + 0.5) for number in range(len(item.widths))]
        right = item.x + max(item.widths)
        return [(Point(item.x, y), Point(right, y + 0.35 * self.type.label)) for y in heights]

    def reason(self, item: Stubs) -> Point:
        """Where the reason of a cut stands."""
        return Point(item.x + max(item.widths) + 8, item.y + 0.35 * self.type.small)


Way = Down | Across


def rows(items: Iterable[Item]) -> list[list[Item]]:
    """The items level by level."""
    levels: dict[int, list[Item]] = {}
    for item in items:
        levels.setdefault(item.level, []).append(item)
    return list(levels.values())


def _spread(items: list[Item], size: Callable[[Item], float], gap: float, family_gap: float) -> list[float]:
    """The places of items along their levels."""
    numbers = {id(item): number for number, item in enumerate(items)}
    below = [[numbers[id(child)] for child in item.below] for item in items]
    return tidy(below, [size(item) for item in items], gap, family_gap)


def _distance(row: list[Item], along: Callable[[Item], float], least: float) -> float:
    """The distance of a level from the one before: more for a wide family, whose edges would be too flat."""
    widest = max((abs(along(item) - along(item.parent)) for item in row if item.parent), default=0)
    return min(max(least, 0.12 * widest), 150)
