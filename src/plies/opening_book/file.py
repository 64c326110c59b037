"""The file of an opening book: a header in JSON, and the rows in planes of bytes, compressed.

Nothing in it is run. A file that is damaged, cut off or made to harm is refused in a sentence: header and
contents have checksums, every number is checked, and no more is unpacked than the header says and is allowed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import os
import struct
import tempfile
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from plies.compiled.packing import numbers_of
from plies.errors import PliesError
from plies.game import Game, parameters_of
from plies.opening_book.book import Array, OpeningBook
from plies.opening_book.fingerprint import book_fingerprint

MAGIC = b"plies book 1\r\n\x1a\n"
"""The first bytes; a transfer as text changes them."""

MOST = 1 << 24
"""The most positions of a book. Not tuned."""

LONGEST_HEADER = 1 << 20
"""The most bytes of a header: some hundreds are usual."""

LARGEST = 1 << 32
"""The most bytes that are unpacked."""

_PREFIX = struct.Struct(f"<{len(MAGIC)}sQ32s")  # the format, the length of the header, and its checksum


@dataclass(frozen=True)
class Header:
    """What a file says of itself."""

    game: str
    parameters: dict[str, str]
    rules: str
    """The fingerprint of the rules."""
    plies: int
    nodes: int
    layer: int
    known: int
    entries: int
    utilities: int
    """How many different ones there are."""
    order: list[int]
    packed: int
    """The bytes of the compressed contents."""
    digest: str
    """Their checksum."""
    version: str


def written_version() -> str:
    """The version of Plies that is noted in books."""
    return importlib.metadata.version("plies")


def write_book(book: OpeningBook, path: Path) -> None:
    """Write a book to a file, all or nothing."""
    contents = zlib.compress(_planes(book), 9)
    header = Header(
        game=book.game.name,
        parameters={name: repr(value) for name, value in parameters_of(book.game).items()},
        rules=book_fingerprint(book.game),
        plies=book.plies,
        nodes=book.nodes,
        layer=book.layer,
        known=book.known,
        entries=len(book),
        utilities=len(book.utilities),
        order=list(book.order),
        packed=len(contents),
        digest=hashlib.blake2b(contents, digest_size=32).hexdigest(),
        version=book.version,
    )
    text = json.dumps(asdict(header)).encode()
    prefix = _PREFIX.pack(MAGIC, len(text), hashlib.blake2b(text, digest_size=32).digest())
    replace_file(path, prefix + text + contents)


def replace_file(path: Path, contents: bytes) -> None:
    """Write a file that takes its place when it is complete; a full disk leaves nothing behind."""
    name = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}-")
        with open(handle, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None
    finally:
        if name is not None:
            with contextlib.suppress(OSError):
                os.unlink(name)


def _planes(book: OpeningBook) -> bytes:
    """The contents: what differs from the row before, by bytes of the same weight, so that zeros gather."""
    rows = book.rows.view(np.uint64).copy()
    rows[1:] ^= book.rows.view(np.uint64)[:-1]
    parts = [_by_weight(np.ascontiguousarray(column)) for column in rows.T]
    parts += [book.utilities.astype("<f8").tobytes()]
    parts += [_by_weight(array) for array in (book.values, book.distances, book.moves)]
    return b"".join(parts)


def _by_weight(numbers: Array) -> bytes:
    """The lowest bytes of all numbers, then the next, and so on."""
    numbers = numbers.astype(numbers.dtype.newbyteorder("<"))
    return numbers.view(np.uint8).reshape(len(numbers), numbers.itemsize).T.tobytes()


# -- Reading.


def read_header(path: Path) -> Header:
    """What a file says of itself."""
    return _parts(path)[0]


def read_book(game: Game, path: Path) -> OpeningBook:
    """The book of a game in a file."""
    header, contents = _parts(path)
    if header.game != game.name or header.rules != book_fingerprint(game):
        raise PliesError(
            f"{str(path)!r} is stale, or of another game: it was made by other rules, of {header.game}"
        )
    columns = len(numbers_of(game.initial()))
    if sorted(header.order) != list(range(columns)):
        raise _damaged(path, "its states have another size")
    return _unpacked(game, path, header, contents)


def _parts(path: Path) -> tuple[Header, bytes]:
    """The header of a file, checked, and its contents, unpacked."""
    try:
        if path.exists() and not path.is_file():  # a pipe, or a device, may have no end
            raise PliesError(f"{str(path)!r} cannot be read: it is not a file")
        with path.open("rb") as file:
            prefix = file.read(_PREFIX.size)
            if len(prefix) < _PREFIX.size or not prefix.startswith(MAGIC):
                raise PliesError(f"{str(path)!r} is no opening book of Plies")
            _, length, digest = _PREFIX.unpack(prefix)
            text = file.read(min(length, LONGEST_HEADER))
            if len(text) != length or hashlib.blake2b(text, digest_size=32).digest() != digest:
                raise _damaged(path, "its header has another checksum")
            header = _header(path, text)
            packed = file.read(header.packed + 1)
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    if len(packed) != header.packed:
        raise _damaged(path, "its contents have another length")
    if hashlib.blake2b(packed, digest_size=32).hexdigest() != header.digest:
        raise _damaged(path, "its contents have another checksum")
    size = _size(header)
    unpacking = zlib.decompressobj()
    try:
        contents = unpacking.decompress(packed, size + 1)
    except zlib.error:
        raise _damaged(path, "its contents cannot be unpacked") from None
    if len(contents) != size or not unpacking.eof:
        raise _damaged(path, "its contents have another size")
    return header, contents


def _header(path: Path, text: bytes) -> Header:
    try:
        header = Header(**json.loads(text))
        sound = _is_sound(header)
    except (ValueError, TypeError, RecursionError, OverflowError):
        sound = False
    if not sound:
        raise _damaged(path, "its header makes no sense")
    return header


def _is_sound(header: Header) -> bool:
    """Whether a header means something: it may come from anybody."""
    words = (header.game, header.rules, header.digest, header.version)
    numbers = (
        header.plies,
        header.nodes,
        header.layer,
        header.known,
        header.entries,
        header.utilities,
        header.packed,
    )
    return (
        all(type(number) is int and number >= 0 for number in (*numbers, *header.order))
        and all(isinstance(word, str) and word.isprintable() for word in words)
        and all(len(word) < 200 for word in words)
        and isinstance(header.parameters, dict)
        and all(isinstance(value, str) for value in header.parameters.values())
        and header.entries <= MOST
        and header.utilities <= header.entries
        and header.known <= min(header.layer, header.entries)
        and 0 < len(header.order) <= 10_000
        and header.plies <= 1000
        and header.packed <= LARGEST
        and _size(header) <= LARGEST
    )


def _size(header: Header) -> int:
    """The bytes of the contents: rows, utilities, and for each row a value, a distance and a move."""
    return header.entries * (8 * len(header.order) + 4 + 2 + 2) + 8 * header.utilities


def _unpacked(game: Game, path: Path, header: Header, contents: bytes) -> OpeningBook:
    n, place = header.entries, 0

    def numbers(kind: str, count: int = n) -> Array:
        nonlocal place
        size = np.dtype(kind).itemsize
        planes = np.frombuffer(contents, np.uint8, size * count, place).reshape(size, count)
        place += size * count
        return np.ascontiguousarray(planes.T).view(kind).reshape(count)

    columns = [np.bitwise_xor.accumulate(numbers("<u8")).view("<i8") for _ in header.order]
    rows = np.ascontiguousarray(np.stack(columns, axis=1)).astype(np.int64)
    utilities = np.frombuffer(contents, "<f8", header.utilities, place).astype(np.float64)
    place += 8 * header.utilities
    values, distances, moves = numbers("<u4"), numbers("<u2"), numbers("<u2")
    low, high = game.bounds
    if not np.all((low <= utilities) & (utilities <= high)):  # false for nan, too
        raise _damaged(path, "its utilities are out of bounds")
    if n and values.max() >= len(utilities):
        raise _damaged(path, "a value is missing")
    if not _ascend(rows):
        raise _damaged(path, "its positions are not in order")
    return OpeningBook(
        game=game,
        plies=header.plies,
        nodes=header.nodes,
        layer=header.layer,
        known=header.known,
        rows=rows,
        order=tuple(header.order),
        utilities=utilities,
        values=values,
        distances=distances,
        moves=moves,
        version=header.version,
    )


def _ascend(rows: Array) -> bool:
    """Whether each row comes before the next, as look-ups expect."""
    settled = np.zeros(max(0, len(rows) - 1), bool)
    for column in rows.T:
        if np.any(~settled & (column[1:] < column[:-1])):
            return False
        settled |= column[1:] > column[:-1]
    return bool(settled.all())


def _damaged(path: Path, why: str) -> PliesError:
    return PliesError(f"{str(path)!r} is damaged: {why}")
