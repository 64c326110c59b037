"""Self-play as units of work: rounds of parts that learn from the same weights, of which the mean is taken.

McDonald, Hall and Mann, Distributed Training Strategies for the Structured Perceptron, 2010 (iterative
parameter mixing). How many parts a round has is a setting of the run, and not how many machines there are: so
the result does not depend on these.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from plies import bits
from plies.engine.root import blamed
from plies.errors import BadParameter
from plies.learn.resuming import KINDS
from plies.learn.training import BATCH, Training
from plies.work.code import Code, Loader, array_of, array_text
from plies.work.run import Where, in_order
from plies.work.unit import Done, Task, Unit

MOST_PARTS = 10_000


class SelfPlay(Task):
    """Plays games from given weights, and learns from them."""

    kind = "self-play"
    noun = "part"

    def __init__(self, training: Training) -> None:
        self.training = training

    def do(self, unit: Unit) -> Done:
        """Play the games of a part: what it learns is all that comes out."""
        training, given = self.training, unit.data
        for name in training.kept:
            getattr(training.work, name)[:] = array_of(given["arrays"][name])
        run = training.run
        run.random = bits.hash64(("games", training.seed, given["done"], given["part"]))
        run.rate, run.games, run.limit, run.stop = given["rate"], 0, given["games"], 0
        with blamed(training.game, None):
            training.play()
        return Done({"games": int(run.games), "arrays": weights_of(training)})

    def facts(self, code: Code) -> dict[str, Any]:
        training = self.training
        return {"game": code.game(training.game), "kind": training.kind, "settings": training.settings()}

    @classmethod
    def made(cls, facts: dict[str, Any], loader: Loader) -> SelfPlay:
        settings = dict(facts["settings"])
        lambda_ = settings.pop("lambda")
        return cls(KINDS[facts["kind"]](loader.game(facts["game"]), lambda_=lambda_, **settings))


def weights_of(training: Training) -> dict[str, Any]:
    """What is learned, as JSON."""
    return {name: array_text(getattr(training.work, name)) for name in training.kept}


@contextmanager
def rounds(training: Training, where: Where) -> Iterator[None]:
    """Have a training go on by rounds of its parts, wherever units are done."""
    where.refuse_shards("a training")
    if where.units is not None:
        raise BadParameter("a training keeps its own checkpoint: leave out units")
    if training.parts == 1:
        if where.elsewhere:
            raise BadParameter("a training on several cores has parts: give --parts, such as --parts 8")
        yield
        return
    if not 1 <= training.parts <= MOST_PARTS:
        raise BadParameter(f"parts must be between 1 and {MOST_PARTS:,}, not {training.parts}")
    lambda_ = float(training.run.lambda_)
    settings = {name: value for name, value in training.settings().items() if name != "lambda"}
    twin = type(training)(training.game, lambda_=lambda_, **settings)
    with where.opened(SelfPlay(twin)) as backend:
        training.advance = lambda: _round(training, backend)
        try:
            yield
        finally:
            training.advance = None


def _round(training: Training, backend: Any) -> int:
    """Play a round, and take the mean of what was learned; returns its games, or 0 if it was stopped."""
    arrays, rate = weights_of(training), float(training.run.rate)
    left = min(training.games - training.done, BATCH * training.parts)
    units = [
        Unit(
            training.done // BATCH + part,
            {
                "done": training.done,
                "part": part,
                "games": min(BATCH, left - part * BATCH),
                "rate": rate,
                "arrays": arrays,
            },
        )
        for part in range(training.parts)
        if part * BATCH < left
    ]
    sums = {name: np.zeros(getattr(training.work, name).shape) for name in training.kept}
    for unit, done in in_order(backend, units):
        if training.stopped:
            return 0
        for name in training.kept:
            sums[name] += array_of(done.result["arrays"][name]) * unit.data["games"]
    for name in training.kept:
        mine = getattr(training.work, name)
        mine[:] = (sums[name] / left).astype(mine.dtype)
    return left
