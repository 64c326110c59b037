"""Weights of an evaluation by logistic regression on self-play: Texel's tuning method.

Österlund, Texel's Tuning Method, 2014 (chess programming wiki): the weights by which the features of quiet
positions predict how games of self-play end. The scale of the evaluation stays as it was, so that margins
keep their meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.arena import Match, Sprt, match
from plies.engine import AlphaBeta, Limit
from plies.errors import Unsuitable
from plies.game import Action, Game, State, parameters_of
from plies.history import History
from plies.players import Player, parse_player
from plies.tune.measure import LONGEST, NODES, OPENING
from plies.tune.tuning import HYPOTHESES

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


def weights_match(game: Game, weights: Sequence[float], limit: str, **settings: Any) -> Match:
    """A match of the engine with other weights against the engine with those of the game."""
    other = with_weights(game, weights)

    def fitted(seed: int) -> Player:
        return WithWeights(other, parse_player(f"engine:{limit}", seed, other))

    return match(game, fitted, f"engine:{limit}", sprt=Sprt(*HYPOTHESES), **settings)


def fitted_weights(game: Game, games: int = 500, seed: int = 0, nodes: int = NODES) -> FittedWeights:
    """Learn the weights of a game's features from games of its engine against itself."""
    old = getattr(game, "weights", None)
    if old is None or len(old) != len(game.feature_names) or not len(game.feature_names):
        raise Unsuitable(f"{game.name} has no weights of features to learn: see `features` and `weights`")
    rows, results, numbers = sampled(game, games, seed, nodes)
    old = np.asarray(old, float)
    learned = numbers % HELD_OUT > 0
    if learned.all() or not learned.any():
        raise Unsuitable(f"{games} games are too few to learn weights from: play {2 * HELD_OUT} or more")
    scale = _scale(rows[learned] @ old, results[learned])
    fitted = _fitted(rows[learned] * scale, results[learned], old)
    held = rows[~learned] * scale
    return FittedWeights(
        tuple(float(f"{weight:.4g}") for weight in fitted),
        len(rows),
        _entropy(held @ old, results[~learned]),
        _entropy(held @ fitted, results[~learned]),
    )


def sampled(game: Game, games: int, seed: int, nodes: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """The features of quiet positions of self-play, how their games ended for player 0, from 0 to 1, and the
    number of the game."""
    low, high = game.bounds
    rows: list[Any] = []
    results: list[float] = []
    numbers: list[int] = []
    engine = AlphaBeta(game, memory=1)
    chance = np.random.default_rng(seed)
    for number in range(games):
        history = _opened(game, chance)
        states: list[State] = []
        while not history.over and len(history.actions) < LONGEST:
            found = engine.search(history.state, Limit(nodes=nodes), previous=history.states[:-1])
            if game.is_quiet(history.state):
                states.append(history.state)
            history.play(found.action)
        utility = history.utility(0) if history.over else game.draw_value
        for state in states:
            rows.append(game.features(state))
            results.append((utility - low) / (high - low))
            numbers.append(number)
    shape = (len(rows), len(game.feature_names))
    return np.array(rows, float).reshape(shape), np.array(results), np.array(numbers, np.int64)


def _opened(game: Game, chance: Any) -> History:
    """A game after random moves."""
    while True:
        history = History(game)
        while not history.over and len(history.actions) < OPENING:
            legal = history.legal()
            history.play(legal[int(chance.integers(len(legal)))])
        if not history.over:
            return history


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
