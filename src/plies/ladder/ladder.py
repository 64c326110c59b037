"""The ladder itself: which games are still to be played, what was played before, and the standings."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.ladder.game import FileSeat, HouseSeat, Result, Seat, play
from plies.needs import Needs
from plies.players import parse_player
from plies.registry import game as make_game
from plies.registry import game_class, parse_parameters
from plies.sandbox.process import Limits, Unreadable, printable, read_source

NOTES = "games.json"
"""The file of a ladder's folder that has every game that was played."""

VERSION = 1


@dataclass(frozen=True)
class Settings:
    """What holds for all games of a ladder."""

    game: str
    words: tuple[str, ...] = ()
    """The game's parameters, as `width=5`."""
    time: float = 1.0
    """The seconds of computing that a move may take."""
    rounds: int = 2
    """The games of each pair; they take turns to begin."""
    seed: int = 0
    also: tuple[str, ...] = ()
    """Players of Plies that take part."""
    memory: int = 1024

    def __post_init__(self) -> None:
        if not 0 < self.time <= 3600:
            raise BadParameter(f"time must be more than 0 and at most 3,600 seconds, not {self.time:g}")
        if not 1 <= self.rounds <= 100:
            raise BadParameter(f"rounds must be between 1 and 100, not {self.rounds}")
        if not 64 <= self.memory <= 1 << 20:
            raise BadParameter(f"memory must be between 64 and {1 << 20:,} megabytes, not {self.memory}")

    def make(self) -> Game:
        """The game, which must be one for two players who move in turn."""
        found = make_game(self.game, **parse_parameters(game_class(self.game), list(self.words)))
        Needs(players=2).check(found, "a ladder")
        return found


@dataclass(frozen=True)
class Row:
    """A line of the standings."""

    name: str
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    faults: dict[str, int]
    """The games lost by a mistake, by its kind."""


class Ladder:
    """The games between the files of a folder, kept in another one."""

    def __init__(self, files: Path, folder: Path, settings: Settings) -> None:
        self.files, self.folder, self.settings = files, folder, settings
        self.game = settings.make()
        self.house = {name: parse_player(name, settings.seed) for name in settings.also}
        self.played: dict[str, Result] = {}
        self.lacks: list[str] = []
        """The protections that this machine does not have, once a game was played."""
        self._players = self.players()
        self._read()

    # -- Who plays.

    def players(self) -> dict[str, str]:
        """The names of the players with what tells their code from other code."""
        if not self.files.is_dir():
            raise BadParameter(f"there is no folder {str(self.files)!r}")
        found = {name: _code(path) for name, path in self._paths().items()}
        for name in self.house:
            if name in found:
                raise BadParameter(f"there is a file {name}.py, and --also {name} has the same name")
            found[name] = "house"
        return found

    def _paths(self) -> dict[str, Path]:
        """The files of the players by name."""
        return {
            printable(path.stem): path
            for path in sorted(self.files.glob("*.py"))
            if not path.is_dir() and not path.name.startswith(("_", "."))
        }

    def pairings(self) -> list[tuple[str, tuple[str, str], int]]:
        """All games of the ladder: the key, who plays, the first to move first, and the number."""
        players, settings = self.players(), self.settings
        found = []
        for one, other in itertools.combinations(sorted(players), 2):
            if one in self.house and other in self.house:
                continue
            for number in range(settings.rounds):
                pair = (one, other) if number % 2 == 0 else (other, one)
                facts = (settings.game, settings.words, settings.time, settings.seed, settings.memory, number)
                code = [(name, players[name]) for name in pair]
                key = hashlib.sha256(repr((VERSION, facts, code)).encode()).hexdigest()[:24]
                found.append((key, pair, number))
        return found

    def missing(self) -> list[tuple[str, tuple[str, str], int]]:
        """The games that are still to be played: those of new files and of files that have changed."""
        return [pairing for pairing in self.pairings() if pairing[0] not in self.played]

    def changed(self) -> bool:
        """Whether players have come or gone, or files have changed, since this was asked last."""
        before, self._players = self._players, self.players()
        return before != self._players

    # -- Playing.

    def play(self, progress: Callable[[int, int, str], None] = lambda *_: None) -> Iterator[Result]:
        """Play what is missing, and keep each game when it is over, unless a file has changed meanwhile."""
        done = 0
        while missing := self.missing():
            key, pair, _ = missing[0]
            progress(done, done + len(missing), f"{pair[0]} v {pair[1]}")
            seats = [self._seat(name) for name in pair]
            result = play(self.game, pair, seats, f"{self.settings.seed} {key}")
            self.lacks = next((seat.lacks for seat in seats if isinstance(seat, FileSeat)), self.lacks)
            if any(key == wanted for wanted, *_ in self.pairings()):
                self.played[key] = result
                self.write()
                done += 1
                yield result

    def _seat(self, name: str) -> Seat:
        settings = self.settings
        if name in self.house:
            return HouseSeat(self.house[name])
        limits = Limits(memory=settings.memory << 20)
        file = self._paths().get(name, self.files / f"{name}.py")  # which may be gone by now
        return FileSeat(file, settings.game, list(settings.words), settings.time, limits)

    # -- What was played.

    def results(self) -> dict[str, tuple[Result, int]]:
        """The games played between the files as they are now, by key, each with its number."""
        return {key: (self.played[key], number) for key, _, number in self.pairings() if key in self.played}

    def standings(self) -> list[Row]:
        """The players, the best first: a win is a point, a draw half a point."""
        rows = []
        results = [result for result, _ in self.results().values()]
        for name in self.players():
            own = [(result, result.names.index(name)) for result in results if name in result.names]
            points = [result.points[seat] for result, seat in own]
            faults: dict[str, int] = {}
            for result, seat in own:
                if result.culprit == seat:
                    faults[result.fault] = faults.get(result.fault, 0) + 1
            wins, draws, losses = (points.count(worth) for worth in (1.0, 0.5, 0.0))
            rows.append(Row(name, sum(points), len(points), wins, draws, losses, faults))
        return sorted(rows, key=lambda row: (-row.points, row.losses, row.name))

    def _read(self) -> None:
        path = self.folder / NOTES
        if not path.exists():
            return
        try:
            noted = json.loads(path.read_text(encoding="utf-8"))
            self.played = {str(key): _result(one) for key, one in noted["games"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise PliesError(
                f"{str(path)!r} is not what a ladder has written ({type(error).__name__}): delete it, and "
                "all games are played again"
            ) from None

    def write(self) -> None:
        """Keep the games, those of earlier files as well: a file may be changed back."""
        data = {"version": VERSION, "games": {key: one.as_data() for key, one in self.played.items()}}
        new = self.folder / f"{NOTES}.new"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(data), encoding="utf-8")
            new.replace(self.folder / NOTES)  # so that there is always a whole one
        except OSError as error:
            raise PliesError(f"{str(self.folder)!r} cannot be written: {error.strerror}") from None


def _code(path: Path) -> str:
    """What tells the code of a file from other code."""
    try:
        return hashlib.sha256(read_source(path)).hexdigest()[:16]
    except Unreadable as error:
        return str(error)


def _result(noted: Any) -> Result:
    result = Result(**noted)
    fit = (
        len(result.names) == len(result.points) == 2
        and all(isinstance(name, str) for name in result.names)
        and all(points in (0.0, 0.5, 1.0) for points in result.points)
        and all(isinstance(move, int) for move in result.moves)
        and isinstance(result.words, str)
        and isinstance(result.fault, str)
        and result.culprit in (None, 0, 1)
    )
    if not fit:
        raise ValueError("not a result")
    return result
