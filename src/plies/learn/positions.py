"""Positions to learn from: what a network sees, what a search thought, and how the game went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

HELD = 20
"""One game in so many is held out: its positions show how well a network fits what it has not seen."""

NEAR = 0.999
"""The score, of the greatest utility, beyond which all scores are alike: an estimate comes no nearer to 1."""


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions in rows; the views of a position are lists of the inputs that are set."""

    inputs: np.ndarray[Any, Any]
    """The inputs of all views, one view after the other, as 16-bit numbers."""
    starts: np.ndarray[Any, Any]
    """Where each view begins, two for each position, the mover's first; the last number is the end."""
    scores: np.ndarray[Any, Any]
    """What a search thought, -1 to 1, to the player to move."""
    results: np.ndarray[Any, Any]
    """How the game ended, -1 to 1, to the player to move."""
    games: np.ndarray[Any, Any]
    """The number of its game, from 0 on."""
    phases: np.ndarray[Any, Any]
    """The phase that it belongs to."""

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def sizes(self) -> np.ndarray[Any, Any]:
        """How many inputs are set in the view of the player to move."""
        return np.asarray(self.starts[1::2] - self.starts[:-1:2])

    def sizes_of(self, planes: np.ndarray[Any, Any], cells: int) -> np.ndarray[Any, Any]:
        """How many inputs of these planes are set in the view of the player to move."""
        counted = np.isin(self.inputs.astype(np.int64) // cells, planes)
        sums = np.concatenate([[0], np.cumsum(counted)])
        return np.asarray(sums[self.starts[1::2]] - sums[self.starts[:-1:2]])

    @property
    def held(self) -> np.ndarray[Any, Any]:
        """Which positions are held out: all of a game, or none."""
        return np.asarray(self.games % HELD == HELD - 1)

    def targets(self, blend: float, half: float = 1.0) -> np.ndarray[Any, Any]:
        """What a network is to learn: `blend` parts of the score, the rest of the result.

        A score x / (half + |x|) stands for the mean result tanh x.
        """
        score = np.clip(self.scores, -NEAR, NEAR)
        return np.asarray(blend * np.tanh(half * score / (1 - np.abs(score))) + (1 - blend) * self.results)

    @classmethod
    def joined(cls, parts: Sequence[Positions]) -> Positions:
        """The positions of several parts, in order; games are numbered on."""
        starts, games, place, played = [np.zeros(1, np.int64)], [], 0, 0
        for part in parts:
            starts.append(part.starts[1:] + place)
            games.append(part.games + played)
            place += int(part.starts[-1])
            played += int(part.games.max()) + 1 if len(part) else 0
        plain = ("inputs", "scores", "results", "phases")
        arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in plain}
        return cls(**arrays, starts=np.concatenate(starts), games=np.concatenate(games))

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
