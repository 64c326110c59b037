"""The names of the points of a board: a letter for the column and a number for the row, from the bottom."""

from __future__ import annotations

import re


def point_name(cell: int, columns: str, width: int) -> str:
    """The name of a cell of a board whose cells are numbered row by row from the bottom."""
    return f"{columns[cell % width]}{cell // width + 1}"


def point_cell(point: str, columns: str, width: int, height: int) -> int:
    """The cell of that name, in capitals or not, or -1 if the board has none."""
    found = re.fullmatch(r"([A-Z])([1-9][0-9]?)", point.strip().upper(), re.ASCII)
    if found is None:
        return -1
    column, row = columns.upper().find(found[1]), int(found[2]) - 1
    return row * width + column if 0 <= column < width and row < height else -1
