"""Utility against payoff: risk aversion changes decisions with dice, and never without."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import BadParameter, WithUtility, book
from plies.games.tree import Tree
from strategies import nodes, payoff_trees

INCREASING: dict[str, Any] = {
    "averse": lambda x: -math.exp(-x),
    "fond": lambda x: math.exp(x),
    "cube": lambda x: x**3 + x,
    "steps": lambda x: x + math.floor(x),
}

increasing = st.sampled_from(sorted(INCREASING))


def gamble(sure: float, wins: float = 100, loses: float = 0) -> Tree:
    """A coin for one of two payoffs, or a payoff that is sure."""
    return Tree([{"player": "chance", "children": [wins, loses]}, [sure]], ("max",))


@pytest.mark.plain
def test_risk_aversion_changes_a_decision_with_dice() -> None:
    tree = gamble(sure=40)
    assert book.expectiminimax(tree).action == 0  # 50 on average is more than 40
    averse = WithUtility(tree, math.sqrt)
    decision = book.expectiminimax(averse)
    assert (decision.action, decision.value) == (1, pytest.approx(math.sqrt(40)))  # a half of 10 is less
    assert book.expectiminimax(WithUtility(gamble(sure=60), lambda x: x**2)).action == 0  # fond of risk
    assert book.expectiminimax(gamble(sure=60)).action == 1


@pytest.mark.plain
@given(payoff_trees(2), st.tuples(increasing, increasing))
def test_without_dice_any_increasing_utility_decides_the_same(tree: Tree, names: tuple[str, str]) -> None:
    """Each player may have their own: payoffs are ordinal."""
    wrapped = WithUtility(tree, {player: INCREASING[name] for player, name in enumerate(names)})
    assert book.max_n(wrapped).line == book.max_n(tree).line


@pytest.mark.plain
@given(nodes(max_depth=4), increasing)
def test_without_dice_minimax_is_the_same(node: Any, name: str) -> None:
    tree = Tree(node, ("max", "min"))
    wrapped = WithUtility(tree, INCREASING[name])
    decision = book.minimax(tree, player=0)
    assert book.max_n(wrapped).line == decision.line
    assert book.max_n(wrapped).value[0] == pytest.approx(INCREASING[name](decision.value))


@pytest.mark.plain
@given(nodes(("max", "chance"), max_depth=4), st.floats(0.1, 10), st.floats(-10, 10))
def test_with_dice_a_positive_linear_utility_decides_the_same(node: Any, slope: float, shift: float) -> None:
    tree = Tree(node, ("max",))
    values = [
        book.expectiminimax(game).value for game in (tree, WithUtility(tree, lambda x: slope * x + shift))
    ]
    assert values[1] == pytest.approx(slope * values[0] + shift, abs=1e-6)


@pytest.mark.plain
def test_with_dice_some_random_trees_are_decided_differently() -> None:
    """And not only the one above: of random trees with dice, many."""

    def grown(rng: random.Random, depth: int) -> Any:
        if depth == 0:
            return rng.randint(0, 100)
        return [{"player": "chance", "children": [grown(rng, depth - 1) for _ in range(3)]} for _ in range(3)]

    changed = 0
    for seed in range(60):
        tree = Tree(grown(random.Random(seed), 2), ("max",))
        changed += (
            book.expectiminimax(tree).action != book.expectiminimax(WithUtility(tree, math.sqrt)).action
        )
    assert 3 <= changed <= 40


def test_the_rest_of_the_game_is_as_it_was() -> None:
    game = WithUtility(plies.TicTacToe(), {1: lambda x: 10 * x})
    assert (game.total, game.bounds, game.name) == (None, (-10, 10), "tic-tac-toe")
    state = game.parse_position("XXX.OO...")
    assert [game.utility(state, player) for player in (0, 1)] == [1, -10]
    assert repr(game).startswith("WithUtility(TicTacToe(")
    assert plies.check_game(game, games=5).ok


@pytest.mark.plain
def test_the_engine_plays_it() -> None:
    def cautious(payoff: float) -> float:
        return math.sqrt(payoff + 1)

    assert plies.search(gamble(40), depth=3).action == 0
    found = plies.search(WithUtility(gamble(40), cautious), depth=3)
    assert found.action == 1
    assert found.value.utility == pytest.approx(math.sqrt(41))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("utility", "sentence"),
    [
        (math.log, "cannot be used on the payoff 0"),
        (lambda x: -x, "must not fall"),
        (lambda x: math.inf, "must be finite"),
        ("sqrt", "cannot be used on the payoff 0"),
        ({3: math.sqrt}, "players 0 to 0, not 3"),
    ],
)
def test_bad_functions_get_a_sentence(utility: Any, sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        WithUtility(gamble(1), utility)
