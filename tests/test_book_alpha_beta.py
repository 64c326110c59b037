"""Minimax and alpha-beta: against each other, against a direct recursion, and against published figures."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle
from plies import BadParameter, PliesError, Unsuitable, book
from plies.games.tree import Tree
from strategies import NUMBERS, nodes, shuffled, trees

pytestmark = pytest.mark.plain

CUTTING = pytest.mark.parametrize("cut_on_equal", [True, False])


def backed_up(node, depth=math.inf):
    """The minimax value to MAX of a node as `nodes` makes it, without a game."""
    if not isinstance(node, dict):
        return node
    if depth == 0:
        return node["evaluate"]
    best = max if node["player"] == "max" else min
    return best(backed_up(child, depth - 1) for child in node["children"])


def leaves(game, search, **options):
    """The values of the leaves that a search visits, in order."""
    tracer = book.Tracer(game)
    search(game, trace=tracer, **options)
    return [event.value for event in tracer.events if isinstance(event, book.Leaf)]


def test_figure_5_2():
    # Russell and Norvig, "Artificial Intelligence: A Modern Approach", figures 5.2 and 5.5.
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert book.minimax(tree) == book.alpha_beta(tree) == book.Decision(3, (0, 0))
    assert book.minimax(tree).action == 0
    assert leaves(tree, book.minimax) == [3, 12, 8, 2, 4, 6, 14, 5, 2]
    assert leaves(tree, book.alpha_beta) == [3, 12, 8, 2, 14, 5, 2]


def test_textbook_trees():
    textbook = oracle("trees/textbook_trees.json")
    figure = textbook["aima_fig_5_2"]
    decision = book.alpha_beta(Tree(figure["tree"]))
    assert (decision.value, decision.action) == (figure["value"], figure["best_child"])
    visited = figure["alphabeta_left_to_right_leaves_visited"]
    assert leaves(Tree(figure["tree"]), book.alpha_beta) == visited
    lecture = textbook["berkeley_lecture6"]
    assert book.alpha_beta(Tree(lecture["tree"])).value == lecture["value"]
    every = leaves(Tree(lecture["tree"]), book.minimax)
    for pruned in lecture["pruned_leaves"]:
        every.remove(pruned)
    assert leaves(Tree(lecture["tree"]), book.alpha_beta) == every


@given(nodes(), st.none() | st.integers(0, 4))
def test_minimax_is_the_backed_up_value(node, depth):
    value = backed_up(node, math.inf if depth is None else depth)
    assert book.minimax(Tree(node), player=0, depth=depth).value == value
    assert book.minimax(Tree(node), player=1, depth=depth).value == -value


@CUTTING
@given(tree=trees(), player=st.none() | st.integers(0, 1), depth=st.none() | st.integers(0, 4))
def test_alpha_beta_decides_as_minimax(cut_on_equal, tree, player, depth):
    expected = book.minimax(tree, player=player, depth=depth)
    found = book.alpha_beta(tree, player=player, depth=depth, cut_on_equal=cut_on_equal)
    assert found == expected  # the value, the action and the whole line


@CUTTING
@given(node=nodes(), seed=st.integers())
def test_the_order_of_moves_does_not_change_the_value(cut_on_equal, node, seed):
    tree = Tree(shuffled(node, random.Random(seed)))
    assert book.alpha_beta(tree, player=0, cut_on_equal=cut_on_equal).value == backed_up(node)


@CUTTING
@given(node=nodes(), bounds=st.sets(st.floats(-6, 6) | NUMBERS, min_size=2, max_size=2))
def test_a_window_at_the_root(cut_on_equal, node, bounds):
    alpha, beta = sorted(bounds)
    exact = backed_up(node)
    value = book.alpha_beta(Tree(node), player=0, alpha=alpha, beta=beta, cut_on_equal=cut_on_equal).value
    if exact <= alpha:
        assert exact <= value <= alpha
    elif exact >= beta:
        assert beta <= value <= exact
    else:
        assert value == exact


@given(trees())
def test_cutting_on_equality_never_visits_more(tree):
    visited = {}
    for equal in (True, False):
        visited[equal] = book.Counts()
        book.alpha_beta(tree, cut_on_equal=equal, trace=visited[equal])
    every = book.Counts()
    book.minimax(tree, trace=every)
    assert visited[True].nodes <= visited[False].nodes <= every.nodes == len(tree.mover)


def test_equal_values_cut_only_where_asked():
    alpha = Tree([[3, 12], [3, 4]])
    assert leaves(alpha, book.alpha_beta) == [3, 12, 3]
    assert leaves(alpha, book.alpha_beta, cut_on_equal=False) == [3, 12, 3, 4]
    beta = Tree([[3, [3, 4]]])
    assert leaves(beta, book.alpha_beta) == [3, 3]
    assert leaves(beta, book.alpha_beta, cut_on_equal=False) == [3, 3, 4]


def uniform(branching, depth, best_first, low=0.0, high=1.0, maximising=True):
    """A uniform tree of distinct leaves: at every node the children come best first, or best last."""
    if depth == 0:
        return (low + high) / 2
    step = (high - low) / branching
    slices = [(low + i * step, low + (i + 1) * step) for i in range(branching)]
    if maximising == best_first:
        slices.reverse()
    return [uniform(branching, depth - 1, best_first, *part, not maximising) for part in slices]


@pytest.mark.parametrize(
    ("branching", "depth", "fewest"),
    # Knuth and Moore (1975): b^ceil(d/2) + b^floor(d/2) - 1 leaves, here worked out by hand.
    [
        (2, 1, 2),
        (2, 2, 3),
        (2, 3, 5),
        (2, 10, 63),
        (3, 2, 5),
        (3, 3, 11),
        (3, 4, 17),
        (5, 3, 29),
        (10, 4, 199),
    ],
)
@pytest.mark.no_cover
def test_best_and_worst_order(branching, depth, fewest):
    for cut_on_equal in (True, False):
        best = book.Counts()
        book.alpha_beta(Tree(uniform(branching, depth, True)), cut_on_equal=cut_on_equal, trace=best)
        assert best.leaves == fewest
        worst = book.Counts()
        book.alpha_beta(Tree(uniform(branching, depth, False)), cut_on_equal=cut_on_equal, trace=worst)
        assert worst.leaves == branching**depth
        assert not worst.cuts


def test_fewest_leaves_of_knuth_and_moore():
    examples = oracle("trees/textbook_trees.json")["knuth_moore_minimal_leaves"]["examples"]
    small = {name: fewest for name, fewest in examples.items() if fewest < 1000}
    assert small
    for name, fewest in small.items():
        branching, depth = (int(part[1:]) for part in name.split("_"))
        counts = book.Counts()
        book.alpha_beta(Tree(uniform(branching, depth, True)), trace=counts)
        assert counts.leaves == fewest, name


def test_who_max_is():
    tree = Tree([3, 5], ("min",))
    assert book.minimax(tree).value == book.alpha_beta(tree).value == -3  # MAX is whoever is to move
    assert book.minimax(tree, player=0).value == book.alpha_beta(tree, player=0).value == 3
    assert book.minimax(Tree([[1], [2]]), 2) == book.Decision(-2, (0,))


def test_at_a_leaf_there_is_nothing_to_decide():
    for search in (book.minimax, book.alpha_beta):
        decision = search(Tree([4, 6]), 2)
        assert (decision.value, decision.action, decision.line) == (6, None, ())
        assert search(Tree([4, 6]), depth=0).action is None


def test_an_evaluation_of_ones_own():
    tree = Tree([[3, 12], [2, 4]])
    for search in (book.minimax, book.alpha_beta):
        decision = search(tree, depth=1, evaluate=lambda state, player: 10 * state + player)
        assert (decision.value, decision.action) == (20, 1)


def test_infinite_utilities_still_get_an_action():
    lost = Tree([[1, 2], [3]])
    for search in (book.minimax, book.alpha_beta):
        assert search(lost, depth=1, evaluate=lambda *_: -math.inf).action == 0
        assert search(lost, depth=1, evaluate=lambda *_: +math.inf).action == 0


SEARCHES = pytest.mark.parametrize("search", [book.minimax, book.alpha_beta])


@SEARCHES
def test_quicker_wins_and_slower_losses(search):
    won = Tree([[[1, 1]], 1])
    assert search(won).action == 0
    assert search(won, quick=10) == book.Decision(9, (1,))
    lost = Tree([-1, [[-1, -1]], [-1]])
    assert search(lost).action == 0
    assert search(lost, quick=10) == book.Decision(-7, (1, 0, 0))
    assert search(Tree([0, [[0, 0]]]), quick=10).value == 0


@SEARCHES
@given(node=nodes(leaves=st.sampled_from([-1, 0, 1])))
def test_ten_minus_depth_for_the_winner(search, node):
    def lab(node, depth):
        if not isinstance(node, dict):
            return {1: 100 - depth, 0: 0, -1: depth - 100}[node]
        best = max if node["player"] == "max" else min
        return best(lab(child, depth + 1) for child in node["children"])

    assert search(Tree(node), player=0, quick=100).value == lab(node, 0)


@SEARCHES
def test_quick_must_outlast_the_game(search):
    with pytest.raises(BadParameter, match="ply 2"):
        search(Tree([[1]]), quick=2)


# -- Fail-hard.


def slide(node, alpha, beta):
    """The pseudo-code that returns the bound itself, to whatever is beyond it."""
    if not isinstance(node, dict):
        return node
    for child in node["children"]:
        if node["player"] == "max":
            alpha = max(alpha, slide(child, alpha, beta))
            if alpha >= beta:
                return beta
        else:
            beta = min(beta, slide(child, alpha, beta))
            if beta <= alpha:
                return alpha
    return alpha if node["player"] == "max" else beta


def test_fail_hard_on_figure_5_2():
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    shown = {}
    for hard in (False, True):
        trace = book.trace(tree, fail_hard=hard)
        inner = [node for node in trace.tree if isinstance(node.entered, book.Enter)]
        shown[hard] = [f"{node.entered.position} {node.relation} {node.value:g}" for node in inner]
        assert trace.line == ("a1", "b1")
        assert trace.leaves == 7
    assert shown[False] == ["A = 3", "B = 3", "C <= 2", "D = 2"]
    assert shown[True] == ["A = 3", "B = 3", "C <= 3", "D <= 3"]


@given(nodes(), st.sets(NUMBERS, min_size=2, max_size=2))
def test_fail_hard_is_the_slide(node, bounds):
    alpha, beta = sorted(bounds)
    found = book.alpha_beta(Tree(node), player=0, alpha=alpha, beta=beta, fail_hard=True)
    assert found.value == slide(node, alpha, beta)
    if isinstance(node, dict):
        assert found.value == min(max(backed_up(node), alpha), beta)
    assert book.alpha_beta(Tree(node), player=0, fail_hard=True).value == slide(node, -math.inf, math.inf)


@CUTTING
@given(tree=trees(), player=st.none() | st.integers(0, 1), depth=st.none() | st.integers(0, 4))
def test_fail_hard_decides_as_minimax(cut_on_equal, tree, player, depth):
    options = {"player": player, "depth": depth}
    found = book.alpha_beta(tree, cut_on_equal=cut_on_equal, fail_hard=True, **options)
    assert found == book.minimax(tree, **options)


@given(trees())
def test_on_equality_fail_hard_visits_what_fail_soft_does(tree):
    assert leaves(tree, book.alpha_beta, fail_hard=True) == leaves(tree, book.alpha_beta)


# -- The cut-off test.


def test_a_cutoff_of_ones_own():
    tree = Tree([{"evaluate": 5, "children": [1, [2, 7]]}, [4, 6]])
    quiet = tree.result(tree.initial(), 0)
    stop = {"cutoff": lambda state, ply: state == quiet}
    assert leaves(tree, book.minimax, **stop) == [5, 4, 6]
    assert leaves(tree, book.alpha_beta, **stop) == [5, 4]
    for search in (book.minimax, book.alpha_beta):
        assert search(tree, cutoff=lambda state, ply: True) == search(tree, depth=0)
    text = str(book.trace(tree, algorithm="minimax", **stop))
    assert "  a1: 5 (cutoff)" in text


@given(node=nodes(), depth=st.integers(0, 4))
def test_a_cutoff_by_ply_is_a_depth(node, depth):
    for search in (book.minimax, book.alpha_beta, book.sampled, book.max_n, book.expectiminimax):
        who = {} if search is book.max_n else {"player": 0}
        test = search(Tree(node), cutoff=lambda state, ply: ply == depth, **who)
        assert test == search(Tree(node), depth=depth, **who)
    for search in (book.opponents, book.paranoid):  # whose depth counts rounds
        test = search(Tree(node), player=0, cutoff=lambda state, ply: ply == depth)
        assert test == book.minimax(Tree(node), player=0, depth=depth)


def test_bad_windows_depths_and_players():
    for alpha, beta in ((3, 3), (4, 3), (math.nan, 3)):
        with pytest.raises(BadParameter, match="alpha must be below beta"):
            book.alpha_beta(Tree(), alpha=alpha, beta=beta)
    for depth in (-1, 1.5, True):
        with pytest.raises(BadParameter, match="depth"):
            book.minimax(Tree(), depth=depth)
    for player in (-1, 2):
        with pytest.raises(BadParameter, match="players 0 to 1"):
            book.minimax(Tree(), player=player)


@pytest.mark.parametrize(("search", "name"), [(book.minimax, "minimax"), (book.alpha_beta, "alpha-beta")])
def test_refusals_name_both(search, name):
    class Dice(Tree):
        """A name that the refusal must give."""

    for tree in (
        Dice([[1, 2]], ("max", "chance", "min")),
        Dice([(1, 2), (2, 2)]),
        Dice([(1, 2, -3)]),
        Dice([1], ("max",)),
    ):
        with pytest.raises(Unsuitable, match=f"{name} .*Dice"):
            search(tree)


def test_a_game_too_long_for_python_says_so():
    node = 1
    for _ in range(5000):
        node = [node]
    for search in (book.minimax, book.alpha_beta):
        with pytest.raises(PliesError, match="give a depth"):
            search(Tree(node))
        assert search(Tree(node), depth=100).value == 0
