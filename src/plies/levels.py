"""Levels of strength: how much a player searches, and how often it prefers a move that is not the best.

A level is a number of nodes, or of simulations, and a temperature: moves are drawn by a softmax over the
winning chances that the search has found, so that mistakes are plausible ones. No level but the highest goes
by the clock: the others play the same on every machine. `plies tune GAME --levels` measures them, and writes
the file that `Game.measured_levels` names.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Game

MOST_LEVELS = 10
"""The most levels of a game, with the one that goes by the clock."""

CLOCK = 1.0
"""The seconds for a move of the highest level, unless somebody sets others. Not tuned."""

BLIND = 2
"""Up to this level, a win in one move may be missed."""

UNMEASURED = 5
"""The levels, besides the highest, of a game that was not measured. Not tuned."""

FEWEST, RATIO = 20, 1_000
"""The nodes of the weakest level, and those of the strongest one by nodes relative to them. Not tuned."""

HOTTEST, COOLING = 0.4, 80
"""The temperature of the weakest level, in winning chances, and how many times lower the strongest one's is.
Not tuned."""


@dataclass(frozen=True)
class Level:
    """A level, from 1 on; the highest has no number of nodes, and goes by the clock."""

    number: int
    nodes: int | None = None
    """The nodes of a move, in Monte Carlo tree search the simulations."""
    temperature: float = 0.0
    """The temperature of the softmax over winning chances from 0 to 1."""
    score: float | None = None
    """Its share of the points in the games against the level below, if they were played."""

    @property
    def takes_wins(self) -> bool:
        """Whether it never misses a win in one move."""
        return self.number > BLIND

    @property
    def label(self) -> str:
        """What people choose it by."""
        if self.nodes is None:
            return f"{self.number} · {CLOCK:g} second, the strongest"
        return f"{self.number} · easiest" if self.number == 1 else str(self.number)


@dataclass(frozen=True)
class Levels:
    """The levels of a game, the weakest first."""

    all: tuple[Level, ...]
    games: int = 0
    """The games between neighbours by which they were measured; 0: they were not, in this game."""

    @property
    def note(self) -> str:
        """Whether they are measured, in a sentence."""
        if not self.games:
            return "These levels are not measured: plies tune GAME --levels does it."
        return f"Each level was measured in {self.games} games against the one below."

    def level(self, number: int) -> Level:
        """The level of a number."""
        if not 1 <= number <= len(self.all):
            raise BadParameter(f"there are levels from 1 to {len(self.all)}, not {number}")
        return self.all[number - 1]


def has_levels(game: Game) -> bool:
    """Whether a game has levels: two play it against each other, in turn."""
    return game.players == 2 and game.constant_sum and not game.simultaneous


def levels_of(game: Game) -> Levels:
    """The levels of a game: those measured, or else some that may be further apart or closer."""
    if not has_levels(game):
        raise Unsuitable(f"levels are for two players who move in turn against each other, not {game.name}")
    if not game.measured_levels:
        rungs = (rung(number / UNMEASURED) for number in range(UNMEASURED))
        return Levels(numbered([Level(0, nodes, temperature) for nodes, temperature in rungs]))
    table = read_levels(levels_file(game))
    return Levels(numbered(table.levels), table.games if table.game == repr(game) else 0)


def levels_file(game: Game) -> Path:
    """The file that `measured_levels` names."""
    named = next(base for base in type(game).__mro__ if "measured_levels" in vars(base))
    source = getattr(sys.modules.get(named.__module__), "__file__", None)
    return (Path(source).parent if source else Path()) / game.measured_levels


def numbered(levels: list[Level]) -> tuple[Level, ...]:
    """Levels with their numbers, and the one above them that goes by the clock."""
    below = [Level(n, one.nodes, one.temperature, one.score) for n, one in enumerate(levels, 1)]
    return (*below, Level(len(below) + 1))


def rung(share: float) -> tuple[int, float]:
    """Nodes and temperature, on the way from the weakest level (0) to the strongest by nodes (1)."""
    return round(FEWEST * RATIO**share), float(f"{HOTTEST / COOLING**share:.3g}")


# -- The file.


@dataclass(frozen=True)
class LevelTable:
    """What a file of levels holds: the game they were measured in, and all levels but the highest."""

    game: str
    games: int
    levels: list[Level]


def read_levels(path: Path) -> LevelTable:
    """The levels in a file that `plies tune GAME --levels` wrote."""
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    return _read(path, stamp)


@lru_cache(maxsize=64)
def _read(path: Path, stamp: int) -> LevelTable:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise PliesError(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', error)}") from None
    try:
        game, games, rows = data["game"], data["games"], data["levels"]
        levels = [_level(row) for row in rows]
        if not (
            isinstance(game, str) and type(games) is int and games >= 0 and 1 <= len(levels) < MOST_LEVELS
        ):
            raise ValueError
    except (ValueError, TypeError, KeyError):
        raise PliesError(f"{str(path)!r} does not hold the levels of a game") from None
    return LevelTable(game, games, levels)


def _level(row: Mapping[str, Any]) -> Level:
    nodes, temperature, score = row["nodes"], row["temperature"], row["score"]
    sound = type(nodes) is int and 1 <= nodes <= 10**9 and isinstance(temperature, int | float)
    if not sound or not 0 <= temperature <= 100 or (score is not None and not 0 <= score <= 1):
        raise ValueError
    return Level(0, nodes, float(temperature), None if score is None else float(score))


def write_levels(path: Path, table: LevelTable) -> None:
    """Write a file of levels, which replaces an older one only when it is whole."""
    rows = [{"nodes": one.nodes, "temperature": one.temperature, "score": one.score} for one in table.levels]
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    head = f'"game": {json.dumps(table.game)},\n "games": {table.games}'
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_text(f'{{{head},\n "levels": [\n  {lines}\n ]}}\n', encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def softmax(chances: list[float], temperature: float) -> list[float]:
    """The weights of moves with these winning chances; the best one's is 1."""
    best = max(chances)
    if temperature <= 0:
        return [float(chance == best) for chance in chances]
    return [math.exp((chance - best) / temperature) for chance in chances]
