"""The journal beside a book that is being made: a line for each position as soon as it is known.

Each line has a checksum, so whatever a kill or a full disk leaves of the last one is ignored. When the book
is written, the journal goes.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from plies.compiled.packing import numbers_of, read_state
from plies.errors import PliesError
from plies.game import Game, State
from plies.opening_book.book import Entry
from plies.work.differences import begun_otherwise

LONGEST_LINE = 1 << 20


class Journal:
    """Entries that are not in the file of a book yet."""

    def __init__(self, game: Game, book: Path, about: str) -> None:
        self.game, self.about = game, about
        self.path = book.with_name(f"{book.name}.journal")
        self._file: TextIO | None = None

    def add(self, state: State, entry: Entry) -> None:
        """Note an entry; it outlives the process from now on."""
        try:
            if self._file is None:
                fresh = not self.path.exists() or not self._first().endswith(b"\n")
                self._file = self.path.open("w" if fresh else "a", encoding="ascii")
                # What a kill has left of a line must not swallow the next one.
                self._file.write(_line([self.about]) if fresh else "\n")
            self._file.write(_line([numbers_of(state), entry.utility, entry.plies, entry.move]))
            self._file.flush()
        except OSError as error:
            raise PliesError(f"{str(self.path)!r} cannot be written: {error.strerror}") from None

    def entries(self) -> Iterator[tuple[State, Entry]]:
        """The entries of an earlier run, without damaged lines; a journal of another book is refused."""
        like = self.game.initial()
        width = len(numbers_of(like))
        try:
            with self.path.open("rb") as file:
                first = file.readline(LONGEST_LINE)
                if not first.endswith(b"\n"):  # it was killed before the first entry
                    return
                self._check(_content(first))
                while line := file.readline(LONGEST_LINE):
                    content = _content(line)
                    if content is not None and _is_sound(content, width):
                        numbers, utility, plies, move = content
                        yield read_state(like, numbers), Entry(float(utility), plies, move)
        except FileNotFoundError:
            return
        except OSError as error:
            raise PliesError(f"{str(self.path)!r} cannot be read: {error.strerror}") from None

    def _first(self) -> bytes:
        with self.path.open("rb") as file:
            return file.readline(LONGEST_LINE)

    def _check(self, content: Any) -> None:
        """Refuse the journal of another book: what is in it would be lost when this one is written."""
        if content is None:
            raise PliesError(f"{str(self.path)!r} is damaged: its first line cannot be read; remove it")
        if content != [self.about]:
            advice = "go on with the book it was begun for, name another file with --out, or remove it"
            raise begun_otherwise(self.path, _settings(content), _settings([self.about]), advice)

    def remove(self) -> None:
        """Remove the file: its entries are in the book."""
        if self._file is not None:
            self._file.close()
            self._file = None
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)


def _settings(content: Any) -> dict[str, Any]:
    """What the first line says of a book."""
    names = ("rules", "plies", "nodes")
    return dict(zip(names, str(content[0]).split(), strict=False)) if isinstance(content, list) else {}


def _line(content: list[Any]) -> str:
    text = json.dumps(content)
    return f"{zlib.crc32(text.encode()):08x} {text}\n"


def _content(line: bytes) -> Any:
    """What a line says; None if it is damaged."""
    try:
        check, _, text = line.decode("ascii").rstrip("\n").partition(" ")
        return json.loads(text) if int(check, 16) == zlib.crc32(text.encode()) else None
    except (ValueError, RecursionError):
        return None


def _is_sound(content: Any, width: int) -> bool:
    if not isinstance(content, list) or len(content) != 4 or not isinstance(content[0], list):
        return False
    numbers, utility, plies, move = content
    return (
        len(numbers) == width
        and all(type(number) is int for number in numbers)
        and type(utility) in (int, float)
        and math.isfinite(utility)
        and all(one is None or (type(one) is int and 0 <= one < 1 << 16) for one in (plies, move))
    )
