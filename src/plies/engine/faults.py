"""Faults: results of a rule that no search can work with, and the error that reports them.

A kernel that meets a fault writes its number to `run.fault`, sets `run.stop` and returns. While it searches,
it keeps its ply in `run.ply`, and the actions that led there in `work.line`. So the driver can find the
state, call its rules again, interpreted, and name the rule, the state and the file. It does so as well for a
rule that raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plies.blame import broken_in_a_random_game, broken_rule, culprit
from plies.errors import BrokenRule, PliesError
from plies.game import Game, State
from plies.validation import MOST_ACTIONS
from plies.validation import ROUNDING as ROUNDING

MOVER, UTILITY, EVALUATION, ACTIONS, CHANCES, SUM, UTILITIES, PRIOR, PATTERN, BOUNDS = range(1, 11)
"""The faults: to_move() is no player; a utility or an evaluation is no number within the bounds; there are no
actions, or too many; probabilities are negative or do not sum to 1; utilities have another sum; there are too
many utilities that scores cannot distinguish; a prior is not two finite numbers from 0 on; a pattern has no
weight above 0; proved bounds cross, or are no numbers."""

WORDS = {
    MOVER: "to_move() is not the number of a player",
    UTILITY: "utility() is not a number within the bounds",
    EVALUATION: "evaluate() is not a number within the bounds",
    ACTIONS: f"actions() gives no action, or more than {MOST_ACTIONS:,}",
    CHANCES: "chance() gives probabilities that are negative or do not sum to 1",
    UTILITIES: "there are too many different utilities for the bounds: narrow the bounds to what occurs",
    SUM: "the utilities of the players do not sum to `total`",
    PATTERN: "pattern() is not the number of one of the pattern_weights, or that is not above 0",
    BOUNDS: "proved_bounds() is not a pair of numbers, the lower one first, within the bounds",
    PRIOR: "prior() is not a pair of finite numbers from 0 on",
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
    if error is not None and (found := culprit(game, error)):
        return found
    if found := broken_in_a_random_game(game) if state is None else broken_rule(game, state):
        return found
    words = WORDS[fault] if fault else f"a rule raised {type(error).__name__}: {error}"
    return BrokenRule(f"{words} (in {type(game).__name__}; `plies check` may find where)")
