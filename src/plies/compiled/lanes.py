"""Sums of rows of 16-bit numbers, for networks: interpreted by NumPy, compiled sixteen numbers at a time.

A plain loop over 16-bit rows is not vectorised at 16 and 32 numbers. Sums wrap around, interpreted and
compiled, so that what is added and taken away again leaves nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LANES = 16
"""The numbers that are handled at once; rows are a multiple of this. AVX2 adds sixteen of 16 bits."""


def add_rows(
    sums: Any, source: int, target: int, rows: Any, added: Any, more: int, removed: Any, less: int
) -> None:
    """Write a row of sums, plus the rows numbered by the first `more` of `added`, less those numbered by the
    first `less` of `removed`, to another row of sums, or the same."""
    row = sums[source].copy()
    for number in added[:more]:
        row += rows[number]
    for number in removed[:less]:
        row -= rows[number]
    sums[target] = row


def clipped_product(sums: Any, row: int, most: int, weights: Any, other: int) -> int:
    """The sum of products of a row of sums, clipped between 0 and `most`, and a row of weights.

    It has 32 bits: see `plies.network.MOST_OUTWARD`.
    """
    clipped = np.clip(sums[row], 0, most).astype(np.int64)
    return int(clipped @ weights[other].astype(np.int64))
