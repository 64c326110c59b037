"""The trainer of a network in the search: Adam on sparse inputs, in machine code that all games share.

A network sees a position twice, as the player to move and as the opponent see it; each view is a list of
inputs that are set. Kingma and Ba, Adam: A Method for Stochastic Optimization, 2014.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.compiled.workspace import Workspace, record_type
from plies.errors import PliesError
from plies.game import Game
from plies.learn.positions import Positions

BATCH = 1024
"""Positions of a step. Of the order that trainers of such networks use; not tuned."""

SLICES = 4
"""The parts of a batch, each with a gradient of its own, which are summed in order: threads may share them,
and the sum is the same on any number of cores."""

FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8
"""Adam's decays and its epsilon: those of the paper."""

LAST_RATE = 0.02
"""The fraction of the learning rate that is left at the end of a fit, to which it falls as a cosine."""

LARGEST_WEIGHT = 1.98
"""The bound of a weight from an input: 16-bit sums of a few dozen of them do not overflow."""

STEP = np.dtype(
    [
        ("units", np.int64),  # hidden units of a view
        ("rows", np.int64),  # inputs of a view
        ("buckets", np.int64),  # sets of output weights
        ("count", np.int64),  # positions of the batch
        ("steps", np.int64),  # of Adam so far
        ("rate", np.float64),  # the learning rate
        ("learning", np.int64),  # 0: only the losses are wanted
    ]
)
"""The kernels' settings. Weights are one vector: from inputs, `rows` of `units`; biases; to the output,
`buckets` rows of two views; offsets, one for each bucket."""


