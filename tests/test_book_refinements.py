"""Refinements of alpha-beta in the book: against alpha-beta, brute force, and the engine's own steps."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from engine_games import PlainBush, all_off
from plies import BadParameter, Unsuitable, book
from plies.book import Enter, Leaf, Order
from plies.book.table import SCHEMES, Entry, Table
from plies.draw.explain import explain
from plies.engine import Options
from plies.engine.runner import INFINITY, LAST_PLY
from plies.engine.worker import Worker
from plies.games.tree import Tree
from strategies import nodes, trees

pytestmark = pytest.mark.plain

EXACT = ("move-ordering", "transposition-table", "quiescence", "iterative-deepening")
DEPTHS = st.none() | st.integers(0, 4)


def counted(search: Any, game: plies.Game, state: Any = None, **options: Any) -> tuple[Any, book.Counts]:
    """A decision, and the nodes it took."""
    counts = book.Counts()
    return search(game, state, trace=counts, **options), counts


def kernel(game: plies.Game, depth: int, **on: Any) -> tuple[float, int]:
    """The value and the nodes of the engine's kernel, interpreted, with these options and no other.

    The kernel alone, without what the engine does at the root, and with scores that ignore plies.
    """
    off = all_off()
    game.compiled = False  # type: ignore[misc]
    state = game.initial()
    worker = Worker(game, state, Options(**off | on), 1, prefer_quick=False)
    worker.begin(state)
    worker.run.extension_limit, worker.run.quiescence_limit = -1, LAST_PLY
    found = worker.call(state, state, game.to_move(state), -INFINITY, INFINITY, depth, 0)
    return worker.estimate(int(found)), int(worker.run.nodes)


def visited(trace: book.Trace) -> int:
    """The positions of a trace: standing pat visits none."""
    return trace.nodes - sum(isinstance(event, Leaf) and event.why == "stand-pat" for event in trace.events)


def bush(seed: int) -> PlainBush:
    """A random tree with noisy actions, whose leaves are estimated right: the engine looks at those, too."""
    chance = random.Random(seed)

    def node(depth: int) -> Any:
        if depth == 0 or (depth < 5 and chance.random() < 0.15):
            return chance.randint(-5, 5)
        children = [node(depth - 1) for _ in range(chance.choice([1, 2, 2, 3, 3, 4]))]
        return {
            "player": chance.choice(["max", "min"]),
            "evaluate": chance.randint(-5, 5),
            "children": children,
        }

    game = PlainBush(node(5), ("max", "min"))
    game.estimates = np.where(np.repeat(game.child_count == 0, 2), game.payoffs, game.estimates)
    game.bounds = (-9.0, 9.0)  # no leaf is as good as can be, or the engine would stop there
    return game


GAMES = {
    "othello": (plies.Othello(size=4), 5),
    "awari": (plies.Awari(houses=3, seeds=2), 5),
    "connect-four": (plies.ConnectFour(width=4, height=4), 5),
    "checkers": (plies.Checkers(), 3),
    **{f"bush {seed}": (bush(seed), 3) for seed in range(8)},
}
STEPS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "plain": ("alpha-beta", {}, {}),
    "ordering": ("move-ordering", {}, {"child_order": True}),
    "beam": ("beam", {"width": 2}, {"child_order": True, "beam": 2}),
    "quiescence": ("quiescence", {}, {"quiescence": True}),
    "bias": ("quiescence", {"bias": -0.5}, {"quiescence": True, "bias": -0.5}),
    "table": ("transposition-table", {}, {"table": True}),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_does_the_same_step(name: str, step: str) -> None:
    """The same value after as many nodes: the book is the oracle of the engine's kernel."""
    (game, depth), (algorithm, options, on) = GAMES[name], STEPS[step]
    trace = book.trace(game, algorithm=algorithm, depth=depth, **options)
    value, nodes_of_kernel = kernel(game, depth, **on)
    assert value == pytest.approx(trace.value, abs=1e-5)
    assert nodes_of_kernel == visited(trace)


# -- All of them.


