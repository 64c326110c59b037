"""Game records as files: JSON, or the format of the file name, such as PGN. Every move is checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from plies import records
from plies.errors import PliesError
from plies.game import Game, rule_parameters
from plies.history import LONGEST_GAME, History

LARGEST_FILE = 1_000_000
"""The largest record, in bytes."""


def write_record(path: Path, position: str, history: History) -> None:
    """Write a game that began at a position string ("" for the initial state) to a new file."""
    text = records.write(history, _format(path, history.game), position)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise PliesError(f"{str(path)!r} already exists; give another name") from None
    except (OSError, ValueError) as error:
        raise PliesError(f"{str(path)!r} cannot be written: {_reason(error)}") from None


def read_record(path: Path, game: Game) -> tuple[str, History]:
    """The game in a file, and the position string that it began with."""
    record = _load(path, game)
    if not isinstance(record, dict) or not record.keys() >= records.FIELDS:
        raise PliesError(f"{str(path)!r} is not a record: it must have game, parameters, position and moves")
    if (record["game"], record["parameters"]) != (game.name, rule_parameters(game)):
        raise PliesError(f"{str(path)!r} is a record of another game than {game!r}")
    position, names = record["position"], record["moves"]
    if not isinstance(position, str) or not isinstance(names, list) or len(names) > LONGEST_GAME:
        raise PliesError(
            f"{str(path)!r} is not a record: position must be text, moves a list of at most {LONGEST_GAME:,}"
        )
    history = History(game, game.parse_position(position) if position else None)
    for number, name in enumerate(names, 1):
        if history.over:
            raise PliesError(f"{str(path)!r} has moves after the end of the game, from move {number}")
        try:
            if not isinstance(name, str | int | float):
                raise PliesError("a move must be text")
            history.play(records.read_move(game, history.state, str(name)))
        except PliesError as error:
            raise PliesError(f"move {number} of {str(path)!r}: {error}") from None
    return position, history


def _format(path: Path, game: Game) -> str:
    """The format that the name of a file asks for."""
    suffix = path.suffix.lower().removeprefix(".")
    return suffix if suffix in (*records.formats(game), *records.known_formats()) else "json"


def _load(path: Path, game: Game) -> Any:
    try:
        if not path.is_file():
            raise PliesError(f"there is no file {str(path)!r}")
        if path.stat().st_size > LARGEST_FILE:
            raise PliesError(f"{str(path)!r} is too large for a record")
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if _format(path, game) == "json" else records.read(text, game)._asdict()
    except (OSError, ValueError, RecursionError) as error:
        raise PliesError(f"{str(path)!r} cannot be read: {_reason(error)}") from None


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return text if len(text) <= 200 else f"{text[:199]}…"  # it may quote the file
