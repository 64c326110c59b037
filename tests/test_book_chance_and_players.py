"""Expectiminimax, max^n and minimax against several opponents."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle
from plies import CHANCE, Game, PliesError, Unsuitable, book
from plies.games.tree import Tree
from strategies import nodes, payoff_trees, trees

pytestmark = pytest.mark.plain


def expected(node, depth=math.inf):
    """The expectiminimax value to MAX of a node as `nodes` makes it, without a game."""
    if not isinstance(node, dict):
        return node
    if depth == 0:
        return node["evaluate"]
    values = [expected(child, depth - 1) for child in node["children"]]
    if node["player"] == "chance":
        even = [1 / len(values)] * len(values)
        return math.fsum(map(math.prod, zip(node.get("probabilities", even), values, strict=True)))
    return (max if node["player"] == "max" else min)(values)


@given(nodes(("max", "min", "chance")), st.none() | st.integers(0, 4))
def test_expectiminimax_is_the_direct_expectation(node, depth):
    value = expected(node, math.inf if depth is None else depth)
    tree = Tree(node)
    assert book.expectiminimax(tree, player=0, depth=depth).value == pytest.approx(value, abs=1e-12)
    assert book.expectiminimax(tree, player=1, depth=depth).value == pytest.approx(-value, abs=1e-12)


@given(nodes(("max", "chance")))
def test_one_player_against_the_dice(node):
    tree = Tree(node, ("max", "chance"))
    assert tree.players == 1
    assert book.expectiminimax(tree).value == pytest.approx(expected(node), abs=1e-12)


@given(trees())
def test_without_dice_expectiminimax_is_minimax(tree):
    assert book.expectiminimax(tree) == book.minimax(tree)


def test_an_order_preserving_transformation_changes_the_best_move():
    # Russell and Norvig, "Artificial Intelligence: A Modern Approach", figure 5.12.
    def figure(a1, a2):
        chance = [{"probabilities": [0.9, 0.1], "children": [[x, x] for x in pair]} for pair in (a1, a2)]
        return Tree(chance, ("max", "chance", "min"))

    left = book.expectiminimax(figure((2, 3), (1, 4)))
    assert (left.value, left.line) == (pytest.approx(2.1), (0,))  # the line ends where the dice decide
    right = book.expectiminimax(figure((20, 30), (1, 400)))
    assert (right.value, right.line) == (pytest.approx(40.9), (1,))


def test_dice_at_the_root_leave_nothing_to_decide():
    decision = book.expectiminimax(Tree([3, 5], ("chance", "max")))
    assert (decision.value, decision.action) == (4, None)


def test_a_roll_is_a_ply():
    tree = Tree([{"player": "chance", "children": [{"evaluate": 7, "children": [1]}, 5]}, [0]])
    assert book.expectiminimax(tree, depth=1).value == 0
    assert book.expectiminimax(tree, depth=2).value == 6


def test_games_without_end_need_a_depth():
    class Coin(Game):
        """Toss until tails falls: with no memory, there is no end."""

        players = 1

        def initial(self):
            return 0

        def to_move(self, state):
            return CHANCE

        def chance(self, state):
            yield "heads", 0.5
            yield "tails", 0.5

        def result(self, state, action):
            return state if action == "heads" else 1

        def is_terminal(self, state):
            return state == 1

        def utility(self, state, player):
            return 1

    with pytest.raises(PliesError, match="give a depth"):
        book.expectiminimax(Coin())
    assert book.expectiminimax(Coin(), depth=10).value == 1 - 2**-10


def test_expectiminimax_refuses():
    with pytest.raises(Unsuitable, match=r"expectiminimax .*Tree"):
        book.expectiminimax(Tree([(1, 2, 3)]))
    with pytest.raises(Unsuitable, match=r"expectiminimax .*Tree"):
        book.expectiminimax(Tree([(1, 2), (2, 2)]))


def test_three_players_of_figure_5_4():
    # Russell and Norvig, "Artificial Intelligence: A Modern Approach", figure 5.4.
    leaves = [(1, 2, 6), (4, 2, 3), (6, 1, 2), (7, 4, 1), (5, 1, 1), (1, 5, 2), (7, 7, 1), (5, 4, 5)]
    tree = Tree([[leaves[0:2], leaves[2:4]], [leaves[4:6], leaves[6:8]]])
    assert book.max_n(tree) == book.Decision((1, 2, 6), (0, 0, 0))


def test_nodes_of_the_three_player_oracle():
    figure = oracle("trees/textbook_trees.json")["aima_fig_5_4_three_player_maxn"]
    tree = Tree([[[tuple(leaf) for leaf in c] for c in b] for b in figure["tree"]])
    values = [book.max_n(tree, node).value for node in range(7)]
    assert values == [tuple(v) for v in [figure["root_value"], *figure["B_nodes"], *figure["C_nodes"]]]


@given(trees(), st.none() | st.integers(0, 4))
def test_max_n_of_two_zero_sum_players_is_minimax(tree, depth):
    found = book.max_n(tree, depth=depth)
    minimax = book.minimax(tree, player=0, depth=depth)
    assert found.value == (minimax.value, -minimax.value)
    assert found.line == minimax.line


@given(payoff_trees(3))
def test_in_max_n_nobody_gains_by_another_move(tree):
    def best(node):
        if tree.is_terminal(node):
            return tuple(tree.utility(node, player) for player in range(3))
        options = [best(tree.result(node, action)) for action in tree.actions(node)]
        return max(options, key=lambda payoffs: payoffs[tree.to_move(node)])  # the first of equals

    assert book.max_n(tree).value == best(0)


def test_in_max_n_everybody_has_what_the_dice_come_to():
    dice = {"player": "chance", "probabilities": [0.25, 0.75], "children": [(8, 0, 4), (0, 4, 8)]}
    tree = Tree({"player": 0, "children": [dice, (1, 9, 9)]}, (0, 1, 2))
    decision = book.max_n(tree)
    assert (decision.value, decision.line) == ((2.0, 3.0, 7.0), (0,))


@given(payoff_trees(3), st.none() | st.integers(0, 2), st.integers(0, 2))
def test_opponents_all_minimise(tree, rounds, player):
    def worst(node, rounds):
        if tree.is_terminal(node):
            return tree.utility(node, player)
        mine = tree.to_move(node) == player
        if mine and rounds == 0:
            return tree.evaluate(node, player)
        children = (tree.result(node, action) for action in tree.actions(node))
        return (max if mine else min)(worst(child, rounds - mine) for child in children)

    value = worst(0, math.inf if rounds is None else rounds)
    assert book.opponents(tree, player=player, depth=rounds).value == value


@given(trees())
def test_one_opponent_is_minimax(tree):
    assert book.opponents(tree) == book.minimax(tree)


def test_a_round_is_everybodys_move():
    inner = {"evaluate": 4, "children": [9]}
    tree = Tree([[[inner, 5]], [[3]]], (0, 1, 2))
    assert book.opponents(tree, depth=1) == book.Decision(4, (0, 0, 0))
    assert book.opponents(tree, depth=2) == book.Decision(5, (0, 0, 1))


@given(payoff_trees(3), st.none() | st.integers(0, 2), st.integers(0, 2), st.booleans())
def test_paranoid_decides_as_opponents_do(tree, rounds, player, cut_on_equal):
    plain, pruned = book.Counts(), book.Counts()
    decision = book.opponents(tree, player=player, depth=rounds, trace=plain)
    found = book.paranoid(tree, player=player, depth=rounds, cut_on_equal=cut_on_equal, trace=pruned)
    assert (found.value, found.action) == (decision.value, decision.action)
    assert pruned.nodes <= plain.nodes


@given(trees(), st.booleans())
def test_paranoid_against_one_opponent_is_alpha_beta(tree, cut_on_equal):
    assert book.paranoid(tree, cut_on_equal=cut_on_equal) == book.alpha_beta(tree, cut_on_equal=cut_on_equal)


def test_paranoid_cuts_at_the_second_opponent():
    """MAX has 3; the first opponent's reply leads to the second's, who has 2 at once: the rest is cut."""
    tree = Tree([[[(3, 0, 0), (4, 0, 0)]], [[(2, 0, 0), (9, 0, 0)], [(9, 0, 0)]]])
    found = book.trace(tree, algorithm="paranoid")
    assert (found.value, found.action) == (3, "a1")
    assert found.cuts == {"alpha": 2}  # at the second opponent, and then at the first
    assert found.nodes == book.trace(tree, algorithm="opponents").nodes - 3


@given(nodes(("max", "min", "chance")), st.integers(0, 3))
def test_rounds_of_expectiminimax_are_moves_of_max(node, rounds):
    def worth(node, left):
        if not isinstance(node, dict):
            return node
        if node["player"] == "max" and left == 0:
            return node["evaluate"]
        values = [worth(child, left - (node["player"] == "max")) for child in node["children"]]
        if node["player"] == "chance":
            even = [1 / len(values)] * len(values)
            return math.fsum(map(math.prod, zip(node.get("probabilities", even), values, strict=True)))
        return (max if node["player"] == "max" else min)(values)

    found = book.expectiminimax(Tree(node), player=0, rounds=rounds)
    assert found.value == pytest.approx(worth(node, rounds), abs=1e-12)


@given(trees(), st.integers(0, 3))
def test_without_dice_rounds_are_those_of_opponents(tree, rounds):
    found = book.expectiminimax(tree, player=0, rounds=rounds)
    assert found.value == book.opponents(tree, player=0, depth=rounds).value


def test_paranoid_refuses():
    with pytest.raises(Unsuitable, match=r"paranoid .*Tree"):
        book.paranoid(Tree([1, 2], ("max",)))
    with pytest.raises(Unsuitable, match=r"paranoid .*Tree"):
        book.paranoid(Tree([[1]], ("max", "chance", "min")))


def test_opponents_refuse():
    with pytest.raises(Unsuitable, match=r"opponents .*Tree"):
        book.opponents(Tree([1, 2], ("max",)))
    with pytest.raises(Unsuitable, match=r"opponents .*Tree"):
        book.opponents(Tree([[1]], ("max", "chance", "min")))
