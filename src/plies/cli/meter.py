"""The progress line of commands that make databases and opening books, with an estimate of the time left."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plies.retrograde.checkpoint import Checkpoint
    from plies.retrograde.progress import Progress

COLUMNS = 79
"""The columns of the progress line: one less than those of a terminal by default, 80."""

SOON = 1.0
"""The seconds before the time left is estimated. Not tuned."""


class Clock:
    """Estimates the time left from how much was done since it was first asked."""

    def __init__(self) -> None:
        self.begun: tuple[float, int] | None = None

    def left(self, done: int, total: int) -> str:
        """The time left in words; "" while it is not known."""
        now = time.monotonic()
        if self.begun is None:
            self.begun = now, done
        seconds, more = now - self.begun[0], done - self.begun[1]
        if seconds < SOON or more <= 0:
            return ""
        return f", {duration(seconds * (total - done) / more)} left"


class Meter:
    """Shows how far the making of a database is."""

    def __init__(self, checkpoint: Checkpoint | None = None) -> None:
        self.checkpoint, self.clock = checkpoint, Clock()
        self.told = False

    def __call__(self, progress: Progress) -> None:
        if self.checkpoint is not None and self.checkpoint.resumed and not self.told:
            self.told = True
            print(f"plies: going on with {self.checkpoint.folder}", file=sys.stderr)
        done, states = f"{progress.done:,}", f"{progress.states:,}"
        if progress.phase == "listing" and progress.total:
            words = f"{done} of {progress.total:,} positions{self.clock.left(progress.done, progress.total)}"
        elif progress.phase == "listing":
            least = self.clock.left(progress.done, progress.states).replace(", ", ", at least ")
            words = f"{states} positions found, {done} expanded{least}"
        elif progress.phase == "values":
            words = f"{done} of {states} positions decided, distance {progress.distance}"
        else:
            words = f"{states} positions; sorting predecessors"
        show(f"plies: {words} …")


class VerifyingMeter:
    """Shows how far a verification is."""

    def __init__(self) -> None:
        self.clock = Clock()

    def __call__(self, done: int, entries: int) -> None:
        show(f"plies: {done:,} of {entries:,} entries verified{self.clock.left(done, entries)} …")


def duration(seconds: float) -> str:
    """A duration in the unit that suits it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"


def show(text: str) -> None:
    """Overwrite the current line of the terminal, and leave the cursor at its beginning."""
    if sys.stderr.isatty():
        print(f"\r{text[:COLUMNS]:{COLUMNS}}\r", end="", file=sys.stderr, flush=True)
