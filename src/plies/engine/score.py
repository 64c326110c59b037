"""Scores: the kernel's integers, which order positions by value first and by the plies to it second.

A utility u of player 0 becomes rint((u - centre) * scale) steps, and a score of 2^PLY_BITS times that; a
win loses a unit for each ply to it, a loss gains one, like mate scores. So of two equal wins the quicker is
preferred, and of two equal losses the slower. Player 1's scores have the other sign.

Steps keep the order of utilities, so a search over steps finds the step of the true value. If every utility
met lies exactly on a step, that is the value. If not, the search starts again in a *coarse* mode, which notes
the utilities that share a step; the value is known if its step has only one. Otherwise the search *zooms*: it
starts again with the utilities of that step spread over all steps.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plies import bits
from plies.engine.faults import EVALUATION, UTILITIES, UTILITY
from plies.errors import BadParameter
from plies.game import Game
from plies.rules import noinline
from plies.validation import checked_bounds, checked_total

PLY_BITS = 13
"""The bits of a score for plies: HALF of their range, 4096, is above any ply (LAST_PLY is 2000)."""

STEP = 1 << PLY_BITS
"""The difference between the scores of two different values, plies aside."""

HALF = STEP >> 1
"""Plies from the root stay below this, so that rounding separates value and plies."""

SCORE_BITS = 38
"""The bits of a score in a table entry, sign included: see table.py."""

MOST_STEPS = 1 << (SCORE_BITS - 2 - PLY_BITS)
"""The most steps either way, one bit less than would fit: a zoom needs two steps beyond."""

UNKNOWN = -(1 << 60)
"""Stands for no score: below all scores, which have SCORE_BITS."""

UTILITY_SLOTS = 1 << 16
"""The most steps of which a coarse search can note the utilities. Not tuned."""


# -- In kernels. What they read of `run` is described in pvs.py.


def final(utility: float, viewer: int, ply: int, run: Any, work: Any) -> int:
    """The score of a terminal state to a viewer, `ply` plies from the root, by its utility to player 0."""
    if not (run.low <= utility and utility <= run.high):  # false for nan too
        run.fault = UTILITY
        run.stop = 1
        return 0
    step = np.rint((utility - run.centre) * run.scale)
    if run.coarse or step * run.unit + run.centre != utility:
        step = measured(float(utility), step, run, work)
    score = from_table(int(step) << PLY_BITS, ply * run.prefer_quick)
    return score if viewer == 0 else -score


@noinline
def measured(utility: float, step: float, run: Any, work: Any) -> float:
    """The step of a utility in a coarse search, which notes the utility.

    The outermost steps are for the bounds only, so that nothing can be better or worse. After a zoom, the
    next ones are for all utilities beyond its range.
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
    """The score of an evaluation plus a bias to a player, strictly between those of a win and a loss."""
    if not (run.least <= value and value <= run.most):
        run.fault = EVALUATION
        run.stop = 1
        return 0
    steps = (value + bias - run.even) * run.scale
    steps += -run.shift if player == 0 else run.shift
    score = int(np.rint(min(max(steps, -run.inner), run.inner))) << PLY_BITS
    return from_table(score, ply * run.prefer_quick)


def bound_score(bound: float, run: Any) -> int:
    """The score of a bound of a value, without plies; UNKNOWN if it is on no step."""
    if not (run.least <= bound and bound <= run.most):
        return UNKNOWN
    step = np.rint((bound - run.even) * run.scale)
    return int(step) << PLY_BITS if step * run.unit + run.even == bound else UNKNOWN


def margin(units: float, run: Any) -> int:
    """A difference of evaluations as one of scores, no greater than that between a win and a loss."""
    most = 2.0 * (run.best >> PLY_BITS)
    return int(max(min(units * run.scale, most), -most)) << PLY_BITS


def from_table(score: int, plies: int) -> int:
    """A score that is a number of plies further away: as the root sees an entry at that ply."""
    if score > 0:
        return score - plies
    if score < 0:
        return score + plies
    return score


def to_table(score: int, plies: int) -> int:
    """A score that is a number of plies nearer: as a position at that ply sees it, and the table stores
    it."""
    if score > 0:
        return score + plies
    if score < 0:
        return score - plies
    return score


def is_final(score: int, run: Any) -> bool:
    """Whether a score is that of the greatest or the least utility, which no estimate has."""
    return bool(abs(score) > run.best - HALF)


# -- Around kernels.


def scale_of(reach: float) -> float:
    """The greatest power of two that keeps the steps of values from -reach to reach within MOST_STEPS."""
    power = max(-1000.0, np.ceil(np.log2(reach or 1.0)))  # beyond, the scale would be infinite
    return float(MOST_STEPS * 2.0**-power)


def set_scale(run: Any, game: Game) -> None:
    """Write to a record the scale by which the utilities of a game become scores."""
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
    """Switch a search to coarse mode: note which utilities share a step."""
    run.coarse = 1
    run.near_low, run.near_high = run.low, run.high
    # Utilities just inside the bounds are rounded to the next step at most, which is not the outermost.
    _set_best(run, min(MOST_STEPS, math.ceil((run.high - run.even) * run.scale)) + 1)


def zoom(run: Any, least: float, most: float) -> None:
    """Spread the utilities from least to most over all steps; those beyond share the outermost ones.

    Plies no longer count, as the sign of a score no longer separates wins from losses.
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
    """The stricter of a bound and the one that the other player's bounds imply, rounding aside."""
    return bound if math.isclose(bound, implied, rel_tol=1e-12) else float(choose(bound, implied))


def steps_of(score: int) -> int:
    """The steps of a score, without its plies."""
    return (score + HALF) >> PLY_BITS


def decoded(score: int, run: Any) -> tuple[float, int]:
    """The approximate lead over a draw that a score stands for, and the plies to it."""
    steps = steps_of(score)
    return float(steps / run.scale), abs((steps << PLY_BITS) - score) if run.prefer_quick else 0


def noted(steps: int, work: Any) -> tuple[float, float] | None:
    """The least and the greatest utility that a coarse search has met on a step, or None."""
    size = len(work.step_of)
    slot = bits.mix(steps) & (size - 1)
    while work.step_met[slot]:
        if work.step_of[slot] == steps:
            return float(work.least[slot]), float(work.most[slot])
        slot = (slot + 1) & (size - 1)
    return None
