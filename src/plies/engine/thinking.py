"""Work in a thread of its own, which a clock or a person may end."""

from __future__ import annotations

import queue
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from plies.engine.worker import start

Info = TypeVar("Info")

MOMENT = 0.05
"""Seconds between two looks at whether work that was told to stop has done so."""


class News(Generic[Info]):
    """What a thread has to tell the one that asked for its work."""

    def __init__(self) -> None:
        self._queue: queue.Queue[tuple[Info] | BaseException | None] = queue.Queue()
        self._latest: list[Info] = []

    def tell(self, info: Info) -> None:
        """Tell something."""
        self._latest[:] = [info]
        self._queue.put((info,))

    def fail(self, error: BaseException) -> None:
        """Hand on an error."""
        self._queue.put(error)

    def end(self) -> None:
        """There is no more to tell."""
        self._queue.put(None)

    def listen(
        self, thread: threading.Thread, stop: Callable[[], None], seconds: float | None
    ) -> Iterator[Info]:
        """What a thread that was just started tells, as it comes, up to the end.

        After so many seconds, or at Ctrl-C, it is told to stop, and may tell once more what it has.
        """
        begun = clock.perf_counter()
        told = stopping = False
        while True:
            left = None if seconds is None else max(0.0, seconds - (clock.perf_counter() - begun))
            try:
                info = self._queue.get(timeout=MOMENT if stopping else left)
            except (queue.Empty, KeyboardInterrupt):
                stop()
                stopping = True
                if not thread.is_alive() and self._queue.empty():
                    break  # Ctrl-C came just as the queue gave its last
                continue
            if info is None:
                break
            if isinstance(info, BaseException):
                raise info
            told = True
            yield info[0]
        if not told:
            yield from self._latest


def stream(work: Iterable[Info], stop: Callable[[], None], seconds: float | None) -> Iterator[Info]:
    """What some work yields, each as it comes; after so many seconds, or at Ctrl-C, it is told to stop.

    Work that is told to stop ends soon, and may yield once more what it has.
    """
    news: News[Info] = News()

    def run() -> None:
        try:
            for info in work:
                news.tell(info)
        except BaseException as error:  # handed on to the thread that asked
            news.fail(error)
        news.end()

    thread = threading.Thread(target=run, name="plies-search", daemon=True)
    start(thread)
    try:
        yield from news.listen(thread, stop, seconds)
    finally:
        stop()
        thread.join()
