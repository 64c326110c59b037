"""The databases of a game that were made before, for searches to find without being asked to."""

from __future__ import annotations

import warnings
from pathlib import Path

from plies.errors import PliesError, PliesWarning, Unsuitable
from plies.game import Game
from plies.retrograde.database import Database
from plies.retrograde.database_file import read_database
from plies.retrograde.fingerprint import rules_fingerprint
from plies.retrograde.folder import SUFFIX, data_folder, file_words

_opened: dict[tuple[Path, int, int], Database | None] = {}
"""What was read, by path, time of change and size; None if it could not be."""


def kept_databases(game: Game) -> list[Database]:
    """The databases of a game and of its endings in the folder, the largest first.

    One that cannot be read is left out, with a warning. Where there are none, this takes no time.
    """
    try:
        folder = data_folder()
        files = sorted(folder.glob(f"{file_words(game, '')[0]}-*{SUFFIX}")) if folder.is_dir() else []
        if not files:
            return []
        rules = rules_fingerprint(game)
    except (Unsuitable, OSError):  # rules that no other process could compare, or a folder that is not ours
        return []
    except PliesError:  # there is no home folder
        return []
    found = [_read(game, file) for file in files if file.name.endswith(f"-{rules}{SUFFIX}")]
    return sorted((one for one in found if one is not None), key=len, reverse=True)


def _read(game: Game, file: Path) -> Database | None:
    """The database in a file, read once."""
    try:
        about = file.stat()
    except OSError:  # it was just removed
        return None
    known = (file, about.st_mtime_ns, about.st_size)
    if known not in _opened:
        try:
            _opened[known] = read_database(game, file)
        except PliesError as error:
            warnings.warn(f"a search goes without its database: {error}", PliesWarning, stacklevel=2)
            _opened[known] = None
    return _opened[known]
