"""Leaves with errors: if the numbers of a tree are only about right, how often is each branch truly the
best?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plies.book.decision import recursive, start
from plies.errors import BadParameter
from plies.game import CHANCE, Game, State
from plies.needs import Needs
from plies.pathology.measured import Share

SIGMAS = (0.1, 1.0, 10.0, 100.0, 1000.0)
"""The standard deviations of the leaves' errors, by default. Not tuned."""

MOST_SAMPLES = 10_000_000
"""The most samples. Not tuned."""


@dataclass(frozen=True)
class NoisyLeaves:
    """How often each branch is the best, by the standard deviation of the leaves; a table as text."""

    branches: tuple[str, ...]
    """The names of the actions at the root."""
    chosen: str
    """The branch that minimax takes, which trusts the numbers."""
    best: dict[float, tuple[Share, ...]]
    """For each sigma, how often each branch was truly the best."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "branches": list(self.branches),
            "chosen": self.chosen,
            "best": [
                {"sigma": sigma, "counts": [share.times for share in shares], "of": shares[0].of}
                for sigma, shares in self.best.items()
            ],
        }

    def __str__(self) -> str:
        widths = [max(len(name), 6) for name in self.branches]
        heading = "  ".join(["   sigma", *map(str.rjust, self.branches, widths)])
        lines = [
            "  ".join(
                [
                    f"{sigma:8g}",
                    *(f"{s.rate:.1%}".rjust(width) for s, width in zip(shares, widths, strict=True)),
                ]
            )
            for sigma, shares in self.best.items()
        ]
        return "\n".join([f"minimax takes {self.chosen}; truly the best is", "", heading, *lines])


@recursive
def noisy_leaves(
    game: Game,
    state: State | None = None,
    *,
    sigmas: Sequence[float] = SIGMAS,
    samples: int = 100_000,
    seed: int = 0,
) -> NoisyLeaves:
    """How often each action is truly the best if the leaves are only right up to a normal error.

    Each of `samples` trials draws an error for every leaf, with standard deviation sigma, and plays the rest
    perfectly. Of branches that are equally good, the first counts. The whole tree is searched in each trial.
    """
    Needs(players=2, zero_sum=True).check(game, "the experiment")
    state, player = start(game, state, None)
    if game.is_terminal(state) or game.to_move(state) == CHANCE:
        raise BadParameter("there is nothing to decide in this position")
    if (
        not 1 <= samples <= MOST_SAMPLES
        or not sigmas
        or not all(0 <= sigma < float("inf") for sigma in sigmas)
    ):
        raise BadParameter(f"samples must be from 1 to {MOST_SAMPLES:,}, and sigmas finite numbers from 0")
    actions = list(game.actions(state))
    rng = np.random.default_rng(seed)

    def value(state: State, sigma: float, samples: int) -> Any:
        """What a state is worth in each trial, to the player who decides."""
        if game.is_terminal(state):
            return game.utility(state, player) + sigma * rng.standard_normal(samples)
        if game.to_move(state) == CHANCE:
            return sum(p * value(game.result(state, a), sigma, samples) for a, p in game.chance(state))
        below = [value(game.result(state, action), sigma, samples) for action in game.actions(state)]
        return np.maximum.reduce(below) if game.to_move(state) == player else np.minimum.reduce(below)

    def counts(sigma: float, samples: int) -> list[int]:
        """How often each action is the best."""
        branches = np.stack([value(game.result(state, action), sigma, samples) for action in actions])
        return [int(count) for count in np.bincount(branches.argmax(axis=0), minlength=len(actions))]

    names = tuple(game.notation(state, action) for action in actions)
    best = {float(sigma): tuple(Share(n, samples) for n in counts(sigma, samples)) for sigma in sigmas}
    return NoisyLeaves(names, names[counts(0, 1).index(1)], best)
