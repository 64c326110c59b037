"""Search as people ask for it: a game, a position, a limit; out comes an action and what it is worth."""

from __future__ import annotations

import contextlib
import threading
import time as clock
from collections.abc import Callable, Sequence
from typing import Any

from plies import book
from plies.book.recorder import Recorder
from plies.engine import puzzle
from plies.engine.engine import DEFAULT, Engine
from plies.engine.found import Found
from plies.engine.limit import Limit
from plies.engine.value import Value
from plies.errors import PliesError
from plies.game import Action, Game, State


def search(
    game: Game,
    state: State | None = None,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    past: Sequence[State] = (),
) -> Found:
    """The best action for the player to move, by the algorithm that serves this kind of game.

    Two players against each other: alpha-beta, iteratively deepened, with an exact value for each of the
    best `lines` actions. One player alone: depth-first search for the best end. Dice: expectiminimax. Any
    other game: max^n. Without a limit the search takes a second, compiling not counted. Ctrl-C ends it with
    the best action so far. `past` are the states the game has been through, where it matters if they come up
    again.
    """
    limit = Limit(time, depth, nodes)
    if limit == Limit():
        limit = DEFAULT
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        raise PliesError("there is nothing to search: the game is over")
    if game.players == 2 and game.zero_sum and not game.stochastic:
        return Engine(game).search(state, limit, lines=lines, past=past)
    if game.players == 1 and not game.stochastic:
        return puzzle.search(game, state, limit)
    return _BookSearch(game, state, limit).search()


class _BookSearch:
    """The book's algorithm for dice or for many players, to depth 1, 2, 3, …."""

    def __init__(self, game: Game, state: State, limit: Limit) -> None:
        self.game, self.state, self.limit = game, state, limit
        self.algorithm: Callable[..., Any] = book.expectiminimax
        self.name = "expectiminimax"
        if not game.stochastic and game.players > 1:
            self.algorithm, self.name = book.max_n, "max-n"
        self.watch = _Watch(limit.nodes)
        self.begun = clock.perf_counter()
        first = next(iter(game.actions(state)))
        self.found = Found(first, Value(0.0), [first], 0, 0, 0.0, algorithm=self.name)
        self.failure: BaseException | None = None

    def search(self) -> Found:
        """Search in a thread of its own, so that a clock or a person can stop it."""
        thread = threading.Thread(target=self._work, name="plies-search", daemon=True)
        thread.start()
        with contextlib.suppress(KeyboardInterrupt):
            thread.join(self.limit.time)
        self.watch.stop = True
        thread.join()
        if self.failure:
            raise self.failure
        return self.found

    def _work(self) -> None:
        try:
            self._deepen()
        except _Stopped:
            pass
        except BaseException as error:  # handed on to the thread that asked
            self.failure = error

    def _deepen(self) -> None:
        for depth in range(1, (self.limit.depth or 1 << 20) + 1):
            self.watch.horizon = False
            decision = self.algorithm(self.game, self.state, depth=depth, trace=self.watch)
            player = self.game.to_move(self.state)
            worth = decision.value[player] if isinstance(decision.value, tuple) else decision.value
            value = Value(float(worth), proved=not self.watch.horizon)
            line, seconds = list(decision.line), clock.perf_counter() - self.begun
            self.found = Found(line[0], value, line, depth, self.watch.nodes, seconds, algorithm=self.name)
            if value.proved:
                return


class _Stopped(Exception):
    """Raised within a search to end it."""


class _Watch(Recorder):
    """Counts the nodes of a book algorithm, and stops it when told to."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self.nodes = 0
        self.horizon = False
        self.stop = False

    def enter(self, *args: Any) -> None:
        self.nodes += 1
        if self.stop or (self.limit is not None and self.nodes >= self.limit):
            raise _Stopped

    def leaf(self, action: Action, state: State, why: str, value: Any) -> Any:
        self.nodes += 1
        self.horizon = self.horizon or why == "depth"
        return value
