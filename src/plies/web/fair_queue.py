"""Answers for many clients, a little of each at a time: whoever has used least of late comes first.

An answer is a generator that yields wherever it may be interrupted. So a client that replays a long game, or
twenty of them, cost the others no more than a few such pieces.
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
"""How many answers are worked on at once …"""

HEAVY = 2
"""… and how many of them may be those of clients who have used more than `HEAVY_USE`."""

HEAVY_USE = 0.2
"""Seconds of work: an ordinary answer takes a tenth of it."""

SLICE = 0.02
"""Seconds that an answer is worked on before it is the next one's turn."""

HALF_LIFE = 5.0
"""Seconds after which what a client has used counts half."""


class Usage:
    """How many seconds of work a client has used of late."""

    def __init__(self) -> None:
        self._used, self._at = 0.0, clock.monotonic()

    @property
    def used(self) -> float:
        """Seconds of work; those of long ago count little."""
        return float(self._used * 0.5 ** ((clock.monotonic() - self._at) / HALF_LIFE))

    def charge(self, seconds: float) -> None:
        """Add to what was used."""
        self._used, self._at = self.used + seconds, clock.monotonic()


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

    def ask(self, account: Usage, steps: Steps) -> Future[Any]:
        """Queue an answer. What the generator returns or raises is what the future holds."""
        future: Future[Any] = Future()
        self._put(account, steps, future)
        return future

    def close(self) -> None:
        """End all threads, once they have come to the next step."""
        with self._changed:
            self._open = False
            self._queue.clear()
            self._changed.notify_all()

    def _put(self, account: Usage, steps: Steps, future: Future[Any]) -> None:
        with self._changed:
            if self._open:
                heapq.heappush(self._queue, (account.used, next(self._count), account, steps, future))
                self._changed.notify()

    def _work(self) -> None:
        while (turn := self._next()) is not None:
            account, steps, future, heavy = turn
            begun = clock.thread_time()
            over = _advance(steps, future, begun + SLICE)
            account.charge(clock.thread_time() - begun)
            with self._changed:
                self._heavy -= heavy
                self._changed.notify()
            if not over:
                self._put(account, steps, future)

    def _next(self) -> tuple[Usage, Steps, Future[Any], bool] | None:
        """Whose turn it is, once there is anybody; the queue has those first who have used least."""
        with self._changed:
            while self._open:
                if self._queue:
                    heavy = self._queue[0][0] > HEAVY_USE
                    if not heavy or self._heavy < HEAVY:
                        *_, account, steps, future = heapq.heappop(self._queue)
                        self._heavy += heavy
                        return account, steps, future, heavy
                self._changed.wait()
        return None


def _advance(steps: Steps, future: Future[Any], end: float) -> bool:
    """Work on an answer for a slice; True if that was the last of it."""
    if future.cancelled():
        steps.close()
        return True
    try:
        while clock.thread_time() < end:
            next(steps)
    except StopIteration as stop:
        _settle(future, stop.value, None)
    except BaseException as error:  # handed on to whoever waits for the answer
        _settle(future, None, error)
    else:
        return False
    return True


def _settle(future: Future[Any], value: Any, error: BaseException | None) -> None:
    """Tell how it ended, unless nobody waits any more."""
    if future.set_running_or_notify_cancel():
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)
