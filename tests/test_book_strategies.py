"""Pure strategies: how many there are, which they are, and the best pair of them."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import plies
from plies import CHANCE, BadParameter, PliesError, Unsuitable, book
from plies.games.tree import Tree
from strategies import chance_trees, trees

pytestmark = pytest.mark.plain


def test_counts_worked_out_by_hand():
    figure = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert book.count_strategies(figure, 0) == 3
    assert book.count_strategies(figure, 1) == 3**3  # an answer to each of three actions
    assert book.count_strategies(figure, 1, reduced=True) == 3**3
    deeper = Tree([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    assert book.count_strategies(deeper, 0) == 2 * 2**4
    assert (
        book.count_strategies(deeper, 0, reduced=True) == 2 * 2**2
    )  # two of the four nodes are out of reach
    assert book.count_strategies(deeper, 1) == 2**2
    assert book.count_strategies(deeper, 0, 3) == 2  # from a node within
    assert book.count_strategies(Tree([1, 2]), 1) == 1  # with nothing to decide, there is one way to do it


def test_strategies_name_the_action_at_every_node():
    tree = Tree([[[1, 2], 3], [4]])
    assert book.strategies(tree, 0) == [
        {(): 0, (0, 0): 0},
        {(): 0, (0, 0): 1},
        {(): 1, (0, 0): 0},
        {(): 1, (0, 0): 1},
    ]
    assert book.strategies(tree, 0, reduced=True) == [{(): 0, (0, 0): 0}, {(): 0, (0, 0): 1}, {(): 1}]


def leaves_reached(tree, profile):
    """The leaves that a pair of strategies can lead to, chance doing as it pleases."""
    reached, todo = set(), [((), 0)]
    while todo:
        history, node = todo.pop()
        if tree.is_terminal(node):
            reached.add(node)
            continue
        mover = tree.to_move(node)
        actions = tree.actions(node) if mover == CHANCE else [profile[mover][history]]
        todo += [((*history, action), tree.result(node, action)) for action in actions]
    return frozenset(reached)


@given(chance_trees(max_depth=3), st.integers(0, 1))
def test_reduced_strategies_are_those_that_play_differently(tree, player):
    full, other = (book.count_strategies(tree, who) for who in (player, 1 - player))
    assume(full * other <= 2000)
    mine = book.strategies(tree, player)
    assert len(mine) == full == len({tuple(sorted(strategy.items())) for strategy in mine})

    def behaviour(strategy):
        pairs = [(strategy, theirs) if player == 0 else (theirs, strategy) for theirs in others]
        return tuple(leaves_reached(tree, pair) for pair in pairs)

    others = book.strategies(tree, 1 - player)
    reduced = book.strategies(tree, player, reduced=True)
    assert len(reduced) == book.count_strategies(tree, player, reduced=True)
    assert len({behaviour(strategy) for strategy in mine}) == len(reduced)
    assert {behaviour(strategy) for strategy in mine} == {behaviour(strategy) for strategy in reduced}


@given(trees(max_depth=3))
def test_the_best_pair_is_backward_induction(tree):
    counts = [book.count_strategies(tree, player, reduced=True) for player in (0, 1)]
    assume(counts[0] * counts[1] <= 1000)
    pair = book.best_pair(tree)
    assert pair.value == book.minimax(tree, player=0).value
    assert book.outcome(tree, (pair.first, pair.second)) == (pair.value, -pair.value)
    for other in book.strategies(tree, 0, reduced=True):
        assert book.outcome(tree, (other, pair.second))[0] <= pair.value
    for other in book.strategies(tree, 1, reduced=True):
        assert book.outcome(tree, (pair.first, other))[0] >= pair.value


@given(chance_trees(max_depth=3))
def test_the_best_pair_with_dice_is_expectiminimax(tree):
    counts = [book.count_strategies(tree, player, reduced=True) for player in (0, 1)]
    assume(counts[0] * counts[1] <= 500)
    value = book.expectiminimax(tree, player=0).value
    assert book.best_pair(tree).value == pytest.approx(value, abs=1e-12)


def test_too_many_strategies_are_counted_but_not_listed():
    game = plies.game("nim", heaps=(1, 2, 2))
    with pytest.raises(PliesError, match="more than the limit of 10"):
        book.strategies(game, 0, limit=10)
    with pytest.raises(PliesError, match="pairs"):
        book.best_pair(game, limit=10)
    wide = Tree([[[list(range(10))] * 10] * 10] * 10)
    with pytest.raises(PliesError, match=r"about 10\^"):
        book.strategies(wide, 0)


def test_refusals():
    with pytest.raises(Unsuitable, match="Tree"):
        book.best_pair(Tree([(1, 2), (2, 2)]))
    with pytest.raises(BadParameter, match="players 0 to 1"):
        book.count_strategies(Tree(), 2)
