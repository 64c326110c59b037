"""A large matrix game as a linear program for SciPy's HiGHS (Huangfu and Hall 2018), in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from plies.errors import PliesError

TOLERANCE = 1e-6
"""How far apart, of the range of payoffs, the two players' bounds may be: ten times HiGHS' own tolerance."""


def solve_in_floats(
    rows: Sequence[Sequence[Fraction]],
) -> tuple[float, tuple[float, ...], tuple[float, ...]]:
    """The value and optimal mixed strategies of both players, to within rounding.

    One program serves both: maximise v, where the mixture of rows gets v or more against each column. The
    columns' shadow prices are the other player's strategy.
    """
    try:
        from scipy.optimize import linprog
    except ImportError:
        raise PliesError(
            f"a matrix of {len(rows)} × {len(rows[0])} is solved by SciPy: pip install 'plies[lp]', "
            "or ask for exact=True and wait"
        ) from None
    payoffs = np.array(rows, dtype=np.float64)
    height, width = payoffs.shape
    low, spread = payoffs.min(), float(np.ptp(payoffs)) or 1.0
    scaled = (payoffs - low) / spread  # HiGHS' tolerances are absolute
    found = linprog(
        np.append(np.zeros(height), -1),
        A_ub=np.hstack([-scaled.T, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=np.append(np.ones(height), 0)[None, :],
        b_eq=[1],
        bounds=[(0, None)] * height + [(None, None)],
        method="highs",
    )
    if found.status != 0:
        raise PliesError(f"HiGHS found no solution: {found.message}")
    row, column = _distribution(found.x[:height]), _distribution(-found.ineqlin.marginals)
    lower, upper = (row @ scaled).min(), (scaled @ column).max()
    if upper - lower > TOLERANCE:
        raise PliesError(
            f"HiGHS left a gap of {(upper - lower) * spread:g} between the players: ask for exact=True"
        )
    return float((lower + upper) / 2 * spread + low), tuple(map(float, row)), tuple(map(float, column))


def _distribution(weights: Any) -> Any:
    """Weights as probabilities, with what rounding left below 0 taken for 0."""
    weights = np.where(weights > TOLERANCE**2, weights, 0.0)
    return weights / weights.sum()
