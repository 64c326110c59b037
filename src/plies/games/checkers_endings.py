"""Endings of checkers by the number of their pieces: all positions, and numbers for them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from plies.bits import lowest, popcount
from plies.errors import BadParameter
from plies.games.checkers_board import State, squares_of
from plies.games.checkers_evaluation import Evaluation

MOST_PIECES = 5
"""The most pieces of an ending: with six, there are some 2.5 billion positions."""

DIGIT = 4
"""The bits that count the pieces of a kind in the number of a stage."""

OVER = 0
"""The stage of positions in which the player to move has no pieces."""

CHOICES = np.array([[math.comb(n, k) for k in range(MOST_PIECES + 1)] for n in range(33)])
"""In how many ways k of n squares can be chosen."""

Material = tuple[int, int, int, int]
"""How many black men, black kings, white men and white kings there are."""


class Endings(Evaluation):
    """Checkers with few pieces: the positions to begin with, and numbers for all of them.

    A stage is the material, and a number the squares of each kind of piece, in the combinatorial number
    system, and who is to move. Positions in which the player to move has no pieces are all one and the same.
    """

    endings = ("2",)

    def roots(self, ending: str) -> Iterator[np.ndarray]:
        """All positions with up to so many pieces, as rows of numbers: "3"."""
        for counts in _materials(ending):
            yield from _placements(*counts)

    def stages(self, ending: str) -> Iterator[tuple[int, int]]:
        """Every material of up to so many pieces, fewer pieces and fewer men first."""
        if not ending:
            return
        yield OVER, 2
        for counts in sorted(_materials(ending), key=lambda counts: (sum(counts), counts[0] + counts[2])):
            numbers = math.prod(math.comb(28 if i % 2 == 0 else 32, count) for i, count in enumerate(counts))
            yield sum(count << i * DIGIT for i, count in enumerate(counts)), 2 * numbers

    def stage(self, state: State) -> int:
        """The material."""
        if state.mine == 0:
            return OVER
        found = 0
        for i in range(4):
            found |= popcount(self.kind(state, i)) << i * DIGIT
        return found

    def kind(self, state: State, place: int) -> int:
        """The pieces of a kind: black men, black kings, white men or white kings."""
        side = state.mine if (place >> 1) == state.player else state.theirs
        return side & state.kings if place & 1 else side & ~state.kings

    def index(self, state: State) -> int:
        if state.mine == 0:
            return state.player
        if state.theirs == 0 or popcount(state.mine | state.theirs) > MOST_PIECES:
            return -1
        number = 0
        for i in range(4):
            pieces, count, chosen = self.kind(state, i), 0, 0
            while pieces != 0:
                bit = lowest(pieces)
                count += 1
                chosen += int(CHOICES[bit - bit // 9 - (4 if i == 2 else 0), count])
                pieces &= pieces - 1
            number = number * int(CHOICES[28 if i & 1 == 0 else 32, count]) + chosen
        return number << 1 | state.player

    def state_at(self, stage: int, index: int) -> State:
        """The position of a number; one without pieces of either player if there is none."""
        player = index & 1
        if stage == OVER:
            return State(0, 1, 1, player, 0)
        number, black, white, kings = index >> 1, 0, 0, 0
        for j in range(4):
            i = 3 - j
            count = stage >> i * DIGIT & 15
            ways = int(CHOICES[28 if i & 1 == 0 else 32, count])
            chosen, number = number % ways, number // ways
            square = 28 if i & 1 == 0 else 32
            while count > 0:
                square -= 1
                while int(CHOICES[square, count]) > chosen:
                    square -= 1
                chosen -= int(CHOICES[square, count])
                count -= 1
                place = square + (4 if i == 2 else 0)
                bit = 1 << place + place // 8
                if (black | white) & bit:
                    return State(0, 0, 0, player, 0)
                black |= bit if i < 2 else 0
                white |= bit if i >= 2 else 0
                kings |= bit if i & 1 else 0
        return State(black, white, kings, 0, 0) if player == 0 else State(white, black, kings, 1, 0)


def _materials(ending: str) -> Iterator[Material]:
    """Every material of two pieces or more, up to so many, with pieces of both players."""
    if ending not in map(str, range(2, MOST_PIECES + 1)):
        raise BadParameter(
            f"an ending of checkers is named by the most pieces it has, 2 to {MOST_PIECES}, not {ending!r}"
        )
    for pieces in range(2, int(ending) + 1):
        for black_men, black_kings, white_men in product(range(pieces + 1), repeat=3):
            white_kings = pieces - black_men - black_kings - white_men
            if white_kings >= 0 and 0 < black_men + black_kings < pieces:
                yield black_men, black_kings, white_men, white_kings


def _placements(*counts: int) -> Iterator[np.ndarray]:
    """All placements of so many black men, black kings, white men and white kings, with either to move."""
    board = [squares_of((square,)) for square in range(1, 33)]
    allowed = (board[:28], board, board[4:], board)  # a man on the last row would be a king
    found = np.zeros((1, 4), np.int64)
    for kind, (count, squares) in enumerate(zip(counts, allowed, strict=True)):
        sets = np.array([sum(chosen) for chosen in combinations(squares, count)], np.int64)
        before, added = np.repeat(found, len(sets), 0), np.tile(sets, len(found))
        free = before.sum(1) & added == 0
        found = before[free]
        found[:, kind] = added[free]
    black, white, kings = found[:, 0] + found[:, 1], found[:, 2] + found[:, 3], found[:, 1] + found[:, 3]
    none = np.zeros_like(black)
    for player, (mine, theirs) in enumerate(((black, white), (white, black))):
        yield np.stack([mine, theirs, kings, none + player, none], 1)
