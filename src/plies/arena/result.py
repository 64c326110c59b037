"""A match as it stands: its games, and what they show."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from plies.arena.sprt import Sprt
from plies.arena.statistics import elo_difference, normalised_elo, score_interval, superiority

NORMAL, TIME_FORFEIT, ABANDONED, ADJUDICATION = "normal", "time forfeit", "abandoned", "adjudication"
"""How a game came to its end, in the words of PGN's tag Termination; abandoned by a player that failed to
move."""


@dataclass(frozen=True)
class MatchGame:
    """One game of a match."""

    number: int
    """From 0 on."""
    first: int
    """Which of the two players of the match had the first seat: 0 or 1."""
    score: float
    """The score of the first player of the match: 1, 0.5 or 0."""
    opening: int
    """The number of moves of the opening."""
    moves: list[str]
    """All moves in notation, with the opening and rolls of the dice."""
    reason: str = ""
    """What ended the game, if not a position in which it is over."""
    termination: str = NORMAL
    position: str = ""
    """The position string of the first state; "" for the initial state."""
    values: list[float | str | None] = field(default_factory=list)
    """By move: what its player's search found, to that player: an estimate in units of the game, or what was
    proved, in words. Empty if there is nothing but None, as in `depths`."""
    depths: list[int | None] = field(default_factory=list)
    """By move: how deep that search was."""
    seconds: list[float | None] = field(default_factory=list, compare=False)
    """By move: how long its player took; None for openings and dice."""


@dataclass
class Match:
    """The games of a match so far, and their statistics, from the first player's side."""

    players: tuple[str, str]
    seed: int
    planned: int
    games: list[MatchGame] = field(default_factory=list)
    ponder: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0), (0, 0)])
    """By player: how often the reply that it pondered was played, and how often it pondered one."""
    sprt: Sprt | None = None
    """The test that may end the match."""
    openings: str = ""
    """How games begin, in words."""
    conditions: dict[str, Any] = field(default_factory=dict)
    """What else holds for every game, as JSON."""
    ended: str = ""
    """Why the match ended before its last game, in a sentence."""

    @property
    def wins(self) -> int:
        return sum(game.score == 1 for game in self.games)

    @property
    def draws(self) -> int:
        return sum(game.score == 0.5 for game in self.games)

    @property
    def losses(self) -> int:
        return sum(game.score == 0 for game in self.games)

    @property
    def score(self) -> float:
        """The first player's share of the points; a draw is half a point."""
        return sum(game.score for game in self.games) / len(self.games) if self.games else 0.5

    @property
    def pairs(self) -> tuple[int, ...]:
        """How many pairs of games had each outcome: LL, LD, DD or WL, DW, WW. Incomplete pairs do not
        count."""
        points = defaultdict(list)
        for game in self.games:
            points[game.number // 2].append(game.score)
        counts = [0] * 5
        for pair in points.values():
            if len(pair) == 2:
                counts[int(2 * sum(pair))] += 1
        return tuple(counts)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true score lies with 95 % certainty."""
        return score_interval(self.score, self.pairs, len(self.games))

    @property
    def elo(self) -> tuple[float, float, float]:
        """The Elo difference that the score stands for, and the ends of its interval."""
        low, high = map(elo_difference, self.interval)
        return elo_difference(self.score), low, high

    @property
    def normalised_elo(self) -> tuple[float, float, float]:
        """The difference in normalised Elo, and the ends of its interval."""
        low, high = (normalised_elo(end, self.pairs) for end in self.interval)
        return normalised_elo(self.score, self.pairs), low, high

    @property
    def superiority(self) -> float:
        """The likelihood that the first player is the stronger one (LOS)."""
        return superiority(self.score, self.pairs, len(self.games))

    @property
    def llr(self) -> float | None:
        """The log-likelihood ratio of the test; None without a test."""
        return None if self.sprt is None else self.sprt.llr(self.pairs)

    @property
    def accepted(self) -> float | None:
        """The hypothesis that the test has accepted, in normalised Elo; None if there is none yet."""
        return None if self.sprt is None else self.sprt.accepted(self.pairs)
