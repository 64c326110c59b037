"""Go playouts that look at the last two moves, and priors for the tree.

After MoGo (Gelly et al. 2006) and Michi (Baudiš 2015): capture or save what the last moves put in atari, play
a pattern beside them, else anywhere but into one's own eyes; and avoid self-atari.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plies.games.go_board import State
from plies.games.go_evaluation import Evaluation
from plies.games.go_patterns import pattern_table
from plies.games.wide_bitboard import (
    BITS,
    Wide,
    any_of,
    both,
    either,
    first,
    is_empty,
    nothing,
    rest,
    single,
    size,
    wide,
    without,
    word_of,
)
from plies.rules import noinline

ATTEMPTS = 4
"""Attempts to find a move that is no self-atari. Not tuned."""

EVEN, CAPTURE_ONE, CAPTURE, PATTERN, SELF_ATARI, OWN_EYE, NEAREST, NEAR, NEARBY, OPEN = range(10)
PRIORS = (5.0, 15.0, 30.0, 10.0, 10.0, 30.0, 24.0, 22.0, 8.0, 10.0)
"""Prior games of a move: won and lost each; won if it captures or saves one stone, or more; if it fits a
pattern; lost if it is self-atari, or fills an eye; won at a distance of 2, of 3, of 4 or 5 from the last
move; won on the third line where all around is empty, or lost below it. Michi's (Baudiš 2015), except for
eyes."""


class Playouts(Evaluation):
    """The playouts and priors of `Go`."""

    def __init__(
        self,
        columns: int,
        rows: int | None,
        komi: float,
        suicide: bool,
        margin: bool,
        weights: Sequence[float] | None,
    ) -> None:
        super().__init__(columns, rows, komi, suicide, margin, weights)
        self.patterns = pattern_table().copy()
        self.prior_games = np.array(PRIORS)
        self.around = np.zeros((self.cells, 6), np.int64)
        """By cell: the eight cells around it, as a wide bitboard."""
        self.inside = np.zeros(self.cells, np.int64)
        """By cell: which bits of a neighbourhood are cells of the board, and which are not."""
        self.outside = np.zeros(self.cells, np.int64)
        for cell in range(self.cells):
            row, column = divmod(cell, columns)
            around, bit = 0, 0
            for y in (row - 1, row, row + 1):
                for x in (column - 1, column, column + 1):
                    if (y, x) == (row, column):
                        continue
                    if 0 <= y < self.height and 0 <= x < columns:
                        around |= 1 << y * columns + x
                        self.inside[cell] |= 0x101 << bit
                    else:
                        self.outside[cell] |= 0x101 << bit
                    bit += 1
            self.around[cell] = wide(around)

    def playout(self, state: State, random: int, last: int, before: int) -> int:
        """A capture or a rescue near the last two moves, or a pattern there, or any move that makes sense."""
        close = either(self.cells_around(last), self.cells_around(before))
        if random & 15:  # 15 of 16 times, for variety; nine of ten in Michi
            urgent = self.urgent(state, close)
            if not is_empty(urgent):
                return any_of(urgent, random)
        if random >> 4 & 15:
            cell = self.pattern_move(state, close, random)
            if cell >= 0:
                return cell
        cells = self.sensible(state)
        for _ in range(ATTEMPTS):
            if is_empty(cells):
                break
            cell = any_of(cells, random)
            if not self.self_atari(state, cell):
                return cell
            cells = without(cells, single(cell))
        return self.passing if is_empty(cells) else any_of(cells, random)

    def cells_around(self, move: int) -> Wide:
        """The eight cells around a move, and its own; none if it is no cell."""
        if move < 0 or move >= self.cells:
            return nothing()
        table = self.around
        a, b, c = int(table[move, 0]), int(table[move, 1]), int(table[move, 2])
        d, e, f = int(table[move, 3]), int(table[move, 4]), int(table[move, 5])
        return both(either(Wide(a, b, c, d, e, f), single(move)), self.board)

    # -- Atari.

    @noinline
    def urgent(self, state: State, close: Wide) -> Wide:
        """The moves that capture or save a group in atari that has stones among some cells."""
        weak = both(both(state.atari, close), self.board)
        if is_empty(weak):
            return weak
        mine, theirs = self.sides(state)
        legal = self.legal(state)
        prey, own = both(theirs, state.atari), both(mine, state.atari)
        captured = self.connected(both(weak, prey), prey)
        saved = self.connected(both(weak, own), own)
        captured = either(captured, self.connected(both(self.neighbours(saved), prey), prey))
        cells = both(legal, self.neighbours(captured))
        ways_out = without(both(legal, self.neighbours(saved)), cells)
        while not is_empty(ways_out):
            cell = first(ways_out)
            if not self.self_atari(state, cell):
                cells = either(cells, single(cell))
            ways_out = rest(ways_out)
        return cells

    @noinline
    def self_atari(self, state: State, cell: int) -> bool:
        """Self-atari: whether a stone captures nothing and leaves its own group at most one liberty."""
        mine, theirs = self.sides(state)
        stone = single(cell)
        near = self.neighbours(stone)
        empty = without(self.board, either(either(mine, theirs), stone))
        if size(both(near, empty)) > 1 or not is_empty(both(near, both(theirs, state.atari))):
            return False
        return not is_empty(self.group_in_atari(stone, mine, empty))

    # -- Patterns.

    @noinline
    def pattern_move(self, state: State, close: Wide, random: int) -> int:
        """A move on one of some cells that fits a pattern and is no self-atari; -1 if there is none."""
        mine, theirs = self.sides(state)
        cells = both(self.legal(state), close)
        fitting = nothing()
        while not is_empty(cells):
            cell = first(cells)
            if self.patterns[self.neighbourhood(cell, mine, theirs)]:
                fitting = either(fitting, single(cell))
            cells = rest(cells)
        while not is_empty(fitting):
            cell = any_of(fitting, random)
            if not self.self_atari(state, cell):
                return cell
            fitting = without(fitting, single(cell))
        return -1

    def neighbourhood(self, cell: int, mine: Wide, theirs: Wide) -> int:
        """The stones around a cell, as `pattern_table` numbers them."""
        start = cell - self.size - 1
        number = eight(window(mine, start), self.size) | eight(window(theirs, start), self.size) << 8
        return int(number & self.inside[cell] | self.outside[cell])

    # -- Priors.

    @noinline
    def prior(self, state: State, action: int, last: int) -> tuple[float, float]:
        """Games won and lost, by what a move captures, saves or fits, and how near it is to the last one."""
        games = self.prior_games
        won = lost = games[EVEN]
        if action == self.passing:
            return won, lost + games[SELF_ATARI]
        mine, theirs = self.sides(state)
        empty = without(self.board, either(mine, theirs))
        stone = single(action)
        near = self.neighbours(stone)
        prey, own = both(theirs, state.atari), both(mine, state.atari)
        captured = self.connected(both(near, prey), prey)
        saved = self.connected(both(near, own), own)
        self_atari = self.self_atari(state, action)
        if not is_empty(captured):
            won += games[CAPTURE_ONE] if size(captured) == 1 else games[CAPTURE]
        if not is_empty(saved) and not self_atari:
            won += games[CAPTURE_ONE] if size(saved) == 1 else games[CAPTURE]
        if self.patterns[self.neighbourhood(action, mine, theirs)]:
            won += games[PATTERN]
        if self_atari:
            lost += games[SELF_ATARI]
        if is_empty(without(near, mine)):
            lost += games[OWN_EYE]
        if 0 <= last < self.cells:
            distance = self.distance(action, last)
            if distance <= 5:
                won += games[NEAREST] if distance <= 2 else games[NEAR] if distance == 3 else games[NEARBY]
        around = either(self.neighbours(near), near)
        if is_empty(without(either(around, self.neighbours(around)), empty)):
            line = self.line(action)
            if line == 2:
                won += games[OPEN]
            elif line < 2:
                lost += games[OPEN]
        return won, lost

    def distance(self, one: int, other: int) -> int:
        """The distance of two cells: dx + dy + max(dx, dy)."""
        across = abs(one % self.size - other % self.size)
        along = abs(one // self.size - other // self.size)
        return across + along + max(across, along)

    def line(self, cell: int) -> int:
        """The lines between a cell and the nearest edge: 0 at the edge."""
        row, column = cell // self.size, cell % self.size
        return min(row, self.height - 1 - row, column, self.size - 1 - column)


def window(x: Wide, start: int) -> int:
    """The cells of a set from a number on, which may be negative, as the bits of a word."""
    if start < 0:
        return x.a << -start
    place = start % BITS
    return word_of(x, start) >> place | word_of(x, start + BITS) << BITS - place


def eight(window: int, columns: int) -> int:
    """The eight cells around the one in the middle of a window of three rows."""
    middle = window >> columns
    return window & 7 | (middle & 1) << 3 | (middle & 4) << 2 | (window >> 2 * columns & 7) << 5
