"""The exact values of all positions of Tic-Tac-Toe, found by looking at every one of them once."""

from __future__ import annotations

from functools import cache

from plies.grade.child.tables import moves, positions, winner

MINIMAX_LEAVES, ALPHA_BETA_LEAVES = 255_168, 7_330
"""The leaves on the empty board, by `plies.book`, cells from 1 to 9: of 549,946 and of 18,297 nodes."""

POSITIONS = 5_478
"""The positions of Tic-Tac-Toe that can come up."""


@cache
def values() -> dict[str, int]:
    """The value of each position to X, in the order of `positions`."""
    found: dict[str, int] = {}
    for position in reversed(positions()):
        below = [found[child] for _, child in moves(position)]
        if below:
            found[position] = max(below) if position.count(".") % 2 else min(below)
        else:
            found[position] = {"X": 1, "O": -1, "": 0}[winner(position)]
    return {position: found[position] for position in positions()}
