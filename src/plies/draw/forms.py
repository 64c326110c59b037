"""The forms of nodes: MAX is a triangle that points up, MIN one that points down, chance is round.

Where both choose at once, a node is a matrix game, and square.
"""

from __future__ import annotations

from typing import NamedTuple

from plies.draw.svg import Markup, element, number
from plies.draw.theme import colour

VALUE, LABEL, SMALL = 15, 12.5, 11
"""Font sizes in pixels: of values, of actions, of windows and reasons. Not tuned."""


class Type(NamedTuple):
    """The sizes of letters in one drawing, and of the room they take, in pixels."""

    scale: float = 1
    value: float = VALUE
    label: float = LABEL
    small: float = SMALL
    room: float = 20
    """For the name of an action above its node. Not tuned."""
    line: float = 18
    """For a line of text. Not tuned."""

    @classmethod
    def of(cls, scale: float) -> Type:
        """Letters that are larger than usual."""
        return cls(*(scale * size for size in cls()))


POINTING_UP, POINTING_DOWN = ("max", "or"), ("min", "and")
"""The kinds of nodes drawn as triangles."""

RECTANGLES = ("player", "matrix", "iterations")
"""The kinds of nodes drawn as rectangles that are larger than a leaf."""


def size(kind: str, value: float, scale: float = 1) -> tuple[float, float]:
    """The width and height of a node's form, with room for a value of that width."""
    if scale != 1:
        width, height = size(kind, value / scale)
        return scale * width, scale * height
    if kind in POINTING_UP or kind in POINTING_DOWN:
        return max(48.0, 1.6 * value + 20), 42
    if kind == "chance":
        return max(40.0, 1.2 * value + 14), 40
    return (max(40.0, value + 20), 32) if kind in RECTANGLES else (max(28.0, value + 12), 27)


def form(kind: str, width: float, height: float) -> Markup:
    """The form of a node around the origin."""
    x, y = width / 2, height / 2
    if kind in POINTING_UP:
        return _triangle((-x, y), (0, -y), (x, y))
    if kind in POINTING_DOWN:
        return _triangle((-x, -y), (0, y), (x, -y))
    if kind == "chance":
        return element("ellipse", class_="form", rx=x, ry=y)
    corner = y if kind == "player" else 3
    return element("rect", class_="form", x=-x, y=-y, width=width, height=height, rx=corner)


def value_place(kind: str, height: float, scale: float = 1) -> float:
    """How far below the middle of a form its value is."""
    if scale != 1:
        return scale * value_place(kind, height / scale)
    if kind in POINTING_UP:
        return height / 2 - 5
    return 16 - height / 2 if kind in POINTING_DOWN else 0.35 * VALUE


def _triangle(*corners: tuple[float, float]) -> Markup:
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return element("polygon", class_="form", points=points)


def _tinted(kind: str, name: str) -> str:
    return f".tree .{kind}>.form{{{colour(name)};fill-opacity:.18;{colour(name, 'stroke')}}}"


STYLE = (
    ".tree .form{stroke-width:2;stroke-linejoin:round}"
    + _tinted("max", "blue")
    + _tinted("or", "blue")
    + _tinted("min", "orange")
    + _tinted("and", "orange")
    + _tinted("chance", "green")
    + _tinted("player", "purple")
    + _tinted("matrix", "purple")
    + _tinted("iterations", "purple")
    + f".tree .leaf>.form{{{colour('plain')};{colour('quiet', 'stroke')};stroke-width:1.5}}"
    ".tree .leaf.bound>.form{stroke-dasharray:4 3}"
    f".tree .value{{font-size:{VALUE}px;font-weight:600}}"
    f".tree .name{{font-size:{LABEL}px;text-anchor:end;font-weight:600}}"
    f".tree .whose,.tree .window{{font-size:{SMALL}px;{colour('quiet')}}}"
    ".tree .whose{text-anchor:end}.tree .window{text-anchor:start}"
    f".tree .caption{{font-size:{LABEL}px;text-anchor:start;{colour('quiet')}}}"
    f".tree .action{{font-size:{LABEL}px}}"
    f".tree .more text{{font-size:{SMALL}px;font-style:italic;{colour('quiet')}}}"
    f".tree .reason{{font-size:{SMALL}px;{colour('bad')}}}"
    f".tree .wire{{fill:none;{colour('edge', 'stroke')};stroke-width:1.8;stroke-linecap:round}}"
    ".tree .more>.wire{stroke-dasharray:1 5}"
    # From left to right.
    ".tree .across .caption{text-anchor:middle}.tree .across .action{text-anchor:end}"
    ".tree .across .count,.tree .across .reason{text-anchor:start}"
    # Branches that were cut.
    ".tree .cut>.wire{stroke-dasharray:5 4}"
    f".tree .cut>.cross{{fill:none;{colour('bad', 'stroke')};stroke-width:2.8;stroke-linecap:round}}"
    f".tree .cut>.action{{{colour('quiet')};text-decoration:line-through}}"
    # What a step knows.
    ".tree .unseen>.form{stroke-dasharray:2 4;fill-opacity:0;stroke-opacity:.6}"
    ".tree .unseen>.wire{stroke-dasharray:1 5;stroke-opacity:.7}"
    ".tree .unseen>text,.tree .unseen>.thumbnail{opacity:.35}"
    # A branch that will be cut looks like any other, so that a class can guess.
    ".tree .cut.unseen>.cross,.tree .reason.unseen{visibility:hidden}"
    ".tree .cut.unseen>.action{text-decoration:none}"
    ".tree .open>.value{font-style:italic;font-weight:400}"
    f".tree .path>.wire{{{colour('ink', 'stroke')};stroke-width:3}}"
    f".tree .current>.form{{{colour('accent', 'stroke')};stroke-width:4.5}}"
    f".tree .done .chosen>.wire{{{colour('accent', 'stroke')};stroke-width:5}}"
    f".tree .done .chosen>.form{{{colour('accent', 'stroke')};stroke-width:4}}"
    ".tree .done .chosen>.action{font-weight:700}"
)
"""The stylesheet of trees, in addition to that of all pictures."""


def style(type_: Type) -> str:
    """The stylesheet of a tree with letters of that type; large ones are for pictures of class `large`."""
    if type_ == Type():
        return STYLE
    sizes = (
        (".value", type_.value),
        (".name,.caption,.action", type_.label),
        (".whose,.window,.more text,.reason", type_.small),
    )
    letters = "".join(
        ",".join(f".tree.large {name}" for name in names.split(",")) + f"{{font-size:{number(pixels)}px}}"
        for names, pixels in sizes
    )
    return f"{letters}.tree.large .wire,.tree.large .form{{stroke-width:3}}{STYLE}"
