"""Blame: which rule of a game is broken, and in which state, for the sentence that says so."""

from __future__ import annotations

import inspect
import math
import operator
import random
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from plies.errors import BrokenRule
from plies.game import CHANCE, SIMULTANEOUS, Game, State
from plies.game_heuristics import NO_ACTION
from plies.rules import RULES
from plies.validation import ROUNDING, capped, chance_problem, in_state, place_of
from plies.wrapper import Wrapper


def culprit(game: Game, error: BaseException, *states: State) -> BrokenRule | None:
    """The `BrokenRule` to raise for an error in a search: a rule raised it, or gave what is of no use.

    That is found in the states that the search was at, or else in those given. None if no rule is to blame.
    """
    if found := _raised_by_rule(game, error):
        return found
    for state in (*_searched(error), *states):
        if found := broken_rule(game, state):
            return found
    return None


def _raised_by_rule(game: Game, error: BaseException) -> BrokenRule | None:
    """The `BrokenRule` to raise for an error that a rule of the game raised; None if no rule did."""
    trace = error.__traceback__
    found = None
    blamed: Any = game
    rules = _rules(blamed)
    while trace is not None:
        code, known = trace.tb_frame.f_code, trace.tb_frame.f_locals
        if code in rules:
            rule, line = rules[code], trace.tb_lineno
            place = f"({place_of(blamed, rule, line)})"
            if code.co_argcount > 1:  # a state after `self`
                place = in_state(blamed, known[code.co_varnames[1]], rule, line)
            found = BrokenRule(f"{rule}() raised {type(error).__name__}: {error} {place}")
            if isinstance(blamed, Wrapper):  # which only passes on what a rule of its game raised
                blamed = blamed.game
                rules = _rules(blamed)
            elif getattr(Game, rule) is not getattr(type(blamed), rule):
                break  # the outermost rule is to blame, whatever it calls in turn, unless it is a default
        trace = trace.tb_next
    return found


def _rules(game: Game) -> dict[CodeType, str]:
    """The rules of a game by their code."""
    functions = {rule.name: inspect.unwrap(getattr(type(game), rule.name)) for rule in RULES}
    return {function.__code__: name for name, function in functions.items() if hasattr(function, "__code__")}


