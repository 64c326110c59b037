"""Piece-square tables of chess."""

from __future__ import annotations

from typing import Any

import numpy as np


def _piece_square_tables() -> Any:
    """Piece-square tables for White, by phase, then piece and square. Formulas set by hand."""
    table = np.zeros((2, 6 * 64), np.int64)
    for square in range(64):
        file, rank = square % 8, square // 8
        across, up = min(file, 7 - file), min(rank, 7 - rank)  # steps from the edges
        ring, centre = min(across, up), across + up
        advance = rank - 1
        middle = (
            # Pawns go forward, in the centre first; those before a castled king had better stay.
            (across - 1) * 3 * min(advance, 4) // 2
            + 2 * advance * (advance > 2)
            - 18 * (across == 3 and rank == 1),
            8 * centre - 28 + 3 * min(rank, 5) - 8 * (ring == 0),
            4 * centre - 10 + 3 * ring - 8 * (rank == 0),
            5 * across - 6 + 22 * (rank == 6) - 4 * (0 < rank < 4),
            2 * ring - 3 * (rank > 3) + 2,
            (3 - across) * 9 - 18 * rank - (14 if across == 3 and rank == 0 else 0) + 10,
        )
        end = (
            (0, 0, 4, 10, 20, 36, 60, 0)[rank],
            6 * centre - 20,
            3 * centre - 9,
            2 * (rank > 3) + 6 * (rank == 6),
            5 * ring - 6 + 2 * (rank > 3),
            10 * centre + 6 * ring - 36,
        )
        for kind in range(6):
            table[:, kind * 64 + square] = middle[kind], end[kind]
    return table


PIECE_SQUARE_TABLES = _piece_square_tables()
