"""Record formats: how the games of one kind are written and read as text, such as PGN for chess."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from plies.history import History


class RecordFormat(NamedTuple):
    """A text format for records of a game; `Game.record_formats` lists those of a game."""

    name: str
    """The suffix of its files, in lower case: "pgn"."""
    write: Callable[[History], str]
    """The record of a game."""
    read: Callable[[str, type[Any]], Sequence[History]]
    """The games in a text, each move checked, as games of a class: the one that lists this format, or a
    subclass. Raises a `PliesError` for a text it cannot read."""
    recognises: Callable[[str], bool]
    """Whether a text, without leading space, looks like this format."""
