"""Is this a game? `check_game` plays at random and tells in words which rules contradict each other."""

from __future__ import annotations

from collections.abc import Callable

from plies.check.report import Report, Statistics
from plies.game import Game

__all__ = ["Report", "Statistics", "check_game"]


def check_game(
    game: Game, games: int = 50, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Report:
    """Play random games and report every kind of broken rule, each with the first place where it showed.

    `progress` is called with the number of games played so far, and with how many there will be.
    """
    from plies.check.examiner import Examiner

    return Examiner(game, seed).examine(games, progress)