def _searched(error: BaseException) -> Iterator[State]:
    """The states that a search was at when it failed, the last one first."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame.f_locals)
        trace = trace.tb_next
    for known in reversed(frames):
        if known.get("state") is not None:
            yield known["state"]
        elif hasattr(known.get("node"), "state"):
            yield known["node"].state


def broken_rule(game: Game, state: State) -> BrokenRule | None:
    """What is wrong in a state or the next ones, as an error; None if nothing is."""
    if isinstance(game, Wrapper) and (found := broken_rule(game.game, state)):
        return found  # a wrapper only passes on what a rule of its game gives
    for rule, words, where in _found(game, state):
        return BrokenRule(f"{words} {in_state(game, where, rule)}")
    return None


RANDOM_STATES = 1000
"""The states of random games that are looked at for a broken rule. Not tuned."""


def broken_in_a_random_game(game: Game) -> BrokenRule | None:
    """What is wrong in one of the states that random games go through; None if nothing is."""
    rng, state = random.Random(0), None
    for _ in range(RANDOM_STATES):
        try:
            if state is None:
                state = game.initial()
            if found := broken_rule(game, state):
                return found
            if game.is_terminal(state):
                state = None
                continue
            chance = game.to_move(state) == CHANCE
            moves = [one for one, _ in game.chance(state)] if chance else list(game.actions(state))
            state = game.result(state, rng.choice(moves))
        except Exception:  # `broken_rule` would have found it, had it been reproducible
            return None
    return None


def _found(game: Game, state: State) -> Iterator[tuple[str, str, State]]:
    """What is wrong in a state or the next ones: the rule, the problem, and the state."""
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
                if not _is_within(utility, low, high):
                    return rule, f"utility() for player {player} is {utility!r}, not from {low} to {high},"
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
            if not _is_within(value, low, high):
                return rule, f"evaluate() for player {player} is {value!r}, not from {low} to {high},"
        for rule in OPTIONAL:
            asked = game.has(rule) and mover != CHANCE
            if asked and (words := _optional_problem(game, rule, state, actions)):
                return rule, words
    except BrokenRule as error:
        return rule, str(error)
    except Exception as error:  # a rule may raise anything
        return rule, f"{rule}() raised {type(error).__name__}: {error}"
    return None


def _is_within(value: Any, low: float, high: float) -> bool:
    try:
        return bool(low <= value <= high)
    except (TypeError, ValueError):  # no number at all
        return False


def _is_whole(value: Any) -> bool:
    try:
        return -(1 << 63) <= operator.index(value) < 1 << 63
    except TypeError:
        return False


def _is_real(value: Any) -> bool:
    return _is_within(value, -math.inf, math.inf) or value != value


def _is_truth(value: Any) -> bool:
    return getattr(value, "shape", ()) == ()


WHOLE, REAL = (_is_whole, "a whole number of 64 bits"), (_is_real, "a number")


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


OPTIONAL: dict[str, tuple[Callable[[Any], bool], str] | None] = {
    "identity": (_is_hashable, "hashable"),
    "key": WHOLE,
    "repetition_key": WHOLE,
    "plies_left": WHOLE,
    "core": (_is_hashable, "hashable"),
    "features": None,
    "planes": None,
    "phase": WHOLE,
    "candidates": None,
    "noisy": None,
    "is_quiet": (_is_truth, "true or false"),
    "null_move": None,
    "exchange": REAL,
    "priority": REAL,
    "move_index": WHOLE,
    "playout": None,
    "pattern": None,
    "prior": None,
    "symmetries": None,
    "proved_bounds": None,
    "repetition_value": REAL,
}
"""Rules that are checked if all others hold, and what their answers must be."""


def _optional_problem(game: Game, rule: str, state: State, actions: list[Any]) -> str:
    """What is wrong with an optional rule in a state; "" if nothing is, and it may raise."""
    if rule in ("candidates", "noisy", "symmetries"):
        list(capped(game, state, getattr(game, rule)(state), rule))
        return ""
    if rule == "playout":
        action = game.playout(state, 0, NO_ACTION, NO_ACTION)
        return "" if action in actions else f"playout() is {action!r}, which is not one of the actions,"
    if rule == "pattern":
        for action in actions:
            number = game.pattern(state, action, NO_ACTION)
            if not _is_whole(number) or not 0 <= number < len(game.pattern_weights):
                return f"pattern() is {number!r}, for which there is none of the pattern_weights,"
            if not 0 < game.pattern_weights[number] < math.inf:
                return f"pattern() is {number!r}, whose weight is not a finite number above 0,"
        return ""
    if rule == "prior":
        for action in actions:
            won, lost = game.prior(state, action, NO_ACTION)
            if not (0 <= won < math.inf and 0 <= lost < math.inf):
                return f"prior() is {(won, lost)!r}, and not a pair of finite numbers from 0 on,"
        return ""
    if rule == "proved_bounds":
        low, high = game.proved_bounds(state, *game.bounds)
        within = low <= high and low <= game.bounds[1] and high >= game.bounds[0]
        return "" if within else f"proved_bounds() is {(low, high)!r}, and no range within the bounds,"
    if rule in ("priority", "exchange", "move_index"):
        answers = [getattr(game, rule)(state, action) for action in actions]
    elif rule in ("planes", "repetition_value"):
        answers = [getattr(game, rule)(state, player) for player in range(game.players)]
    else:
        answers = [getattr(game, rule)(state)]
    fits, what = OPTIONAL[rule] or (lambda _: True, "")
    for answer in answers:
        if not fits(answer):
            return f"{rule}() is {answer!r}, and not {what},"
        if rule == "repetition_value" and not _is_within(answer, *game.bounds):
            low, high = game.bounds
            return f"{rule}() is {answer!r}, and not from {low} to {high},"
    return ""
