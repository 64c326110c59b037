"""Endings of chess by their pieces, such as KQKR: positions from which all others can be reached, and numbers
for them."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator

import numpy as np

from plies.bits import add, left, lowest, popcount
from plies.errors import BadParameter
from plies.games.chess_board import State
from plies.games.chess_evaluation import Evaluation
from plies.games.chess_fen import PIECES

MOST_PIECES = 5
"""The most pieces of an ending, kings included: with more, no database fits in memory."""

TRIES = 10_000
"""Placements that are tried at random for one that is legal. Not tuned: one of a few is."""


KINDS = "PNBRQ"
"""The pieces that are counted, kings apart, in the order of the numbers."""

DIGIT = 4
"""The bits that count the pieces of a kind and colour in the number of a stage."""

TRIANGLE = np.array([0, 1, 2, 3, 9, 10, 11, 18, 19, 27])
"""The squares a1 to d1, b2 to d2, c3, d3 and d4: a symmetry of the board brings a king to one of them."""

IN_TRIANGLE = np.searchsorted(TRIANGLE, np.arange(64))
"""The place of each of these squares; of others, nonsense."""

Material = tuple[int, ...]
"""How many pieces there are of each of `KINDS`, White's and then Black's."""


class Endings(Evaluation):
    """Chess with few pieces: the positions to begin with, and numbers for all of them.

    A stage is the material. A number has the squares of the kings, of White's pieces and of Black's, and who
    is to move, after a reflection that brings White's king to the left half of the board, or without pawns to
    a triangle. Endings in which both sides have pawns are not numbered, since these may capture en passant.
    """

    endings = ("KQK", "KPK")

    def roots(self, ending: str) -> Iterator[State]:
        """Positions from which all of an ending can be reached, named by its pieces: "KQKR".

        One for each placement of the pawns and each colour of the bishops' squares, White to move. Other
        pieces can go from any square to any other, so that all else can be reached from there; so can what is
        left after captures and promotions.
        """
        white, black = _named(ending)
        pieces = [(letter, 0) for letter in white] + [(letter, 1) for letter in black]
        choices = [_groups(letter) for letter, _ in pieces]
        rng = random.Random(0)
        for groups in itertools.product(*choices):
            pawns = [group[0] for group in groups if len(group) == 1]
            if len(set(pawns)) == len(pawns) and (state := _placed(self, pieces, groups, rng)):
                yield state

    def stages(self, ending: str) -> Iterator[tuple[int, int]]:
        """What is left of an ending after captures and promotions, fewer pieces and fewer pawns first."""
        if not ending:
            return
        sides = _named(ending)
        if "P" in sides[0] and "P" in sides[1]:
            return
        waiting = [tuple(side.count(kind) for side in sides for kind in KINDS)]
        met = set(waiting)
        while waiting:
            for after in _changes(waiting.pop()):
                if after not in met:
                    met.add(after)
                    waiting.append(after)
        for counts in sorted(met, key=lambda counts: (sum(counts), counts[0] + counts[5], counts)):
            pawns = counts[0] + counts[5]
            numbers = (32 if pawns else len(TRIANGLE)) * 64 ** (1 + sum(counts) - pawns) * 48**pawns
            yield sum(count << i * DIGIT for i, count in enumerate(counts)), 2 * numbers

    def stage(self, state: State) -> int:
        """The material."""
        found = 0
        for i in range(10):
            found |= popcount(self.pieces(state, i)) << i * DIGIT
        return found

    def pieces(self, state: State, place: int) -> int:
        """The pieces of one of `KINDS`, White's if the place is below 5, else Black's."""
        side = state.white if place < 5 else state.black
        kind = place % 5
        if kind == 0:
            return side & state.pawns
        if kind == 1:
            return side & state.knights
        if kind == 2:
            return side & state.bishops
        return side & (state.rooks if kind == 3 else state.queens)

    def index(self, state: State) -> int:
        few = popcount(state.white | state.black) <= MOST_PIECES
        if not few or state.castling | state.en_passant or popcount(state.kings) != 2:
            return -1
        king = lowest(state.kings & state.white)
        turn = 7 if king & 4 else 0  # the files, and the ranks, that are reflected
        if state.pawns != 0:
            king ^= turn
            return self.numbered(state, king >> 3 << 2 | king & 3, turn, False)
        turn |= 56 if king & 32 else 0
        king ^= turn
        transposing = king >> 3 > king & 7
        place = int(IN_TRIANGLE[turned(king, 0, transposing)])
        number = self.numbered(state, place, turn, transposing)
        if king >> 3 == king & 7:
            number = min(number, self.numbered(state, place, turn, True))
        return number

    def numbered(self, state: State, place: int, turn: int, transposing: bool) -> int:
        """The number of a position after a reflection that brings White's king to a place."""
        number = place << 6 | turned(lowest(state.kings & state.black), turn, transposing)
        for side in (state.white, state.black):
            number = appended(number, side & state.pawns, turn, transposing, True)
            number = appended(number, side & state.knights, turn, transposing, False)
            number = appended(number, side & state.bishops, turn, transposing, False)
            number = appended(number, side & state.rooks, turn, transposing, False)
            number = appended(number, side & state.queens, turn, transposing, False)
        return number << 1 | state.ply & 1

    def state_at(self, stage: int, index: int) -> State:
        """The position of a number; an empty board if it is not legal."""
        pawns, knights, bishops, rooks, queens, white, black = 0, 0, 0, 0, 0, 0, 0
        number = index >> 1
        for j in range(10):
            i = 9 - j
            for _ in range(stage >> i * DIGIT & 15):
                if i % 5 == 0:
                    square, number = left(1, number % 48 + 8), number // 48
                else:
                    square, number = left(1, number & 63), number >> 6
                if (white | black) & square:
                    return EMPTY
                pawns |= square if i % 5 == 0 else 0
                knights |= square if i % 5 == 1 else 0
                bishops |= square if i % 5 == 2 else 0
                rooks |= square if i % 5 == 3 else 0
                queens |= square if i % 5 == 4 else 0
                white |= square if i < 5 else 0
                black |= square if i >= 5 else 0
        theirs, place = left(1, number & 63), number >> 6
        mine = left(1, (place >> 2 << 3 | place & 3) if pawns else int(TRIANGLE[place]))
        if (white | black) & (mine | theirs) or mine == theirs:
            return EMPTY
        player = index & 1
        board = (pawns, knights, bishops, rooks, queens, mine | theirs, white | mine, black | theirs, 0, 0, 0)
        if self.in_check(State(*board, 1 - player)):
            return EMPTY
        return State(*board, player)


