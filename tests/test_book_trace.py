"""Traces: every step in its place, what they print, and that they survive as JSON."""

from __future__ import annotations

import json
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import BadParameter, PliesError, book
from plies.book import Cut, Enter, Leaf, Leave, Update
from plies.games.tree import Tree
from strategies import NUMBERS, chance_trees, payoff_trees, trees

pytestmark = pytest.mark.plain


def test_figure_5_2_in_print():
    trace = book.trace(Tree())
    assert str(trace) == "\n".join(
        [
            "alpha-beta on tree: value 3, line a1 b1",
            "11 nodes, 7 leaves, cut-offs: 1 alpha",
            "",
            "MAX A = 3  window (-inf, +inf)",
            "  a1: MIN B = 3  window (-inf, +inf)",
            "    b1: 3",
            "    b2: 12",
            "    b3: 8",
            "  a2: MIN C <= 2  window (3, +inf)",
            "    c1: 2",
            "    cut c2, c3 (value 2 <= alpha 3: MAX already has 3 elsewhere)",
            "  a3: MIN D = 2  window (3, +inf)",
            "    d1: 14",
            "    d2: 5",
            "    d3: 2",
        ]
    )
    assert (trace.game, trace.algorithm, trace.value, trace.action) == ("tree", "alpha-beta", 3, "a1")
    assert (trace.nodes, trace.leaves, trace.cuts) == (11, 7, {"alpha": 1})


def test_the_heading_names_the_variant():
    def heading(algorithm, **options):
        return book.trace(Tree(), algorithm=algorithm, player=0, **options).heading

    def third_ply(state, ply):
        return ply == 3

    assert heading("alpha-beta", fail_hard=False, cut_on_equal=True, depth=None) == "alpha-beta on tree"
    assert heading("alpha-beta", fail_hard=True) == "alpha-beta (fail-hard) on tree"
    assert heading("alpha-beta", cut_on_equal=False, quick=100.0, alpha=-5) == (
        "alpha-beta (no cut-on-equal, quick 100, alpha -5) on tree"
    )
    assert heading("minimax", cutoff=third_ply, depth=2) == "minimax (cutoff third_ply, depth 2) on tree"
    assert heading("minimax", evaluate="rollouts:5") == "minimax (evaluate rollouts:5) on tree"
    assert heading("transposition-table", size=8, replacement="two-tier") == (
        "transposition-table (size 8, replacement two-tier) on tree"
    )
    assert heading("beam", width=(3, 1)) == "beam (width 3/1) on tree"
    trace = book.trace(Tree(), fail_hard=True)
    assert str(trace).startswith("alpha-beta (fail-hard) on tree: value 3")
    assert json.loads(trace.to_json())["variant"] == "fail-hard"
    assert ">alpha-beta (fail-hard) on tree</title>" in str(plies.draw.tree(trace))
    assert "<h1>alpha-beta (fail-hard) on tree, step by step</h1>" in plies.draw.steps(trace).html


def test_a_trace_of_before_variants_were_told_is_read():
    data = json.loads(book.trace(Tree()).to_json())
    del data["variant"]
    assert book.Trace.from_json(json.dumps(data)) == book.trace(Tree())


def test_every_step_of_a_small_search():
    assert book.trace(Tree([[3, 5], [2, 4]])).events == (
        Enter(0, None, None, None, "A", "max", 0, (-inf, inf)),
        Enter(1, 0, "a1", None, "B", "min", 1, (-inf, inf)),
        Leaf(2, 1, "b1", None, "/a1/b1", "terminal", 3),
        Update(1, "b1", 3, (-inf, 3)),
        Leaf(3, 1, "b2", None, "/a1/b2", "terminal", 5),
        Leave(1, 3),
        Update(0, "a1", 3, (3, inf)),
        Enter(4, 0, "a2", None, "C", "min", 1, (3, inf)),
        Leaf(5, 4, "c1", None, "/a2/c1", "terminal", 2),
        Update(4, "c1", 2, (3, 2)),
        Cut(4, "alpha", ("c2",), "value 2 <= alpha 3: MAX already has 3 elsewhere"),
        Leave(4, 2),
        Leave(0, 3),
    )


def test_other_algorithms_in_print():
    beta = str(book.trace(Tree([[3, [7, 1]]])))
    assert "    b2: MAX C >= 7  window (-inf, 3)" in beta
    assert "      cut c2 (value 7 >= beta 3: MIN already has 3 elsewhere)" in beta
    dice = Tree({"children": {"roll": {"probabilities": [0.75, 0.25], "children": [1, 2.5]}, "stop": 1}})
    dice_text = str(book.trace(dice, algorithm="expectiminimax"))
    assert "  roll: CHANCE B = 1.375\n    b1 (0.75): 1\n    b2 (0.25): 2.5" in dice_text
    three = Tree([[[(1, 2, 6)]], [[(4, 2, 3)]]])
    assert "player 1 A = (4, 2, 3)\n  a1: player 2 B = (1, 2, 6)" in str(book.trace(three, algorithm="max-n"))
    assert "a1: MIN (player 2) B = 1" in str(book.trace(three, algorithm="opponents"))
    assert "  a1: 5 (depth)" in str(book.trace(Tree([{"evaluate": 5, "children": [1]}]), depth=1))
    plan = str(book.trace(Tree([[1, [2, -1]], 3]), algorithm="and-or"))
    assert "value yes, line a1" in plan
    assert "  cut a2 (one action that works is enough)" in plan
    assert plan.endswith("a1\nif b1:\n  done\nif b2:\n  c1\n  done\n")
    refuted = str(book.trace(Tree([[-1, 2]]), algorithm="and-or"))
    assert "OR A = no\n  a1: AND B = no\n    b1: no\n    cut b2 (one reply without an answer" in refuted


