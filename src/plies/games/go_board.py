"""The Go board: stones as bitboards, groups, liberties and areas."""

from __future__ import annotations

from typing import NamedTuple

from plies.errors import BadParameter
from plies.game import Game
from plies.games.coordinates import point_cell, point_name
from plies.games.wide_bitboard import (
    Wide,
    beside,
    both,
    either,
    is_empty,
    nothing,
    same,
    single,
    size,
    wide,
    without,
)

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""The names of the columns from the left; there is no I."""

NOWHERE = -1
"""The ko point where there is none."""


class State(NamedTuple):
    """Stones as bitboards, row by row from the bottom: A1 is cell 0, B1 is cell 1."""

    black: Wide
    white: Wide
    atari: (
        Wide  # stones of both colours whose group has one liberty: kept for speed, it follows from the rest
    )
    ko: int  # the cell where the player to move may not retake a ko, or NOWHERE
    passes: int  # passes in a row just now
    player: int  # the player to move, 0 is black


class Board(Game):
    """A board of Go, and what follows from the stones on it; `Go` adds the rules of play."""

    def __init__(self, columns: int, rows: int | None, komi: float, suicide: bool) -> None:
        if not 1 <= columns <= 19 or not (rows is None or 1 <= rows <= 19):
            given = f"{columns}x{columns if rows is None else rows}"
            raise BadParameter(f"a Go board must have from 1 to 19 columns and rows, not {given}")
        if not -400 <= komi <= 400 or komi * 2 != int(komi * 2):
            raise BadParameter(f"komi must be a multiple of ½ between -400 and 400, not {komi}")
        self.size = columns
        self.rows = rows
        self.komi = komi
        self.suicide = suicide
        self.height = columns if rows is None else rows
        self.cells = columns * self.height
        self.passing = self.cells
        self.move_indices = self.cells + 1
        self.plane_shape = (self.height, columns)
        first_column = sum(1 << columns * row for row in range(self.height))
        every = (1 << self.cells) - 1
        self.board = wide(every)
        self.not_first = wide(every & ~first_column)
        self.not_last = wide(every & ~(first_column << columns - 1))

    def planes(self, state: State, player: int) -> tuple[Wide, ...]:
        """The player's own stones and the opponent's, the ko point, and planes whose first cell is set after
        a pass and for black."""
        mine, theirs = (state.black, state.white) if player == 0 else (state.white, state.black)
        ko = nothing() if state.ko == NOWHERE else single(state.ko)
        passed = single(0) if state.passes > 0 else nothing()
        return mine, theirs, ko, passed, single(0) if player == 0 else nothing()

    def neighbours(self, cells: Wide) -> Wide:
        """The cells next to any of these."""
        return beside(cells, self.size, self.not_first, self.not_last, self.board)

    def sides(self, state: State) -> tuple[Wide, Wide]:
        """The stones of the player to move, and those of the other."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        return (black, white) if state.player == 0 else (white, black)

    def legal(self, state: State) -> Wide:
        """The empty cells where the player to move may place a stone, superko left aside."""
        mine, theirs = self.sides(state)
        empty = without(self.board, either(mine, theirs))
        # A stone has a liberty next to an empty cell, to an own group with another liberty, and to a group
        # that it captures. Where suicide is allowed, it may not be that of a single stone.
        helpful = either(empty, both(theirs, state.atari))
        helpful = either(helpful, mine if self.suicide else without(mine, state.atari))
        cells = both(empty, self.neighbours(helpful))
        if state.ko != NOWHERE:
            cells = without(cells, single(state.ko))
        return cells

    def connected(self, some: Wide, among: Wide) -> Wide:
        """The cells among some that are connected to a few of them (flood fill)."""
        if is_empty(some):
            return some
        while True:
            more = both(either(some, self.neighbours(some)), among)
            if same(more, some):
                return some
            some = more

    def group_in_atari(self, stone: Wide, stones: Wide, empty: Wide) -> Wide:
        """The group of a stone if it has at most one liberty, else no cells."""
        group = stone
        while True:
            near = self.neighbours(group)
            if size(both(near, empty)) > 1:
                return nothing()
            more = either(group, both(near, stones))
            if same(more, group):
                return group
            group = more

    def areas(self, state: State) -> tuple[Wide, Wide]:
        """The areas of black and white: their stones and the empty cells that only these reach."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        empty = without(self.board, either(black, white))
        reached = self.connected(both(self.neighbours(black), empty), empty)
        other = self.connected(both(self.neighbours(white), empty), empty)
        return either(black, without(reached, other)), either(white, without(other, reached))

    def score(self, state: State) -> float:
        """Black's lead in points, komi included, by area scoring."""
        black, white = self.areas(state)
        return size(black) - size(white) - self.komi

    def point(self, cell: int) -> str:
        """The name of a cell: "D4"."""
        return point_name(cell, COLUMNS, self.size)

    def cell(self, point: str) -> int:
        """The cell of that name, or NOWHERE if this board has none."""
        return point_cell(point, COLUMNS, self.size, self.height)
