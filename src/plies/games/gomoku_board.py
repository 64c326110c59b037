"""The board of Gomoku and Renju: stones as bitboards, and rows of five that can still be made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plies.errors import BadParameter
from plies.game import Game
from plies.games.wide_bitboard import (
    Wide,
    both,
    down,
    either,
    holds,
    images_of,
    nothing,
    one_of,
    up,
    wide,
    without,
)
from plies.rules import noinline

MIDDLE = 5
"""A line through a cell has 11 bits, from five cells before it to five after: the cell is bit 5."""


class State(NamedTuple):
    """Stones as bitboards, row by row from the bottom: a1 is cell 0, b1 is cell 1."""

    black: Wide
    white: Wide
    player: int  # the player to move, 0 is black
    won: int  # 1 if the last stone has made five in a row


class Board(Game):
    """A board for five in a row, with the tables that rules and heuristics read."""

    renju: bool = False
    """Whether black has forbidden points, and passes where there are no others."""

    def __init__(self, size: int, exact_black: bool, exact_white: bool) -> None:
        """A board of `size` points a side, and for each player whether overlines do not count."""
        if not 5 <= size <= 19:
            raise BadParameter(f"size must be between 5 and 19, not {size}")
        self.size = size
        self.exact_black, self.exact_white = exact_black, exact_white
        self.cells = size * size
        self.passing = size * size  # in Renju only, where black may have no other move
        self.move_indices = self.cells + 1
        self.plane_shape = (size, size)
        self.other_view = (1, 0)
        self.board = wide((1 << self.cells) - 1)
        # Four directions: to the right, up, up to the right, up to the left.
        self.steps = (1, size, size + 1, size - 1)
        self.starts_of_5 = tuple(self._starts(across, upward, 4) for across, upward in self._ways())
        self.starts_of_6 = tuple(self._starts(across, upward, 5) for across, upward in self._ways())
        self.behind_one = tuple(self._starts(-across, -upward, 1) for across, upward in self._ways())
        self.rings = tuple(self._square(reach) for reach in range(3))
        self.images = images_of(size, size)

    def planes(self, state: State, player: int) -> tuple[Wide, Wide]:
        """The player's own stones, and the opponent's."""
        return (state.black, state.white) if player == 0 else (state.white, state.black)

    def _ways(self) -> Sequence[tuple[int, int]]:
        return (1, 0), (0, 1), (1, 1), (-1, 1)

    def _on_board(self, column: int, row: int) -> bool:
        return 0 <= column < self.size and 0 <= row < self.size

    def _starts(self, across: int, upward: int, length: int) -> Wide:
        """The cells from which `length` steps in a direction stay on the board."""
        cells = (divmod(cell, self.size) for cell in range(self.cells))
        kept = [
            self._on_board(column + length * across, row + length * upward) << row * self.size + column
            for row, column in cells
        ]
        return wide(sum(kept))

    def _square(self, reach: int) -> Wide:
        """The cells at most `reach` from the centre."""
        last = self.size - 1
        cells = (divmod(cell, self.size) for cell in range(self.cells))
        kept = [
            (max(abs(2 * row - last), abs(2 * column - last)) <= 2 * reach + last % 2)
            << row * self.size + column
            for row, column in cells
        ]
        return wide(sum(kept))

    # -- Cells and rows.

    def empty(self, state: State) -> Wide:
        """The empty cells."""
        return without(self.board, either(state.black, state.white))

    def sides(self, state: State, player: int) -> tuple[Wide, Wide]:
        """The stones of a player, and those of the opponent."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        return (black, white) if player == 0 else (white, black)

    def legal(self, state: State) -> Wide:
        """The cells where the player to move may place a stone."""
        return self.allowed(state, self.empty(state))

    def allowed(self, state: State, cells: Wide) -> Wide:
        """The cells, of some empty ones, where the player to move may place a stone: in Gomoku, all."""
        return cells

    def lines(self, stones: Wide, others: Wide, cell: int, way: int) -> tuple[int, int]:
        """The line through a cell in a direction, in two sets of stones: 11 bits each."""
        row, column = cell // self.size, cell % self.size
        upward = 0 if way == 0 else 1
        across = (1 - way % 2) if way < 3 else -1
        found = found_others = 0
        for i in range(11):
            there_row, there_column = row + (i - MIDDLE) * upward, column + (i - MIDDLE) * across
            if 0 <= there_row < self.size and 0 <= there_column < self.size:
                there = there_row * self.size + there_column
                if holds(stones, there):
                    found |= 1 << i
                if holds(others, there):
                    found_others |= 1 << i
        return found, found_others

    def line(self, stones: Wide, cell: int, way: int) -> int:
        """The line through a cell in a direction, in one set of stones: 11 bits."""
        return self.lines(stones, stones, cell, way)[0]

    @noinline
    def makes_five(self, stones: Wide, cell: int, exact: bool) -> bool:
        """Whether the stone on a cell is part of five in a row."""
        for way in range(4):
            step = self.steps[way]
            # Most stones have no neighbour in line: check these before reading the whole line.
            if (cell + step < self.cells and holds(stones, cell + step)) or (
                cell >= step and holds(stones, cell - step)
            ):
                run = run_length(self.line(stones, cell, way))
                if run == 5 or (run > 5 and not exact):
                    return True
        return False

    # -- Rows of five cells without a stone of the opponent, by how many stones are in them.

    def counted(self, mine: Wide, step: int) -> tuple[Wide, Wide, Wide]:
        """How many stones are in the row of five from each cell on, as three binary digits, lowest first."""
        ones = twos = fours = nothing()
        here = mine
        for _ in range(5):
            carry = both(ones, here)
            ones = one_of(ones, here)
            fours = either(fours, both(twos, carry))
            twos = one_of(twos, carry)
            here = down(here, step)
        return ones, twos, fours

    def possible(self, mine: Wide, theirs: Wide, way: int, exact: bool) -> Wide:
        """The first cells of rows of five that can become a five: without a stone of the opponent."""
        step = self.steps[way]
        free = without(self.board, theirs)
        two = both(free, down(free, step))
        rows = both(both(both(two, down(two, 2 * step)), down(two, 3 * step)), self.starts_of_5[way])
        if exact:  # an own stone before or behind would make it an overline
            behind = down(down(mine, 2 * step), 3 * step)
            rows = without(rows, both(behind, self.starts_of_6[way]))
            rows = without(rows, both(up(mine, step), self.behind_one[way]))
        return rows

    def open_rows(self, rows: Wide, mine: Wide, step: int) -> Wide:
        """The first cells of rows of six, empty at both ends, whose two rows of five have the same stones.

        With four stones in between, a five can be made at either end: a straight four. With three stones, one
        more makes it.
        """
        return without(both(rows, down(rows, step)), mine)

    def spread(self, rows: Wide, step: int) -> Wide:
        """All cells of rows of five, from their first cells."""
        cells = either(rows, up(rows, step))
        cells = either(cells, up(cells, 2 * step))
        return both(either(cells, up(cells, step)), self.board)

    def inside(self, rows: Wide, step: int) -> Wide:
        """The four cells in the middle of rows of six, from their first cells."""
        cells = up(rows, step)
        cells = either(cells, up(cells, step))
        return both(either(cells, up(cells, 2 * step)), self.board)

    def exact_for(self, player: int) -> bool:
        """Whether overlines do not count for a player."""
        return self.exact_black if player == 0 else self.exact_white


def run_length(line: int) -> int:
    """The length of the unbroken row through the middle of a line."""
    length = 1
    while length + MIDDLE <= 10 and line >> MIDDLE + length & 1:
        length += 1
    back = 1
    while back <= MIDDLE and line >> MIDDLE - back & 1:
        back += 1
    return length + back - 1
