"""Utilities and EVAL within the bounds of a game, by which Star1 and Star2 prune."""

from __future__ import annotations

from plies.book.decision import Evaluation
from plies.errors import BadParameter
from plies.game import Game, State
from plies.validation import checked_bounds


def within_bounds(game: Game, evaluate: Evaluation | None) -> tuple[float, float, Evaluation, Evaluation]:
    """The least and the greatest utility of a game; and its utility and EVAL, which must lie between them."""
    low, high = checked_bounds(game)

    def checked(name: str, function: Evaluation) -> Evaluation:
        def between(state: State, player: int) -> float:
            value = function(state, player)
            if not low <= value <= high:
                raise BadParameter(
                    f"{name} is {value:g}, and pruning at chance nodes needs it within the bounds of "
                    f"{type(game).__name__}, {low:g} to {high:g}"
                )
            return value

        return between

    return low, high, checked("a utility", game.utility), checked("EVAL", evaluate or game.evaluate)
