"""An algorithm of the book as a searcher: deeper and deeper, and stopped whenever that is wanted."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator, Sequence
from typing import Any

from plies.book import ALGORITHMS, Counts, Decision
from plies.engine import Limit, SearchResult, Value
from plies.engine.limit import DEFAULT
from plies.engine.value import AT_LEAST, EXACT
from plies.game import Action, Game, State
from plies.history import legal_actions

DEEPEST = 60
"""The plies that a search goes to at most: Python follows no deeper recursion in every thread."""


class _Stopped(Exception):
    """Raised within an algorithm to end it."""


class _Watched(Counts):
    """Counts nodes, ends the search at its limit, and notes whether anything was estimated."""

    def __init__(self, searcher: ByTheBook, before: int, deadline: float, most: float) -> None:
        super().__init__()
        self.searcher, self.before, self.deadline, self.most = searcher, before, deadline, most
        self.estimated = False

    def _look(self) -> None:
        if self.searcher.stopped or self.before + self.nodes >= self.most:
            raise _Stopped
        if self.nodes % 64 == 0 and clock.perf_counter() > self.deadline:
            raise _Stopped

    def enter(self, action: Action, state: State, kind: str, window: Any = None) -> None:
        super().enter(action, state, kind, window)
        self._look()

    def leaf(self, action: Action, state: State, why: str, value: Any) -> Any:
        self.estimated = self.estimated or why != "terminal"
        super().leaf(action, state, why, value)
        self._look()
        return value


class ByTheBook:
    """Runs an algorithm of the book to depth 1, 2, 3, …, interpreted, over any game that suits it."""

    def __init__(self, game: Game, algorithm: str) -> None:
        ALGORITHMS[algorithm](game, depth=0)  # refuses a game that does not suit it
        self.game, self.algorithm = game, algorithm
        self.stopped = False

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""
        self.stopped = True

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> SearchResult:
        """The decision at the greatest depth that the limit allows."""
        *_, found = self.analyse(state, limit, previous=previous)
        return found

    def analyse(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> Iterator[SearchResult]:
        """The decision at each depth; the books' algorithms do not look back, so superko is minded here."""
        self.stopped = False
        limit = limit or DEFAULT
        state = self.game.initial() if state is None else state
        legal = legal_actions(self.game, state, previous)
        begun = clock.perf_counter()
        deadline = begun + (limit.time if limit.time is not None else 1e9)
        yield SearchResult(legal[0], Value(0.0), [legal[0]], 0, 0, 0.0, algorithm=self.algorithm)
        nodes = cuts = 0
        for depth in range(1, min(limit.depth or DEEPEST, DEEPEST) + 1):
            watched = _Watched(self, nodes, deadline, limit.nodes or float("inf"))
            try:
                decision = ALGORITHMS[self.algorithm](self.game, state, depth=depth, trace=watched)
            except _Stopped:
                return
            nodes += watched.nodes
            cuts += sum(watched.cuts.values())
            if not decision.line or decision.line[0] not in legal:
                return
            yield self._found(state, decision, depth, watched, nodes, cuts, clock.perf_counter() - begun)
            if not watched.estimated:
                return

    def _found(
        self,
        state: State,
        decision: Decision[Any],
        depth: int,
        watched: _Watched,
        nodes: int,
        cuts: int,
        seconds: float,
    ) -> SearchResult:
        worth = decision.value
        if isinstance(worth, tuple):  # max^n: what it is worth to each player
            worth = worth[self.game.to_move(state)]
        # These algorithms do not look back: a position that comes up again may end the game.
        proved = not watched.estimated and not self.game.cycles
        alone = self.game.players > 2 and self.algorithm in ("opponents", "paranoid")
        bound = AT_LEAST if proved and alone else EXACT  # the others need not all be against one
        value = Value.of(self.game, float(worth), proved, bound=bound)
        return SearchResult(
            action=decision.line[0],
            value=value,
            line=list(decision.line),
            depth=depth,
            nodes=nodes,
            seconds=seconds,
            cuts=cuts,
            scores={decision.line[0]: value},
            lines=[list(decision.line)],
            algorithm=self.algorithm,
        )
