"""Networks that a search keeps up to date as it moves: an efficiently updatable neural network (NNUE).

Every set bit of a game's `planes` is an input. One hidden layer of clipped units sees the position twice, as
the player to move and as the opponent, with the same weights; the output is a weighted sum of both, by how
many bits are set. Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi,
2018. `Network` has the weights as floats, for a trainer; `Quantised` as a search reads them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Game, State
from plies.inputs import WHOLE, Array, identity_of, inputs_of, layout_of, phase_of, range_of, shown, value_of
from plies.neural_network import described, facts_of, load_arrays, save_arrays
from plies.patterns import Patterns

LANES = 16
"""The units of a network are a multiple of this: as many 16-bit numbers as AVX2 adds at once."""

MOST_UNITS = 256
"""The most units. With more, sums of outputs would need more than 32 bits: see `MOST_OUTWARD`."""

MOST_BUCKETS = 64
"""The most output buckets. Not tuned; engines of chess have eight."""

MOST_INPUTS = 1 << 16
"""The most inputs. Not tuned: 40 planes of a chess board have 2,560."""

ONE = 255
"""A hidden unit of 1.0, and a weight towards one, in whole numbers: a clipped unit has eight bits."""

ONE_OUTWARD = WHOLE // ONE
"""A weight of 1.0 towards the output, in whole numbers."""

MOST_INWARD = 32767 / ONE
"""The greatest weight towards a hidden unit, which has 16 bits."""

MOST_OUTWARD = 256.0
"""The greatest weight towards the output: two views of 256 units at their greatest then sum to less than
2^31."""


class Quantised(NamedTuple):
    """The weights of a network in whole numbers, as a search reads them."""

    inward: Array
    """Of 16 bits, a row for each input; 1.0 is `ONE`."""
    biases: Array
    """Of 16 bits; 1.0 is `ONE`."""
    outward: Array
    """Of 16 bits, a row for each bucket: the units of the player's own view, then of the other; 1.0 is
    `ONE_OUTWARD`."""
    offsets: Array
    """Of 64 bits, one for each bucket; 1.0 is `WHOLE`."""
    buckets: Array
    """The bucket by how many bits are set."""


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of a network, as 32-bit floats, and what is known about it.

    Hidden units are clipped: h = min(max(bias + the rows of `inward` of all set bits, 0), 1). The output is
    x = outward · (h of the player's own view, h of the other) + offset, by bucket; the value to the player is
    that of a draw plus x / (half + |x|) times as much as a win is better: never quite a win.
    """

    inward: Array
    """A row of weights for each input; input number `plane * cells + bit`. A game with phases has as many
    rows again for each phase after the first."""
    biases: Array
    """Of the hidden units."""
    outward: Array
    """A row for each bucket of the first phase, then of the next: a weight for each unit of the player's own
    view, then of the other."""
    offsets: Array
    """Added to the output: one for each of these rows."""
    thresholds: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """The numbers of set bits, in the view of the player to move, from which each bucket of a phase after its
    first begins."""
    half: float = 1.0
    """The output that is worth half a win. The greater, the smaller are values near that of a draw."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """The game, its parameters, planes and cells, and how it was trained: the command, seed, games …"""

    @property
    def units(self) -> int:
        """The hidden units of each view."""
        return len(self.biases)

    @property
    def phases(self) -> int:
        """The phases that have inward and outward weights of their own."""
        return max(1, len(self.offsets) // (len(self.thresholds) + 1))

    @property
    def inputs(self) -> int:
        """The inputs of a view."""
        return len(self.inward) // self.phases

    @classmethod
    def fresh(cls, game: Game, units: int = 32, buckets: int = 1, seed: int = 0, **about: Any) -> Network:
        """A network to begin training with: small random weights, and a value of a draw everywhere."""
        layout = layout_of(game)
        inputs, rows = layout.planes * layout.cells * game.phases, buckets * game.phases
        spread = 1 / math.sqrt(layout.cells)  # as if a cell in each plane were set: not tuned
        inward = np.random.default_rng(seed).uniform(-spread, spread, (inputs, units))
        network = cls(
            inward.astype(np.float32),
            np.full(units, 0.25, np.float32),
            np.zeros((rows, 2 * units), np.float32),
            np.zeros(rows, np.float32),
            np.arange(1, buckets, dtype=np.int64),
            about={**identity_of(game), "units": units, **about},
        )
        network.check(game)
        return network

    @cached_property
    def quantised(self) -> Quantised:
        """The weights in whole numbers."""
        counts = np.arange(self.inputs + 1)
        return Quantised(
            np.rint(self.inward.astype(np.float64) * ONE).astype(np.int16),
            np.rint(self.biases.astype(np.float64) * ONE).astype(np.int16),
            np.rint(self.outward.astype(np.float64) * ONE_OUTWARD).astype(np.int16),
            np.rint(self.offsets.astype(np.float64) * (WHOLE)).astype(np.int64),
            np.searchsorted(self.thresholds, counts, side="right").astype(np.int64),
        )

    def hidden(self, game: Game, state: State, player: int) -> Array:
        """The sums of the hidden units in a player's view, in whole numbers, before they are clipped."""
        inward, biases = self.quantised[:2]
        rows: Array = inward[
            inputs_of(game, state, player) + self.inputs * phase_of(game, state, self.phases)
        ]
        return np.asarray(biases + rows.sum(0, dtype=np.int16))

    def output(self, game: Game, state: State, player: int) -> int:
        """The output for a player, in units of 1 / (`ONE` * `ONE_OUTWARD`), with whole numbers throughout."""
        views = [inputs_of(game, state, one) for one in (player, 1 - player)]
        return self.outputs_of(views, phase_of(game, state, self.phases))(None)

    def outputs_of(self, views: Sequence[Array], phase: int = 0) -> Callable[[tuple[int, int] | None], int]:
        """The output of a position, by its inputs in the views of mover and opponent, as a function of a view
        and an input that is to be missing there."""
        own = self.quantised
        bucket = phase * (len(self.thresholds) + 1) + int(own.buckets[len(views[0])])
        shift = phase * self.inputs
        sums = [own.biases + own.inward[view + shift].sum(0, dtype=np.int16) for view in views]

        def output(without: tuple[int, int] | None) -> int:
            hidden = list(sums)
            if without is not None:
                hidden[without[0]] = hidden[without[0]] - own.inward[without[1] + shift]
            clipped = np.concatenate([np.clip(one, 0, ONE) for one in hidden]).astype(np.int64)
            return int(clipped @ own.outward[bucket].astype(np.int64) + own.offsets[bucket])

        return output

    def value(self, game: Game, state: State, player: int) -> float:
        """The estimate of a state to a player: what a search finds there, to the last bit."""
        even, reach = range_of(game)
        return value_of(self.output(game, state, player), even, reach, self.half)

    def estimate(self, game: Game, state: State, player: int) -> float:
        """The value to any player, not only the one to move, as a search takes it."""
        mover = 1 if game.to_move(state) == 1 else 0  # where chance moves, as player 0 sees it
        value = self.value(game, state, mover)
        return value if mover == player else 2 * game.draw_value - value

    # -- What it is for.

    def check(self, game: Game) -> None:
        """Raise an error, in a sentence, unless the network fits a game."""
        layout, own = layout_of(game), identity_of(game)
        for name in ("game", "parameters", "planes", "cells"):
            if self.about.get(name) != own[name]:
                raise Unsuitable(
                    f"the network does not fit {game.name}: it is for {name} {shown(self.about.get(name))}, "
                    f"not {shown(own[name])}"
                )
        if self.phases not in (1, game.phases):
            raise Unsuitable(f"the network has {self.phases} phases; {game.name} has {game.phases}")
        if self.inputs != layout.planes * layout.cells:
            raise Unsuitable(
                f"the network has {self.inputs} inputs; {layout.planes} planes of {layout.cells} cells "
                f"are {layout.planes * layout.cells}"
            )
        _check_weights(self, "the network")

    def fits(self, game: Game) -> bool:
        """Whether it is for a game."""
        try:
            self.check(game)
        except PliesError:
            return False
        return True

    def facts(self) -> dict[str, Any]:
        """What it is, as plain data."""
        shape = {"inputs": self.inputs, "units": self.units, "buckets": len(self.thresholds) + 1}
        if self.phases > 1:
            shape["phases"] = self.phases
        return {
            **self.about,
            **shape,
            "half": self.half,
            "weights": int(self.inward.size + self.outward.size),
        }

    def __str__(self) -> str:
        """A line for each fact; a file is not trusted, so that nothing unprintable is shown."""
        lines = (f"{shown(name, 40):<11} {shown(value, 200)}" for name, value in self.facts().items())
        return "\n".join(lines)

    # -- Files.

    def save(self, path: str | Path) -> None:
        """Write the network to a file, atomically."""
        _check_weights(self, "the network")
        arrays = {name: getattr(self, name) for name in ("inward", "biases", "outward", "offsets")}
        numbers = {"thresholds": self.thresholds, "half": np.array([self.half])}
        save_arrays(path, {**arrays, **numbers}, described(**self.about))


