"""Arrays that grow: in memory, or in files where they outgrow it."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from plies.errors import PliesError
from plies.retrograde.layout import Array
from plies.retrograde.memory import Budget

GROWTH = 1.5
"""By how much arrays in files are enlarged."""

ROOM = 8
"""By how much arrays in memory are enlarged, if the system has the room: what is not written takes none."""

LEAST = 4096
"""The fewest rows of an array that has grown."""

PIECE = 1 << 20
"""The bytes of zeros that are written at once, where the system cannot reserve room in a file. Not tuned."""


class Disk:
    """A folder for arrays in files without names, mapped into memory: they go when the process ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def free(self) -> int:
        """The bytes that are free."""
        return shutil.disk_usage(self.folder).free

    def zeros(self, shape: tuple[int, ...], kind: Any) -> Array:
        """An array of zeros."""
        try:
            return _mapped(tempfile.TemporaryFile(dir=self.folder), shape, kind)  # it stays open
        except OSError as error:
            raise PliesError(f"{str(self.folder)!r} cannot be written: {error.strerror}") from None

    def copied(self, array: Array, rows: int = 0) -> Array:
        """An array with the rows of another, and room for more, so many in all."""
        found = self.zeros((max(LEAST, len(array), rows), *array.shape[1:]), array.dtype)
        found[: len(array)] = array
        return found


def grown(array: Array, size: int, disk: Disk | None = None) -> Array:
    """An array with room for so many rows, and for many more; what is new in it is not set.

    With a disk, it is in a file there, and is moved if it was not. In memory it is copied, since large pages
    come with new arrays only: small pages take twice the time, where arrays are read here and there.
    """
    if size <= len(array):
        return array
    rows = max(size, LEAST, int(GROWTH * len(array)))
    if isinstance(array.base, np.memmap):
        file = array.base.file  # type: ignore[attr-defined]
        try:
            return _mapped(file, (rows, *array.shape[1:]), array.dtype)
        except OSError as error:
            raise PliesError(f"the disk cannot be written: {error.strerror}") from None
    if disk is not None:
        return disk.copied(array, rows)
    larger = _empty((max(size, LEAST, ROOM * len(array)), *array.shape[1:]), rows, array.dtype)
    larger[: len(array)] = array
    return larger


def _empty(shape: tuple[int, ...], enough: int, kind: Any) -> Array:
    """An array that is not set, with fewer rows if there is no room for so many."""
    if sys.platform != "win32":  # where what is not written takes no memory
        with contextlib.suppress(MemoryError):
            return np.empty(shape, kind)
    return np.empty((enough, *shape[1:]), kind)


class Storage:
    """Where the arrays of an analysis are: in memory, as far as its budget goes, and then on disk."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.disk: Disk | None = None
        """Where arrays go that outgrow the memory, if anywhere."""
        self.on_disk = False
        """Whether they have."""

    @property
    def room(self) -> int:
        """The bytes that there are in all."""
        return self.budget.bytes + (0 if self.disk is None else self.disk.free)

    def outgrown(self, needed: int, in_memory: int, what: str) -> bool:
        """Whether arrays outgrow the memory just now. Some bytes must stay there, or an error is raised."""
        if self.disk is None:
            self.budget.check(needed, f"{what} so far take")
        before = self.on_disk
        self.on_disk = before or needed > self.budget.bytes
        if self.on_disk:
            self.budget.check(in_memory, f"{what} so far, with all on disk that can be, take")
        return self.on_disk and not before

    def zeros(self, size: int, kind: Any) -> Array:
        """An array of zeros."""
        disk = self.disk if self.on_disk else None
        return np.zeros(size, kind) if disk is None else disk.zeros((size,), kind)

    def grown(self, array: Array, size: int) -> Array:
        """An array with room for so many rows."""
        return grown(array, size, self.disk if self.on_disk else None)

    def moved(self, array: Array) -> Array:
        """A copy of an array that can grow."""
        disk = self.disk if self.on_disk else None
        return np.array(array) if disk is None else disk.copied(array)


def _mapped(file: Any, shape: tuple[int, ...], kind: Any) -> Array:
    """A file as an array; where it is shorter, zeros are added. A full disk raises an error here: later, when
    a page of the file is written, it would end the process."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    have = os.fstat(file.fileno()).st_size
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
    else:
        file.seek(0, os.SEEK_END)
        for first in range(have, size, PIECE):
            file.write(bytes(min(PIECE, size - first)))
        file.flush()
    mapped = np.memmap(file, kind, "r+", shape=shape)
    mapped.file = file  # type: ignore[attr-defined]
    return mapped.view(np.ndarray)
