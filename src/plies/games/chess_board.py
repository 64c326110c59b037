"""The chess board: bitboards of the pieces, what they attack, checks and pins."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plies.bits import add, highest, left, lowest, right, signed
from plies.game import Game

FILES = "abcdefgh"
FILE_A = signed(0x0101010101010101)
FILE_H = left(FILE_A, 7)
ANYWHERE = -1
"""The bitboard of all squares."""


class State(NamedTuple):
    """A position as bitboards: a1 is bit 0, b1 is bit 1, h8 is bit 63."""

    pawns: int  # of both colours, like the next five
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    white: int
    black: int
    castling: int  # the rooks that may still castle
    en_passant: int  # the square behind a pawn that has just moved two, if en passant is legal; else 0
    clock: int  # the half-move clock: plies since a pawn move or a capture
    ply: int  # plies since the game began; White moves when it is even


def _square(file: int, rank: int) -> int:
    """The bitboard of one square; 0 beyond the edge."""
    return 1 << 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else 0


def _steps(square: int, *steps: tuple[int, int]) -> int:
    """The squares at these offsets of files and ranks."""
    return signed(sum(_square(square % 8 + file, square // 8 + rank) for file, rank in steps))


def _ray(square: int, file: int, rank: int) -> int:
    """The squares in one direction, up to the edge."""
    return _steps(square, *((file * n, rank * n) for n in range(1, 8)))


# The four lines through a square, each by the step towards higher squares: rank, file, two diagonals.
LINES = ((1, 0), (0, 1), (1, 1), (-1, 1))
DIRECTIONS = (*LINES, *((-file, -rank) for file, rank in LINES))
LEAPS = tuple((file, rank) for file in range(-2, 3) for rank in range(-2, 3) if abs(file * rank) == 2)

RAYS = np.array([[_ray(s, *step) for step in DIRECTIONS] for s in range(64)])
KNIGHT_STEPS = np.array([_steps(s, *LEAPS) for s in range(64)])
KING_STEPS = np.array([_steps(s, *DIRECTIONS) for s in range(64)])
PAWN_STEPS = np.array([[_steps(s, (-1, ahead), (1, ahead)) for s in range(64)] for ahead in (1, -1)])


def _between_and_through() -> tuple[Any, Any]:
    """For two squares on a line: the squares between them, and the whole line."""
    between, through = np.zeros((64, 64), np.int64), np.zeros((64, 64), np.int64)
    for one in range(64):
        for file, rank in DIRECTIONS:
            line = signed(_ray(one, file, rank) | _ray(one, -file, -rank) | 1 << one)
            passed = 0
            for n in range(1, 8):
                other = _square(one % 8 + file * n, one // 8 + rank * n)
                if other:
                    between[one, lowest(other)] = signed(passed)
                    through[one, lowest(other)] = line
                    passed |= other
    return between, through


BETWEEN, THROUGH = _between_and_through()


class Board(Game):
    """Attacks, checks and pins, by bitboards and precomputed tables."""

    def __init__(self) -> None:
        self.rays = RAYS
        self.knight_steps = KNIGHT_STEPS
        self.king_steps = KING_STEPS
        self.pawn_steps = PAWN_STEPS
        self.between = BETWEEN
        self.through = THROUGH

    # -- Attacks.

    def along(self, square: int, line: int, occupied: int) -> int:
        """The squares attacked from one along a line, both ways, up to and including the first pieces.

        Obstruction difference, as on the Chess Programming Wiki.
        """
        above, below = int(self.rays[square, line]), int(self.rays[square, line + 4])
        pieces = above & occupied
        # Subtracting the nearest blocker below, its highest bit, from the blockers above borrows from the
        # nearest of these: all bits in between change.
        return (pieces ^ add(pieces, left(-1, highest(below & occupied | 1)))) & (above | below)

    def straight(self, square: int, occupied: int) -> int:
        """The squares that a rook attacks."""
        return self.along(square, 0, occupied) | self.along(square, 1, occupied)

    def diagonal(self, square: int, occupied: int) -> int:
        """The squares that a bishop attacks."""
        return self.along(square, 2, occupied) | self.along(square, 3, occupied)

    def pawn_attacks(self, pawns: int, player: int) -> int:
        """The squares that the pawns of a player attack."""
        if player == 0:
            return left(pawns & ~FILE_A, 7) | left(pawns & ~FILE_H, 9)
        return right(pawns & ~FILE_A, 9) | right(pawns & ~FILE_H, 7)

    def ahead(self, squares: int, player: int) -> int:
        """The squares one rank ahead, as a player's pawns move."""
        return left(squares, 8) if player == 0 else right(squares, 8)

    def attackers(self, state: State, square: int, player: int, occupied: int) -> int:
        """The pieces of both sides, but of pawns only the opponent's, that attack a square of a player's.

        `occupied` are the squares that block sliding pieces.
        """
        return (
            int(self.pawn_steps[player, square]) & state.pawns
            | int(self.knight_steps[square]) & state.knights
            | int(self.king_steps[square]) & state.kings
            | self.straight(square, occupied) & (state.rooks | state.queens)
            | self.diagonal(square, occupied) & (state.bishops | state.queens)
        )

    # -- Checks and pins.

    def checks_and_pins(self, state: State, player: int) -> tuple[int, int, int]:
        """A player's king, where other pieces may move so that no check remains, and the pinned pieces."""
        mine, theirs = (state.white, state.black) if player == 0 else (state.black, state.white)
        king = lowest(state.kings & mine)
        checkers = int(self.pawn_steps[player, king]) & state.pawns
        checkers |= int(self.knight_steps[king]) & state.knights
        checkers &= theirs
        # Snipers: sliders that would give check if my pieces were away. A single piece between is pinned.
        snipers = self.straight(king, theirs) & (state.rooks | state.queens)
        snipers |= self.diagonal(king, theirs) & (state.bishops | state.queens)
        snipers &= theirs
        pinned = 0
        while snipers != 0:
            sniper = lowest(snipers)
            shield = int(self.between[king, sniper]) & mine
            if shield == 0:
                checkers |= left(1, sniper)
            elif shield & add(shield, -1) == 0:
                pinned |= shield
            snipers &= add(snipers, -1)
        allowed = ANYWHERE
        if checkers != 0:
            allowed = 0  # double check: only the king can move
            if checkers & add(checkers, -1) == 0:
                allowed = checkers | int(self.between[king, lowest(checkers)])
        return king, allowed, pinned

    def in_check(self, state: State) -> bool:
        """Whether the player to move is in check."""
        player = state.ply & 1
        mine, theirs = (state.white, state.black) if player == 0 else (state.black, state.white)
        king = lowest(state.kings & mine)
        return self.attackers(state, king, player, mine | theirs) & theirs != 0
