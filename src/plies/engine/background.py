"""Work in a background thread, ended by a clock or Ctrl-C; and turns for threads that share a search."""

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
"""The bytes of a thread's stack, for LAST_PLY recursive calls of up to 32 kB each; the system takes memory
only as it is used. Not tuned."""

MOMENT = 0.05
"""The seconds between two checks whether stopped work has ended. Not tuned."""

GLANCE = 1.0
"""The seconds between two reports of progress. Not tuned."""


_starting = threading.Lock()


def start(*threads: threading.Thread) -> None:
    """Start threads with a large stack."""
    with _starting:  # the stack size is global
        before = threading.stack_size(STACK_SIZE)
        try:
            for thread in threads:
                thread.start()
        finally:
            threading.stack_size(before)


class Channel(Generic[Info]):
    """Results from a thread to the one that started it."""

    def __init__(self) -> None:
        self.ended_by = ""
        """What stopped the work: "time" or "interrupt"; "" if nothing did."""
        self._queue: queue.Queue[tuple[Info] | BaseException | None] = queue.Queue()
        self._latest: list[Info] = []

    def tell(self, info: Info) -> None:
        """Send a result."""
        self._latest[:] = [info]
        self._queue.put((info,))

    def fail(self, error: BaseException) -> None:
        """Send an error."""
        self._queue.put(error)

    def end(self) -> None:
        """Close the channel."""
        self._queue.put(None)

    def listen(
        self,
        thread: threading.Thread,
        stop: Callable[[], None],
        seconds: float | None,
        glance: Callable[[], None] | None = None,
    ) -> Iterator[Info]:
        """The results of a thread that was just started, as they come, until the channel closes.

        After `seconds`, or at Ctrl-C, `stop` is called, after which one more result may come. `glance` is
        called about once a second until then.
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
                    glance()  # in which Ctrl-C may be raised, too
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
    """The results of some work, run in a thread, as they come; after `seconds`, or at Ctrl-C, it is stopped.

    Stopped work ends soon, and may yield one more result.
    """
    news: Channel[Info] = Channel() if channel is None else channel

    def run() -> None:
        try:
            for info in work:
                news.tell(info)
        except BaseException as error:  # raised in the thread that listens
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
    """Lets threads use a resource in turn: a thread waits while another one uses it.

    A thread that returns while its own turn is not over, as with a stream left half-way, stops that turn; so
    does any thread if the one whose turn it is has ended.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._turn: Turn | None = None

    def take(self, stop: Callable[[], None], yielding: bool = False) -> Turn:
        """Wait for a turn, which lasts until `Turn.over`.

        `stop` is called, from any thread, to end this turn soon; if it is `yielding`, as soon as another
        thread waits.
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
        """Wait for a turn, which lasts until `Turn.over` or the end of the block."""
        turn = self.take(stop)
        try:
            yield turn
        finally:
            turn.over()

    def stop(self) -> None:
        """End the current turn soon, if there is one."""
        with self._changed:
            if self._turn is not None:
                self._turn.ask()


class Turn:
    """The use of a resource by one thread."""

    def __init__(self, turns: Turns, ask: Callable[[], None], yielding: bool) -> None:
        self._turns = turns
        self.yielding = yielding
        self.ask = ask
        self.thread = threading.current_thread()

    def stop(self) -> None:
        """End this turn soon; without effect if it is over."""
        with self._turns._changed:
            if self._turns._turn is self:
                self.ask()

    def over(self) -> None:
        """End this turn, and let others have theirs."""
        with self._turns._changed:
            if self._turns._turn is self:
                self._turns._turn = None
                self._turns._changed.notify_all()
