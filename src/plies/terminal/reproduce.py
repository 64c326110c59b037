"""Reproduced numbers on the screen: a line for each entry as it comes, then a summary."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from plies.errors import PliesError
from plies.reproduce.entry import Entry
from plies.reproduce.report import shown, time_text
from plies.reproduce.run import Outcome, read, reproduce, write
from plies.reproduce.units import Numbers
from plies.terminal.screen import Screen
from plies.work.run import Where

WIDEST = 60
"""The most characters of a result in a line that agrees; the file has all of it."""

INTERRUPTED = 130
"""The exit code after Ctrl-C, as elsewhere: not everything was run."""


def list_text(entries: Sequence[Entry]) -> str:
    """The entries, with what each is, its source and its cost."""
    width = max(len(entry.name) for entry in entries)
    lines = [
        f"{entry.name:<{width}}  {entry.cost:<5}  {time_text(entry.seconds):>6}  "
        f"{entry.what} ({entry.reference})"
        for entry in entries
    ]
    quick = [entry for entry in entries if entry.cost == "quick"]
    quickly, slowly = (time_text(sum(entry.seconds for entry in some)) for some in (quick, entries))
    lines.append(f"{len(entries)} entries, about {slowly}; {len(quick)} of them quick, about {quickly}.")
    return "\n".join(lines)


def outcome_text(outcome: Outcome, width: int, now: bool) -> str:
    """A line for an outcome that agrees, more for one that does not."""
    found = shown(outcome.found)
    if outcome.agrees:
        brief = found if len(found) <= WIDEST else f"{found[: WIDEST - 1]}…"
        when = time_text(outcome.seconds) if now else "earlier"
        return f"agrees   {outcome.name:<{width}}  {when:>7}  {brief} ({outcome.author} {outcome.year})"
    return (
        f"DIFFERS  {outcome.name:<{width}}  {time_text(outcome.seconds):>7}  "
        f"{outcome.problem or f'found {found}'}\n"
        f"         expected {shown(outcome.expected)}: {outcome.author} {outcome.year}, {outcome.source}"
    )


class ReproduceRun:
    """A run of entries, shown on a screen and kept in files."""

    def __init__(
        self,
        entries: Sequence[Entry],
        screen: Screen,
        output: Path | None,
        resume: Path | None,
        where: Where | None = None,
    ) -> None:
        self.where = where or Where()
        names = [unit.data for unit in self.where.share(Numbers(entries).units())]
        self.entries = [entry for entry in entries if entry.name in names]
        self.screen = screen
        if output is not None and output != resume and output.exists() and output.suffix == ".json":
            raise PliesError(
                f"there is a file {str(output)!r} already: --resume goes on with it, or give another name"
            )
        self.kept = [] if resume is None else read(resume)
        self.files = [file for file in (output, resume) if file is not None]
        self.outcomes: list[Outcome] = []

    def run(self) -> int:
        """Run all entries; returns the exit code."""
        width = max((len(entry.name) for entry in self.entries), default=0)
        results = reproduce(self.entries, self.kept, self.where)
        with suppress(KeyboardInterrupt):
            for entry in self.entries:
                self.screen.passing(f"{entry.name}: {entry.what} … (Ctrl-C stops)")
                outcome, now = next(results)
                self.screen.passing()
                self.outcomes.append(outcome)
                self._keep()
                print(outcome_text(outcome, width, now), flush=True)
        self.screen.passing()
        if len(self.outcomes) < len(self.entries):
            print(f"Stopped after {len(self.outcomes)} of {len(self.entries)} entries.")
        return self._summary()

    def _keep(self) -> None:
        """Write the outcomes so far, with those of an earlier run that are not among them."""
        names = {outcome.name for outcome in self.outcomes}
        every = [*self.outcomes, *(outcome for outcome in self.kept if outcome.name not in names)]
        for file in self.files:
            write(file, every)

    def _summary(self) -> int:
        wrong = sum(not outcome.agrees for outcome in self.outcomes)
        seconds = sum(outcome.seconds for outcome in self.outcomes)
        differ = "none differs" if not wrong else f"{wrong} {'differs' if wrong == 1 else 'differ'}"
        print(f"{len(self.outcomes) - wrong} of {len(self.outcomes)} agree, {differ}; {time_text(seconds)}.")
        if wrong:
            return 1
        return INTERRUPTED if len(self.outcomes) < len(self.entries) else 0
