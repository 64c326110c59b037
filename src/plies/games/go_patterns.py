"""Patterns of 3x3 points, for the playouts and priors of Go, as one table.

They are those of Gelly, Wang, Munos and Teytaud, Modification of UCT with Patterns in Monte-Carlo Go, 2006:
hane, cuts, and moves at the edge.
"""

from __future__ import annotations

from functools import cache

import numpy as np

DRAWN = """
XOX  XO.  XO?  XO?  XO?  ?X?  OX?  X.?  OX?  ?X?  ?XO  ?OX
...  ...  X..  O.o  O.X  O.O  o.O  O.?  X.O  x.O  x.x  X.O
???  ?.?  x.?  ?o?  ???  ooo  ???  ###  ###  ###  ###  ###
"""
"""The move is in the middle. X, O: a stone of either player and one of the other; x, o: anything but that
stone; .: empty; #: beyond the edge; ?: anything."""

EMPTY, MINE, THEIRS, EDGE = range(4)
_MEANING = {
    "X": {MINE},
    "O": {THEIRS},
    ".": {EMPTY},
    "#": {EDGE},
    "x": {EMPTY, THEIRS, EDGE},
    "o": {EMPTY, MINE, EDGE},
    "?": {EMPTY, MINE, THEIRS, EDGE},
}
_AROUND = (0, 1, 2, 3, 5, 6, 7, 8)
"""The points around the middle one, in the order of their bits."""


@cache
def pattern_table() -> np.ndarray:
    """Whether a neighbourhood of 16 bits fits a pattern, in any rotation or reflection.

    Its lower eight bits are the points around with a stone of the player to move, the upper eight those with
    one of the opponent; points beyond the edge are both.
    """
    table = np.zeros(1 << 16, np.uint8)
    for pattern in _patterns():
        fitting = np.zeros(1, np.int64)
        for i, kinds in enumerate(pattern):
            bits = np.array([(kind & 1) << i | (kind >> 1) << 8 + i for kind in sorted(kinds)])
            fitting = np.add.outer(fitting, bits).ravel()
        table[fitting] = 1
    return table


def _patterns() -> set[tuple[frozenset[int], ...]]:
    """What may stand on each of the points around a move, for all symmetries and both colours."""
    found = set()
    for rows in zip(*map(str.split, DRAWN.strip().splitlines()), strict=True):
        points = ["".join(rows)[i] for i in range(9)]
        for turn in range(8):
            if turn == 4:  # reflect
                points = [points[3 * (i // 3) + 2 - i % 3] for i in range(9)]
            points = [points[3 * (2 - i % 3) + i // 3] for i in range(9)]  # rotate
            for swapped in (points, [_SWAP.get(mark, mark) for mark in points]):
                found.add(tuple(frozenset(_MEANING[swapped[i]]) for i in _AROUND))
    return found


_SWAP = {"X": "O", "O": "X", "x": "o", "o": "x"}
