"""The trainer of pattern tables: Adagrad, position by position, in machine code that all games share.

A weight of a stage is the sum of one for all stages and one of its own, so that what is rare in a stage is
known from the others. Each has its own learning rate, which falls with the gradients that it has met: Duchi,
Hazan and Singer, Adaptive Subgradient Methods for Online Learning and Stochastic Optimization, 2011. The loss
is convex, and a position takes a microsecond or two; so one thread, in one order, is enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.compiled.workspace import Workspace, record_type
from plies.errors import PliesError
from plies.learn.positions import Positions
from plies.learn.trainer import BATCH, LAST_RATE, Fit, NoGame
from plies.patterns import Patterns
from plies.patterns.shapes import Shapes
from plies.patterns.tables import ONE

FLOOR = 10.0
"""The squared gradients that a weight begins with: the first few positions do not move it far. In Othello, 10
and 100 fit held-out positions better than 1."""

SETTINGS = np.dtype(
    [
        ("entries", np.int64),  # weights of a stage
        ("cells", np.int64),  # of the board
        ("counts", np.int64),  # where the weights by the bits of each plane begin
        ("sizes", np.int64),  # where those by the bits of all planes of the patterns begin
        ("rate", np.float64),  # the learning rate
        ("learning", np.int64),  # 0: only the losses are wanted
        ("loss", np.float64),  # the cross entropy of all positions since it was set to 0 …
        ("off", np.float64),  # … and the squared error
    ]
)


@kernel
def learn_patterns(game, state, first, last, run, work):
    """Learn from positions number `first` to `last` of the order, or only sum up their losses."""
    weights, squares, entries = work.weights, work.squares, work.found
    for index in range(first, last):
        k = work.order[index]
        stage = write_entries(k, run, work)
        total = 0.0
        for i in range(len(entries)):
            total += np.float64(weights[entries[i]]) + np.float64(weights[stage + entries[i]])
        guess = math.tanh(total)
        target = np.float64(work.targets[k])
        # The cross entropy of results, of which tanh is the mean: its derivative is what the guess is off by.
        run.loss += max(2 * total, 0.0) + math.log1p(math.exp(-abs(2 * total))) - total * (1 + target)
        slope = guess - target
        run.off += slope**2
        if run.learning == 0:
            continue
        squared, step = np.float32(slope**2), run.rate * slope
        for i in range(len(entries)):
            for place in (entries[i], stage + entries[i]):
                squares[place] += squared
                weights[place] -= np.float32(step / math.sqrt(np.float64(squares[place])))
    return 0


def write_entries(k: int, run: Any, work: Any) -> int:
    """Write the places of all weights that count in a position; where those of its stage begin."""
    seen, digits, counts, entries = work.seen, work.digits, work.bits, work.found
    seen[:] = 0
    digits[:] = 0
    counts[:] = 0
    size = 0
    for i in range(work.starts[2 * k], work.starts[2 * k + 1]):
        plane = np.int64(work.inputs[i]) // run.cells
        cell = np.int64(work.inputs[i]) - plane * run.cells
        counts[plane] += 1
        if work.chosen[plane] != 0:
            seen[cell] |= work.chosen[plane]
            size += 1
    for cell in range(len(digits)):
        if seen[cell] != 0:
            for number in range(len(work.codes)):
                if work.codes[number] == seen[cell]:
                    digits[cell] = number + 1
    sets = len(work.firsts)
    for number in range(sets):
        place = 0
        for i in range(work.set_starts[number], work.set_starts[number + 1]):
            place += digits[work.cells[i]] * work.powers[i]
        entries[number] = work.same[work.firsts[number] + place]
    for plane in range(len(counts)):
        entries[sets + plane] = run.counts + plane * (run.cells + 1) + counts[plane]
    entries[sets + len(counts)] = run.sizes + size
    return int((work.stages[size] + 1) * run.entries)


class PatternTrainer:
    """Weights of pattern tables, and the means to fit them to positions."""

    def __init__(self, like: Patterns, shapes: Shapes) -> None:
        """Weights of nought, for tables of the shape of `like`."""
        self.like = like
        stages, entries = like.tables.shape
        same = np.arange(entries)
        place = 0
        for one in shapes.same:
            same[place : place + len(one)] = place + one
            place += len(one)
        self.same = same
        self.weights = np.zeros(((stages + 1) * entries), np.float32)  # for all stages, and by stage

    def begin_with(self, tables: np.ndarray[Any, Any]) -> None:
        """Go on from tables of whole numbers."""
        given = tables.astype(np.float64) / ONE
        mean = given.mean(0)
        self.weights = np.concatenate([mean[None], given - mean]).ravel().astype(np.float32)

    def tables(self) -> np.ndarray[Any, Any]:
        """The weights as 16-bit numbers, what is the same by symmetry included."""
        stages, entries = self.like.tables.shape
        weights = self.weights.reshape(stages + 1, entries).astype(np.float64)
        sums = (weights[0] + weights[1:])[:, self.same]
        return np.asarray(np.clip(np.rint(sums * ONE), -32767, 32767).astype(np.int16))

    def workspace(self, positions: Positions, targets: np.ndarray[Any, Any]) -> tuple[Any, Workspace]:
        """What the kernel works with, and what it works in, for these positions."""
        like = self.like
        run: Any = record_type(SETTINGS)()
        planes, cells = int(like.about["planes"]), int(like.about["cells"])
        if len(positions.inputs) and int(positions.inputs.max()) >= planes * cells:
            raise PliesError("the positions have more inputs than the patterns: they are of another game")
        run.entries, run.cells = like.tables.shape[1], cells
        run.counts, run.sizes = like.counts_at, like.sizes_at
        chosen = np.zeros(planes, np.int64)
        chosen[like.planes] = np.int64(1) << like.planes
        most = len(like.planes) * cells
        work = Workspace(
            inputs=positions.inputs,
            starts=positions.starts,
            targets=targets.astype(np.float32),
            order=np.arange(len(targets)),
            weights=self.weights,
            squares=np.full(len(self.weights), FLOOR, np.float32),
            same=self.same,
            firsts=like.firsts,
            cells=like.cells,
            set_starts=like.starts,
            powers=np.concatenate([like.states ** np.arange(len(one)) for one in like.sets]),
            codes=like.codes,
            chosen=chosen,  # the bit of each plane in a code
            stages=np.searchsorted(like.thresholds, np.arange(most + 1), side="right"),
            seen=np.zeros(cells, np.int64),  # by cell: which planes have it
            digits=np.zeros(cells, np.int64),  # by cell: its state
            bits=np.zeros(planes, np.int64),  # by plane
            found=np.zeros(len(like.sets) + planes + 1, np.int64),  # the places of weights
        )
        return run, work

    def fit(
        self,
        positions: Positions,
        targets: np.ndarray[Any, Any],
        *,
        epochs: int,
        rate: float,
        seed: int,
        tell: Callable[[float], None] | None = None,
    ) -> list[Fit]:
        """Fit the weights; `positions.held` says which positions are only looked at.

        Returns how well they fit after each epoch; the weights are those of the epoch that fits the held-out
        positions best. `tell` is called with the share that is done.
        """
        game, (run, work) = NoGame(), self.workspace(positions, targets)
        learn = learn_patterns.best_for(game, 0, 0, 0, run, work)
        seen, held = np.flatnonzero(~positions.held), np.flatnonzero(positions.held)
        generator = np.random.default_rng(seed)
        variance = float(np.var(targets[held])) if len(held) else 0.0
        steps, done = max(1, -(-len(seen) // BATCH) * epochs), 0
        fits: list[Fit] = []
        best = self.weights.copy()

        def losses(chosen: np.ndarray[Any, Any]) -> tuple[float, float]:
            count = max(1, len(chosen))
            found = run.loss / count, run.off / count
            run.loss = run.off = 0.0
            return found

        for _ in range(epochs):
            generator.shuffle(seen)
            work.order, run.learning = np.ascontiguousarray(seen), 1
            for first in range(0, len(seen), BATCH):
                share = (1 + math.cos(math.pi * done / steps)) / 2
                run.rate = rate * (LAST_RATE + (1 - LAST_RATE) * share)
                learn(game, 0, first, min(first + BATCH, len(seen)), run, work)
                done += 1
                if tell is not None:
                    tell(done / steps)
            loss, _ = losses(seen)
            work.order, run.learning = np.ascontiguousarray(held), 0
            learn(game, 0, 0, len(held), run, work)
            held_loss, off = losses(held)
            fits.append(Fit(loss, held_loss, 1 - off / variance if variance else 0.0))
            if held_loss <= min(fit.held_loss for fit in fits):
                best = self.weights.copy()
        self.weights = best
        if not np.isfinite(self.weights).all():
            raise PliesError("the weights of the patterns are no longer finite")
        return fits
