"""Endings of chess by their pieces, such as KQKR: positions from which all others can be reached."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plies.bits import left
from plies.errors import BadParameter
from plies.games.chess_board import State
from plies.games.chess_fen import PIECES

if TYPE_CHECKING:
    from plies.games.chess import Chess

MOST_PIECES = 5
"""The most pieces of an ending, kings included: with more, no database fits in memory."""

TRIES = 10_000
"""Placements that are tried at random for one that is legal. Not tuned: one of a few is."""


def roots(game: Chess, ending: str) -> Iterator[State]:
    """One position for each placement of the pawns and each colour of the bishops' squares, White to move.

    Other pieces can go from any square to any other, so that all else can be reached from there; so can what
    is left after captures and promotions.
    """
    found = re.fullmatch("(K[QRBNP]*)(K[QRBNP]*)", ending.upper())
    if not found or not 3 <= len(ending) <= MOST_PIECES:
        raise BadParameter(
            f"an ending of chess is named by White's pieces and Black's, up to {MOST_PIECES} in all, such as "
            f"KQKR, not {ending!r}"
        )
    pieces = [(letter, 0) for letter in found[1]] + [(letter, 1) for letter in found[2]]
    choices = [_groups(letter) for letter, _ in pieces]
    rng = random.Random(0)
    for groups in itertools.product(*choices):
        pawns = [group[0] for group in groups if len(group) == 1]
        if len(set(pawns)) == len(pawns) and (state := _placed(game, pieces, groups, rng)):
            yield state


def _groups(letter: str) -> list[list[int]]:
    """The squares of a piece in groups: it can go from any square of a group to any other."""
    if letter == "P":
        return [[square] for square in range(8, 56)]
    if letter == "B":
        return [[square for square in range(64) if (square // 8 + square) % 2 == colour] for colour in (0, 1)]
    return [[*range(64)]]


def _placed(
    game: Chess, pieces: list[tuple[str, int]], groups: tuple[list[int], ...], rng: random.Random
) -> State | None:
    """A position with a piece on a square of each group, and nobody in check; None if none was found."""
    for _ in range(TRIES):
        squares = [rng.choice(group) for group in groups]
        if len(set(squares)) < len(squares):
            continue
        kinds, colours = dict.fromkeys(PIECES, 0), [0, 0]
        for (letter, colour), square in zip(pieces, squares, strict=True):
            kinds[letter] |= left(1, square)
            colours[colour] |= left(1, square)
        state = State._make((*kinds.values(), *colours, 0, 0, 0, 0))
        other = state._replace(ply=1)
        if not game.in_check(state) and not game.in_check(other) and not game.is_terminal(state):
            return state
    return None
