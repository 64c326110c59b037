"""Openings of a match: random moves, lines of a file (EPD, PGN, positions, moves), or those a game comes
with."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plies import records
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Action, Game
from plies.history import LONGEST_GAME, History
from plies.validation import outcomes_in

ATTEMPTS = 100
"""The random openings tried, if they end the game, before a shorter one is taken. Not tuned."""

LARGEST_FILE = 100_000_000
"""The largest file of openings, in bytes. Not tuned."""

OWN = "game"
"""The word for the openings that a game comes with."""

OPCODE = re.compile(r"[a-z]\w+", re.ASCII)
"""The first word of an operation of EPD: "bm". One letter is none, but may say who is to move."""

MOST_FIELDS = 20
"""The most words of a position in EPD; FEN has six. Not tuned."""


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
        if isinstance(given, int) or (isinstance(given, str) and re.fullmatch(r"-?\d{1,9}", given.strip())):
            if shuffle:
                raise BadParameter("random moves have no order to shuffle: give a file of openings, or game")
            return _random(int(given))
        given_lines: list[tuple[str | History, str]]
        if given == OWN:
            texts = list(game.openings())
            if not texts:
                raise BadParameter(
                    f"{game.name} comes with no openings: give a number of random moves, or a file"
                )
            given_lines, source = [(text, f"opening {n}") for n, text in enumerate(texts, 1)], "of the game"
            digest = _digest(repr(texts).encode())
        else:
            path = Path(given)
            data = _bytes(path)
            given_lines, source = list(_lines(game, path, data)), f"of {path.name}"
            digest = _digest(data)
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


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


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


def _lines(game: Game, path: Path, data: bytes) -> Iterator[tuple[str | History, str]]:
    """The openings in a file, not read yet, and where each of them stands."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PliesError(f"{str(path)!r} is not text in UTF-8") from None
    suffix = path.suffix.lower().removeprefix(".")
    for form in game.record_formats():
        if form.name == suffix:
            for number, history in enumerate(form.read(text, type(game)), 1):
                yield history, f"game {number} of {str(path)!r}"
            return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip(), f"line {number} of {str(path)!r}"


def _read(game: Game, given: str | History, where: str) -> Opening:
    """An opening that can be played, and does not end the game."""
    if isinstance(given, History):
        found = [_opening(given)]
    else:
        moves = Opening("", tuple(re.split(r"[\s,;]+", given)))
        found = [Opening(given), *map(Opening, _without_operations(given)), moves]
        if _leads_to(game, moves, Opening(given)):  # moves tell more than the position that they lead to
            found = [moves]
    refusals = []
    for opening in found:
        try:
            history = _replayed(game, opening)
        except PliesError as error:
            refusals.append(error)
            continue
        if isinstance(given, History) and history.state != given.state:  # on a board of another size, say
            raise PliesError(f"{where} is of {given.game!r}, not of {game!r}")
        if history.over:
            raise PliesError(f"{where}: the game is over there, so it cannot begin there")
        return opening
    raise PliesError(f"{where} is neither a position nor moves of {game.name}: {refusals[0]}")


def _opening(history: History) -> Opening:
    game, start = history.game, history.states[0]
    return Opening("" if start == game.initial() else game.position(start), tuple(records.notation(history)))


def _without_operations(text: str) -> Iterator[str]:
    """What may be the position in a line of EPD, without operations such as "bm Nf3;", the longest first.

    What precedes the first semicolon is the position, an opcode and its operands. Where the position ends is
    for the game to say: its last fields look like an opcode, too.
    """
    head, semicolon, _ = text.partition(";")
    if not semicolon:
        return
    yield head.strip()
    pieces = re.split(r"(\s+)", head)  # words, with the space between them
    for place in reversed(range(2, min(len(pieces), 2 * MOST_FIELDS), 2)):
        if OPCODE.fullmatch(pieces[place]):
            yield "".join(pieces[: place - 1])


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
    wanted = moves
    while wanted >= 0:
        longest = 0
        for _ in range(ATTEMPTS):
            history = History(game)
            count = 0
            while not history.over and count < wanted and len(history.actions) < LONGEST_GAME:
                if game.to_move(history.state) == CHANCE:
                    history.play(thrown(history, chance))
                else:
                    history.play(chance.choice(history.legal()))
                    count += 1
            if not history.over:
                return history
            longest = max(longest, count)
        wanted = min(wanted, longest) - 1  # the last move ends the game
    raise PliesError(f"{game!r} is over before it begins")


def thrown(history: History, chance: random.Random) -> Action:
    """An outcome of chance, drawn by its probability."""
    outcomes = outcomes_in(history.game, history.state)
    return chance.choices([action for action, _ in outcomes], [weight for _, weight in outcomes])[0]
