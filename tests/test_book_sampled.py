"""Minimax over a random part of the tree: exact for that part, and nearer to the whole the wider it is."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import BadParameter, Unsuitable, book
from plies.book import Leaf
from plies.games.tree import Tree
from strategies import trees
from test_cli import program

pytestmark = pytest.mark.plain

WIDTHS = st.integers(1, 3)
SEEDS = st.integers(0, 1000)


@given(trees(), st.none() | st.integers(0, 4), SEEDS)
def test_wide_enough_it_is_minimax(tree, depth, seed):
    wide = book.sampled(tree, depth=depth, width=4, seed=seed)  # no tree here has more than 4 actions
    assert wide == book.minimax(tree, depth=depth)


@given(trees(), st.none() | st.integers(0, 4), WIDTHS, SEEDS)
def test_the_value_is_that_of_the_part_it_looked_at(tree, depth, width, seed):
    def backed_up(node):
        if isinstance(node.entered, Leaf):
            return node.entered.value
        best = max if node.entered.kind == "max" else min
        return best(backed_up(child) for child in node.children)

    found = book.trace(tree, algorithm="sampled", depth=depth, width=width, seed=seed)
    assert found.value == backed_up(found.tree[0])
    for node in found.tree:
        assert node.relation == "="
        if isinstance(node.entered, Leaf):
            continue
        state = node.entered.state
        looked_at = [child.entered.action for child in node.children]
        left_out = list(node.cut.skipped) if node.cut else []
        every = [tree.notation(state, action) for action in tree.actions(state)]
        assert sorted(looked_at + left_out) == sorted(every)
        assert len(looked_at) == min(width, len(every))
        assert looked_at == [action for action in every if action in looked_at]  # in the game's order


@given(trees(), WIDTHS, SEEDS)
def test_a_seed_draws_the_same_part(tree, width, seed):
    first, second = (book.trace(tree, algorithm="sampled", width=width, seed=seed) for _ in range(2))
    assert first == second


def test_every_action_is_as_likely():
    tree = Tree([1, 2, 3, 4, 5])
    times = 2000
    counts = dict.fromkeys(range(5), 0)
    for seed in range(times):
        counts[book.sampled(tree, width=1, seed=seed).action] += 1
    expected = times / 5
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 18.5  # 1 in 1000 is worse
    best_of_two = [book.sampled(tree, width=2, seed=seed).value for seed in range(times)]
    assert best_of_two.count(5) / times == pytest.approx(2 / 5, abs=0.05)
    assert min(best_of_two) == 2  # the better of two different ones
    assert len({book.sampled(tree, width=1, seed=None).value for _ in range(100)}) > 1


@pytest.mark.no_cover
def test_the_wider_the_smaller_the_error():
    """On 300 random trees of four actions and three plies; the last width sees all."""
    chance = random.Random(3)
    errors = dict.fromkeys(range(1, 5), 0.0)
    number = 300
    for seed in range(number):
        tree = Tree([[[chance.random() for _ in range(4)] for _ in range(4)] for _ in range(4)])
        right = book.minimax(tree).value
        for width in errors:
            errors[width] += abs(book.sampled(tree, width=width, seed=seed).value - right) / number
    # 0.33, 0.16 and 0.08: each action more halves it, and the last one brings it to nothing.
    assert errors[1] > 1.7 * errors[2] > 1.7**2 * errors[3] > 0.1
    assert errors[4] == 0


def test_it_is_quick_where_minimax_is_not():
    counts = book.Counts()
    book.sampled(plies.TicTacToe(), width=2, depth=6, trace=counts)
    assert counts.nodes <= 2**7 - 1
    assert counts.cuts["lot"] > 0


def test_it_refuses():
    with pytest.raises(Unsuitable, match="random part of the tree"):
        book.sampled(plies.Pig())
    for width in (0, -1, 1.5, True):
        with pytest.raises(BadParameter, match="1 action or more"):
            book.sampled(Tree(), width=width)


def test_the_program_shows_it():
    words = ("trace", "tree", "--algorithm", "sampled", "--option", "width=1", "--option", "seed=4")
    done = program(*words)
    assert done.code == 0
    assert done.out.startswith("sampled (width 1, seed 4) on tree: value ")
    assert "3 nodes, 1 leaves, cut-offs: 2 lot\n" in done.out
    assert done.out.count("(not sampled)") == 2
    assert done.out == program(*words).out
    refused = program("trace", "tree", "--option", "width=2")
    assert (refused.code, refused.out) == (2, "")
    assert "alpha-beta has no option 'width'" in refused.error
