"""Ctrl-C, which makes a search move at once: whoever asked for the search learns of it here."""

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
    """Set where it should mean nothing any more."""


@contextmanager
def noticing_interrupts() -> Iterator[Interrupts]:
    """Remember that Ctrl-C was typed, for a player who is made to move by it does not tell."""
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
