"""Work in a thread of its own, which a clock or a person may end; turns, where threads share something."""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

Info = TypeVar("Info")

STACK_SIZE = 64 * 2**20
"""What a thread's own stack may take, for a deep recursion; it is taken only as it is used."""

MOMENT = 0.05
"""Seconds between two looks at whether work that was told to stop has done so."""

GLANCE = 1.0
"""Seconds between two looks at work in progress."""


_starting = threading.Lock()


def start(*threads: threading.Thread) -> None:
    """Start threads that have room for a deep recursion."""
    with _starting:  # the size of stacks is one for the whole process
        before = threading.stack_size(STACK_SIZE)
        try:
            for thread in threads:
                thread.start()
        finally:
            threading.stack_size(before)


class Channel(Generic[Info]):
    """What a thread has to tell the one that asked for its work."""

    def __init__(self) -> None:
        self.ended_by = ""
        """What had the work stopped: "time" or "interrupt"; "" if nothing did."""
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
        self,
        thread: threading.Thread,
        stop: Callable[[], None],
        seconds: float | None,
        glance: Callable[[], None] | None = None,
    ) -> Iterator[Info]:
        """What a thread that was just started tells, as it comes, up to the end.

        After so many seconds, or at Ctrl-C, it is told to stop, and may tell once more what it has. `glance`
        is called about once a second until then.
        """
        begun = clock.perf_counter()
        told = stopping = False
        while True:
            left = math.inf if seconds is None else max(0.0, seconds - (clock.perf_counter() - begun))
            wait = MOMENT if stopping else min(left, GLANCE if glance else math.inf)
            try:
                try:
                    info = self._queue.get(timeout=None if wait == math.inf else wait)
                except queue.Empty:
                    if not glance or stopping or wait == left:
                        raise
                    glance()  # in which Ctrl-C may come, too
                    continue
            except (queue.Empty, KeyboardInterrupt) as reason:
                if not stopping:
                    self.ended_by = "time" if isinstance(reason, queue.Empty) else "interrupt"
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


def stream(
    work: Iterable[Info],
    stop: Callable[[], None],
    seconds: float | None,
    channel: Channel[Info] | None = None,
    glance: Callable[[], None] | None = None,
) -> Iterator[Info]:
    """What some work yields, each as it comes; after so many seconds, or at Ctrl-C, it is told to stop.

    Work that is told to stop ends soon, and may yield once more what it has.
    """
    news: Channel[Info] = Channel() if channel is None else channel

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
        yield from news.listen(thread, stop, seconds, glance)
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

    def take(self, stop: Callable[[], None], yielding: bool = False) -> Turn:
        """Wait for a turn, and have it until `Turn.over` is called.

        `stop` is called, from any thread, to have what is done in this turn end soon; if it is `yielding`, as
        soon as anybody waits.
        """
        turn = Turn(self, stop, yielding)
        with self._changed:
            while (now := self._turn) is not None:
                if now.yielding or now.thread is turn.thread or not now.thread.is_alive():
                    now.ask()
                self._changed.wait(MOMENT)
            self._turn = turn
        return turn

    @contextlib.contextmanager
    def turn(self, stop: Callable[[], None]) -> Iterator[Turn]:
        """Wait for a turn, and have it until `Turn.over` is called or the block is left."""
        turn = self.take(stop)
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

    def __init__(self, turns: Turns, ask: Callable[[], None], yielding: bool) -> None:
        self._turns = turns
        self.yielding = yielding
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
