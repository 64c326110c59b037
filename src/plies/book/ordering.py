"""Which actions are searched, and in what order: by EVAL of what they lead to, and by a width."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plies.book.decision import Evaluation
from plies.book.recorder import Recorder
from plies.errors import BadParameter
from plies.game import Action, Game, State

Width = int | Sequence[int] | Callable[[int, State], int]
"""How many actions of a position are searched: a number; one for each ply, the last for all below it too; or
a rule, which is given the ply and the state."""


def best_first(game: Game, state: State, player: int, evaluate: Evaluation, trace: Recorder) -> list[Action]:
    """The actions of a state by EVAL of what they lead to: highest first if it is the player's move, else
    lowest first. Equals stay in the game's order."""

    def estimate(action: Action) -> float:
        after = game.result(state, action)
        return game.utility(after, player) if game.is_terminal(after) else evaluate(after, player)

    looked_at = [(estimate(action), action) for action in game.actions(state)]
    looked_at.sort(key=lambda pair: pair[0], reverse=game.to_move(state) == player)
    trace.order("evaluation", [action for _, action in looked_at], [value for value, _ in looked_at])
    return [action for _, action in looked_at]


def width_rule(width: Width) -> Callable[[int, State], int]:
    """The rule that a width stands for: how many actions of a state at a ply are searched."""

    def rule(ply: int, state: State) -> int:
        if callable(width):
            return checked(width(ply, state))
        return width[min(ply, len(width) - 1)] if isinstance(width, Sequence) else width

    def checked(number: int) -> int:
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise BadParameter(f"width must be 1 action or more, not {number!r}")
        return number

    if isinstance(width, Sequence):
        if not width:
            raise BadParameter("width must be 1 action or more, or such a number for each ply: there is none")
        for number in width:
            checked(number)
    elif not callable(width):
        checked(width)
    return rule
