"""Running entries, one after the other, and the file that keeps what came out."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plies.errors import PliesError
from plies.reproduce.entry import Entry


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


def outcome_of(entry: Entry) -> Outcome:
    """Compute an entry; an error of Plies is an outcome, too."""
    start = time.perf_counter()
    found, problem = None, ""
    try:
        found = entry.compute()
    except PliesError as error:
        problem = str(error)
    seconds = time.perf_counter() - start
    return Outcome(**_facts(entry), found=found, seconds=round(seconds, 3), problem=problem)


def _facts(entry: Entry) -> dict[str, Any]:
    """What an outcome repeats of its entry."""
    return {name: getattr(entry, name) for name in ("name", "what", "author", "year", "source", "expected")}


def reproduce(entries: Sequence[Entry], kept: Sequence[Outcome] = ()) -> Iterator[tuple[Outcome, bool]]:
    """What comes out of each entry, and whether it was run now.

    Of the outcomes kept from an earlier run, those that agreed with what is expected today are not run again.
    """
    known = {outcome.name: outcome for outcome in kept if outcome.agrees}
    for entry in entries:
        earlier = known.get(entry.name)
        if earlier is not None and earlier.expected == entry.expected:
            yield replace(earlier, **_facts(entry)), False
        else:
            yield outcome_of(entry), True


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
