"""The parts of a scene as shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin, sqrt

from plies.draw.figures import FIGURES, Figure
from plies.draw.large_type import scale
from plies.draw.svg import Markup, element, number, text_width
from plies.scene import Cell, Label, Line, Piece, Scene

UNIT = 100
"""The width of a cell in units of the picture: with 100, lengths are nearly all whole numbers."""

COLOURS = ("blue", "orange", "green", "purple", "red", "yellow")
"""The colours of the players, if the scene names none."""

KNOWN = (*COLOURS, "black", "white")
"""The colours that a scene may name."""

MOST_SEEDS = 40
"""The most seeds drawn in a pit; more are only shown as a number. Not tuned."""


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
    """The font size at which a text is no wider than `width`, up to `most`."""
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


def path(points: Sequence[tuple[float, float]], closed: bool = False, **attributes: object) -> Markup:
    """Straight lines from each point to the next."""
    steps = "L".join(f"{number(x * UNIT)} {number(y * UNIT)}" for x, y in points)
    return element("path", d=f"M{steps}{'Z' if closed else ''}", **attributes)


def stroke(line: Line, **attributes: object) -> Markup:
    """A line of a scene."""
    return element(
        "line", x1=line.x1 * UNIT, y1=line.y1 * UNIT, x2=line.x2 * UNIT, y2=line.y2 * UNIT, **attributes
    )


def circle(x: float, y: float, radius: float, **attributes: object) -> Markup:
    """A circle around a place."""
    return element("circle", cx=x * UNIT, cy=y * UNIT, r=radius * UNIT, **attributes)


# -- The board.


def under(scene: Scene) -> Iterator[Markup]:
    """What the cells lie on: wood under points, pits, tiles and triangles, a frame around holes."""
    if any(cell.look in ("point", "star", "pit", "tile") or cell.tip for cell in scene.cells):
        whole = Cell("", scene.width / 2, scene.height / 2, width=scene.width, height=scene.height)
        yield box(whole, -0.08, 0.16, class_="wood")
    for cell in scene.cells:
        if cell.look == "hole":
            yield box(cell, -0.09, 0.09, class_="frame")


def cells(scene: Scene) -> Iterator[Markup]:
    """Every cell, as something to point to; slots come last, as they lie over others."""
    for cell in sorted(scene.cells, key=lambda cell: cell.look == "slot"):
        yield element("g", *_cell(cell), class_=f"cell {cell.look}", data_cell=cell.name)


def _cell(cell: Cell) -> Iterator[Markup]:
    if cell.tip:
        yield box(cell, class_="hit")
        yield _triangle(cell)
    elif cell.look == "hole":
        yield circle(cell.x, cell.y, 0.42 * min(cell.width, cell.height), class_="shape")
    elif cell.look == "tile":
        yield box(cell, radius=0.08, class_="shape")
    elif cell.look == "pit":
        yield box(cell, 0.06, min(cell.width, cell.height) / 2 - 0.06, class_="shape")
    else:
        yield box(cell, class_="shape")
    if cell.look == "star":
        yield circle(cell.x, cell.y, 0.09, class_="star")


def _triangle(cell: Cell) -> Markup:
    left, top, right, bottom = extent(cell)
    base, tip = (bottom, top + 0.2) if cell.tip == "up" else (top, bottom - 0.2)
    return path([(left + 0.03, base), (right - 0.03, base), (cell.x, tip)], closed=True, class_="shape")


def lines(scene: Scene, rows: bool = False) -> Iterator[Markup]:
    """The lines of the board and those set by players; or, drawn over the pieces, the rows that win."""
    for line in scene.lines:
        if (line.look == "row") == rows:
            yield stroke(line, class_=line.look)


def label_size(scene: Scene, label: Label) -> float:
    """The size of a label: larger on a large board, so that it can be read when shown small.

    Sentences are as large as fits over or under the board.
    """
    if label.look == "inside":
        return 0.21  # two digits fit between the corner and a disc
    size = scale() * min(max(0.036 * max(scene.width, scene.height), 0.3), 0.6)
    sentences = [other.text for other in scene.labels if len(other.text) > 3]
    if label.text not in sentences:
        return size
    return min(fitted(text, max(scene.width, 3), size) for text in sentences)


def label_place(scene: Scene, label: Label) -> tuple[float, float]:
    """Where a label is: the larger it is, the further from the edge of the board."""
    push = max(0, label_size(scene, label) - 0.3) / 2
    x = label.x - push if label.x < 0 else label.x + push if label.x > scene.width else label.x
    y = label.y - push if label.y < 0 else label.y + push if label.y > scene.height else label.y
    return x, y


def labels(scene: Scene) -> Iterator[Markup]:
    """The words beside the board."""
    for label in scene.labels:
        yield word(*label_place(scene, label), label.text, label_size(scene, label), f"label {label.look}")


# -- Pieces.


def pieces(scene: Scene) -> Iterator[Markup]:
    """The pieces."""
    sizes = {(cell.x, cell.y): cell for cell in scene.cells}
    for piece in scene.pieces:
        cell = sizes.get((piece.x, piece.y), Cell("", piece.x, piece.y))
        if piece.look == "check":
            drawn: Iterator[Markup] = iter([circle(piece.x, piece.y, 0.48, class_="alarm")])
        elif piece.look == "sign":
            drawn = _sign(piece, cell)
        else:
            drawn = _seeds(piece, cell) if piece.look == "seeds" else _disc(piece)
        yield element("g", *drawn, class_=_classes(scene, piece))


def _classes(scene: Scene, piece: Piece) -> str:
    words = ["piece", piece.look]
    if piece.look == "sign" and piece.text[:1] in FIGURES:
        words.append("figure")
    if piece.player is not None and piece.player >= 0:
        given = scene.colours[piece.player] if piece.player < len(scene.colours) else ""
        words += [f"player-{piece.player}", given if given in KNOWN else COLOURS[piece.player % len(COLOURS)]]
    return " ".join(words)


RINGS: tuple[str | None, ...] = (None, "", "2 8", "14 10", "30 14")
"""The dashes of the ring on a player's discs, which distinguish players without colour."""


