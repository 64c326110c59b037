"""Evaluations from files: the weights or the network that `plies train` saved."""

from __future__ import annotations

import inspect
from functools import partial
from pathlib import Path

import numpy as np

from plies import neural_network
from plies.book import Evaluation
from plies.errors import PliesError
from plies.game import Game, State, parameters_of
from plies.needs import VERSUS
from plies.network import load_network


def load_evaluation(game: Game, path: str | Path) -> tuple[Game, Evaluation | None]:
    """A game that evaluates by the weights or the network in a file, as `plies train` saves them.

    Where the game does not take a network, the evaluation comes beside it, as a function.
    """
    arrays, about = neural_network.load_arrays(path)
    takes = inspect.signature(type(game)).parameters
    if "weights" in arrays and "inward" not in arrays:
        made_for = neural_network.facts_of(about).get("game")
        if made_for != repr(game):
            raise PliesError(f"{str(path)!r} has weights for {made_for}, not for {game!r}")
        if "weights" not in takes:
            raise PliesError(f"{game.name} takes no weights")
        most = game.bounds[1] - game.draw_value  # training is in units of the greatest utility
        weights = (arrays["weights"][:-1] * most).tolist()  # the last one is of being to move
        return type(game)(**{**parameters_of(game), "weights": weights}), None
    if "thresholds" in arrays:  # a network for searches
        searched = load_network(path)
        searched.check(game)
        return game, partial(searched.estimate, game)
    network = neural_network.load(path)
    if len(network.inward) != game.encoding_size:
        inputs = f"{len(network.inward)} inputs, not {game.encoding_size}"
        raise PliesError(f"{str(path)!r} holds no network for {game.name}: it has {inputs}")
    if "network" in takes:
        return type(game)(**{**parameters_of(game), "network": network}), None
    VERSUS.check(game, "a network beside the game")

    def evaluate(state: State, player: int) -> float:
        seer = 1 - game.to_move(state)  # the network was trained from the view of who has just moved
        inputs = np.zeros(game.encoding_size, np.float32)
        game.encode(state, seer, inputs)
        lead = network.value(inputs) * (game.bounds[1] - game.draw_value)
        return game.draw_value + (lead if player == seer else -lead)

    return game, evaluate
