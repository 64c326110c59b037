"""Published numbers as units of work: an entry each, by its name."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from plies.errors import PliesError
from plies.reproduce.entry import Entry
from plies.reproduce.table import all_entries
from plies.work.code import Code, Loader
from plies.work.unit import Done, Task, Unit


class Numbers(Task):
    """Computes entries."""

    kind = "numbers"
    noun = "entry"

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = {entry.name: entry for entry in entries}

    def units(self) -> Iterator[Unit]:
        """A unit for each entry, numbered as in the table of all."""
        places = {entry.name: place for place, entry in enumerate(all_entries())}
        return (Unit(places.get(name, 0), name) for name in self.entries)

    def do(self, unit: Unit) -> Done:
        """Compute an entry; an error of Plies is an outcome, too. How long it took is no part of it."""
        from plies.engine.interrupts import noticing_interrupts

        start = time.perf_counter()
        found, problem = None, ""
        with noticing_interrupts() as interrupts:
            try:
                found = self.entries[unit.data].compute()
            except PliesError as error:
                problem = str(error)
        if interrupts.noticed:  # by a search, which then ends early: this is no outcome
            raise KeyboardInterrupt
        return Done({"found": found, "problem": problem}, {"seconds": time.perf_counter() - start})

    def facts(self, code: Code) -> dict[str, Any]:
        return {}

    @classmethod
    def made(cls, facts: dict[str, Any], loader: Loader) -> Numbers:
        return cls(all_entries())
