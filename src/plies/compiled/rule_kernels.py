"""Each rule as a kernel of its own, to test which of them compile, and whether their results are the same."""

from __future__ import annotations

from collections.abc import Callable, Container

import numpy as np

from plies import bits, rules
from plies.compiled import Kernel
from plies.errors import NotCompilable
from plies.game import CHANCE, SIMULTANEOUS, Game

RULE_KERNELS: dict[str, Kernel] = {}
"""By the name of a rule: a kernel that returns all of the rule's results in a state.

Where a rule does not apply, such as `utility` of a state that is not terminal, it returns an empty list.
"""


def _trial(function: Callable[..., object]) -> Callable[..., object]:
    RULE_KERNELS[function.__name__.lstrip("_")] = Kernel(function, rule=function.__name__.lstrip("_"))
    return function


def omitted(game: Game) -> dict[str, NotCompilable]:
    """The rules of a game that do not compile, if searches can omit all of them."""
    failing = failures(game)
    return failing if can_omit(game, failing) else {}


def can_omit(game: Game, failing: Container[str]) -> bool:
    """Whether searches are correct without some of a game's rules."""
    return not any(
        rule.name in failing
        and rule.name not in rules.UNSEARCHED
        and (not rule.dispensable or (game.forcing and rule.name in rules.FORCING))
        for rule in rules.RULES
    )


def failures(game: Game, also: Container[str] = ()) -> dict[str, NotCompilable]:
    """The rules of a game that searches need and that do not compile, each with the reason.

    Of the `UNSEARCHED`, those in `also` are tried.
    """
    failing = {}
    state = game.initial()
    for rule in rules.RULES:
        left_out = rule.name in rules.UNSEARCHED and rule.name not in also
        if not rule.optional or (game.has(rule.name) and not left_out):
            try:
                RULE_KERNELS[rule.name].compiled_for(game, state)
            except NotCompilable as reason:
                if reason.__cause__ is not None:  # such as a lack of memory: it may compile another time
                    raise
                failing[rule.name] = reason
                if not rule.optional:
                    break  # no other can be tested without it
    return failing


# -- The kernels. None calls a rule where it does not apply.
# ruff: noqa: C416  (list() of a generator does not compile)
# mypy: disable-error-code="no-untyped-def"


@_trial
def _initial(game, state):
    return game.initial()


@_trial
def _to_move(game, state):
    return -3 if game.is_terminal(state) else int(game.to_move(state))


@_trial
def _is_terminal(game, state):
    return bool(game.is_terminal(state))


@_trial
def _actions(game, state):
    return [action for action in game.actions(state)]


@_trial
def _result(game, state):
    return [game.result(state, action) for action in game.actions(state)]


@_trial
def _utility(game, state):
    players = game.players if game.is_terminal(state) else 0
    return [1.0 * game.utility(state, player) for player in range(players)]


@_trial
def _chance(game, state):
    outcomes = [(action, 0.0) for action in game.actions(state)]
    outcomes.clear()
    if not game.is_terminal(state) and game.to_move(state) == CHANCE:
        for action, probability in game.chance(state):
            outcomes.append((action, 1.0 * probability))
    return outcomes


@_trial
def _choices(game, state):
    found = [[choice for choice in game.choices(state, 0)]]
    found.clear()
    if not game.is_terminal(state) and game.to_move(state) == SIMULTANEOUS:
        for player in range(game.players):
            found.append([choice for choice in game.choices(state, player)])
    return found


@_trial
def _evaluate(game, state):
    players = 0 if game.is_terminal(state) or game.to_move(state) == CHANCE else game.players
    return [1.0 * game.evaluate(state, player) for player in range(players)]


@_trial
def _evaluate_action(game, state):
    found = [0.0]
    found.clear()
    if not game.is_terminal(state) and game.to_move(state) != CHANCE:
        for action in game.actions(state):
            found.append(1.0 * game.evaluate_action(state, action))
    return found


@_trial
def _identity(game, state):
    return game.identity(state)


@_trial
def _key(game, state):
    return game.key(state)


@_trial
def _repetition_key(game, state):
    return game.repetition_key(state)


