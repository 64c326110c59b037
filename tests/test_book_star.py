"""Star1 and Star2: the values of expectiminimax with fewer nodes, as the engine's kernel does it."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from engine_games import all_off
from plies import BadParameter, Unsuitable, book
from plies.book import Cut, Enter
from plies.draw.explain import explain
from plies.engine import Expectiminimax, Options
from plies.games.tree import Tree
from strategies import chance_trees

pytestmark = pytest.mark.plain

STARS = pytest.mark.parametrize("name", ["star1", "star2"])


def counted(name: str, game: plies.Game, **options: Any) -> tuple[Any, int]:
    """A decision, and the nodes it took."""
    counts = book.Counts()
    return book.ALGORITHMS[name](game, trace=counts, **options), counts.nodes


@STARS
@given(tree=chance_trees(), player=st.integers(0, 1), depth=st.none() | st.integers(0, 5))
def test_the_value_is_that_of_expectiminimax(name: str, tree: Tree, player: int, depth: int | None) -> None:
    expected, every = counted("expectiminimax", tree, player=player, depth=depth)
    found, nodes = counted(name, tree, player=player, depth=depth)
    assert found.value == pytest.approx(expected.value, abs=1e-12)
    if name == "star1":
        assert nodes <= every
    # The action is one of the best.
    if found.line:
        after = tree.result(0, found.action)
        left = None if depth is None else depth - 1
        worth = book.expectiminimax(tree, after, player=player, depth=left).value
        assert worth == pytest.approx(expected.value, abs=1e-12)


@STARS
@settings(max_examples=30)
@given(tree=chance_trees(max_depth=4), depth=st.none() | st.integers(0, 4))
def test_bounds_in_the_trace_hold(name: str, tree: Tree, depth: int | None) -> None:
    trace = book.trace(tree, algorithm=name, player=0, depth=depth)
    plies_of = {0: 0}
    for node in trace.tree:
        by = node.entered
        if by.parent is not None:
            plies_of[by.node] = plies_of[by.parent] + 1
        left = None if depth is None else depth - plies_of[by.node]
        exact = book.expectiminimax(tree, by.state, player=0, depth=left).value
        assert node.at_least - 1e-9 <= exact <= node.at_most + 1e-9
        same = exact == pytest.approx(node.value, abs=1e-9)
        true = {"=": same, "<=": same or exact < node.value, ">=": same or exact > node.value}
        assert true[node.relation]
    assert book.Trace.from_json(trace.to_json()) == trace
    for event, sentence in zip(trace.events, explain(trace), strict=True):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        if isinstance(event, Cut) and trace.tree[event.node].entered.kind == "chance":
            assert sentence.startswith("Outcome" if event.skipped else "Whatever")


def dice(seed: int, levels: str, branching: int = 3, whole: bool = True) -> Tree:
    """A uniform tree of MAX, MIN and chance, level by level: "xcncx" for five of them."""
    chance = random.Random(seed)
    kinds = {"x": "max", "n": "min", "c": "chance"}

    def node(level: int) -> Any:
        if level == len(levels):
            return chance.randint(-9, 9) if whole else chance.uniform(-9, 9)
        return {"player": kinds[levels[level]], "children": [node(level + 1) for _ in range(branching)]}

    tree = Tree(node(0), ("max", "min"))
    tree.bounds = (-10.0, 10.0)
    tree.compiled = False  # type: ignore[misc]
    return tree


def test_they_save_nodes() -> None:
    """Summed over ten trees: Star1 saves some, and Star2 half, though it searches some positions twice."""
    nodes = dict.fromkeys(("expectiminimax", "star1", "star2"), 0)
    for seed in range(10):
        tree = dice(seed, "xcn", 10)
        values = set()
        for name in nodes:
            found, count = counted(name, tree)
            nodes[name] += count
            values.add(round(found.value, 9))
        assert len(values) == 1
    assert nodes == {"expectiminimax": 11110, "star1": 10489, "star2": 4634}


def kernel(game: plies.Game, depth: int, **on: Any) -> tuple[float, int]:
    """The value and the nodes of the engine's kernel, interpreted, with these options and no other."""
    engine = Expectiminimax(game, options=Options(**all_off() | on))
    runner = engine.runner
    run, state = runner.run, game.initial()
    run.viewer, run.limit = game.to_move(state), 1 << 40
    run.least, run.most = game.bounds
    value = runner.call(state, state, -math.inf, math.inf, depth, 0)
    return float(value), int(run.nodes)


