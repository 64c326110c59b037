"""Renju: Gomoku with points that are forbidden to black."""

from __future__ import annotations

from collections.abc import Sequence

from plies.errors import BadParameter
from plies.games.gomoku import Gomoku
from plies.games.gomoku_board import MIDDLE, Board, State, run_length
from plies.games.gomoku_evaluation import Evaluation
from plies.games.wide_bitboard import (
    Wide,
    both,
    down,
    either,
    first,
    holds,
    is_empty,
    nothing,
    rest,
    single,
    size,
    up,
    without,
)
from plies.rules import noinline
from plies.scene import Piece, Scene

FIVE, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = 1, 2, 3, 4
"""What a black stone makes; all but a five are forbidden."""

FORBIDDEN = ("", "", "an overline", "a double four", "a double three")


class Renju(Gomoku):
    """Renju: five in a row, where black may not make an overline, a double four or a double three."""

    renju = True
    rules = (
        "Black and white take turns to place a stone on an empty point, black first, in the centre; the "
        "second stone is next to it and the third at most two from the centre. White wins with five or more "
        "in an unbroken row, horizontal, vertical or diagonal; black with exactly five. Black may not make "
        "an overline (six or more in a row), two fours at once, or two threes at once (a three can become a "
        "straight four, open at both ends, by a stone that black may play), unless the same stone makes "
        "five. If black has only forbidden points left, black passes. A full board is a draw."
    )

    def __init__(self, size: int = 15, opening: bool = True, weights: Sequence[float] | None = None) -> None:
        """A board of `size` points a side; `opening`: the first three stones must be near the centre."""
        if size % 2 == 0:
            raise BadParameter(f"size must be odd, so that the board has a centre, not {size}")
        self.opening = opening
        Evaluation.__init__(self, size, True, False, weights)
        self.squares = tuple(self._square(reach if opening else size) for reach in range(3))

    def allowed(self, state: State, cells: Wide) -> Wide:
        """The cells, of some empty ones, where the player to move may place a stone."""
        stones = size(either(state.black, state.white))
        if stones < 3:
            cells = both(cells, self.squares[stones])
        if state.player == 0 and stones > 3:
            cells = without(cells, self.forbidden_cells(state, cells))
        return cells

    @noinline
    def forbidden_cells(self, state: State, cells: Wide) -> Wide:
        """The cells, of some empty ones, that are forbidden to black."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        suspects = both(cells, self.crowded(black))
        found = nothing()
        while not is_empty(suspects):
            cell = first(suspects)
            if judged(self, black, white, cell) > FIVE:
                found = either(found, single(cell))
            suspects = rest(suspects)
        return found

    def scene(self, state: State) -> Scene:
        """The board, with a cross on every point that is forbidden to black, if black is to move."""
        shown = super().scene(state)
        if state.player == 1 or state.won:
            return shown
        forbidden = self.forbidden_cells(state, self.empty(state))
        crosses = [
            Piece(*self._place(cell), None, "sign", "×")
            for cell in range(self.cells)
            if holds(forbidden, cell)
        ]
        return shown._replace(pieces=[*shown.pieces, *crosses])

    def _why_not(self, state: State, cell: int) -> str:
        if not holds(self.empty(state), cell):
            return super()._why_not(state, cell)
        stones = size(either(state.black, state.white))
        if stones < 3 and not holds(self.squares[stones], cell):
            return f"the {('first', 'second', 'third')[stones]} stone must be " + (
                "in the centre" if stones == 0 else f"at most {stones} from the centre"
            )
        return f"black may not make {FORBIDDEN[judged(self, state.black, state.white, cell)]}"

    def crowded(self, black: Wide) -> Wide:
        """The cells with at least four black stones in line within four cells: no others can be forbidden."""
        one = two = three = four = nothing()
        for way in range(4):
            step = self.steps[way]
            here, there = black, black
            for _ in range(4):
                here = both(up(here, step), self.behind_one[way])
                there = both(down(there, step), self.starts_of_2(way))
                for side in range(2):
                    more = here if side == 0 else there
                    four = either(four, both(three, more))
                    three = either(three, both(two, more))
                    two = either(two, both(one, more))
                    one = either(one, more)
        return four

    def starts_of_2(self, way: int) -> Wide:
        """The cells from which one step in a direction stays on the board."""
        return both(down(self.behind_one[way], self.steps[way]), self.board)


# -- Lines of eleven cells with a stone in the middle.


def fours_in(line: int, free: int) -> int:
    """The fours of a line; a straight four is one, though it makes a five at either end."""
    ends = 0
    distance = 0
    for i in range(11):
        if free >> i & 1 and run_length(line | 1 << i) == 5 and run_length(line) < 5:
            # The stone must extend the row through the middle.
            ends += 1
            distance = i - distance
    if ends == 2 and distance == 5:
        return 1
    return ends


def is_straight(line: int, free: int) -> bool:
    """Whether the row through the middle is a straight four."""
    if run_length(line) != 4:
        return False
    low = MIDDLE
    while line >> low - 1 & 1:
        low -= 1
    high = low + 3
    if low < 1 or high > 9 or not free >> low - 1 & 1 or not free >> high + 1 & 1:
        return False
    return (low < 2 or not line >> low - 2 & 1) and (high > 8 or not line >> high + 2 & 1)


@noinline
def judged(game: Board, black: Wide, white: Wide, cell: int) -> int:
    """What a black stone on an empty cell makes: 0, FIVE, or what is forbidden."""
    after = either(black, single(cell))
    empty = without(game.board, either(after, white))
    overline = False
    fours = threes = 0
    for i in range(8):
        # The four directions are searched for fives and fours, and then again for threes.
        way = i % 4
        line, free = game.lines(after, empty, cell, way)
        more = fours_in(line, free)
        if i < 4:
            run = run_length(line)
            if run == 5:
                return FIVE
            overline = overline or run > 5
            fours += more
        elif overline:
            return OVERLINE
        elif fours > 1:
            return DOUBLE_FOUR
        elif more == 0:
            found = False
            for j in range(11):
                if not found and free >> j & 1 and is_straight(line | 1 << j, free & ~(1 << j)):
                    # It is a three if black may play there, which may depend on threes in turn.
                    found = judged(game, after, white, cell + (j - MIDDLE) * game.steps[way]) == 0
            threes += found
    return DOUBLE_THREE if threes > 1 else 0
