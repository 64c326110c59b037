"""Fair queueing of answers: work is done in slices, and the client that has used least of late comes first.

An answer is a generator that yields wherever it may be interrupted, so clients that replay long games cost
the others no more than a few slices.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time as clock
from collections.abc import Generator
from concurrent.futures import Future
from typing import Any

THREADS = 4
"""The answers worked on at once. Not tuned."""

HEAVY = 2
"""The threads that may serve clients who have used more than `HEAVY_USE`: half of them. Not tuned."""

HEAVY_USE = 0.2
"""Seconds of recent work: ten times an ordinary answer."""

SLICE = 0.02
"""Seconds that an answer is worked on before the next one's turn: about an ordinary answer."""

HALF_LIFE = 5.0
"""Seconds after which a client's work counts half. Not tuned."""


class Usage:
    """The recent work of a client, in seconds."""

    def __init__(self) -> None:
        self._seconds, self._at = 0.0, clock.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds of work, decaying with time."""
        return float(self._seconds * 0.5 ** ((clock.monotonic() - self._at) / HALF_LIFE))

    def add(self, seconds: float) -> None:
        """Add to what was used."""
        self._seconds, self._at = self.seconds + seconds, clock.monotonic()


Steps = Generator[None, None, Any]


class FairQueue:
    """The threads and the queue before them. All its methods may be called from any thread."""

    def __init__(self, threads: int = THREADS) -> None:
        self._queue: list[tuple[float, int, Usage, Steps, Future[Any]]] = []
        self._count = itertools.count()
        self._heavy = 0
        self._open = True
        self._changed = threading.Condition()
        for _ in range(threads):
            threading.Thread(target=self._work, name="plies-answer", daemon=True).start()

    def submit(self, usage: Usage, steps: Steps) -> Future[Any]:
        """Queue an answer; the future holds what the generator returns or raises."""
        future: Future[Any] = Future()
        self._put(usage, steps, future)
        return future

    def close(self) -> None:
        """End all threads at their next step."""
        with self._changed:
            self._open = False
            self._queue.clear()
            self._changed.notify_all()

    def _put(self, usage: Usage, steps: Steps, future: Future[Any]) -> None:
        with self._changed:
            if self._open:
                heapq.heappush(self._queue, (usage.seconds, next(self._count), usage, steps, future))
                self._changed.notify()

    def _work(self) -> None:
        while (turn := self._next()) is not None:
            usage, steps, future, heavy = turn
            begun = clock.thread_time()
            over = _advance(steps, future, begun + SLICE)
            usage.add(clock.thread_time() - begun)
            with self._changed:
                self._heavy -= heavy
                self._changed.notify()
            if not over:
                self._put(usage, steps, future)

    def _next(self) -> tuple[Usage, Steps, Future[Any], bool] | None:
        """The next in the queue, once there is one."""
        with self._changed:
            while self._open:
                if self._queue:
                    heavy = self._queue[0][0] > HEAVY_USE
                    if not heavy or self._heavy < HEAVY:
                        *_, usage, steps, future = heapq.heappop(self._queue)
                        self._heavy += heavy
                        return usage, steps, future, heavy
                self._changed.wait()
        return None


def _advance(steps: Steps, future: Future[Any], end: float) -> bool:
    """Work on an answer for a slice; True if it is finished."""
    if future.cancelled():
        steps.close()
        return True
    try:
        while clock.thread_time() < end:
            next(steps)
    except StopIteration as stop:
        _settle(future, stop.value, None)
    except BaseException as error:  # raised where the answer is awaited
        _settle(future, None, error)
    else:
        return False
    return True


def _settle(future: Future[Any], value: Any, error: BaseException | None) -> None:
    """Set the result of a future, unless it was cancelled."""
    if future.set_running_or_notify_cancel():
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)