def test_many_skipped_branches_are_summed_up():
    assert "cut c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, … 39 in all (" in str(
        book.trace(Tree([[3], [1] * 40]))
    )


@given(trees(), st.sets(NUMBERS, min_size=2, max_size=2), st.booleans(), st.booleans())
def test_bounds_in_a_trace_hold(tree, bounds, cut_on_equal, fail_hard):
    alpha, beta = sorted(bounds)
    options = {"cut_on_equal": cut_on_equal, "fail_hard": fail_hard}
    trace = book.trace(tree, player=0, alpha=alpha, beta=beta, **options)
    for node in trace.tree:
        exact = book.minimax(tree, node.entered.state, player=0).value
        assert node.at_least <= exact <= node.at_most
        assert {"=": node.value == exact, "<=": exact <= node.value, ">=": exact >= node.value}[node.relation]


@given(trees())
def test_without_cuts_every_bound_is_exact(tree):
    for node in book.trace(tree, algorithm="minimax").tree:
        assert node.relation == "="
        assert node.at_least == node.at_most == node.value


@given(trees())
def test_a_cut_names_exactly_the_branches_not_visited(tree):
    for node in book.trace(tree).tree:
        state = node.entered.state
        if isinstance(node.entered, Enter):
            visited = [child.entered.action for child in node.children]
            skipped = list(node.cut.skipped) if node.cut else []
            assert visited + skipped == [tree.notation(state, action) for action in tree.actions(state)]
        assert node.entered.position == tree.position(state)


ANY_TREE = st.one_of(
    st.tuples(st.sampled_from(["minimax", "alpha-beta", "sampled", "max-n", "opponents", "and-or"]), trees()),
    st.tuples(st.sampled_from(["expectiminimax", "and-or"]), chance_trees()),
    st.tuples(st.sampled_from(["max-n", "opponents", "and-or"]), payoff_trees(3)),
)


@given(ANY_TREE, st.none() | st.integers(0, 3))
def test_json_round_trip(case, depth):
    algorithm, tree = case
    trace = book.trace(tree, algorithm=algorithm, depth=depth)
    text = trace.to_json()
    json.loads(text, parse_constant=pytest.fail)  # no Infinity or NaN, which are not JSON
    again = book.Trace.from_json(text)
    assert again == trace
    assert str(again) == str(trace)


def test_counts_of_figure_5_2():
    counts = book.Counts()
    book.alpha_beta(Tree(), trace=counts)
    # The last leaf of D is below alpha as well, but nothing is left there to cut off.
    assert (counts.nodes, counts.leaves, counts.cuts) == (11, 7, {"alpha": 1})


@given(ANY_TREE)
def test_events_are_nested_and_counters_agree(case):
    algorithm, tree = case
    tracer, counts = book.Tracer(tree), book.Counts()
    decision = book.ALGORITHMS[algorithm](tree, trace=tracer)
    assert book.ALGORITHMS[algorithm](tree, trace=counts) == decision == book.ALGORITHMS[algorithm](tree)
    trace = tracer.trace
    assert (trace.nodes, trace.leaves, trace.cuts) == (counts.nodes, counts.leaves, counts.cuts)
    assert trace.value == decision.value
    assert trace.algorithm == algorithm
    path = []
    for event in trace.events:
        if isinstance(event, Enter | Leaf):
            assert event.parent == (path[-1] if path else None)
        else:
            assert event.node == path[-1]
        if isinstance(event, Enter):
            path.append(event.node)
        elif isinstance(event, Leave):
            path.pop()
    assert path == []


def test_every_algorithm_can_be_traced():
    puzzle = Tree([-1, [2]], ("max",))
    games: dict[str, plies.Game] = {
        "depth-first": puzzle,
        "expectiminimax": Tree([[1, 2]], ("max", "chance")),
        "backward-induction": plies.Goofspiel(cards=2),
    }
    for algorithm in book.ALGORITHMS:
        trace = book.trace(games.get(algorithm, Tree()), algorithm=algorithm)
        assert trace.algorithm == algorithm
        assert trace.line
    assert "a2: OR B = yes" in str(book.trace(puzzle, algorithm="depth-first"))


def test_plies_trace_is_the_books():
    assert plies.trace is book.trace
    assert book.trace(plies.TicTacToe(), depth=1).nodes == 10


def test_numbers_of_other_kinds_become_plain():
    from fractions import Fraction

    import numpy as np

    for half in (Fraction(1, 2), np.float32(0.5)):
        trace = book.trace(Tree([[1], [2]]), depth=1, evaluate=lambda state, player, half=half: half)
        assert trace.value == 0.5
        assert book.Trace.from_json(trace.to_json()) == trace


def test_a_large_search_is_stopped():
    with pytest.raises(PliesError, match="more than 10,000 nodes"):
        book.trace(plies.TicTacToe(), algorithm="minimax")
    with pytest.raises(PliesError, match="more than 10 nodes"):
        book.trace(Tree(), limit=10)
    assert book.trace(Tree(), limit=11).nodes == 11


def test_unknown_algorithms_and_options_are_refused():
    with pytest.raises(BadParameter, match=r"'alphabeta'.*alpha-beta"):
        book.trace(Tree(), algorithm="alphabeta")
    with pytest.raises(BadParameter, match=r"minimax has no option 'alpha'.*quick"):
        book.trace(Tree(), algorithm="minimax", alpha=3)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"events": 3}', '{"events": [{"event": "jump"}]}'])
def test_what_is_no_trace_is_refused(text):
    with pytest.raises(PliesError, match="not a trace"):
        book.Trace.from_json(text)


def test_exported_names_exist():
    for name in book.__all__:
        assert hasattr(book, name), name
