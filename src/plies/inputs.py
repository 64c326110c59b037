"""What learned evaluations see of a game, and what their outputs stand for.

Every set bit of a game's `planes` is an input: see `plies.network` and `plies.patterns`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from plies.errors import BadParameter, Unsuitable
from plies.game import Game, State, rule_parameters
from plies.needs import Needs
from plies.validation import checked_bounds, checked_total

Array = np.ndarray[Any, Any]

WHOLE = 255 * 64
"""An output of 1.0, in whole numbers."""

WORD = 63
"""The bits of a word of a wide bitboard."""

SERVED = Needs(players=2, zero_sum=True)
"""The games they are for: two players against each other, with or without chance."""


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


def phase_of(game: Game, state: State, phases: int) -> int:
    """The phase of a state to a network of so many phases; a number beyond these is that of the nearest."""
    return min(max(int(game.phase(state)), 0), phases - 1)


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
    x = output / (WHOLE)
    return even + reach * (x / (half + abs(x)))


def output_of(value: float, even: float, reach: float, half: float) -> float:
    """The output x, as a float, that has a value; for one as good as a win or better, that of nearly one."""
    share = min(max((value - even) / reach, -0.9999), 0.9999)
    return half * share / (1 - abs(share))


def shown(value: Any, most: int = 80) -> str:
    """A fact of a file, which is not trusted, as text of at most so many printable characters."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(sign if sign.isprintable() else "?" for sign in text[: most + 1])
    return text if len(text) <= most else f"{text[: most - 1]}…"
