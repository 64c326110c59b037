"""A search that is restricted to some actions at the root: it proves nothing about the others."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import BadParameter, Game, Limit, Value
from plies.book import minimax
from plies.engine import AlphaBeta, MaxN, MonteCarlo, engine_for
from plies.games.tree import Tree
from strategies import trees


def values(game: Game, state: object) -> dict[object, float]:
    """The value of each action to the player to move, by the book."""
    mover = game.to_move(state)
    found = {}
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            found[action] = float(game.utility(child, mover))
        else:
            found[action] = float(minimax(game, child, player=mover).value)
    return found


def check(game: Game, state: object, allowed: list[object], engine: plies.Search, limit: Limit) -> None:
    known = values(game, state)
    found = engine.search(state, limit, actions=allowed)
    assert found.action in allowed
    assert set(found.scores) <= set(allowed)
    for action, value in found.scores.items():
        if value.proved and value.bound == "=":
            assert value.utility == known[action]
    if found.value.proved and len(allowed) < len(known):
        assert found.value.utility == max(known.values()) == game.bounds[1]
        assert found.value.plies is None
    after = engine.search(state, limit)
    if after.value.proved:
        assert after.value.utility == max(known.values())
    assert set(after.scores) == set(known) or not after.value.proved or after.value.utility == game.bounds[1]


@pytest.mark.plain
@given(tree=trees(max_depth=4), seed=st.integers(0, 99))
def test_nothing_is_proved_about_what_was_left_out(tree: Tree, seed: int) -> None:
    state = tree.initial()
    if tree.is_terminal(state):
        return
    actions = list(tree.actions(state))
    allowed = random.Random(seed).sample(actions, random.Random(seed).randint(1, len(actions)))
    tree.compiled = False
    check(tree, state, allowed, AlphaBeta(tree, memory=1), Limit(depth=8))
    check(tree, state, allowed, MaxN(tree), Limit(depth=8))
    check(tree, state, allowed, MonteCarlo(tree, memory=1, seed=seed), Limit(nodes=60))


def test_positions_of_tic_tac_toe_in_every_subset_of_moves() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("XO./.X./..O")
    engine = AlphaBeta(game, memory=1)
    actions = list(game.actions(state))
    known = values(game, state)
    for count in (1, 2, 3):
        for allowed in combinations(actions, count):
            check(game, state, list(allowed), engine, Limit(depth=9))
            found = engine.search(state, Limit(depth=9), actions=allowed)
            assert found.scores[found.action].utility == max(known[action] for action in allowed)
            assert found.scores[found.action].proved


@pytest.mark.costly
def test_a_mate_that_was_left_out_is_found_again() -> None:
    """With cycles, and one table for all searches."""
    game = plies.Chess()
    state = game.parse_position("7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1")
    engine = AlphaBeta(game, memory=4)
    mate = game.parse_action(state, "Ra8#")
    others = [action for action in game.actions(state) if action != mate]
    found = engine.search(state, Limit(depth=3), actions=others)
    assert found.action != mate
    assert not found.value.proved
    found = engine.search(state, Limit(depth=3))
    assert (found.action, found.value) == (mate, Value.of(game, 1, True, 1))
    found = engine.search(state, Limit(depth=3), actions=others)
    assert found.action != mate
    assert not (found.value.proved and found.value.plies == 1)


def test_several_lines_of_a_restricted_search() -> None:
    game = plies.TicTacToe()
    allowed = list(game.actions(game.initial()))[:2]
    found = AlphaBeta(game, memory=1).search(None, Limit(depth=3), lines=3, actions=allowed)
    assert {line[0] for line in found.lines} == {*allowed}


def test_actions_have_to_be_legal_and_the_search_able() -> None:
    game = plies.TicTacToe()
    for wrong in ([99], [], [99, *game.actions(game.initial())]):
        with pytest.raises(BadParameter, match="must be legal"):
            AlphaBeta(game, memory=1).search(None, Limit(depth=1), actions=wrong)
    with pytest.raises(BadParameter, match="cannot be restricted"):
        engine_for(game, "book:minimax").search(None, Limit(depth=1), actions=[0])
