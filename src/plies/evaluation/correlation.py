"""Rank correlation: whether two measures order things in the same way, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from plies.intervals import SURE


class Correlation(NamedTuple):
    """A rank correlation from -1, the opposite order, to 1, the same order; and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.3f}  (95 % interval {self.low:+.3f} to {self.high:+.3f})"


def spearman(first: Sequence[float], second: Sequence[float]) -> Correlation | None:
    """Spearman's rho: Pearson's correlation of the ranks, where equals share the mean of theirs.

    None if one of them has no order: all its values are equal. The interval is that of Bonett and Wright,
    "Sample size requirements for estimating Pearson, Kendall and Spearman correlations" (2000).
    """
    ranks = _ranks(first), _ranks(second)
    centred = [one - one.mean() for one in ranks]
    size = math.sqrt(float((centred[0] ** 2).sum() * (centred[1] ** 2).sum()))
    if size == 0:
        return None
    rho = float((centred[0] * centred[1]).sum()) / size
    return _interval(rho, (1 + rho**2 / 2) / max(len(first) - 3, 0.1))


def kendall(first: Sequence[float], second: Sequence[float]) -> Correlation | None:
    """Kendall's tau-b: pairs in the same order less pairs in the opposite one, corrected for equals.

    None, and the interval, as for `spearman`.
    """
    one, other = np.asarray(first, float), np.asarray(second, float)
    concordant, ordered = 0.0, [0.0, 0.0]
    for i in range(len(one) - 1):
        signs = np.sign(one[i] - one[i + 1 :]), np.sign(other[i] - other[i + 1 :])
        concordant += float((signs[0] * signs[1]).sum())
        ordered = [total + float(abs(sign).sum()) for total, sign in zip(ordered, signs, strict=True)]
    size = math.sqrt(ordered[0] * ordered[1])
    if size == 0:
        return None
    return _interval(concordant / size, 0.437 / max(len(first) - 4, 0.1))


def _ranks(values: Sequence[float]) -> np.ndarray[Any, Any]:
    """The rank of each value, from 1 on; equals have the mean of their ranks."""
    _, places, counts = np.unique(np.asarray(values, float), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places])


def _interval(value: float, variance: float) -> Correlation:
    """Fisher's transformation, in which the error is about normal with that variance."""
    value = max(-1.0, min(1.0, value))
    if abs(value) > 1 - 1e-12:
        return Correlation(math.copysign(1.0, value), math.copysign(1.0, value), math.copysign(1.0, value))
    centre, width = math.atanh(value), SURE * math.sqrt(variance)
    return Correlation(value, math.tanh(centre - width), math.tanh(centre + width))
