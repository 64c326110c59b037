"""A generation of a training of networks: what it was made of, how it did, and what it gained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from plies.arena.ratings import Ratings, rated
from plies.arena.statistics import elo_difference, score_interval
from plies.learn.trainer import Fit


@dataclass
class Generation:
    """What a generation was made of, and how it did."""

    number: int
    games: int = 0
    positions: int = 0
    nodes: int = 0
    blend: float = 0.0
    """The share of the search's score in what is learned from its positions."""
    fits: list[dict[str, float]] = field(default_factory=list)
    """After each epoch: see `trainer.Fit`."""
    pool: dict[str, list[list[float]]] = field(default_factory=dict)
    """By opponent: the scores of pairs of games."""
    kept: bool = False
    """Whether it is the best so far."""
    seconds: dict[str, float] = field(default_factory=dict)
    """What each part took: self-play, fit, matches."""

    def score(self, opponent: str) -> float:
        """The mean score against an opponent."""
        return float(np.mean(self.pool[opponent]))

    def interval(self, opponent: str) -> tuple[float, float]:
        """Where that score lies with 95 % certainty."""
        pairs = self.pool[opponent]
        return score_interval(self.score(opponent), outcomes(pairs), 2 * len(pairs))

    @property
    def took(self) -> float:
        """Seconds in all."""
        return sum(self.seconds.values())


def outcomes(pairs: Iterable[list[float]]) -> list[int]:
    """How many pairs have each outcome, LL to WW."""
    counts = [0] * 5
    for pair in pairs:
        counts[round(2 * sum(pair))] += 1
    return counts


def rated_generations(generations: Sequence[Generation]) -> Ratings:
    """The ratings of no evaluation, which is 0, the game's own evaluation, and each generation, in Elo."""
    scores: dict[tuple[int, int], list[list[float]]] = {}
    best = 0
    for place, one in enumerate(generations, 2):
        others = {"none": 0, "evaluation": 1, "best": best, "last": place - 1}
        for name, pairs in one.pool.items():
            scores.setdefault((place, others[name]), []).extend(pairs)
        best = place if one.kept else best
    return rated(scores, len(generations) + 2, (0, 0.0))


def gained(one: Generation) -> str:
    """What a generation has gained over the best before it, in words."""
    if "best" not in one.pool:
        return ""
    low, high = (elo_difference(score) for score in one.interval("best"))
    return f"{elo_difference(one.score('best')):+.0f} Elo [{low:+.0f}, {high:+.0f}] against the best so far"


def fit_of(one: Generation) -> Fit:
    """How well a generation's network fits in the end."""
    return Fit(**one.fits[-1])
