"""The weights of an evaluation, a game's own or those it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plies.errors import BadParameter


def chosen(own: Sequence[float], given: Sequence[float] | None) -> np.ndarray[Any, Any]:
    """The weights given, or the game's own; raises `BadParameter` unless they are as many finite numbers."""
    if given is None:
        return np.array(own, float)
    try:
        weights = np.array(given, float)
    except (TypeError, ValueError):
        raise BadParameter(f"weights must be numbers, not {str(given)[:60]!r}") from None
    if weights.shape != (len(own),):
        raise BadParameter(f"there are {len(own)} weights, not {weights.size}")
    if not np.isfinite(weights).all():
        raise BadParameter("weights must be finite numbers, and not all of these are")
    return weights
