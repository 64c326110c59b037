"""The file of units: what came out of each, in SQLite, which any number of processes may write to at once.

A result is written in a transaction of its own, so a kill leaves it whole or not at all. A unit that is done
twice counts once: the first result is the one. Each has a checksum, so that what a disk has done to it is
noticed. A file is for the job that it was begun with.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from plies.errors import PliesError
from plies.work.differences import begun_otherwise, differences
from plies.work.unit import Done, Job, Unit, canonical

APPLICATION = 0x506C6965
"""SQLite's application_id of our files: "Plie"."""

FORMAT = 1
"""SQLite's user_version of our files."""

PATIENCE = 60.0
"""The seconds that a writer waits for the others. Not tuned."""

SCHEMA = """
CREATE TABLE jobs (job TEXT PRIMARY KEY, kind TEXT NOT NULL, settings TEXT NOT NULL);
CREATE TABLE units (
    job TEXT NOT NULL REFERENCES jobs, unit TEXT NOT NULL, number INTEGER NOT NULL, data TEXT NOT NULL,
    result TEXT NOT NULL, measured TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (job, unit)
);
CREATE VIEW games AS
    SELECT number, json_extract(settings, '$.players[' || json_extract(data, '$[0]') || '].words') AS first,
        json_extract(settings, '$.players[' || json_extract(data, '$[1]') || '].words') AS second,
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

    def begin(self, job: Job, another: bool = False) -> dict[str, Done]:
        """Note a job; returns what is known of its units, by key.

        A file with other jobs alone is refused, unless this one may be `another` of the same work.
        """
        if self._base is None or self.path is None:
            return {}
        with _refusing(self.path):
            _check(self._base, self.path)
            _note(self._base, self.path, job, another)
            rows = list(self._base.execute("SELECT * FROM units WHERE job = ?", (job.identity,)))
            return {row[1]: _done(self.path, row) for row in rows}

    def keep(self, job: Job, unit: Unit, done: Done) -> Done:
        """Write what came out of a unit, unless that is known; returns what the file has, which counts."""
        if self._base is None or self.path is None:
            return done
        what = (unit.data, done.result, done.measured)
        row = (job.identity, unit.key, unit.number, *map(canonical, what))
        with _refusing(self.path):
            with self._base:
                made = self._base.execute(
                    "INSERT OR IGNORE INTO units VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, _checksum(row))
                )
            if made.rowcount:
                return done
            found = self._base.execute("SELECT * FROM units WHERE job = ? AND unit = ?", row[:2]).fetchone()
            return _done(self.path, found)


def _note(base: sqlite3.Connection, path: Path, job: Job, another: bool) -> None:
    """Note a job in a file, which is refused if it has others alone."""
    asked = "SELECT 1 FROM jobs WHERE job = ?", (job.identity,)
    if base.execute(*asked).fetchone():  # so a file that may only be read can be shown
        return
    with base:
        base.execute("BEGIN IMMEDIATE")  # of two that begin at once, one sees the other
        known = list(base.execute("SELECT kind, settings FROM jobs"))
        if known and not another and not base.execute(*asked).fetchone():
            raise _other_job(path, job, known)
        given = (job.identity, job.kind, canonical(job.settings))
        base.execute("INSERT OR IGNORE INTO jobs VALUES (?, ?, ?)", given)


def _done(path: Path, row: tuple[Any, ...]) -> Done:
    """What came out of a unit, of a row."""
    _check_row(path, row)
    return Done(json.loads(row[4]), json.loads(row[5]))


def _check_row(path: Path, row: tuple[Any, ...]) -> None:
    *content, checksum = row
    if checksum != _checksum(content):
        raise _damaged(path, f"the result of unit {row[2]!r:.20} has another checksum")


def _checksum(row: Any) -> str:
    return hashlib.blake2b(repr(tuple(row)).encode(errors="backslashreplace"), digest_size=12).hexdigest()


def _check(base: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that SQLite finds damaged: rows of it may be missing."""
    (found,) = base.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise _damaged(path, " ".join(found.split()))


