"""Openings of a match: random moves, lines of a file (EPD, PGN, positions, moves), or those a game comes
with."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plies import records
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Action, Game
from plies.history import History

ATTEMPTS = 100
"""The random openings tried, if they end the game, before a shorter one is taken. Not tuned."""

LARGEST_FILE = 100_000_000
"""The largest file of openings, in bytes. Not tuned."""

OWN = "game"
"""The word for the openings that a game comes with."""

OPERATIONS = re.compile(r"\s+[A-Za-z]\w*(?:\s[^;]*)?;")
"""Where the operations of EPD begin, which follow the position: "bm Nf3;"."""


class Opening(NamedTuple):
    """How a pair of games begins."""

    position: str
    """The position string of the first state; "" for the initial state."""
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Openings:
    """The openings of a match: of a list, one after the other, or random moves."""

    random_moves: int = 0
    lines: tuple[Opening, ...] = ()
    source: str = ""
    """Where they come from, in words."""
    digest: str = ""
    """What tells one file from another."""

    @classmethod
    def of(cls, game: Game, given: int | str | Path, pairs: int, seed: int, shuffle: bool) -> Openings:
        """The openings of so many pairs: `given` is a number of random moves, "game" or a file."""
        if isinstance(given, int) or (isinstance(given, str) and re.fullmatch(r"-?\d+", given.strip())):
            if shuffle:
                raise BadParameter("random moves have no order to shuffle: give a file of openings, or game")
            return _random(int(given))
        given_lines: list[tuple[str | Opening, str]]
        if given == OWN:
            texts = list(game.openings())
            if not texts:
                raise BadParameter(
                    f"{game.name} comes with no openings: give a number of random moves, or a file"
                )
            given_lines, source = [(text, f"opening {n}") for n, text in enumerate(texts, 1)], "of the game"
            digest = ""
        else:
            path = Path(given)
            data = _bytes(path)
            given_lines, source = list(_lines(game, path, data)), f"of {path.name}"
            digest = hashlib.sha256(data).hexdigest()[:12]
            if not given_lines:
                raise PliesError(f"{str(path)!r} holds no openings")
        if shuffle:
            random.Random(f"{seed} openings").shuffle(given_lines)
        used = tuple(_read(game, *line) for line in given_lines[:pairs])
        return cls(
            0, used, f"{len(given_lines):,} openings {source}{', shuffled' if shuffle else ''}", digest
        )

    def start(self, game: Game, pair: int, seed: int) -> tuple[str, History]:
        """The position string that a pair of games begins with, and the game after its opening."""
        if not self.lines:
            return "", _random_start(game, self.random_moves, random.Random(f"{seed} opening {pair}"))
        opening = self.lines[pair % len(self.lines)]
        return opening.position, records.replay(game, *opening)

    def __str__(self) -> str:
        if self.lines:
            return f"{self.source}, each from both sides"
        if not self.random_moves:
            return "no openings"
        return f"openings of {self.random_moves} random moves, each from both sides"

    @property
    def facts(self) -> int | str:
        """What a resumed match must have in common with the first part of it."""
        return f"{self.source} {self.digest}".strip() if self.lines else self.random_moves


def _random(moves: int) -> Openings:
    if not 0 <= moves <= 1_000:
        raise BadParameter(f"openings must be between 0 and 1,000 random moves, not {moves}")
    return Openings(moves)


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise PliesError(
                "openings are a number of random moves, game or a file, "
                f"and there is no file {str(path)[:200]!r}"
            )
        if path.stat().st_size > LARGEST_FILE:
            raise PliesError(f"{str(path)!r} is too large for a file of openings")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise PliesError(f"{str(path)[:200]!r} cannot be read: {getattr(error, 'strerror', error)}") from None


def _lines(game: Game, path: Path, data: bytes) -> Iterator[tuple[str | Opening, str]]:
    """The openings in a file, not read yet, and where each of them stands."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PliesError(f"{str(path)!r} is not text in UTF-8") from None
    suffix = path.suffix.lower().removeprefix(".")
    for form in game.record_formats():
        if form.name == suffix:
            for number, history in enumerate(form.read(text, type(game)), 1):
                start = history.states[0]
                position = "" if start == history.game.initial() else history.game.position(start)
                yield Opening(position, tuple(records.notation(history))), f"game {number} of {str(path)!r}"
            return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip(), f"line {number} of {str(path)!r}"


def _read(game: Game, given: str | Opening, where: str) -> Opening:
    """An opening that can be played, and does not end the game."""
    if isinstance(given, Opening):
        found = [given]
    else:
        position = given[: cut.start()] if (cut := OPERATIONS.search(given)) else given
        moves = Opening("", tuple(re.split(r"[\s,;]+", given)))
        found = [Opening(given), Opening(position), moves]
        if _leads_to(game, moves, Opening(given)):  # moves tell more than the position that they lead to
            found = [moves]
    refusals = []
    for opening in found:
        try:
            history = _replayed(game, opening)
        except PliesError as error:
            refusals.append(error)
            continue
        if history.over:
            raise PliesError(f"{where}: the game is over there, so it cannot begin there")
        return opening
    raise PliesError(f"{where} is neither a position nor moves of {game.name}: {refusals[0]}")


def _replayed(game: Game, opening: Opening) -> History:
    try:
        return records.replay(game, *opening)
    except (ValueError, LookupError, TypeError) as error:  # a game's own parser that cannot read this
        raise PliesError(str(error)) from None


def _leads_to(game: Game, moves: Opening, position: Opening) -> bool:
    """Whether moves lead to a position."""
    try:
        return bool(_replayed(game, moves).state == _replayed(game, position).state)
    except PliesError:
        return False


def _random_start(game: Game, moves: int, chance: random.Random) -> History:
    """Random moves that do not end the game: as many as wanted, or fewer if none are found."""
    for attempt in range(ATTEMPTS * (moves + 1)):
        history = History(game)
        wanted = moves - attempt // ATTEMPTS
        count = 0
        while not history.over and count < wanted:
            if game.to_move(history.state) == CHANCE:
                history.play(thrown(history, chance))
            else:
                history.play(chance.choice(history.legal()))
                count += 1
        if not history.over:
            return history
    raise PliesError(f"{game!r} is over before it begins")


def thrown(history: History, chance: random.Random) -> Action:
    """An outcome of chance, drawn by its probability."""
    outcomes: Sequence[tuple[Action, float]] = list(history.game.chance(history.state))
    return chance.choices([action for action, _ in outcomes], [weight for _, weight in outcomes])[0]
