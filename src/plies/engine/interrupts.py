"""Ctrl-C, which makes a search move at once: how the caller of the search notices it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Interrupts:
    """Whether Ctrl-C was typed."""

    noticed: bool = False
    ignored: bool = False
    """Set when it should have no effect any more."""


@contextmanager
def noticing_interrupts() -> Iterator[Interrupts]:
    """Note Ctrl-C: a player that is made to move by it does not report it."""
    interrupts = Interrupts()

    def notice(*_: object) -> None:
        if not interrupts.ignored:
            interrupts.noticed = True
            raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, notice)
    except ValueError:  # not in the main thread, which no Ctrl-C reaches
        yield interrupts
        return
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)
