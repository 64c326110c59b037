"""Confidence intervals: how far a share that was measured may be from the true one."""

from __future__ import annotations

import math

SURE = 1.959964
"""The standard deviations to either side that hold 95 % of a normal distribution."""


def wilson(share: float, count: float) -> tuple[float, float]:
    """Where the true share lies with 95 % certainty, if `share` of `count` trials came out so (Wilson 1927).

    It is exact enough for few trials and for clear results.
    """
    if count == 0:
        return 0.0, 1.0
    n, p, z = count, share, SURE
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    width = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return 0.0 if p == 0 else centre - width, 1.0 if p == 1 else centre + width
