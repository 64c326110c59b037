"""Scores and values: whole numbers for the kernel, typed values for people, ordered alike."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.engine.score import HALF, PLY_BITS, SCORE_BITS, decoded, estimated, final, later, scale_of, sooner
from plies.engine.value import AT_LEAST, AT_MOST, EXACT, Value

SCALES = [1e-300, 1e-12, 1e-3, 0.1, 1, 3, 64, 1e6, 1e12, 1e300]


def reckoning(high: float, tempo: int = 1) -> SimpleNamespace:
    """What `final` and `estimated` read, for utilities from -high to high."""
    scale = scale_of(-high, high)
    best = round(high * scale) << PLY_BITS
    return SimpleNamespace(scale=scale, best=best, worst=-best, tempo=tempo)


# -- Scores.


@pytest.mark.parametrize("high", SCALES)
def test_the_scale_is_a_power_of_two_that_uses_the_bits_there_are(high):
    scale = scale_of(-high, high)
    assert math.frexp(scale)[0] == 0.5
    most = 1 << SCORE_BITS - 1
    assert most / 4 <= reckoning(high).best <= most / 2  # room for the plies


def test_bounds_that_are_not_about_zero_are_covered_and_none_at_all_do_no_harm():
    assert scale_of(0, 100) == scale_of(-100, 0) == scale_of(-100, 100)
    assert 0 < scale_of(0, 0) < math.inf


@given(st.integers(-(2**22), 2**22), st.integers(0, HALF - 1))
def test_whole_numbers_and_plies_come_back_exactly(value, ply):
    run = reckoning(2**22)
    plies = 0 if value == 0 else ply
    assert decoded(final(value, ply, run), run.scale, 1) == (value, plies)


@given(st.floats(-1, 1), st.sampled_from(SCALES), st.integers(0, HALF - 1))
def test_fractions_come_back_to_half_a_step(part, high, ply):
    run = reckoning(high)
    value, _ = decoded(final(part * high, ply, run), run.scale, 1)
    assert abs(value - part * high) <= 0.5 / run.scale


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


@given(st.floats(-3, 3), st.integers(0, HALF - 1), st.integers(0, HALF - 1))
def test_estimates_lie_strictly_between_the_ways_a_game_can_end(value, ply, other):
    run = reckoning(1)
    assert final(-1, other, run) < estimated(value, ply, run) < final(1, other, run)


@given(st.integers(-100, 100), st.integers(0, 1000), st.integers(0, 1000))
def test_sooner_undoes_later(value, ply, more):
    run = reckoning(100)
    score = final(value, ply, run)
    assert sooner(later(score, more), more) == score
    assert final(value, ply + more, run) == later(score, more)


@given(st.integers(-100, 100), st.integers(0, 1000))
def test_a_score_negates(value, ply):
    run = reckoning(100)
    assert final(-value, ply, run) == -final(value, ply, run)
    assert estimated(-value, ply, run) == -estimated(value, ply, run)


def test_without_tempo_all_wins_are_alike():
    run = reckoning(1, tempo=0)
    assert final(1, 1, run) == final(1, 9, run)
    assert decoded(final(1, 9, run), run.scale, 0) == (1, 0)


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
