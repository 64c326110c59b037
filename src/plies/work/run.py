"""Doing units wherever they are to be done, in order, with what is known of them from before."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from plies.cores import usable_cores
from plies.errors import BadParameter
from plies.work.backends import Backend, opened
from plies.work.store import Store
from plies.work.unit import Done, Job, Task, Unit

MOST_JOBS = 256
"""The most processes at once. Not tuned."""

MOST_SHARDS = 1_000_000


@dataclass(frozen=True)
class Where:
    """Where units are done, and where their results are kept."""

    jobs: int = 1
    """Processes at once; 1 is this one, and 0 one for every core."""
    ray: str | None = None
    """The address of a Ray cluster, or "local"."""
    shard: str | None = None
    """A part of the units, such as "3/64"; the others are for other processes."""
    units: Path | None = None
    """A file of results (SQLite): what is in it is not done again."""

    def __post_init__(self) -> None:
        if not 0 <= self.jobs <= MOST_JOBS:
            raise BadParameter(f"jobs must be between 0 (one for each core) and {MOST_JOBS}, not {self.jobs}")
        if self.ray is not None and self.jobs != 1:
            raise BadParameter("a Ray cluster has its own workers: leave out jobs, or ray")
        if self.shard is not None:
            self._share()
            if self.units is None:
                raise BadParameter("a shard keeps its results in a file of units: name one (--units FILE)")

    def refuse_shards(self, what: str) -> None:
        """Refuse to do a part of what must be done in order."""
        if self.shard is not None:
            raise BadParameter(f"{what} has no shards: each part of it depends on those before")

    def _share(self) -> tuple[int, int]:
        found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", self.shard or "1/1", re.ASCII)
        number, count = map(int, found.groups()) if found else (0, 0)
        if not 1 <= number <= count <= MOST_SHARDS:
            raise BadParameter(
                f"a shard is NUMBER/COUNT, from 1/COUNT to COUNT/COUNT, such as 3/64, not {self.shard!r:.40}"
            )
        return number, count

    def share(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """The units of this shard: all, if there is none."""
        number, count = self._share()
        return (unit for unit in units if unit.number % count == number - 1)

    @property
    def next_step(self) -> str:
        """What to do when a shard is done, in a sentence; "" if there is none."""
        if self.shard is None:
            return ""
        return f"shard {self.shard}: merge the files of all shards, and run this again without --shard"

    def opened(self, task: Task) -> AbstractContextManager[Backend]:
        """The back end, which does units of a task."""
        return opened(task, self.jobs or usable_cores(), self.ray)

    @property
    def elsewhere(self) -> bool:
        """Whether anything but this process and its memory is used."""
        return self.jobs != 1 or self.ray is not None or self.units is not None


def done_in_order(task: Task, units: Iterable[Unit], where: Where) -> Iterator[tuple[Unit, Done]]:
    """Units with what came out of each, in order, wherever they are done; what is known is not done again."""
    with Store(where.units) as store, where.opened(task) as backend:
        if where.units is None:
            yield from in_order(backend, where.share(units))
            return
        job = Job.of(task)
        yield from in_order(
            backend, where.share(units), store.begin(job), lambda unit, done: store.keep(job, unit, done)
        )


def in_order(
    backend: Backend,
    units: Iterable[Unit],
    known: Mapping[str, Done] | None = None,
    keep: Callable[[Unit, Done], None] = lambda unit, done: None,
) -> Iterator[tuple[Unit, Done]]:
    """Units with what came out of each, in order: so the whole is the same wherever they are done.

    What comes early is kept at once, but waits for its turn; quick units do not get ahead of slow ones, which
    would bias what is known so far.
    """
    waiting: deque[tuple[Unit, Future[Done]]] = deque()
    running: dict[Future[Done], Unit] = {}
    left = iter(units)
    while True:
        while len(waiting) < backend.room and (unit := next(left, None)) is not None:
            if known and unit.key in known:
                future: Future[Done] = Future()
                future.set_result(known[unit.key])
            else:
                future = backend.submit(unit)
                running[future] = unit
            waiting.append((unit, future))
        if not waiting:
            return
        if not waiting[0][1].done():
            wait(running, return_when=FIRST_COMPLETED)
        for future in [one for one in running if one.done()]:
            keep(running.pop(future), future.result())
        while waiting and waiting[0][1].done():
            unit, future = waiting.popleft()
            if running.pop(future, None) is not None:  # done since the look above
                keep(unit, future.result())
            yield unit, future.result()
