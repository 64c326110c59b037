"""Ratings of players by maximum likelihood, in Elo, with intervals and likelihood of superiority.

The model is that of Bradley and Terry (Rank Analysis of Incomplete Block Designs, 1952), in which a player's
expected score is 1 / (1 + 10^(-difference / 400)); a draw counts as half a win and half a loss, as in Elo's
own, so two players get the difference that `plies.arena.statistics` gives. Games come in pairs from the same
opening, and some are drawn: their variance is that of the model times a dispersion, which is estimated
(Wedderburn, Quasi-likelihood Functions, 1974).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.arena.statistics import INDEPENDENT, PRIOR, student
from plies.errors import PliesError

Floats = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Points of Elo in a unit of the logistic scale."""

STEPS, CLOSE = 100, 1e-10
"""The most steps of Newton's method, and when they are small enough."""

Scores = Mapping[tuple[int, int], Sequence[Sequence[float]]]
"""By two players: the scores of the first of them, game by game, in pairs of games."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of players, and how sure they are."""

    elo: tuple[float, ...]
    """By player: the mean is 0, or the anchor has its rating."""
    margins: tuple[float, ...]
    """By player: how far from `elo` the rating may be, with 95 % certainty; 0 for an anchor."""
    superiority: tuple[tuple[float, ...], ...]
    """By two players: the likelihood that the first is the stronger one (LOS)."""
    prior: bool
    """Whether a drawn game was added for every two who met: without it, some ratings would be infinite."""


def rated(scores: Scores, players: int, anchor: tuple[int, float] | None = None) -> Ratings:
    """The ratings by some games; an anchor is a player and the rating that it has."""
    wins, games = np.zeros((players, players)), np.zeros((players, players))
    for (one, other), pairs in scores.items():
        for score in (score for pair in pairs for score in pair):
            wins[one, other] += score
            wins[other, one] += 1 - score
            games[one, other] += 1
            games[other, one] += 1
    prior = not _connected(wins)
    if prior:
        met = (games > 0) * 1.0
        drawn = met if _connected(wins + met) else 1.0 - np.eye(players)
        wins, games = wins + drawn / 2, games + drawn
    strength = _likeliest(wins, games)
    freedom, dispersion = _dispersion(scores, strength)
    spread = _covariance(strength, games) * dispersion
    shift = np.eye(players) - 1 / players
    level = 0.0
    if anchor is not None:
        shift = np.eye(players)
        shift[:, anchor[0]] -= 1
        level = anchor[1]
    errors = np.sqrt(np.clip(np.diag(shift @ spread @ shift.T), 0, None))
    return Ratings(
        tuple((ELO * (shift @ strength) + level).tolist()),
        tuple((ELO * student(freedom) * errors).tolist()),
        tuple(tuple(_superior(strength, spread, i, j) for j in range(players)) for i in range(players)),
        prior,
    )


def _expected(strength: Floats) -> Floats:
    """The score that each player is expected to have against each other."""
    return np.asarray(1 / (1 + np.exp(strength[None, :] - strength[:, None])))


def _connected(wins: Floats) -> bool:
    """Whether the likelihood has a maximum: every player has, by some chain, points against every other.

    Ford, Solution of a Ranking Problem from Binary Comparisons, 1957.
    """
    reached: Any = (wins > 0) | np.eye(len(wins), dtype=bool)
    for _ in range(max(1, len(wins).bit_length())):
        reached = (reached.astype(int) @ reached.astype(int)) > 0
    return bool(reached.all())


def _likeliest(wins: Floats, games: Floats) -> Floats:
    """The strengths under which these scores are likeliest, by Newton's method; their mean is 0."""
    strength = np.zeros(len(wins))
    likelihood = _likelihood(strength, wins)
    for _ in range(STEPS):
        slope = (wins - games * _expected(strength)).sum(axis=1)
        step = _covariance(strength, games) @ slope
        while (better := _likelihood(strength + step, wins)) < likelihood - 1e-12 * abs(likelihood):
            step = step / 2
        strength, likelihood = strength + step, better
        if float(np.max(np.abs(step))) < CLOSE:
            return np.asarray(strength - strength.mean())
    raise PliesError("the ratings do not converge: there are too few games for so many players")


def _likelihood(strength: Floats, wins: Floats) -> float:
    return float((wins * np.log(np.maximum(_expected(strength), 1e-300))).sum())


def _covariance(strength: Floats, games: Floats) -> Floats:
    """The inverse of the information; it is singular, as only differences count."""
    chance = _expected(strength)
    information = -games * chance * (1 - chance)
    np.fill_diagonal(information, 0)
    np.fill_diagonal(information, -information.sum(axis=1))
    return np.asarray(np.linalg.pinv(information, hermitian=True))


def _dispersion(scores: Scores, strength: Floats) -> tuple[int, float]:
    """The degrees of freedom, and the variance of games by that of independent ones without draws."""
    chance = _expected(strength)
    squares = trial = 0.0
    count = 0
    for (one, other), pairs in scores.items():
        mean = chance[one, other]
        whole = [sum(pair) / 2 for pair in pairs if len(pair) == 2]
        squares += sum((score - mean) ** 2 for score in whole)
        trial += mean * (1 - mean) * len(whole)
        count += len(whole)
    freedom = max(count - (len(strength) - 1), 0) + PRIOR
    pooled = count * squares / trial if trial > 0 else 0.0
    return freedom, (pooled + PRIOR * INDEPENDENT) / freedom / INDEPENDENT


def _superior(strength: Floats, spread: Floats, one: int, other: int) -> float:
    variance = spread[one, one] + spread[other, other] - 2 * spread[one, other]
    if one == other or variance <= 0:
        return 0.5
    return NormalDist().cdf(float(strength[one] - strength[other]) / math.sqrt(variance))
