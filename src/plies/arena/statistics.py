"""The statistics of a match: score, Elo and normalised Elo with their intervals, and likelihood of
superiority.

Every opening is played from both sides, and the two games of a pair depend on each other: on the opening, and
on the dice. So the variance is that of pairs, which have five outcomes (LL, LD, DD or WL, DW, WW:
"pentanomial"). The interval is Wilson's, with as many trials as would give that variance: the effective
sample size (Kish 1965), for few pairs less by Student's distribution (Korn and Graubard 1998).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from plies.arena.sprt import NORMALISED
from plies.intervals import SURE, wilson

INDEPENDENT = 0.5
"""The variance of a pair's score, by that of one trial with the same mean, if games are independent and none
is drawn."""

PRIOR = 2
"""The pairs that count as such, besides those played, so that few pairs which happen to agree do not pass for
certainty. Of 1, 2 and 4, the number whose intervals cover best (tests/test_arena_statistics.py)."""


def dispersion(counts: Sequence[int]) -> float:
    """The variance of a pair's score by that of one trial with the same mean; `counts` are of LL to WW.

    It is 1/2 for independent games without draws, less with draws, or where an opening favours a side, and
    more where an opening suits one of the players.
    """
    pairs = sum(counts)
    mean = sum(count * outcome for outcome, count in enumerate(counts)) / 4 / pairs if pairs else 0.0
    trial = mean * (1 - mean)
    if trial == 0:
        return INDEPENDENT
    squares = sum(count * (outcome / 4 - mean) ** 2 for outcome, count in enumerate(counts))
    return (squares / trial + PRIOR * INDEPENDENT) / (pairs - 1 + PRIOR)


def trials(counts: Sequence[int], games: int) -> float:
    """The effective sample size: the independent trials, without draws, that would tell as much."""
    return games / 2 / dispersion(counts)


def score_interval(score: float, counts: Sequence[int], games: int) -> tuple[float, float]:
    """Where the true score lies with 95 % certainty; `games` may include one whose pair is not complete."""
    if games == 0:
        return 0.0, 1.0
    freedom = max(sum(counts) - 1, 0) + PRIOR
    return wilson(score, trials(counts, games) * (SURE / student(freedom)) ** 2)


def student(freedom: int) -> float:
    """The standard deviations to either side that hold 95 % of Student's distribution, for 2 degrees or more.

    The expansion of Fisher and Cornish (Abramowitz and Stegun, 26.7.5).
    """
    z = SURE
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)
    )


def elo_difference(score: float) -> float:
    """The difference in rating at which this score is expected: 400 log10(score / (1 - score))."""
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def normalised_elo(score: float, counts: Sequence[int]) -> float:
    """What a score is worth by the standard deviation of a game, which pairs give: it has twice their
    variance.

    Unlike Elo, it does not depend on how many games are drawn.
    """
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return NORMALISED * (score - 0.5) / math.sqrt(2 * dispersion(counts) * score * (1 - score))


def superiority(score: float, counts: Sequence[int], games: int) -> float:
    """The likelihood of superiority (LOS): that the first player is the stronger one."""
    return NormalDist().cdf((score - 0.5) * 2 * math.sqrt(trials(counts, games))) if games else 0.5
