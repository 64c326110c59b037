"""Value iteration for games with dice: against exact values, linear equations and a published figure."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import graphs
import plies
from plies.compiled import interpreting
from plies.game import CHANCE
from plies.players import parse_player
from plies.retrograde import counting
from plies.retrograde.value_iteration import value_iteration


@pytest.fixture(autouse=True)
def compile_small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested compiled is compiled, however small."""
    monkeypatch.setattr(counting, "FEW_STEPS", 0)
    monkeypatch.setattr(counting, "FEW_ENTRIES", 0)


@pytest.mark.plain
def test_random_graphs_without_cycles_have_the_exact_values() -> None:
    chance = random.Random(3)
    for kind in (graphs.Dice, graphs.ShareDice):
        for _ in range(15):
            game = graphs.random_graph(kind, chance, 12)
            found = value_iteration(game)
            (utility, _), _ = graphs.reference(game)(game.initial())
            assert found.value(game.initial()) == pytest.approx(utility, abs=1e-9)
            assert found.gap <= 1e-9


@pytest.mark.plain
def test_the_policy_of_pig_is_optimal_by_linear_equations() -> None:
    """The values of the policy solve linear equations, and no other action would be better."""
    game = plies.Pig(8)
    found = value_iteration(game)
    states = [game.initial()]
    number = {states[0]: 0}
    for state in states:
        if not game.is_terminal(state):
            for action in game.actions(state):
                child = game.result(state, action)
                if child not in number:
                    number[child] = len(states)
                    states.append(child)
    assert len(states) == len(found)
    matrix, right = np.eye(len(states)), np.zeros(len(states))
    for state in states:
        i = number[state]
        if game.is_terminal(state):
            right[i] = game.utility(state, 0)
        elif game.to_move(state) == CHANCE:
            for outcome, probability in game.chance(state):
                matrix[i, number[game.result(state, outcome)]] -= probability
        else:
            matrix[i, number[game.result(state, found.best(state))]] -= 1
    values = np.linalg.solve(matrix, right)
    for state in states:
        low, high = found.bounds(state)
        assert low - 1e-9 <= values[number[state]] <= high + 1e-9
        if not game.is_terminal(state) and game.to_move(state) != CHANCE:
            sign = 1 if game.to_move(state) == 0 else -1
            others = [sign * values[number[game.result(state, action)]] for action in game.actions(state)]
            assert max(others) <= sign * values[number[state]] + 1e-8
    assert found.gap <= 1e-9
    assert dict(found.policy(game, game.initial())) == {found.best(game.initial()): 1.0}


@pytest.mark.skipif(interpreting(), reason="two million states take an hour interpreted")
@pytest.mark.costly
def test_pig_has_the_published_value() -> None:
    """Neller and Presser 2004: the first player wins with probability 0.5306."""
    game = plies.Pig(100)
    found = value_iteration(game)
    low, high = ((1 + bound) / 2 for bound in found.bounds(game.initial()))
    assert 0.53059272 < low <= high < 0.53059273
    assert high - low <= 1e-9


class Round(graphs.CycleDice):
    """Players may go round for ever."""


@pytest.mark.plain
def test_bounds_that_do_not_meet_are_reported() -> None:
    game = graphs.random_graph(Round, random.Random(1), 6)
    arrays: dict[str, Any] = {
        "arrows": np.array([[1, 2, -1], [0, 2, -1], [-1, -1, -1]]),
        "movers": np.array([0, 0, 0]),
        "payoffs": np.array([[0.5, 0.5]] * 3),
        "mirror": np.arange(3),
    }
    for name, array in arrays.items():
        setattr(game, name, array)
    found = value_iteration(game)
    assert found.bounds(game.initial()) == (0.5, 1.0)
    assert found.gap == 0.5


@pytest.mark.plain
def test_refusals() -> None:
    with pytest.raises(
        plies.Unsuitable, match="value iteration is for games with chance nodes; Nim has none"
    ):
        value_iteration(plies.Nim((1, 2)))
    with pytest.raises(plies.BadParameter, match="the tolerance must be more than 0, not 0"):
        value_iteration(plies.Pig(3), tolerance=0)
    found = value_iteration(plies.Pig(3))
    with pytest.raises(plies.PliesError, match="cannot be reached from where the game begins"):
        found.value(plies.Pig(100).parse_position("40/32 1+12"))
    with pytest.raises(plies.BadParameter, match="there is nothing to choose"):
        found.best(plies.Pig(3).parse_position("0/0 1+0?"))


@pytest.mark.plain
def test_the_optimal_player() -> None:
    game = plies.Pig(6)
    player = parse_player("optimal", game=game)
    player.prepare(game)
    found = value_iteration(game)
    for position in ("0/0 1+0", "0/0 1+3", "4/0 2+2"):
        state = game.parse_position(position)
        assert player.choose(game, state) == found.best(state)
    other = plies.TicTacToe()
    winning = other.parse_position("XX./OO./...")
    assert player.choose(other, winning) == 3  # another game is solved as well
    with pytest.raises(plies.Unsuitable, match="superko"):
        player.prepare(plies.Go(size=3))
    with pytest.raises(plies.BadParameter, match="do you mean optimal"):
        parse_player("optimum", game=game)
