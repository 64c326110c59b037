"""The file of a match: its settings in the first line, then a line of JSON for each game."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plies.arena.result import ABANDONED, ADJUDICATION, NORMAL, TIME_FORFEIT, MatchGame
from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.work.code import made_by
from plies.work.differences import begun_otherwise

TERMINATIONS = (NORMAL, TIME_FORFEIT, ABANDONED, ADJUDICATION)


class Keeper:
    """Writes each game as soon as it is over, and reads those of an earlier part of the match."""

    def __init__(self, path: Path | None, resume: bool, game: Game, facts: dict[str, Any]) -> None:
        self.path, self.facts = path, facts if path is None else {**facts, **made_by(game)}
        self.kept: list[MatchGame] = []
        self.file: Any = None
        if path is None:
            if resume:
                raise BadParameter("there is nothing to resume: no file is named")
            return
        try:
            if resume and path.exists():
                self._read(path)
                self.file = path.open("r+b")
                self.file.truncate(self.whole)
                self.file.seek(self.whole)
            else:
                self.file = path.open("xb")
                self._write(self.facts)
        except FileExistsError:
            raise PliesError(
                f"there is a file {str(path)!r} already; resume it, or give another name"
            ) from None
        except (OSError, ValueError) as error:
            raise PliesError(f"{str(path)!r} cannot be used: {getattr(error, 'strerror', error)}") from None

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            with contextlib.suppress(OSError):  # on a full disk, which `keep` has told
                self.file.close()

    def keep(self, played: MatchGame) -> None:
        """Write a game."""
        if self.file is not None:
            self._write(asdict(played))

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self.file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise PliesError(f"{str(self.path)!r} cannot be written: {error.strerror}") from None

    def _read(self, path: Path) -> None:
        """Read the complete lines; a partial one at the end was being written when the match was killed."""
        text = path.read_bytes()
        self.whole = text.rfind(b"\n") + 1
        lines = text[: self.whole].splitlines()
        if not lines:
            raise PliesError(f"{str(path)!r} holds no match to resume")
        for number, line in enumerate(lines):
            try:
                data = json.loads(line)
                if number == 0:
                    facts = data
                else:
                    self.kept.append(read_game(number - 1, data))
            except (ValueError, TypeError, RecursionError):
                raise PliesError(f"line {number + 1} of {str(path)!r} is not part of a match") from None
        if facts != self.facts:
            raise begun_otherwise(path, facts if isinstance(facts, dict) else {}, self.facts)


def read_game(number: int, data: Any) -> MatchGame:
    """The game of that number, of JSON; raises an error if it is none."""
    played = MatchGame(**data)
    if played.number != number or played.first != number % 2 or played.score not in (0, 0.5, 1):
        raise ValueError
    if not isinstance(played.moves, list) or not isinstance(played.opening, int):
        raise ValueError
    if not all(isinstance(move, str) for move in played.moves) or not isinstance(played.position, str):
        raise ValueError
    if played.termination not in TERMINATIONS or not isinstance(played.reason, str):
        raise ValueError
    for notes in (played.values, played.depths, played.seconds):
        if not isinstance(notes, list) or len(notes) not in (0, len(played.moves)):
            raise ValueError
    for note in (*played.depths, *played.seconds):
        if note is not None and not isinstance(note, int | float):
            raise ValueError
    if not all(note is None or isinstance(note, str | int | float) for note in played.values):
        raise ValueError
    return played