@pytest.mark.parametrize("name", EXACT)
@given(tree=trees(), player=st.none() | st.integers(0, 1), depth=DEPTHS)
def test_the_value_is_that_of_alpha_beta(
    name: str, tree: Tree, player: int | None, depth: int | None
) -> None:
    found = book.ALGORITHMS[name](tree, player=player, depth=depth)
    assert found.value == book.minimax(tree, player=player, depth=depth).value
    # The line leads to that value, and is one that minimax could have chosen.
    state, wanted = tree.initial(), found.value
    mover = tree.to_move(state) if player is None else player
    for ply, action in enumerate(found.line):
        state = tree.result(state, action)
        left = None if depth is None else depth - ply - 1
        assert book.minimax(tree, state, player=mover, depth=left).value == wanted


@pytest.mark.parametrize("name", [*EXACT, "beam"])
@given(tree=trees(), depth=DEPTHS)
def test_bounds_in_the_trace_hold(name: str, tree: Tree, depth: int | None) -> None:
    trace = book.trace(tree, algorithm=name, player=0, depth=depth).last_iteration
    plies_of = {0: 0}
    for node in trace.tree:
        by = node.entered
        if by.parent is not None:
            plies_of[by.node] = plies_of[by.parent] + 1
        left = None if depth is None else depth - plies_of[by.node]
        exact = book.minimax(tree, by.state, player=0, depth=left).value
        assert node.at_least <= exact <= node.at_most
        true = {"=": exact == node.value, "<=": exact <= node.value, ">=": exact >= node.value, "~": True}
        assert true[node.relation]


@pytest.mark.parametrize("name", [*EXACT, "beam"])
@given(tree=trees(), depth=DEPTHS)
def test_every_step_is_told_kept_and_named(name: str, tree: Tree, depth: int | None) -> None:
    trace = book.trace(tree, algorithm=name, depth=depth)
    assert book.Trace.from_json(trace.to_json()) == trace
    sentences = explain(trace)
    assert len(sentences) == len(trace.events)
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences)
    for node in trace.last_iteration.tree:
        if isinstance(node.entered, Enter):
            visited = [child.entered.action for child in node.children]
            skipped = [name for cut in node.cuts for name in cut.skipped]
            state = node.entered.state
            assert sorted(visited + skipped) == sorted(tree.notation(state, a) for a in tree.actions(state))


# -- Move ordering.


@given(trees(), DEPTHS)
def test_actions_are_searched_in_the_order_of_their_estimates(tree: Tree, depth: int | None) -> None:
    trace = book.trace(tree, algorithm="move-ordering", player=0, depth=depth)
    for node in trace.tree:
        if node.order is None:
            continue
        assert node.order.why == "evaluation"
        estimates = list(node.order.estimates)
        assert estimates == sorted(estimates, reverse=node.entered.kind == "max")
        searched = tuple(child.entered.action for child in node.children)
        assert searched == node.order.actions[: len(searched)]


@given(nodes())
def test_a_perfect_estimate_prunes_as_much_as_the_best_order(node: Any) -> None:
    """Every inner node then has the value of its best child as its estimate."""

    def perfect(node: Any) -> Any:
        if not isinstance(node, dict):
            return node
        children = [perfect(child) for child in node["children"]]
        worth = [child["evaluate"] if isinstance(child, dict) else child for child in children]
        best = max if node["player"] == "max" else min
        order = sorted(range(len(worth)), key=lambda i: worth[i], reverse=best is max)
        return node | {"evaluate": best(worth), "children": [children[i] for i in order]}

    sorted_tree = Tree(perfect(node), ("max", "min"))
    # The same tree in its own order, with the same estimates, is searched just so.
    _, ordered = counted(book.move_ordering, sorted_tree)
    _, plain = counted(book.alpha_beta, sorted_tree)
    assert ordered.nodes == plain.nodes


def test_ordering_takes_fewer_nodes() -> None:
    game = plies.ConnectFour(width=4, height=4)
    plain, before = counted(book.alpha_beta, game, depth=5)
    found, after = counted(book.move_ordering, game, depth=5)
    assert found.value == plain.value
    assert (before.nodes, after.nodes) == (469, 141)


def test_ordering_is_told() -> None:
    tree = Tree(
        {"children": [{"evaluate": e, "children": leaves} for e, leaves in ((3, [3, 12]), (9, [2, 4]))]}
    )
    trace = book.trace(tree, algorithm="move-ordering")
    assert "  order a2 (9), a1 (3)\n" in str(trace)
    ordered = "By EVAL of what they lead to, the order of actions is a2 (9) and a1 (3)"
    assert explain(trace)[1] == f"{ordered}: MAX tries the highest first."
    assert explain(trace)[3].endswith("MIN tries the lowest first.")


