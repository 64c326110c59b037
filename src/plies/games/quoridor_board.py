"""The Quoridor board: pawns, walls, and the ways between cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plies.bits import reverse
from plies.errors import BadParameter
from plies.game import Game
from plies.games.wide_bitboard import (
    BITS,
    Wide,
    both,
    down,
    either,
    is_empty,
    nothing,
    same,
    single,
    up,
    wide,
    without,
)

COLUMNS = "abcdefghi"

NORTH, SOUTH, EAST, WEST = 0, 1, 2, 3


class State(NamedTuple):
    """Pawns as cells, row by row from the bottom: a1 is cell 0, b1 is cell 1.

    A wall belongs to its lower left cell: that cell and the next one have the wall to the north if it is
    horizontal, to the east if it is vertical.
    """

    first: int  # the cell of X, who begins at the bottom
    second: int  # the cell of O
    horizontal: Wide
    vertical: Wide
    first_walls: int  # walls that X has left
    second_walls: int  # walls that O has left
    player: int  # the player to move


class Board(Game):
    """A board, and what follows from where pawns and walls are; `Quoridor` adds the rules of play."""

    def __init__(self, size: int, walls: int | None) -> None:
        if size not in (3, 5, 7, 9):
            raise BadParameter(f"size must be 3, 5, 7 or 9, not {size}")
        if walls is not None and not 0 <= walls <= 20:
            raise BadParameter(f"walls must be between 0 and 20, not {walls}")
        self.size = size
        self.walls = walls
        self.stock = size * size // 8 if walls is None else walls
        self.cells = size * size
        self.board = wide((1 << self.cells) - 1)
        first_column = sum(1 << size * row for row in range(size))
        row = (1 << size) - 1
        self.not_top = wide((1 << size * (size - 1)) - 1)
        self.not_right = wide((1 << self.cells) - 1 & ~(first_column << size - 1))
        self.corners = both(self.not_top, self.not_right)  # the lower left cells of walls
        self.left, self.last = wide(first_column), wide(first_column << size - 2)
        self.low, self.high = wide(row), wide(row << size * (size - 2))
        self.goals = wide(row << size * (size - 1)), wide(row)
        self.mirror = self._mirror()

    def _mirror(self) -> np.ndarray:
        """The left-right reflection: where each cell goes, and where each wall."""
        places = [divmod(cell, self.size) for cell in range(self.cells)]
        pawns = [row * self.size + self.size - 1 - column for row, column in places]
        walls = [row * self.size + max(self.size - 2 - column, 0) for row, column in places]
        return np.array([pawns, walls])

    def turned_around(self, cells: Wide) -> Wide:
        """Cells as seen from the other side."""
        if self.cells <= BITS:
            return Wide(reverse(cells.a, self.cells), 0, 0, 0, 0, 0)
        return down(Wide(reverse(cells.b, BITS), reverse(cells.a, BITS), 0, 0, 0, 0), 2 * BITS - self.cells)

    def open_sides(self, horizontal: Wide, vertical: Wide) -> tuple[Wide, Wide]:
        """The cells with no wall to the north, and those with none to the east."""
        north = without(self.not_top, either(horizontal, up(horizontal, 1)))
        east = without(self.not_right, either(vertical, up(vertical, self.size)))
        return north, east

    def step(self, cells: Wide, way: int, north: Wide, east: Wide) -> Wide:
        """The cells one step from some in a direction."""
        if way == NORTH:
            return up(both(cells, north), self.size)
        if way == SOUTH:
            return both(down(cells, self.size), north)
        if way == EAST:
            return up(both(cells, east), 1)
        return both(down(cells, 1), east)

    def reached(self, cells: Wide, north: Wide, east: Wide) -> Wide:
        """Some cells and those one step from them."""
        found = either(up(both(cells, north), self.size), both(down(cells, self.size), north))
        found = either(found, either(up(both(cells, east), 1), both(down(cells, 1), east)))
        return both(either(cells, found), self.board)

    def distance(self, pawn: int, player: int, north: Wide, east: Wide) -> int:
        """The steps from a pawn to its goal, the other pawn ignored; -1 if there is no path."""
        goal = self.goals[0] if player == 0 else self.goals[1]
        cells = single(pawn)
        steps = 0
        while is_empty(both(cells, goal)):
            more = self.reached(cells, north, east)
            if same(more, cells):
                return -1
            cells = more
            steps += 1
        return steps

    def steps(self, state: State) -> Wide:
        """The cells that the pawn of the player to move may move to."""
        north, east = self.open_sides(state.horizontal, state.vertical)
        pawn, other = state.first, state.second
        if state.player == 1:
            pawn, other = other, pawn
        here, there = single(pawn), single(other)
        found = nothing()
        for way in range(4):
            next_cell = both(self.step(here, way, north, east), self.board)
            if same(next_cell, there):
                next_cell = both(self.step(there, way, north, east), self.board)
                if is_empty(next_cell):  # blocked behind: a diagonal jump
                    aside = EAST if way < 2 else NORTH
                    next_cell = either(
                        self.step(there, aside, north, east), self.step(there, aside + 1, north, east)
                    )
            found = either(found, both(next_cell, self.board))
        return without(found, here)

    def places(self, state: State, kind: int) -> tuple[Wide, Wide]:
        """Where a wall, horizontal (0) or vertical (1), fits between others; and where it may block a path.

        A wall can close off a path only if two of its three points, the ends and the middle, touch other
        walls or the edge.
        """
        n = self.size
        horizontal, vertical = both(state.horizontal, self.corners), both(state.vertical, self.corners)
        touched = either(either(horizontal, up(horizontal, 1)), down(horizontal, 1))
        touched = either(either(touched, vertical), either(up(vertical, n), down(vertical, n)))
        touched = both(touched, self.corners)
        if kind == 0:
            taken = either(either(horizontal, vertical), either(up(horizontal, 1), down(horizontal, 1)))
            before = either(up(touched, 1), self.left)
            behind = either(down(touched, 1), self.last)
        else:
            taken = either(either(horizontal, vertical), either(up(vertical, n), down(vertical, n)))
            before = either(up(touched, n), self.low)
            behind = either(down(touched, n), self.high)
        two = either(both(before, behind), both(touched, either(before, behind)))
        return without(self.corners, taken), two

    def leaves_paths(self, state: State, kind: int, cell: int) -> bool:
        """Whether both pawns still have a path to their goals after a wall is placed."""
        wall = single(cell)
        horizontal = either(state.horizontal, wall) if kind == 0 else state.horizontal
        vertical = either(state.vertical, wall) if kind == 1 else state.vertical
        north, east = self.open_sides(horizontal, vertical)
        for player in range(2):
            if self.distance(state.first if player == 0 else state.second, player, north, east) < 0:
                return False
        return True

    def point(self, cell: int) -> str:
        """The name of a cell: "e2"."""
        return f"{COLUMNS[cell % self.size]}{cell // self.size + 1}"

    def cell(self, point: str) -> int:
        """The cell of that name, which must be a letter and a digit."""
        return (int(point[1]) - 1) * self.size + COLUMNS.index(point[0].casefold())
