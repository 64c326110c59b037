"""`check_game`: plays random games and reports which rules contradict each other."""

from __future__ import annotations

from collections.abc import Callable

from plies.check.report import Report, Statistics
from plies.errors import BadParameter
from plies.game import Game

__all__ = ["Report", "Statistics", "check_game"]


def check_game(
    game: Game, games: int = 50, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Report:
    """Play random games and report each kind of broken rule, with the first position where it showed.

    `progress` is called after each game with the number of games played, and of all games.
    """
    from plies.check.examiner import Examiner

    if games < 1:
        raise BadParameter(f"the number of random games must be at least 1, not {games}")
    return Examiner(game, seed).examine(games, progress)
