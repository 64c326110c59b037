"""The last moves of Othello: a search to the end for positions with few empty cells.

It has no table and does not generate moves: it tries every empty cell. Regions with an odd number of empty
cells come first (parity); before these, while there is much to choose from, the move that leaves the opponent
the fewest replies (fastest first).
"""

from __future__ import annotations

import math
from typing import Any

from plies.bits import add, left, lowest, popcount
from plies.rules import noinline

LAST = 7
"""With this many empty cells or fewer, the rest of the game is searched here. Of 6, 7 and 8, the number with
which problems 40 to 44 of the FFO took the least time."""

CHOICE = 6
"""With this many empty cells or more, the move that leaves the fewest replies comes first. Of 5 and 6, the
quicker on the same problems."""


def proved_bounds(game: Any, mine: int, theirs: int, alpha: float, beta: float) -> tuple[float, float]:
    """Bounds of the value to the player who moves and owns `mine`: tight, if few cells are empty."""
    low, high = game.bounds
    if game.cells - popcount(mine | theirs) > LAST:
        return low, high
    least, most = math.floor(max(alpha, low)), math.ceil(min(beta, high))
    value = last_moves(game, mine, theirs, least, most)
    return value if value > least else low, value if value < most else high


@noinline
def last_moves(game: Any, mine: int, theirs: int, alpha: int, beta: int) -> int:
    """The value of a position, exact between alpha and beta (fail-soft)."""
    empty = game.board & ~(mine | theirs)
    count = popcount(empty)
    best: int = -game.cells - 1
    odd = odd_quadrants(game, empty)
    first = fewest_replies(game, mine, theirs, empty, odd) if count >= CHOICE else 0
    for turn in range(3):
        cells = first
        if turn > 0:
            cells = empty & ~first & (odd if turn == 1 else ~odd)
        while cells != 0:
            cell = lowest(cells)
            cells &= add(cells, -1)
            turned = game.turned(mine, theirs, cell)
            if turned != 0:
                one, other = theirs ^ turned, mine ^ turned ^ left(1, cell)
                if count == 3:
                    value = -last_two(game, one, other, -beta, -max(alpha, best))
                else:
                    value = -last_moves(game, one, other, -beta, -max(alpha, best))
                best = max(best, value)
                if best >= beta:
                    return best
    if best >= -game.cells:
        return best
    if game.moves(theirs, mine) != 0:
        return -last_moves(game, theirs, mine, -beta, -alpha)
    return final(game, mine, theirs)


@noinline
def fewest_replies(game: Any, mine: int, theirs: int, cells: int, odd: int) -> int:
    """The cell, as a bitboard, of the move that leaves the opponent the fewest replies; 0 if there is none.

    Replies in corners count twice; of equal moves, one in an odd region comes first, then one in a corner.
    """
    best, fewest = 0, 4 * game.cells
    while cells != 0:
        cell = lowest(cells)
        cells &= add(cells, -1)
        turned = game.turned(mine, theirs, cell)
        if turned != 0:
            disc = left(1, cell)
            moves = game.moves(theirs ^ turned, mine ^ turned ^ disc)
            replies = 4 * (popcount(moves) + popcount(moves & game.corners))
            replies -= 2 * popcount(disc & odd) + popcount(disc & game.corners)
            if replies < fewest:
                best, fewest = disc, replies
    return best


def last_two(game: Any, mine: int, theirs: int, alpha: int, beta: int) -> int:
    """The value of a position with two empty cells, as `last_moves`."""
    empty = game.board & ~(mine | theirs)
    first, second = lowest(empty), lowest(empty & add(empty, -1))
    sign = 1
    for _ in range(2):
        best: int = -game.cells - 1
        turned = game.turned(mine, theirs, first)
        if turned != 0:
            best = -last_one(game, theirs ^ turned, mine ^ turned ^ left(1, first), second)
        if best < beta:
            turned = game.turned(mine, theirs, second)
            if turned != 0:
                other = -last_one(game, theirs ^ turned, mine ^ turned ^ left(1, second), first)
                best = max(best, other)
        if best >= -game.cells:
            return sign * best
        mine, theirs, beta, sign = theirs, mine, -alpha, -1  # a pass
    return final(game, mine, theirs)  # two passes, so `mine` is what it was


def last_one(game: Any, mine: int, theirs: int, cell: int) -> int:
    """The value of a position with one empty cell."""
    cells: int = game.cells
    turned = game.turned(mine, theirs, cell)
    if turned != 0:
        return 2 * popcount(mine ^ turned) + 2 - cells
    turned = game.turned(theirs, mine, cell)
    if turned != 0:
        return cells - 2 - 2 * popcount(theirs ^ turned)
    return final(game, mine, theirs)


def final(game: Any, mine: int, theirs: int) -> int:
    """The discs of `mine` less those of `theirs`, with the empty cells where they count for the winner."""
    one, other = popcount(mine), popcount(theirs)
    lead = one - other
    if game.empties_to_winner and lead != 0:
        empty = game.cells - one - other
        lead += empty if lead > 0 else -empty
    return lead


def odd_quadrants(game: Any, empty: int) -> int:
    """The quadrants of the board that have an odd number of empty cells."""
    found = 0
    half = game.size // 2
    for i in range(4):
        quadrant = left(game.quadrant, (i >> 1) * half * game.size + (i & 1) * half)
        if popcount(quadrant & empty) & 1:
            found |= quadrant
    return found
