"""The normal form: the table of a tree, the minimax theorem on it, and what brute force costs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given

import plies
from plies import PliesError, Unsuitable, book
from plies.games.tree import Tree, random_tree
from strategies import chance_trees, trees

pytestmark = pytest.mark.plain


def test_sum_to_two() -> None:
    game = plies.SumToTwo()
    assert [book.count_strategies(game, player) for player in (0, 1)] == [32, 4]
    assert [book.count_strategies(game, player, reduced=True) for player in (0, 1)] == [8, 4]
    form = book.normal_form(game)
    assert (len(form.matrix.rows), len(form.matrix.rows[0])) == (8, 4)
    assert form.matrix.value == 1
    assert form.matrix.row_names[form.matrix.maximin.choices[0]] == "1/1/0"  # 1; 1 after 0, 0 after 1
    assert form.matrix.saddle_points == [(6, j) for j in range(4)]
    full = book.normal_form(game, reduced=False)
    assert (len(full.matrix.rows), len(full.matrix.rows[0])) == (32, 4)
    assert full.matrix.value == 1
    assert set(full.matrix.rows) == set(form.matrix.rows)  # reduced strategies are those that differ
    assert str(form).splitlines()[0] == (
        "sum-to-two in normal form: 8 × 4 reduced pure strategies (32 × 4 in full)"
    )


def test_two_branches_and_four_plies() -> None:
    """b^(h/2) = 4 is the size of a strategy in leaves, not the number of strategies."""
    tree = random_tree(branching=2, depth=4)
    assert [book.count_strategies(tree, player, reduced=True) for player in (0, 1)] == [8, 64]
    assert repr(book.normal_form(tree)) == "<tree in normal form, 8 × 64>"


def small(tree: Tree, most: int = 300) -> None:
    first, second = (book.count_strategies(tree, player, reduced=True) for player in (0, 1))
    assume(first * second <= most)


@given(trees(max_depth=3))
def test_the_minimax_theorem_and_both_corollaries(tree: Tree) -> None:
    small(tree)
    form = book.normal_form(tree)
    table, value = form.matrix, book.minimax(tree, player=0).value
    assert table.value == value
    assert table.concession(table.column_strategy) == table.guarantee(table.row_strategy) == value
    assert table.payoff(table.row_strategy, table.column_strategy) == value  # corollary 1
    assert table.saddle_points  # corollary 2
    assert f"V = {value:g}" in form.theorem()
    for i, mine in enumerate(form.strategies[0]):
        for j, theirs in enumerate(form.strategies[1]):
            assert book.outcome(tree, (mine, theirs))[0] == table.rows[i][j]


@given(chance_trees(max_depth=3))
def test_with_dice_entries_are_averages_and_pure_strategies_suffice(tree: Tree) -> None:
    small(tree, 200)
    form = book.normal_form(tree)
    assert float(form.matrix.value) == pytest.approx(book.expectiminimax(tree, player=0).value, abs=1e-9)
    assert form.matrix.saddle_points
    for i, mine in enumerate(form.strategies[0]):
        for j, theirs in enumerate(form.strategies[1]):
            assert float(form.matrix.rows[i][j]) == pytest.approx(
                book.outcome(tree, (mine, theirs))[0], abs=1e-9
            )


def test_dice_are_exact() -> None:
    tree = Tree({"player": "chance", "children": [1, 2, 6]}, ("max", "min"))
    assert book.normal_form(tree).matrix.value == 3


def test_from_a_position_and_for_a_constant_sum() -> None:
    game = plies.TicTacToe()
    form = book.normal_form(game, game.parse_position("XXOOOXX.."))
    assert form.matrix.value == book.minimax(game, form.state, player=0).value
    share = Tree([[(1, 0), (0.25, 0.75)], [(0.5, 0.5)]], ("max", "min"))
    assert float(book.normal_form(share).matrix.value) == 0.5


class Mumbling(plies.SumToTwo):
    """A game in which every move is written alike."""

    def notation(self, state: Any, action: int) -> str:
        return "hm"


def test_names_are_told_apart() -> None:
    assert book.normal_form(Mumbling()).matrix.row_names == tuple(f"s{i}" for i in range(1, 9))


# -- Brute force, counted.


def test_what_brute_force_takes() -> None:
    kept, forgotten = (book.best_pair(plies.SumToTwo(), keep=keep) for keep in (True, False))
    assert kept[:3] == forgotten[:3]
    # 8 × 4 pairs of 3 moves; 8 strategies with 3 decisions and 4 with 2 are written down.
    assert kept[3:] == (32, 32 * 3 + 8 * 3 + 4 * 2, 8 * 3 + 4 * 2)
    # Twice as many pairs; those of Min are made anew for each of Max, and the other way round.
    steps = 2 * 32 * 3 + (8 * 3 + 8 * 4 * 2) + (4 * 2 + 4 * 8 * 3)
    assert forgotten[3:] == (64, steps, 3 + 2 + 3 + 2)


@given(trees(max_depth=3))
def test_both_ways_find_the_same_pair(tree: Tree) -> None:
    small(tree)
    kept, forgotten = book.best_pair(tree), book.best_pair(tree, keep=False)
    assert kept[:3] == forgotten[:3]
    assert forgotten.comparisons == 2 * kept.comparisons
    assert forgotten.memory <= 2 * kept.memory


def test_refusals() -> None:
    with pytest.raises(PliesError, match="pairs of strategies, more than the limit of 10"):
        book.normal_form(plies.SumToTwo(), limit=10)
    with pytest.raises(PliesError, match=r"about 10\^"):
        book.normal_form(plies.TicTacToe(), plies.TicTacToe().parse_position("1 2 3"))
    with pytest.raises(Unsuitable, match="the normal form is for 2 players"):
        book.normal_form(plies.Pirates(pirates=3, coins=2))
    with pytest.raises(Unsuitable, match="zero-sum"):
        book.normal_form(Tree([(1, 2), (2, 2)]))
