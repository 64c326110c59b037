"""How many states there will be, by how the layers of those found so far have grown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from plies.errors import PliesError
from plies.retrograde.memory import in_words

LEAST_LAYERS = 7
"""Layers below which nothing is estimated: the first ones say little. Not tuned."""

MARGIN = 10
"""By how many times an estimate must be too much before work is given up. From 100,000 states on, estimates
for Connect Four were up to 2 times too large for 5 columns and 4 rows, and 40 times too small for 7 and 6."""

MOST = 1e40
"""Where an estimate ends: beyond, it says nothing."""


def extrapolated(layers: Sequence[int]) -> float | None:
    """About how many states there will be in all; None if nothing can be said.

    The logarithms of the ratios of layers are taken to fall in a line, so that layers first grow and then
    shrink like a bell curve: it is fitted to the second half of the ratios by least squares.
    """
    if len(layers) < LEAST_LAYERS or min(layers) < 1:
        return None
    ratios = [math.log(after / before) for before, after in pairwise(layers)]
    fitted = list(enumerate(ratios))[len(ratios) // 2 :]
    centre = sum(x for x, _ in fitted) / len(fitted)
    mean = sum(y for _, y in fitted) / len(fitted)
    slope = sum((x - centre) * (y - mean) for x, y in fitted) / sum((x - centre) ** 2 for x, _ in fitted)
    if slope >= 0:
        return None
    total, last, place = float(sum(layers)), float(layers[-1]), len(ratios)
    while last >= 1 and total < MOST:
        last *= math.exp(mean + slope * (place - centre))
        total += last
        place += 1
    return total if total < MOST else None


def rounded(number: float) -> int:
    """A number with two digits that count."""
    return int(float(f"{number:.1e}"))


def check_growth(layers: Sequence[int], each: float, room: int) -> None:
    """Raise an error, with how many states there will be, if they take far more bytes than there are."""
    total = extrapolated(layers)
    if total is not None and each * total > MARGIN * room:
        raise PliesError(
            f"there are about {rounded(total):,} states, an estimate by the growth of the {sum(layers):,} "
            f"found so far: they would take {in_words(each * total)}, more than the {in_words(room)} there "
            "are; solve something smaller"
        )
