"""A published number: what it is, who published it when, and how to compute it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

QUICK = 8.0
"""Seconds up to which an entry belongs to the quick set: all of that takes less than five minutes."""


@dataclass(frozen=True)
class Entry:
    """A published number."""

    name: str
    """What it is called, by words with hyphens: the game first."""
    what: str
    """What the number is, in a phrase."""
    author: str
    year: int
    source: str
    """Where it is published."""
    expected: Any
    """The number as published: plain data, as JSON has it."""
    seconds: float
    """About how long it takes on a core of a small virtual machine, with the compiler, in CPU time."""
    compute: Callable[[], Any]
    """Computes it. What this needs is imported when it runs."""

    @property
    def cost(self) -> str:
        """The set that it belongs to: "quick" or "long"."""
        return "quick" if self.seconds <= QUICK else "long"

    @property
    def reference(self) -> str:
        """Author and year."""
        return f"{self.author} {self.year}"
