"""The statistics of matches: intervals cover what they say, and the SPRT errs as often as it may.

The truth is known where pairs of games are drawn from a distribution; published numbers come from fastchess.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

import plies
from plies.arena import Match, MatchGame, Sprt, elo_difference
from plies.arena.sprt import _likeliest, log_likelihood_ratio
from plies.arena.statistics import dispersion, normalised_elo, score_interval, student, superiority
from plies.intervals import wilson

pytestmark = pytest.mark.plain

SCORES = np.array([0, 0.25, 0.5, 0.75, 1])


@pytest.mark.parametrize(
    ("count", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_of_a_share_as_published(count: int, trials: int, low: float, high: float) -> None:
    """Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3."""
    assert wilson(count / trials, trials) == pytest.approx((low, high), abs=5e-5)


def pair_distribution(kind: str, score: float, drawn: float) -> np.ndarray | None:
    """How likely a pair has each outcome, LL to WW, if a game is scored so and drawn so often.

    Games are independent, or an opening favours a side, or an opening suits one of the players. None if a
    game cannot be scored so: there are too many draws.
    """
    won = score - drawn / 2
    lost = 1 - won - drawn
    if min(won, lost) < 0:
        return None
    shift = 0.0 if kind == "independent" else 0.8 * min(won, lost)
    turned = -1 if kind == "side" else 1
    found = np.zeros(5)
    for sign in (1, -1):
        one = np.array([lost - sign * shift, drawn, won + sign * shift])
        other = np.array([lost - sign * turned * shift, drawn, won + sign * turned * shift])
        found += np.convolve(one, other) / 2
    return found


def truly_normalised(chances: np.ndarray) -> float:
    mean = chances @ SCORES
    return float(800 / math.log(10) * (mean - 0.5) / math.sqrt(2 * (chances @ (SCORES - mean) ** 2)))


def test_the_distributions_are_what_they_say() -> None:
    for kind in ("independent", "side", "player"):
        chances = pair_distribution(kind, 0.6, 0.3)
        assert chances is not None
        assert chances.sum() == pytest.approx(1)
        assert chances @ SCORES == pytest.approx(0.6)
    assert pair_distribution("independent", 0.9, 0.5) is None


def cases() -> Iterator[tuple[str, np.ndarray]]:
    for kind, score, drawn in itertools.product(
        ("independent", "side", "player"), (0.5, 0.7, 0.9), (0.0, 0.3, 0.9)
    ):
        if (chances := pair_distribution(kind, score, drawn)) is not None:
            yield f"{kind} {score} {drawn}", chances


def sampled(pairs: int, chances: np.ndarray, seed: int) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """Counts of pairs, and how likely each of them is, or how often it was drawn: all counts of few pairs."""
    if pairs <= 5:
        every = [c for c in itertools.product(range(pairs + 1), repeat=5) if sum(c) == pairs]
        ways = [math.factorial(pairs) / math.prod(map(math.factorial, c)) for c in every]
        return every, np.array(ways) * np.prod(chances ** np.array(every), axis=1)
    drawn = np.random.default_rng(seed).multinomial(pairs, chances, size=2_000)
    found, often = np.unique(drawn, axis=0, return_counts=True)
    return [tuple(map(int, counts)) for counts in found], often / 2_000


@pytest.mark.long
@pytest.mark.parametrize("pairs", [1, 2, 3, 5, 10, 30, 100, 1_000])
def test_intervals_hold_the_truth_nineteen_times_in_twenty(pairs: int) -> None:
    """Few pairs are enumerated; of many, 2,000 samples are drawn: four standard errors are 2 %.

    The normalised Elo of players of very unequal strength is covered a little less often: its variance is
    that of a score with the same dispersion.
    """
    for seed, (name, chances) in enumerate(cases()):
        counts, weights = sampled(pairs, chances, seed)
        truth, normalised = chances @ SCORES, truly_normalised(chances)
        held = np.zeros(2)
        for one, weight in zip(counts, weights, strict=True):
            score = sum(n * x for n, x in zip(one, SCORES, strict=True)) / pairs
            low, high = score_interval(score, one, 2 * pairs)
            assert low <= score <= high
            held += weight * np.array(
                [low <= truth <= high, normalised_elo(low, one) <= normalised <= normalised_elo(high, one)]
            )
        assert held[0] > 0.93, f"{name}: the score, {held[0]:.1%}"
        assert held[1] > 0.90, f"{name}: normalised Elo, {held[1]:.1%}"
        if pairs == 1_000:  # and it is not wider than it need be
            assert held[0] < 0.97, f"{name}: the score, {held[0]:.1%}"


def test_intervals_of_few_or_equal_pairs_are_no_points() -> None:
    for counts in itertools.product(range(3), repeat=5):
        pairs = sum(counts)
        score = sum(n * x for n, x in zip(counts, SCORES, strict=True)) / pairs if pairs else 0.5
        low, high = score_interval(score, counts, 2 * pairs)
        assert 0 <= low < high <= 1
    for pairs in (1, 10, 100):
        low, high = score_interval(1.0, (0, 0, 0, 0, pairs), 2 * pairs)
        assert high == 1
        assert low < wilson(1.0, 2 * pairs)[0]  # as for independent games, or wider
        low, high = score_interval(0.5, (0, 0, pairs, 0, 0), 2 * pairs)
        assert low < 0.5 < high
    assert score_interval(0.5, (0, 0, 0, 0, 0), 0) == (0, 1)


def test_a_game_without_its_pair_counts_for_the_score() -> None:
    games = [MatchGame(n, n % 2, s, 0, []) for n, s in enumerate([1, 0.5, 0, 1, 1])]
    match = Match(("a", "b"), 0, 6, games)
    assert match.pairs == (0, 0, 1, 1, 0)
    assert match.score == 0.7
    low, high = match.interval
    assert 0 < low < 0.7 < high < 1
    alone = Match(("a", "b"), 0, 6, games[:1])
    assert alone.pairs == (0, 0, 0, 0, 0)
    assert alone.interval[1] == 1
    assert 0 < alone.interval[0] < wilson(1, 1)[0]
    shuffled = Match(("a", "b"), 0, 6, [games[n] for n in (4, 1, 3, 0, 2)])
    assert shuffled.pairs == match.pairs  # by number, in whatever order


def test_dispersion() -> None:
    """Independent games without draws have a dispersion of a half; draws and opposite results have less."""
    many = 10**6
    for score in (0.5, 0.7):
        for kind, drawn, wanted in (("independent", 0.0, 0.5), ("side", 0.0, None), ("player", 0.0, None)):
            chances = pair_distribution(kind, score, drawn)
            assert chances is not None
            variance = chances @ (SCORES - score) ** 2 / (score * (1 - score))
            found = dispersion([round(many * p) for p in chances])
            assert found == pytest.approx(variance, rel=1e-3)
            assert wanted is None or found == pytest.approx(wanted, rel=1e-3)
            assert (found < 0.5) == (kind == "side") or kind == "independent"


def test_students_distribution() -> None:
    """The two-sided 95 % points that every table has."""
    table = {2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 20: 2.086, 30: 2.042, 100: 1.984}
    for freedom, wanted in table.items():
        assert student(freedom) == pytest.approx(wanted, rel=0.01 if freedom == 2 else 0.002)


def test_normalised_elo_and_likelihood_of_superiority() -> None:
    """fastchess, of 39 pairs with these outcomes: Elo 631.91, nElo 1056.68; ours counts two pairs more."""
    counts, score = (0, 0, 2, 0, 37), 76 / 78
    assert elo_difference(score) == pytest.approx(631.91, abs=0.01)
    assert normalised_elo(score, counts) == pytest.approx(1056.68, rel=0.02)
    assert normalised_elo(0.5, (5, 5, 5, 5, 5)) == 0
    assert normalised_elo(1.0, (0, 0, 0, 0, 5)) == math.inf == -normalised_elo(0.0, (5, 0, 0, 0, 0))
    # Without draws, and near zero, it is Elo.
    assert normalised_elo(0.505, (2450, 0, 5000, 0, 2550)) == pytest.approx(elo_difference(0.505), rel=0.01)
    assert superiority(0.5, (5, 5, 5, 5, 5), 50) == 0.5
    assert superiority(score, counts, 78) > 0.9999
    assert superiority(0.5, (0, 0, 0, 0, 0), 0) == 0.5
    # It reaches 97.5 % where the interval of many pairs leaves one half behind.
    counts = (180, 200, 250, 200, 180 + 45)
    score = sum(n * x for n, x in zip(counts, SCORES, strict=True)) / sum(counts)
    assert (superiority(score, counts, 2 * sum(counts)) > 0.975) == (
        score_interval(score, counts, 2 * sum(counts))[0] > 0.5
    )


# -- The sequential test.


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "wanted"),
    [
        # The tests of fastchess and, the last four, of racetrack, which has them from OpenBench.
        ((365, 16618, 36029 + 200, 16974, 390), 0, 2, 2.25),
        ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, 3.01),
        ((0, 0, 0, 0, 5550), 0, 5, 111.8),
        ((0, 0, 2, 0, 37), 0, 20, 2.96),
        ((440, 2910, 5170, 2888, 455), 0, 5, -2.27),
        ((142, 620, 1122, 699, 188), 0, 5, 2.99),
        ((349, 1561, 3340, 1604, 359), -5, 0, 2.90),
        ((98, 382, 674, 369, 71), -5, 0, -1.11),
    ],
)
def test_published_log_likelihood_ratios(
    counts: tuple[int, ...], elo0: float, elo1: float, wanted: float
) -> None:
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(wanted, abs=0.01)


def test_the_quick_formula_agrees_where_differences_are_small() -> None:
    """N (t1 - t0) (2 t - t0 - t1), with t the mean by the deviation of a game."""
    counts = np.array([900, 2000, 4000, 2100, 1000])
    shares = counts / counts.sum()
    mean = shares @ SCORES
    t = (mean - 0.5) / math.sqrt(2 * (shares @ (SCORES - mean) ** 2))
    t0, t1 = (elo * math.log(10) / 800 for elo in (0, 4))
    assert Sprt(0, 4).llr(list(counts)) == pytest.approx(
        counts.sum() * (t1 - t0) * (2 * t - t0 - t1), rel=0.02
    )


def test_each_hypothesis_is_the_likeliest_of_its_strength() -> None:
    """The constraint holds, and no other distribution that fulfils it is likelier."""
    generator = np.random.default_rng(4)
    counts = np.vstack([generator.multinomial(n, [0.1, 0.2, 0.4, 0.2, 0.1], size=20) for n in (3, 30, 300)])
    seen = np.where(counts > 0, counts, 1e-3)
    shares = seen / seen.sum(-1, keepdims=True)
    for quotient in (-0.8, 0.0, 0.1, 0.8):
        found = _likeliest(shares, quotient)
        mean = found @ SCORES
        deviation = np.sqrt((found * (SCORES - mean[:, None]) ** 2).sum(-1))
        assert (mean - 0.5) / deviation == pytest.approx(np.full(len(mean), quotient), abs=1e-6)
        best = (shares * np.log(found)).sum(-1)
        others = generator.dirichlet(np.ones(5), size=20_000)
        center = others @ SCORES
        spread = np.sqrt((others * (SCORES - center[:, None]) ** 2).sum(-1))
        near = others[np.abs((center - 0.5) / spread - quotient) < 0.01]
        assert len(near) > 50
        assert ((shares[:, None] * np.log(near)).sum(-1).max(-1) < best + 0.05).all()


def with_strength(kind: str, drawn: float, elo: float) -> np.ndarray:
    """The distribution of pairs with that draw rate and that normalised Elo."""
    low, high = drawn / 2, 1 - drawn / 2
    for _ in range(60):
        middle = (low + high) / 2
        chances = pair_distribution(kind, middle, drawn)
        assert chances is not None
        low, high = (middle, high) if truly_normalised(chances) < elo else (low, middle)
    assert truly_normalised(chances) == pytest.approx(elo, abs=1e-6)
    return chances


@pytest.mark.parametrize(
    ("kind", "drawn", "elo0", "elo1"),
    [
        pytest.param("independent", 0.7, -50, 50, marks=pytest.mark.long),
        pytest.param("side", 0.3, 0, 100, marks=pytest.mark.long),
        ("player", 0.3, 0, 100),
    ],
)
def test_the_sprt_errs_as_often_as_it_may(kind: str, drawn: float, elo0: float, elo1: float) -> None:
    """400 matches at each hypothesis, with alpha 0.05 and beta 0.1: at most four standard errors above."""
    sprt = Sprt(elo0, elo1, alpha=0.05, beta=0.1)
    lower, upper = sprt.bounds
    for truth, allowed in ((elo0, sprt.alpha), (elo1, sprt.beta)):
        generator = np.random.default_rng(11)
        chances = with_strength(kind, drawn, truth)
        counts = np.zeros((400, 5), dtype=int)
        wrong = lasting = 0
        for _ in range(1_000):
            counts += generator.multinomial(1, chances, size=len(counts))
            ratio = log_likelihood_ratio(counts, elo0, elo1)
            wrong += int((ratio >= upper).sum() if truth == elo0 else (ratio <= lower).sum())
            counts = counts[(ratio > lower) & (ratio < upper)]
            lasting += len(counts)
            if not len(counts):
                break
        assert not len(counts), "a match never ended"
        assert wrong / 400 <= allowed + 4 * math.sqrt(allowed * (1 - allowed) / 400)
        assert wrong > 0  # or it could have stopped sooner
        assert lasting / 400 < 100  # pairs: a test of fixed size needs about 100 for these errors


def test_a_test_that_cannot_be() -> None:
    for alpha, beta in ((0, 0.05), (0.05, 0.5), (math.nan, 0.05)):
        with pytest.raises(plies.BadParameter, match=r"must be at least 0\.000001 and below 0\.5"):
            Sprt(0, 5, alpha, beta)
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 5).llr((0, 0, 0, 0, 0)) == 0
    assert Sprt(0, 5).accepted((0, 0, 0, 0, 5550)) == 5
    assert Sprt(0, 5).accepted((5550, 0, 0, 0, 0)) == 0
