"""Layout of a tree: tidy, in linear time.

Nodes of one level stand in a row, in order and without touching; parents stand in the middle above their
children; and a subtree looks the same wherever it occurs. Among their siblings, subtrees are pushed together
from the left, then from the right, and stand halfway between: so a tree and its mirror image look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def tidy(
    children: Sequence[Sequence[int]], widths: Sequence[float], gap: float, family_gap: float
) -> list[float]:
    """The horizontal centre of every node of a tree, that of its leftmost edge being 0.

    `children` gives the children of each node, all with greater numbers than their parent; the root is 0.
    Siblings keep a distance of `gap`, other nodes of one level `family_gap`.
    """
    offsets = [0.0] * len(widths)  # of every node from its parent
    shapes: dict[int, _Shape] = {}
    for node in reversed(range(len(widths))):
        below = [shapes.pop(child) for child in children[node]]
        places = _places(below, gap, family_gap)
        middle = (places[0] + places[-1]) / 2 if places else 0.0
        for child, place in zip(children[node], places, strict=True):
            offsets[child] = place - middle
        shapes[node] = _joined(widths[node], below, [place - middle for place in places])
    return _from_the_left(children, widths, offsets)


class _Shape:
    """The outline of a subtree: at each level how far it reaches to the left and to the right of its root.

    Levels are kept from the lowest to the highest, and a shift is added to all of them, so that a subtree can
    be moved, and get a new root, without going through its levels.
    """

    __slots__ = ("left", "left_shift", "right", "right_shift")

    def __init__(self, left: list[float], right: list[float], left_shift: float, right_shift: float) -> None:
        self.left, self.right = left, right
        self.left_shift, self.right_shift = left_shift, right_shift

    @property
    def depth(self) -> int:
        return len(self.left)

    def left_at(self, level: int) -> float:
        return self.left[-1 - level] + self.left_shift

    def right_at(self, level: int) -> float:
        return self.right[-1 - level] + self.right_shift


def _places(shapes: Sequence[_Shape], gap: float, family_gap: float) -> list[float]:
    """Where the roots of neighbouring subtrees go: halfway between pushed to the left and to the right.

    That keeps every distance, as each is at least as large as asked for in both.
    """
    if not shapes:
        return []
    to_the_left = _pushed(shapes, gap, family_gap, 1)
    to_the_right = _pushed(shapes[::-1], gap, family_gap, -1)[::-1]
    shift = to_the_left[-1] - to_the_right[-1]
    return [(a + b + shift) / 2 for a, b in zip(to_the_left, to_the_right, strict=True)]


def _pushed(shapes: Iterable[_Shape], gap: float, family_gap: float, direction: int) -> list[float]:
    """Subtrees one after the other, each as near to those before as it may be.

    The skyline holds those before that can be seen from the side, the lowest level that each reaches below
    the ones behind it, the shallowest last.
    """
    places: list[float] = []
    skyline: list[tuple[_Shape, float]] = []
    for shape in shapes:
        place, level = 0.0, 0
        for other, at in reversed(skyline):
            while level < min(shape.depth, other.depth):
                space = gap if level == 0 else family_gap
                if direction > 0:
                    place = max(place, at + other.right_at(level) - shape.left_at(level) + space)
                else:
                    place = min(place, at + other.left_at(level) - shape.right_at(level) - space)
                level += 1
            if other.depth >= shape.depth:
                break
        while skyline and skyline[-1][0].depth <= shape.depth:
            skyline.pop()
        skyline.append((shape, place))
        places.append(place)
    return places


def _joined(width: float, shapes: Sequence[_Shape], places: Sequence[float]) -> _Shape:
    """The outline of a node with its subtrees at their places."""
    left: tuple[list[float], float] = ([], 0.0)
    for shape, place in zip(reversed(shapes), reversed(places), strict=True):
        left = _over(shape.left, shape.left_shift + place, *left)
    right: tuple[list[float], float] = ([], 0.0)
    for shape, place in zip(shapes, places, strict=True):
        right = _over(shape.right, shape.right_shift + place, *right)
    left[0].append(-width / 2 - left[1])
    right[0].append(width / 2 - right[1])
    return _Shape(left[0], right[0], left[1], right[1])


def _over(
    front: list[float], front_shift: float, behind: list[float], behind_shift: float
) -> tuple[list[float], float]:
    """An outline in front of another one: whichever is longer is changed where the other covers or extends
    it, so that the shorter one is all that is gone through.
    """
    if len(front) >= len(behind):
        return front, front_shift
    behind[-len(front) :] = [reach + front_shift - behind_shift for reach in front]
    return behind, behind_shift


def _from_the_left(
    children: Sequence[Sequence[int]], widths: Sequence[float], offsets: list[float]
) -> list[float]:
    """Offsets from parents turned into places from the left."""
    places = offsets[:]
    for node, below in enumerate(children):
        for child in below:
            places[child] += places[node]
    start = min(place - width / 2 for place, width in zip(places, widths, strict=True))
    return [place - start for place in places]
