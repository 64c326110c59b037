"""Where units are done: in this process, in several, or on a Ray cluster. All have `submit`."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Protocol

from plies.work.processes import Processes
from plies.work.unit import Done, Job, Task, Unit


class Backend(Protocol):
    """What does units."""

    room: int
    """How many units it should be given before the first of them is done."""

    def submit(self, unit: Unit) -> Future[Done]:
        """Have a unit done; the future has what came out of it, or the error."""


class Serial:
    """Does units in this process, each when it is submitted."""

    room = 1

    def __init__(self, task: Task) -> None:
        self.task = task

    def submit(self, unit: Unit) -> Future[Done]:
        """Do a unit; what it raises is raised here."""
        future: Future[Done] = Future()
        future.set_result(self.task.do(unit))
        return future


@contextmanager
def opened(task: Task, jobs: int, ray: str | None) -> Iterator[Backend]:
    """The back end for a task: Ray at an address, so many processes, or this one."""
    if ray is not None:
        from plies.work.on_ray import OnRay

        with OnRay(Job.of(task), ray, task.noun) as cluster:
            yield cluster
    elif jobs != 1:
        with Processes(Job.of(task), jobs, task.noun) as processes:
            yield processes
    else:
        yield Serial(task)