Learned = Network | Patterns
"""What a search can evaluate positions by: both are called networks where files are taken."""


def load_network(path: str | Path) -> Learned:
    """Read a network, or pattern tables, from a file; nothing in it is run, and what is wrong with it is an
    error."""
    arrays, about = load_arrays(path)
    name = repr(str(path))
    if "kinds" in arrays:
        return Patterns.of_arrays(arrays, facts_of(about), name)
    floats: dict[str, Array] = {}
    for key in ("inward", "biases", "outward", "offsets", "thresholds", "half"):
        if key not in arrays:
            raise PliesError(f"{name} holds no network for a search: {key!r} is missing")
    for key, dimensions in (("inward", 2), ("biases", 1), ("outward", 2), ("offsets", 1)):
        if arrays[key].ndim != dimensions:
            raise PliesError(f"{name} holds no network for a search: {key!r} has the wrong dimensions")
        with np.errstate(over="ignore"):  # infinite weights are reported below
            floats[key] = np.ascontiguousarray(arrays[key], np.float32)
    thresholds, half = arrays["thresholds"], arrays["half"]
    if thresholds.ndim != 1 or thresholds.dtype.kind not in "iu" or half.shape != (1,):
        raise PliesError(f"{name} holds no network for a search: its thresholds or its half are no numbers")
    network = Network(
        **floats, thresholds=thresholds.astype(np.int64), half=float(half[0]), about=facts_of(about)
    )
    _check_weights(network, name)
    return network


