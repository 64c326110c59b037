"""Dice are fair: a million throws fall as often as each game says, in searches and in training alike."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import plies
from plies.compiled import interpreting, kernel
from plies.compiled.workspace import Workspace, record_type
from plies.engine.kernels.uct import TREE, drawn, play_out
from plies.learn.td import LEARNING, fallen

THROWS = 10_000 if interpreting() else 1_000_000

PIG = plies.Pig(target=20)
BACKGAMMON = plies.Backgammon(network=False)
THROWN = BACKGAMMON.result(BACKGAMMON.initial(), 31)
PLAYED = BACKGAMMON.result(THROWN, next(iter(BACKGAMMON.actions(THROWN))))
DICE = {
    "a die": (PIG, PIG.parse_position("0/0 1+0?"), 6, 20.5),
    "two dice": (BACKGAMMON, PLAYED, 21, 45.3),
    "the first throw": (BACKGAMMON, BACKGAMMON.initial(), 30, 58.3),
}
"""Games and states where dice fall, how many outcomes there are, and the chi-square that one seed in a
thousand exceeds."""

dice = pytest.mark.parametrize("name", DICE)
MOST = 100
"""Above every outcome."""


@kernel
def throw(game, state, number, run, work):
    """Count how often each outcome falls in training."""
    for _ in range(number):
        work.counts[fallen(game, state, run)] += 1
    return 0


@kernel
def draw(game, state, number, run, work):
    """Count how often each outcome is drawn in a tree, where the outcomes stand behind the root."""
    for _ in range(number):
        work.counts[work.actions[drawn(0, run, work)]] += 1
    return 0


@kernel
def play_on(game, state, number, run, work):
    """Count the points of the turn after the random games of a tree, which here last one throw of Pig."""
    for _ in range(number):
        work.counts[play_out(game, state, 0, run, work).turn] += 1
    return 0


def record(kind, **facts):
    """A record for a kernel: plain Python's own where it is interpreted."""
    made = record_type(kind)()
    made.random = 2024
    for name, fact in facts.items():
        setattr(made, name, fact)
    if interpreting():
        return SimpleNamespace(**made.to_dict())
    return made


def run(counting, game, *args):
    """Run a kernel, as machine code unless nothing is compiled: interpreted, a million would take minutes."""
    (counting.interpreted if interpreting() else counting.compiled_for(game, *args))(game, *args)


def chi_square(game, state, counts):
    """How far counts are from what the game says; they are of its outcomes alone."""
    outcomes = dict(game.chance(state))
    assert sum(outcomes.values()) == pytest.approx(1)
    expected = np.array([outcomes.get(i, 0.0) for i in range(MOST)]) * THROWS
    assert counts.sum() == THROWS
    assert not counts[expected == 0].any()
    there = expected > 0
    return float(((counts[there] - expected[there]) ** 2 / expected[there]).sum())


def test_chi_square_finds_a_die_that_is_loaded():
    game, state, _, limit = DICE["a die"]
    counts = np.zeros(MOST, np.int64)
    counts[1:7] = THROWS // 6
    counts[6] += THROWS - counts.sum()
    assert chi_square(game, state, counts) < 1
    counts[1] -= THROWS // 60
    counts[6] += THROWS // 60
    assert chi_square(game, state, counts) > limit


@dice
def test_dice_of_training_are_fair(name):
    game, state, outcomes, limit = DICE[name]
    assert len(list(game.chance(state))) == outcomes
    work = Workspace(counts=np.zeros(MOST, np.int64))
    run(throw, game, state, THROWS, record(LEARNING), work)
    assert 0 < chi_square(game, state, work.counts) < limit


@dice
def test_dice_of_a_tree_are_fair(name):
    game, state, outcomes, limit = DICE[name]
    actions, chances = zip(*game.chance(state), strict=True)
    work = Workspace(
        counts=np.zeros(MOST, np.int64),
        actions=np.array([-1, *actions]),
        priors=np.array([0, *chances]),
        first=np.array([1]),
        siblings=np.array([1, outcomes]),
        visits=np.zeros(outcomes + 1, np.int64),
    )
    run(draw, game, state, THROWS, record(TREE), work)
    assert 0 < chi_square(game, state, work.counts) < limit


def test_dice_of_random_games_are_fair():
    # In Pig a throw of 2 to 6 is the points of the turn, and after a 1 there are none: it counts as 0.
    game, state, _, limit = DICE["a die"]
    numbers = np.zeros(10, np.int64)
    work = Workspace(
        counts=np.zeros(MOST, np.int64),
        choices=numbers,
        taken=numbers.copy(),
        taken_at=numbers.copy(),
        line=numbers.copy(),
        before=np.full(2, -1),
        payoffs=np.zeros(2),
    )
    run(play_on, game, state, THROWS, record(TREE, longest=1), work)
    work.counts[1], work.counts[0] = work.counts[0], 0
    assert 0 < chi_square(game, state, work.counts) < limit
