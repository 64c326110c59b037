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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from plies.errors import PliesError

CHILD = Path(__file__).with_name("child")
ROOT = Path(__file__).parents[2]
"""The folder in which the process finds plies."""

START = (
    "import importlib, sys, types\n"
    "for name in ('plies_sandbox', 'plies_child'):\n"
    "    package = types.ModuleType(name)\n"
    "    package.__path__ = [sys.argv.pop(1)]\n"
    "    sys.modules[name] = package\n"
    "sys.path.append(sys.argv.pop(1))\n"
    "importlib.import_module('plies_sandbox.main').main()\n"
)
"""The program of the process. It finds its modules under names of their own, so that a student may import
plies, and yet nothing of it is imported before."""

NOBODY = 65534
"""The user without rights, as which the file runs if whoever asks is root."""

LARGEST_ANSWER = 20_000_000
"""The most characters of an answer. Not tuned."""

PATIENCE = 0.5
"""Seconds that a process has to end by itself. Not tuned."""

BIGGEST_FILE = 1_000_000
"""The most bytes of a student's file. Not tuned."""

WAITING = 10
"""How many times as long as it may compute a process may take to answer, by the clock. Not tuned."""

TICK = 0.05
"""The seconds between two looks at how long a process has computed. Not tuned."""

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NUMBA_DISABLE_JIT": "1",
}
"""All of the environment: nothing of whoever asks. Numerical libraries are to start no threads, and compiling
would take longer than there is time."""


@dataclass(frozen=True)
class Limits:
    """What the process of a file may use."""

    cpu: int = 120
    """Seconds of a processor, of one process."""
    memory: int = 1 << 30
    """Bytes of memory."""
    file_size: int = 1 << 20
    """Bytes of a file that it writes."""
    folder: int = 16 << 20
    """Bytes of all its files."""
    processes: int = 16
    """Processes and threads that it may start."""
    files: int = 64
    """Files that are open at once."""


@dataclass(frozen=True)
class Program:
    """What the process answers by: a module with a class `Program`, which is made before the file may run."""

    module: str
    folder: Path = CHILD
    """The folder of the package `plies_child`, if the module is one of its."""
    setup: Mapping[str, Any] = field(default_factory=dict)
    """What the class takes beside the path of the file."""
    reads: tuple[Path, ...] = ()
    """The files that it reads itself."""


class Ended(PliesError):
    """The process of a file ended, or was ended, before it answered: why, in words."""

    late = False
    """Whether it took too long."""


class TooLate(Ended):
    """The process of a file took too long."""

    late = True


class Unreadable(PliesError):
    """A student's file cannot be read."""


def read_source(file: Path) -> bytes:
    """The bytes of a student's file, if it is a file and not too large."""
    try:
        if file.exists() and not file.is_file():  # a folder, or something that could be read for ever
            raise Unreadable(f"{str(file)!r} is not a file")
        with file.open("rb") as stream:
            source = stream.read(BIGGEST_FILE + 1)
    except OSError as error:
        raise Unreadable(f"{str(file)!r} cannot be read: {error.strerror}") from None
    if len(source) > BIGGEST_FILE:
        raise Unreadable(
            f"{str(file)!r} has {file.stat().st_size:,} bytes; at most {BIGGEST_FILE:,} are read"
        )
    return source


