"""Records of a match in the format of its game, such as PGN, with evaluations and times."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from plies import records
from plies.arena.clock import GameClock, TimeControl
from plies.arena.result import MatchGame
from plies.errors import PliesError
from plies.game import CHANCE, Game
from plies.history import History
from plies.record_format import Annotations, MoveNote


class Recorder:
    """Writes each game of a match to a file, in the format that its name asks for."""

    def __init__(
        self, path: Path | None, game: Game, players: tuple[str, str], clock: TimeControl | None
    ) -> None:
        self.path, self.game, self.players, self.clock = path, game, players, clock
        self.file: Any = None
        if path is not None:
            self.form = path.suffix.lower().removeprefix(".")
            records.write_annotated(History(game), self.form, Annotations(players, 0.5))  # or it is refused

    def begin(self, resume: bool, kept: Sequence[MatchGame]) -> None:
        """Open the file; in a match that is resumed, it begins with the games that were played before."""
        if self.path is None:
            return
        before = "".join(map(self._text, kept))
        try:
            if resume and self.path.exists():
                found = self.path.read_text(encoding="utf-8")
                if not (before.startswith(found) or found.startswith(before)):
                    raise PliesError(f"{str(self.path)!r} holds other games than those of this match")
                self.file = self.path.open("w", encoding="utf-8")
            else:
                self.file = self.path.open("x", encoding="utf-8")
        except FileExistsError:
            raise PliesError(f"there is a file {str(self.path)!r} already; give another name") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PliesError(f"{str(self.path)!r} cannot be used: {reason}") from None
        self._write(before)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            with suppress(OSError):  # on a full disk, which `_write` has told
                self.file.close()

    def keep(self, played: MatchGame) -> None:
        """Write a game."""
        if self.file is not None:
            self._write(self._text(played))

    def _text(self, played: MatchGame) -> str:
        history = records.replay(self.game, played.position, played.moves)
        noted = annotations_of(history, played, self.players, self.clock, "Plies match")
        return records.write_annotated(history, self.form, noted) + "\n"

    def _write(self, text: str) -> None:
        try:
            self.file.write(text)
            self.file.flush()
        except OSError as error:
            raise PliesError(f"{str(self.path)!r} cannot be written: {error.strerror}") from None


def annotations_of(
    history: History, played: MatchGame, names: tuple[str, str], clock: TimeControl | None, event: str
) -> Annotations:
    """What a record says of a game besides its moves."""
    players = names[::-1] if played.first else names
    return Annotations(
        players=(players[0], players[1]),
        score=1 - played.score if played.first else played.score,
        reason=played.reason,
        termination=played.termination,
        event=event,
        round=f"{played.number // 2 + 1}.{played.number % 2 + 1}",
        time_control="" if clock is None else str(clock),
        notes=_notes(history, played, clock),
    )


def _notes(history: History, played: MatchGame, clock: TimeControl | None) -> list[MoveNote]:
    """What is known about each move, with what the clocks showed after it."""
    blank = [None] * len(played.moves)
    clocks = None if clock is None else [GameClock(clock) for _ in range(2)]
    notes = []
    for state, value, depth, seconds in zip(
        history.states,
        played.values or blank,
        played.depths or blank,
        played.seconds or blank,
        strict=False,
    ):
        left = None
        if clocks is not None and seconds is not None and (mover := history.game.to_move(state)) != CHANCE:
            clocks[mover].spend(seconds)
            left = clocks[mover].remaining
        notes.append(MoveNote(value, depth, seconds, left))
    return notes
