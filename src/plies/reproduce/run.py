"""Running entries, one after the other, and the file that keeps what came out."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plies.errors import PliesError
from plies.reproduce.entry import Entry
from plies.reproduce.units import Numbers
from plies.work.run import Where, done_in_order
from plies.work.unit import Done


@dataclass(frozen=True)
class Outcome:
    """What came out of an entry."""

    name: str
    what: str
    author: str
    year: int
    source: str
    expected: Any
    found: Any
    """What was computed: plain data; None, which nothing is expected to be, after an error."""
    seconds: float
    """How long it took, with the compiler where something had to be compiled."""
    problem: str = ""
    """The error that it ended with, if one did."""

    @property
    def agrees(self) -> bool:
        """Whether it is what was published."""
        return bool(self.found == self.expected)


def outcome_of(entry: Entry, done: Done) -> Outcome:
    """The outcome of an entry that was computed."""
    seconds = round(done.measured["seconds"], 3)
    return Outcome(**_facts(entry), **done.result, seconds=seconds)


def _facts(entry: Entry) -> dict[str, Any]:
    """What an outcome repeats of its entry."""
    return {name: getattr(entry, name) for name in ("name", "what", "author", "year", "source", "expected")}


def reproduce(
    entries: Sequence[Entry], kept: Sequence[Outcome] = (), where: Where | None = None
) -> Iterator[tuple[Outcome, bool]]:
    """What comes out of each entry, and whether it was run now.

    Of the outcomes kept from an earlier run, those that agreed with what is expected today are not run again.
    `where` says where they are run; a shard has only its own.
    """
    where = where or Where()
    known = {outcome.name: outcome for outcome in kept if outcome.agrees}
    task = Numbers(entries)
    units = list(where.share(task.units()))
    missing = [unit for unit in units if not _is_known(task.entries[unit.data], known)]
    results = done_in_order(task, missing, where)
    for unit in units:
        entry = task.entries[unit.data]
        if _is_known(entry, known):
            yield replace(known[entry.name], **_facts(entry)), False
        else:
            yield outcome_of(entry, next(results)[1]), True


def _is_known(entry: Entry, known: Mapping[str, Outcome]) -> bool:
    return entry.name in known and known[entry.name].expected == entry.expected


# -- The file.


def machine() -> dict[str, str | int]:
    """What ran: the versions and the machine."""
    return {
        "plies": version("plies"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 1,
    }


def write(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Write outcomes as JSON or, to a file.md, as a page; a kill leaves the old file or the new."""
    from plies.reproduce.report import page

    if path.suffix == ".md":
        text = page({"machine": machine(), "outcomes": [asdict(one) for one in outcomes]})
    else:
        rows = ",\n".join(json.dumps(asdict(one), ensure_ascii=False) for one in outcomes)
        text = f'{{"machine": {json.dumps(machine())}, "outcomes": [\n{rows}\n]}}\n'
    partial = path.with_name(f"{path.name}.part")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def read(path: Path) -> list[Outcome]:
    """The outcomes in a file of an earlier run; a file that does not exist yet has none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        made_by = data["machine"]["plies"]
        outcomes = [Outcome(**row) for row in data["outcomes"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise PliesError(f"{str(path)!r} is not a file that `plies reproduce` has written") from None
    if made_by != version("plies"):
        raise PliesError(f"{str(path)!r} was made by Plies {made_by}: give another name")
    return outcomes