@_trial
def _plies_left(game, state):
    return int(game.plies_left(state))


@_trial
def _repetition_value(game, state):
    players = 0 if game.is_terminal(state) else game.players
    return [1.0 * game.repetition_value(state, player) for player in range(players)]


@_trial
def _core(game, state):
    return game.core(state)


@_trial
def _stage(game, state):
    return int(game.stage(state))


@_trial
def _index(game, state):
    return int(game.index(state))


@_trial
def _state_at(game, state):
    found = [state]
    found.clear()
    if game.index(state) >= 0:
        found.append(game.state_at(game.stage(state), game.index(state)))
    return found


@_trial
def _earned(game, state):
    return 1.0 * game.earned(state)


@_trial
def _points_and_rest(game, state):
    points, rest = game.points_and_rest(state)
    return 1.0 * points, bits.hash64(rest), bits.check64(rest)


@_trial
def _features(game, state):
    if game.is_terminal(state):
        return np.zeros(0)
    return np.array(game.features(state), np.float64)


@_trial
def _encode(game, state):
    into = np.zeros(game.encoding_size, np.float64)
    if not game.is_terminal(state):
        game.encode(state, 0, into)
    return into


@_trial
def _planes(game, state):
    return [game.planes(state, player) for player in range(game.players)]


@_trial
def _phase(game, state):
    return int(game.phase(state))


@_trial
def _candidates(game, state):
    found = [action for action in game.actions(state)]
    found.clear()
    if not game.is_terminal(state) and game.to_move(state) != CHANCE:
        for action in game.candidates(state):
            found.append(action)
    return found


@_trial
def _priority(game, state):
    return [1.0 * game.priority(state, action) for action in game.actions(state)]


@_trial
def _noisy(game, state):
    found = [action for action in game.actions(state)]
    found.clear()
    if not game.is_terminal(state) and game.to_move(state) != CHANCE:
        for action in game.noisy(state):
            found.append(action)
    return found


@_trial
def _exchange(game, state):
    found = [0.0]
    found.clear()
    if not game.is_terminal(state) and game.to_move(state) != CHANCE:
        for action in game.noisy(state):
            found.append(1.0 * game.exchange(state, action))
    return found


@_trial
def _is_quiet(game, state):
    asked = 0 if game.is_terminal(state) else 1
    return [bool(game.is_quiet(state)) for _ in range(asked)]


@_trial
def _null_move(game, state):
    asked = 0 if game.is_terminal(state) or game.to_move(state) == CHANCE else 1
    return [game.null_move(state) for _ in range(asked)]


@_trial
def _symmetries(game, state):
    return [image for image in game.symmetries(state)]


@_trial
def _playout(game, state):
    asked = 0 if game.is_terminal(state) or game.to_move(state) == CHANCE else 3
    found = [game.playout(state, 4611686018427387847 + number, -1, -1) for number in range(asked)]
    if asked:
        for action in game.actions(state):  # as if it had been the last
            found.append(game.playout(state, 4611686018427387847, action, -1))
    return found


@_trial
def _pattern(game, state):
    found = [0]
    found.clear()
    if not game.is_terminal(state) and game.to_move(state) != CHANCE:
        for action in game.actions(state):
            found.append(int(game.pattern(state, action, -1)))
    return found


@_trial
def _prior(game, state):
    found = [(0.0, 0.0)]
    found.clear()
    if not game.is_terminal(state) and game.to_move(state) != CHANCE:
        for action in game.actions(state):
            won, lost = game.prior(state, action, -1)
            found.append((1.0 * won, 1.0 * lost))
    return found


@_trial
def _move_index(game, state):
    return [int(game.move_index(state, action)) for action in game.actions(state)]


@_trial
def _proved_bounds(game, state):
    found = [(0.0, 0.0)]
    found.clear()
    if not game.is_terminal(state) and game.to_move(state) != CHANCE:
        least, most = game.bounds
        for i in range(5):  # windows of a quarter of the range, and one of all
            alpha = least + (most - least) * (i - 0.5) / 4
            low, high = game.proved_bounds(state, alpha, alpha + (most - least) / (4 if i < 4 else 1))
            found.append((1.0 * low, 1.0 * high))
    return found
