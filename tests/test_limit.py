"""Limits of a search: what they take, and what they refuse in a sentence."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import plies
from plies import BadParameter
from plies.engine import Limit

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    "given",
    [{"time": math.inf}, {"depth": math.inf}, {"nodes": math.inf}, {"time": 10**400, "depth": 10**400}],
)
def test_no_end_is_a_limit_that_is_never_reached(given: dict[str, Any]) -> None:
    limit = Limit(**given)
    assert limit != Limit()  # without any, a search takes a second
    assert all(number is None or number >= 10**9 for number in vars(limit).values())
    found = plies.search(plies.TicTacToe(), **given)
    assert str(found.value) == "draw"


@pytest.mark.parametrize(
    ("algorithm", "game"),
    [
        ("alpha-beta", plies.Nim(heaps=(1, 2))),
        ("expectiminimax", plies.Pig(target=3)),
        ("max-n", plies.Pirates(pirates=3, coins=2)),
        ("paranoid", plies.Pirates(pirates=3, coins=2)),
        ("depth-first", plies.PegSolitaire("triangle")),
    ],
)
def test_every_algorithm_goes_on_to_the_end(algorithm: str, game: plies.Game) -> None:
    assert plies.search(game, algorithm=algorithm, time=math.inf, nodes=20_000).nodes > 0


@pytest.mark.parametrize("algorithm", ["mcts", "flat"])
def test_random_games_count_simulations(algorithm: str) -> None:
    found = plies.search(plies.TicTacToe(), algorithm=algorithm, time=math.inf, simulations=20)
    assert found.nodes <= 20


def test_numbers_of_other_kinds_become_pythons_own() -> None:
    limit = Limit(np.float32(0.5), np.int64(3), np.uint8(7))
    assert limit == Limit(0.5, 3, 7)
    assert [type(number) for number in vars(limit).values()] == [float, int, int]
    assert Limit(Fraction(1, 2)) == Limit(0.5)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"time": "1"}, "the limit time must be a number of seconds above 0, not '1'"),
        ({"time": True}, "the limit time must be a number of seconds above 0, not True"),
        ({"time": 1j}, "the limit time must be a number of seconds above 0, not 1j"),
        ({"time": [1] * 99}, "the limit time must be a number of seconds above 0, not [1, 1, 1"),
        ({"time": np.ones(2)}, "the limit time must be a number of seconds above 0, not array("),
        ({"time": math.nan}, "the limit time must be above 0, not nan"),
        ({"time": -math.inf}, "the limit time must be above 0, not -inf"),
        ({"depth": 2.5}, "the limit depth must be a whole number, not 2.5"),
        ({"depth": "2"}, "the limit depth must be a whole number above 0, not '2'"),
        ({"depth": 0}, "the limit depth must be above 0, not 0"),
        ({"nodes": 1e3}, "the limit nodes must be a whole number, not 1000.0"),
        ({"nodes": False}, "the limit nodes must be a whole number above 0, not False"),
    ],
)
def test_what_is_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadParameter) as refused:
        Limit(**given)
    assert str(refused.value).startswith(sentence)
    assert len(str(refused.value)) < 120
