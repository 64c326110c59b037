"""What learners need of a game: a fixed number of move indices, and planes of one shape."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from plies.check.values import is_whole
from plies.game import SIMULTANEOUS, Action, State
from plies.validation import index_rule

if TYPE_CHECKING:
    from plies.check.examiner import Examiner


def check_indices(examiner: Examiner, state: State, mover: int, actions: list[Action]) -> None:
    """Whether the actions of a state, or of each player who chooses, have indices of their own, below
    `move_indices`."""
    game, ask = examiner.game, examiner.ask
    if not is_whole(game.move_indices):
        examiner.problem("move_indices", f"move_indices is {game.move_indices!r}, not a whole number")
        return
    sides = [actions]
    if mover == SIMULTANEOUS:
        sides = [list(ask("choices", state, player)) for player in range(game.players)]
    rule = index_rule(game)
    for side in sides:
        indices = [ask(rule, state, action) for action in side]
        if not all(is_whole(index) and 0 <= index < game.move_indices for index in indices):
            examiner.problem(
                "move_indices", f"{rule}() is not always below the {game.move_indices} there are"
            )
        elif len(set(indices)) < len(indices):
            examiner.problem("shared index", f"{rule}() is the same for two actions of a state")


def check_planes(examiner: Examiner, state: State) -> None:
    """Whether there are as many planes as at first, and a shape to read them by."""
    game, ask = examiner.game, examiner.ask
    if not game.plane_shape or math.prod(game.plane_shape) < 1:
        examiner.problem("plane_shape", f"there are planes, but plane_shape is {game.plane_shape!r}")
    count = len(ask("planes", ask("initial"), 0))
    if order := tuple(game.other_view):
        own, other = ask("planes", state, 0), ask("planes", state, 1)
        if sorted(order) != list(range(count)) or other != tuple(own[number] for number in order):
            examiner.problem("other_view", "planes() of player 1 are not those of player 0 in the other_view")
    if not 0 <= ask("phase", state) < game.phases:
        examiner.problem("phase", f"phase() is {ask('phase', state)!r}, not from 0 to {game.phases - 1}")
    for player in range(game.players):
        planes = ask("planes", state, player)
        if len(planes) != count or count == 0:
            examiner.problem(
                "planes", f"planes() gives {len(planes)} planes, and {count} at first: give the same"
            )
