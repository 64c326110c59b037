"""The time manager: how much of a clock to spend on a move, in any game.

See "Time Management" in the chess programming wiki, and Hyatt, Using Time Wisely, ICCA Journal 1984.
"""

from __future__ import annotations

from dataclasses import dataclass

OVERHEAD = 0.05
"""The seconds of each move that are not spent searching: to end a search, for pipes and the other program. A
search ends within MOMENT of `background.py`, which is as long; the rest is not tuned."""

EXPECTED_MOVES = 30
"""The moves that are assumed to be left where nobody says: a player of chess makes about forty in a game, and
long games must not run out of time. Not tuned."""

INCREMENT_SHARE = 0.75
"""The share of the increment that a move may spend besides its share of the clock; the rest is saved.
Not tuned."""

STRETCH = 3.0
"""How many times its share a move may take that is harder than expected. Not tuned."""

LARGEST_SHARE = 0.5
"""The largest part of the clock that one of several moves may take. Not tuned."""

LEAST = 0.001
"""The least seconds of a move: a search needs a limit above 0."""


@dataclass(frozen=True)
class Clock:
    """A player's clock, in seconds."""

    remaining: float
    increment: float = 0.0
    """What each move adds, after it was made."""
    moves_to_go: int | None = None
    """The moves until more time is added; None: the clock is for the rest of the game (sudden death)."""


def time_for_move(clock: Clock, overhead: float = OVERHEAD) -> tuple[float, float]:
    """The seconds for the next move, soft and hard: after the first begin no new depth, at the second stop.

    The hard limit is always below the time remaining, less the overhead, if that much is left.
    """
    moves = min(max(1, clock.moves_to_go or EXPECTED_MOVES), EXPECTED_MOVES)
    spendable = max(LEAST, clock.remaining - overhead)
    reserved = max(LEAST, clock.remaining - overhead * moves)  # every one of them has its overhead
    share = reserved / moves + INCREMENT_SHARE * max(0.0, clock.increment)
    hard = min(STRETCH * share, spendable * (1.0 if moves == 1 else LARGEST_SHARE))
    return max(LEAST, min(share, hard)), max(LEAST, hard)
