"""Weights of an evaluation by logistic regression on self-play: Texel's tuning method.

Österlund, Texel's Tuning Method, 2014 (chess programming wiki): the weights by which the features of quiet
positions predict how games of self-play end. The scale of the evaluation stays as it was, so that margins
keep their meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.arena import Match, Sprt, match
from plies.errors import Unsuitable
from plies.game import Action, Game, State, parameters_of
from plies.players import Player, parse_player
from plies.tune.measure import NODES
from plies.tune.samples import Samples
from plies.tune.tuning import HYPOTHESES
from plies.work.code import array_of
from plies.work.run import Where, done_in_order
from plies.work.unit import Unit

Floats = NDArray[np.float64]

STEPS, CLOSE = 30, 1e-9
"""The most steps of Newton's method, and when they are small enough."""

PULL = 1.0
"""The pull towards the old weights, in positions that agree with them: features that never occur stay put."""

HELD_OUT = 5
"""Every fifth game is not learned from, and measures the result."""


@dataclass(frozen=True)
class FittedWeights:
    """Weights, and how well they predict: cross-entropy of held-out positions before and after, in bits."""

    weights: tuple[float, ...]
    positions: int
    played: int
    """The games that they were learned from and measured by: fewer than wanted after Ctrl-C."""
    before: float
    after: float


def with_weights(game: Game, weights: Sequence[float]) -> Game:
    """The same game with other weights of its evaluation."""
    return type(game)(**{**parameters_of(game), "weights": tuple(weights)})


class WithWeights:
    """An engine that plays with other weights than those of the game of a match."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        self.name = player.name

    def prepare(self, game: Game) -> None:
        self.player.prepare(self.game)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        return self.player.choose(self.game, state, previous)


@dataclass(frozen=True)
class Fitted:
    """Makes engines that play with the weights of a game given here."""

    game: Game
    limit: str

    def __call__(self, seed: int) -> Player:
        return WithWeights(self.game, parse_player(f"engine:{self.limit}", seed, self.game))

    @property
    def __name__(self) -> str:
        return "fitted"


def weights_match(
    game: Game, weights: Sequence[float], limit: str, where: Where | None = None, **settings: Any
) -> Match:
    """A match of the engine with other weights against the engine with those of the game."""
    fitted = Fitted(with_weights(game, weights), limit)
    where = replace(where or Where(), another=True)  # the file has the games that they were learned from
    return match(game, fitted, f"engine:{limit}", sprt=Sprt(*HYPOTHESES), where=where, **settings)


def fitted_weights(
    game: Game,
    games: int = 500,
    seed: int = 0,
    nodes: int = NODES,
    where: Where | None = None,
    tell: Callable[[int], None] | None = None,
) -> FittedWeights:
    """Learn the weights of a game's features from games of its engine against itself.

    `where` says where these are played; `tell` is called with how many are over. After Ctrl-C, the games so
    far will do, if they are not too few.
    """
    old = getattr(game, "weights", None)
    if old is None or len(old) != len(game.feature_names) or not len(game.feature_names):
        raise Unsuitable(f"{game.name} has no weights of features to learn: see `features` and `weights`")
    if games < 2 * HELD_OUT:
        raise Unsuitable(f"{games} games are too few to learn weights from: play {2 * HELD_OUT} or more")
    where = where or Where()
    where.refuse_shards("a tuning")
    rows, results, numbers, played = sampled(game, games, seed, nodes, where, tell)
    old = np.asarray(old, float)
    learned = numbers % HELD_OUT > 0
    if learned.all() or not learned.any():
        raise Unsuitable(f"{game.name} has no quiet positions in these games: weights cannot be learned")
    scale = _scale(rows[learned] @ old, results[learned])
    fitted = _fitted(rows[learned] * scale, results[learned], old)
    held = rows[~learned] * scale
    return FittedWeights(
        tuple(float(f"{weight:.4g}") for weight in fitted),
        len(rows),
        played,
        _entropy(held @ old, results[~learned]),
        _entropy(held @ fitted, results[~learned]),
    )


def sampled(
    game: Game, games: int, seed: int, nodes: int, where: Where, tell: Callable[[int], None] | None = None
) -> tuple[Floats, Floats, NDArray[np.int64], int]:
    """The features of quiet positions of self-play, how their games ended for player 0, from 0 to 1, the
    numbers of their games, and how many games were played."""
    shape = (-1, len(game.feature_names))
    rows, results, numbers = [np.zeros((0, shape[1]))], list[float](), list[int]()
    played = 0
    try:
        for unit, done in done_in_order(Samples(game, seed, nodes), map(Unit, range(games)), where):
            played = unit.number + 1
            if tell:
                tell(played)
            rows.append(array_of(done.result["rows"]).reshape(shape))
            results += [done.result["result"]] * len(rows[-1])
            numbers += [unit.number] * len(rows[-1])
    except KeyboardInterrupt:
        if played < 2 * HELD_OUT:
            raise
    return np.concatenate(rows), np.array(results), np.array(numbers, np.int64), played


def _scale(leads: Floats, results: Floats) -> float:
    """The factor by which evaluations predict results best, by a search of its logarithm."""
    spread = float(np.std(leads)) or 1.0
    factors = np.exp(np.linspace(-4, 3, 71)) / spread
    return float(min(factors, key=lambda factor: _entropy(leads * factor, results)))


def _fitted(rows: Floats, results: Floats, old: Floats) -> Floats:
    """Logistic regression by Newton's method, drawn towards the old weights."""
    weights = old.copy()
    pull = PULL * np.diag(np.maximum(np.mean(rows**2, axis=0), 1e-12))
    for _ in range(STEPS):
        chance = _logistic(rows @ weights)
        slope = rows.T @ (chance - results) + pull @ (weights - old)
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + pull
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if float(np.max(np.abs(step))) < CLOSE * float(np.max(np.abs(weights))):
            break
    return weights


def _logistic(leads: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(leads, -30, 30))))


def _entropy(leads: Floats, results: Floats) -> float:
    """The mean cross-entropy of results by leads, in bits."""
    chance = np.clip(_logistic(leads), 1e-9, 1 - 1e-9)
    return float(-np.mean(results * np.log2(chance) + (1 - results) * np.log2(1 - chance)))