class StudentProcess:
    """The process of a student's file, and its temporary folder; a `with` ends them both."""

    def __init__(self, source: bytes, program: Program, limits: Limits | None = None) -> None:
        self.missing: list[str] = []
        """The protections that this machine does not have."""
        if os.name != "posix":
            raise PliesError("students' files run on Linux, or on another Unix, where limits can be set")
        self._folder = Path(tempfile.mkdtemp(prefix="plies-student-"))
        copy = self._folder / "student.py"
        copy.write_bytes(source)
        ours, theirs = os.pipe(), os.pipe()
        self._write, self._read = ours[1], theirs[0]
        self._pipes = [ours[1], theirs[0]]
        self._rest = b""
        settings = {"module": program.module, "setup": program.setup, "limits": asdict(limits or Limits())}
        command = [sys.executable, "-I", "-c", START, str(CHILD), str(program.folder), str(ROOT), str(copy)]
        command += [str(ours[0]), str(theirs[1]), json.dumps(settings)]
        opened = (self._folder.parent, program.folder, *program.reads)
        as_nobody = hasattr(os, "geteuid") and os.geteuid() == 0 and _open_to_nobody(*opened)
        if as_nobody:
            for path in (self._folder, copy):
                os.chown(path, NOBODY, NOBODY)
        user: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if as_nobody else {}
        try:
            with (self._folder / "errors").open("wb") as errors:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
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

    def ask(self, message: Mapping[str, Any], seconds: float, *, computing: bool = False) -> dict[str, Any]:
        """The answer to a message; `Ended` if it takes too long, or if the process ends.

        With `computing`, the seconds are those that it computes, where the system tells them, so that a busy
        machine is no harm; one that waits for something has `WAITING` times as long.
        """
        before = self._computed() if computing else None
        try:
            _send(self._write, json.dumps(message).encode() + b"\n", seconds)
        except (BrokenPipeError, TimeoutError):
            self._raise_end()
        return self._receive(seconds, before)

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
        try:
            shutil.rmtree(self._folder)
        except (OSError, RecursionError):  # folders that are locked, or very deep
            for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
                subprocess.run([*command, "--", str(self._folder)], capture_output=True, check=False)

    def _receive(self, seconds: float, before: float | None = None) -> dict[str, Any]:
        begun = time.monotonic()
        parts = [self._rest]
        length = len(self._rest)
        while b"\n" not in parts[-1]:
            left = self._left(begun, seconds, before)
            if left <= 0:
                self._raise_late(seconds)
            if not select.select([self._read], [], [], left)[0]:
                continue
            part = os.read(self._read, 1 << 16)
            length += len(part)
            if not part:
                self._raise_end()
            if length > LARGEST_ANSWER:
                raise Ended("its answer is too long")
            parts.append(part)
        line, _, self._rest = b"".join(parts).partition(b"\n")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Ended("it wrote into the pipe for its answers")
        return {name: _cleaned(item) for name, item in answer.items()}

    def _left(self, begun: float, seconds: float, before: float | None) -> float:
        """How long to wait until the next look at the clock; 0 or less if it is too late."""
        now = time.monotonic()
        left = begun + seconds - now
        if left > 0 or before is None:
            return left
        if (self._computed() or before) - before > seconds:
            return 0
        return min(TICK, begun + WAITING * seconds + 1 - now)

    def _computed(self) -> float | None:
        """The seconds that the process and all below it have computed; None where nobody tells."""
        children: dict[int, list[int]] = {}
        ticks: dict[int, int] = {}
        for process, parent, used in _processes():
            children.setdefault(parent, []).append(process)
            ticks[process] = used
        family = [self._process.pid]
        for process in family:  # which grows on the way
            family += children.get(process, [])
        if self._process.pid not in ticks:
            return None
        return sum(ticks.get(process, 0) for process in family) / os.sysconf("SC_CLK_TCK")

    def _raise_late(self, seconds: float) -> NoReturn:
        """End the process, and say that it was late."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        raise TooLate(f"it did not end within {seconds:g} s: is there a loop without an end?")

    def _raise_end(self) -> NoReturn:
        """Say why the process has ended."""
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Ended("it closed the pipe for its answers") from None
        number = -code if code < 0 else code - 128
        if number == signal.SIGKILL or number == signal.SIGXCPU:
            raise Ended("it was ended for using too much time of the processor")
        if number > 0 and code != 128:
            raise Ended(f"it crashed with signal {number}")
        raise Ended(f"it ended the process by itself, with exit code {code}")


def lacking(missing: Sequence[str]) -> str:
    """What a machine has not, in a sentence."""
    return f"This machine has not: {', '.join(missing)}. Use a container."


def printable(text: str) -> str:
    """A student's words without what a terminal would act on, and without what no file can hold."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "?" for sign in text)


def _cleaned(data: Any) -> Any:
    """An answer with all its texts printable."""
    if isinstance(data, str):
        return printable(data)
    if isinstance(data, list):
        return [_cleaned(item) for item in data]
    return (
        {printable(name): _cleaned(item) for name, item in data.items()} if isinstance(data, dict) else data
    )


def _processes() -> Iterator[tuple[int, int, int]]:
    """All processes with their parents and their clock ticks, those of ended children included: proc(5)."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
            yield int(path.parent.name), int(fields[1]), sum(map(int, fields[11:15]))


def _open_to_nobody(*folders: Path) -> bool:
    """Whether a user without rights could run this Python and its modules, and use folders."""
    paths = {
        Path(os.path.realpath(sys.executable)),
        Path(sys.prefix),
        Path(os.__file__).parent,
        CHILD,
        *folders,
    }
    return all(
        folder.stat().st_mode & 0o001 for path in paths for folder in (path, *path.parents) if folder.is_dir()
    )


def _send(pipe: int, data: bytes, seconds: float) -> None:
    """Write to a pipe, for so long at most."""
    deadline = time.monotonic() + seconds
    os.set_blocking(pipe, False)
    while data:
        if not select.select([], [pipe], [], max(0.0, deadline - time.monotonic()))[1]:
            raise TimeoutError
        data = data[os.write(pipe, data) :]