def _damaged(path: Path, why: str) -> PliesError:
    return PliesError(
        f"{str(path)!r} is damaged: {why:.200}; put back a copy of it, or begin again with another file"
    )


def _other_job(path: Path, job: Job, known: list[tuple[str, str]]) -> PliesError:
    """The error for a file of other jobs: how the one most like this differs."""
    alike = [json.loads(settings) for kind, settings in known if kind == job.kind]
    if not alike:
        return begun_otherwise(path, {"units": known[0][0]}, {"units": job.kind})
    return begun_otherwise(
        path, min(alike, key=lambda one: len(differences(one, job.settings))), job.settings
    )


def merge(parts: list[Path], into: Path) -> tuple[int, int, int]:
    """Take all units of some files into another, new or not; returns how many it has, how many came anew, and
    of how many jobs they are.

    Two results of one unit must be the same.
    """
    for part in parts:
        if not part.is_file():
            raise PliesError(f"there is no file {str(part)!r}")
        with _refusing(part), _opened(part) as base:
            _check(base, part)
    with _refusing(into), _opened(into) as base:
        _check(base, into)
        before = _count(base)
        for part in parts:
            with _opened(part) as other, base:
                base.executemany("INSERT OR IGNORE INTO jobs VALUES (?, ?, ?)", _rows(other, part, "jobs"))
                for row in _rows(other, part, "units"):
                    _check_row(part, row)
                    job, unit, number, _, result, *_ = row
                    known = base.execute(
                        "SELECT result FROM units WHERE job = ? AND unit = ?", (job, unit)
                    ).fetchone()
                    if known is None:
                        base.execute("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?)", row)
                    elif known[0] != result:
                        raise PliesError(
                            f"{str(part)!r} has another result of unit {number} than the files before: "
                            "players with a time limit do not play alike twice; leave out one of the files"
                        )
        (jobs,) = base.execute("SELECT count(DISTINCT job) FROM units").fetchone()
        return _count(base), _count(base) - before, jobs


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file of units; what it refuses at once is told of this file."""
    with _refusing(path):
        base = _connected(path)
    with closing(base):
        yield base


def _rows(base: sqlite3.Connection, path: Path, table: str) -> Iterator[tuple[Any, ...]]:
    with _refusing(path):
        yield from base.execute(f"SELECT * FROM {table} ORDER BY rowid")


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
            _check_format(base, path)
            return base
        with base:
            base.execute("BEGIN IMMEDIATE")  # of two that make it at once, one waits
            (number,) = base.execute("PRAGMA application_id").fetchone()
            if number == 0 and not base.execute("SELECT 1 FROM sqlite_schema").fetchone():
                for statement in SCHEMA.split(";\n"):
                    base.execute(statement)
                base.execute(f"PRAGMA application_id = {APPLICATION}")
                base.execute(f"PRAGMA user_version = {FORMAT}")
            elif number != APPLICATION:
                raise PliesError(f"{str(path)!r} is another database, not a file of units")
    except BaseException:
        base.close()
        raise
    return base


def _check_format(base: sqlite3.Connection, path: Path) -> None:
    (number,) = base.execute("PRAGMA user_version").fetchone()
    if number != FORMAT:
        raise PliesError(
            f"{str(path)!r} is a file of units in format {number}, and this version of Plies has format "
            f"{FORMAT}: use the version that made it, or name another file"
        )


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Say in a sentence what SQLite does not like about a file."""
    try:
        yield
    except sqlite3.Error as error:
        words = "".join(sign if sign.isprintable() else " " for sign in str(error))[:200]
        raise PliesError(f"{str(path)!r} cannot be used as a file of units: {words}") from None
    except (ValueError, RecursionError):
        raise _damaged(path, "what is in it is no JSON") from None