def _check_weights(network: Network, name: str) -> None:
    """Raise an error, in a sentence, unless the arrays fit together and their numbers can be quantised."""
    inward, outward = network.inward, network.outward
    units, rows, thresholds = len(network.biases), len(network.offsets), network.thresholds
    buckets = len(thresholds) + 1
    if units % LANES or not LANES <= units <= MOST_UNITS:
        raise BadParameter(f"units must be a multiple of {LANES} up to {MOST_UNITS}; {name} has {units}")
    if not 1 <= rows <= MOST_BUCKETS or not 1 <= len(inward) <= MOST_INPUTS:
        raise BadParameter(
            f"{name} has {rows} buckets and {len(inward)} inputs, not 1 to {MOST_BUCKETS} and 1 to "
            f"{MOST_INPUTS}"
        )
    if inward.shape[1:] != (units,) or outward.shape != (rows, 2 * units) or network.biases.ndim != 1:
        raise PliesError(f"{name} holds no network for a search: its arrays do not fit together")
    if (np.diff(thresholds) < 0).any():
        raise PliesError(f"{name} holds no network for a search: its thresholds are not in order")
    if rows % buckets or len(inward) % (rows // buckets):
        raise PliesError(f"{name} holds no network for a search: its phases have not as many weights each")
    limits = ((inward, MOST_INWARD), (network.biases, MOST_INWARD), (outward, MOST_OUTWARD))
    for weights, most in (*limits, (network.offsets, 2 * MOST_UNITS * MOST_OUTWARD)):
        if not (abs(weights) <= most).all():  # false for nan, too
            raise PliesError(f"{name} holds no network for a search: a weight is beyond {most:.1f}")
    if not 0 < network.half < math.inf:
        raise PliesError(f"{name} holds no network for a search: its half is {network.half}, not above 0")
