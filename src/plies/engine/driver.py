"""The driver: what all searches share around their kernels.

It checks the request, serves threads in turn, watches limit, clock and Ctrl-C, runs one thread for each
runner, and streams results. Kernels never read the time: when it is up, the driver sets `run.stop`, which
they test at every node. A search adds its runners (`_equip`) and its root policy: `_begin`, `_explore` and
`_result`.

Nobody waits for the compiler: where machine code is not there yet, a search begins interpreted, and starts
afresh once it is. What the interpreter has found by then takes machine code hundredths of a second. Only a
search limited by nothing but depth or nodes waits, so that its result is always the same.
"""

from __future__ import annotations

import logging
import threading
import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar, cast

from plies.compiled.background import Compilation
from plies.engine.background import MOMENT, Channel, Turn, Turns, start, stream
from plies.engine.job import Job
from plies.engine.limit import DEFAULT, Limit
from plies.engine.result import SearchResult
from plies.engine.root import blamed, blaming, check_facts, checked_lines, root_actions
from plies.engine.runner import Code, Runner
from plies.engine.value import AT_MOST
from plies.errors import BadParameter
from plies.game import Action, Game, State
from plies.needs import ANY, Needs
from plies.validation import refuse_arrays

log = logging.getLogger("plies")

Result = TypeVar("Result")

MOST_THREADS = 256
"""The most threads: more are likely a mistake. Not tuned."""


