"""A student's file in a process of its own, with limits; JSON lines go to it and come from it.

This keeps mistakes apart, such as endless loops, crashes and floods of output. It is no place for hostile
code: a process may still read the files that its user can read.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

LONGEST_LINE = 100_000
"""The most bytes of a line that is read from a process. Not tuned."""

LONGEST_DIALOGUE = 10_000_000
"""The most bytes that are read from a process in all. Not tuned."""

PATIENCE = 10
"""How many times as long as it may compute a process may take to answer, by the clock. Not tuned."""

TICK = 0.02
"""The seconds between two looks at how long a process has computed. Not tuned."""


@dataclass(frozen=True)
class Limits:
    """What a process may use."""

    memory: int = 1024
    """Megabytes of address space."""
    cpu: int = 600
    """Seconds of computing in all."""
    file_size: int = 1
    """Megabytes of each file that it writes."""
    open_files: int = 64


class Late(Exception):
    """The process did not answer in time."""


class Gone(Exception):
    """The process has ended, with how in words."""


class Child:
    """A running process, in a process group and a folder of its own, which end with it."""

    def __init__(self, module: str, limits: Limits) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        environment = {
            "HOME": self._folder.name,
            "PATH": os.defpath,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONIOENCODING": "utf-8",
            "OPENBLAS_NUM_THREADS": "1",
            "NUMBA_DISABLE_JIT": "1",  # compiling would take longer than a move may
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env=environment,
            start_new_session=True,
            preexec_fn=_limiter(limits),
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        assert self._process.stdout is not None
        threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a message, for which it may compute for some seconds; raises `Late` or `Gone`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise Gone(self._how()) from None
        line = self._wait(seconds)
        if not line:
            raise Gone(self._how())
        try:
            answer = json.loads(line)
        except ValueError:
            raise Gone("it printed what is no answer") from None
        if not isinstance(answer, dict):
            raise Gone("it printed what is no answer")
        return answer

    def _wait(self, seconds: float) -> bytes:
        """The next line. Time of computing counts, where the system tells it, so that a busy machine is no
        excuse and no harm; a process that waits for something has `PATIENCE` times as long."""
        begun, used = time.monotonic(), self._computed()
        longest = seconds if used is None else PATIENCE * seconds + 1
        while True:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=TICK)
            now = self._computed()
            if time.monotonic() - begun > longest or (None not in (now, used) and now - used > seconds):  # type: ignore[operator]
                raise Late

    def _computed(self) -> float | None:
        """The seconds that the process has computed; None where the system does not tell."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime and stime: proc(5)

    def _how(self) -> str:
        """How the process has ended, in words."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        if code == -signal.SIGXCPU:
            return "it used up its time of computing"
        if code < 0:
            return f"it was ended by {signal.Signals(-code).name}"
        return f"it exited with code {code}"

    def end(self) -> None:
        """End the process and all that it has started, and remove its folder."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        self._folder.cleanup()


def start(module: str, limits: Limits) -> Child:
    """Start a module of Plies that answers messages, as a process with limits."""
    return Child(module, limits)


def _read(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Hand on lines until the end, which is an empty one, or until one is too long to be an answer.

    The stream is closed here: elsewhere, that would wait for as long as any process holds its other end.
    """
    room = LONGEST_DIALOGUE
    with stream:
        while line := stream.readline(LONGEST_LINE):
            room -= len(line)
            if not line.endswith(b"\n") or room < 0:
                break
            lines.put(line)
    lines.put(b"")


def _limiter(limits: Limits) -> Callable[[], None] | None:
    """What sets the limits in the new process; None where the system has none."""
    if sys.platform == "win32":
        return None
    import resource

    megabyte = 1 << 20
    wanted = {
        resource.RLIMIT_AS: limits.memory * megabyte,
        resource.RLIMIT_CPU: limits.cpu,
        resource.RLIMIT_FSIZE: limits.file_size * megabyte,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,  # of a user, but not of root: no further processes and threads
    }

    def limit() -> None:
        for kind, most in wanted.items():
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))

    return limit