def _disc(piece: Piece) -> Iterator[Markup]:
    yield circle(piece.x, piece.y, 0.4, class_="body")
    dashes = RINGS[(piece.player or 0) % len(RINGS)]
    if dashes is not None and piece.text not in FIGURES:
        yield circle(piece.x, piece.y, 0.32, class_="mark ring", stroke_dasharray=dashes or None)
    if piece.look == "king":
        points = [(-0.19, 0.15), (-0.24, -0.12), (-0.1, 0), (0, -0.19), (0.1, 0), (0.24, -0.12), (0.19, 0.15)]
        lift = -0.12 if piece.text else 0
        yield path([(piece.x + x, piece.y + y + lift) for x, y in points], closed=True, class_="word crown")
    if piece.text in FIGURES:
        yield _figure(piece, FIGURES[piece.text], 0.55, "mark")
    elif piece.text:
        y = piece.y + (0.17 if piece.look == "king" else 0)
        size = fitted(piece.text, 0.5, 0.3 if piece.look == "king" else 0.42)
        yield word(piece.x, y, piece.text, size, "word")


def _sign(piece: Piece, cell: Cell) -> Iterator[Markup]:
    figure = FIGURES.get(piece.text[:1])
    if figure is None:
        height = 0.8 if len(piece.text) == 1 else 0.42
        yield word(piece.x, piece.y, piece.text, fitted(piece.text, 0.85 * cell.width, height), "word")
        return
    yield _figure(piece, figure, 1, figure.look)
    if piece.text[1:]:
        size = fitted(piece.text[1:], 0.6, 0.34)
        yield word(piece.x, piece.y + figure.word, piece.text[1:], size, "word")


def _figure(piece: Piece, figure: Figure, scale: float, class_: str) -> Markup:
    parts = [element("path", class_=class_, d=figure.body)]
    if figure.marks:
        parts.append(element("path", class_="mark", d=figure.marks))
    if figure.dots:
        parts.append(element("path", class_="word", d=figure.dots))
    place = f"translate({number(piece.x * UNIT)} {number(piece.y * UNIT)})"
    return element("g", *parts, transform=place if scale == 1 else f"{place} scale({scale:g})")


def _seeds(piece: Piece, cell: Cell) -> Iterator[Markup]:
    """As many seeds as it says, laid out as in the head of a sunflower, and their number."""
    count = int(piece.text) if piece.text.isdecimal() else 0
    shown = min(count, MOST_SEEDS)
    wide, high = cell.width / 2 - 0.2, cell.height / 2 - 0.28
    for i in range(shown):
        distance = sqrt((i + 0.5) / max(shown, 5))
        angle = i * pi * (3 - sqrt(5))
        x, y = piece.x + wide * distance * cos(angle), piece.y - 0.16 + high * distance * sin(angle)
        yield circle(x, y, 0.06, class_="seed")
    yield word(piece.x, piece.y + cell.height / 2 - 0.3, piece.text, 0.36, "count")