class Driver(ABC, Generic[Result]):
    """Searches positions of one game, for one caller at a time: threads that share it are served in turn."""

    algorithm: ClassVar[str]
    """The name of the algorithm."""
    label: ClassVar[str]
    """Its name on the page and in help."""
    subject: ClassVar[str] = ""
    """The subject of an error about an unsuitable game, if not the algorithm's name."""
    needs: ClassVar[Needs] = ANY
    """The games it serves."""

    def __init__(self, game: Game) -> None:
        self.needs.check(game, self.subject or self.algorithm)
        check_facts(game)
        self.game = game
        with blamed(game, None):
            self.first = game.initial()
        refuse_arrays(game, self.first)
        self._turns = Turns()
        self.runners: list[Any] = []
        self._code: Code | None = None
        self._compilation: Compilation | None = None
        self._stopping = threading.Event()

    def stop(self) -> None:
        """Stop the current search, which then returns its best result so far; may be called from any
        thread."""
        self._turns.stop()

    def clear(self) -> None:
        """Discard what earlier searches have found."""
        with self._turns.turn(self._stop):
            self._clear()

    @property
    def compilation(self) -> Compilation | None:
        """What an interpreted search goes on until; None if there is nothing to wait for."""
        known = self._compilation
        return None if known is None or known.done else known

    def prepare(self) -> Compilation | None:
        """Begin to compile in the background; None if there is nothing to wait for."""
        code = self._code
        return None if code is None or code.is_ready() else code.prepare()

    # -- What a search adds.

    def _equip(self, code: Code) -> None:
        """Make the runners, which have no memory of earlier searches."""
        self._code = code

    def _clear(self) -> None:
        """Discard what earlier searches have found."""

    def _begin(self, job: Job) -> None:
        """Get ready: reset counters, keep the memory of earlier searches."""

    @abstractmethod
    def _explore(self, job: Job) -> Iterator[None]:
        """Search, and yield at each new result; runs in the first runner's thread."""

    def _assist(self, job: Job, runner: Any) -> None:
        """Search in the thread of another runner."""

    @abstractmethod
    def _result(self, job: Job) -> Result:
        """The result so far."""

    def _is_news(self, result: Result, told: Result | None) -> bool:
        """Whether a result differs from the one sent before."""
        return True

    @abstractmethod
    def _progress(self, job: Job, result: Result) -> tuple[Any, ...]:
        """How far a search got, to be compared with others; first, whether there is nothing left to find."""

    # -- One search.

    def _stop(self) -> None:
        self._stopping.set()
        for runner in self.runners:
            runner.stop()

    def _get_ready(self, job: Job) -> None:
        """Have machine code, or begin to compile; wait for it only if the limits say so."""
        code = self._code
        if code is None or code.awaited is None:
            return
        exact = job.limit.time is None and not (job.limit.depth is None and job.limit.nodes is None)
        if exact or code.wait or self.game.compiled or code.is_ready():
            self._equip(Code())
        else:
            job.compilation = self._compilation = code.prepare()

    def _run(
        self,
        job: Job,
        turn: Turn,
        channel: Channel[Result] | None = None,
        glance: Callable[[], None] | None = None,
    ) -> Iterator[Result]:
        """The results of a job as they come, until a limit, `stop` or Ctrl-C ends it."""
        self._stopping.clear()
        self._get_ready(job)
        with blaming(self.game, job.state):
            job.begun = clock.perf_counter()
            self._begin(job)
            if self._stopping.is_set():
                self._stop()
            yield from stream(self._work(job, turn), turn.stop, job.left, channel, glance)

    def _work(self, job: Job, turn: Turn) -> Iterator[Result]:
        """Search in this thread: interpreted first, if need be, and then afresh with machine code.

        What the first search has told is not told again by the second.
        """
        told: Result | None = None
        known: tuple[Any, ...] | None = None
        try:
            for stage in self._stages(job):
                for result in self._results(stage):
                    reached = self._progress(stage, result)
                    if known is None or reached > known or (stage.ended and reached == known):
                        last = result
                        if stage.streaming and not stage.ended and not _is_superseded(stage):
                            told = result
                            yield told
                known = self._progress(stage, last)
        finally:
            turn.over()
        if self._is_news(last, told):
            yield last

    def _stages(self, job: Job) -> Iterator[Job]:
        """The job and, once there is machine code for it, what is left of it."""
        yield job
        compilation = job.compilation
        if compilation is None or self._is_over(job):
            return
        while not self._stopping.is_set() and not compilation.wait(MOMENT):
            pass  # the interpreter is at its end, such as the deepest ply it can reach
        if self._stopping.is_set() or not compilation.usable or job.left == 0:
            return
        self._equip(Code())
        limit = replace(job.limit, time=job.left)
        job = replace(job, limit=limit, begun=clock.perf_counter(), ended=None, compilation=None)
        self._begin(job)
        if self._stopping.is_set():
            self._stop()
        yield job

    def _is_over(self, job: Job) -> bool:
        """Whether an interpreted search has ended by itself, and machine code would find no more."""
        if any(runner.stopped for runner in self.runners):
            return False
        limited = job.limit.depth is not None or job.limit.nodes is not None
        return limited or bool(self._progress(job, self._result(job))[0])

    def _results(self, job: Job) -> Iterator[Result]:
        """The results of a search, with one thread for each runner, the last when the job has ended."""
        if job.compilation is not None:
            job.compilation.then(partial(_interrupt, job, self.runners))
        try:
            if job.compilation is None:  # interpreted, more threads would only share one core
                self._start_others(job)
            for _ in self._explore(job):
                if job.streaming:
                    yield self._stamped(job)
        finally:
            self._stop_others(job)
        if job.failure:
            raise job.failure
        job.ended = clock.perf_counter()
        yield self._stamped(job)

    def _stamped(self, job: Job) -> Result:
        """The result so far, with whether machine code found it."""
        result: Any = self._result(job)
        compiled = self.runners[0].compiled if self.runners else result.compiled
        return cast(Result, replace(result, compiled=compiled))

    def _start_others(self, job: Job) -> None:
        for runner in self.runners[1:]:
            job.threads.append(start(partial(self._help, job, runner)))

    def _help(self, job: Job, runner: Runner) -> None:
        try:
            self._assist(job, runner)
        except BaseException as error:  # raised in the first thread
            job.failure = error
            self._stop()

    def _stop_others(self, job: Job) -> None:
        """Stop all threads but the first, which then has the shared memory to itself."""
        for runner in self.runners[1:]:
            runner.stop()
        for thread in job.threads:
            thread.join()
        job.threads.clear()


