"""Work in a thread of its own, which a clock or a person may end; turns, where threads share something."""

from __future__ import annotations

import contextlib
import queue
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from plies.engine.worker import start

Info = TypeVar("Info")

MOMENT = 0.05
"""Seconds between two looks at whether work that was told to stop has done so."""


class Channel(Generic[Info]):
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
    news: Channel[Info] = Channel()

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


class Turns:
    """Lets threads use one thing in turn: whoever comes while it is in use waits until that is over.

    A thread that comes back while its own use is not over, as with a stream that was left half-way, stops it;
    so does anyone if the thread that began it has ended.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._turn: Turn | None = None

    @contextlib.contextmanager
    def turn(self, stop: Callable[[], None]) -> Iterator[Turn]:
        """Wait for a turn, and have it until `Turn.over` is called or the block is left.

        `stop` is called, from any thread, to have what is done in this turn end soon.
        """
        turn = Turn(self, stop)
        with self._changed:
            while self._turn is not None:
                if self._turn.thread is turn.thread or not self._turn.thread.is_alive():
                    self._turn.ask()
                self._changed.wait(MOMENT)
            self._turn = turn
        try:
            yield turn
        finally:
            turn.over()

    def stop(self) -> None:
        """Have the turn under way end soon, if there is one."""
        with self._changed:
            if self._turn is not None:
                self._turn.ask()


class Turn:
    """The use of something by one thread, until it is over."""

    def __init__(self, turns: Turns, ask: Callable[[], None]) -> None:
        self._turns = turns
        self.ask = ask
        self.thread = threading.current_thread()

    def stop(self) -> None:
        """Have this turn end soon; nothing happens if it is over."""
        with self._turns._changed:
            if self._turns._turn is self:
                self.ask()

    def over(self) -> None:
        """Let others have their turn."""
        with self._turns._changed:
            if self._turns._turn is self:
                self._turns._turn = None
                self._turns._changed.notify_all()
