"""Scores and values: whole numbers for the kernel, typed values for people, ordered alike."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.engine import score
from plies.engine.faults import EVALUATION, UTILITIES, UTILITY
from plies.engine.score import (
    HALF,
    MOST_STEPS,
    PLY_BITS,
    decoded,
    estimated,
    from_table,
    scale_of,
    steps_of,
    to_table,
)
from plies.engine.value import AT_LEAST, AT_MOST, EXACT, Value

SCALES = [1e-300, 1e-12, 1e-3, 0.1, 1, 3, 64, 1e6, 1e12, 1e300]


def reckoning(high: float, prefer_quick: int = 1, total: float = 0, slots: int = 64) -> SimpleNamespace:
    """What `final` and `estimated` read, for utilities that a game of these bounds can have."""
    game = plies.Game()
    game.bounds, game.total = (total - high, high), total
    run = SimpleNamespace(prefer_quick=prefer_quick, fault=0, stop=0)
    score.set_scale(run, game)
    run.work = SimpleNamespace(
        step_met=np.zeros(slots, np.int8),
        step_of=np.zeros(slots, np.int64),
        least=np.zeros(slots),
        most=np.zeros(slots),
    )
    return run


def final(utility: float, ply: int, run: Any, viewer: int = 0) -> int:
    return score.final(utility, viewer, ply, run, run.work)


# -- Scores.


@pytest.mark.parametrize("high", SCALES)
def test_the_scale_is_a_power_of_two_that_uses_the_bits_there_are(high):
    assert math.frexp(scale_of(high))[0] == 0.5
    most = MOST_STEPS << PLY_BITS
    assert most / 2 < reckoning(high).best <= most


def test_no_room_between_the_bounds_does_no_harm():
    assert 0 < scale_of(0) < math.inf
    assert reckoning(0).best > 0


@given(st.integers(-(2**22), 2**22), st.integers(0, HALF - 1))
def test_whole_numbers_and_plies_come_back_exactly(value, ply):
    run = reckoning(2**22)
    plies = 0 if value == 0 else ply
    assert decoded(final(value, ply, run), run) == (value, plies)
    assert not run.stop


@given(st.floats(-1, 1), st.sampled_from(SCALES))
def test_a_utility_between_two_steps_asks_for_a_coarse_search(part, high):
    run = reckoning(high)
    value = part * high
    steps = steps_of(final(value, 0, run))
    assert run.coarse == (0 if steps * run.unit == value else -1)
    assert run.stop == -run.coarse


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.sampled_from(SCALES))
def test_a_coarse_search_keeps_the_order_and_notes_what_shares_a_step(parts, high):
    run = reckoning(high)
    score.set_coarse(run)
    values = sorted(part * high for part in parts)
    steps = [steps_of(final(value, 0, run)) for value in values]
    assert steps == sorted(steps)
    assert not run.fault
    for step in set(steps):
        sharing = [value for value, other in zip(values, steps, strict=True) if other == step]
        if abs(step) == run.best >> PLY_BITS:
            assert set(map(abs, sharing)) == {high}  # the outermost steps are for the bounds alone
        else:
            assert score.noted(step, run.work) == (min(sharing), max(sharing))


def test_a_zoom_tells_the_utilities_of_a_step_apart():
    run = reckoning(1e300)
    score.set_coarse(run)
    for value in (1.0, 5.0, 7.0):
        assert steps_of(final(value, 0, run)) == 0
    least, most = score.noted(0, run.work) or (0, 0)
    score.zoom(run, least, most)
    run.work.step_met[:] = 0
    steps = [steps_of(final(value, 3, run)) for value in (-1e300, -9, 0.9, 1.0, 5.0, 7.0, 8, 1e299, 1e300)]
    assert steps == sorted(steps)
    assert steps[1] == steps[2] < steps[3] < steps[4] < steps[5] < steps[6] == steps[7] < steps[8]
    assert score.noted(steps[4], run.work) == (5.0, 5.0)


@pytest.mark.parametrize("high", SCALES)
@pytest.mark.parametrize("total", [0, 1])
@pytest.mark.parametrize("coarse", [False, True])
def test_final_is_what_is_worth_the_most_or_the_least_there_is_and_nothing_else(high, total, coarse):
    """However close another utility comes, and however many plies it takes; no estimate is final."""
    if total > high:
        return  # no bounds at all
    for ply in (0, 1, 100, HALF - 1):
        run = reckoning(high, total=total)
        if coarse:
            score.set_coarse(run)
        for viewer in (0, 1):
            for bound in (run.low, run.high):
                found = final(bound, ply, run, viewer)
                assert score.is_final(found, run) or (run.coarse == -1 and not coarse)  # to be begun anew
            for inside in (run.low, run.even, run.high):
                assert not score.is_final(estimated(inside, 0.0, viewer, ply, run), run)
            for inside in (np.nextafter(run.low, run.high), np.nextafter(run.high, run.low)):
                if coarse and run.low < inside < run.high:
                    assert not score.is_final(final(inside, ply, run, viewer), run)
        assert not run.fault


def test_more_steps_than_there_is_room_for_are_a_fault():
    run = reckoning(1, slots=4)
    score.set_coarse(run)
    for value in (0.1, 0.2, 0.3, 0.4):
        final(value, 0, run)
    assert not run.fault
    final(0.5, 0, run)
    assert (run.fault, run.stop) == (UTILITIES, 1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1.0000001, -2])
def test_what_is_not_within_the_bounds_is_a_fault(value):
    run = reckoning(1)
    final(value, 0, run)
    assert (run.fault, run.stop) == (UTILITY, 1)
    run = reckoning(1)
    estimated(value, 0.0, 0, 0, run)
    assert (run.fault, run.stop) == (EVALUATION, 1)


@given(st.integers(-4, 4), st.integers(-4, 4), st.integers(0, HALF - 1), st.integers(0, HALF - 1))
def test_scores_order_values_first_and_plies_second(a, b, soon, late):
    run = reckoning(4)
    first, second = final(a, soon, run), final(b, late, run)
    if a != b:
        assert (first < second) == (a < b)
    else:
        assert (first > second) == (a * soon < a * late)  # the quicker win, the slower loss; draws are alike


def test_from_the_quick_win_to_the_quick_loss():
    run = reckoning(1)
    outcomes = [(1, 1), (1, 2), (1, HALF - 1), (0, 5), (-1, HALF - 1), (-1, 2), (-1, 1)]
    scores = [final(value, ply, run) for value, ply in outcomes]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@given(st.floats(-1, 1), st.integers(0, 1), st.integers(0, HALF - 1), st.integers(0, HALF - 1))
def test_estimates_lie_strictly_between_the_ways_a_game_can_end(value, player, ply, other):
    run = reckoning(1)
    assert final(-1, other, run) < estimated(value, 0.0, player, ply, run) < final(1, other, run)


@given(st.integers(-100, 100), st.integers(0, 1000), st.integers(0, 1000))
def test_sooner_undoes_later(value, ply, more):
    run = reckoning(100)
    found = final(value, ply, run)
    assert to_table(from_table(found, more), more) == found
    assert final(value, ply + more, run) == from_table(found, more)


@given(st.integers(-100, 100), st.integers(0, 1000))
def test_to_the_other_player_a_score_has_the_other_sign(value, ply):
    run = reckoning(100)
    assert final(-value, ply, run) == -final(value, ply, run) == final(value, ply, run, viewer=1)
    assert (
        estimated(-value, 0.0, 0, ply, run)
        == -estimated(value, 0.0, 0, ply, run)
        == estimated(-value, 0.0, 1, ply, run)
    )


@given(st.integers(0, 8), st.integers(0, 1000))
def test_with_a_constant_sum_a_draw_scores_nothing(eighths, ply):
    run = reckoning(1, total=1)
    lead, plies = decoded(final(eighths / 8, ply, run), run)
    assert lead == eighths / 8 - 0.5
    assert plies == (ply if lead else 0)
    assert final(0.5, ply, run) == 0
    assert (final(1, 0, run), final(0, 0, run)) == (run.best, run.worst)


def test_bounds_and_a_total_that_contradict_each_other_are_refused():
    game = plies.Game()
    game.bounds, game.total = (0.6, 1), 1
    with pytest.raises(plies.BadParameter, match="do not allow utilities that sum to 1"):
        score.set_scale(SimpleNamespace(), game)


@pytest.mark.parametrize("bounds", [(-math.inf, math.inf), (math.nan, 1), (1, -1), (1,), ("a", "b"), None])
def test_bounds_that_are_none_are_refused(bounds):
    game = plies.Game()
    game.bounds = bounds
    with pytest.raises(plies.BadParameter, match="give two finite numbers"):
        score.set_scale(SimpleNamespace(), game)


def test_without_tempo_all_wins_are_alike():
    run = reckoning(1, prefer_quick=0)
    assert final(1, 1, run) == final(1, 9, run)
    assert decoded(final(1, 9, run), run) == (1, 0)


# -- Values.


def values() -> st.SearchStrategy[Value]:
    worth = st.integers(-3, 3).map(float)
    proved = st.builds(Value, worth, st.just(True), st.integers(1, 9))
    return proved | st.builds(Value, worth)


def test_values_are_ordered_as_a_player_prefers_them():
    best_first = [
        Value(2.0, True, 30),
        Value(1.0, True, 1),
        Value(1.0, True, 5),
        Value(0.9),
        Value(0.0, True, 4),
        Value(-0.9),
        Value(-1.0, True, 5),
        Value(-1.0, True, 1),
    ]
    assert sorted(best_first, reverse=True) == best_first
    assert all(a > b for a, b in pairwise(best_first))


@given(values(), values(), values())
def test_the_order_is_one(a, b, c):
    assert (a < b) + (a > b) <= 1
    assert (a <= b) or (b <= a)
    assert (a <= b) == (not a > b)
    if a <= b and b <= c:
        assert a <= c


@given(values(), values())
def test_negation_turns_the_order_round_and_undoes_itself(a, b):
    turned = -a
    assert -turned == a
    assert (a < b) == (-b < -a)
    assert float(-a) == -float(a)


def test_negation_turns_bounds_round():
    assert (-Value(1.0, bound=AT_LEAST)).bound == AT_MOST
    assert (-Value(1.0, bound=AT_MOST)).bound == AT_LEAST
    assert (-Value(1.0, True, 7)) == Value(-1.0, True, 7, EXACT)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Value(1.0, True, 5), "win in 5"),
        (Value(-1.0, True, 2), "loss in 2"),
        (Value(0.0, True, 0), "draw"),
        (-Value(0.0, True, 0), "draw"),
        (Value(12.0, True, 9), "win by 12 in 9"),
        (Value(-0.5, True, 1), "loss by 0.5 in 1"),
        (Value(0.25), "+0.25"),
        (Value(-3.0), "-3"),
        (Value(0.0), "+0"),
        (-Value(0.0), "+0"),
        (Value(0.5, bound=AT_LEAST), ">= +0.5"),
        (Value(-1.0, True, 4, AT_MOST), "<= loss in 4"),
    ],
)
def test_values_print_well(value, words):
    assert str(value) == words


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300), st.sampled_from([1e-3, 1.0, 64.0]))
def test_the_better_value_has_no_less_chance_to_win(a, b, scale):
    low, high = sorted([a, b])
    assert 0 <= Value(low).winning_chance(scale) <= Value(high).winning_chance(scale) <= 1
    assert math.isclose(Value(a).winning_chance(scale) + Value(-a).winning_chance(scale), 1)


def test_what_is_proved_is_certain():
    assert Value(1.0, True, 40).winning_chance() == 1
    assert Value(0.0, True).winning_chance() == Value(0.0).winning_chance() == 0.5
    assert Value(-1.0, True, 40).winning_chance() == 0
    assert 0.5 < Value(0.9).winning_chance() < 1
