"""The limits of a search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from plies.errors import BadParameter

LONGEST = 1e9
"""The seconds that stand for no limit: thirty years."""

LONGEST_THOUGHT = 86_400.0
"""The most seconds for one move: a day. Not tuned."""

MOST = 1 << 60
"""The plies and nodes that stand for no limit: the kernels' INFINITY."""


@dataclass(frozen=True)
class Limit:
    """The limits of a search in seconds, plies and nodes; whichever is reached first ends it.

    Infinity is no limit: `Limit(time=inf)` searches until all is proved, or `stop`.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", checked(self.time, "time"))
        object.__setattr__(self, "depth", checked(self.depth, "depth", whole=True))
        object.__setattr__(self, "nodes", checked(self.nodes, "nodes", whole=True))


def checked(given: Any, name: str, whole: bool = False) -> Any:
    """A limit, checked, as Python's own number; infinity is the largest one that counts."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, Real):
        kind = "a whole number" if whole else "a number of seconds"
        raise BadParameter(f"the limit {name} must be {kind} above 0, not {_shown(given)}")
    number: Any = given
    if not number > 0:  # true for nan too
        raise BadParameter(f"the limit {name} must be above 0, not {given}")
    if not whole:
        return float(number) if number < LONGEST else LONGEST
    if isinstance(given, Integral) or number == math.inf:
        return int(number) if number < MOST else MOST
    raise BadParameter(f"the limit {name} must be a whole number, not {given}")


def _shown(given: Any) -> str:
    """The `repr` of a value, shortened."""
    text = repr(given)
    return text if len(text) <= 40 else f"{text[:39]}…"


DEFAULT = Limit(time=1.0)
"""The limit of a search without one. Not tuned."""
