"""Units on several cores: processes that do one unit at a time, and are started again if they die."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from concurrent.futures import Future
from typing import Any

from plies.errors import PliesError
from plies.work.unit import Done, Job, Unit, canonical

ATTEMPTS = 3
"""How often a unit is begun again whose process has died, before the work ends. Not tuned."""

PATIENCE = 5.0
"""The seconds that a process has to end its programs before it is killed. Not tuned."""

AHEAD = 8
"""The units submitted for each process, so that a long one does not keep the others waiting. Not tuned."""


class Processes:
    """Processes that do the units of a job."""

    def __init__(self, job: Job, count: int, noun: str = "unit") -> None:
        head = {"path": sys.path, "job": job.text, "checksum": job.checksum}
        self._order = json.dumps(head).encode() + b"\n"
        self._noun, self._count = noun, count
        self.room = AHEAD * count
        self._units: queue.SimpleQueue[tuple[Unit, Future[Done]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self._serving = 0
        self._closed = False

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closed = True
            processes = list(self.processes.values())
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError, ValueError):  # of what was not sent yet
                    pipe.close()  # type: ignore[union-attr]

    def submit(self, unit: Unit) -> Future[Done]:
        """Have a unit done."""
        future: Future[Done] = Future()
        self._units.put((unit, future))
        if self._serving < self._count:
            given = (self._serving,)
            threading.Thread(target=self._serve, args=given, name="plies-work", daemon=True).start()
            self._serving += 1
        return future

    def _serve(self, worker: int) -> None:
        """Have a process do one unit after the other."""
        while not self._closed:
            unit, future = self._units.get()
            try:
                done = self._done(worker, unit)
            except PliesError as error:
                future.set_exception(error)
            else:
                if done is None:
                    return
                future.set_result(done)

    def _done(self, worker: int, unit: Unit) -> Done | None:
        """What comes out of a unit, whose process is started again if it dies; None if the work is over."""
        for attempt in range(1, ATTEMPTS + 1):
            process = self._process(worker)
            if process is None:
                return None
            reply = _ask(process, unit)
            if reply is not None:
                if "error" in reply:
                    raise PliesError(reply["error"])
                return Done(**reply)
            with self._lock:
                if self._closed:
                    return None
                self.processes.pop(worker, None)
            code = process.wait()
            if attempt == ATTEMPTS:
                raise PliesError(
                    f"{self._noun} {unit.number} was begun {attempt} times, and each time its process ended, "
                    f"at last with code {code}"
                )
        return None

    def _process(self, worker: int) -> subprocess.Popen[bytes] | None:
        """A worker's process, started if need be; None if the work is over."""
        with self._lock:
            if self._closed:
                return None
            if worker not in self.processes:
                self.processes[worker] = process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "plies.work.worker"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,  # so that Ctrl-C is for this process, which ends them
                )
                _send(process, self._order)
            return self.processes[worker]


def _send(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):  # it has died, as its reply will show
        process.stdin.write(data)
        process.stdin.flush()


def _ask(process: subprocess.Popen[bytes], unit: Unit) -> dict[str, Any] | None:
    """The reply of a process that does a unit; None if it died."""
    assert process.stdout is not None
    _send(process, canonical([unit.number, unit.data]).encode() + b"\n")
    line = process.stdout.readline()
    if not line.endswith(b"\n"):
        return None
    reply: dict[str, Any] = json.loads(line)
    return reply
