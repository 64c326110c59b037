"""The file of a database: a header in JSON and arrays that are mapped into memory, read by many at once.

Nothing in it is run. A file that is damaged, cut off or made to harm is refused in a sentence: the header and
the arrays have checksums, every number of the header is checked, and look-ups stay within the arrays.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import math
import mmap
import os
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from plies.compiled.packing import numbers_of
from plies.errors import PliesError
from plies.game import Game, parameters_of
from plies.retrograde.database import Database
from plies.retrograde.fingerprint import rules_fingerprint
from plies.retrograde.indexed import stages_of
from plies.retrograde.indexed_database import IndexedDatabase
from plies.retrograde.layout import Array, Layout
from plies.retrograde.replacing import replacing

MAGIC = b"plies database 1"
LONGEST_HEADER = 1 << 20
"""The most bytes of a header: some kilobytes are usual."""

ALIGNED = 64
"""Arrays begin at multiples of so many bytes."""

PIECE = 1 << 22
"""The bytes that are read at once for a checksum. Not tuned."""

_PREFIX = struct.Struct(f"<{len(MAGIC)}sQ32s")  # the format, the length of the header, and its checksum
_VALUES, _DISTANCES = ("<i1", "<i2", "|i1"), ("<u2", "|u1")


@dataclass(frozen=True)
class Header:
    """What a file says of itself."""

    game: str
    """The name of the game."""
    parameters: dict[str, str]
    """Those of the game, as text."""
    ending: str
    rules: str
    """The fingerprint of the rules."""
    entries: int
    folded: bool
    low: list[int]
    seen: list[int]
    utilities: list[float]
    buckets: int
    """The bits of a hash that choose a bucket."""
    values: str
    distances: str
    """The types of values and distances."""
    longest: int
    """The greatest distance, in plies."""
    counts: list[int]
    """The entries that player 0 wins, that are drawn, and that player 1 wins."""
    digest: str
    """The checksum of the arrays."""
    version: str
    """The version of Plies that wrote it."""
    stages: list[list[int]] = field(default_factory=list)
    """Where the game numbers its states: the stages, each with how many numbers, which are the entries."""

    def describes(self, game: Game) -> bool:
        """Whether a game has the same rules."""
        return rules_fingerprint(game) == self.rules


def write_database(database: Database, path: Path) -> None:
    """Write a database to a file, all or nothing."""
    arrays = [
        np.ascontiguousarray(array)
        for array in (database.starts, database.words, database.values, database.distances)
    ]
    digest = hashlib.blake2b(digest_size=32)
    for array in arrays:
        digest.update(_bytes(array))
    kept = np.where(database.values == 0, 0, database.distances)  # nor those of numbers without a state
    header = {
        "game": database.game.name,
        "parameters": {name: repr(value) for name, value in parameters_of(database.game).items()},
        "ending": database.ending,
        "rules": rules_fingerprint(database.game),
        "entries": len(database.values),
        "folded": database.folded,
        "low": database.layout.low,
        "seen": database.layout.seen,
        "utilities": database.utilities,
        "buckets": len(database.starts).bit_length() - 1,
        "values": database.values.dtype.str,
        "distances": database.distances.dtype.str,
        "longest": int(kept.max(initial=0)),
        "counts": list(database.counts()),
        "digest": digest.hexdigest(),
        "version": importlib.metadata.version("plies"),
    }
    if isinstance(database, IndexedDatabase):
        header["stages"] = database.stages
    text = json.dumps(header).encode()
    with replacing(path) as file:
        file.write(_PREFIX.pack(MAGIC, len(text), hashlib.blake2b(text, digest_size=32).digest()))
        file.write(text)
        for array in arrays:
            file.write(b"\0" * (-file.tell() % ALIGNED))
            file.write(_bytes(array))
    database.path = path


def _bytes(array: Array) -> memoryview:
    return array.data.cast("B") if array.size else memoryview(b"")


# -- Reading.


def read_header(path: Path) -> Header:
    """What a file says of itself; one that is cut off is refused."""
    try:
        with path.open("rb") as file:
            header, start = _header(path, file)
            _check_length(path, file, header, start)
            return header
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None


def _check_length(path: Path, file: Any, header: Header, start: int) -> list[int]:
    """Where the arrays of a file begin; an error if it is cut off or too long."""
    places, end = _places(start, _shapes(header, Layout(header.low, header.seen)))
    if (size := os.fstat(file.fileno()).st_size) != end:
        raise _damaged(path, f"it has {size:,} bytes instead of {end:,}")
    return places


def read_database(game: Game, path: Path) -> Database:
    """The database of a game in a file, mapped into memory."""
    try:
        with path.open("rb") as file:
            header, start = _header(path, file)
            if not header.describes(game):
                raise PliesError(
                    f"{str(path)!r} is stale: it was made by other rules of {header.game}; make it again"
                )
            if len(header.low) != len(numbers_of(game.initial())):
                raise _damaged(path, "its states have another size")
            stages = stages_of(game, header.ending) if header.stages else []
            if header.stages != [[*stage] for stage in stages]:
                raise _damaged(path, "its states are numbered otherwise")
            layout = Layout(header.low, header.seen)
            shapes = _shapes(header, layout)
            places = _check_length(path, file, header, start)
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    arrays = [
        np.frombuffer(mapped, dtype, count, place).reshape(shape) if count else np.zeros(shape, dtype)
        for place, (dtype, shape) in zip(places, shapes, strict=True)
        for count in [int(np.prod(shape))]
    ]
    _check_digest(path, header, arrays)
    starts, words, values, distances = arrays
    fields = (game, header.ending, layout, header.folded, header.utilities, words, starts, values, distances)
    return IndexedDatabase(*fields, path, stages) if stages else Database(*fields, path)


def _header(path: Path, file: Any) -> tuple[Header, int]:
    """The header of a file, and where the arrays begin."""
    prefix = file.read(_PREFIX.size)
    if len(prefix) < _PREFIX.size or not prefix.startswith(MAGIC):
        raise PliesError(f"{str(path)!r} is no database of Plies")
    _, length, digest = _PREFIX.unpack(prefix)
    text = file.read(min(length, LONGEST_HEADER))
    if len(text) != length or hashlib.blake2b(text, digest_size=32).digest() != digest:
        raise _damaged(path, "its header has another checksum")
    try:
        header = Header(**json.loads(text))
        sound = _is_sound(header)
    except (ValueError, TypeError, RecursionError):
        sound = False
    if not sound:
        raise _damaged(path, "its header makes no sense")
    return header, _PREFIX.size + length


def _is_sound(header: Header) -> bool:
    """Whether a header means something: it may come from anybody."""
    words = (header.game, header.ending, header.rules, header.digest, header.version)
    numbers = (header.entries, header.buckets, header.longest, *header.counts, *header.low, *header.seen)
    return (
        all(isinstance(word, str) for word in words)
        and all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
        and isinstance(header.folded, bool)
        and isinstance(header.parameters, dict)
        and all(isinstance(value, str) for value in header.parameters.values())
        and 0 < header.entries < 1 << 32
        and 1 <= header.buckets <= 32
        and len(header.counts) == 3
        and 0 < len(header.low) == len(header.seen) <= 10_000
        and all(-(1 << 63) <= low <= 0 for low in header.low)
        and all(0 <= seen < 1 << 64 for seen in header.seen)
        and len(header.utilities) % 2 == 1
        and all(isinstance(one, int | float) and math.isfinite(one) for one in header.utilities)
        and header.values in _VALUES
        and header.distances in _DISTANCES
        and isinstance(header.stages, list)
        and (not header.stages or sum(size for _, size in header.stages) == header.entries)
    )


def _shapes(header: Header, layout: Layout) -> list[tuple[str, tuple[int, ...]]]:
    """The types and shapes of the arrays."""
    n = header.entries
    starts, words = ("<u4", ((1 << header.buckets) + 1,)), ("<i8", (0 if header.stages else n, layout.words))
    return [starts, words, (header.values, (n,)), (header.distances, (n,))]


def _places(start: int, shapes: list[tuple[str, tuple[int, ...]]]) -> tuple[list[int], int]:
    """Where the arrays begin, and the end of the file."""
    places = []
    for dtype, shape in shapes:
        start += -start % ALIGNED
        places.append(start)
        size = np.dtype(dtype).itemsize
        for extent in shape:
            size *= extent
        start += size
    return places, start


def _check_digest(path: Path, header: Header, arrays: list[Array]) -> None:
    digest = hashlib.blake2b(digest_size=32)
    for array in arrays:
        view = _bytes(array)
        for first in range(0, len(view), PIECE):
            digest.update(view[first : first + PIECE])
    if digest.hexdigest() != header.digest:
        raise _damaged(path, "its contents have another checksum")


def _damaged(path: Path, why: str) -> PliesError:
    return PliesError(f"{str(path)!r} is damaged: {why}; make it again")
