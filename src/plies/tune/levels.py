"""Fitting levels of strength to a game: each is to score about three quarters against the one below."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from plies.arena import Match, match
from plies.engine.algorithms import algorithm_for, counts_simulations
from plies.engine.level_search import LevelSearch
from plies.engine.limit import Limit
from plies.game import Game
from plies.levels import MOST_LEVELS, Level, LevelTable, levels_of, read_levels, rung, write_levels
from plies.players import EnginePlayer
from plies.tune.tuning import ADVICE
from plies.work.differences import begun_otherwise

AIM = 0.73
"""The score of a level against the one below that is aimed at: 173 Elo."""

LEAST, MOST = 0.6, 0.8
"""The scores that are good enough."""

TRIES = 4
"""The distances between two levels that are tried; then the one whose score came nearest stays."""

FIRST_STEP = 0.1
"""The distance that is tried first, of the whole way. Not tuned."""

SHORTEST, LONGEST = 0.01, 0.5
"""The distances between two levels, at least and at most."""

SIMULATED = 0.7
"""The end of the way where nodes are simulations, which take longer: some 2,500 of them."""


@dataclass(frozen=True)
class Tried:
    """A distance between two levels, and the score that it brought."""

    step: float
    score: float


class LevelFitting:
    """Fits the levels of a game, from the weakest up, by matches of `games` games between neighbours.

    With `path`, every level that was fitted is kept in that file, and every game beside it, so a fitting that
    was interrupted goes on.
    """

    def __init__(
        self,
        game: Game,
        *,
        games: int = 60,
        openings: int = 2,
        seed: int = 0,
        most: int = MOST_LEVELS - 1,
        path: Path | None = None,
        tell: Callable[[int, Match], None] | None = None,
    ) -> None:
        levels_of(game)  # refuses games that have none
        self.game, self.games, self.openings, self.seed = game, games, openings, seed
        self.most, self.path, self.tell = most, path, tell
        self.levels: list[Level] = []
        self.interrupted = False
        simulated = counts_simulations(algorithm_for(game, Limit(nodes=1)))
        self.end = SIMULATED if simulated else 1.0
        self.place = 0.0
        """Where the last level is on the way."""
        if path is not None and path.exists():
            table = read_levels(path)
            kept, asked = {"game": table.game, "games": table.games}, {"game": repr(game), "games": games}
            if kept != asked:
                raise begun_otherwise(path, kept, asked, ADVICE)
            self.levels = table.levels
            self.place = _place(self.levels[-1])

    def run(self) -> Iterator[Level]:
        """The levels, all but the highest, each as soon as it is fitted. Ctrl-C ends it."""
        if not self.levels:
            self._keep(*rung(0.0), None)
        yield from (replace(level, number=number) for number, level in enumerate(self.levels, 1))
        while len(self.levels) < self.most and self.place + SHORTEST <= self.end:
            tried = self._fitted(self._last_step())
            if tried is None or tried.score < LEAST:  # the end of the way is hardly stronger
                return
            self._keep(*rung(self.place + tried.step), tried.score)
            self.place = _place(self.levels[-1])  # as the file says it: a fitting that goes on finds the same
            yield replace(self.levels[-1], number=len(self.levels))

    def _last_step(self) -> float:
        """The distance between the last two levels, which is tried first for the next."""
        return self.place - _place(self.levels[-2]) if len(self.levels) > 1 else FIRST_STEP

    def _fitted(self, step: float) -> Tried | None:
        """The distance to the next level, by as many matches as it takes; None if it was interrupted."""
        tried: list[Tried] = []
        for _ in range(TRIES):
            step = min(step, self.end - self.place)
            played = self._match(self.place + step, len(tried))
            if played is None:
                return None
            tried.append(Tried(step, played.score))
            if LEAST <= played.score <= MOST:
                break
            if played.score < LEAST and step >= self.end - self.place:
                break
            step = _next(tried)
        return min(tried, key=lambda one: abs(one.score - AIM))

    def _match(self, place: float, number: int) -> Match | None:
        """A match between a level at a place and the last one; None if it was interrupted."""
        new, old = len(self.levels) + 1, len(self.levels)
        below, above = self.levels[-1], Level(new, *rung(place))
        games = f"level-{new}-{number + 1}-{above.nodes}-nodes.jsonl"
        played = match(
            self.game,
            _player(self.game, above),
            _player(self.game, replace(below, number=old)),
            games=self.games,
            openings=self.openings,
            seed=self.seed + 100 * new + number,
            save=None if self.path is None else self.path.with_name(games),
            resume=self.path is not None,
            tell=None if self.tell is None else lambda so_far: self.tell(new, so_far),  # type: ignore[misc]
        )
        if played.ended:
            self.interrupted = True
            return None
        return played

    def _keep(self, nodes: int, temperature: float, score: float | None) -> None:
        self.levels.append(Level(0, nodes, temperature, score))
        if self.path is not None:
            write_levels(self.path, LevelTable(repr(self.game), self.games, self.levels))


def _player(game: Game, level: Level) -> Callable[[int], EnginePlayer]:
    """What makes a player of a level for each game of a match, from a seed."""

    def make(seed: int) -> EnginePlayer:
        return EnginePlayer(nodes=level.nodes, search=LevelSearch(game, level, seed=seed))

    make.__name__ = f"{level.nodes} nodes, temperature {level.temperature:g}"
    return make


def _place(level: Level) -> float:
    """Where a level is on the way of `rung`, by its nodes."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if rung(middle)[0] < (level.nodes or 0) else (low, middle)
    return high if level.score is not None else 0.0


def _next(tried: list[Tried]) -> float:
    """The distance to try next: by the Elo that a distance has brought so far, between those too near and
    too far."""
    last = tried[-1]
    step = last.step * _elo(AIM) / max(20.0, _elo(min(max(last.score, 0.02), 0.98)))
    near = max((one.step for one in tried if one.score < LEAST), default=0.0)
    far = min((one.step for one in tried if one.score > MOST), default=math.inf)
    if not near < step < far:
        step = (near + far) / 2 if far < math.inf else 2 * near
    return min(max(step, SHORTEST), LONGEST)


def _elo(score: float) -> float:
    return 400 * math.log10(score / (1 - score))
