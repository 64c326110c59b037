"""A search at a level of strength: it looks at all moves with few nodes, and draws one by its value."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from plies.engine.algorithms import algorithm, algorithm_for, engine_for
from plies.engine.delegating import Delegating
from plies.engine.driver import Search
from plies.engine.job import Job
from plies.engine.limit import Limit
from plies.engine.result import SearchResult
from plies.engine.value import AT_MOST, Value, decisive_lead
from plies.game import Action, Game, State
from plies.levels import Level, softmax
from plies.needs import Needs

MEMORY = 1.0
"""The megabytes of a level's table or tree. It is small, and the same interpreted and compiled."""

WIDE = 0.1
"""From this temperature on, all moves get exact values; below, a share of them as large as the temperature's.
Not tuned."""

FEW = 3
"""The moves, at least, that get exact values, if there are as many. Not tuned."""

FADING = 0.998
"""What a proved win or loss is worth for each ply that it takes: a quick one is easier to see. Not tuned."""


GLANCE = 50_000
"""The nodes to look at every move once, where a level has too few for it. Gomoku's threats may take millions.
Not tuned."""


class LevelSearch(Delegating):
    """The search that suits a game, at a level by nodes.

    With a seed, it depends on the position, the level and the seed alone: nothing is remembered between
    moves, and no opening book or database is used. Of a limit, it obeys the time.
    """

    algorithm = "level"
    label = "Level"
    needs = Needs(players=2, zero_sum=True)
    exact = False
    limits = ("time", "nodes")

    def __init__(self, game: Game, level: Level, *, seed: int | None = None) -> None:
        super().__init__(game)
        assert level.nodes is not None, "the highest level is the engine itself"
        self.level, self._nodes = level, level.nodes
        self.seed = seed
        self.restricts = self.inner(0).restricts  # type: ignore[misc]

    def _make(self, player: int) -> Search:
        name = algorithm_for(self.game, Limit(nodes=self._nodes))
        given: dict[str, Any] = {"memory": MEMORY, "seed": self.seed, "database": False, "book": "no"}
        takes = algorithm(name).takes
        return engine_for(self.game, name, **{key: given[key] for key in given if key in takes})

    def inner(self, player: int) -> Search:
        """One search serves both players."""
        return super().inner(0)

    def _translated(self, value: Value) -> Value:
        return value

    def _explore(self, job: Job) -> Iterator[None]:
        search = self.inner(0)
        share = math.ceil(len(job.actions) * self.level.temperature / WIDE)
        lines = min(len(job.actions), max(FEW, share))
        actions = job.actions if job.restricted else None
        given = (lines, job.previous, False, actions)
        search.clear()
        *_, self._found = search._stream(job.state, Limit(job.limit.time, nodes=self._nodes), *given)
        if not self._found.depth and "depth" in search.limits:  # too few nodes to look at every move
            *_, self._found = search._stream(job.state, Limit(job.limit.time, depth=1, nodes=GLANCE), *given)
            if not self._found.depth:
                self._found = replace(self._found, scores=evaluated(self.game, job))
        drawn = None if self.seed is None else f"{self.seed} {len(job.previous)} {job.state!r}"
        self._action = chosen(self.game, job, self._found, self.level, random.Random(drawn))
        yield

    def _result(self, job: Job) -> SearchResult:
        found, action = super()._result(job), self._action
        if action == found.action:
            return found
        value = replace(found.scores.get(action, found.value), proved=False, plies=None)
        line = next((one for one in found.lines if one and one[0] == action), [action])
        lines = [line, *(one for one in found.lines if one != line)]
        return replace(found, action=action, value=value, line=line, lines=lines)


def chosen(game: Game, job: Job, found: SearchResult, level: Level, rng: random.Random) -> Action:
    """The move of a level: a win in one, if it takes those; else one drawn by the values that were found."""
    if level.takes_wins and (wins := wins_at_once(game, job.state, job.actions)):
        return wins[0]
    chances = {
        action: chance(game, value, found.visits.get(action))
        for action, value in found.scores.items()
        if value.bound != AT_MOST  # how much worse it is, nobody knows
    }
    if not chances:
        return found.action
    return rng.choices(list(chances), softmax(list(chances.values()), level.temperature))[0]


def evaluated(game: Game, job: Job) -> dict[Action, Value]:
    """The moves, each by the static evaluation of the state that it leads to, or by its utility."""
    values = {}
    for action in job.actions:
        child = game.result(job.state, action)
        known = game.utility if game.is_terminal(child) else game.evaluate
        values[action] = Value.of(game, known(child, job.player))
    return values


def wins_at_once(game: Game, state: State, actions: list[Action]) -> list[Action]:
    """The moves that win the game here and now, the best first."""
    mover, worth = game.to_move(state), {}
    for action in actions:
        child = game.result(state, action)
        if game.is_terminal(child) and (utility := game.utility(child, mover)) > game.draw_value:
            worth[action] = utility
    return sorted(worth, key=lambda action: -worth[action])


def chance(game: Game, value: Value, visits: int | None = None) -> float:
    """The winning chance by which a level sees a move.

    Means of few playouts count one standard error less, that of a fair coin.
    """
    if value.proved and value.plies is not None:
        return 0.5 + 0.5 * math.copysign(FADING**value.plies, value.lead) if value.lead else 0.5
    seen = value.winning_chance(decisive_lead(game))
    return seen if visits is None or value.proved else seen - 0.5 / math.sqrt(max(1, visits))
