"""Searches that delegate to another search, of a game derived from theirs."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace

from plies.compiled.background import Compilation
from plies.engine.driver import Search
from plies.engine.job import Job
from plies.engine.limit import Limit
from plies.engine.result import SearchResult
from plies.engine.value import Value
from plies.game import Game


class Delegating(Search):
    """A search that delegates to another one for each player, made on first use, and translates its
    results."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._inner: dict[int, Search] = {}
        self._making = threading.Lock()

    @abstractmethod
    def _make(self, player: int) -> Search:
        """The search that does the work if a player is to move at the root."""

    @abstractmethod
    def _translated(self, value: Value) -> Value:
        """The value in this game that a value in the other one implies."""

    def _limit(self, limit: Limit) -> Limit:
        """The limit of the other search."""
        return limit

    def _proof(self, rests_on: str) -> str:
        """What a proof rests on, in a sentence."""
        return rests_on

    def inner(self, player: int) -> Search:
        """The search that does the work if a player is to move at the root."""
        with self._making:
            if player not in self._inner:
                self._inner[player] = self._make(player)
            return self._inner[player]

    def _stop(self) -> None:
        with self._making:
            searches = list(self._inner.values())
        for search in searches:
            search.stop()

    @property
    def compilation(self) -> Compilation | None:
        with self._making:
            known = [search.compilation for search in self._inner.values()]
        return next((one for one in known if one is not None), None)

    def prepare(self) -> Compilation | None:
        player = self.game.to_move(self.first)
        return self.inner(max(0, player)).prepare()  # of chance, the first player's

    def _clear(self) -> None:
        for search in self._inner.values():
            search.clear()

    def _begin(self, job: Job) -> None:
        self.inner(job.player)

    def _explore(self, job: Job) -> Iterator[None]:
        search = self.inner(job.player)
        given = self._limit(job.limit)
        for found in search._stream(job.state, given, job.lines, job.previous, job.streaming):
            self._found = found
            yield

    def _result(self, job: Job) -> SearchResult:
        found = self._found
        return replace(
            found,
            algorithm=self.algorithm,
            game=self.game,
            value=self._translated(found.value),
            scores={action: self._translated(value) for action, value in found.scores.items()},
            rests_on=self._proof(found.rests_on),
        )
