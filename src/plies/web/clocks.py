"""Clocks of games on the page: how long they may be, and how much of one a machine spends on a move."""

from __future__ import annotations

from dataclasses import replace

from plies.engine import Limit
from plies.engine.time_manager import Clock, time_for_move
from plies.web.fields import number
from plies.web.protocol import MOST_MOVES

LONGEST_CLOCK, LONGEST_INCREMENT = 180.0, 60.0
"""The most minutes of a player, and the most seconds for a move. Not tuned."""

OVERHEAD = 0.25
"""The seconds of each move that a machine leaves for the way to the page, and for others whom the server
searches for. Not tuned."""

INCREMENT = number(0, LONGEST_INCREMENT, 0)
CLOCK_FIELDS = {
    "clock": number(0, 60 * LONGEST_CLOCK + MOST_MOVES * LONGEST_INCREMENT, None),
    "increment": INCREMENT,
}
"""The clock of the machine that is to move: the seconds left, None without a clock, and those for a move."""


def within(limit: Limit, clock: float | None, increment: float) -> Limit:
    """The limit of a move, which takes no more than its share of a clock, if there is one."""
    if clock is None:
        return limit
    share, _ = time_for_move(Clock(clock, increment), OVERHEAD)
    return replace(limit, time=share if limit.time is None else min(limit.time, share))
