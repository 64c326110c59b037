"""States as rows of whole numbers, and back: tuples within tuples laid out one after the other.

A database and its makers pack such rows into words: see `plies.retrograde.layout`.
"""

from __future__ import annotations

from typing import Any


def numbers_of(state: Any) -> list[int]:
    """The whole numbers that a state is made of, in order."""
    if isinstance(state, tuple):
        return [number for item in state for number in numbers_of(item)]
    return [int(state)]


def unpackable(value: Any, what: str = "a state") -> str:
    """Why a state is no row of numbers of 64 bits, in words; "" if it is."""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", range(len(value)))
        found = (
            unpackable(item, f"field {name!r} of {what}") for name, item in zip(names, value, strict=True)
        )
        return next(filter(None, found), "")
    if hasattr(value, "__index__"):  # a bool as well
        return "" if -(1 << 63) <= int(value) < 1 << 63 else f"{what} has more than 63 bits"
    return f"{what} is a {type(value).__name__}, not a whole number"


def write_state(state: Any, row: Any) -> None:
    """Write the numbers of a state into a row of 64-bit words."""
    numbers = numbers_of(state)
    if len(numbers) != len(row):
        raise ValueError(f"a state has {len(numbers)} numbers where others have {len(row)}")
    row[:] = numbers


def read_state(like: Any, row: Any) -> Any:
    """The state whose numbers a row holds; `like` is another state of the game."""
    return _rebuilt(like, [int(number) for number in row], 0)[0]


def _rebuilt(like: Any, row: list[int], place: int) -> tuple[Any, int]:
    if not isinstance(like, tuple):
        return type(like)(row[place]), place + 1
    items = []
    for item in like:
        value, place = _rebuilt(item, row, place)
        items.append(value)
    return (type(like)(*items) if hasattr(like, "_fields") else tuple(items)), place
