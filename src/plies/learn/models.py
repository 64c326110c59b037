"""What a training by generations learns, network or patterns: how it begins, travels and is fitted."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.inputs import identity_of, layout_of
from plies.learn.kinds import NETWORK, PATTERNS
from plies.learn.pattern_trainer import PatternTrainer
from plies.learn.positions import Positions
from plies.learn.trainer import Fit, Trainer
from plies.network import LANES, MOST_UNITS, Learned, Network
from plies.patterns import MOST_STAGES, Patterns, shapes_of
from plies.work.code import array_of, array_text

FRESH_RATE, WARM_RATE = 0.003, 0.001
"""Learning rates of new weights of a network, and of those that are learned on. In Breakthrough, 0.003 fits
held-out positions best of 0.003, 0.01 and 0.03."""

PATTERN_RATE = 0.01
"""The learning rate of pattern tables, before Adagrad divides it: better than 0.02 in Othello."""

BUCKETS = 4
"""Output buckets, each for as many positions of the first generation. Not tuned."""

STAGES = 8
"""Stages of pattern tables, each for as many positions of the first generation. Not tuned."""

ARRAYS = ("inward", "biases", "outward", "offsets", "thresholds")
"""The arrays of a network."""


class Model:
    """A kind of evaluation, of some size, for a game."""

    kind: str
    images: bool
    """Whether images of a position teach it more than the position itself."""

    def __init__(self, game: Game) -> None:
        self.game = game
        layout_of(game)

    @property
    def size(self) -> dict[str, int]:
        """The sizes it was given, by name."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """What it is, in words."""
        raise NotImplementedError

    def blank(self) -> Learned:
        """One that takes every position for a draw: as no evaluation, in the same machine code."""
        raise NotImplementedError

    def text(self, learned: Any) -> dict[str, Any]:
        """Its weights as JSON."""
        raise NotImplementedError

    def of(self, text: Mapping[str, Any]) -> Learned:
        """What has the weights of that JSON."""
        raise NotImplementedError

    def check(self, learned: Learned) -> None:
        """Raise an error unless it is of this kind and size, and for the game."""
        learned.check(self.game)
        if learned.about.get("kind", NETWORK) != self.kind:
            raise PliesError(f"the training has a file that holds no {self.kind}")

    def fit(
        self,
        positions: Positions,
        targets: np.ndarray[Any, Any],
        newest: Positions,
        *,
        best: Any,
        warm: bool,
        half: float,
        epochs: int,
        seeds: tuple[int, int],
        threads: int,
        tell: Callable[[float], None],
    ) -> tuple[Any, list[Fit]]:
        """One that fits the positions, begun with the `best` if it is `warm`, and how well."""
        raise NotImplementedError


class NetworkModel(Model):
    """A network."""

    kind, images = NETWORK, True

    def __init__(self, game: Game, units: int) -> None:
        super().__init__(game)
        if units % LANES or not LANES <= units <= MOST_UNITS:
            raise BadParameter(f"units must be a multiple of {LANES} up to {MOST_UNITS}, not {units}")
        self.units = units
        layout = layout_of(game)
        self.rows = layout.planes * layout.cells

    @property
    def size(self) -> dict[str, int]:
        return {"units": self.units}

    @property
    def words(self) -> str:
        return f"a network in the search, {self.units} units"

    def blank(self) -> Network:
        return blank(self.game, self.units)

    def text(self, learned: Any) -> dict[str, Any]:
        return {**{name: array_text(getattr(learned, name)) for name in ARRAYS}, "half": learned.half}

    def of(self, text: Mapping[str, Any]) -> Network:
        arrays: dict[str, Any] = {name: array_of(text[name]) for name in ARRAYS}
        return Network(**arrays, half=text["half"], about=identity_of(self.game))

    def fit(self, positions, targets, newest, *, best, warm, half, epochs, seeds, threads, tell):  # type: ignore[no-untyped-def]
        thresholds = best.thresholds if best is not None else cuts(newest.sizes, BUCKETS)
        trainer = Trainer(self.rows, self.units, thresholds, seed=seeds[0], phases=self.game.phases)
        if warm:
            trainer.begin_with({name: getattr(best, name) for name in trainer.arrays()})
        rate = WARM_RATE if warm else FRESH_RATE
        fits = trainer.fit(
            positions, targets, epochs=epochs, rate=rate, seed=seeds[1], threads=threads, tell=tell
        )
        arrays: dict[str, Any] = trainer.arrays()
        return Network(**arrays, thresholds=trainer.thresholds, half=half), fits


class PatternModel(Model):
    """Pattern tables."""

    kind, images = PATTERNS, False

    def __init__(self, game: Game, stages: int) -> None:
        super().__init__(game)
        if not 1 <= stages <= MOST_STAGES:
            raise BadParameter(f"stages must be between 1 and {MOST_STAGES}, not {stages}")
        self.stages, self.shapes = stages, shapes_of(game)
        self._text = lru_cache(maxsize=4)(self._packed)
        self._of = lru_cache(maxsize=4)(self._unpacked)

    @property
    def size(self) -> dict[str, int]:
        return {"stages": self.stages}

    @property
    def words(self) -> str:
        sets, tables = sum(map(len, self.shapes.tables)), len(self.shapes.tables)
        return f"pattern tables, {sets} patterns in {tables} tables, up to {self.stages} stages"

    def blank(self) -> Patterns:
        return Patterns.shaped(self.game, self.shapes, kind=PATTERNS)

    def text(self, learned: Any) -> dict[str, Any]:
        return self._text(learned)

    def _packed(self, learned: Patterns) -> dict[str, Any]:
        packed = base64.b64encode(zlib.compress(learned.tables.tobytes(), 1)).decode()
        return {"tables": packed, "thresholds": learned.thresholds.tolist(), "half": learned.half}

    def of(self, text: Mapping[str, Any]) -> Patterns:
        return self._of(text["tables"], tuple(text["thresholds"]), text["half"])

    def _unpacked(self, packed: str, thresholds: tuple[int, ...], half: float) -> Patterns:
        like = Patterns.shaped(self.game, self.shapes, thresholds, half)
        tables = np.frombuffer(zlib.decompress(base64.b64decode(packed)), np.int16)
        return replace(like, tables=tables.reshape(like.tables.shape).copy())

    def check(self, learned: Any) -> None:
        super().check(learned)
        own, other = self.blank().arrays(), learned.arrays()
        if any(not np.array_equal(own[name], other[name]) for name in ("planes", "codes", "cells", "kinds")):
            raise PliesError(f"the training has tables for other patterns than {self.game.name} has now")

    def fit(self, positions, targets, newest, *, best, warm, half, epochs, seeds, threads, tell):  # type: ignore[no-untyped-def]
        like = self.blank()
        sizes = newest.sizes_of(like.planes, int(like.about["cells"]))
        thresholds = best.thresholds if best is not None else cuts(sizes, self.stages)
        like = Patterns.shaped(self.game, self.shapes, thresholds, half)
        trainer = PatternTrainer(like, self.shapes)
        if warm:
            trainer.begin_with(best.tables)
        fits = trainer.fit(positions, targets, epochs=epochs, rate=PATTERN_RATE, seed=seeds[1], tell=tell)
        return replace(like, tables=trainer.tables()), fits


def blank(game: Game, units: int) -> Network:
    """A network that takes every position for a draw: the same as no evaluation, in the same machine code."""
    layout = layout_of(game)
    return Network(
        np.zeros((layout.planes * layout.cells, units), np.float32),
        np.zeros(units, np.float32),
        np.zeros((1, 2 * units), np.float32),
        np.zeros(1, np.float32),
        about=identity_of(game),
    )


def cuts(sizes: np.ndarray[Any, Any], parts: int) -> np.ndarray[Any, Any]:
    """Thresholds by which each part has about as many positions."""
    found = np.quantile(sizes, np.arange(1, parts) / parts, method="higher") if len(sizes) else []
    return np.unique(np.asarray(found, np.int64))


def model_of(game: Game, kind: str, **sizes: int) -> Model:
    """The model of a kind and its sizes, by their names."""
    return (PatternModel if kind == PATTERNS else NetworkModel)(game, **sizes)
