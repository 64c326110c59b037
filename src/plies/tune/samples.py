"""Self-play that weights are learned from, as units of work: the quiet positions of a game, how it ended."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from plies.engine import AlphaBeta, Limit
from plies.game import Game, State
from plies.history import History
from plies.tune.measure import LONGEST, OPENING
from plies.work.code import Code, Loader, array_text
from plies.work.unit import Done, Task, Unit


class Samples(Task):
    """Plays games of the engine against itself, after random moves."""

    kind = "samples"
    noun = "game"

    def __init__(self, game: Game, seed: int, nodes: int) -> None:
        self.game, self.seed, self.nodes = game, seed, nodes

    def do(self, unit: Unit) -> Done:
        """Play a game: the features of its quiet positions, and how it ended for player 0, from 0 to 1."""
        game = self.game
        history = self._opened(random.Random(f"{self.seed} samples {unit.number}"))
        engine = AlphaBeta(game, memory=1)
        states: list[State] = []
        while not history.over and len(history.actions) < LONGEST:
            found = engine.search(history.state, Limit(nodes=self.nodes), previous=history.states[:-1])
            if game.is_quiet(history.state):
                states.append(history.state)
            history.play(found.action)
        utility = history.utility(0) if history.over else game.draw_value
        low, high = game.bounds
        rows = np.array([game.features(state) for state in states], float)
        return Done({"rows": array_text(rows), "result": (utility - low) / (high - low)})

    def _opened(self, chance: random.Random) -> History:
        """A game after random moves."""
        while True:
            history = History(self.game)
            while not history.over and len(history.actions) < OPENING:
                history.play(chance.choice(history.legal()))
            if not history.over:
                return history

    def facts(self, code: Code) -> dict[str, Any]:
        return {"game": code.game(self.game), "seed": self.seed, "nodes": self.nodes}

    @classmethod
    def made(cls, facts: dict[str, Any], loader: Loader) -> Samples:
        return cls(loader.game(facts["game"]), facts["seed"], facts["nodes"])
