"""Tuples as boards: one meaning interpreted and compiled."""

from __future__ import annotations

from typing import Any


def replaced(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    """The tuple with another item at an index from 0: a board on which one cell has changed."""
    if not 0 <= index < len(items):
        raise IndexError("replaced() needs an index from 0 to the length of the tuple - 1")
    return (*items[:index], item, *items[index + 1 :])