# -- The transposition table.


@given(st.sampled_from(SCHEMES), st.integers(2, 40), st.integers(0, 3))
def test_any_table_gives_the_same_value(replacement: str, size: int, depth: int) -> None:
    game = plies.ConnectFour(width=4, height=4)
    game.compiled = False  # type: ignore[misc]
    found = book.transposition_table(game, depth=depth, size=size, replacement=replacement)
    assert found.value == book.alpha_beta(game, depth=depth).value


def test_tic_tac_toe_by_table() -> None:
    """A table of all positions: 5,478 of them can be reached, and alpha-beta needs few of these."""
    game = plies.TicTacToe()
    value, counts = counted(book.transposition_table, game)
    assert value.value == 0
    assert counts.nodes < 5478 < 18297  # which is what alpha-beta visits without a table
    small = counted(book.transposition_table, game, size=50)[1].nodes
    assert counts.nodes < small < 18297


class Places(plies.Game):
    """Positions whose place in the table is their number, as far as there are places."""

    def key(self, state: int) -> int:
        return state


def test_replacement_schemes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions 1, 4 and 7 want one place of three."""
    monkeypatch.setattr("plies.book.table.bits.mix", lambda key: key)

    def kept(replacement: str, size: int, *depths: float) -> list[int]:
        table = Table(Places(), size, replacement)
        for state, depth in zip((1, 4, 7), depths, strict=False):
            table.store(state, Entry(state, "=", depth, ()))
        return [state for state in (1, 4, 7) if table.look_up(state) is not None]

    assert kept("always", 3, 5, 2, 1) == [7]
    assert kept("depth-preferred", 3, 5, 2, 1) == [1]
    assert kept("depth-preferred", 3, 2, 5, 5) == [7]  # of equals, the new one
    assert kept("two-tier", 6, 5, 2, 1) == [1, 7]
    assert kept("two-tier", 6, 2, 5, 1) == [4, 7]
    assert kept("two-tier", 6, 1, 2, 5) == [4, 7]
    assert kept("always", 9, 5, 2, 1) == [1, 4, 7]


def test_a_bound_is_used_as_one() -> None:
    assert [Entry(3, "=", 1, ()).suffices(*window) for window in ((0, 9), (4, 9))] == [True, True]
    assert [Entry(3, "<=", 1, ()).suffices(*window) for window in ((0, 9), (3, 9))] == [False, True]
    assert [Entry(3, ">=", 1, ()).suffices(*window) for window in ((0, 9), (0, 3))] == [False, True]


class Detour(plies.Game):
    """Position 2 is reached after two actions, then after one: worth 1 a ply deep, and 7 two plies deep."""

    compiled = False
    bounds = (-9, 9)
    ways = ((1, 2), (2,), (3,), (4,), (5,), ())

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> tuple[int, ...]:
        return self.ways[state]

    def result(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return state == 5

    def utility(self, state: int, player: int) -> float:
        return 0.0

    def evaluate(self, state: int, player: int) -> float:
        return (0.0, 0.0, 0.0, 1.0, 7.0)[state] * (1 - 2 * player)


def test_an_entry_that_is_not_deep_enough_is_searched_again() -> None:
    assert book.alpha_beta(Detour(), depth=3) == book.Decision(7, (2, 3, 4))
    assert book.transposition_table(Detour(), depth=3) == book.Decision(7, (2, 3, 4))


def test_the_table_is_told() -> None:
    trace = book.trace(plies.Nim(heaps=(1, 2)), algorithm="transposition-table")
    [leaf] = [event for event in trace.events if isinstance(event, Leaf) and event.why == "table"]
    assert (leaf.value, leaf.relation) == (1, "=")
    assert "    1:1: 1 (table)\n" in str(trace)
    assert "Action 1:1 leads to a position that is in the table, worth 1." in explain(trace)
    bounds = book.trace(plies.TicTacToe(), algorithm="transposition-table", depth=5)
    told = [e for e in bounds.events if isinstance(e, Leaf) and e.relation != "="]
    assert {leaf.relation for leaf in told} == {"<=", ">="}
    assert any("in the table, worth at most" in sentence for sentence in explain(bounds))
    assert "<= 0 (table)" in str(bounds) or ">= 0 (table)" in str(bounds)


def test_tables_refuse() -> None:
    for size in (0, -1, 1.5, True):
        with pytest.raises(BadParameter, match="size must be 1 or more entries"):
            book.transposition_table(Tree(), size=size)  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="size must be 2 or more entries"):
        book.transposition_table(Tree(), size=1, replacement="two-tier")
    with pytest.raises(BadParameter, match="replacement must be one of always, depth-preferred, two-tier"):
        book.transposition_table(Tree(), replacement="never")
    with pytest.raises(Unsuitable, match="a transposition table is for games without chance"):
        book.transposition_table(plies.Pig())


# -- Quiescence.


class Captures(Tree):
    """A tree in which actions whose names begin with "x" are captures."""

    compiled = False

    def noisy(self, state: int) -> Iterator[int]:
        for action in self.actions(state):
            if self.notation(state, action).startswith("x"):
                yield action


HORIZON = {
    "children": {
        # Takes a pawn, worth 1, with the queen, worth 9, which is taken next.
        "xp": {"evaluate": 1, "children": {"xQ": {"evaluate": -8, "children": {"e": -8}}, "a": 1}},
        "b": {"evaluate": 0, "children": {"c": 0, "d": 0}},
    }
}


def test_the_horizon_effect() -> None:
    """One ply sees a pawn won and not the queen lost; quiescence search sees both."""
    tree = Captures(HORIZON)
    assert book.alpha_beta(tree, depth=1) == book.Decision(1, (0,))
    found = book.quiescence(tree, depth=1)
    assert (found.value, found.action) == (0, 1)
    assert book.alpha_beta(tree).action == 1  # which is right
    trace = book.trace(tree, algorithm="quiescence", depth=1)
    assert "    stand pat: 1 (stand-pat)\n    xQ: -8 (depth)\n    cut a (not noisy" in str(trace)
    sentences = explain(trace)
    assert "Whoever moves may stand pat: stop here, where EVAL is 1." in sentences
    assert "MIN has 1 at B by standing pat, so B is worth at most 1. Beta falls to 1." in sentences
    assert "Action a is not noisy, beyond the depth bound, and left out." in sentences


@pytest.mark.parametrize("bias", [0.0, 0.75, -2.0])
@pytest.mark.parametrize("player", [0, 1])
def test_quiescence_is_what_it_says(bias: float, player: int) -> None:
    """By a recursion without windows, on trees whose noisy actions are anywhere."""

    def value(game: PlainBush, state: int, ply: int, depth: int, first: int) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        best = max if game.to_move(state) == player else min
        choices = [value(game, game.result(state, a), ply + 1, depth, first) for a in game.actions(state)]
        if ply < depth:
            return best(choices)
        added = (bias if first == player else -bias) if ply % 2 else 0
        return best([game.evaluate(state, player) + added, *(choices[a] for a in game.noisy(state))])

    for seed, depth in itertools.product(range(12), range(4)):
        game = bush(seed)
        found = book.quiescence(game, depth=depth, player=player, bias=bias)
        assert found.value == value(game, 0, 0, depth, game.to_move(0))


def test_biasing_changes_a_decision() -> None:
    """Both lines are as good; EVAL is 1 too high for whoever has just moved, and one line ends earlier."""
    tree = Captures(
        {
            "children": {
                "a": {"evaluate": 1, "children": [0]},
                "b": {"evaluate": 9, "children": {"xc": {"evaluate": 0, "children": [0]}, "d": 0}},
            }
        }
    )
    assert book.quiescence(tree, depth=1).action == 0
    assert book.quiescence(tree, depth=1, bias=-2).action == 1


class Check(Captures):
    """The same, where nobody may stand pat while there is a capture."""

    forcing = True

    def is_quiet(self, state: int) -> bool:
        return not list(self.noisy(state))


class Restless(Check):
    """The same, in a game that is not forcing: its quiet actions are no less good."""

    forcing = False


def test_no_standing_pat_where_it_is_not_quiet() -> None:
    tree = {"evaluate": 5, "children": {"xa": -3, "b": 7}}
    assert book.quiescence(Captures(tree), depth=0).value == 5
    assert book.quiescence(Restless(tree), depth=0).value == 5
    assert book.quiescence(Check(tree), depth=0) == book.Decision(-3, (0,))


def test_what_was_not_searched_is_not_proved() -> None:
    """Standing pat or not, the quiet actions might be better."""
    found = plies.search(
        Check([{"evaluate": 5, "children": {"xa": -3, "b": -7}}, -9]), algorithm="book:quiescence", depth=1
    )
    assert not found.value.proved


# -- Forward pruning.


WRONG = Tree(
    {
        "children": [
            {"evaluate": 5, "children": [2, 6]},
            {"evaluate": 4, "children": [1, 9]},
            {"evaluate": 0, "children": [8, 7]},  # looks worst, and is best
        ]
    }
)


def test_a_tree_where_it_is_wrong() -> None:
    assert book.alpha_beta(WRONG) == book.Decision(7, (2, 1))
    assert book.beam(WRONG, width=2) == book.Decision(2, (0, 0))
    trace = book.trace(WRONG, algorithm="beam", width=2)
    root = trace.tree[0]
    assert (root.relation, root.at_least, root.at_most) == (">=", 2, inf)
    assert trace.cuts == {"forward": 1, "alpha": 1}
    assert "  cut a3 (not among the 2 best by EVAL)" in str(trace)
    pruned = "Action a3 is pruned forward, not among the 2 best by EVAL."
    assert f"{pruned} Should that be wrong, MAX will not notice." in explain(trace)
    assert explain(trace)[-1].startswith(
        "The branches of A that were not pruned are searched: A is worth at least 2."
    )


@given(trees(), DEPTHS)
def test_wide_enough_it_is_alpha_beta(tree: Tree, depth: int | None) -> None:
    trace = book.trace(tree, algorithm="beam", depth=depth, width=4)  # no tree here has more than 4 actions
    assert trace.value == book.alpha_beta(tree, depth=depth).value
    assert trace.cuts["forward"] == 0


@given(trees(), DEPTHS, st.integers(1, 3))
def test_only_the_best_by_estimate_are_searched(tree: Tree, depth: int | None, width: int) -> None:
    """And the value is that of the tree that is left."""

    def value(state: int, ply: int) -> float:
        if tree.is_terminal(state):
            return tree.utility(state, 0)
        if ply == depth:
            return tree.evaluate(state, 0)
        most = tree.to_move(state) == 0
        children = [tree.result(state, a) for a in tree.actions(state)]
        looks = {c: tree.utility(c, 0) if tree.is_terminal(c) else tree.evaluate(c, 0) for c in children}
        left = sorted(children, key=lambda c: -looks[c] if most else looks[c])[:width]
        return (max if most else min)(value(child, ply + 1) for child in left)

    assert book.beam(tree, depth=depth, player=0, width=width).value == value(0, 0)


def test_a_value_between_pruned_branches_is_no_bound() -> None:
    """MAX leaves out one action and MIN another: the value found may be too high or too low."""
    tree = Tree([[[3, 4], [5, 6]], [[1, 2], [7, 8]]], ("max", "min", "max"))
    root = book.trace(tree, algorithm="beam", width=1).tree[0]
    assert root.relation == "~"
    assert (root.at_least, root.at_most) == (-inf, inf)
    assert "A is worth perhaps" in explain(book.trace(tree, algorithm="beam", width=1))[-1]


def test_a_width_for_each_ply_or_by_a_rule() -> None:
    tree = Tree([[[1, 2, 3]] * 3] * 3)
    by_list = book.trace(tree, algorithm="beam", width=(3, 1, 2))
    by_rule = book.trace(tree, algorithm="beam", width=lambda ply, state: (3, 1, 2)[ply])
    assert by_list.events == by_rule.events
    assert len(by_list.tree[0].children) == 3
    for seed in range(5):
        sampled = book.trace(tree, algorithm="sampled", width=[2, 1], seed=seed)
        assert [len(sampled.tree[i].children) for i in range(3)] == [2, 1, 1]  # the last number goes on
        same = book.trace(tree, algorithm="sampled", width=lambda ply, state: 2 - (ply > 0), seed=seed)
        assert same.events == sampled.events
    asked: list[tuple[int, int]] = []
    book.sampled(tree, width=lambda ply, state: asked.append((ply, state)) or 1)
    assert asked[0] == (0, 0)
    assert [ply for ply, _ in asked] == [0, 1, 2]
    for width in (0, (2, 0), (), True, 1.5, lambda ply, state: 0):
        for search in (book.beam, book.sampled):
            with pytest.raises(BadParameter, match="width must be 1 action or more"):
                search(tree, width=width)


# -- Iterative deepening.


@given(trees(), st.integers(1, 4))
def test_every_iteration_is_alpha_beta_to_its_depth(tree: Tree, depth: int) -> None:
    trace = book.trace(tree, algorithm="iterative-deepening", player=0, depth=depth)
    iterations = trace.tree[0].children
    assert [node.entered.action for node in iterations] == [f"depth {i + 1}" for i in range(len(iterations))]
    for i, node in enumerate(iterations, start=1):
        assert node.value == book.alpha_beta(tree, player=0, depth=i).value
    # It goes on for as long as the depth bound matters.
    last = trace.last_iteration
    bounded = any(isinstance(e, Leaf) and e.why == "depth" for e in last.events)
    assert len(iterations) == depth if bounded else len(iterations) <= depth
    assert last.value == book.alpha_beta(tree, player=0, depth=depth).value
    assert last.tree[0].value == last.value
    assert trace.nodes == sum(isinstance(e, Enter | Leaf) for e in trace.events) - 1


@given(trees(), st.integers(2, 4))
def test_the_best_line_is_searched_first(tree: Tree, depth: int) -> None:
    before = book.trace(tree, algorithm="iterative-deepening", depth=depth - 1)
    after = book.trace(tree, algorithm="iterative-deepening", depth=depth)
    if len(after.tree[0].children) < depth:
        return
    node = after.tree[0].children[-1]
    for action in before.line:
        assert node.children[0].entered.action == action
        node = node.children[0]
    ordered = [
        e for e in after.events if isinstance(e, Order) and e.node >= after.tree[0].children[-1].entered.node
    ]
    assert len(ordered) <= len(before.line)  # and nothing else is in another order


def test_iterations_are_told_and_drawn() -> None:
    tree = Tree(
        {"children": [{"evaluate": e, "children": leaves} for e, leaves in ((3, [3, 12]), (9, [2, 4]))]}
    )
    trace = book.trace(tree, algorithm="iterative-deepening")
    assert str(trace).split("\n")[3:7] == [
        "ITERATIVE DEEPENING = 3",
        "  depth 1: MAX A = 9  window (-inf, +inf)",
        "    a1: 3 (depth)",
        "    a2: 9 (depth)",
    ]
    assert "    order a2 first, the best so far\n" in str(trace)
    sentences = explain(trace)
    assert sentences[0] == "A is searched to depth 1, then again a ply deeper, and so on."
    assert sentences[1].startswith("The search to depth 1 begins at A, where MAX moves.")
    assert "To depth 1, A is worth 9." in sentences
    assert "Action a2, the best at A so far, is searched first." in sentences
    assert sentences[-1] == "Depth 2 is the last: A is worth 3. The search is over: best is a1, then b1."
    picture = str(plies.draw.tree(trace))
    assert ">depth 1<" in picture
    assert ">depth 2<" in picture
    assert picture.count("node max chosen") == 1  # the root of the last iteration
    assert plies.draw.steps(trace).html
    assert book.Trace.from_json(trace.to_json()).last_iteration == trace.last_iteration


def test_iterations_end() -> None:
    assert book.iterative_deepening(Tree([4, 6]), 2).value == 6
    assert book.iterative_deepening(Tree([4, 6]), depth=0) == book.Decision(0)
    found = plies.search(plies.Nim(heaps=(1, 2)), algorithm="book:iterative-deepening", depth=4)
    assert found.value.proved
    assert not plies.search(
        plies.Nim(heaps=(1, 2)), algorithm="book:iterative-deepening", depth=1
    ).value.proved


def test_several_cuts_of_a_node_are_drawn() -> None:
    """Forward pruning first, a cut-off after it: each appears with its own step."""
    tree = Tree([[5, 6, 7], [1, 2, 3]])
    steps = plies.draw.steps(book.trace(tree, algorithm="beam", width=2))
    cuts = [step["cut"] for step in steps.data["steps"] if step["cut"]]
    assert cuts == ["forward", "forward", "alpha"]
    frames = [str(picture) for picture in steps.frames()]
    last = frames[-1]
    assert last.count('data-cut="forward"') > 0
    assert last.count('data-cut="alpha"') > 0
    assert "pruned forward" in last
