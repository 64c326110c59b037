"""Doing units wherever they are to be done, in order, with what is known of them from before."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

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
    another: bool = False
    """Whether the work has several jobs, and this is not the first: the file then has others already."""

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
    with Store(where.units) as store:
        job = None if where.units is None else Job.of(task)
        known = {} if job is None else store.begin(job, where.another)
        with where.opened(task) as backend:
            keep = _unkept if job is None else partial(store.keep, job)
            yield from in_order(backend, where.share(units), known, keep)


def _unkept(unit: Unit, done: Done) -> Done:
    return done


def in_order(
    backend: Backend,
    units: Iterable[Unit],
    known: Mapping[str, Done] = MappingProxyType({}),
    keep: Callable[[Unit, Done], Done] = _unkept,
) -> Iterator[tuple[Unit, Done]]:
    """Units with what came out of each, in order: so the whole is the same wherever they are done.

    What comes early is kept at once, but waits for its turn; quick units do not get ahead of slow ones, which
    would bias what is known so far. `keep` returns what counts: another process may have been quicker.
    """
    waiting: deque[tuple[Unit, Future[Done]]] = deque()
    running: dict[Future[Done], Unit] = {}
    kept: dict[Future[Done], Done] = {}
    left = iter(units)
    while True:
        while len(waiting) < backend.room and (unit := next(left, None)) is not None:
            if unit.key in known:
                future: Future[Done] = Future()
                kept[future] = known[unit.key]
            else:
                future = backend.submit(unit)
                running[future] = unit
            waiting.append((unit, future))
        if not waiting:
            return
        if waiting[0][1] not in kept:
            wait(running, return_when=FIRST_COMPLETED)
        done = [one for one in running if one.done()]
        for future in sorted(done, key=lambda one: one.exception() is not None):  # an error costs no result
            kept[future] = keep(running.pop(future), future.result())
        while waiting and waiting[0][1] in kept:
            unit, future = waiting.popleft()
            yield unit, kept.pop(future)
