"""What margins are made of: how much evaluations change, and what shallow searches say about deep ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plies.engine import AlphaBeta, Limit, Options
from plies.game import Game, State
from plies.history import legal_actions

GAMES, NODES, OPENING = 12, 1000, 6
"""The games of self-play that are measured, the nodes a move, the random moves they begin with. Not tuned."""

PAIRS = ((4, 2), (5, 3), (6, 2), (7, 3), (8, 4))
"""The depths of Multi-ProbCut, each with its shallow one, of equal parity: evaluations swing with it."""

LONGEST, MOST_NODES = 200, 200_000
"""The most plies of a game, and the most nodes of a deep search that is measured. Not tuned."""


@dataclass(frozen=True)
class Scale:
    """The units of a game's evaluation."""

    swing: float
    """The standard deviation of its change over two plies, to the player to move; 0: it never changes."""
    positions: int
    """The changes measured."""


def self_play(game: Game, games: int = GAMES, seed: int = 0) -> Iterator[list[State]]:
    """Games of the engine against itself after random openings, each a list of its states before the end."""
    engine, chance = AlphaBeta(game, memory=1), random.Random(seed)
    for _ in range(games):
        state, states = game.initial(), list[State]()
        while not game.is_terminal(state) and len(states) < LONGEST:
            states.append(state)
            action = (
                chance.choice(legal_actions(game, state))
                if len(states) <= OPENING
                else engine.search(state, Limit(nodes=NODES), previous=states[:-1]).action
            )
            state = game.result(state, action)
        yield states


def measured_scale(game: Game, seed: int = 0) -> Scale:
    """How much the evaluation changes from one turn of a player to the next, in self-play."""
    changes = [
        game.evaluate(later, game.to_move(state)) - game.evaluate(state, game.to_move(state))
        for states in self_play(game, seed=seed)
        for state, later in zip(states[OPENING:], states[OPENING + 2 :], strict=False)
        if game.to_move(state) == game.to_move(later) and game.is_quiet(state) and game.is_quiet(later)
    ]
    deviation = float(np.std(changes)) if changes else 0.0
    return Scale(deviation, len(changes))


def fitted_probcut(game: Game, options: Options, seed: int = 1) -> tuple[float, ...]:
    """Multi-ProbCut fitted on self-play: rows of `Options.multi_probcut`; empty if there is too little.

    For each pair of depths, a straight line through the estimates of both, by least squares.
    """
    states = [
        state for one in self_play(game, seed=seed) for state in one[OPENING::3] if game.is_quiet(state)
    ]
    plain = replace(options, multi_probcut=())
    found: dict[int, dict[int, float]] = {}
    for number, state in enumerate(states):
        engine = AlphaBeta(game, memory=1, options=plain)
        limit = Limit(depth=max(deep for deep, _ in PAIRS), nodes=MOST_NODES)
        found[number] = {
            one.depth: float(one.value) for one in engine.analyse(state, limit) if not one.value.proved
        }
    rows: list[float] = []
    for deep, shallow in PAIRS:
        both = [(one[shallow], one[deep]) for one in found.values() if deep in one and shallow in one]
        if len(both) >= 30:
            rows += [float(deep), float(shallow), *_line(np.array(both))]
    return tuple(rows)


def _line(points: Any) -> tuple[float, float, float]:
    """Slope, intercept and standard deviation of the second column by the first; the slope is above 0."""
    x, y = points.T
    spread = float(np.var(x))
    slope = max(0.1, float(np.cov(x, y, bias=True)[0, 1]) / spread) if spread > 0 else 1.0
    rest = y - slope * x
    return round(slope, 4), float(f"{np.mean(rest):.4g}"), float(f"{np.std(rest):.4g}")
