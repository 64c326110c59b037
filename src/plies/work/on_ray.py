"""Units on a Ray cluster: a Ray task each, of a job that is sent to every machine once."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, redirect_stdout
from tempfile import TemporaryFile
from typing import IO, Any, TextIO, cast

from plies.errors import PliesError
from plies.work.processes import ATTEMPTS, PATIENCE
from plies.work.unit import Done, Job, Unit, canonical

LOCAL = "local"
"""The address that stands for a cluster on this machine alone, which ends with the work."""

AHEAD = 4
"""The units submitted for each core of the cluster. Not tuned."""


GLANCE, MISSES = 5.0, 3
"""The seconds between two looks at whether the cluster is still there, and after how many in vain it is not.
Not tuned: Ray ends the program after 60 seconds, without an error that could be caught."""


class OnRay:
    """The cores of a Ray cluster, which do the units of a job."""

    def __init__(self, job: Job, address: str = LOCAL, noun: str = "unit") -> None:
        ray = _ray()
        self._noun = noun
        self._aside = redirect_stdout(cast("TextIO", Aside(sys.stdout)))
        self._ours = not ray.is_initialized()
        if self._ours:
            _check_reachable(address)
            _connect(ray, address)
        self.room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._job = ray.put((job.text, job.checksum))
        self._path = ray.put(sys.path if address == LOCAL else [])
        self._reply = ray.remote(max_retries=ATTEMPTS, num_cpus=1)(_reply)
        self._errors = ray.exceptions.RayError
        self._waiting: set[Future[Done]] = set()
        self._closed = threading.Event()
        self._gone: PliesError | None = None
        head = ray.get_runtime_context().gcs_address
        if not _unreachable(head):  # from outside, by a gateway, it may be
            threading.Thread(target=self._watch, args=(head,), name="plies-ray", daemon=True).start()

    def __enter__(self) -> OnRay:
        self._aside.__enter__()
        return self

    def __exit__(self, *given: Any) -> None:
        self._closed.set()
        self._aside.__exit__(*given)
        if self._ours and not self._gone:  # it would wait for the cluster
            _ray().shutdown()

    def submit(self, unit: Unit) -> Future[Done]:
        """Have a unit done by any core of the cluster; Ray does it again if the worker dies."""
        future: Future[Done] = Future()
        self._waiting.add(future)
        if self._gone:
            raise self._gone
        reference = self._reply.remote(self._job, self._path, [unit.number, unit.data])
        reference.future().add_done_callback(lambda replied: self._settle(future, unit, replied))
        return future

    def _watch(self, head: str) -> None:
        """Notice that the cluster has gone away, and tell those who wait for it."""
        misses = 0
        while not self._closed.wait(GLANCE):
            misses = misses + 1 if _unreachable(head) else 0
            if misses == MISSES:
                self._gone = PliesError(
                    f"the Ray cluster at {head} has gone away: start it and this command again, which goes "
                    "on if its results are kept in a file"
                )
                for future in self._waiting.copy():
                    if self._is_waiting(future):
                        future.set_exception(self._gone)
                return

    def _is_waiting(self, future: Future[Done]) -> bool:
        """Whether nobody has settled a future, which is for who asks to do."""
        try:
            self._waiting.remove(future)  # at once: two threads may ask
        except KeyError:
            return False
        return True

    def _settle(self, future: Future[Done], unit: Unit, replied: Future[Any]) -> None:
        if not self._is_waiting(future):
            return
        if replied.cancelled():
            future.cancel()
        elif error := replied.exception():
            words = (
                f"{self._noun} {unit.number} was begun {ATTEMPTS + 1} times, and each time its worker ended"
            )
            crashed = isinstance(error, self._errors) and "Crashed" in type(error).__name__
            future.set_exception(PliesError(words if crashed else _sentence(error)))
        else:
            reply = json.loads(replied.result())
            if "error" in reply:
                future.set_exception(PliesError(reply["error"]))
            else:
                future.set_result(Done(**reply))


class Aside:
    """Standard output, but what threads of Ray write, such as that a machine has died, goes to the error
    output: the other may be JSON for a program."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text to the stream that it is for."""
        of_ray = threading.current_thread().name.startswith("ray_")
        return (sys.stderr if of_ray else self._stream).write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _reply(job: tuple[str, str], path: list[str], unit: list[Any]) -> str:
    """Do a unit on a machine of the cluster."""
    from plies.work.worker import reply_to, task_of

    sys.path += [place for place in path if place not in sys.path]
    try:
        return reply_to(task_of(*job), Unit(*unit))
    except PliesError as error:
        return canonical({"error": str(error)})


def _connect(ray: Any, address: str) -> None:
    """Connect to a cluster, or start the local one."""
    with TemporaryFile() as said:
        try:
            with _noted(said):
                ray.init(
                    address=address,
                    log_to_driver=False,
                    logging_level="error",
                    include_dashboard=False if address == LOCAL else None,
                )
        except Exception as error:  # of a machine that is too busy to start, Ray raises just that
            ray.shutdown()
            said.seek(0)
            raise PliesError(why_not(address, error, said.read().decode(errors="replace"))) from error


def why_not(address: str, error: Exception, said: str) -> str:
    """Why there is no connection to a cluster, by Ray's error and what it has said on the way."""
    if type(error).__name__ == "AuthenticationError":
        return (
            f"the Ray cluster at {address!r} wants a token, and there is none: set RAY_AUTH_TOKEN, or put it "
            "into ~/.ray/auth_token"
        )
    if "InvalidAuthToken" in said or "Unauthenticated" in said:
        return (
            f"the Ray cluster at {address!r} does not accept the token of this machine, or it has none: set "
            "RAY_AUTH_MODE=token and RAY_AUTH_TOKEN as there"
        )
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return f"there is no Ray cluster at {address!r}: {reason}"


@contextmanager
def _noted(file: IO[bytes]) -> Iterator[None]:
    """Have the error output of the process, Ray's machine code included, go to a file meanwhile: of a token
    that is not accepted, it speaks nowhere else."""
    sys.stderr.flush()
    before = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(before, 2)
        os.close(before)


def _check_reachable(address: str) -> None:
    """Refuse an address that nobody answers at: Ray would wait for minutes."""
    if error := _unreachable(address):
        raise PliesError(f"there is no Ray cluster at {address!r}: {error}")


def _unreachable(address: str) -> Exception | None:
    """Why nobody answers at an address; None if somebody does, or if it is a word."""
    found = re.fullmatch(r"(?:ray://)?([^:/]+):(\d{1,5})", address)
    if found is not None:
        try:
            socket.create_connection((found[1], int(found[2])), PATIENCE).close()
        except (OSError, OverflowError) as error:
            return error
    return None


def _sentence(error: BaseException) -> str:
    cause = getattr(error, "cause", None) or error
    return f"a unit has failed on the cluster: {type(cause).__name__}: {str(cause).splitlines()[-1][:300]}"


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise PliesError("Ray is not installed: pip install 'plies[ray]'") from None
    return ray