EMPTY = State(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def turned(square: int, turn: int, transposing: bool) -> int:
    """A square after a reflection."""
    square ^= turn
    return (square & 7) << 3 | square >> 3 if transposing else square


def appended(number: int, pieces: int, turn: int, transposing: bool, pawns: bool) -> int:
    """A number with the squares of some pieces after a reflection, in order, behind it."""
    if pieces == 0:
        return number
    if pieces & add(pieces, -1) == 0:  # one, as nearly always
        square = turned(lowest(pieces), turn, transposing)
        return number * 48 + square - 8 if pawns else number << 6 | square
    here = 0
    while pieces != 0:
        here |= left(1, turned(lowest(pieces), turn, transposing))
        pieces &= add(pieces, -1)
    while here != 0:
        number = number * 48 + lowest(here) - 8 if pawns else number << 6 | lowest(here)
        here &= add(here, -1)
    return number


def _named(ending: str) -> tuple[str, str]:
    """White's pieces and Black's in the name of an ending."""
    found = re.fullmatch("(K[QRBNP]*)(K[QRBNP]*)", ending.upper())
    if not found or not 3 <= len(ending) <= MOST_PIECES:
        raise BadParameter(
            f"an ending of chess is named by White's pieces and Black's, up to {MOST_PIECES} in all, such as "
            f"KQKR, not {ending!r}"
        )
    return found[1], found[2]


def _changes(counts: Material) -> Iterator[Material]:
    """The material after a capture, or after a promotion."""
    for i, count in enumerate(counts):
        if count:
            less = (*counts[:i], count - 1, *counts[i + 1 :])
            yield less
            if i % 5 == 0:
                for j in range(i + 1, i + 5):
                    yield (*less[:j], less[j] + 1, *less[j + 1 :])


def _groups(letter: str) -> list[list[int]]:
    """The squares of a piece in groups: it can go from any square of a group to any other."""
    if letter == "P":
        return [[square] for square in range(8, 56)]
    if letter == "B":
        return [[square for square in range(64) if (square // 8 + square) % 2 == colour] for colour in (0, 1)]
    return [[*range(64)]]


def _placed(
    game: Endings, pieces: list[tuple[str, int]], groups: tuple[list[int], ...], rng: random.Random
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
