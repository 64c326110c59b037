"""Pacman mazes: layouts as text, and the tables that the rules read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from plies.errors import BadParameter
from plies.games.wide_bitboard import CELLS

WALL, FOOD, CAPSULE, GHOST, PACMAN, FLOOR = "%.oGP "
"""The characters of a layout, as in CS 188."""

NORTH, SOUTH, EAST, WEST, STOP = range(5)
"""The directions; the opposite of direction n is n ^ 1."""

STEPS = ((-1, 0), (1, 0), (0, 1), (0, -1), (0, 0))
"""The step of each direction, in rows, counted from the top, and columns."""

MOST_GHOSTS = 6
"""What fits in a state: two words of three ghosts."""

MOST_CAPSULES = 60
"""What fits in a word of a state."""

LARGEST = 60
"""The most rows and columns. Not tuned: the free cells are fewer than these would allow."""

LARGEST_FILE = 100_000
"""The most bytes of a layout file. Not tuned."""


class Maze:
    """A layout. Its cells are the free places that Pacman or a ghost can reach, from the top row down."""

    def __init__(self, layout: str) -> None:
        lines = layout_text(layout).expandtabs().splitlines()
        while lines and not lines[0].strip():
            del lines[0]
        while lines and not lines[-1].strip():
            del lines[-1]
        self.height, self.width = len(lines), max((len(line.rstrip()) for line in lines), default=0)
        if not lines or self.height > LARGEST or self.width > LARGEST:
            raise BadParameter(f"a layout must have from 1 to {LARGEST} rows and columns, not {self.size}")
        self.rows = [line.rstrip().ljust(self.width) for line in lines]
        self.ghosts = self._found(GHOST)
        pacmen = self._found(PACMAN)
        self._check(pacmen)
        reached = self._reached([*pacmen, *self.ghosts])
        self.places = sorted(reached)
        self.number = {place: cell for cell, place in enumerate(self.places)}
        if len(self.places) > CELLS:
            raise BadParameter(f"a layout may have at most {CELLS} free cells, not {len(self.places)}")
        self.pacman = self.number[pacmen[0]]
        own = self._reached(pacmen)
        for what, character in (("food", FOOD), ("a capsule", CAPSULE)):
            for place in self._found(character):
                if place not in own:
                    raise BadParameter(f"Pacman cannot reach {what} at {self.name(place)}")
        self.food = [self.number[place] for place in self._found(FOOD)]
        self.capsules = [self.number[place] for place in self._found(CAPSULE)]
        if not self.food:
            raise BadParameter("a layout must have food")
        if len(self.capsules) > MOST_CAPSULES:
            raise BadParameter(
                f"a layout may have at most {MOST_CAPSULES} capsules, not {len(self.capsules)}"
            )

    @property
    def size(self) -> str:
        return f"{self.height}x{self.width}"

    def _check(self, pacmen: list[tuple[int, int]]) -> None:
        for row, line in enumerate(self.rows):
            for column, character in enumerate(line):
                if character not in (WALL, FOOD, CAPSULE, GHOST, PACMAN, FLOOR):
                    raise BadParameter(
                        f"{character!r} in row {row + 1}, column {column + 1} of a layout is not one of "
                        "% . o G P and space"
                    )
        if len(pacmen) != 1:
            raise BadParameter(f"a layout must have one P, for Pacman, not {len(pacmen)}")
        if len(self.ghosts) > MOST_GHOSTS:
            raise BadParameter(f"a layout may have at most {MOST_GHOSTS} ghosts, not {len(self.ghosts)}")

    def _found(self, character: str) -> list[tuple[int, int]]:
        """The places of a character, row by row."""
        return [
            (y, x) for y, line in enumerate(self.rows) for x, found in enumerate(line) if found == character
        ]

    def is_free(self, place: tuple[int, int]) -> bool:
        """Whether a place is on the board and no wall."""
        row, column = place
        return 0 <= row < self.height and 0 <= column < self.width and self.rows[row][column] != WALL

    def _beside(self, place: tuple[int, int]) -> Iterable[tuple[int, int]]:
        around = ((place[0] + down, place[1] + across) for down, across in STEPS[:STOP])
        return [next_place for next_place in around if self.is_free(next_place)]

    def _reached(self, starts: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """The places that can be reached from some, each with its distance (breadth-first search)."""
        steps = dict.fromkeys(starts, 0)
        queue = deque(starts)
        while queue:
            place = queue.popleft()
            for following in self._beside(place):
                if following not in steps:
                    steps[following] = steps[place] + 1
                    queue.append(following)
        return steps

    # -- Tables.

    def neighbours(self) -> np.ndarray[Any, Any]:
        """For each cell and direction the next cell, or -1 for a wall."""
        return np.array(
            [[self.number.get((y + down, x + across), -1) for down, across in STEPS] for y, x in self.places]
        )

    def distances(self) -> np.ndarray[Any, Any]:
        """The distance from each cell to each; the number of cells where there is no way."""
        cells = len(self.places)
        beside = self.neighbours()[:, :STOP]
        table = np.full((cells, cells), cells)
        pairs = np.eye(cells, dtype=bool)
        steps = 0
        while pairs.any():  # those at this distance
            table[pairs] = steps
            steps += 1
            with_wall = np.pad(pairs, ((0, 0), (0, 1)))  # a wall, -1, is the last column
            pairs = with_wall[:, beside].any(axis=2) & (table == cells)
        return table

    # -- Names.

    def name(self, place: tuple[int, int]) -> str:
        """The name of a place: columns a, b, … from the left and rows 1, 2, … from the bottom."""
        return f"{self.columns[place[1]]}{self.height - place[0]}"

    @property
    def columns(self) -> list[str]:
        """The names of the columns: a to z, then aa, ab, …."""
        letters = "abcdefghijklmnopqrstuvwxyz"
        return [letters[x] if x < 26 else letters[x // 26 - 1] + letters[x % 26] for x in range(self.width)]

    def board(self, food: set[int], capsules: set[int], floor: str) -> list[list[str]]:
        """The rows, with the food and capsules that are left."""
        lines = [[WALL if found == WALL else floor for found in line] for line in self.rows]
        for cells, character in ((food, FOOD), (capsules, CAPSULE)):
            for cell in cells:
                row, column = self.places[cell]
                lines[row][column] = character
        return lines


def layout_names() -> list[str]:
    """The layouts that come with Plies."""
    return sorted(
        path.name.removesuffix(".lay") for path in _folder().iterdir() if path.name.endswith(".lay")
    )


def layout_text(layout: str) -> str:
    """The text of a layout, which is given by name, as a file, or as the text itself."""
    if "\n" in layout or WALL in layout:
        return layout
    if layout in layout_names():
        return str(_folder().joinpath(f"{layout}.lay").read_text(encoding="utf-8"))
    path = Path(layout)
    try:
        if layout.endswith(".lay") and path.is_file() and path.stat().st_size <= LARGEST_FILE:
            return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadParameter(f"the layout {layout[:60]!r} cannot be read: {error}") from None
    raise BadParameter(
        f"there is no layout {layout[:60]!r}; there are {', '.join(layout_names())}, or give a file, "
        "path/to/file.lay"
    )


def _folder() -> Any:
    return resources.files("plies.games").joinpath("layouts")
