"""Thinking for a client: searches with a clock, and pondering."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plies.game import Action, Game
from plies.history import History
from plies.levels import levels_of

if TYPE_CHECKING:
    from plies.engine.driver import Search
    from plies.engine.limit import Limit
    from plies.engine.result import SearchResult
    from plies.engine.time_manager import Clock

MOMENT = 0.02
"""The seconds between two looks whether waiting was given up. Not tuned."""

GRACE = 0.02
"""The seconds that a search has to end by itself when its time is up. Not tuned."""


@dataclass(frozen=True)
class Request:
    """What a client asks a search for; without any limit, it goes on until it is stopped."""

    clock: Clock | None = None
    seconds: float | None = None
    """The time for this move."""
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    """The plies of a win: one that is as quick ends the search."""
    infinite: bool = False
    """Whether the answer has to wait for `stop`."""
    ponder: bool = False
    """Whether the opponent is still to make the move that leads here."""
    actions: list[Action] | None = None
    """The actions to search at the root; None: all."""
    lines: int = 1


class Thinker:
    """Searches positions of one game, for one client."""

    def __init__(self, game: Game, memory: float = 64, threads: int = 1, level: int | None = None) -> None:
        """`level` is one of the game's, below the highest."""
        self.game, self.memory, self.threads, self.level = game, memory, threads, level
        self._lock = threading.Lock()
        self._searches: dict[str, Search] = {}

    def search_for(self, limit: Limit | None = None) -> Search:
        """The search that suits the game and a limit."""
        from plies.engine.algorithms import algorithm, algorithm_for, engine_for
        from plies.engine.limit import DEFAULT

        name = algorithm_for(self.game, limit or DEFAULT) if self.level is None else f"level {self.level}"
        options: dict[str, Any] = {"memory": self.memory, "threads": self.threads}
        with self._lock:
            if name not in self._searches and self.level is not None:
                from plies.engine.level_search import LevelSearch

                self._searches[name] = LevelSearch(self.game, levels_of(self.game).level(self.level))
            if name not in self._searches:
                takes = algorithm(name).takes
                given = {key: value for key, value in options.items() if key in takes}
                self._searches[name] = engine_for(self.game, name, **given)
            return self._searches[name]

    def wait(self, given_up: Callable[[], bool] = lambda: False, limit: Limit | None = None) -> None:
        """Wait until the search that suits the game and a limit is compiled, or until that is given up."""
        try:
            compilation = self.search_for(limit).prepare()
        except Exception:  # of a broken rule: whoever asks for a move is told
            return
        while compilation is not None and not compilation.wait(MOMENT) and not given_up():
            pass

    def clear(self) -> None:
        """Discard what earlier searches have found."""
        with self._lock:
            searches = list(self._searches.values())
        for search in searches:
            search.clear()

    def begin(
        self,
        history: History,
        request: Request,
        tell: Callable[[SearchResult, bool], None] = lambda found, final: None,
        late: Callable[[], None] | None = None,
    ) -> Thought:
        """A search that is ready to `run`.

        Results are told as they come, and at the end the final one once more. If it has not ended when its
        time is up, `late` is called, by default its `stop`: a rule may take any time.
        """
        return Thought(self, history, request, tell, late)


class Thought:
    """One search for a client: `run` in one thread, `stop` and `ponderhit` from another."""

    def __init__(
        self,
        thinker: Thinker,
        history: History,
        request: Request,
        tell: Callable[[SearchResult, bool], None],
        late: Callable[[], None] | None,
    ) -> None:
        self.thinker, self.request, self.tell = thinker, request, tell
        self._state, self._previous = history.state, history.previous
        self.legal = history.legal()
        self.latest: SearchResult | None = None
        self.search: Search | None = None
        self.stopped = threading.Event()
        self._late = late or self.stop
        self._hit = threading.Event()  # whether it is the player's own time
        self._ended = False
        self._timer: threading.Timer | None = None
        self._soft = self._hard = float("inf")
        if not request.ponder:
            self._start_clock()

    def stop(self) -> None:
        """End it soon, with the best result so far."""
        self.stopped.set()
        self._hit.set()
        if self.search is not None and not self._ended:  # it may be another thought's by now
            self.search.stop()

    def ponderhit(self) -> None:
        """The opponent made the expected move: the clock runs from now on."""
        if not self._hit.is_set():
            self._start_clock()

    def run(self) -> SearchResult | None:
        """The last result; None if it was stopped before there was one."""
        try:
            self._search()
        finally:
            self._ended = True
            if self._timer is not None:
                self._timer.cancel()
        if self.latest is not None:
            self.tell(self.latest, True)
        if self.request.infinite:
            self.stopped.wait()
        self._hit.wait()
        return self.latest

    def _start_clock(self) -> None:
        """Note when to begin no new depth, and when to stop, counted from now."""
        from plies.engine.time_manager import time_for_move

        now, request = time.perf_counter(), self.request
        if request.clock is not None:
            soft, hard = time_for_move(request.clock)
            self._soft, self._hard = now + soft, now + hard
        if request.seconds is not None:
            self._hard = min(self._hard, now + request.seconds)
        if self._hard < float("inf") and not self._ended:
            self._timer = threading.Timer(self._hard - now + GRACE, self._late)
            self._timer.daemon = True
            self._timer.start()
        self._hit.set()

    def _search(self) -> None:
        limit = self._limit()
        if limit.time is None and (limit.depth or limit.nodes):  # which waits for the compiler
            self.thinker.wait(self.stopped.is_set, limit)
            if self.stopped.is_set():
                return
        self.search = self.thinker.search_for(limit)
        for found in self.search.analyse(
            self._state,
            limit,
            lines=self.request.lines,
            previous=self._previous,
            actions=self.request.actions,
        ):
            self.latest = found
            self.tell(found, False)
            if self._is_enough(found) or self.stopped.is_set():
                break

    def _limit(self) -> Limit:
        from plies.engine.limit import Limit

        timed = self._hit.is_set() and self._hard != float("inf")
        left = max(0.001, self._hard - time.perf_counter()) if timed else None
        return Limit(left, self.request.depth, self.request.nodes)

    def _is_enough(self, found: SearchResult) -> bool:
        """Whether a result is as good as it needs to be."""
        value, request = found.scores.get(found.action, found.value), self.request
        if request.mate is not None and value.proved and value.lead > 0 and value.bound != "<=":
            return (value.plies or len(found.line)) <= request.mate
        if not self._hit.is_set() or request.infinite:
            return False
        if request.clock is not None and len(self.legal) == 1 and found.depth:
            return True
        return time.perf_counter() >= self._soft
