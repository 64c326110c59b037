"""Checkpoints: what an analysis has found so far, kept in a folder, so that it goes on after a kill.

Arrays only ever grow, so that each is a file to which rows are appended. A record, which is replaced all at
once, says how many rows of each count; what was written after it is cut off. Nothing in it is run, and what
is damaged is refused in a sentence.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from plies.errors import PliesError
from plies.retrograde.layout import Array
from plies.retrograde.memory import in_words
from plies.retrograde.replacing import replacing

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, where two processes that make the same database are not kept apart
    fcntl = None

EVERY = 60.0
"""The seconds between two checkpoints."""

RECORD, LOCK = "record.json", "lock"

MOST_RECORD = 1 << 26
"""The most bytes of a record: some kilobytes are usual, and one more line for each minute."""

KINDS = {"<f8", "<i2", "<i8", "<u4"}
"""The types of arrays."""

PIECE = 1 << 24
"""The bytes that are read and compared with a checksum at once. Not tuned."""


class Checkpoint:
    """A folder in which an analysis keeps what it has found."""

    def __init__(self, folder: Path, every: float | None = None) -> None:
        self.folder, self.every = folder, EVERY if every is None else every
        self.resumed = False
        """Whether there was something to go on with."""
        self._files: dict[str, dict[str, Any]] = {}
        """For each array its type, its columns, and the rows and checksum of each piece."""
        self._last = time.monotonic()
        self._lock: int | None = None
        self._job = ""

    @property
    def due(self) -> bool:
        """Whether it is time to save."""
        return time.monotonic() - self._last >= self.every

    def open(self, job: str) -> tuple[dict[str, Any], dict[str, Array]] | None:
        """What was saved of a job: facts, and arrays that are read-only. None if there is nothing. The folder
        is then locked."""
        self._job = job
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._claim()
        path = self.folder / RECORD
        if not path.exists():
            return None
        record = self._record(path)
        if record["job"] != job:
            raise PliesError(
                f"{str(self.folder)!r} was begun otherwise ({record['job']}, not {job}): "
                "go on with the same settings, or remove it"
            )
        self._files = record["files"]
        arrays = {name: self._read(name, kept) for name, kept in self._files.items()}
        self.resumed = True
        return record["facts"], arrays

    def save(self, facts: dict[str, Any], arrays: dict[str, Array]) -> None:
        """Keep facts, and arrays that have grown since they were saved before; others are dropped."""
        gone = [name for name in self._files if name not in arrays]
        files = {name: self._append(name, array) for name, array in arrays.items()}
        text = json.dumps({"job": self._job, "facts": facts, "files": files})
        with replacing(self.folder / RECORD) as file:
            file.write(f"{_digest(text.encode())}\n{text}".encode())
        self._files = files
        for name in gone:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        self._last = time.monotonic()

    def close(self) -> None:
        """Give up the claim to the folder, which stays if there is something to go on with."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
            if not (self.folder / RECORD).exists():
                shutil.rmtree(self.folder, ignore_errors=True)

    def remove(self) -> None:
        """Remove all that was kept: the analysis is done."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.close()

    def check_room(self, needed: int, what: str) -> None:
        """Raise an error if more bytes are needed than are free on the disk."""
        free = shutil.disk_usage(self.folder).free
        if needed > free:
            raise PliesError(
                f"{what} {in_words(needed)} of disk, more than the {in_words(free)} free in "
                f"{str(self.folder)!r}"
            )

    # -- Writing.

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise PliesError(f"{str(self.folder)!r} cannot be written: {error.strerror}") from None

    def _claim(self) -> None:
        """Keep other processes from the same work."""
        if fcntl is not None and self._lock is None:
            self._lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(self._lock)
                self._lock = None
                raise PliesError(f"another process is at work in {str(self.folder)!r}") from None
            except OSError:  # a file system without locks
                pass

    def _append(self, name: str, array: Array) -> dict[str, Any]:
        """Append the rows of an array that are not in its file yet."""
        columns = array.shape[1] if array.ndim == 2 else 0
        kept = self._files.get(name, {"kind": array.dtype.str, "columns": columns, "pieces": []})
        pieces: list[list[Any]] = list(kept["pieces"])
        have = sum(rows for rows, _ in pieces)
        step = max(1, PIECE // _width(kept))
        with self._writing(), (self.folder / name).open("r+b" if have else "wb") as file:
            file.truncate(have * _width(kept))  # what a process wrote that was killed before its record
            file.seek(0, os.SEEK_END)
            for first in range(have, len(array), step):
                data = np.ascontiguousarray(array[first : first + step]).tobytes()
                file.write(data)
                pieces.append([len(data) // _width(kept), _digest(data)])
            file.flush()
            os.fsync(file.fileno())
        return {**kept, "pieces": pieces}

    # -- Reading.

    def _record(self, path: Path) -> dict[str, Any]:
        try:
            with path.open("rb") as file:
                digest, _, text = file.read(MOST_RECORD).partition(b"\n")
        except OSError as error:
            raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None
        if digest != _digest(text).encode():
            raise self.damaged("its record has another checksum")
        try:
            record = json.loads(text)
            sound = _is_sound(record)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise self.damaged("its record makes no sense")
        return record  # type: ignore[no-any-return]

    def _read(self, name: str, kept: dict[str, Any]) -> Array:
        rows = sum(count for count, _ in kept["pieces"])
        path = self.folder / name
        try:
            if path.stat().st_size < rows * _width(kept):
                raise self.damaged(f"the file {name} is cut off")
            shape = (rows, kept["columns"]) if kept["columns"] else (rows,)
            array: Array = (
                np.memmap(path, kept["kind"], "r", shape=shape) if rows else np.zeros(shape, kept["kind"])
            )
        except (OverflowError, ValueError):
            raise self.damaged(f"the file {name} is too large") from None
        except OSError as error:
            raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None
        first = 0
        for count, digest in kept["pieces"]:
            if _digest(array[first : first + count].tobytes()) != digest:
                raise self.damaged(f"the file {name} has another checksum")
            first += count
        return array

    def damaged(self, why: str) -> PliesError:
        """The error for what cannot be gone on with."""
        return PliesError(
            f"the checkpoint {str(self.folder)!r} is damaged: {why}; remove it, and begin again"
        )


def _width(kept: dict[str, Any]) -> int:
    """The bytes of a row."""
    return int(np.dtype(kept["kind"]).itemsize * (kept["columns"] or 1))


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _is_sound(record: Any) -> bool:
    """Whether a record means something: it may come from anybody."""
    return (
        set(record) == {"job", "facts", "files"}
        and isinstance(record["job"], str)
        and isinstance(record["facts"], dict)
        and all(
            name.isidentifier()
            and set(kept) == {"kind", "columns", "pieces"}
            and kept["kind"] in KINDS
            and isinstance(kept["columns"], int)
            and 0 <= kept["columns"] < 10_000
            and all(isinstance(rows, int) and 0 < rows < 1 << 40 for rows, _ in kept["pieces"])
            for name, kept in record["files"].items()
        )
    )
