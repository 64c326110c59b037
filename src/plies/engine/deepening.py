"""Search as people ask for it: a game, a position, a limit; out comes an action and what it is worth."""

from __future__ import annotations

import contextlib
import threading
import time as clock
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plies import book
from plies.book.recorder import Recorder
from plies.engine.kernels import UNIT, alpha_beta, counts
from plies.engine.limit import Limit
from plies.engine.value import Value
from plies.errors import PliesError
from plies.game import Action, Game, State

DEFAULT = Limit(time=1.0)
"""How far a search goes when nobody says."""


@dataclass(frozen=True)
class Found:
    """What a search found, at the greatest depth that it completed."""

    action: Action
    value: Value
    line: list[Action]
    depth: int
    nodes: int
    seconds: float
    scores: dict[Action, Value] = field(default_factory=dict)
    algorithm: str = "alpha-beta"

    def __str__(self) -> str:
        speed = self.nodes / self.seconds if self.seconds > 0 else 0
        return f"{self.action} ({self.value}), depth {self.depth}, {self.nodes:,} nodes, {speed:,.0f} nodes/s"


def search(
    game: Game,
    state: State | None = None,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> Found:
    """The best action for the player to move, by the algorithm that serves this kind of game.

    Two players against each other: alpha-beta, iteratively deepened. Dice: expectiminimax. Any other game:
    max^n. Without a limit the search takes a second. Ctrl-C ends it with the best action so far.
    """
    limit = Limit(time, depth, nodes)
    if limit == Limit():
        limit = DEFAULT
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        raise PliesError("there is nothing to search: the game is over")
    if game.players == 2 and game.zero_sum and not game.stochastic:
        return _run(_Deepening(game, state, limit), limit)
    return _run(_BookDeepening(game, state, limit), limit)


class _Search:
    """A search that grows deeper until it is told to stop; `found` is the best so far."""

    def __init__(self, game: Game, state: State, limit: Limit) -> None:
        self.game, self.state, self.limit = game, state, limit
        self.counts = counts(limit.nodes)
        self.found: Found | None = None
        self.start = clock.perf_counter()

    def deepen(self) -> Iterator[Found]:
        raise NotImplementedError

    def run(self) -> None:
        for found in self.deepen():
            self.found = found
            if self.counts.stop or found.depth == self.limit.depth:
                return

    def seconds(self) -> float:
        return clock.perf_counter() - self.start


def _run(searching: _Search, limit: Limit) -> Found:
    """Search in a thread of its own, so that a clock or a person can stop it."""
    failure: list[BaseException] = []

    def work() -> None:
        try:
            searching.run()
        except BaseException as error:  # handed on to the caller's thread
            failure.append(error)

    thread = threading.Thread(target=work, name="plies-search", daemon=True)
    thread.start()
    with contextlib.suppress(KeyboardInterrupt):
        thread.join(limit.time)
    searching.counts.stop = 1
    thread.join()
    if failure:
        raise failure[0]
    assert searching.found is not None
    return searching.found


class _Deepening(_Search):
    """Alpha-beta to depth 1, 2, 3, …, the best action of the last depth first."""

    def deepen(self) -> Iterator[Found]:
        actions = list(self.game.actions(self.state))
        yield self._report(actions[0], -np.inf, 0, proved=False)
        for depth in range(1, 1_000_000):
            self.counts.horizon = 0
            best, score, complete = self._best(actions, depth)
            if complete or score > -np.inf:
                actions.remove(best)
                actions.insert(0, best)
                yield self._report(best, score, depth, proved=self.counts.horizon == 0 and complete)
            if self.counts.horizon == 0 or not complete:
                return

    def _best(self, actions: list[Action], depth: int) -> tuple[Action, float, bool]:
        """The best of the actions, its score, and whether all of them were looked at."""
        player = self.game.to_move(self.state)
        best, alpha = actions[0], -np.inf
        for action in actions:
            child = self.game.result(self.state, action)
            score = alpha_beta(self.game, child, player, alpha, np.inf, depth - 1, 1, self.counts)
            if self.counts.stop:
                return best, alpha, False
            if score > alpha:
                best, alpha = action, score
        return best, alpha, True

    def _report(self, action: Action, score: float, depth: int, *, proved: bool) -> Found:
        utility = round(score / UNIT, 6) if np.isfinite(score) else 0.0
        plies = round(abs(utility) * UNIT - abs(score)) if proved and utility else None
        value = Value(utility, proved, plies)
        return Found(action, value, [action], depth, int(self.counts.nodes), self.seconds())


class _BookDeepening(_Search):
    """The book's algorithm for dice or for many players, to depth 1, 2, 3, …."""

    def deepen(self) -> Iterator[Found]:
        algorithm: Callable[..., Any]
        name, algorithm = ("expectiminimax", book.expectiminimax)
        if not self.game.stochastic and not (self.game.players == 2 and self.game.zero_sum):
            name, algorithm = ("max-n", book.max_n)
        first = next(iter(self.game.actions(self.state)))
        yield Found(first, Value(0.0), [first], 0, 0, self.seconds(), algorithm=name)
        for depth in range(1, 1_000_000):
            watch = _Watch(self.counts)
            try:
                decision = algorithm(self.game, self.state, depth=depth, trace=watch)
            except _Stopped:
                return
            player = self.game.to_move(self.state)
            worth = decision.value[player] if isinstance(decision.value, tuple) else decision.value
            proved = not watch.horizon
            line = list(decision.line)
            nodes = int(self.counts.nodes)
            yield Found(line[0], Value(worth, proved), line, depth, nodes, self.seconds(), algorithm=name)
            if proved:
                return


class _Stopped(Exception):
    pass


class _Watch(Recorder):
    """Counts the nodes of a book algorithm, and stops it when told to."""

    def __init__(self, counts: Any) -> None:
        self.counts = counts
        self.horizon = False

    def enter(self, *args: Any) -> None:
        self.counts.nodes += 1
        if self.counts.stop or self.counts.nodes >= self.counts.limit:
            raise _Stopped

    def leaf(self, action: Action, state: State, why: str, value: Any) -> Any:
        self.counts.nodes += 1
        self.horizon = self.horizon or why == "depth"
        return value
