"""Checks of what a game says of itself, and messages that name the rule, file and line that went wrong."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from plies.errors import BadParameter, BrokenRule, Unsuitable

if TYPE_CHECKING:
    from plies.game import Game
    from plies.game_rules import Action, Rules, State

MOST_ACTIONS = 1 << 20
"""The most actions of a state; a rule that gives more is assumed to be endless. No known game comes near:
Arimaa averages 17,000."""

ROUNDING = 1e-9
"""The tolerance of sums of probabilities and of utilities: far above rounding errors, some 1e-16 each, and
far below a mistake. Not tuned."""

MOST_PLAYERS = 1000
"""The most players a game may have. Not tuned: far more than any game has."""


IN_TURN = "is for games in which players move in turn; in {} they move at once"
"""Why a game of simultaneous moves is refused, to follow a subject."""


def capped(game: Rules, state: State, actions: Iterable[Action], rule: str = "actions") -> Iterator[Action]:
    """The actions that a rule gives; more than `MOST_ACTIONS` raise `BrokenRule`, for they may be endless."""
    for number, action in enumerate(actions):
        if number >= MOST_ACTIONS:
            raise BrokenRule(
                f"{rule}() gives more than {MOST_ACTIONS:,} actions {in_state(game, state, rule)}"
            )
        yield action


def outcomes_in(game: Game, state: State) -> list[tuple[Action, float]]:
    """The outcomes of chance in a state, with their probabilities; `BrokenRule` unless these sum to 1."""
    outcomes = list(capped(game, state, game.chance(state), "chance"))
    if wrong := chance_problem(game, outcomes):
        rule, words = wrong
        raise BrokenRule(f"{words} {in_state(game, state, rule)}")
    return outcomes


def chance_problem(game: Game, outcomes: list[tuple[Action, float]]) -> tuple[str, str] | None:
    """The rule that is broken where chance decides, and what is wrong with it."""
    if not game.stochastic:
        return "to_move", "to_move() is CHANCE, though the game has no chance(),"
    if not outcomes:
        return "chance", "chance() gives nothing, though the game is not over,"
    try:
        chances = [chance for _, chance in outcomes]
        fair = all(chance >= 0 for chance in chances) and abs(math.fsum(chances) - 1) <= ROUNDING
    except (TypeError, ValueError):
        return "chance", f"chance() gives {outcomes[:6]!r}, not pairs of an outcome and its probability,"
    if not fair:
        return "chance", f"the probabilities {chances[:12]} do not sum to 1"
    return None


def in_state(game: Rules, state: State, rule: str, line: int | None = None) -> str:
    """Where something went wrong, for a message: the state, the rule, its file and line."""
    shown = repr(state)
    shown = shown if len(shown) <= 200 else f"{shown[:199]}…"
    return f"in the state {shown} ({place_of(game, rule, line)})"


def place_of(game: Rules, rule: str, line: int | None = None) -> str:
    """Where a rule of a game is defined: its name, file and line, the first line unless one is given."""
    function = inspect.unwrap(getattr(type(game), rule))
    name = f"{type(game).__name__}.{rule}"
    code = getattr(function, "__code__", None)
    return f"{name}, {code.co_filename}, line {line or code.co_firstlineno}" if code else name


def index_rule(game: Game) -> str:
    """The rule by which a game numbers its actions for learners."""
    return "action_index" if game.has("action_index") else "move_index"


def refuse_arrays(game: Game, state: State) -> None:
    """Raise `BrokenRule` for a state that holds a NumPy array: it is mutable and does not compare."""
    if field := _array_in(state):
        raise BrokenRule(
            f"{field} of {type(game).__name__} is a NumPy array, which is mutable and does not compare: "
            "use a tuple of numbers, or an int whose bits are the cells (`plies.bits`)"
        )


def _array_in(value: Any, name: str = "a state") -> str:
    """The part of a value that is an array, in words; "" if none is."""
    if hasattr(value, "__array_interface__") and getattr(value, "shape", ()) != ():
        return name
    if isinstance(value, tuple | list):
        names = getattr(value, "_fields", range(len(value)))
        found = (
            _array_in(item, f"field {field!r} of a state") for field, item in zip(names, value, strict=True)
        )
        return next(filter(None, found), "")
    return ""


def refuse_simultaneous(game: Game, subject: str) -> None:
    """Raise `Unsuitable` for a game of simultaneous moves, in a sentence about the subject."""
    if game.simultaneous:
        raise Unsuitable(f"{subject} {IN_TURN.format(type(game).__name__)}")


def checked_bounds(game: Game) -> tuple[float, float]:
    """The `bounds` of a game as floats; raises `BadParameter` unless they are two finite numbers in order."""
    try:
        low, high = map(float, game.bounds)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise BadParameter(
            f"the bounds of {type(game).__name__} are {game.bounds}: give two finite numbers, "
            "the least and the greatest utility there can be"
        )
    return low, high


def checked_players(game: Game) -> int:
    """The `players` of a game; raises `BadParameter` unless they are from 1 to `MOST_PLAYERS`."""
    players: Any = game.players
    if isinstance(players, bool) or not isinstance(players, int) or not 1 <= players <= MOST_PLAYERS:
        raise BadParameter(
            f"players of {type(game).__name__} must be between 1 and {MOST_PLAYERS:,}, not {players!r}"
        )
    return players


def checked_total(game: Game) -> float:
    """The sum of all players' utilities; infinity if it varies."""
    total: Any = game.total
    if total is None:
        return math.inf
    if isinstance(total, bool) or not isinstance(total, int | float) or not math.isfinite(total):
        raise BadParameter(
            f"the total of {type(game).__name__} is {total!r}: give the sum of all players' utilities, "
            "or None if it varies"
        )
    return float(total)
