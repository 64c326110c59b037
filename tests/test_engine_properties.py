"""The engine against the book: any tree, any position, any combination of refinements, the same value."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from engine_games import (
    INEXACT,
    TINY,
    PlainBush,
    Stretch,
    Words,
    book_value,
    bushes,
    inexact_value,
    options,
    preference,
    random_options,
    random_state,
    rounded,
    solved,
)
from plies.compiled import interpreting
from plies.engine import AlphaBeta, Limit, Options, SearchResult
from plies.engine.value import AT_LEAST, AT_MOST, EXACT, Value

FEWER = 10 if interpreting() else 4
"""What the numbers of examples are divided by: interpreted, a search takes longer."""

SIZES = st.sampled_from([TINY, 1e-3, 0.1])


def check(
    found: SearchResult,
    game: plies.Game,
    state: Any,
    options: Options,
    *,
    depth: int | None = None,
    threads: int = 1,
) -> None:
    """Whether all that was found at a depth is what the book finds, looking as far ahead.

    A second thread may be a depth ahead and prove more: that is compared with brute force.
    """
    depth = found.depth if depth is None else depth
    player = game.to_move(state)
    child_values = {
        action: book_value(game, game.result(state, action), player, depth - 1, options)
        for action in game.actions(state)
    }
    best = max(child_values.values())
    assert found.value.bound == EXACT
    assert is_true(game, found.value, child_values[found.action]), (found.value, child_values)
    assert rounded(game, child_values[found.action]) == rounded(game, best)
    assert rounded(game, found.scores[found.action].utility) == rounded(game, found.value.utility)
    others = {
        action: score
        for action, score in found.scores.items()
        if not is_true(game, score, child_values[action])
    }
    assert all(score.proved and threads > 1 for score in others.values()), (others, child_values)
    if others:
        check_proof(found, game, state)
    check_line(found.line, game, state, found.action)


def is_true(game: plies.Game, said: Value, value: float) -> bool:
    """Whether a value is what is said of it: exactly if that is proved, else in the steps of the engine."""
    utility = said.utility
    if not said.proved:
        value, utility = rounded(game, value), rounded(game, utility)
    return {EXACT: value == utility, AT_LEAST: value >= utility, AT_MOST: value <= utility}[said.bound]


def check_line(line: list[Any], game: plies.Game, state: Any, first: Any) -> None:
    assert line[0] == first
    for action in line:
        state = game.play(state, action)  # raises if it is not legal


def check_proof(found: SearchResult, game: plies.Game, state: Any) -> None:
    """Whether what is called proved is so, and takes as many plies as it says."""
    player, outcome = game.to_move(state), solved(game)
    for action, said in {None: found.value, **found.scores}.items():
        if not said.proved:
            continue
        child = state if action is None else game.result(state, action)
        if game.is_terminal(child):
            true = (game.utility(child, player), 1)
        else:
            value, distance = outcome(child)
            true = (value if game.to_move(child) == player else -value, distance + (action is not None))
        if said.utility == 0 or true[0] == 0:
            true = (true[0], said.plies or 0)  # nobody counts the plies to a draw
        if said.plies is None:
            true = (true[0], 0)  # how soon is not known yet
        mine = (said.utility, said.plies or 0)
        if said.bound == EXACT:
            assert mine == true, (action, said, true)
        elif said.bound == AT_MOST:
            assert preference(true) <= preference(mine), (action, said, true)
        else:
            assert preference(true) >= preference(mine), (action, said, true)


# -- Trees.


@pytest.mark.early
@settings(max_examples=1500 // FEWER)
@given(bushes(), options(), SIZES, st.sampled_from([1e-3, 1 / 3, 1, 64, 1e6]))
@pytest.mark.no_cover
def test_every_depth_of_a_tree(game, options, memory, factor):
    game.scaled(factor)
    for found in AlphaBeta(game, memory=memory, options=options).analyse(0, Limit(depth=6)):
        if found.depth:
            check(found, game, 0, options)


@settings(max_examples=100 // FEWER)
@given(bushes(PlainBush), options(), SIZES)
def test_every_depth_of_a_tree_interpreted(game, options, memory):
    for found in AlphaBeta(game, memory=memory, options=options).analyse(0, Limit(depth=6)):
        if found.depth:
            check(found, game, 0, options)


@settings(max_examples=300 // FEWER)
@given(bushes(leaves=st.floats(-1, 1)), options())
@pytest.mark.no_cover
def test_trees_with_fractions(game, options):
    found = AlphaBeta(game, memory=0.01, options=options).search(0, Limit(depth=4))
    check(found, game, 0, options, depth=min(4, found.depth))


@settings(max_examples=600 // FEWER)
@given(bushes(max_depth=6), options(), SIZES)
@pytest.mark.no_cover
def test_trees_to_the_end(game, options, memory):
    """With no bound on the depth every value is proved, and as quick or as slow as it can be."""
    found = AlphaBeta(game, memory=memory, options=options).search(0, Limit(depth=40))
    assert found.value.proved
    assert found.value.bound == EXACT
    check_proof(found, game, 0)


@settings(max_examples=200 // FEWER)
@given(bushes(), options(), SIZES, st.integers(1, 6))
def test_two_threads(game, options, memory, depth):
    found = AlphaBeta(game, memory=memory, threads=2, options=options).search(0, Limit(depth=depth))
    if found.depth == depth:  # before, one thread may go by what the other has found a ply deeper
        check(found, game, 0, options)
    else:
        assert found.value.proved
    check_proof(found, game, 0)


@settings(max_examples=300 // FEWER)
@given(bushes(), options(), SIZES, st.integers(1, 6), st.integers(2, 5))
def test_several_lines(game, options, memory, depth, lines):
    """As many actions as were asked for get their exact values, and no other is better."""
    found = AlphaBeta(game, memory=memory, options=options).search(0, Limit(depth=depth), lines=lines)
    check(found, game, 0, options)
    count = min(lines, len(list(game.actions(0))))
    assert len(found.lines) == count
    assert found.lines[0] == found.line
    values = [
        book_value(game, game.result(0, action), game.to_move(0), found.depth - 1, options)
        for action in game.actions(0)
    ]
    firsts = [line[0] for line in found.lines]
    assert all(found.scores[action].bound == EXACT for action in firsts)
    assert [found.scores[action].utility for action in firsts] == sorted(values, reverse=True)[:count]
    for line in found.lines:
        check_line(line, game, 0, line[0])


@settings(max_examples=100 // FEWER)
@given(bushes(), options(), SIZES)
def test_the_table_of_an_engine_serves_the_next_position(game, options, memory):
    """Played to the end by one engine: what it knows from before makes no value wrong."""
    engine, state = AlphaBeta(game, memory=memory, options=options), 0
    while not game.is_terminal(state):
        found = engine.search(state, Limit(depth=30))
        check_proof(found, game, state)
        state = game.result(state, found.action)


@settings(max_examples=300 // FEWER)
@given(bushes(max_depth=6), options(), st.data(), st.integers(1, 9))
@pytest.mark.no_cover
def test_what_gives_up_exactness_still_proves_nothing_wrong(game, options, data, depth):
    given = {one.name: inexact_value(one, data.draw(st.integers(0, 2), one.name)) for one in INEXACT}
    options = dataclasses.replace(options, **given)
    for found in AlphaBeta(game, memory=0.01, options=options).analyse(0, Limit(depth=depth)):
        check_proof(found, game, 0)
        check_line(found.line, game, 0, found.action)


@settings(max_examples=100 // FEWER)
@given(bushes(), st.floats(-2, 2), st.booleans(), st.integers(1, 5))
@pytest.mark.plain
def test_the_bias_is_added_at_odd_depths(game, bias, table, depth):
    """To the evaluations, for the player who has made the last move."""
    game.mover[:] = 0
    for node in range(1, len(game.mover)):  # MAX and MIN in turn, for then a depth is odd or even everywhere
        game.mover[node] = 1 - game.mover[game.parent[node]]
    options = Options(bias=bias, table=table, quiescence=False)
    found = AlphaBeta(game, memory=0.01, options=options).search(0, Limit(depth=depth))
    if found.depth % 2:
        game.estimates = game.estimates + np.array([bias, -bias] * len(game.mover))
    expected = book_value(game, 0, 0, found.depth, options)
    assert found.value.utility == expected


# -- Positions of real games, drawn from a seed.

FIXED_PLY = [
    plies.TicTacToe(),
    pytest.param(plies.ConnectFour(width=5, height=4), marks=pytest.mark.costly),
    pytest.param(plies.Othello(size=4), marks=pytest.mark.costly),
    pytest.param(plies.Othello(size=6), marks=pytest.mark.costly),
    Words(),
]
"""Games in which a position always comes up after the same number of plies, but for passes in Othello."""

OTHERS = [
    pytest.param(plies.Kalah(2, 2), marks=pytest.mark.costly),
    pytest.param(Stretch(), marks=pytest.mark.costly),
    pytest.param(plies.Nim(heaps=(2, 3, 3)), marks=pytest.mark.costly),
    pytest.param(plies.Kalah(3, 2, empty_capture=True), marks=pytest.mark.costly),
]


@pytest.mark.parametrize("game", FIXED_PLY, ids=repr)
def test_positions_at_every_depth(game):
    chance = random.Random(f"every depth of {game!r}")
    for _ in range(24 // (FEWER if game.compiled is None else 1) + 1):
        state = random_state(game, chance.randrange(12), chance)
        options = random_options(chance, proved_bounds=False)  # which see further than the depth
        memory = chance.choice([TINY, 0.01, 1])
        threads = chance.choice([1, 1, 2])
        results = list(
            AlphaBeta(game, memory=memory, threads=threads, options=options).analyse(state, Limit(depth=4))
        )
        for found in results[-1:] if threads == 2 else results[1:]:
            check(found, game, state, options, threads=threads)


@pytest.mark.parametrize("game", OTHERS, ids=repr)
def test_positions_of_games_that_come_up_early_or_late(game):
    """A table would look further ahead than the book where it met a position earlier: here it is off."""
    chance = random.Random(f"early or late in {game!r}")
    for _ in range(24 // FEWER):
        state = random_state(game, chance.randrange(6), chance)
        options = random_options(chance, table=False)
        for found in AlphaBeta(game, memory=TINY, options=options).analyse(state, Limit(depth=5)):
            if found.depth:
                check(found, game, state, options)


SOLVABLE = [*FIXED_PLY[:3], *OTHERS]


@pytest.mark.parametrize("game", SOLVABLE, ids=repr)
def test_positions_to_the_end(game):
    """Proved values are those of brute force, win as fast and lose as slowly as can be; table on and off."""
    chance = random.Random(f"the end of {game!r}")
    plays = {plies.ConnectFour: 12, plies.Othello: 5, plies.TicTacToe: 3}.get(type(game), 0)
    for _ in range(16 // FEWER):
        state = random_state(game, plays + chance.randrange(4), chance)
        options = random_options(chance)
        engine = AlphaBeta(
            game, memory=chance.choice([TINY, 0.01, 1]), threads=chance.choice([1, 2]), options=options
        )
        for found in engine.analyse(state, Limit(depth=60)):
            check_proof(found, game, state)
        assert found.value.proved
        assert found.value.bound == EXACT


@pytest.mark.parametrize("game", OTHERS[:3], ids=repr)
def test_one_engine_many_positions(game):
    """A table full of other positions, met at other plies, proves nothing that is not so."""
    chance = random.Random(f"many positions of {game!r}")
    for memory in (TINY, 0.1):
        engine = AlphaBeta(game, memory=memory)
        for _ in range(30 // FEWER):
            state = random_state(game, chance.randrange(7), chance)
            found = engine.search(state, Limit(depth=chance.choice([1, 2, 3, 5, 40])))
            check_proof(found, game, state)
