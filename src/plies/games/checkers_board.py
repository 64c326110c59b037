"""The checkers board: bitboards with gaps, steps and jumps of all pieces at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from plies.game import Game

# A step down the board, towards higher numbers, is a left shift by 4 or 5 bits; a step up is a right shift.
DOWN_LEFT, DOWN_RIGHT, UP_RIGHT, UP_LEFT = range(4)


PLACES = 35
"""The bits of a bitboard: 32 squares and three unused ones between them."""


class State(NamedTuple):
    """Pieces as bitboards: square 1 is bit 0, and every eighth square is followed by an unused bit.

    So adjacent squares always differ by 4 or 5 bits, and a step off the board lands on an unused bit.
    """

    mine: int  # pieces of the player to move
    theirs: int
    kings: int  # the kings of both players
    player: int  # the player to move
    quiet: int  # plies since a man moved or a piece was captured


class Board(Game):
    """The board, and which pieces can step or jump; `Checkers` adds the rules of play."""

    def __init__(self) -> None:
        self.board = squares_of(range(1, 33))
        self.black_start = squares_of(range(1, 13))
        self.white_start = squares_of(range(21, 33))
        self.first_row = squares_of(range(1, 5))
        self.last_row = squares_of(range(29, 33))
        self.ends = self.first_row | self.last_row
        self.centre = squares_of((10, 11, 14, 15, 18, 19, 22, 23))
        self.odd_rows = squares_of(square for square in range(1, 33) if (square - 1) // 4 & 1)
        self.row_pairs = squares_of(square for square in range(1, 33) if (square - 1) // 4 & 2)
        self.lower_half = squares_of(range(17, 33))

    def directions(self, state: State, piece: int) -> tuple[int, int]:
        """The range of directions of a piece of the player to move: the first, and the one after the last."""
        if piece & state.kings:
            return 0, 4
        return 2 * state.player, 2 * state.player + 2

    def downward(self, state: State) -> int:
        """The pieces of the player to move that may move towards higher numbers."""
        return state.mine if state.player == 0 else state.mine & state.kings

    def upward(self, state: State) -> int:
        """The pieces of the player to move that may move towards lower numbers."""
        return state.mine if state.player == 1 else state.mine & state.kings

    def steppers(self, state: State, direction: int) -> int:
        """The pieces of the player to move that can step in a direction."""
        free = self.board & ~(state.mine | state.theirs)
        movers = self.downward(state) if direction < 2 else self.upward(state)
        return movers & neighbours(free, direction ^ 2)

    def jumpers(self, state: State) -> int:
        """The pieces of the player to move that can capture."""
        theirs = state.theirs
        free = self.board & ~(state.mine | theirs)
        down = theirs >> 4 & free >> 8 | theirs >> 5 & free >> 10
        up = theirs << 4 & free << 8 | theirs << 5 & free << 10
        return self.downward(state) & down | self.upward(state) & up

    def can_move(self, state: State) -> bool:
        """Whether the player to move has a legal move."""
        free = self.board & ~(state.mine | state.theirs)
        steps = self.downward(state) & (free >> 4 | free >> 5) | self.upward(state) & (free << 4 | free << 5)
        return steps != 0 or self.jumpers(state) != 0

    def piece(self, state: State, square: int) -> str:
        """The piece on a square: b, w, B or W, capitals for kings; "" if it is empty."""
        bit = squares_of((square,))
        if not bit & (state.mine | state.theirs):
            return ""
        colour = "bw"[state.player if bit & state.mine else 1 - state.player]
        return colour.upper() if bit & state.kings else colour


def neighbours(squares: int, direction: int) -> int:
    """The squares one step from some in a direction; they may be off the board."""
    if direction == DOWN_LEFT:
        return squares << 4
    if direction == DOWN_RIGHT:
        return squares << 5
    if direction == UP_RIGHT:
        return squares >> 4
    return squares >> 5


def squares_of(numbers: Iterable[int]) -> int:
    """The bitboard of squares by number, from 1."""
    return sum(1 << number - 1 + (number - 1) // 8 for number in numbers)


def number(bit: int) -> str:
    """The number, from 1, of the square of a bit."""
    return str(bit - bit // 9 + 1)


@cache
def indices() -> dict[int, int]:
    """Every action that any position has, by itself, with its index: the steps first, then the jumps."""
    board = squares_of(range(1, 33))
    places = [place for place in range(board.bit_length()) if board >> place & 1]
    steps = [
        place + 64 * direction
        for place in places
        for direction in range(4)
        if neighbours(1 << place, direction) & board
    ]
    jumps = [place + 64 * path for place in places for path in _jumps(1 << place, 1, 1, board)]
    return {action: index for index, action in enumerate(steps + jumps)}


def _jumps(square: int, path: int, after: int, left: int) -> Iterator[int]:
    """The paths of all jumps that go on from a square with a path so far, over squares that are left: none is
    jumped twice. As in `Checkers.noisy`, `after` is 4 to the power of the jumps so far."""
    board = squares_of(range(1, 33))
    for direction in range(4):
        over = neighbours(square, direction) & left
        landing = neighbours(over, direction) & board
        if landing:
            longer = path + (direction + 3) * after
            yield longer
            yield from _jumps(landing, longer, 4 * after, left ^ over)
