"""What an analysis reports while it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far an analysis is."""

    phase: str
    """"listing", "sorting", "values", "verifying" or "writing"."""
    states: int
    """States found."""
    done: int
    """Of these, how many this phase has seen to."""
    distance: int = 0
    """The distance that values have reached, in plies."""
    total: int = 0
    """How many there will be in all; 0 if that is not known yet."""


Report = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Report nothing."""
