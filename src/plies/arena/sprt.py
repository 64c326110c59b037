"""The sequential probability ratio test (SPRT): a match that ends as soon as it has decided between two
strengths.

It is the generalised test (GSPRT) on pairs of games, with hypotheses in normalised Elo, as fishtest and
fastchess run it (Van den Bergh, "Normalized Elo", 2020). Normalised Elo does not depend on the draw rate, and
so the same hypotheses need about as many games in any game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.errors import BadParameter

Floats = NDArray[np.float64]

NORMALISED = 800 / math.log(10)
"""Normalised Elo by standard deviation of a game: near zero and without draws it equals Elo."""

PAIR_SCORES = np.array([0, 0.25, 0.5, 0.75, 1])
"""The score of a pair for each of its outcomes: LL, LD, DD or WL, DW, WW."""

UNSEEN = 1e-3
"""The count of an outcome that has not occurred, so that it is not impossible: fishtest's."""

LARGEST = 200.0
"""The largest hypothesis, in normalised Elo: players that differ more are told apart by a few pairs."""

STEPS, HALVINGS, CLOSE = 20, 60, 1e-9
"""The most steps towards a constrained maximum, the most towards a root, and when either is close enough."""

INSIDE = 1 - 1e-12
"""How far towards its bounds a root is looked for: at a bound itself, a probability would be infinite."""


@dataclass(frozen=True)
class Sprt:
    """A test whether the first player is stronger by `elo0` or by `elo1`, in normalised Elo."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting `elo1` where `elo0` is true."""
    beta: float = 0.05
    """The probability of accepting `elo0` where `elo1` is true."""

    def __post_init__(self) -> None:
        if not -LARGEST <= self.elo0 < self.elo1 <= LARGEST:  # false for nan, too
            raise BadParameter(
                f"the hypotheses of an SPRT must rise and lie within {LARGEST:g} normalised Elo of zero, "
                f"such as 0 and 10, not {self.elo0:g} and {self.elo1:g}"
            )
        for name in ("alpha", "beta"):
            if not 1e-6 <= getattr(self, name) < 0.5:
                raise BadParameter(
                    f"{name} must be at least 0.000001 and below 0.5, not {getattr(self, name):g}"
                )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `elo0` and `elo1` are accepted (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of `elo1` to `elo0`, given how many pairs had each outcome, LL to WW."""
        return float(log_likelihood_ratio(np.asarray(counts), self.elo0, self.elo1)) if sum(counts) else 0.0

    def accepted(self, counts: Sequence[int]) -> float | None:
        """The hypothesis that is accepted, `elo0` or `elo1`; None while both are open."""
        low, high = self.bounds
        ratio = self.llr(counts)
        return self.elo1 if ratio >= high else self.elo0 if ratio <= low else None


def log_likelihood_ratio(counts: NDArray[Any], elo0: float, elo1: float) -> Floats:
    """The generalised log-likelihood ratio of two strengths; the last axis of `counts` has the five outcomes.

    Each hypothesis fixes the mean divided by the standard deviation, and takes of all distributions with that
    quotient the one under which the counts are likeliest.
    """
    seen = np.where(counts > 0, counts, UNSEEN).astype(float)
    pairs = seen.sum(-1, keepdims=True)
    shares = seen / pairs
    # A pair's score has half the variance of a game's, so the quotient is greater by the root of two.
    null, alternative = (_likeliest(shares, math.sqrt(2) * elo / NORMALISED) for elo in (elo0, elo1))
    ratio: Floats = (seen * np.log(alternative / null)).sum(-1)
    return ratio


def _likeliest(shares: Floats, quotient: float) -> Floats:
    """The likeliest probabilities, given the shares seen, with (mean - 1/2) / standard deviation =
    `quotient`.

    Newton's method for the constraint: it is made linear around the current solution, and the maximum under a
    linear constraint is known but for one number.
    """
    found = np.full_like(shares, 1 / len(PAIR_SCORES))
    for _ in range(STEPS):
        mean = (found * PAIR_SCORES).sum(-1, keepdims=True)
        deviation = np.sqrt((found * (PAIR_SCORES - mean) ** 2).sum(-1, keepdims=True))
        values = PAIR_SCORES - 0.5 - quotient * deviation / 2 * (1 + ((PAIR_SCORES - mean) / deviation) ** 2)
        before, found = found, _likeliest_with_mean_zero(shares, values)
        if np.abs(found - before).max() < CLOSE:
            break
    return found


def _likeliest_with_mean_zero(shares: Floats, values: Floats) -> Floats:
    """The likeliest probabilities, given the shares seen, under which `values` have mean zero.

    By Lagrange's multipliers, they are shares / (1 + x values), with the x that makes the mean vanish; the
    mean falls as x rises.
    """
    low = -INSIDE / values.max(-1, keepdims=True)
    high = -INSIDE / values.min(-1, keepdims=True)
    x = np.zeros_like(low)
    for _ in range(HALVINGS):
        terms = values / (1 + x * values)
        mean = (shares * terms).sum(-1, keepdims=True)
        low, high = np.where(mean > 0, x, low), np.where(mean > 0, high, x)
        step = x + mean / (shares * terms * terms).sum(-1, keepdims=True)
        after = np.where((low <= step) & (step <= high), step, (low + high) / 2)
        done = np.abs(after - x).max() < CLOSE
        x = after
        if done:
            break
    likeliest = shares / (1 + x * values)
    found: Floats = likeliest / likeliest.sum(-1, keepdims=True)
    return found
