"""The file of units: what came out of each, in SQLite, which any number of processes may write to at once.

A result is written in a transaction of its own, so a kill leaves it whole or not at all; a unit that is done
twice counts once.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from plies.errors import PliesError
from plies.work.unit import Done, Job, Unit, canonical

APPLICATION = 0x506C6965
"""SQLite's application_id of our files: "Plie"."""

PATIENCE = 60.0
"""The seconds that a writer waits for the others. Not tuned."""

SCHEMA = """
CREATE TABLE jobs (job TEXT PRIMARY KEY, kind TEXT NOT NULL, facts TEXT NOT NULL);
CREATE TABLE units (
    job TEXT NOT NULL REFERENCES jobs, unit TEXT NOT NULL, number INTEGER NOT NULL, data TEXT NOT NULL,
    result TEXT NOT NULL, measured TEXT NOT NULL, PRIMARY KEY (job, unit)
);
CREATE VIEW games AS
    SELECT number, json_extract(facts, '$.players[' || json_extract(data, '$[0]') || '].words') AS first,
        json_extract(facts, '$.players[' || json_extract(data, '$[1]') || '].words') AS second,
        json_extract(result, '$.game.first') AS seat, json_extract(result, '$.game.score') AS score,
        json_array_length(result, '$.game.moves') AS plies,
        json_extract(result, '$.game.termination') AS termination
    FROM units JOIN jobs USING (job) WHERE kind = 'games' ORDER BY job, number;
"""


class Store:
    """Results of units in a file, or in none."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._base: sqlite3.Connection | None = None
        if path is not None:
            with _refusing(path):
                self._base = _connected(path)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        if self._base is not None:
            self._base.close()

    def begin(self, job: Job) -> dict[str, Done]:
        """Note a job; returns what is known of its units, by key."""
        if self._base is None or self.path is None:
            return {}
        with _refusing(self.path), self._base:
            given = (job.checksum, job.kind, canonical(job.facts))
            self._base.execute("INSERT OR IGNORE INTO jobs VALUES (?, ?, ?)", given)
        with _refusing(self.path):
            rows = self._base.execute(
                "SELECT unit, result, measured FROM units WHERE job = ?", (job.checksum,)
            )
            return {unit: Done(json.loads(result), json.loads(more)) for unit, result, more in rows}

    def keep(self, job: Job, unit: Unit, done: Done) -> None:
        """Write what came out of a unit, unless that is known."""
        if self._base is None or self.path is None:
            return
        row = (job.checksum, unit.key, unit.number, canonical(unit.data))
        with _refusing(self.path), self._base:
            self._base.execute(
                "INSERT OR IGNORE INTO units VALUES (?, ?, ?, ?, ?, ?)",
                (*row, canonical(done.result), canonical(done.measured)),
            )


def merge(parts: list[Path], into: Path) -> tuple[int, int, int]:
    """Take all units of some files into another, new or not; returns how many it has, how many came anew, and
    of how many jobs they are.

    Two results of one unit must be the same.
    """
    for part in parts:
        if not part.is_file():
            raise PliesError(f"there is no file {str(part)!r}")
    with _refusing(into), closing(_connected(into)) as base:
        before = _count(base)
        for part in parts:
            with _refusing(part), closing(_connected(part)) as other, base:
                base.executemany("INSERT OR IGNORE INTO jobs VALUES (?, ?, ?)", _rows(other, "jobs"))
                for row in _rows(other, "units"):
                    job, unit, number, _, result, _ = row
                    known = base.execute(
                        "SELECT result FROM units WHERE job = ? AND unit = ?", (job, unit)
                    ).fetchone()
                    if known is None:
                        base.execute("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?)", row)
                    elif known[0] != result:
                        raise PliesError(
                            f"{str(part)!r} has another result of unit {number} than the files before: "
                            "players with a time limit do not play alike twice; leave out one of the files"
                        )
        (jobs,) = base.execute("SELECT count(DISTINCT job) FROM units").fetchone()
        return _count(base), _count(base) - before, jobs


def _rows(base: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    return iter(base.execute(f"SELECT * FROM {table} ORDER BY rowid"))


def _count(base: sqlite3.Connection) -> int:
    found: int = base.execute("SELECT count(*) FROM units").fetchone()[0]
    return found


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to a file of units, which is made if there is none."""
    base = sqlite3.connect(path, timeout=PATIENCE)
    try:
        base.execute("PRAGMA synchronous = FULL")
        (number,) = base.execute("PRAGMA application_id").fetchone()
        if number == APPLICATION:  # so a file that may only be read can be merged
            return base
        with base:
            base.execute("BEGIN IMMEDIATE")  # of two that make it at once, one waits
            (number,) = base.execute("PRAGMA application_id").fetchone()
            if number == 0 and not base.execute("SELECT 1 FROM sqlite_schema").fetchone():
                for statement in SCHEMA.split(";\n"):
                    base.execute(statement)
                base.execute(f"PRAGMA application_id = {APPLICATION}")
            elif number != APPLICATION:
                raise PliesError(f"{str(path)!r} is another database, not a file of units")
    except BaseException:
        base.close()
        raise
    return base


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Say in a sentence what SQLite does not like about a file."""
    try:
        yield
    except sqlite3.Error as error:
        raise PliesError(f"{str(path)!r} cannot be used as a file of units: {error}") from None
    except (ValueError, RecursionError):
        raise PliesError(f"{str(path)!r} is damaged: a result in it is no JSON") from None
