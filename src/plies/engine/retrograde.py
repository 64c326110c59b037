"""Solving by way of all states: retrograde analysis where positions come up again, or value iteration."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plies.engine.limit import Limit
from plies.engine.probing import unprobable
from plies.engine.solution import Solution, check_going_on
from plies.engine.value import Value
from plies.errors import BadParameter, PliesError, PliesWarning
from plies.game import CHANCE, Game, State
from plies.retrograde.checkpoint import Checkpoint
from plies.retrograde.database import Database, Entry
from plies.retrograde.indexed import stages_of
from plies.retrograde.kept import kept_databases
from plies.retrograde.make import make_database
from plies.retrograde.progress import Progress
from plies.retrograde.value_iteration import TOLERANCE, value_iteration

LARGEST = 1 << 25
"""The most numbers of an ending of which a database is made for a search: some ten seconds of two cores.
Kalah (6,4) is solved in 45 to 54 s with endings of up to 14 seeds, in 59 s with 13, and in 45 s with 15."""


class _LimitReached(Exception):
    """Raised within an analysis to end it."""


class _Watch:
    """Ends an analysis at a limit, and shows how far it is."""

    def __init__(self, limit: Limit, show: Callable[[str], None]) -> None:
        self.limit, self.show = limit, show
        self.begin = time.perf_counter()
        self.shown = self.begin
        self.states = 0

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begin

    def __call__(self, progress: Progress) -> None:
        self.states = progress.states
        if self.limit.time is not None and self.seconds >= self.limit.time:
            raise _LimitReached(f"the limit of {self.limit.time:g} seconds was reached")
        if self.limit.nodes is not None and self.states > self.limit.nodes:
            raise _LimitReached(f"the limit of {self.limit.nodes:,} nodes was reached")
        if sys.stderr.isatty() and time.perf_counter() - self.shown > 0.2:
            self.shown = time.perf_counter()
            done = f"{progress.done:,} of {progress.states:,} positions"
            self.show(f"plies: {progress.phase}: {done}, {self.states / self.seconds:,.0f} a second …")


class DatabaseSolver:
    """Solves positions of one game by looking them up in a database."""

    def __init__(self, game: Game, database: Database) -> None:
        self.game, self.database = game, database

    @property
    def rests_on(self) -> str:
        """What a proof rests on, in a sentence."""
        file = "" if self.database.path is None else f", read from {self.database.path.name}"
        return f"The values of {len(self.database):,} positions, by retrograde analysis{file}."

    def solve(self, state: State) -> Solution:
        """The value of a position; where a clock may end the game before a win, bounds of it."""
        game, database = self.game, self.database
        entry, mover = database.probe(state), game.to_move(state)
        if entry is None:
            raise PliesError("the position is not in the database")
        utility = entry.utility if mover == 0 else 2 * game.draw_value - entry.utility
        # Where something is earned, distances are those to where the rest is a draw.
        told = utility != game.draw_value and not game.has("earned")
        value = Value.of(game, utility, True, entry.plies if told else None)
        action = database.actions(state)[0][0]
        reason = self._obstacle(state, entry) if value.lead else ""
        if not reason:
            return Solution(state, value, value, action, 0, 0.0, solver=self)
        low, high = sorted((Value.of(game, game.draw_value, True), replace(value, plies=None)))
        return Solution(state, low, high, action if value.lead > 0 else None, 0, 0.0, reason, self)

    def _obstacle(self, state: State, entry: Entry) -> str:
        """Why a win may not be played out, in words."""
        if not self.game.has("plies_left") or entry.plies is None:
            return ""
        left = self.game.plies_left(state)
        if entry.plies > left:
            return f"the end is {entry.plies} plies away, and the clock leaves {left}"
        if (
            len(self.database.utilities) > 3
        ):  # an error of the loser may lead to a greater win that takes longer
            return f"wins differ, so the clock, which leaves {left} plies, may end the game first"
        return ""


def solve_by_retrograde(
    game: Game,
    state: State,
    limit: Limit,
    memory: float,
    show: Callable[[str], None],
    checkpoint: Checkpoint | None = None,
) -> Solution:
    """The exact value of a position, with the plies to the end, from those of all states that it leads to.

    A database that was made before is used.
    """
    check_going_on(game, state)
    watch = _Watch(limit, show)
    for kept in kept_databases(game):
        if kept.find(state) >= 0:
            return replace(DatabaseSolver(game, kept).solve(state), seconds=watch.seconds)
    try:
        database = make_database(game, roots=[state], memory=memory, progress=watch, checkpoint=checkpoint)
    except (_LimitReached, KeyboardInterrupt) as stopped:
        return _nothing(game, state, watch, str(stopped) or "it was interrupted")
    if checkpoint is not None:
        checkpoint.remove()
    solution = DatabaseSolver(game, database).solve(state)
    return replace(solution, nodes=len(database), seconds=watch.seconds)


def solve_by_value_iteration(
    game: Game,
    state: State,
    limit: Limit,
    memory: float,
    show: Callable[[str], None],
    checkpoint: Checkpoint | None = None,
) -> Solution:
    """Bounds of the expected value of a position, as close as 1e-9, and an action that attains it."""
    check_going_on(game, state)
    if game.to_move(state) == CHANCE:
        raise PliesError("there is nothing to solve: chance is to move")
    watch = _Watch(limit, show)
    try:
        found = value_iteration(game, roots=[state], memory=memory, progress=watch, checkpoint=checkpoint)
    except (_LimitReached, KeyboardInterrupt) as stopped:
        return _nothing(game, state, watch, str(stopped) or "it was interrupted")
    if checkpoint is not None:
        checkpoint.remove()
    low, high = found.bounds(state)
    if game.to_move(state) == 1:
        low, high = 2 * game.draw_value - high, 2 * game.draw_value - low
    least, greatest = (replace(Value.of(game, bound, True), mean=True) for bound in (low, high))
    reason = "players can go round for ever" if high - low > TOLERANCE else f"within {TOLERANCE:g}"
    return Solution(state, least, greatest, found.best(state), len(found), watch.seconds, reason)


def _nothing(game: Game, state: State, watch: _Watch, reason: str) -> Solution:
    """What is known where an analysis was ended: the bounds of all utilities."""
    low, high = (Value.of(game, bound, True) for bound in game.bounds)
    return Solution(state, low, high, None, watch.states, watch.seconds, reason)


def ending_for(game: Game, state: State) -> str:
    """The largest ending of which a database helps to solve a position and is soon made; "" if there is none,
    or if there are databases that were made before."""
    if game.cycles or game.stochastic or game.players != 2 or unprobable(game) or kept_databases(game):
        return ""
    found = ""
    for ending in game.endings_after(state):
        if sum(size for _, size in stages_of(game, ending)) > LARGEST:
            break
        found = ending
    return found


def ending_made(
    game: Game, ending: str, limit: Limit, begun: float, threads: int, show: Callable[[str], None]
) -> Database | str | None:
    """The database of an ending; or why the search ends, if Ctrl-C or the limit of time, since `begun`, came
    first; or None, with a warning, if there is no memory for it."""
    watch = _Watch(limit, lambda text: show(f"{text} ({game.name} {ending})"))
    watch.begin = begun
    try:
        return make_database(game, ending, threads=1 << threads.bit_length() - 1, progress=watch)
    except (_LimitReached, KeyboardInterrupt) as stopped:
        return str(stopped) or "it was interrupted"
    except PliesError as error:
        warnings.warn(f"the search goes without a database: {error}", PliesWarning, stacklevel=2)
        return None


def check_memory(memory: float) -> None:
    """Raise an error unless the memory is a number of megabytes."""
    if not memory > 0:  # nor nan
        raise BadParameter(f"the memory is a number of megabytes, above 0, not {memory!r}")


def refuse_options(**given: Any) -> None:
    """Raise an error for what only a search takes."""
    for name, value in given.items():
        if value:
            raise BadParameter(f"{name} is for solving by alpha-beta, not by way of every state")
