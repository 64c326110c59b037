"""Scores: what a kernel reckons with, whole numbers that order values first and the plies to them second.

A value v becomes rint(v * scale) * 2^PLY_BITS; a good one loses a unit for each ply it takes to get there, a
bad one gains a unit. So of two equal wins the quicker is preferred, and of two equal losses the slower.
"""

from __future__ import annotations

from typing import Any

import numpy as np

PLY_BITS = 13
STEP = 1 << PLY_BITS
"""The scores of values that are told apart differ by this, plies apart."""

HALF = STEP >> 1
"""Plies from the root stay below this, so that rounding tells value and plies apart."""

SCORE_BITS = 38
"""What a score takes in a table entry, sign included."""


def scale_of(low: float, high: float) -> float:
    """The greatest power of two that keeps the scores of values from low to high in SCORE_BITS."""
    largest = max(abs(low), abs(high)) or 1.0
    power = max(-1000.0, np.ceil(np.log2(largest)))  # beyond, the scale would be infinite
    return float(2.0 ** (SCORE_BITS - 2 - PLY_BITS - power))


def final(value: float, ply: int, run: Any) -> int:
    """The score of a terminal value, `ply` plies from the root."""
    score = int(np.rint(value * run.scale)) << PLY_BITS
    return later(score, ply * run.tempo)


def estimated(value: float, ply: int, run: Any) -> int:
    """The score of an evaluation, kept between the best and the worst that a terminal value can score."""
    score = int(np.rint(value * run.scale)) << PLY_BITS
    score = max(min(score, run.best - STEP), run.worst + STEP)
    return later(score, ply * run.tempo)


def later(score: int, plies: int) -> int:
    """A score that takes so many plies more."""
    if score > 0:
        return score - plies
    if score < 0:
        return score + plies
    return score


def sooner(score: int, plies: int) -> int:
    """A score that takes so many plies fewer: as a position further down sees it, or a table keeps it."""
    if score > 0:
        return score + plies
    if score < 0:
        return score - plies
    return score


def decoded(score: int, scale: float, tempo: int) -> tuple[float, int]:
    """The value that a score stands for, and the plies to it."""
    steps = (score + HALF) >> PLY_BITS
    return float(steps / scale), abs((steps << PLY_BITS) - score) if tempo else 0
