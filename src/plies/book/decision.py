"""What the book's algorithms share: their arguments, their decisions, and their errors."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, TypeVar

from plies.blame import culprit
from plies.book.plan import Plan
from plies.book.rollouts import evaluation_of
from plies.errors import BadParameter, BrokenRule, PliesError
from plies.game import CHANCE, SIMULTANEOUS, Action, Game, State
from plies.matrix import MatrixGame
from plies.needs import ANY, Needs
from plies.validation import capped, checked_players, checked_total, in_state, outcomes_in

V_co = TypeVar("V_co", covariant=True)
P = ParamSpec("P")
R = TypeVar("R")

Line = tuple[Action, ...]
"""Actions in the order they are played."""

Evaluation = Callable[[State, int], float]
"""A static evaluation (EVAL): an estimate of a state's value to a player. Where the book's algorithms take
one, they take its name as well: "rollouts:50", see `rollout_evaluation`."""

Cutoff = Callable[[State, int], bool]
"""A cut-off test (CUTOFF-TEST): whether the search stops at a state, so many plies below the root."""


@dataclass(frozen=True)
class Decision(Generic[V_co]):
    """The result of an algorithm: the value of the state, and the line of play if all play their best."""

    value: V_co
    line: Line = ()
    plan: Plan | None = None
    """What to do in every case; only from AND-OR search."""
    matrix: MatrixGame | None = field(default=None, repr=False)
    """Where all move at once: the matrix game of the state, with the mixed strategies that solve it."""

    @property
    def action(self) -> Action:
        """The action to take; None if there is nothing to decide."""
        return self.line[0] if self.line else None


def start(game: Game, state: State | None, player: int | None) -> tuple[State, int]:
    """The state to search from, and the player to search for: by default, the one to move."""
    checked_players(game)
    checked_total(game)
    if state is None:
        state = game.initial()
    if player is None:
        mover = CHANCE if game.is_terminal(state) else game.to_move(state)
        return state, 0 if mover in (CHANCE, SIMULTANEOUS) else mover
    if player not in range(game.players):
        raise BadParameter(f"{type(game).__name__} has players 0 to {game.players - 1}, not {player!r}")
    return state, player


def player_to_move(game: Game, state: State) -> int:
    """The player to move; `BrokenRule` if that is no player."""
    mover: int = game.to_move(state)
    if mover not in range(game.players):
        where = in_state(game, state, "to_move")
        raise BrokenRule(f"to_move() is {mover!r}, and not from 0 to {game.players - 1}, {where}")
    return mover


def actions_in(game: Game, state: State) -> list[Action]:
    """The actions in a state, or the outcomes of chance there; `BrokenRule` if there are none."""
    if game.to_move(state) == CHANCE:
        return [outcome for outcome, _ in outcomes_in(game, state)]
    actions = list(capped(game, state, game.actions(state)))
    if not actions:
        raise BrokenRule(f"actions() gives no action {in_state(game, state, 'actions')}")
    return actions


def depth_bound(depth: int | None) -> float:
    """The ply at which a search stops; infinity if there is no bound."""
    if depth is None:
        return math.inf
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise BadParameter(f"depth must be a whole number from 0 on, not {depth!r}")
    return depth


def cutoff_test(depth: int | None, cutoff: Cutoff | None) -> Callable[[State, int], str]:
    """Why a search stops at a state and ply, "depth" or "cutoff"; "" where it goes on."""
    bound = depth_bound(depth)

    def test(state: State, ply: int) -> str:
        if ply == bound:
            return "depth"
        return "cutoff" if cutoff is not None and cutoff(state, ply) else ""

    return test


def at_least_one(**given: int) -> None:
    """Raise `BadParameter` for an argument that is not a whole number from 1 on."""
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise BadParameter(f"{name} must be a whole number from 1 on, not {value!r}")


def hurried(utility: float, ply: int, quick: float | None, draw: float = 0.0) -> float:
    """The utility of a game that ended at a ply, with a preference for the quicker win and the slower loss.

    With quick = 10, a win at ply 3 becomes 10 - 3 and a loss 3 - 10; a draw stays 0.
    """
    if quick is None:
        return utility
    if utility != draw and quick * abs(utility - draw) <= ply:
        raise BadParameter(f"quick={quick:g} is too small for a game that ends at ply {ply}: give more")
    return quick * utility + (ply if utility < draw else -ply if utility > draw else 0)


def recursive(search: Callable[P, R]) -> Callable[P, R]:
    """Turn the errors of a search into sentences: it exhausts Python's stack, or a rule raises."""

    @functools.wraps(search)
    def run(*args: P.args, **options: P.kwargs) -> R:
        try:
            return search(*args, **options)
        except RecursionError as error:
            raise PliesError("the game is too long for Python's recursion limit: give a depth") from error
        except PliesError:
            raise
        except Exception as error:  # a rule may raise anything
            if broken := culprit(_game(*args, **options), error):
                raise broken from error
            raise

    return run


@dataclass(frozen=True)
class About:
    """The facts of an algorithm of the book."""

    name: str
    needs: Needs
    """The games it serves."""
    label: str
    """Its name on the Learn page."""
    exact: bool
    """Whether its value, searched to the end, is that of the game."""
    chooses: bool
    """Whether it chooses the best action; others search for a plan or a path to a goal."""
    rounds: bool
    """Whether its depth counts rounds, a move of every player, instead of plies."""
    budget: str
    """The argument that says how long it searches, best first; "" if it searches to a depth."""
    predictable: bool
    """Whether its values can be worked out by hand, for practice."""
    takes: tuple[str, ...]
    """Its parameters, by name."""


def algorithm(
    name: str,
    needs: Needs = ANY,
    subject: str = "",
    *,
    label: str = "",
    exact: bool = True,
    chooses: bool = True,
    rounds: bool = False,
    budget: str = "",
    predictable: bool = True,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function an algorithm of the book: of that name, for games that meet its needs.

    The error for another game is about the `subject`, or else about the name. The rest is that of `About`.
    """

    def decorate(search: Callable[P, R]) -> Callable[P, R]:
        guarded = recursive(search)
        takes = tuple(inspect.signature(search).parameters)

        @functools.wraps(search)
        def run(*args: P.args, **options: P.kwargs) -> R:
            needs.check(_game(*args, **options), subject or name)
            if "evaluate" in options:
                options["evaluate"] = evaluation_of(_game(*args, **options), options["evaluate"])  # type: ignore[arg-type]
            return guarded(*args, **options)

        facts = About(name, needs, label or name, exact, chooses, rounds, budget, predictable, takes)
        run.about = facts  # type: ignore[attr-defined]
        return run

    return decorate


def _game(*args: Any, **options: Any) -> Game:
    """The game that a search was called with."""
    game: Game = args[0] if args else options["game"]
    return game
