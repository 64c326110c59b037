"""Record formats: how the games of one kind are written and read as text, such as PGN for chess."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from plies.history import History
    from plies.variations import Tree


class MoveNote(NamedTuple):
    """What is known about a move besides the move."""

    value: float | str | None = None
    """What its player's search found, to that player: an estimate in units of the game, or what was proved,
    in words such as "win in 5"."""
    depth: int | None = None
    seconds: float | None = None
    """How long it took."""
    clock: float | None = None
    """The seconds left on the clock after it."""

    @property
    def mate(self) -> int | None:
        """The plies to a proved end of the game, negative if its player loses; None if no such is known."""
        found = re.search(r"(win|loss).* in ([0-9]+)$", self.value) if isinstance(self.value, str) else None
        return None if found is None else int(found[2]) * (1 if found[1] == "win" else -1)

    def __str__(self) -> str:
        """The note as cutechess writes it: "+0.31/5 0.12s"."""
        value = f"{self.value:+.2f}" if isinstance(self.value, int | float) else self.value or ""
        depth = "" if self.depth is None or not value else f"/{self.depth}"
        return " ".join(filter(None, [value + depth, "" if self.seconds is None else f"{self.seconds:g}s"]))


class Annotations(NamedTuple):
    """What is known about a game besides its moves."""

    players: tuple[str, str]
    score: float
    """The score of the first of them: 1, 0.5 or 0."""
    reason: str = ""
    """What ended the game, if not its last position."""
    termination: str = "normal"
    """"normal", "time forfeit", "abandoned" or "adjudication"."""
    event: str = "?"
    round: str = "?"
    time_control: str = ""
    """"10+0.1", for example; "" without a clock."""
    notes: Sequence[MoveNote] = ()
    """By move."""


class AnnotatedGame(NamedTuple):
    """All that a record says: the game, its variations and comments, its headers and its result."""

    history: History
    """The main line."""
    tree: Tree
    """The main line with variations and notes: see `plies.variations`."""
    headers: dict[str, str] = {}
    """Such as White, Black and Event in PGN, PB, PW and EV in SGF; those that say nothing are left out."""
    result: str = ""
    """As the format writes it, such as "1-0" or "B+3.5"; "" if it is not known."""
    left_out: tuple[str, ...] = ()
    """What could not be read, a sentence each."""


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
    annotated: Callable[[History, Annotations], str] | None = None
    """The record of a game with all that is known about it; None if the format has no place for that."""
    read_tree: Callable[[str, type[Any]], Sequence[AnnotatedGame]] | None = None
    """The games in a text with their variations, comments, headers and results; None if there are none."""
    write_tree: Callable[[AnnotatedGame], str] | None = None
    """The record of such a game; None if the format has no place for variations and comments."""
    outcome: Callable[[int | None, str], str] | None = None
    """The result of a game that a player has won (None: a draw) otherwise than by the rules: "resigned",
    "time" or "agreed"."""
