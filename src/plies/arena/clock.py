"""Time controls of matches, and the clocks of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass

from plies.engine.time_manager import Clock
from plies.errors import BadParameter

LONGEST = 86_400.0
"""The most seconds on a clock: a day. Not tuned."""


@dataclass(frozen=True)
class TimeControl:
    """The time for a game: seconds, an increment for each move and, if `moves` is set, for so many moves."""

    seconds: float
    increment: float = 0.0
    moves: int | None = None

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """The time control of words such as "10+0.1" or "40/60+1", as cutechess has them."""
        number = r"(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})"
        found = re.fullmatch(rf"(?:(\d{{1,4}})/)?{number}(?:\+{number})?", text.strip(), re.ASCII)
        if found is None:
            raise BadParameter(
                f"a clock is SECONDS, SECONDS+INCREMENT or MOVES/SECONDS+INCREMENT, such as 10+0.1, "
                f"not {text[:40]!r}"
            )
        moves, seconds, increment = found.groups()
        control = cls(float(seconds), float(increment or 0), int(moves) if moves else None)
        if not 0 < control.seconds <= LONGEST or control.increment > LONGEST or control.moves == 0:
            raise BadParameter(
                f"a clock has more than 0 and up to {LONGEST:,.0f} seconds, and 1 move or more, "
                f"not {text[:40]!r}"
            )
        return control

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves}/"
        return f"{moves}{self.seconds:g}" + (f"+{self.increment:g}" if self.increment else "")


class GameClock:
    """The clock of one player during a game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.remaining = control.seconds
        self._made = 0

    def spend(self, seconds: float) -> bool:
        """Take the time of a move; whether that was in time. If so, the increment is added."""
        self.remaining -= seconds
        if self.remaining < 0:
            return False
        self._made += 1
        self.remaining += self.control.increment
        if self.control.moves is not None and self._made % self.control.moves == 0:
            self.remaining += self.control.seconds
        return True

    @property
    def now(self) -> Clock:
        """What a player may be told."""
        moves = self.control.moves
        left = None if moves is None else moves - self._made % moves
        return Clock(self.remaining, self.control.increment, left)
