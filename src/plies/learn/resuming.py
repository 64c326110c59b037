"""Trainings of a checkpoint, which go on as they were."""

from __future__ import annotations

from pathlib import Path

from plies import neural_network
from plies.errors import PliesError
from plies.game import Game
from plies.learn.training import NetworkTraining, Training, WeightsTraining
from plies.neural_network import facts_of

KINDS: dict[str, type[Training]] = {"network": NetworkTraining, "weights": WeightsTraining}
"""The kinds of training, by the names in checkpoints."""


def resume(path: str | Path, game: Game) -> Training:
    """The run of a checkpoint, as it was then."""
    arrays, about = neural_network.load_arrays(path)
    facts = facts_of(about)
    kind = facts.pop("kind", None)
    if not isinstance(kind, str) or kind not in KINDS or not {"done", "random", "measures"} <= arrays.keys():
        raise PliesError(f"{str(path)!r} is not a checkpoint of a training")
    if facts.pop("game", None) != repr(game):
        raise PliesError(f"{str(path)!r} is a checkpoint of another game, not of {game!r}")
    try:
        parts = int(facts.pop("parts", 1))
        training = KINDS[kind](game, lambda_=facts.pop("lambda"), **facts)
        training.parts = parts
        training._restore(arrays, path)
    except (TypeError, KeyError, ValueError, IndexError, ArithmeticError, AttributeError):
        raise PliesError(f"{str(path)!r} is a broken checkpoint: the run cannot be resumed") from None
    return training
