"""Thinking on the opponent's time: the reply that is expected, and whether there are cores to spare."""

from __future__ import annotations

from collections.abc import Sequence

from plies.cores import usable_cores
from plies.engine.result import SearchResult
from plies.game import CHANCE, Action, Game, State
from plies.history import History


def too_few_cores(needed: int = 2) -> str:
    """Why nobody can think on the opponent's time, in a sentence; "" if they can.

    Whoever ponders needs a core besides those that others use meanwhile.
    """
    cores = usable_cores()
    if cores >= needed:
        return ""
    return f"thinking on the opponent's time needs {needed} cores here, and there {_are(cores)}"


def _are(cores: int) -> str:
    return "is 1" if cores == 1 else f"are {cores}"


def after_expected_reply(
    game: Game, found: SearchResult, state: State, previous: Sequence[State] = ()
) -> tuple[Action, History | None]:
    """The reply that a search expects to its own move, and the game after it, where the search can go on.

    `state` is the one after the move that was found. Nothing, twice, if its line ends there, or dice follow.
    """
    if len(found.line) < 2 or game.result(found.state, found.line[0]) != state:
        return None, None
    after, expected = History(game, state, previous), found.line[1]
    if after.over or game.to_move(state) == CHANCE or expected not in after.legal():
        return None, None
    after.play(expected)
    if after.over or game.to_move(after.state) == CHANCE:
        return None, None
    return expected, after
