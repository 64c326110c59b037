"""Scores: what a kernel reckons with, whole numbers that order values first and the plies to them second.

A utility u of player 0 becomes rint((u - centre) * scale) steps, and a score of 2^PLY_BITS times that; a
good one loses a unit for each ply it takes to get there, a bad one gains a unit. So of two equal wins the
quicker is preferred, and of two equal losses the slower. To player 1 a position is worth the same with the
other sign.

Steps keep the order of utilities, so a search over steps finds the step of the true value. Where every
utility met lies on a step exactly, that is the value. Where one does not, the search begins anew in a
*coarse* mode that notes which utilities share a step; the value is known if its step has but one, and else
the search *zooms*: it begins anew with the utilities of that step spread out over all steps there are.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plies import bits
from plies.engine.faults import EVALUATION, UTILITIES, UTILITY
from plies.engine.root import checked_total
from plies.errors import BadParameter
from plies.game import Game
from plies.rules import noinline
from plies.validation import checked_bounds

PLY_BITS = 13
STEP = 1 << PLY_BITS
"""The scores of values that are told apart differ by this, plies apart."""

HALF = STEP >> 1
"""Plies from the root stay below this, so that rounding tells value and plies apart."""

SCORE_BITS = 38
"""What a score takes in a table entry, sign included."""

MOST_STEPS = 1 << (SCORE_BITS - 2 - PLY_BITS)
"""As many steps there are at most to either side."""

UNKNOWN = -(1 << 60)
"""Stands for no score: below all there are."""

UTILITY_SLOTS = 1 << 16
"""How many steps a coarse search notes the utilities of, about."""


# -- In kernels. What they read of `run` is described in pvs.py.


def final(utility: float, viewer: int, ply: int, run: Any, work: Any) -> int:
    """The score of a terminal state to a viewer, `ply` plies from the root, by its utility to player 0."""
    if not (run.low <= utility and utility <= run.high):  # false for nan too
        run.fault = UTILITY
        run.stop = 1
        return 0
    step = np.rint((utility - run.centre) * run.scale)
    if run.coarse or step * run.unit + run.centre != utility:
        step = measured(utility, step, run, work)
    score = from_table(int(step) << PLY_BITS, ply * run.prefer_quick)
    return score if viewer == 0 else -score


@noinline
def measured(utility: float, step: float, run: Any, work: Any) -> float:
    """The step of a utility in a coarse search, which notes what it meets there.

    The outermost steps are for the bounds alone, so that what stands there is sure to be best or worst. After
    a zoom, the next ones are for all utilities beyond what was zoomed into.
    """
    if run.coarse == 0:
        run.coarse = -1
        run.stop = 1
        return 0.0
    most = float(run.best >> PLY_BITS)
    if utility >= run.high:
        return most
    if utility <= run.low:
        return -most
    if utility < run.near_low:
        step = 1 - most
    elif utility > run.near_high:
        step = most - 1
    elif run.boost != 1:
        step = np.rint((utility - run.centre) * run.boost * run.scale)
    size = len(work.step_of)
    slot = bits.mix(int(step)) & (size - 1)
    for _ in range(size):
        if work.step_met[slot] == 0:
            work.step_met[slot] = 1
            work.step_of[slot] = int(step)
            work.least[slot] = work.most[slot] = utility
        if work.step_of[slot] == int(step):
            work.least[slot] = min(work.least[slot], utility)
            work.most[slot] = max(work.most[slot], utility)
            return step
        slot = (slot + 1) & (size - 1)
    run.fault = UTILITIES
    run.stop = 1
    return step


def estimated(value: float, bias: float, player: int, ply: int, run: Any) -> int:
    """The score of an evaluation to a player, kept between the best and the worst that a game can end in.

    The bias is added to it.
    """
    if not (run.least <= value and value <= run.most):
        run.fault = EVALUATION
        run.stop = 1
        return 0
    steps = (value + bias - run.even) * run.scale
    steps += -run.shift if player == 0 else run.shift
    score = int(np.rint(min(max(steps, -run.inner), run.inner))) << PLY_BITS
    return from_table(score, ply * run.prefer_quick)


def from_table(score: int, plies: int) -> int:
    """A score that takes so many plies more."""
    if score > 0:
        return score - plies
    if score < 0:
        return score + plies
    return score


def to_table(score: int, plies: int) -> int:
    """A score that takes so many plies fewer: as a position further down sees it, or a table keeps it."""
    if score > 0:
        return score + plies
    if score < 0:
        return score - plies
    return score


def is_final(score: int, run: Any) -> bool:
    """Whether a score is that of the best or the worst way for a game to end, which no estimate has."""
    return bool(abs(score) > run.best - HALF)


# -- Around kernels.


def scale_of(reach: float) -> float:
    """The greatest power of two that keeps the steps of values from -reach to reach within MOST_STEPS."""
    power = max(-1000.0, np.ceil(np.log2(reach or 1.0)))  # beyond, the scale would be infinite
    return float(MOST_STEPS * 2.0**-power)


def set_scale(run: Any, game: Game) -> None:
    """Write to a record how the utilities of a game become scores."""
    run.least, run.most = checked_bounds(game)
    total = checked_total(game)
    run.low, run.high = _nearer(run.least, total - run.most, max), _nearer(run.most, total - run.least, min)
    if run.low > run.high:
        raise BadParameter(
            f"the bounds {game.bounds} of {type(game).__name__} do not allow utilities that sum to {total:g}"
        )
    run.even = run.centre = total / 2
    reach = run.high - run.even
    run.scale = scale_of(reach)
    run.unit = 1 / run.scale
    run.shift = 0.0
    run.boost = 1.0
    run.coarse = 0
    # Between best and worst there is a step for estimates, even if every game ends in a draw.
    steps = max(1, math.ceil(reach * run.scale))
    run.inner = steps - 1.0
    _set_best(run, steps)


def set_coarse(run: Any) -> None:
    """Have a search note which utilities share a step."""
    run.coarse = 1
    run.near_low, run.near_high = run.low, run.high
    # Utilities just inside the bounds are rounded to the next step at most, which is not the outermost.
    _set_best(run, min(MOST_STEPS, math.ceil((run.high - run.even) * run.scale)) + 1)


def zoom(run: Any, least: float, most: float) -> None:
    """Spread the utilities from least to most out over all steps; those beyond share the outermost.

    Plies no longer count: whether a value is good or bad is not to be seen from its sign.
    """
    run.near_low, run.near_high = least, most
    run.centre = least / 2 + most / 2
    reach = max(most - run.centre, run.centre - least)
    run.boost = 2.0**100 if reach < 2.0**-900 else 1.0  # a scale beyond would be infinite
    run.scale = scale_of(reach * run.boost)
    run.unit = 1 / run.scale
    run.shift = (run.centre - run.even) * run.scale
    run.prefer_quick = 0
    run.inner = MOST_STEPS + 1.0
    _set_best(run, MOST_STEPS + 2)


def _set_best(run: Any, steps: int) -> None:
    run.best = steps << PLY_BITS
    run.worst = -run.best


def _nearer(bound: float, implied: float, choose: Any) -> float:
    """The stricter of two bounds, of which one is implied by those of the other player, rounding aside."""
    return bound if math.isclose(bound, implied, rel_tol=1e-12) else float(choose(bound, implied))


def steps_of(score: int) -> int:
    """The steps of a score, its plies taken off."""
    return (score + HALF) >> PLY_BITS


def decoded(score: int, run: Any) -> tuple[float, int]:
    """About what lead over a draw a score stands for, and the plies to it."""
    steps = steps_of(score)
    return float(steps / run.scale), abs((steps << PLY_BITS) - score) if run.prefer_quick else 0


def noted(steps: int, work: Any) -> tuple[float, float] | None:
    """The least and the greatest utility that a coarse search has met on a step; None: none."""
    size = len(work.step_of)
    slot = bits.mix(steps) & (size - 1)
    while work.step_met[slot]:
        if work.step_of[slot] == steps:
            return float(work.least[slot]), float(work.most[slot])
        slot = (slot + 1) & (size - 1)
    return None
