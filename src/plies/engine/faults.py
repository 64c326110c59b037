"""Faults: results of a rule that no search can work with, and the error that reports them.

A kernel that meets a fault writes its number to `run.fault`, sets `run.stop` and returns. While it searches,
it keeps its ply in `run.ply`, and the actions that led there in `work.line`. So the driver can find the
state, call its rules again, interpreted, and name the rule, the state and the file. It does so as well for a
rule that raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from plies.errors import BrokenRule, PliesError
from plies.game import CHANCE, SIMULTANEOUS, Game, State
from plies.validation import (
    MOST_ACTIONS,
    capped,
    chance_problem,
    in_state,
    raised_by_rule,
)
from plies.validation import ROUNDING as ROUNDING
from plies.wrapper import Wrapper

MOVER, UTILITY, EVALUATION, ACTIONS, CHANCES, SUM, UTILITIES = range(1, 8)
"""The faults: to_move() is no player; a utility or an evaluation is no number within the bounds; there are no
actions, or too many; probabilities are negative or do not sum to 1; utilities have another sum; there are too
many utilities that scores cannot distinguish."""

WORDS = {
    MOVER: "to_move() is not the number of a player",
    UTILITY: "utility() is not a number within the bounds",
    EVALUATION: "evaluate() is not a number within the bounds",
    ACTIONS: f"actions() gives no action, or more than {MOST_ACTIONS:,}",
    CHANCES: "chance() gives probabilities that are negative or do not sum to 1",
    UTILITIES: "there are too many different utilities for the bounds: narrow the bounds to what occurs",
    SUM: "the utilities of the players do not sum to `total`",
}
"""What is reported of a fault that is not found again when interpreted."""


def fault(number: int, run: Any) -> int:
    """In a kernel: report a fault, which ends the search."""
    run.fault = number
    run.stop = 1
    return 0


def call(kernel: Callable[..., Any], game: Game, root: State, run: Any, work: Any, *args: Any) -> Any:
    """Run a kernel on positions below a root; if a rule is broken, raise `BrokenRule`."""
    run.fault = 0
    run.ply = 0
    try:
        answer = kernel(game, *args)
    except PliesError:
        raise
    except RecursionError:
        raise PliesError(
            f"the rules of {type(game).__name__} call each other too deeply for Python; search less deep"
        ) from None
    except Exception as error:  # a rule may raise anything
        raise broken(game, _reached(game, root, run, work), 0, error) from error
    if run.fault:
        raise broken(game, _reached(game, root, run, work), int(run.fault))
    return answer


def _reached(game: Game, root: State, run: Any, work: Any) -> State:
    """The state in which a kernel stopped, or the last one from which `result` leads on."""
    state = root
    try:
        for ply in range(int(run.ply)):
            action = work.line[ply]
            state = game.result(state, action.item() if hasattr(action, "item") else action)
    except Exception:  # this may be the broken rule, as the next call will show
        return state
    return state


def broken(game: Game, state: State | None, fault: int, error: BaseException | None = None) -> BrokenRule:
    """The error to raise for a fault, or for what a rule raised, in or just below a state."""
    if error is not None and (found := raised_by_rule(game, error)):
        return found
    for blamed in _layers(game):
        for rule, words, where in _found(blamed, state):
            return BrokenRule(f"{words} {in_state(blamed, where, rule)}")
    words = WORDS[fault] if fault else f"a rule raised {type(error).__name__}: {error}"
    return BrokenRule(f"{words} (in {type(game).__name__}; `plies check` may find where)")


def _layers(game: Game) -> Iterator[Game]:
    """A game, after the one it wraps: a wrapper only passes on what a rule of its game gives."""
    if isinstance(game, Wrapper):
        yield from _layers(game.game)
    yield game


def _found(game: Game, state: State | None) -> Iterator[tuple[str, str, State]]:
    """What is wrong in a state or the next ones: the rule, the problem, and the state."""
    if state is None:
        return
    wrong = problem(game, state)
    if wrong is not None:
        yield *wrong, state
        return
    try:
        if game.is_terminal(state):
            return
        chance = game.to_move(state) == CHANCE
        outcomes = [outcome for outcome, _ in game.chance(state)] if chance else game.actions(state)
        for action in outcomes:
            try:
                child = game.result(state, action)
            except Exception as error:
                yield "result", f"result() of {action!r} raised {type(error).__name__}: {error}", state
                return
            wrong = problem(game, child)
            if wrong is not None:
                yield *wrong, child
                return
    except Exception:  # `problem` of the state would have found it, had it been reproducible
        return


def problem(game: Game, state: State) -> tuple[str, str] | None:
    """The first broken rule in a state, and what is wrong with it."""
    rule = "is_terminal"
    try:
        low, high = game.bounds
        if game.is_terminal(state):
            rule = "utility"
            utilities = [game.utility(state, player) for player in range(game.players)]
            for player, utility in enumerate(utilities):
                if not low <= utility <= high:
                    return rule, f"utility() for player {player} is {utility}, not from {low} to {high},"
            total = game.total if game.players > 1 else None
            if total is not None and abs(math.fsum(utilities) - total) > ROUNDING * max(1, high):
                return rule, f"the utilities {utilities} do not sum to {total:g}, the total,"
            return None
        rule = "to_move"
        mover = game.to_move(state)
        at_once = mover == SIMULTANEOUS and game.simultaneous
        if mover != CHANCE and mover not in range(game.players) and not at_once:
            return rule, f"to_move() is {mover!r}, and not from 0 to {game.players - 1},"
        rule = "chance" if mover == CHANCE else "actions"
        outcomes = game.chance(state) if mover == CHANCE else game.actions(state)
        actions = list(capped(game, state, outcomes, rule))
        if mover == CHANCE:
            if wrong := chance_problem(game, actions):
                return wrong
        elif not actions:
            return rule, "actions() gives nothing, though the game is not over,"
        rule = "evaluate"
        for player in range(game.players):
            value = game.evaluate(state, player)
            if not low <= value <= high:
                return rule, f"evaluate() for player {player} is {value}, not from {low} to {high},"
        for rule in OPTIONAL:
            if game.has(rule) and mover != CHANCE:
                _ask(game, rule, state, actions)
    except BrokenRule as error:
        return rule, str(error)
    except Exception as error:  # a rule may raise anything
        return rule, f"{rule}() raised {type(error).__name__}: {error}"
    return None


OPTIONAL = (
    "key",
    "candidates",
    "noisy",
    "is_quiet",
    "null_move",
    "priority",
    "move_index",
    "symmetries",
    "repetition_value",
)
"""Rules that are checked if all others hold."""


def _ask(game: Game, rule: str, state: State, actions: list[Any]) -> None:
    """Call a rule, to see what it raises."""
    if rule in ("priority", "move_index"):
        for action in actions:
            getattr(game, rule)(state, action)
    elif rule in ("candidates", "noisy", "symmetries"):
        list(capped(game, state, getattr(game, rule)(state)))
    elif rule == "repetition_value":
        for player in range(game.players):
            value = game.repetition_value(state, player)
            if not game.bounds[0] <= value <= game.bounds[1]:
                raise ValueError(f"{value}, which is not from {game.bounds[0]} to {game.bounds[1]}")
    else:
        getattr(game, rule)(state)
