"""Networks that a search keeps up to date as it moves: an efficiently updatable neural network (NNUE).

Every set bit of a game's `planes` is an input. One hidden layer of clipped units sees the position twice, as
the player to move and as the opponent, with the same weights; the output is a weighted sum of both, by how
many bits are set. Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi,
2018. `Network` has the weights as floats, for a trainer; `Quantised` as a search reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Game, State, rule_parameters
from plies.needs import Needs
from plies.neural_network import described, facts_of, load_arrays, save_arrays
from plies.validation import checked_bounds, checked_total

Array = np.ndarray[Any, Any]

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

ONE_OUTWARD = 64
"""A weight of 1.0 towards the output, in whole numbers."""

MOST_INWARD = 32767 / ONE
"""The greatest weight towards a hidden unit, which has 16 bits."""

MOST_OUTWARD = 256.0
"""The greatest weight towards the output: two views of 256 units at their greatest then sum to less than
2^31."""

WORD = 63
"""The bits of a word of a wide bitboard."""

SERVED = Needs(players=2, zero_sum=True)
"""The games that networks are for: two players against each other, with or without chance."""


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
    """Of 64 bits, one for each bucket; 1.0 is `ONE * ONE_OUTWARD`."""
    buckets: Array
    """The bucket by how many bits are set."""


class Layout(NamedTuple):
    """Where the inputs are in the words of a game's planes; a wide bitboard is several words of 63 bits."""

    planes: int
    cells: int
    """The bits of a plane."""
    words: int
    """The words of all planes together."""
    places: Array
    """Of the words that have cells, their places among all words."""
    first: Array
    """Of each of these, the input that its lowest bit is."""
    masks: Array
    """Of each of these, the bits that are cells."""
    other: Array
    """Where a game says what the other view is: of each of these, the place of the opponent's."""


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of a network, as 32-bit floats, and what is known about it.

    Hidden units are clipped: h = min(max(bias + the rows of `inward` of all set bits, 0), 1). The output is
    x = outward · (h of the player's own view, h of the other) + offset, by bucket; the value to the player is
    that of a draw plus x / (half + |x|) times as much as a win is better: never quite a win.
    """

    inward: Array
    """A row of weights for each input; input number `plane * cells + bit`."""
    biases: Array
    """Of the hidden units."""
    outward: Array
    """A row for each bucket: a weight for each unit of the player's own view, then of the other."""
    offsets: Array
    """Added to the output: one for each bucket."""
    thresholds: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """The numbers of set bits, in the view of the player to move, from which each bucket after the first
    begins."""
    half: float = 1.0
    """The output that is worth half a win. The greater, the smaller are values near that of a draw."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """The game, its parameters, planes and cells, and how it was trained: the command, seed, games …"""

    @property
    def units(self) -> int:
        """The hidden units of each view."""
        return len(self.biases)

    @classmethod
    def fresh(cls, game: Game, units: int = 32, buckets: int = 1, seed: int = 0, **about: Any) -> Network:
        """A network to begin training with: small random weights, and a value of a draw everywhere."""
        layout = layout_of(game)
        inputs = layout.planes * layout.cells
        spread = 1 / math.sqrt(layout.cells)  # as if a cell in each plane were set: not tuned
        inward = np.random.default_rng(seed).uniform(-spread, spread, (inputs, units))
        network = cls(
            inward.astype(np.float32),
            np.full(units, 0.25, np.float32),
            np.zeros((buckets, 2 * units), np.float32),
            np.zeros(buckets, np.float32),
            np.arange(1, buckets, dtype=np.int64),
            about={**identity_of(game), "units": units, **about},
        )
        network.check(game)
        return network

    @cached_property
    def quantised(self) -> Quantised:
        """The weights in whole numbers."""
        counts = np.arange(len(self.inward) + 1)
        return Quantised(
            np.rint(self.inward.astype(np.float64) * ONE).astype(np.int16),
            np.rint(self.biases.astype(np.float64) * ONE).astype(np.int16),
            np.rint(self.outward.astype(np.float64) * ONE_OUTWARD).astype(np.int16),
            np.rint(self.offsets.astype(np.float64) * (ONE * ONE_OUTWARD)).astype(np.int64),
            np.searchsorted(self.thresholds, counts, side="right").astype(np.int64),
        )

    def hidden(self, game: Game, state: State, player: int) -> Array:
        """The sums of the hidden units in a player's view, in whole numbers, before they are clipped."""
        inward, biases = self.quantised[:2]
        rows: Array = inward[inputs_of(game, state, player)]
        return np.asarray(biases + rows.sum(0, dtype=np.int16))

    def output(self, game: Game, state: State, player: int) -> int:
        """The output for a player, in units of 1 / (`ONE` * `ONE_OUTWARD`), with whole numbers throughout."""
        views = [np.clip(self.hidden(game, state, one), 0, ONE) for one in (player, 1 - player)]
        own = self.quantised
        bucket = int(own.buckets[len(inputs_of(game, state, player))])
        total = np.concatenate(views).astype(np.int64) @ own.outward[bucket].astype(np.int64)
        return int(total + own.offsets[bucket])

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
                    f"the network does not fit {game.name}: it is for {name} {_shown(self.about.get(name))}, "
                    f"not {_shown(own[name])}"
                )
        if len(self.inward) != layout.planes * layout.cells:
            raise Unsuitable(
                f"the network has {len(self.inward)} inputs; {layout.planes} planes of {layout.cells} cells "
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
        shape = {"inputs": len(self.inward), "units": self.units, "buckets": len(self.offsets)}
        return {
            **self.about,
            **shape,
            "half": self.half,
            "weights": int(self.inward.size + self.outward.size),
        }

    def __str__(self) -> str:
        """A line for each fact; a file is not trusted, so that nothing unprintable is shown."""
        lines = (f"{_shown(name, 40):<11} {_shown(value, 200)}" for name, value in self.facts().items())
        return "\n".join(lines)

    # -- Files.

    def save(self, path: str | Path) -> None:
        """Write the network to a file, atomically."""
        _check_weights(self, "the network")
        arrays = {name: getattr(self, name) for name in ("inward", "biases", "outward", "offsets")}
        numbers = {"thresholds": self.thresholds, "half": np.array([self.half])}
        save_arrays(path, {**arrays, **numbers}, described(**self.about))


def load_network(path: str | Path) -> Network:
    """Read a network from a file; nothing in it is run, and whatever is wrong with it is an error."""
    arrays, about = load_arrays(path)
    name = repr(str(path))
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
    units, buckets, thresholds = len(network.biases), len(network.offsets), network.thresholds
    if units % LANES or not LANES <= units <= MOST_UNITS:
        raise BadParameter(f"units must be a multiple of {LANES} up to {MOST_UNITS}; {name} has {units}")
    if not 1 <= buckets <= MOST_BUCKETS or not 1 <= len(inward) <= MOST_INPUTS:
        raise BadParameter(
            f"{name} has {buckets} buckets and {len(inward)} inputs, not 1 to {MOST_BUCKETS} and 1 to "
            f"{MOST_INPUTS}"
        )
    if inward.shape[1:] != (units,) or outward.shape != (buckets, 2 * units) or network.biases.ndim != 1:
        raise PliesError(f"{name} holds no network for a search: its arrays do not fit together")
    if thresholds.shape != (buckets - 1,) or (np.diff(thresholds) < 0).any():
        raise PliesError(f"{name} holds no network for a search: its thresholds are not in order")
    limits = ((inward, MOST_INWARD), (network.biases, MOST_INWARD), (outward, MOST_OUTWARD))
    for weights, most in (*limits, (network.offsets, 2 * MOST_UNITS * MOST_OUTWARD)):
        if not (abs(weights) <= most).all():  # false for nan, too
            raise PliesError(f"{name} holds no network for a search: a weight is beyond {most:.1f}")
    if not 0 < network.half < math.inf:
        raise PliesError(f"{name} holds no network for a search: its half is {network.half}, not above 0")


# -- Games.


def layout_of(game: Game) -> Layout:
    """Where the inputs of a game's planes are; an error, in a sentence, if it has none for a network."""
    SERVED.check(game, "a network in the search")
    if not game.has("planes"):
        raise Unsuitable(f"{game.name} has no planes(), which are what a network sees: give it that rule")
    cells, planes = math.prod(game.plane_shape), game.planes(game.initial(), 0)
    if not game.plane_shape or cells < 1 or not planes:
        raise BadParameter(f"{game.name} has planes, but no plane_shape or none of them: give both")
    places, first, masks, words = [], [], [], 0
    for number, plane in enumerate(planes):
        width = len(plane) if isinstance(plane, tuple) else 1
        if cells > (WORD * width if isinstance(plane, tuple) else 64):
            raise BadParameter(
                f"a plane of {game.name} has {cells} cells, but {width} words: give it as a tuple of words "
                f"of {WORD} bits each, such as a wide bitboard"
            )
        for i in range(width):
            left = cells - WORD * i
            if left > 0:
                places.append(words + i)
                first.append(number * cells + WORD * i)
                masks.append(-1 if width == 1 and left == 64 else (1 << min(left, WORD)) - 1)
        words += width
    order = tuple(game.other_view)
    if order and sorted(order) != list(range(len(planes))):
        raise BadParameter(f"other_view of {game.name} needs each number from 0 to {len(planes) - 1} once")
    starts = np.cumsum([0, *(len(plane) if isinstance(plane, tuple) else 1 for plane in planes)])
    numbers = np.array(first, np.int64) // cells
    shifts = [int(starts[order[plane]] - starts[plane]) for plane in numbers] if order else []
    other = [place + shift for place, shift in zip(places, shifts, strict=False)]
    arrays = (np.array(one, np.int64) for one in (places, first, masks, other))
    return Layout(len(planes), cells, words, *arrays)


def inputs_of(game: Game, state: State, player: int) -> Array:
    """The inputs that are set in a player's view of a state, in order."""
    cells = math.prod(game.plane_shape)
    found = [
        number * cells + bit
        for number, plane in enumerate(game.planes(state, player))
        for bit in _bits(plane)
        if bit < cells
    ]
    return np.array(found, np.int64)


def _bits(plane: Any) -> Iterator[int]:
    """The numbers of the bits that are set in a plane, wide or not."""
    words = [int(word) & (1 << WORD) - 1 for word in plane] if isinstance(plane, tuple) else [int(plane)]
    whole = sum(word << WORD * i for i, word in enumerate(words)) & (1 << max(64, WORD * len(words))) - 1
    while whole:
        yield (whole & -whole).bit_length() - 1
        whole &= whole - 1


def identity_of(game: Game) -> dict[str, Any]:
    """What a network's `about` must say to fit a game."""
    return {
        "game": game.name,
        "parameters": rule_parameters(game),
        "planes": len(game.planes(game.initial(), 0)),
        "cells": math.prod(game.plane_shape),
    }


def range_of(game: Game) -> tuple[float, float]:
    """The value of a draw, and by how much a win is better: what a network's values lie between."""
    (low, high), total = checked_bounds(game), checked_total(game)
    even = total / 2
    return even, min(high - even, even - low)


def value_of(output: int, even: float, reach: float, half: float) -> float:
    """The value of an output in whole numbers; `output_of` undoes it."""
    x = output / (ONE * ONE_OUTWARD)
    return even + reach * (x / (half + abs(x)))


def output_of(value: float, even: float, reach: float, half: float) -> float:
    """The output x, as a float, that has a value; for one as good as a win or better, that of nearly one."""
    share = min(max((value - even) / reach, -0.9999), 0.9999)
    return half * share / (1 - abs(share))


def _shown(value: Any, most: int = 80) -> str:
    """A fact of a file, which is not trusted, as text of at most so many printable characters."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(sign if sign.isprintable() else "?" for sign in text[: most + 1])
    return text if len(text) <= most else f"{text[: most - 1]}…"
