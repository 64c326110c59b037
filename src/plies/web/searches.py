"""Searches for many clients: a fixed number of workers, one search a client at most, and turns taken fairly.

Jobs wait in one queue, first come, first served. While others wait, a search that has run for a slice is
given up and queued again behind them, and keeps what it has found; the longer the queue, the shorter the
slice, down to `SHORTEST`. So whoever waits is served after at most one slice of each client ahead.

The first search of a game compiles it, which takes ten seconds or more and holds the compiler's lock. Only
one worker at a time takes such a job; the others serve games that are ready, so there are at least two. A
worker that has nothing to do compiles what `foresee` was told will be wanted.

Memory: a worker keeps the searchers of the `KEPT` games it served last, each with a table of at most
`levels.MEMORY` megabytes (paranoid: one for each player). With w workers that is about w x KEPT x MEMORY
megabytes, whatever the number of clients; a waiting job is a few kilobytes. Machine code comes on top, a
megabyte or two for each game and algorithm, of at most `catalogue.MOST_COMPILED` games.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time as clock
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from plies.compiled import interpreting
from plies.engine import Limit, SearchResult
from plies.engine.value import EXACT
from plies.errors import PliesError
from plies.game import State
from plies.web.processes import RemoteResult

KEPT = 3
"""How many searchers a worker keeps, the last used."""

ROUND = 2.0
"""Seconds in which everybody who waits should have had a turn, if slices need not be shorter for it …"""

SHORTEST, LONGEST = 0.1, 1.0
"""… than this, nor longer than that."""

TICK = 0.05
"""Seconds between two looks at all searches under way."""

EVERY = 0.1
"""Seconds between two infos for one client, at least."""

GLIMPSE = Limit(0.01, 1, 1)
"""A search that is over at once."""

PATIENCE = 0.4
"""Seconds after which a client is told why it waits."""


class Searcher(Protocol):
    """What is searched by: a search of the library, or one in another process."""

    def search(
        self,
        state: State,
        limit: Limit,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> SearchResult:
        """The best action, and what else was found out about the position."""

    def analyse(
        self,
        state: State,
        limit: Limit,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> Iterator[SearchResult]:
        """Results as they come."""

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""


@dataclass(eq=False)
class Job:
    """One search for one client: what is searched, how far, and whom to tell."""

    key: Hashable
    """The searcher that serves it: jobs with the same key can share one."""
    make: Callable[[], Searcher]
    name: str
    """What the game is called."""
    state: State
    previous: Sequence[State]
    limit: Limit
    tell: Callable[[str, Any], None]
    """Called from any thread with "info" and a `SearchResult`, "note" and a sentence, "done", or "error"."""
    lines: int = 1
    compiles: bool = True
    """Whether the searcher may need the compiler: nobody waits for it who does not."""

    found: SearchResult | None = None
    spent: float = 0.0
    """Seconds searched in earlier slices."""
    nodes: int = 0
    """Nodes of earlier slices."""
    effort: tuple[int, float] = (0, 0.0)
    """Nodes and seconds of all slices, up to what was kept last."""
    cancelled: bool = False
    yielding: bool = False
    """Whether its slice is over, and it should make room."""
    begun: float = 0.0
    since: float = field(default_factory=clock.monotonic)
    """When it began to wait, or to prepare."""
    noted: str = ""
    _searcher: Searcher | None = field(default=None, init=False)
    _fresh: bool = field(default=False, init=False)
    _sent: float = field(default=0.0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def hold(self, searcher: Searcher | None) -> None:
        """Take up a searcher, or let go of it: it may then serve another job."""
        with self._lock:
            self._searcher = searcher

    def stop(self) -> None:
        """End the search under way, if there is one; once more if it had not quite begun the last time."""
        with self._lock:
            if self._searcher is not None:
                self._searcher.stop()

    def keep(self, found: SearchResult) -> None:
        """Keep what was found, unless an earlier slice has seen further."""
        if self.found is None or sight_of(found, self.lines) >= sight_of(self.found, self.lines):
            self.effort = self.nodes + found.nodes, self.spent + found.seconds
            self.found, self._fresh = found, True

    def flush(self, now: float, last: bool = False) -> None:
        """Tell what is new, not too often."""
        if self._fresh and not self.cancelled and (last or now - self._sent >= EVERY):
            self._fresh, self._sent = False, now
            self.say("info", self.found)

    def note(self, sentence: str) -> None:
        """Tell why there is nothing yet, once."""
        if sentence != self.noted and not self.cancelled:
            self.noted = sentence
            self.say("note", sentence)

    def say(self, what: str, news: Any) -> None:
        """Tell the client. If its game fails even to write down a move, that is told, and the job is over."""
        try:
            self.tell(what, news)
        except Exception as error:
            self.cancelled = True
            with contextlib.suppress(Exception):  # the client may have left
                self.tell("error", f"the search failed with {type(error).__name__}: {error}")


def sight_of(found: SearchResult, lines: int = 1) -> tuple[bool, bool, int]:
    """How far a search has seen: whether so many lines are proved, whether its value is, and how deep it went
    or, in Monte Carlo, how many simulations there were."""
    depth = found.nodes if found.algorithm in ("mcts", "flat") else found.depth
    if isinstance(found, RemoteResult):
        return found.settled, found.value.proved, depth
    exact = sum(value.proved and value.bound == EXACT for value in found.scores.values())
    settled = found.value.proved and exact >= min(lines, len(found.scores))
    return settled, found.value.proved, depth


class Searches:
    """The workers and the queue before them. All its methods may be called from any thread."""

    def __init__(self, workers: int | None = None) -> None:
        count = workers or max(2, min(8, os.cpu_count() or 2))
        self._queue: deque[Job] = deque()
        self._running: set[Job] = set()
        self._foreseen: Job | None = None
        self._ready: set[Hashable] = set()
        self._preparing: Hashable = None
        self._open = True
        self._changed = threading.Condition()
        self.workers = count
        for target in [self._work] * count + [self._watch]:
            threading.Thread(target=target, name="plies-page", daemon=True).start()

    def ask(self, job: Job) -> None:
        """Queue a job."""
        with self._changed:
            self._queue.append(job)
            self._changed.notify()

    def is_ready(self, job: Job) -> bool:
        """Whether a job can be searched at once, without compiling."""
        return not self._cold(job)

    def foresee(self, job: Job) -> None:
        """Get ready for jobs like this one when there is nothing else to do; the last one told of counts."""
        with self._changed:
            if self._cold(job) and job.key != self._preparing:
                self._foreseen = job
                self._changed.notify()

    def cancel(self, job: Job) -> None:
        """Drop a job, waiting or under way: its client hears no more of it."""
        with self._changed:
            job.cancelled = True
            if job in self._queue:
                self._queue.remove(job)
        job.stop()

    def close(self) -> None:
        """End all searches and all workers."""
        with self._changed:
            self._open = False
            jobs = [*self._running, *self._queue]
            self._queue.clear()
            self._changed.notify_all()
        for job in jobs:
            job.cancelled = True
            job.stop()

    @property
    def load(self) -> tuple[int, int]:
        """How many searches are under way, and how many wait."""
        with self._changed:
            return len(self._running), len(self._queue)

    # -- The workers.

    def _work(self) -> None:
        kept: OrderedDict[Hashable, Searcher] = OrderedDict()
        while (job := self._next()) is not None:
            failure = ""
            try:
                self._search(job, kept)
            except PliesError as error:
                failure = str(error)
            except Exception as error:  # in the rules of somebody's game
                failure = f"the search failed with {type(error).__name__}: {error}"
                kept.pop(job.key, None)
            self._release(job, failure)

    def _next(self) -> Job | None:
        """The job to take, once there is one: the first that waits, if it can be served now."""
        with self._changed:
            while self._open:
                for job in [*self._queue, *([self._foreseen] if self._foreseen else [])]:
                    cold = self._cold(job)
                    if cold and self._preparing is not None:
                        continue
                    if job is self._foreseen:
                        self._foreseen = None
                    else:
                        self._queue.remove(job)
                    self._running.add(job)
                    if cold:
                        self._preparing = job.key
                    job.since = clock.monotonic()
                    return job
                self._changed.wait()
        return None

    def _cold(self, job: Job) -> bool:
        """Whether a job must be compiled first."""
        return job.compiles and job.key not in self._ready and not interpreting()

    def _search(self, job: Job, kept: OrderedDict[Hashable, Searcher]) -> None:
        cold = self._cold(job)
        try:
            if job.key not in kept:
                kept[job.key] = job.make()
            kept.move_to_end(job.key)
            if cold:  # some compile no sooner than they search
                kept[job.key].search(job.state, GLIMPSE, previous=job.previous)
        finally:
            if cold:
                with self._changed:
                    self._ready.add(job.key)  # even if it failed: another try will fail as soon
                    self._preparing = None
                    self._changed.notify_all()
        while len(kept) > KEPT:
            kept.popitem(last=False)
        searcher = kept[job.key]
        job.begun = clock.monotonic()
        job.hold(searcher)
        try:
            self._run(job, searcher)
        finally:
            job.hold(None)

    def _run(self, job: Job, searcher: Searcher) -> None:
        """Searcher for a slice, or to the end."""
        limit = Limit(max(0.01, (job.limit.time or LONGEST) - job.spent), job.limit.depth, job.limit.nodes)
        nodes = 0
        for found in searcher.analyse(job.state, limit, lines=job.lines, previous=job.previous):
            nodes = found.nodes
            job.keep(found)
            if job.cancelled or job.yielding:
                searcher.stop()
        job.spent += clock.monotonic() - job.begun
        job.nodes += nodes

    def _release(self, job: Job, failure: str) -> None:
        """Put a job that made room back in the queue; tell the client of any other that it is over."""
        settled = job.found is not None and sight_of(job.found, job.lines)[0]
        unfinished = job.yielding and not settled and job.spent < (job.limit.time or LONGEST) - 0.02
        with self._changed:
            self._running.discard(job)
            again = unfinished and not failure and not job.cancelled and self._open
            if again:
                job.yielding = False
                job.begun, job.since, job.noted = 0.0, clock.monotonic(), ""
                self._queue.append(job)
            self._changed.notify()
        if job.cancelled:
            return
        job.flush(clock.monotonic(), last=True)
        if failure:
            job.say("error", failure)
        elif not again:
            job.say("done", job.found)

    # -- The watch over them.

    def _watch(self) -> None:
        """Again and again: stop what nobody wants, make room for those who wait, tell what is new."""
        while self._open:
            clock.sleep(TICK)
            now = clock.monotonic()
            with self._changed:
                running, waiting = list(self._running), list(self._queue)
            slice_ = max(SHORTEST, min(LONGEST, ROUND * self.workers / len(waiting))) if waiting else 0.0
            served = [job for job in waiting if self._preparing is None or not self._cold(job)]
            for job in running:
                if served and job.begun and now - job.begun > slice_:
                    job.yielding = True
                if job.cancelled or job.yielding:
                    job.stop()
                job.flush(now)
                if not job.begun and now - job.since > PATIENCE:
                    job.note(f"{'compiling' if self._cold(job) else 'preparing'} {job.name}, once")
            for place, job in enumerate(waiting):
                if now - job.since <= PATIENCE:
                    continue
                if job.key == self._preparing:
                    job.note(f"compiling {job.name}, once")
                else:
                    job.note(f"waiting; {place + len(running)} ahead" if place < 10 else "waiting for a turn")