class NoGame(Game):
    """Stands for the game of a kernel that has nothing to do with one, so that its machine code is shared."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Any:
        for action in range(0):
            yield action

    def result(self, state: int, action: int) -> int:
        return state

    def is_terminal(self, state: int) -> bool:
        return True

    def utility(self, state: int, player: int) -> int:
        return 0


@kernel
def add_gradient(game, state, part, first, last, run, work):
    """Add the gradient of the positions of a slice to that of its part, and their losses."""
    # Slices are looked up before the loops, so that these are vectorised.
    units, biases_at = run.units, run.rows * run.units
    outward_at = biases_at + units
    offsets_at = outward_at + run.buckets * 2 * units
    weights = work.weights
    gradient = work.gradient[part * len(weights) : (part + 1) * len(weights)]
    hidden = work.hidden[2 * part * units : 2 * (part + 1) * units]
    products = work.products[2 * part * units : 2 * (part + 1) * units]
    biases = weights[biases_at:outward_at]
    one, nought = np.float32(1), np.float32(0)
    for index in range(first, last):
        k = work.order[index]
        bucket = work.buckets[k]
        place = outward_at + bucket * 2 * units
        outward = weights[place : place + 2 * units]
        # Forward: the sums of both views, clipped to 0 .. 1.
        for view in range(2):
            sums = hidden[view * units : (view + 1) * units]
            for j in range(units):
                sums[j] = biases[j]
            for i in range(work.starts[2 * k + view], work.starts[2 * k + view + 1]):
                row = np.int64(work.inputs[i]) * units
                inward = weights[row : row + units]
                for j in range(units):
                    sums[j] += inward[j]
        for j in range(2 * units):
            products[j] = min(max(hidden[j], nought), one) * outward[j]
        total = np.float64(weights[offsets_at + bucket])
        for j in range(2 * units):
            total += np.float64(products[j])
        guess = math.tanh(total)
        target = np.float64(work.targets[k])
        # The cross entropy of results, of which tanh is the mean: its derivative is what the guess is off by.
        work.losses[part] += (
            max(2 * total, 0.0) + math.log1p(math.exp(-abs(2 * total))) - total * (1 + target)
        )
        work.squares_off[part] += (guess - target) ** 2
        if run.learning == 0:
            continue
        # Backward.
        slope = np.float32(guess - target)
        gradient[offsets_at + bucket] += slope
        outward_gradient = gradient[place : place + 2 * units]
        for j in range(2 * units):
            was = hidden[j]
            outward_gradient[j] += slope * min(max(was, nought), one)
            inside = one if was > nought and was < one else nought
            hidden[j] = slope * outward[j] * inside
        bias_gradient = gradient[biases_at:outward_at]
        for view in range(2):
            slopes = hidden[view * units : (view + 1) * units]
            for j in range(units):
                bias_gradient[j] += slopes[j]
            for i in range(work.starts[2 * k + view], work.starts[2 * k + view + 1]):
                row = np.int64(work.inputs[i]) * units
                inward_gradient = gradient[row : row + units]
                for j in range(units):
                    inward_gradient[j] += slopes[j]
    return 0


@kernel
def adam(game, state, slices, run, work):
    """A step along the mean gradient of all slices, which are set to 0."""
    weights, gradient, moments, squares = work.weights, work.gradient, work.moments, work.squares
    size = len(weights)
    run.steps += 1
    share = np.float32(1.0 / run.count)
    first, second = np.float32(FIRST_MOMENT), np.float32(SECOND_MOMENT)
    one = np.float32(1)
    rate = np.float32(run.rate / (1 - FIRST_MOMENT**run.steps))
    correction = np.float32(1 / (1 - SECOND_MOMENT**run.steps))
    tiny = np.float32(TINY)
    for i in range(size):
        slope = np.float32(0)
        for part in range(slices):
            slope += gradient[part * size + i]
            gradient[part * size + i] = np.float32(0)
        slope *= share
        moments[i] = first * moments[i] + (one - first) * slope
        squares[i] = second * squares[i] + (one - second) * slope * slope
        weights[i] -= rate * moments[i] / (np.sqrt(squares[i] * correction) + tiny)
    most = np.float32(LARGEST_WEIGHT)
    for i in range(run.rows * run.units):
        weights[i] = min(max(weights[i], -most), most)
    return 0


@dataclass(frozen=True)
class Fit:
    """How well a network fits after an epoch."""

    loss: float
    """The cross entropy of the positions learned from, in nats."""
    held_loss: float
    """That of those held out."""
    explained: float
    """The share of the variance of held-out targets that the network explains; 0 or less: nothing."""


class Trainer:
    """Weights of a network, and the means to fit them to positions."""

    def __init__(
        self,
        rows: int,
        units: int,
        thresholds: Sequence[int] | np.ndarray[Any, Any] = (),
        seed: int = 0,
        phases: int = 1,
    ) -> None:
        """Random weights for `rows` inputs in each phase; a bucket begins at each of the thresholds, as
        `plies.network.Network` has them."""
        self.phases, self.inputs = phases, rows
        rows, buckets = rows * phases, (len(thresholds) + 1) * phases
        self.rows, self.units, self.buckets = rows, units, buckets
        self.thresholds = np.asarray(thresholds, np.int64)
        self.run: Any = record_type(STEP)()
        self.run.units, self.run.rows, self.run.buckets = units, rows, buckets
        generator = np.random.default_rng(seed)
        # Hidden units begin inside (0, 1), where they have a slope. Not tuned.
        self.weights = np.concatenate(
            (
                generator.normal(0, 0.1, rows * units),
                np.full(units, 0.5),
                generator.normal(0, 0.3 / math.sqrt(units), buckets * 2 * units),
                np.zeros(buckets),
            )
        ).astype(np.float32)

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The weights as a network has them."""
        rows, units, buckets = self.rows, self.units, self.buckets
        ends = np.cumsum([rows * units, units, buckets * 2 * units])
        inward, biases, outward, offsets = np.split(self.weights, ends)
        return {
            "inward": inward.reshape(rows, units).copy(),
            "biases": biases.copy(),
            "outward": outward.reshape(buckets, 2 * units).copy(),
            "offsets": offsets.copy(),
        }

    def begin_with(self, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
        """Go on from the weights of a network."""
        flat = [arrays[name].ravel() for name in ("inward", "biases", "outward", "offsets")]
        self.weights = np.concatenate(flat).astype(np.float32)

    def workspace(self, positions: Positions, targets: np.ndarray[Any, Any]) -> Workspace:
        """What the kernels work in, for these positions."""
        if len(positions.inputs) and int(positions.inputs.max()) >= self.inputs:
            raise PliesError("the positions have more inputs than the network: they are of another game")
        size, phases = len(self.weights), positions.phases.astype(np.int64)
        inputs = positions.inputs
        if self.phases > 1:  # every phase has inputs of its own
            shifts = np.repeat(phases * self.inputs, 2)
            inputs = (inputs + np.repeat(shifts, np.diff(positions.starts))).astype(np.uint16)
        return Workspace(
            inputs=inputs,  # of all views, one after the other
            starts=positions.starts,  # where each view begins, two for each position, and the end
            # By position: those of the first phase come first.
            buckets=np.searchsorted(self.thresholds, positions.sizes, side="right")
            + phases * (len(self.thresholds) + 1),
            targets=targets.astype(np.float32),
            order=np.arange(len(targets)),  # the positions as they are to be learned from
            weights=self.weights,
            gradient=np.zeros(SLICES * size, np.float32),  # by part
            moments=np.zeros(size, np.float32),
            squares=np.zeros(size, np.float32),
            hidden=np.zeros(SLICES * 2 * self.units, np.float32),  # sums, and then their slopes
            products=np.zeros(SLICES * 2 * self.units, np.float32),  # of units and weights, by part
            losses=np.zeros(SLICES),  # by part: cross entropy …
            squares_off=np.zeros(SLICES),  # … and squared error
        )

    def fit(
        self,
        positions: Positions,
        targets: np.ndarray[Any, Any],
        *,
        epochs: int,
        rate: float,
        seed: int,
        threads: int = 1,
        tell: Callable[[float], None] | None = None,
    ) -> list[Fit]:
        """Fit the weights; `positions.held` says which positions are only looked at.

        Returns how well they fit after each epoch; the weights are those of the epoch that fits the held-out
        positions best. `tell` is called with the share that is done.
        """
        game, work, run = NoGame(), self.workspace(positions, targets), self.run
        seen, held = np.flatnonzero(~positions.held), np.flatnonzero(positions.held)
        generator = np.random.default_rng(seed)
        add = add_gradient.best_for(game, 0, 0, 0, 0, run, work)
        step = adam.best_for(game, 0, SLICES, run, work)
        run.steps = 0
        variance = float(np.var(targets[held])) if len(held) else 0.0
        steps = -(-len(seen) // BATCH) * epochs
        fits: list[Fit] = []
        best = self.weights.copy()
        with ThreadPoolExecutor(max(1, min(threads, SLICES))) as pool:

            def looked_at(chosen: np.ndarray[Any, Any], learning: int) -> tuple[float, float]:
                work.order = np.ascontiguousarray(chosen)
                work.losses[:] = work.squares_off[:] = 0
                run.learning = learning
                for first in range(0, len(chosen), BATCH):
                    last = min(first + BATCH, len(chosen))
                    cuts = [first + (last - first) * part // SLICES for part in range(SLICES + 1)]
                    parts = [
                        pool.submit(add, game, 0, part, cuts[part], cuts[part + 1], run, work)
                        for part in range(SLICES)
                    ]
                    for part in parts:
                        part.result()
                    if learning:
                        run.count = last - first
                        done = run.steps / steps
                        run.rate = rate * (LAST_RATE + (1 - LAST_RATE) * (1 + math.cos(math.pi * done)) / 2)
                        step(game, 0, SLICES, run, work)
                        if tell is not None:
                            tell(run.steps / steps)
                count = max(1, len(chosen))
                return float(work.losses.sum()) / count, float(work.squares_off.sum()) / count

            for _ in range(epochs):
                generator.shuffle(seen)
                loss, _ = looked_at(seen, 1)
                held_loss, off = looked_at(held, 0)
                fits.append(Fit(loss, held_loss, 1 - off / variance if variance else 0.0))
                if held_loss <= min(fit.held_loss for fit in fits):
                    best = self.weights.copy()
        self.weights = best
        if not np.isfinite(self.weights).all():
            raise PliesError("the weights of the network are no longer finite")
        return fits
