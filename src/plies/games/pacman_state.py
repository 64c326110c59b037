"""The states of Pacman: constants, and ghosts packed into integers."""

from __future__ import annotations

from typing import NamedTuple

from plies.games.wide_bitboard import Wide

MOVE, EAT, CLEAR, CATCH, DIE = -1, 10, 500, 200, -500
"""Points for a move, for food, for the last food, for a ghost caught, for being caught: as in CS 188."""

SCARED_TIME = 40
"""How many of its moves a ghost is scared for: as in CS 188."""

PLAYING, WON, CAUGHT, LATE = range(4)
"""How a game stands: in progress, all food eaten, Pacman caught, or out of moves."""

DIGIT = 19
"""Bits of a packed ghost: 9 for its cell, 3 for its direction, 6 for its scared time, 1 for halfway."""


class State(NamedTuple):
    """A position; cells are numbered row by row from the top."""

    food: Wide
    capsules: int  # a bit for each capsule of the layout that is left
    pacman: int
    low: int  # the first three ghosts, packed
    high: int  # the next three ghosts, packed
    score: int
    moves: int  # moves that Pacman has made
    turn: int  # the player to move: 0 is Pacman, 1 the first ghost
    end: int  # PLAYING, or how the game has ended


def ghost(cell: int, direction: int, scared: int, halfway: int) -> int:
    """A packed ghost: its cell, its last direction, its scared time, and whether it is halfway to the next
    cell."""
    return cell | direction << 9 | scared << 12 | halfway << 18


def cell_of(ghost: int) -> int:
    """The cell of a packed ghost."""
    return ghost & 511


def direction_of(ghost: int) -> int:
    """The last direction of a packed ghost; STOP if it has not moved."""
    return ghost >> 9 & 7


def scared_time(ghost: int) -> int:
    """How many more moves a packed ghost is scared for."""
    return ghost >> 12 & 63


def is_halfway(ghost: int) -> int:
    """1 if a packed ghost is halfway to the next cell, else 0."""
    return ghost >> 18 & 1
