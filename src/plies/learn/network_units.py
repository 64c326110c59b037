"""Units of work of a training of networks: games of self-play, and pairs of games of a match."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from plies.engine.alpha_beta import AlphaBeta
from plies.engine.limit import Limit
from plies.game import Game
from plies.history import History
from plies.inputs import range_of
from plies.learn.models import Model, model_of
from plies.learn.players import LONGEST, GamePlayer
from plies.learn.positions import Positions
from plies.network import Learned
from plies.work.code import Code, Loader, array_of, array_text
from plies.work.unit import Done, Task, Unit, canonical

GAMES = 16
"""Games of a unit of self-play: a second or less of work, which is what a kill loses. Not tuned."""

SAMPLE = 200
"""Positions of random games by which the size of a game's evaluation is measured. Not tuned."""


def half_of(game: Game) -> float:
    """The `half` of a network whose values are about as large as those of the game's evaluation, if it has
    one: margins of refinements are in its units. Outputs are about 0.5 where an evaluation has its median."""
    if not game.has("evaluate"):
        return 1.0
    even, reach = range_of(game)
    chance, found = random.Random(1), []
    for number in range(SAMPLE):
        history = History(game)
        while not history.over and len(history.actions) < 4 + number % 24:
            history.play(chance.choice(history.legal()))
        if not history.over:
            found.append(abs(game.evaluate(history.state, 0) - even) / reach)
    typical = float(np.median(found)) if found else 0.0
    return round(max(1.0, 0.5 / typical - 0.5), 1) if typical > 0 else 1.0


class NetworkGames(Task):
    """Plays games of networks, so many nodes a move."""

    kind = "network games"
    noun = "games"

    def __init__(self, model: Model, nodes: int) -> None:
        self.game, self.model, self.nodes = model.game, model, nodes
        self._blank = model.blank()
        self._player: GamePlayer | None = None
        self._engine = lru_cache(maxsize=3)(self._new_engine)

    def prepare(self) -> None:
        """Compile what the units need."""
        self.player.self_play(self._blank, 1, 10, 0)

    @property
    def player(self) -> GamePlayer:
        """The compiled loop, made when it is first needed."""
        if self._player is None:
            self._player = GamePlayer(self.game, self._blank, GAMES)
        return self._player

    def do(self, unit: Unit) -> Done:
        """Play the games of a unit."""
        given = unit.data
        networks = [self._network(text) for text in given["networks"]]
        if given["what"] == "self-play":
            positions, counted = self.player.self_play(
                networks[0], given["games"], self.nodes, given["seed"], self.model.images
            )
            arrays = {name: array_text(array) for name, array in positions.arrays().items()}
            return Done({"positions": arrays, "counted": counted})
        if given["what"] == "pair":
            first, second = networks
            return Done({"scores": self.player.pair(first, second, self.nodes, given["seed"])})
        return Done({"scores": self._against_evaluation(given["networks"][0], given["seed"])})

    def _network(self, text: Mapping[str, Any] | None) -> Learned:
        return self._blank if text is None else self.model.of(text)

    def _against_evaluation(self, text: Mapping[str, Any], seed: Any) -> list[float]:
        """The scores of a network in two games against the game's own evaluation, from a random opening."""
        engines = self._engine(canonical(text)), self._engine(None)
        opening = self.player.opening(seed)
        scores = []
        for seat in range(2):
            history = History(self.game)
            for action in opening:
                history.play(action)
            for engine in engines:
                engine.clear()
            while not history.over and len(history.actions) < LONGEST:
                engine = engines[history.game.to_move(history.state) != seat]
                found = engine.search(history.state, Limit(nodes=self.nodes), previous=history.previous)
                history.play(found.action)
            value = history.utility(seat) - self.game.draw_value if history.over else 0.0
            scores.append(float(np.sign(value) + 1) / 2)
        return scores

    def _new_engine(self, text: str | None) -> AlphaBeta:
        network = "no" if text is None else self.model.of(json.loads(text))
        return AlphaBeta(self.game, memory=4, database=False, book="no", network=network)

    def facts(self, code: Code) -> dict[str, Any]:
        size = self.model.size
        return {"game": code.game(self.game), "kind": self.model.kind, "size": size, "nodes": self.nodes}

    @classmethod
    def made(cls, facts: dict[str, Any], loader: Loader) -> NetworkGames:
        return cls(model_of(loader.game(facts["game"]), facts["kind"], **facts["size"]), facts["nodes"])


def positions_of(done: Done) -> Positions:
    """The positions that came out of a unit of self-play."""
    return Positions(**{name: array_of(text) for name, text in done.result["positions"].items()})
