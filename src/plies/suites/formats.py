"""The formats of suites: EPD for chess, OBF for Othello, and the lists of Pascal Pons for Connect Four."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from plies.errors import BadParameter, BadPosition, IllegalMove, PliesError
from plies.game import Action, Game, State

LONGEST = 1 << 24
"""The most bytes of a file: some 200,000 positions."""

UTILITY, STONES = "utility", "stones"
"""How a score counts: as the game does, or as Pons counts stones."""


@dataclass(frozen=True)
class Problem:
    """A position, and what is known of it."""

    name: str
    state: State
    best: tuple[Action, ...] = ()
    """The moves that solve it, if that is what is known."""
    avoid: tuple[Action, ...] = ()
    """The moves that do not."""
    score: int | None = None
    """Its value in the format's own count, if that is known."""
    counts: str = UTILITY


def _epd(game: Game, line: str, number: int) -> Problem:
    """Four fields of FEN, and operations such as `bm Qg6; id "WAC.001";`."""
    words = line.split(None, 4)
    if len(words) < 5:
        raise BadPosition("it has no operations such as 'bm Qg6;'")
    state = game.parse_position(" ".join(words[:4]))
    operations = dict(re.findall(r'(\w+) ("[^"]*"|[^;]*);', words[4]))
    best, avoid = (
        tuple(game.parse_action(state, move) for move in operations.get(name, "").split())
        for name in ("bm", "am")
    )
    if not best and not avoid:
        raise BadPosition("it has neither best moves (bm) nor moves to avoid (am)")
    return Problem(operations.get("id", f"line {number}").strip('"'), state, best, avoid)


def _obf(game: Game, line: str, number: int) -> Problem:
    """A board, the player to move, and moves with their scores, such as `G8:+18; H1:+12;`."""
    state = game.parse_position(line.split(";")[0].strip())
    scored = re.findall(r"([A-Za-z]\w+):\s*([+-]?\d+)", line)
    if not scored:
        raise BadPosition("it has no moves with scores such as 'G8:+18;'")
    high = max(int(score) for _, score in scored)
    best = tuple(game.parse_action(state, move) for move, score in scored if int(score) == high)
    return Problem(f"line {number}", state, best, score=high)


def _pons(game: Game, line: str, number: int) -> Problem:
    """Moves as columns, and the score of the player to move."""
    moves, score = line.split()
    return Problem(moves, game.parse_position(moves), score=int(score), counts=STONES)


FORMATS: dict[str, tuple[str, Callable[[Game, str, int], Problem]]] = {
    "chess": (r".*\b(bm|am)\s.+;", _epd),
    "othello": (r"[-.XOxo*]+\s+\S;.*:", _obf),
    "connect-four": (r"\d+\s+[+-]?\d+$", _pons),
}
"""By the name of a game: what a line of its suites looks like, and how it is read."""


def read_suite(game: Game, path: Path) -> list[Problem]:
    """The problems in a file; empty lines and lines that begin with # are skipped."""
    if game.name not in FORMATS:
        raise BadParameter(f"there are suites for {', '.join(FORMATS)}, not for {game.name}")
    pattern, reader = FORMATS[game.name]
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST + 1)
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    if len(text) > LONGEST:
        raise PliesError(f"{str(path)!r} has more than {LONGEST:,} bytes")
    problems = []
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if not re.match(pattern, line):
            raise PliesError(f"line {number} of {str(path)!r} is not a position of a suite: {line[:80]!r}")
        try:
            problems.append(reader(game, line, number))
        except (BadPosition, IllegalMove) as error:
            raise PliesError(f"line {number} of {str(path)!r}: {error}") from None
    if not problems:
        raise PliesError(f"{str(path)!r} has no positions")
    return problems
