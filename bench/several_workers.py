"""Games of a match by one worker and by two: in this process, in others, and on a Ray cluster."""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from statistics import median

import plies
from bench.common import Row, in_turn, progress
from plies.arena.table import Conditions
from plies.arena.units import Games
from plies.work.backends import Backend, Serial
from plies.work.on_ray import LOCAL, OnRay
from plies.work.processes import Processes
from plies.work.run import in_order
from plies.work.unit import Job, Unit, canonical

TITLE = "Games by one worker and by two"
COLUMNS = ("back end", "games/s", "by this process alone", "load before")
NOTE = (
    "Games of Connect Four between engines of 1,000 nodes a move, after the workers have started and played "
    "some. Two workers can be at most twice as fast, and only where two cores are free: where the load was "
    "not near 0 before, the machine was busy."
)


def rows(quick: bool) -> Iterator[Row]:
    """A row for each back end."""
    game, count = plies.ConnectFour(), 4 if quick else 40
    task = Games(game, ("engine:nodes=1000", "engine:nodes=1000"), Conditions(seed=1))
    job = Job.of(task)
    places: dict[str, Callable[[], AbstractContextManager[Backend]]] = {
        "1 process": partial(Processes, job, 1),
        "2 processes": partial(Processes, job, 2),
    }
    if importlib.util.find_spec("ray") is not None:
        places["Ray on this machine"] = partial(OnRay, job, LOCAL)
    for name, place in places.items():
        progress(f"{game.name}: {count} games, {name}")
        load = os.getloadavg()[0]
        with place() as backend:
            _played(backend, 8)
            here, there = in_turn(3, partial(_played, Serial(task), count), partial(_played, backend, count))
        alone, speed = median(here), median(there)
        cells = (name, f"{speed:.1f}", f"{speed / alone:.2f}", f"{load:.1f}")
        yield Row(cells, {"name": name, "games": speed, "alone": alone, "load": load})
    sizes = [len(canonical(task.do(unit).result)) for unit in _units(4)]
    yield Row((f"a job has {len(job.text):,} bytes, a result {sum(sizes) // 4:,}", "", "", ""))


def _units(count: int) -> list[Unit]:
    return [Unit(number, [0, 1, number]) for number in range(count)]


def _played(backend: Backend, count: int) -> float:
    """Games a second."""
    start = time.perf_counter()
    played = sum(1 for _ in in_order(backend, _units(count)))
    return played / (time.perf_counter() - start)
