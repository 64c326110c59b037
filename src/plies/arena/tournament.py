"""Tournaments: games between any number of players, everybody against everybody or one against all.

Games are units of work, kept in a file of units (SQLite), from where a tournament goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from plies.arena.clock import TimeControl
from plies.arena.openings import Openings
from plies.arena.ratings import Ratings, rated
from plies.arena.result import MatchGame
from plies.arena.table import Conditions, Maker, prepared
from plies.arena.units import Games, name_of, played_game
from plies.engine.interrupts import noticing_interrupts
from plies.errors import BadParameter
from plies.game import Game
from plies.history import LONGEST_GAME
from plies.needs import Needs
from plies.work.run import Where, done_in_order
from plies.work.unit import Unit

MOST_PLAYERS, MOST_GAMES = 500, 10_000_000
"""The most players, and the most games in all. Not tuned."""


@dataclass(frozen=True)
class TournamentGame:
    """A game of a tournament."""

    number: int
    """Its place in the plan."""
    players: tuple[int, int]
    """The two who played, by number; `game.first` says which of them had the first seat."""
    game: MatchGame

    @property
    def seats(self) -> tuple[int, int]:
        """The players by seat."""
        one, other = self.players
        return (other, one) if self.game.first else (one, other)


@dataclass
class Tournament:
    """The games of a tournament so far, and what they show."""

    players: tuple[str, ...]
    planned: int
    seed: int
    anchor: tuple[int, float] | None = None
    games: list[TournamentGame] = field(default_factory=list)
    openings: str = ""
    """How games begin, in words."""
    conditions: dict[str, Any] = field(default_factory=dict)
    ended: str = ""
    """Why it ended before its last game, in a sentence."""

    def points(self, one: int, other: int | None = None) -> tuple[float, int]:
        """The points of a player, against another or all, and of how many games."""
        scores = [
            score
            for game in self.games
            for player, opponent, score in _sides(game)
            if player == one and other in (None, opponent)
        ]
        return sum(scores), len(scores)

    def results(self, one: int) -> tuple[int, int, int]:
        """The games that a player has won, drawn and lost."""
        scores = [score for game in self.games for player, _, score in _sides(game) if player == one]
        return scores.count(1.0), scores.count(0.5), scores.count(0.0)

    @property
    def ratings(self) -> Ratings:
        """Ratings by maximum likelihood."""
        pairs: dict[tuple[int, int], dict[int, list[float]]] = {}
        for one in self.games:
            by_opening = pairs.setdefault(one.players, {})
            by_opening.setdefault(one.game.number // 2, []).append(one.game.score)
        scores = {players: list(found.values()) for players, found in pairs.items()}
        return rated(scores, len(self.players), self.anchor)

    @property
    def ranking(self) -> list[int]:
        """The players by number, the best first."""
        elo = self.ratings.elo
        return sorted(range(len(self.players)), key=lambda one: (-elo[one], self.players[one]))


def _sides(game: TournamentGame) -> Iterator[tuple[int, int, float]]:
    one, other = game.players
    yield one, other, game.game.score
    yield other, one, 1 - game.game.score


def tournament(
    game: Game,
    players: Sequence[str | Maker],
    *,
    games: int = 20,
    gauntlet: bool = False,
    openings: int | str | Path = 4,
    shuffle: bool = False,
    seed: int = 0,
    clock: str | None = None,
    resign: tuple[float, int] | None = None,
    adjudicate: bool = False,
    plies: int = LONGEST_GAME,
    anchor: tuple[str, float] | None = None,
    where: Where | None = None,
    tell: Callable[[Tournament], None] | None = None,
) -> Tournament:
    """Play so many games between every two players or, in a gauntlet, between the first and every other.

    Players, openings and conditions are those of `match`; every two players have random openings of their
    own. Games are played in rounds of a pair of games for every two players, so that whenever it is stopped
    everybody has played about as much. `anchor` is a player with the rating that it is to have; otherwise the
    mean rating is 0. `where` says where games are played, and the file that keeps them: with the same file,
    a tournament that was stopped or killed goes on, and may be given more games.
    """
    Needs(players=2, simultaneous=game.simultaneous).check(game, "a tournament")
    names = tuple(map(name_of, players))
    if not 2 <= len(names) <= MOST_PLAYERS:
        raise BadParameter(f"a tournament has 2 to {MOST_PLAYERS} players, not {len(names)}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadParameter(f"{twice} is entered twice: players are told apart by their words")
    pairs = (
        [(0, other) for other in range(1, len(names))] if gauntlet else [*combinations(range(len(names)), 2)]
    )
    planned = games * len(pairs)
    if games < 1 or planned > MOST_GAMES:
        raise BadParameter(f"a tournament has 1 to {MOST_GAMES:,} games, not {planned:,}")
    begun = Openings.of(game, openings, (games + 1) // 2, seed, shuffle)
    control = None if clock is None else TimeControl.parse(clock)
    conditions = Conditions(seed, begun, False, control, resign, adjudicate, plies)
    conditions.check(game)
    where = where or Where()
    task = Games(game, players, conditions)
    result = Tournament(names, planned, seed, _anchor(names, anchor), openings=str(begun))
    result.conditions = conditions.facts()
    with noticing_interrupts() as task.interrupts:
        try:
            prepared(task.makers, game)
            if tell:
                tell(result)
            for unit, done in done_in_order(task, plan(pairs, games), where):
                one, other, _ = unit.data
                result.games.append(TournamentGame(unit.number, (one, other), played_game(unit, done).game))
                if tell:
                    tell(result)
        except KeyboardInterrupt:
            result.ended = "interrupted"
    result.ended = result.ended or where.next_step
    return result


def plan(pairs: Sequence[tuple[int, int]], games: int) -> Iterator[Unit]:
    """The games in order: a pair of games for every two players, then the next pair."""
    for number in range(0, games, 2):
        for place, (one, other) in enumerate(pairs):
            for side in range(min(2, games - number)):
                yield Unit(number * len(pairs) + 2 * place + side, [one, other, number + side])


def _anchor(names: Sequence[str], anchor: tuple[str, float] | None) -> tuple[int, float] | None:
    if anchor is None:
        return None
    name = name_of(anchor[0])
    if name not in names:
        raise BadParameter(
            f"the anchor must be one of the players, {', '.join(names)[:300]}, not {name[:80]!r}"
        )
    return names.index(name), anchor[1]
