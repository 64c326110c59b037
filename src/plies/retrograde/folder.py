"""Where databases are kept: a folder with a file for each game, ending and set of rules."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from plies.errors import PliesError
from plies.game import Game, State
from plies.retrograde.checkpoint import Checkpoint
from plies.retrograde.database import Database
from plies.retrograde.database_file import Header, read_database, read_header, write_database
from plies.retrograde.fingerprint import rules_fingerprint

SUFFIX = ".plies-db"
VARIABLE = "PLIES_DATA_DIR"
"""The environment variable that chooses another folder."""


def data_folder() -> Path:
    """The folder of databases, which need not exist."""
    if given := os.environ.get(VARIABLE):
        return Path(given).absolute()
    try:
        home = Path.home()
    except RuntimeError:
        raise PliesError(f"there is no home folder for databases: set {VARIABLE} to a folder") from None
    if sys.platform == "win32":
        user = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        user = home / "Library" / "Application Support"
    else:
        given = os.environ.get("XDG_DATA_HOME", "")
        user = Path(given) if os.path.isabs(given) else home / ".local" / "share"
    return user / "plies" / "databases"


def database_path(game: Game, ending: str = "") -> Path:
    """The file of a game's database, or of one of its endings."""
    return data_folder() / f"{'-'.join(file_words(game, ending))}-{rules_fingerprint(game)}{SUFFIX}"


def file_words(game: Game, ending: str) -> list[str]:
    """The words that the name of a database's file begins with."""
    return [re.sub(r"[^A-Za-z0-9_.-]", "_", word)[:60] for word in (game.name, ending) if word]


def checkpoint_of(game: Game, ending: str = "", roots: Iterable[State] | None = None) -> Checkpoint:
    """Where the making of a database is kept until it is done; or the solving of some states."""
    path = database_path(game, ending)
    if roots is not None:
        digest = hashlib.blake2b(repr(list(roots)).encode(), digest_size=6)
        path = path.with_name(f"solving-{digest.hexdigest()}-{path.name}")
    return Checkpoint(path.with_suffix(".checkpoint"))


def save_database(database: Database) -> Path:
    """Write a database to its place in the folder."""
    path = database_path(database.game, database.ending)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PliesError(f"the folder {str(path.parent)!r} cannot be made: {error.strerror}") from None
    write_database(database, path)
    return path


def open_database(game: Game, ending: str = "") -> Database:
    """The database of a game, or of one of its endings, that was made before."""
    path = database_path(game, ending)
    if not path.exists():
        what = f"the ending {ending} of {game.name}" if ending else game.name
        others = [
            header
            for _, header in databases()
            if isinstance(header, Header) and (header.game, header.ending) == (game.name, ending)
        ]
        why = (
            "those there are were made by other rules, or for other parameters" if others else "none was made"
        )
        raise PliesError(f"there is no database of {what}: {why}; `plies database make` makes one")
    return read_database(game, path)


def databases() -> Iterator[tuple[Path, Header | PliesError]]:
    """The files of the folder, each with what it says of itself, or with why it cannot be read."""
    folder = data_folder()
    for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
        try:
            yield path, read_header(path)
        except PliesError as error:
            yield path, error
