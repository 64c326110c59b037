"""Trees given by hand: what they mean, what they are called, and what is wrong with them."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given

import plies
from plies import CHANCE, BadParameter, BadPosition, PliesError
from plies.games import tree_reader
from plies.games.tree import Tree, random_tree
from strategies import chance_trees, payoff_trees, trees

pytestmark = pytest.mark.plain


def same(one: Tree, other: Tree) -> bool:
    """Whether two trees are the same in every number, name and fact."""
    facts = ("players", "zero_sum", "stochastic", "node_names", "action_names", "player_names")
    arrays = ("first_child", "child_count", "parent", "mover", "probability", "payoffs", "estimates")
    return all(getattr(one, fact) == getattr(other, fact) for fact in facts) and all(
        np.array_equal(getattr(one, array), getattr(other, array)) for array in arrays
    )


def test_figure_5_2_has_the_names_of_the_book():
    tree = Tree()
    assert tree.text(0) == "\n".join(
        [
            "A (MAX)",
            "  a1: B (MIN)",
            "    b1: 3",
            "    b2: 12",
            "    b3: 8",
            "  a2: C (MIN)",
            "    c1: 2",
            "    c2: 4",
            "    c3: 6",
            "  a3: D (MIN)",
            "    d1: 14",
            "    d2: 5",
            "    d3: 2",
        ]
    )
    assert same(tree, Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    assert (tree.players, tree.zero_sum, tree.stochastic) == (2, True, False)


def test_rules():
    tree = Tree([[3, [7, 1]], 2])
    assert list(tree.actions(0)) == [0, 1]
    node = tree.result(0, 0)
    assert (tree.to_move(0), tree.to_move(node)) == (0, 1)
    inner = tree.result(node, 1)
    assert tree.to_move(inner) == 0
    leaf = tree.result(inner, 0)
    assert tree.is_terminal(leaf)
    assert not tree.is_terminal(inner)
    assert (tree.utility(leaf, 0), tree.utility(leaf, 1)) == (7, -7)


def test_rules_give_plain_numbers():
    tree = Tree([[1, 2], [3]], ("max", "chance"))
    assert type(tree.to_move(0)) is int
    assert [type(action) for action in tree.actions(0)] == [int, int]
    assert type(tree.result(0, 1)) is int
    assert type(tree.is_terminal(0)) is bool
    assert type(tree.utility(3, 0)) is float
    assert type(tree.evaluate(1, 0)) is float
    assert [(type(a), type(p)) for a, p in tree.chance(1)] == [(int, float)] * 2


def test_arrays_are_fit_for_compiling():
    for name, member in vars(random_tree(levels=("max", "chance"))).items():
        if isinstance(member, np.ndarray):
            assert member.ndim == 1, name
            assert member.flags.c_contiguous, name
            assert member.dtype in (np.int64, np.float64), name


def test_levels_say_who_moves():
    tree = Tree([[[1, 2]]], ("max", "chance", "min"))
    assert [tree.to_move(node) for node in (0, 1, 2)] == [0, CHANCE, 1]
    assert tree.stochastic
    assert Tree([[[[1]]]], "max,min,2").to_move(2) == 2
    assert [Tree([[[[1]]]], ("max", "max", "min")).to_move(node) for node in range(4)] == [0, 0, 1, 0]


def test_chance_is_even_unless_told():
    assert list(Tree([[1, 2, 3, 4]], ("max", "chance")).chance(1)) == [(i, 0.25) for i in range(4)]
    told = Tree({"player": "chance", "probabilities": [0.9, 0.1], "children": [1, 2]})
    assert list(told.chance(0)) == [(0, 0.9), (1, 0.1)]
    assert Tree({"probabilities": [1], "children": [1]}).to_move(0) == CHANCE


def test_facts_follow_from_the_tree():
    assert Tree([3, 4], ("max", "chance")).players == 1
    assert not Tree([3, 4], ("max",)).zero_sum
    assert Tree([3, 4]).players == 2
    assert Tree([(1, 2), (3, 4)]).players == 2
    assert not Tree([(1, 2), (3, 4)]).zero_sum
    assert Tree([(1, -1), (3, -3)]).zero_sum
    three = Tree([[[(1, 2, -3)]]])
    assert (three.players, three.zero_sum) == (3, True)
    assert [three.to_move(node) for node in range(3)] == [0, 1, 2]
    pacman = Tree([[[5]]], (0, 1, 2))
    assert [pacman.utility(3, player) for player in range(3)] == [5, -5, -5]
    assert not Tree([1, 2], ("max", "chance")).stochastic  # chance would move at the next level


def test_names_and_estimates_of_ones_own():
    tree = Tree(
        {
            "name": "start",
            "evaluate": 1.5,
            "children": {"left": {"children": [1, 2]}, "go right": {"name": "A", "value": 9}},
        }
    )
    assert tree.notation(0, 0) == "left"
    assert tree.play(0, tree.parse_action(0, "Go Right")) == 2
    assert (tree.evaluate(0, 0), tree.evaluate(0, 1)) == (1.5, -1.5)
    assert list(tree.node_names) == ["start", "B", "A", "", ""]  # A is taken
    assert tree.position(4) == "/left/b2"


def test_positions_are_names_or_paths():
    tree = Tree()
    assert tree.parse_position("C") == 2
    assert (
        tree.parse_position("/a2/c3") == tree.parse_position(" a2 c3 ") == tree.parse_position("a2/c3") == 9
    )
    assert tree.parse_position("") == 0
    for bad in ("E", "a2 x1", "a2/x1", "/a1/b1/b1", "a1 b1 b1"):
        with pytest.raises(BadPosition):
            tree.parse_position(bad)


@given(chance_trees())
def test_every_position_can_be_read(tree):
    for node in range(len(tree.mover)):
        assert tree.parse_position(tree.position(node)) == node


@given(chance_trees())
def test_json_round_trip_with_chance(tree):
    assert same(Tree.from_json(tree.to_json()), tree)


@given(payoff_trees(3))
def test_json_round_trip_with_payoffs(tree):
    assert same(Tree.from_json(tree.to_json()), tree)


@given(trees())
def test_repr_makes_the_tree_again(tree):
    assert same(eval(repr(tree)), tree)


def test_json_of_one_player_stays_one_player():
    tree = Tree.from_json(Tree([3, 4], ("max",)).to_json())
    assert (tree.players, tree.player_names) == (1, ("MAX",))


def test_json_may_be_short_and_may_be_a_file(tmp_path):
    short = '[[3, 12, 8], {"name": "C", "children": [2, 4, 6]}, [14, 5, 2]]'
    assert list(Tree(short).payoffs) == list(Tree().payoffs)
    path = tmp_path / "tree.json"
    path.write_text(json.dumps({"levels": ["max", "chance"], "tree": [[1, 3], {"value": 5}]}))
    tree = Tree.from_json(str(path))
    assert (tree.to_move(1), tree.players, tree.utility(2, 0)) == (CHANCE, 1, 5)


def test_registry_makes_trees():
    assert same(plies.game("tree"), Tree())
    assert plies.game("tree", tree="[1, 2]", levels="min,max").to_move(0) == 1


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ([], "children"),
        ([3, []], "children"),
        ([float("nan")], "finite"),
        ([float("inf")], "finite"),
        ([10**400], "finite"),
        (["3"], "'3'"),
        ([None], "None"),
        ([True], "True"),
        ([()], "payoff"),
        ([(1, 2), (1, 2, 3)], "3 players"),
        ({"player": "chance", "probabilities": [0.5, 0.4], "children": [1, 2]}, "sum to 1"),
        ({"player": "chance", "probabilities": [1.5, -0.5], "children": [1, 2]}, "negative"),
        ({"player": "chance", "probabilities": [1], "children": [1, 2]}, "2 children"),
        ({"player": "max", "probabilities": [0.5, 0.5], "children": [1, 2]}, "chance"),
        ({"player": "nobody", "children": [1, 2]}, "nobody"),
        ({"player": -1, "children": [1, 2]}, "-1"),
        ({"player": 10**9, "children": [1, 2]}, "99"),
        ({"name": "A"}, "either children or a value"),
        ({"value": 1, "children": [1]}, "either children or a value"),
        ({"children": 3}, "children"),
        ({"child": [3]}, "'child'"),
        ({"name": "a/b", "value": 1}, "a/b"),
        ({"children": {"": 3}}, "action"),
        ({"children": {"Left": 3, "left": 4}}, "same name"),
        ([{"name": "x", "value": 1}, {"name": "x", "value": 2}], "'x'"),
        ({"tree": [1], "level": ["max"]}, "'level'"),
        ("[1, 2", "not JSON"),
        ("no-such-file.json", "no-such-file.json"),
        ("[" * 100_000, "deep"),
    ],
)
def test_bad_trees_are_refused_in_words(tree, words):
    with pytest.raises(BadParameter, match=words):
        Tree(tree)


@pytest.mark.parametrize("levels", [(), ("maximum",), 3, (True,)])
def test_bad_levels_are_refused(levels):
    with pytest.raises(BadParameter):
        Tree([1, 2], levels)


def test_a_list_that_contains_itself_is_refused(monkeypatch):
    monkeypatch.setattr(tree_reader, "LIMIT", 10_000)
    endless: list[object] = []
    endless += [endless, endless]
    with pytest.raises(BadParameter, match="contain itself"):
        Tree(endless)


def test_a_tree_may_be_deep():
    node: object = 7
    for _ in range(5000):
        node = [node]
    tree = Tree(node)
    assert tree.utility(5000, 0) == 7
    assert repr(tree) == "<Tree of 5001 nodes>"
    assert tree.parse_position(tree.position(5000)) == 5000
    assert len(tree.text(0).splitlines()) < 100
    with pytest.raises(PliesError, match="deep"):
        tree.to_json()


def test_random_trees_repeat():
    tree = random_tree(7, branching=2, depth=4, values=(1, 6))
    assert same(tree, random_tree(7, branching=2, depth=4, values=(1, 6)))
    assert not same(tree, random_tree(8, branching=2, depth=4, values=(1, 6)))
    leaves = [tree.utility(node, 0) for node in range(len(tree.mover)) if tree.is_terminal(node)]
    assert len(leaves) == 16
    assert set(leaves) <= set(range(1, 7))
    for wrong in ({"branching": 0}, {"depth": -1}, {"branching": 10, "depth": 10}):
        with pytest.raises(BadParameter):
            random_tree(**wrong)


def test_the_rules_hold_together():
    two = Tree([[3, {"evaluate": 20, "children": [7, 1]}], 2])
    dice = Tree([[[2, 2], [3, 3]], [[1, 1], [4, 4]]], ("max", "chance", "min"))
    three = Tree([[[(1, 2, 6), (4, 2, 3)]], (0, 0, -5)])
    assert (two.bounds, three.bounds) == ((-20, 20), (-5, 6))
    for tree in (two, dice, three):
        report = plies.check_game(tree)
        assert report.ok, str(report)


@given(chance_trees())
def test_interpreted_rules_are_those_of_any_game(tree):
    generator = random.Random(0)
    for _ in range(5):
        state = tree.initial()
        while not tree.is_terminal(state):
            state = tree.play(state, generator.choice(list(tree.actions(state))))
        assert tree.utility(state, 0) == -tree.utility(state, 1)
