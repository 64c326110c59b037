"""Large type: a setting for all pictures that are to be read from the last row of a lecture hall."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LARGE = 1.5
"""How many times as large letters are: 11 pixels, the smallest, become 16. Not tuned."""

_scale: ContextVar[float] = ContextVar("scale", default=1.0)


@contextmanager
def large_type() -> Iterator[None]:
    """Draw trees, boards and plots with large type in the block of a `with` statement: for slides."""
    token = _scale.set(LARGE)
    try:
        yield
    finally:
        _scale.reset(token)


def scale() -> float:
    """How many times as large letters are to be drawn: 1, or more within `large_type`."""
    return _scale.get()
