"""The points of a board as people name them: a letter for the column and a number for the row, from below."""

from __future__ import annotations

import re


def point_name(cell: int, columns: str, width: int) -> str:
    """What people call a cell of a board whose cells are numbered row by row from below."""
    return f"{columns[cell % width]}{cell // width + 1}"


def point_cell(point: str, columns: str, width: int, height: int) -> int:
    """The cell that people call so, in capitals or not, or -1 if there is none on the board."""
    found = re.fullmatch(r"([A-Z])([1-9][0-9]?)", point.strip().upper(), re.ASCII)
    if found is None:
        return -1
    column, row = columns.upper().find(found[1]), int(found[2]) - 1
    return row * width + column if 0 <= column < width and row < height else -1
