"""Pathology: the experiments count what the book decides, and find what Nau found."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import plies
from plies import BadParameter, PliesError, Unsuitable, book, pathology
from plies.games.tree import Tree
from plies.pathology import ErrorsByDepth, Share
from plies.pathology.random_trees import KINDS, _minimax, critical_probability

pytestmark = pytest.mark.plain


# -- Random trees.


def nested(leaves: list[Any], branching: int) -> Any:
    while len(leaves) > 1:
        leaves = [leaves[i : i + branching] for i in range(0, len(leaves), branching)]
    return leaves[0]


@pytest.mark.parametrize(("branching", "height"), [(2, 1), (2, 5), (3, 3), (2, 6)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_book_says_the_same_of_each_tree(kind: str, branching: int, height: int) -> None:
    leaves = KINDS[kind](np.random.default_rng(1), 20, branching, height)
    values = _minimax(leaves, branching, height)
    for tree, branches in zip(leaves, values, strict=True):
        game = Tree(nested(tree.astype(int).tolist(), branching))
        for action in range(branching):
            assert book.minimax(game, game.result(0, action), player=0).value == branches[action]


def test_independent_trees_are_pathological_and_incremental_ones_are_not() -> None:
    """Nau 1982: deeper, the error grows where leaves are independent, and shrinks where they are not."""
    independent, incremental = (pathology.random_trees(kind, height=10, decisions=1500) for kind in KINDS)
    assert independent.pathological
    assert 8 in independent.worse
    assert not incremental.pathological
    rates = [share.rate for share in incremental.errors.values()]
    assert rates[0] > 0.04
    assert rates[0] > rates[3] > rates[7]
    for result in (independent, incremental):
        assert [result.errors[depth].times for depth in (9, 10)] == [0, 0]
        assert all(share.of == 1500 for share in result.errors.values())


def test_the_critical_probability_stays_what_it_is() -> None:
    assert critical_probability(2, 10) == pytest.approx((math.sqrt(5) - 1) / 2)
    for branching in (2, 3, 5):
        for height in (2, 3):
            p = critical_probability(branching, height)
            won = p
            for mover in ("min", "max") if height == 2 else ("max", "min"):
                won = won**branching if mover == "min" else 1 - (1 - won) ** branching
            assert won == pytest.approx(p)


def test_a_seed_repeats_the_experiment() -> None:
    results = [pathology.random_trees(height=6, decisions=50, seed=seed) for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"kind": "dependent"}, "kind must be 'independent' or 'incremental', not 'dependent'"),
        ({"branching": 1}, "branching must be a whole number from 2"),
        ({"height": 0}, "height must be a whole number from 1"),
        ({"height": 2.5}, "height must be a whole number from 1"),
        ({"height": 10**9}, "a tree may have 1,048,576 leaves"),
        ({"branching": 10, "height": 9}, "a tree may have 1,048,576 leaves"),
        ({"decisions": 0}, "decisions must be a whole number from 1"),
    ],
)
def test_bad_trees_get_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        pathology.random_trees(**options)


# -- A real game.


def test_without_errors_nothing_is_wrong() -> None:
    result = pathology.noisy_evaluation(plies.TicTacToe(), sigma=0, depths=(1, 2), decisions=30)
    assert [share.times for share in result.errors.values()] == [0, 0]


@pytest.mark.long
def test_looking_deeper_makes_nim_worse_and_tic_tac_toe_not() -> None:
    """In Nim a move turns the value over, whatever it was: neighbours are as good as independent."""
    nim = pathology.noisy_evaluation(plies.Nim((4, 5, 6)), sigma=0.7, depths=(1, 2, 3), decisions=300)
    assert 3 in nim.worse
    assert nim.errors[1].rate < nim.errors[2].rate < nim.errors[3].rate
    other = pathology.noisy_evaluation(plies.TicTacToe(), sigma=0.7, depths=(1, 3, 5), decisions=150)
    assert not other.pathological


def test_wrong_decisions_are_counted() -> None:
    """With errors far above the values, a search of one ply draws lots.

    Of the three moves at (1, 2) two are wrong, of the two at (0, 2), one is; elsewhere none is.
    """
    result = pathology.noisy_evaluation(plies.Nim((1, 2)), sigma=1e9, depths=(1,), decisions=2000, seed=3)
    assert 1 / 2 < result.errors[1].rate < 2 / 3


@pytest.mark.parametrize(
    ("game", "options", "error", "sentence"),
    [
        (plies.Pig(), {"sigma": 1}, Unsuitable, "games without chance"),
        (plies.Chess(), {"sigma": 1}, Unsuitable, "games without cycles"),
        (plies.ConnectFour(), {"sigma": 1, "limit": 500}, PliesError, "more than 500 states"),
        (plies.TicTacToe(), {"sigma": -1}, BadParameter, "sigma must be 0 or more"),
        (plies.TicTacToe(), {"sigma": math.nan}, BadParameter, "sigma must be 0 or more"),
        (plies.TicTacToe(), {"sigma": 1, "depths": ()}, BadParameter, "depths must be whole numbers"),
        (plies.TicTacToe(), {"sigma": 1, "depths": (0,)}, BadParameter, "depths must be whole numbers"),
        (plies.TicTacToe(), {"sigma": 1, "decisions": 0}, BadParameter, "decisions must be 1 or more"),
        (Tree([[1, 1], [1, 1]]), {"sigma": 1, "decisions": 2}, PliesError, "hardly any decision matters"),
    ],
)
def test_bad_experiments_get_a_sentence(
    game: Any, options: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        pathology.noisy_evaluation(game, **options)


# -- Leaves with errors.

LAST_SLIDE = [[99, 1000, 1000, 1000], [100, 101, 102, 100]]


def test_two_leaves_are_as_probability_says() -> None:
    """The difference of two normal errors is normal: P(a + e > b + f) = Phi((a - b) / (sigma * sqrt 2))."""
    result = pathology.noisy_leaves(Tree([[1], [0]]), sigmas=(0.5, 1, 2), samples=200_000)
    for sigma, (first, second) in result.best.items():
        truth = 0.5 * (1 + math.erf(1 / (sigma * 2)))
        low, high = first.interval
        assert low - 0.002 < truth < high + 0.002
        assert first.times + second.times == 200_000


def test_chance_and_both_players() -> None:
    """A sure 0, or a coin for +1 and -1: the mean of two errors has a variance of a half."""
    tree = Tree([[0], {"player": "chance", "children": [1, -1]}], ("max", "min"))
    first, _ = pathology.noisy_leaves(tree, sigmas=(3,), samples=100_000).best[3]
    assert first.rate == pytest.approx(0.5, abs=0.01)
    turned = Tree([[0, 5], [1, 9]], ("min", "max"))  # MIN decides: the smaller maximum is the first
    assert pathology.noisy_leaves(turned, sigmas=(0,), samples=1).chosen == "a1"


def test_the_last_slide() -> None:
    """A branch with one weak leaf looks worse to minimax than one with four, and mostly is better."""
    result = pathology.noisy_leaves(Tree(LAST_SLIDE), sigmas=(0.1, 1, 10, 100, 1e6))
    assert result.chosen == "a2"
    rates = [shares[0].rate for shares in result.best.values()]
    assert rates[0] == 0
    assert 0.35 < rates[1] < 0.42
    assert rates[2] > 0.7
    assert rates[3] > 0.75
    assert rates[4] == pytest.approx(0.5, abs=0.01)
    assert str(result).splitlines()[0] == "minimax takes a2; truly the best is"
    assert result.to_dict()["best"][0] == {"sigma": 0.1, "counts": [0, 100_000], "of": 100_000}


@pytest.mark.parametrize(
    ("tree", "options"),
    [
        (Tree(5, ("max", "min")), {}),
        (Tree({"player": "chance", "children": [1, 2]}, ("max", "min")), {}),
        (Tree(LAST_SLIDE), {"sigmas": ()}),
        (Tree(LAST_SLIDE), {"sigmas": (math.inf,)}),
        (Tree(LAST_SLIDE), {"samples": 0}),
    ],
)
def test_bad_leaves_get_a_sentence(tree: Tree, options: dict[str, Any]) -> None:
    with pytest.raises(BadParameter):
        pathology.noisy_leaves(tree, **options)


# -- What is measured.


def test_worse_means_that_the_intervals_are_apart() -> None:
    shares = {1: Share(20, 100), 2: Share(25, 100), 3: Share(60, 100), 4: Share(10, 100), 5: Share(30, 100)}
    result = ErrorsByDepth("made up", shares)
    assert result.worse == [3, 5]
    assert str(result).splitlines()[3] == "    1   20.0%  13.3% to 28.9%"
    assert result.to_dict()["errors"][2]["wrong"] == 60