class Search(Driver[SearchResult]):
    """A search for the best action that improves its result until a limit ends it."""

    limits: ClassVar[tuple[str, ...]] = ("time", "depth", "nodes")
    """The limits it takes."""
    exact: ClassVar[bool] = True
    """Whether, given the time, it proves the value of a game."""
    restricts: ClassVar[bool] = False
    """Whether it can be restricted to some actions at the root."""

    @property
    def hashfull(self) -> int | None:
        """How full the transposition table is, of a thousand entries, if there is one."""
        return None

    def search(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
        actions: Sequence[Action] | None = None,
    ) -> SearchResult:
        """The best action and its value: the last result of `analyse`."""
        *_, result = self._stream(state, limit, lines, previous, False, actions)
        return result

    def analyse(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
        actions: Sequence[Action] | None = None,
    ) -> Iterator[SearchResult]:
        """Results as they come, until a limit, `stop` or Ctrl-C ends the search, or all is proved.

        The best `lines` actions have exact values, the others bounds. `previous` are the positions of the
        game so far, where repetitions matter. With `actions`, only these are searched at the root: their
        `scores` may be proved, but not the value of the position, unless one of them wins.
        """
        return self._stream(state, limit, lines, previous, True, actions)

    def ponder(self, state: State, previous: Sequence[State] = ()) -> None:
        """Search a position in the background, on the opponent's time, until the next search begins."""
        job = self._job(state, Limit(), 1, previous, streaming=False)
        turn = self._turns.take(self._stop, yielding=True)
        self._stopping.clear()
        self._get_ready(job)
        with blaming(self.game, job.state):
            self._begin(job)
        start(partial(self._drain, job, turn))

    def _drain(self, job: Job, turn: Turn) -> None:
        try:
            for _ in self._work(job, turn):
                pass
        except Exception as error:  # nobody waits for its result; the next search raises if it meets the same
            log.warning("thinking on the opponent's time ended early: %s", error)

    def _stream(
        self,
        state: State | None,
        limit: Limit | None,
        lines: int,
        previous: Sequence[State],
        streaming: bool,
        actions: Sequence[Action] | None = None,
    ) -> Iterator[SearchResult]:
        job = self._job(state, limit or DEFAULT, lines, previous, streaming)
        if actions is not None:
            self._restrict(job, actions)
        with self._turns.turn(self._stop) as turn:
            for found in self._run(job, turn):
                yield self._unrestricted(found) if job.restricted else found

    def _job(
        self, state: State | None, limit: Limit, lines: int, previous: Sequence[State], streaming: bool
    ) -> Job:
        state = self.first if state is None else state
        checked_lines(lines)
        actions = root_actions(self.game, state, previous)
        return Job(self.game, state, actions, limit, lines, previous, streaming)

    def _restrict(self, job: Job, actions: Sequence[Action]) -> None:
        """Search only some of the legal actions at the root."""
        if not self.restricts:
            raise BadParameter(f"{self.algorithm} searches all actions, and cannot be restricted to some")
        left = [action for action in job.actions if action in actions]
        if not left or any(action not in left for action in actions):
            raise BadParameter("the actions to search must be legal here, and at least one")
        job.restricted = len(left) < len(job.actions)
        job.actions = left

    def _unrestricted(self, found: SearchResult) -> SearchResult:
        """A result of a restricted search, with what it says about the position.

        The actions left out may be better. So nothing is proved but a win as great as can be, and not that
        it is the quickest; any other value is an estimate of the position's.
        """
        value = found.value
        sure = value.proved and value.bound != AT_MOST and value.utility >= self.game.bounds[1]
        return replace(found, value=replace(value, proved=sure, plies=None))

    def _is_news(self, result: SearchResult, told: SearchResult | None) -> bool:
        return told is None or replace(told, seconds=result.seconds) != result

    def _progress(self, job: Job, result: SearchResult) -> tuple[Any, ...]:
        effort = result.nodes if "simulations" in self.limits else result.depth
        return result.settles(job.lines), result.value.proved, effort


def _is_superseded(job: Job) -> bool:
    """Whether there is machine code now for an interpreted search."""
    return job.compilation is not None and job.compilation.done and job.compilation.usable


def _interrupt(job: Job, runners: Sequence[Runner]) -> None:
    """End an interpreted search, if there is machine code for it now."""
    if _is_superseded(job):
        for runner in runners:
            runner.stop()


def checked_threads(threads: Any) -> int:
    """The number of threads, checked."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise BadParameter(f"threads must be between 1 and {MOST_THREADS}, not {threads!r}")
    return threads
