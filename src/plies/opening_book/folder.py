"""Where opening books are found: those that come with Plies, and those in the folder for data."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from plies.errors import PliesError
from plies.game import Game
from plies.opening_book.book import OpeningBook
from plies.opening_book.file import read_book, read_header, write_book
from plies.opening_book.fingerprint import book_fingerprint
from plies.retrograde.folder import data_folder

SUFFIX = ".plies-book"

SHIPPED = Path(__file__).parent / "files"
"""The books that come with Plies."""

KEPT = 4
"""The books that are kept in memory once they were read. Not tuned."""

_read: dict[Any, OpeningBook] = {}

log = logging.getLogger("plies")


def book_path(game: Game, plies: int, nodes: int = 0, folder: Path | None = None) -> Path:
    """The file of a game's book: named by game, rules, plies and, if it is searched, by nodes."""
    searched = f"-{nodes}-nodes" if nodes else ""
    name = f"{_plain(game)}-{book_fingerprint(game)}-{plies}-plies{searched}{SUFFIX}"
    return (data_folder() if folder is None else folder) / name


def save_opening_book(book: OpeningBook) -> Path:
    """Write a book to its place in the folder for data, where searches find it if it is proved."""
    path = book_path(book.game, book.plies, book.nodes)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PliesError(f"the folder {str(path.parent)!r} cannot be made: {error.strerror}") from None
    write_book(book, path)
    return path


def book_for(game: Game) -> OpeningBook | None:
    """The book of proved positions of a game that knows the most, if there is any.

    One that cannot be read is left alone, with a warning.
    """
    best: tuple[int, Path] | None = None
    for path in proved_books(game):
        try:
            entries = read_header(path).entries
        except PliesError as error:
            log.warning("an opening book is not used: %s", error)
            continue
        if best is None or entries > best[0]:
            best = entries, path
    return None if best is None else _opened(game, best[1])


def proved_books(game: Game) -> Iterator[Path]:
    """The files of proved books by the rules of a game."""
    for folder in _folders():
        # Whether there is a file with the game's name is quick to see; the fingerprint is not.
        paths = sorted(folder.glob(f"{_plain(game)}-*{SUFFIX}")) if folder.is_dir() else []
        if paths:
            name = re.compile(rf"{_plain(game)}-{book_fingerprint(game)}-\d+-plies{re.escape(SUFFIX)}")
            yield from (path for path in paths if name.fullmatch(path.name))


def _folders() -> list[Path]:
    try:
        return [data_folder(), SHIPPED]
    except PliesError:  # there is no home folder
        return [SHIPPED]


def open_book(game: Game, path: Path) -> OpeningBook:
    """The book in a file, for a game; an error if it is stale."""
    return _opened(game, path)


def _opened(game: Game, path: Path) -> OpeningBook:
    try:
        facts = path.stat()
        stamp = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    place = path, stamp, book_fingerprint(game)
    if place not in _read:
        if len(_read) >= KEPT:
            _read.pop(next(iter(_read)))
        _read[place] = read_book(game, path)
    return replace(_read[place], game=game, _found={})


def _plain(game: Game) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", game.name)[:60]
