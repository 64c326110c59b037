"""The states that an analysis begins with, and the games whose states can be listed at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from plies.compiled.packing import numbers_of, unpackable
from plies.errors import BadParameter, Unsuitable
from plies.game import Game, State
from plies.needs import Needs
from plies.retrograde.layout import Array
from plies.validation import refuse_arrays

NEEDS = Needs(players=2, zero_sum=True)
NEEDS_WITH_DICE = Needs(players=2, zero_sum=True, alone_too=True)
SUBJECT = "retrograde analysis"


def check_suitable(game: Game, state: State) -> None:
    """Raise an error, in a sentence, if the states of a game cannot be listed."""
    (NEEDS_WITH_DICE if game.stochastic else NEEDS).check(game, SUBJECT)
    if game.superko:
        raise Unsuitable(f"{SUBJECT} knows no past, on which superko depends; {type(game).__name__} has it")
    refuse_arrays(game, state)
    if trouble := unpackable(state):
        raise Unsuitable(f"{SUBJECT} is for states of whole numbers; in {type(game).__name__} {trouble}")


def rows_of(game: Game, roots: Iterable[Any]) -> Array:
    """States, or arrays of their numbers, as rows of numbers."""
    states: list[list[int]] = []
    blocks: list[Array] = []
    for one in roots:
        if isinstance(one, np.ndarray):
            blocks.append(np.asarray(one, np.int64).reshape(-1, one.shape[-1]))
        else:
            check_suitable(game, one)
            states.append(numbers_of(game.core(one)))
    if states:
        blocks.append(np.array(states, np.int64))
    if not blocks or len({block.shape[1] for block in blocks}) != 1:
        raise BadParameter(f"{type(game).__name__} gives no states to begin with, or states of several sizes")
    return np.concatenate(blocks)
