"""What makes compiling quick must not change what is compiled."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

import plies
from plies.compiled import Kernel, interpreting

pytestmark = pytest.mark.skipif(interpreting(), reason="compilation is switched off")


class State(NamedTuple):
    whole: int
    real: float
    flag: bool


class Numbers(plies.TicTacToe):
    """A game with a state of several types."""

    def initial(self):
        return State(-7, 2.5, True)


def extremes(game, state, other):
    # fmt: off
    return (
        min(state.whole, 3), max(state.whole, 3), min(state.whole, state.real), max(other, state.real, 1),
        min(state.real, other), max(state.flag, 0), max(state.whole, 2, -9, 4), min((3, 1, 2)),
        int(state.real), int(-state.real), int(state.flag), int(state.whole),
    )
    # fmt: on


def twice(game, state, n) -> int:  # its results are floats
    if n == 0:
        return 0.5
    return 2 * twice_kernel(game, state, n - 1)


def chosen(kind):
    return 1 if kind == 2 else kind / 2


def by_constants(game, state, n):
    return chosen(2) + chosen(3) + chosen(n)


twice_kernel = Kernel(twice)


@pytest.mark.parametrize("other", [1.5, -math.inf, math.nan, 9.0])
def test_numbers_are_compared_and_converted_as_interpreted(other):
    game, kernel = Numbers(), Kernel(extremes)
    args = game, game.initial(), other
    found, expected = kernel.compiled_for(*args)(*args), kernel.interpreted(*args)
    assert [str(float(one)) for one in found] == [str(float(one)) for one in expected]


def test_an_annotation_that_is_wrong_does_no_harm():
    game = Numbers()
    assert twice_kernel.compiled_for(game, game.initial(), 3)(game, game.initial(), 3) == 4.0


def test_constants_that_are_passed_are_not_part_of_a_type():
    game, kernel = Numbers(), Kernel(by_constants)
    args = game, game.initial(), 5
    assert kernel.compiled_for(*args)(*args) == kernel.interpreted(*args) == 5.0
