"""The weights of an evaluation, a game's own or those it is given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from plies.arrays import floats
from plies.errors import BadParameter


def chosen(own: Sequence[float], given: Sequence[float] | str | None) -> Any:
    """The weights given, or the game's own; raises `BadParameter` unless they are as many finite numbers."""
    if given is None:
        return floats(own)
    try:
        weights = [] if isinstance(given, str) else [float(weight) for weight in given]
    except (OverflowError, TypeError, ValueError):
        weights = []
    if not weights:
        raise BadParameter(f"weights must be numbers, not {str(given)[:60]!r}")
    if len(weights) != len(own):
        raise BadParameter(f"there are {len(own)} weights, not {len(weights)}")
    if not all(map(math.isfinite, weights)):
        raise BadParameter("weights must be finite numbers, and not all of these are")
    return floats(weights)
