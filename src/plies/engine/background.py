"""Work in a background thread, ended by a clock or Ctrl-C; and turns for threads that share a search."""

from __future__ import annotations

import contextlib
import math
import os
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


KEPT = 1.0
"""The seconds for which a thread without work waits for more. Not tuned."""


class Task:
    """Work that a background thread does."""

    def __init__(self, work: Callable[[], None], name: str) -> None:
        self.work, self.name = work, name
        self.done = threading.Event()

    def is_alive(self) -> bool:
        """Whether it is not done yet."""
        return not self.done.is_set()

    def join(self, seconds: float | None = None) -> None:
        """Wait until it is done, for so many seconds at most."""
        self.done.wait(seconds)


_lock = threading.Lock()
_waiting: list[queue.SimpleQueue[Task]] = []  # where the threads that wait get their next task


def start(work: Callable[[], None], name: str = "plies-search") -> Task:
    """Do some work in a background thread with a large stack.

    A thread that is done waits a moment for the next work: to start another takes longer than a small search.
    """
    task = Task(work, name)
    with _lock:
        if _waiting:
            _waiting.pop().put(task)
            return task
        before = threading.stack_size(STACK_SIZE)  # which is global
        try:
            threading.Thread(target=_serve, args=(task,), name=name, daemon=True).start()
        finally:
            threading.stack_size(before)
    return task


def _serve(task: Task) -> None:
    """In a thread: do a task, and those that follow it soon."""
    thread, tasks = threading.current_thread(), queue.SimpleQueue[Task]()
    while True:
        thread.name = task.name
        try:
            task.work()
        except BaseException:  # which Python reports, and ends the thread
            task.done.set()
            raise
        thread.name = "plies-waiting"
        with _lock:
            _waiting.append(tasks)
        done = task.done
        del task  # and the memory of the search
        done.set()
        try:
            task = tasks.get(timeout=KEPT)
        except queue.Empty:
            with _lock:
                if tasks in _waiting:
                    _waiting.remove(tasks)
                    return
            task = tasks.get()  # it came just now


def _forked() -> None:
    """In a child process, which has none of these threads."""
    global _lock
    _lock = threading.Lock()
    _waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class Channel(Generic[Info]):
    """Results from a thread to the one that started it."""

    def __init__(self) -> None:
        self.ended_by = ""
        """What stopped the work: "time" or "interrupt"; "" if nothing did."""
        self._queue: queue.SimpleQueue[tuple[Info] | BaseException | None] = queue.SimpleQueue()
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
        task: Task,
        stop: Callable[[], None],
        seconds: float | None,
        glance: Callable[[], None] | None = None,
    ) -> Iterator[Info]:
        """The results of a task that was just started, as they come, until the channel closes.

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
                if not task.is_alive() and self._queue.empty():
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

    task = start(run)
    try:
        yield from news.listen(task, stop, seconds, glance)
    finally:
        stop()
        task.join()


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
