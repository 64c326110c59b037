"""A student's file in a process of its own, with limits, and the questions that it is asked."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from plies.errors import PliesError

CHILD = Path(__file__).with_name("child")

START = (
    "import importlib, sys, types\n"
    "package = types.ModuleType('plies_child')\n"
    "package.__path__ = [sys.argv.pop(1)]\n"
    "sys.modules['plies_child'] = package\n"
    "importlib.import_module('plies_child.main').main()\n"
)
"""The program of the process. It finds its modules under a name of their own, so that a student may import
plies, and yet nothing of it is imported before."""

NOBODY = 65534
"""The user without rights, as which the file runs if the grader is run by root."""

LARGEST_ANSWER = 20_000_000
"""The most characters of an answer. Not tuned."""

PATIENCE = 0.5
"""Seconds that a process has to end by itself. Not tuned."""

BIGGEST_FILE = 1_000_000
"""The most bytes of a student's file. Not tuned."""

ENVIRONMENT = {"LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""All of the environment: nothing of whoever grades. Numerical libraries are to start no threads."""


@dataclass(frozen=True)
class Limits:
    """What the process of a file may use."""

    cpu: int = 120
    """Seconds of a processor, of one process."""
    memory: int = 1 << 30
    """Bytes of memory."""
    file_size: int = 1 << 20
    """Bytes of a file that it writes."""
    processes: int = 16
    """Processes and threads that it may start."""
    files: int = 64
    """Files that are open at once."""


class Ended(PliesError):
    """The process of a file ended, or was ended, before it answered: why, in words."""


class StudentProcess:
    """The process of a student's file, and its temporary folder; a `with` ends them both."""

    def __init__(self, file: Path, limits: Limits | None = None) -> None:
        self.missing: list[str] = []
        """The protections that this machine does not have."""
        if os.name != "posix":
            raise PliesError(
                "students' files are graded on Linux, or on another Unix, where limits can be set"
            )
        try:
            source = file.read_bytes()
        except OSError as error:
            raise PliesError(f"{str(file)!r} cannot be read: {error.strerror}") from None
        if len(source) > BIGGEST_FILE:
            raise PliesError(f"{str(file)!r} has {len(source):,} bytes; at most {BIGGEST_FILE:,} are graded")
        self._folder = Path(tempfile.mkdtemp(prefix="plies-grade-"))
        copy = self._folder / "student.py"
        copy.write_bytes(source)
        ours, theirs = os.pipe(), os.pipe()
        self._write, self._read = ours[1], theirs[0]
        self._pipes = [ours[1], theirs[0]]
        self._rest = b""
        settings = json.dumps(asdict(limits or Limits()))
        command = [sys.executable, "-I", "-c", START, str(CHILD), str(copy)]
        command += [str(ours[0]), str(theirs[1]), settings]
        as_nobody = hasattr(os, "geteuid") and os.geteuid() == 0 and _open_to_nobody(self._folder.parent)
        if as_nobody:
            for path in (self._folder, copy):
                os.chown(path, NOBODY, NOBODY)
        user: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if as_nobody else {}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=(self._folder / "errors").open("wb"),
                pass_fds=(ours[0], theirs[1]),
                cwd=self._folder,
                env=ENVIRONMENT,
                start_new_session=True,
                **user,
            )
        except OSError as error:
            self._clean()
            raise PliesError(f"Python cannot be started for the file: {error.strerror}") from None
        finally:
            os.close(ours[0])
            os.close(theirs[1])
        try:
            self.missing = self._receive(20.0)["missing"]
        except Ended as error:
            said = (self._folder / "errors").read_text(errors="replace").strip().splitlines()
            self.end()
            raise PliesError(
                f"the process for the file does not start: {said[-1] if said else error}"
            ) from None

    def __enter__(self) -> StudentProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def ask(self, operation: str, seconds: float, **request: Any) -> Any:
        """The answer to a request; `Ended` if it takes too long, or if the process ends."""
        line = json.dumps({"op": operation, **request}) + "\n"
        try:
            _send(self._write, line.encode(), seconds)
        except (BrokenPipeError, TimeoutError):
            self._raise_end(seconds)
        return self._receive(seconds)

    def end(self) -> None:
        """End the process and all that it started, and delete its folder."""
        self._close()
        with suppress(subprocess.TimeoutExpired):  # without requests, it ends by itself
            self._process.wait(PATIENCE)
        with suppress(ProcessLookupError):  # of the group, somebody may be left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._clean()

    def _close(self) -> None:
        """Close the pipes, once."""
        while self._pipes:
            os.close(self._pipes.pop())

    def _clean(self) -> None:
        self._close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _receive(self, seconds: float) -> Any:
        deadline = time.monotonic() + seconds
        parts = [self._rest]
        length = len(self._rest)
        while b"\n" not in parts[-1]:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                self._raise_end(seconds, late=True)
            part = os.read(self._read, 1 << 16)
            length += len(part)
            if not part or length > LARGEST_ANSWER:
                self._raise_end(seconds)
            parts.append(part)
        line, _, self._rest = b"".join(parts).partition(b"\n")
        try:
            return json.loads(line)
        except ValueError:
            raise Ended("it wrote into the grader's own pipe") from None

    def _raise_end(self, seconds: float, late: bool = False) -> None:
        """End the process, and say why."""
        if late:
            os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        if late:
            raise Ended(f"it did not end within {seconds:g} s: is there a loop without an end?")
        number = -code if code < 0 else code - 128
        if number == signal.SIGKILL or number == signal.SIGXCPU:
            raise Ended("it was ended for using too much time of the processor")
        if number > 0 and code != 128:
            raise Ended(f"it crashed with signal {number}")
        raise Ended(f"it ended the process by itself, with exit code {code}")


def _open_to_nobody(*folders: Path) -> bool:
    """Whether a user without rights could run this Python and its modules, and use folders."""
    paths = {
        Path(os.path.realpath(sys.executable)),
        Path(sys.prefix),
        Path(os.__file__).parent,
        CHILD,
        *folders,
    }
    return all(folder.stat().st_mode & 0o001 for path in paths for folder in (path, *path.parents))


def _send(pipe: int, data: bytes, seconds: float) -> None:
    """Write to a pipe, for so long at most."""
    deadline = time.monotonic() + seconds
    os.set_blocking(pipe, False)
    while data:
        if not select.select([], [pipe], [], max(0.0, deadline - time.monotonic()))[1]:
            raise TimeoutError
        data = data[os.write(pipe, data) :]
