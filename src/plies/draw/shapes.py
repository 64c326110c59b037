"""The things of a scene as shapes."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, sqrt

from plies.draw.svg import Markup, element, text_width
from plies.scene import Cell, Piece, Scene

UNIT = 100
"""A cell is so many units of the picture wide: whole numbers suit all programs that show SVG."""

COLOURS = ("blue", "orange", "green", "purple", "red", "yellow")
"""The colours of the players, where the scene names none."""


def extent(cell: Cell) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a cell."""
    return (
        cell.x - cell.width / 2,
        cell.y - cell.height / 2,
        cell.x + cell.width / 2,
        cell.y + cell.height / 2,
    )


def word(x: float, y: float, text: str, size: float, class_: str, **attributes: object) -> Markup:
    """A text around a place, both in cells."""
    return element(
        "text",
        text,
        class_=class_,
        x=x * UNIT,
        y=(y + 0.35 * size) * UNIT,
        font_size=size * UNIT,
        **attributes,
    )


def fitted(text: str, width: float, size: float) -> float:
    """The size at which a text is no wider than that, and at most so big."""
    return min(size, size * width / max(text_width(text, size), 1e-9))


def box(cell: Cell, inset: float = 0, radius: float = 0, **attributes: object) -> Markup:
    """A rectangle as large as a cell, or smaller by an inset on each side."""
    left, top, right, bottom = extent(cell)
    return element(
        "rect",
        x=(left + inset) * UNIT,
        y=(top + inset) * UNIT,
        width=(right - left - 2 * inset) * UNIT,
        height=(bottom - top - 2 * inset) * UNIT,
        rx=radius * UNIT or None,
        **attributes,
    )


def circle(x: float, y: float, radius: float, **attributes: object) -> Markup:
    return element("circle", cx=x * UNIT, cy=y * UNIT, r=radius * UNIT, **attributes)


# -- The board.


def under(scene: Scene) -> Iterator[Markup]:
    """What the cells lie on: wood under points and pits, a frame around holes."""
    looks = {cell.look for cell in scene.cells}
    if looks & {"point", "star", "pit"}:
        whole = Cell("", scene.width / 2, scene.height / 2, width=scene.width, height=scene.height)
        yield box(whole, -0.08, 0.12, class_="wood")
    for cell in scene.cells:
        if cell.look == "hole":
            yield box(cell, -0.08, 0.12, class_="frame")


def cells(scene: Scene) -> Iterator[Markup]:
    """Every cell, as something to point to."""
    for cell in sorted(scene.cells, key=lambda cell: cell.look == "slot"):
        yield element("g", *_cell(cell), class_=f"cell {cell.look}", data_cell=cell.name)


def _cell(cell: Cell) -> Iterator[Markup]:
    if cell.look == "hole":
        yield circle(cell.x, cell.y, 0.42 * min(cell.width, cell.height), class_="shape")
    elif cell.look == "pit":
        yield box(cell, 0.06, min(cell.width, cell.height) / 2 - 0.06, class_="shape")
    else:
        yield box(cell, class_="shape")
    if cell.look == "star":
        yield circle(cell.x, cell.y, 0.09, class_="star")


def lines(scene: Scene) -> Iterator[Markup]:
    """The lines that belong to the board or were set by players; rows that win come later."""
    for line in scene.lines:
        yield element(
            "line",
            class_=line.look,
            x1=line.x1 * UNIT,
            y1=line.y1 * UNIT,
            x2=line.x2 * UNIT,
            y2=line.y2 * UNIT,
        )


def label_size(scene: Scene) -> float:
    """How big the labels are: on a large board larger, so that they can be read when it is shown small."""
    return min(max(0.036 * max(scene.width, scene.height), 0.3), 0.6)


def labels(scene: Scene) -> Iterator[Markup]:
    """The words beside the board."""
    for label in scene.labels:
        yield word(label.x, label.y, label.text, label_size(scene), "label")


# -- Pieces.


def pieces(scene: Scene) -> Iterator[Markup]:
    """Whatever stands on the board."""
    for piece in scene.pieces:
        shape = {"sign": _sign, "seeds": _seeds}.get(piece.look, _disc)
        yield element("g", *shape(piece), class_=_classes(piece))


def _classes(piece: Piece) -> str:
    words = ["piece", piece.look]
    if piece.player is not None:
        words += [f"player-{piece.player}", COLOURS[piece.player % len(COLOURS)]]
    return " ".join(words)


RINGS: tuple[str | None, ...] = (None, "", "2 8", "14 10", "30 14")
"""How the ring of a player's discs is dashed: so they are told apart without their colours."""


def _disc(piece: Piece) -> Iterator[Markup]:
    yield circle(piece.x, piece.y, 0.38, class_="body")
    dashes = RINGS[(piece.player or 0) % len(RINGS)]
    if dashes is not None:
        ring = circle(piece.x, piece.y, 0.29, class_="mark", stroke_width=4, stroke_dasharray=dashes or None)
        yield ring
    if piece.look == "king":
        yield element("path", class_="crown word", d=_crown(piece))
    if piece.text:
        y = piece.y + (0.12 if piece.look == "king" else 0)
        yield word(piece.x, y, piece.text, fitted(piece.text, 0.5, 0.4), "word")


def _crown(piece: Piece) -> str:
    points = [(-0.2, 0.13), (-0.24, -0.14), (-0.1, 0), (0, -0.2), (0.1, 0), (0.24, -0.14), (0.2, 0.13)]
    lift = -0.14 if piece.text else 0
    steps = [f"{(piece.x + x) * UNIT:g} {(piece.y + y + lift) * UNIT:g}" for x, y in points]
    return f"M{'L'.join(steps)}Z"


def _sign(piece: Piece) -> Iterator[Markup]:
    size = fitted(piece.text, 0.8, 0.8 if len(piece.text) == 1 else 0.5)
    yield word(piece.x, piece.y, piece.text, size, "word")


def _seeds(piece: Piece) -> Iterator[Markup]:
    """As many seeds as it says, up to a heap, laid out as in the head of a sunflower, and their number."""
    count = int(piece.text) if piece.text.isdigit() else 0
    shown = min(count, 24)
    for i in range(shown):
        distance = 0.3 * sqrt((i + 0.5) / max(shown, 6))
        angle = i * pi * (3 - sqrt(5))
        yield circle(
            piece.x + distance * cos(angle), piece.y - 0.08 + distance * sin(angle), 0.055, class_="seed"
        )
    yield word(piece.x, piece.y + 0.34, piece.text, 0.22, "count")
