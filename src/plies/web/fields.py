"""Fields of messages: what a JSON value must be, how large it may be, and what a handler gets for it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from plies.errors import PliesError

LONGEST_NAME = 60
"""The most characters of a name in an error. Not tuned."""

REQUIRED = object()
"""Stands for no default."""


class BadMessage(PliesError):
    """A message that cannot be read, with its id if it has one."""

    def __init__(self, sentence: str, id_: int | None = None) -> None:
        super().__init__(sentence)
        self.id = id_


@dataclass(frozen=True)
class Field:
    """One field of a message."""

    read: Callable[[str, Any], Any]
    """Takes the field's name and its JSON value; returns what the handler gets, or raises `PliesError`."""
    default: Any = REQUIRED
    """Stands in for a value that is missing or null."""

    def take(self, name: str, data: dict[str, Any]) -> Any:
        """Remove the field from a message's data, and read it."""
        value = data.pop(name, self.default)
        if value is REQUIRED:
            raise BadMessage(f"the field {name!r} is missing")
        if value is None and self.default is not REQUIRED:
            return self.default
        return value if value is self.default else self.read(name, value)


def text(longest: int, default: Any = REQUIRED) -> Field:
    """Text of a limited length."""

    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise BadMessage(f"{name[:LONGEST_NAME]} must be text of at most {longest:,} characters")
        return value

    return Field(read, default)


def integer(least: int, most: int, default: Any = REQUIRED) -> Field:
    """A whole number within limits."""

    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise BadMessage(f"{name} must be a whole number from {least:,} to {most:,}")
        return value

    return Field(read, default)


def number(least: float, most: float, default: Any = REQUIRED) -> Field:
    """A number within limits."""

    def read(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise BadMessage(f"{name} must be a number from {least:g} to {most:g}")
        return value

    return Field(read, default)


def boolean(default: Any = REQUIRED) -> Field:
    """True or false."""

    def read(name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise BadMessage(f"{name} must be true or false")
        return value

    return Field(read, default)


def choice(options: Collection[str]) -> Field:
    """One of a few words."""

    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in options:
            raise BadMessage(f"{name} must be one of {', '.join(options)}")
        return value

    return Field(read)


def list_of(item: Field, most: int, least: int = 0, default: Any = REQUIRED) -> Field:
    """A list of a limited length, of items of one kind."""

    def read(name: str, value: Any) -> list[Any]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            count = f"{least} to" if least else "at most"
            raise BadMessage(f"{name} must be a list of {count} {most:,} items")
        return [item.read(f"an item of {name}", one) for one in value]

    return Field(read, default)


def object_of(key: Field, item: Field, most: int, default: Any = REQUIRED) -> Field:
    """An object with a limited number of members, all of one kind."""

    def read(name: str, value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict) or len(value) > most:
            raise BadMessage(f"{name} must be an object of at most {most:,} members")
        return {key.read(f"a name in {name}", one): item.read(one, value[one]) for one in value}

    return Field(read, default)


def pair(first: Field, second: Field) -> Field:
    """A list of two."""

    def read(name: str, value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list) or len(value) != 2:
            raise BadMessage(f"{name} must be a list of two")
        return first.read(name, value[0]), second.read(name, value[1])

    return Field(read)