@pytest.mark.parametrize("levels", ["xcnx", "nxcxn", "xccnx", "xcxn"])
@pytest.mark.parametrize("seed", range(3))
def test_the_kernel_does_the_same_steps(levels: str, seed: int) -> None:
    """The same value after as many nodes: the book is the oracle of the engine's kernel.

    The kernel goes to the action that it probes at once, and does not count the position before it.
    """
    tree = dice(seed, levels, whole=False)  # no two are equal: the kernel allows for rounding
    found, nodes = counted("star1", tree, depth=9)
    assert kernel(tree, 9, star1=True) == (pytest.approx(found.value), nodes)
    trace = book.trace(tree, algorithm="star2", depth=9)
    value, visited = kernel(tree, 9, star1=True, star2=True)
    assert (value, visited) == (pytest.approx(found.value), trace.nodes - trace.cuts["probe"])


def test_a_coin_that_need_not_be_tossed() -> None:
    """MAX has 5. The second coin shows 0 on one side: with 9 at best on the other, that is 4.5."""
    tree = Tree([{"player": "chance", "children": [5, 5]}, {"player": "chance", "children": [0, 9]}])
    tree.bounds = (0.0, 9.0)
    trace = book.trace(tree, algorithm="star1", player=0)
    assert str(trace).endswith(
        "  a2: CHANCE C <= 4.5  window (5, +inf)\n"
        "    c1 (0.5): 0\n"
        "    cut c2 (value 4.5 <= alpha 5, whatever the other outcomes are worth)"
    )
    assert explain(trace)[-4:] == [
        "Outcome c1 has probability 0.5: 0.5 × 0 to begin with, and C stands at 0 so far. "
        "In the end it will be from 0 to 4.5.",
        "Outcome c2 is cut: whatever it holds, C is worth at most 4.5, and alpha is 5.",
        "C is worth at most 4.5, and that is enough to know. MAX has 5 at A already: nothing changes.",
        "All branches of A are searched: A is worth 5. The search is over: best is a1.",
    ]


def test_a_probe_is_enough() -> None:
    """MAX has 5, and MIN an action after each outcome that keeps MAX below."""
    tree = Tree(
        [
            {"player": "chance", "children": [5, 5]},
            {"player": "chance", "children": [{"player": "min", "children": [9, n]} for n in (2, 4)]},
        ]
    )
    trace = book.trace(tree, algorithm="star2", player=0)
    probes = [node for node in trace.tree if any(cut.kind == "probe" for cut in node.cuts)]
    assert [(node.value, node.relation) for node in probes] == [(2, "<="), (4, "<=")]
    assert trace.cuts == {"probe": 2}
    assert "    enough (value 3 <= alpha 5, whatever" in str(trace)
    assert (trace.tree[0].children[1].value, trace.tree[0].children[1].relation) == (3, "<=")
    sentences = explain(trace)
    assert any("Only one action is searched for now, to probe" in sentence for sentence in sentences)
    assert "Outcome c1 is worth at most 2. In the end it will be from −9 to 5.5." in sentences
    assert "Whatever is left to be found out, C is worth at most 3, and alpha is 5." in sentences
    assert str(plies.draw.tree(trace)).count("not probed") == 2


def test_bounds_are_needed_and_kept() -> None:
    tree = Tree([{"player": "chance", "children": [5, 9]}, 3])
    tree.bounds = (0.0, 6.0)
    for search in (book.star1, book.star2):
        with pytest.raises(
            BadParameter, match="a utility is 9; to prune at chance nodes it must be within the"
        ):
            search(tree, player=0)
        with pytest.raises(BadParameter, match=r"EVAL is 7; .* the bounds of Tree, 0 to 6"):
            search(tree, player=0, depth=1, evaluate=lambda state, player: 7)
        with pytest.raises(Unsuitable, match=r"Star. is for 2 players"):
            search(Tree([[(1, 2, 3)]], (0, 1, 2)))


def test_an_outcome_that_cannot_happen_is_no_matter() -> None:
    tree = Tree({"player": "chance", "probabilities": [0.0, 1.0], "children": [5, 3]})
    assert book.star1(tree).value == book.star2(tree).value == book.expectiminimax(tree).value == 3


@STARS
def test_pig_and_its_engine(name: str) -> None:
    """Dice in a real game, of one player or two."""
    game = plies.Pig()
    for depth in (2, 4):
        expected, every = counted("expectiminimax", game, depth=depth)
        found, nodes = counted(name, game, depth=depth)
        assert found.value == pytest.approx(expected.value)
        assert found.action == expected.action
        assert isinstance(nodes, int)
        assert name == "star2" or nodes <= every


def test_steps_of_a_chance_node_are_between_bounds() -> None:
    tree = dice(1, "xcn", 2)
    steps = plies.draw.steps(book.trace(tree, algorithm="star1", player=0))
    shown = [step["value"] for step in steps.data["steps"]]
    assert any(" to " in value for value in shown)
    assert any(isinstance(node.entered, Enter) for node in steps.drawing.trace.tree)
