"""Searches for many clients: a fixed number of workers, one search a client, round-robin time slices.

Jobs wait in one queue, first come, first served. While others wait, a search that has run for a slice is
suspended and queued again behind them, with what it has found; the longer the queue, the shorter the slice,
down to `SHORTEST`. So a job waits for at most one slice of each client ahead.

A job may be `spare`: a search on the opponent's time. Such jobs get what is left over. One runs only while no
other job waits and a worker and a core stay free, and it is suspended as soon as another job waits.

The first search of a game begins interpreted, and goes on compiled when the code is there; its client is told
how far the compiler is.

Memory: a worker keeps the searchers of the `KEPT` games it served last, each with a table or tree of at most
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

from plies.compiled.background import Compilation
from plies.cores import usable_cores
from plies.engine import Limit, SearchResult
from plies.engine.algorithms import counts_simulations
from plies.errors import PliesError
from plies.game import State
from plies.web.processes import RemoteResult

KEPT = 3
"""The searchers that a worker keeps, the most recently used. Not tuned."""

ROUND = 2.0
"""Seconds in which every waiting job should get a slice, within the limits of a slice. Not tuned."""

SHORTEST, LONGEST = 0.1, 1.0
"""Seconds of a slice, at least and at most. Not tuned."""

TICK = 0.05
"""Seconds between two checks of the running searches. Not tuned."""

EVERY = 0.1
"""The least number of seconds between two results for one client. Not tuned."""

NOTE_AFTER = 0.4
"""Seconds of waiting after which a client gets a note that says why. Not tuned."""


class Searcher(Protocol):
    """A search of the library, or one in another process."""

    def search(
        self,
        state: State,
        limit: Limit,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> SearchResult:
        """The best action and its value."""

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
        """End the current search; may be called from any thread."""

    @property
    def compilation(self) -> Compilation | None:
        """What an interpreted search goes on until."""


@dataclass(eq=False)
class Job:
    """One search for one client: the position, the limit, and the callback."""

    key: Hashable
    """Jobs with the same key can share a searcher."""
    make: Callable[[], Searcher]
    name: str
    """The name of the game."""
    state: State
    previous: Sequence[State]
    limit: Limit
    tell: Callable[[str, Any], None]
    """Called from any thread with "info" and a `SearchResult`, "note" and a sentence, "done", or "error"."""
    lines: int = 1
    spare: bool = False
    """Whether all other jobs come before it."""

    found: SearchResult | None = None
    spent: float = 0.0
    """Seconds searched in earlier slices."""
    nodes: int = 0
    """Nodes of earlier slices."""
    effort: tuple[int, float] = (0, 0.0)
    """Nodes and seconds of all slices, up to the result that was kept last."""
    cancelled: bool = False
    yielding: bool = False
    """Whether its slice is over."""
    hurried: bool = False
    """Whether it is to end as soon as it has found something."""
    begun: float = 0.0
    since: float = field(default_factory=clock.monotonic)
    """When it began to wait, or to prepare."""
    noted: str = ""
    _searcher: Searcher | None = field(default=None, init=False)
    _fresh: bool = field(default=False, init=False)
    _sent: float = field(default=0.0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def hold(self, searcher: Searcher | None) -> None:
        """Take a searcher, or with None release it for other jobs."""
        with self._lock:
            self._searcher = searcher

    def stop(self) -> None:
        """Stop the current search, if there is one; call it again if the search had not quite begun."""
        with self._lock:
            if self._searcher is not None:
                self._searcher.stop()

    def note_compilation(self) -> None:
        """Report how far the compiler is, if it is at work for this job."""
        with self._lock:
            compilation = None if self._searcher is None else self._searcher.compilation
        if compilation is not None and compilation.elapsed > NOTE_AFTER:
            self.note(str(compilation))

    def keep(self, found: SearchResult) -> None:
        """Keep a result, unless an earlier slice got further."""
        if self.found is None or sight_of(found, self.lines) >= sight_of(self.found, self.lines):
            self.effort = self.nodes + found.nodes, self.spent + found.seconds
            self.found, self._fresh = found, True

    def flush(self, now: float, last: bool = False) -> None:
        """Report a new result to the client, not too often."""
        if self._fresh and not self.cancelled and (last or now - self._sent >= EVERY):
            self._fresh, self._sent = False, now
            self.say("info", self.found)

    def note(self, sentence: str) -> None:
        """Report to the client, once, why there is no result yet, or no better one."""
        if sentence != self.noted and not self.cancelled:
            self.noted = sentence
            self.say("note", sentence)

    def say(self, what: str, news: Any) -> None:
        """Report to the client. If the notation of a move fails, report that, and end the job."""
        try:
            self.tell(what, news)
        except Exception as error:
            self.cancelled = True
            with contextlib.suppress(Exception):  # the client may have left
                self.tell("error", f"the search failed with {type(error).__name__}: {error}")


def sight_of(found: SearchResult, lines: int = 1) -> tuple[bool, bool, int]:
    """How far a search got: whether that number of lines is proved, whether its value is, and its depth or,
    in Monte Carlo tree search, its simulations."""
    depth = found.nodes if counts_simulations(found.algorithm) else found.depth
    if isinstance(found, RemoteResult):
        return found.settled, found.value.proved, depth
    # What a book knows of some moves settles nothing about the others, which are searched.
    settled = found.settles(lines) and (not found.book or len(found.scores) >= lines)
    return settled, found.value.proved, depth


class Searches:
    """The queue and its workers. All methods may be called from any thread."""

    def __init__(self, workers: int | None = None) -> None:
        count = workers or max(2, min(8, os.cpu_count() or 2))
        self._queue: deque[Job] = deque()
        self._running: set[Job] = set()
        self._open = True
        self._changed = threading.Condition()
        self.workers = count
        for target in [self._work] * count + [self._watch]:
            threading.Thread(target=target, name="plies-page", daemon=True).start()

    def submit(self, job: Job) -> None:
        """Queue a job."""
        with self._changed:
            self._queue.append(job)
            self._changed.notify()

    def promote(self, job: Job) -> None:
        """Make a spare job one like others."""
        with self._changed:
            job.spare = False
            self._changed.notify()

    def cancel(self, job: Job) -> None:
        """Cancel a job, waiting or running: nothing more is reported to its client."""
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
        """The numbers of running and of waiting searches."""
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
            except Exception as error:  # the rules of a user's game may raise anything
                failure = f"the search failed with {type(error).__name__}: {error}"
                kept.pop(job.key, None)
            self._release(job, failure)

    def _next(self) -> Job | None:
        """The first job that can be served now, once there is one."""
        with self._changed:
            while self._open:
                waiting = sorted(self._queue, key=lambda job: job.spare)
                for job in waiting:
                    if job.spare and len(self._running) + 1 >= min(self.workers, usable_cores()):
                        continue
                    self._queue.remove(job)
                    self._running.add(job)
                    job.since = clock.monotonic()
                    return job
                self._changed.wait()
        return None

    def _search(self, job: Job, kept: OrderedDict[Hashable, Searcher]) -> None:
        if job.key not in kept:
            kept[job.key] = job.make()
        kept.move_to_end(job.key)
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
        """Search for a slice, or to the end."""
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
        """Queue a job again if only its slice is over; else report that it is done."""
        settled = job.found is not None and sight_of(job.found, job.lines)[0]
        settled = settled or (job.hurried and job.found is not None)
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

    # -- The watchdog.

    def _watch(self) -> None:
        """Stop cancelled searches, end slices, and report new results to clients, repeatedly."""
        while self._open:
            clock.sleep(TICK)
            now = clock.monotonic()
            with self._changed:
                running, waiting = list(self._running), list(self._queue)
            first = [job for job in waiting if not job.spare]
            slice_ = max(SHORTEST, min(LONGEST, ROUND * self.workers / len(waiting))) if waiting else 0.0
            for job in running:
                rivals = first or (waiting if job.spare else [])
                if rivals and job.begun and (now - job.begun > slice_ or (first and job.spare)):
                    job.yielding = True
                if job.cancelled or job.yielding or (job.hurried and job.found is not None):
                    job.stop()
                job.flush(now)
                job.note_compilation()
                if not job.begun and now - job.since > NOTE_AFTER:
                    job.note(f"preparing {job.name} (only once)")
            for place, job in enumerate(waiting):
                if now - job.since > NOTE_AFTER:
                    job.note(f"waiting, {place + len(running)} ahead" if place < 10 else "waiting")
