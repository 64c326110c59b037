"""Scenes: what a picture of a position shows. Drawing knows scenes and no rules.

Places are in units of a cell: x to the right, y down, from the upper left corner of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Cell(NamedTuple):
    """A place that a player may click."""

    name: str
    """Its name, "e4", as in the game's `move_squares`."""
    x: float
    y: float
    """Its centre."""
    look: str = "plain"
    """A square is "plain", "light", "dark", "felt", "wall" or a "tile" with grooves around it, a
    round one "hole" or "pit"; a "point" is where
    lines cross, a "star" a point with a dot; a "slot" is seen only when hovered over."""
    width: float = 1
    height: float = 1
    tip: str = ""
    """The direction of a triangle's tip, "up" or "down"; "" for a rectangle."""


class Piece(NamedTuple):
    """A piece on the board."""

    x: float
    y: float
    player: int | None = None
    """The player it belongs to, if any."""
    look: str = "disc"
    """A "disc", a "king" (a disc with a crown), a "sign" (its text alone) or "seeds" (as many as it says);
    "check" marks the place of a piece that is attacked and must be saved."""
    text: str = ""
    """The text on it. Some signs are drawn: X and O, chess pieces, dice ("⚀"), a match ("|"), ….

    They are listed in `plies.draw.figures`; such a sign may be followed by text to write on it.
    """


class Line(NamedTuple):
    """A straight line from one place to another."""

    x1: float
    y1: float
    x2: float
    y2: float
    look: str = "grid"
    """A "grid" line is part of the board, a "wall" is placed by players, a "row" marks a win."""


class Label(NamedTuple):
    """A text beside the board."""

    x: float
    y: float
    text: str
    look: str = "beside"
    """Large "beside" the board or small "inside" a cell."""


class Scene(NamedTuple):
    """What a picture of a position shows."""

    width: float
    height: float
    cells: Sequence[Cell]
    pieces: Sequence[Piece] = ()
    lines: Sequence[Line] = ()
    labels: Sequence[Label] = ()
    colours: Sequence[str] = ()
    """The colours of the players: "black", "white", "red", "yellow", "blue", "orange", "green" or "purple".

    By default the first is blue, the second orange.
    """


def squares(columns: Sequence[str], rows: Sequence[str], looks: Sequence[str] = ("plain",)) -> list[Cell]:
    """The cells of a rectangular board, named by column and row, the first row at the top.

    Several looks alternate along rows and columns, as on a chessboard.
    """
    return [
        Cell(column + row, x + 0.5, y + 0.5, looks[(x + y) % len(looks)])
        for y, row in enumerate(rows)
        for x, column in enumerate(columns)
    ]


def starred(cells: Sequence[Cell], columns: int, rows: int) -> list[Cell]:
    """The points of a board, with its star points (hoshi) marked."""
    across, down = _star_lines(columns), _star_lines(rows)
    sides = min(columns, rows) >= 17  # smaller boards have no star points at the middles of their sides

    def is_star(cell: Cell) -> bool:
        if cell.x - 0.5 not in across or cell.y - 0.5 not in down:
            return False
        return sides or (cell.x == columns / 2) == (cell.y == rows / 2)

    return [cell._replace(look="star") if is_star(cell) else cell for cell in cells]


def _star_lines(count: int) -> set[int]:
    edge = 3 if count >= 12 else 2
    outer = {edge, count - 1 - edge} if count >= 7 else set()
    return outer | ({count // 2} if count % 2 and count >= 5 else set())


def coordinates(columns: Sequence[str], rows: Sequence[str]) -> list[Label]:
    """The labels of rows, on the left, and of columns, below the board."""
    left = [Label(-0.35, y + 0.5, row) for y, row in enumerate(rows)]
    return left + [Label(x + 0.5, len(rows) + 0.35, column) for x, column in enumerate(columns)]


def grid(columns: int, rows: int) -> list[Line]:
    """The lines of a board that is played on intersections."""
    across = [Line(0.5, row + 0.5, columns - 0.5, row + 0.5) for row in range(rows)]
    return across + [Line(column + 0.5, 0.5, column + 0.5, rows - 0.5) for column in range(columns)]
