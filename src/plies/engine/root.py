"""The root of a search: what is checked before the kernel runs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from plies.blame import culprit
from plies.engine import faults
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, SIMULTANEOUS, Action, Game, State
from plies.history import legal_actions
from plies.validation import checked_players, checked_total, refuse_arrays


@contextlib.contextmanager
def blamed(game: Game, state: State | None) -> Iterator[None]:
    """Turn whatever a rule raises into `BrokenRule`, with the rule, the state and the file."""
    try:
        yield
    except PliesError:
        raise
    except Exception as error:  # a rule may raise anything
        raise faults.broken(game, state, 0, error) from error


@contextlib.contextmanager
def blaming(game: Game, state: State) -> Iterator[None]:
    """Turn an error in the search of a state into `BrokenRule`, if a rule is to blame."""
    try:
        yield
    except PliesError:
        raise
    except Exception as error:  # a rule may raise anything
        if broken := culprit(game, error, state):
            raise broken from error
        raise


def root_actions(game: Game, state: State, previous: Sequence[State] = ()) -> list[Action]:
    """The legal actions of a position; an error if there is nothing to search."""
    refuse_arrays(game, state)
    check_facts(game)
    with blamed(game, state):
        if game.is_terminal(state):
            raise PliesError("there is nothing to search: the game is over")
        mover = game.to_move(state)
        if mover == CHANCE and game.stochastic:
            raise PliesError("there is nothing to search: chance is to move")
        if mover not in range(game.players) and not (mover == SIMULTANEOUS and game.simultaneous):
            raise faults.broken(game, state, faults.MOVER)
        actions = legal_actions(game, state, previous)
        if not actions and not game.superko:
            raise faults.broken(game, state, faults.ACTIONS)
    if not actions:
        raise PliesError("there is nothing to search: the game is over")
    return actions


def check_facts(game: Game) -> None:
    """Check the game's `players` and `total`."""
    checked_players(game)
    checked_total(game)


def checked_lines(lines: Any) -> int:
    """The number of lines, checked."""
    if isinstance(lines, bool) or not isinstance(lines, int):
        raise BadParameter(f"the number of lines must be a whole number, not {lines!r}")
    if lines < 1:
        raise BadParameter(f"the number of lines must be 1 or more, not {lines}")
    return lines
