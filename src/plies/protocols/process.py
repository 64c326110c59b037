"""Another program as a child process: lines to it, lines from it, and no process left behind.

Nothing that it prints is trusted: lines and their number are limited, and what people read of them is made
printable. The logger "plies.protocols" has the dialogue, at the level DEBUG.
"""

from __future__ import annotations

import atexit
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time as clock
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import IO, TypeVar

from plies.errors import Forfeit, PliesError

log = logging.getLogger("plies.protocols")

LONGEST_LINE = 1 << 16
"""The most bytes of a line; a longer one is no answer. Not tuned."""

WAITING_LINES = 1_000
"""The most lines that wait to be read; the program has to wait before it prints more. Not tuned."""

LONGEST_SHOWN = 120
"""The most characters of what a program prints that a sentence quotes. Not tuned."""

FAREWELL = 1.0
"""The seconds that a program has to end after it was told to, or has closed its output. Not tuned."""

TICK = 0.1
"""Seconds between two looks at whether the program has ended, by a thread that waits for it. Not tuned."""

T = TypeVar("T")

_running: weakref.WeakSet[Program] = weakref.WeakSet()


class Program:
    """A running program, in a session of its own: Ctrl-C is not for it, and its children end with it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name = printable(PurePath(command[0]).name.removesuffix(".exe"))
        self._lines: queue.Queue[str | None] = queue.Queue(WAITING_LINES)  # None at their end
        self._to_send: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors = b""  # the end of what it has printed on standard error
        self._fault = ""
        self._ended = threading.Event()
        self._ending = threading.RLock()  # a signal may come while it is held
        try:
            self._process = subprocess.Popen(
                list(command),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:  # a script whose interpreter is missing, say
            reason = getattr(error, "strerror", None) or error
            raise PliesError(f"{self.name} cannot be started: {reason}") from None
        self.owner = os.getpid()
        """Who has started it: a fork of that process has no part in it."""
        _running.add(self)
        works = (self._write, self._read, self._read_errors)
        self._threads = [threading.Thread(target=work, name="plies-program", daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    # -- The dialogue.

    def send(self, line: str) -> None:
        """Send a line, without waiting for it to be read."""
        if any(sign in line for sign in "\n\r\0"):
            raise PliesError(f"{printable(line)!r} cannot be sent to {self.name}: it is not one line")
        log.debug("%s < %s", self.name, line)
        self._to_send.put(line)

    def discard(self) -> None:
        """Forget the lines that wait to be read: they answer nothing that is asked from now on."""
        with suppress(queue.Empty):
            while (line := self._lines.get_nowait()) is not None:
                log.debug("%s > %s (unasked)", self.name, line)
            self._lines.put(None)  # its output has ended

    def answer(self, seconds: float, read: Callable[[str], T | None]) -> T:
        """What `read` makes of the first line of which it makes anything; too late is a `Forfeit`."""
        deadline = clock.monotonic() + seconds
        gone = False
        while (left := deadline - clock.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=min(left, TICK))
            except queue.Empty:
                if gone:  # its children may keep its output open
                    raise Forfeit(self._death()) from None
                gone = self._process.poll() is not None
                continue
            if line is None:
                raise Forfeit(self._death())
            log.debug("%s > %s", self.name, line)
            if (found := read(line)) is not None:
                return found
        raise Forfeit(f"{self.name} did not answer within {seconds:g} seconds")

    @property
    def alive(self) -> bool:
        """Whether it is running, and was not told to end."""
        return not self._ended.is_set() and self._process.poll() is None

    def end(self, farewell: str = "") -> None:
        """End the program, politely if there is something to say, and whatever it has started."""
        with self._ending:
            if self._ended.is_set():
                return
            if farewell:
                self.send(farewell)
                self._to_send.put(None)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(FAREWELL)
            self._ended.set()
            self._to_send.put(None)
            self._kill()

    def _kill(self) -> None:
        """Kill the program and all of its group; what has ended already has no group, or children in it."""
        if sys.platform == "win32":
            tree = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
            subprocess.run(tree, capture_output=True, check=False)
        else:
            with suppress(ProcessLookupError, PermissionError):  # nobody is left; macOS says it the other way
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def _death(self) -> str:
        """How it ended, in a sentence."""
        if self._fault:
            self.end()
            return f"{self.name} {self._fault}"
        try:
            code = self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self.end()
            return f"{self.name} closed its output"
        self.end()
        self._threads[-1].join(FAREWELL)  # its last words
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by {_signal_name(-code)}"
        lines = self._errors.decode(errors="replace").splitlines()
        last = next((line for line in reversed(lines) if line.strip()), "")
        return f"{self.name} {how}" + (f": {printable(last.strip())}" if last else "")

    # -- The threads, which end with the program.

    def _write(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        with suppress(OSError), stream:  # a program that has ended reads no more: its output says so
            while (line := self._to_send.get()) is not None:
                data = memoryview(f"{line}\n".encode())
                while data:
                    data = data[stream.write(data) :]

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            for line in self._split(stream):
                if not self._put(line):
                    return
        self._put(None)

    def _split(self, stream: IO[bytes]) -> Iterator[str]:
        """The lines of a stream, as long as none is too long."""
        partial = b""
        while chunk := stream.read(LONGEST_LINE):
            *lines, partial = (partial + chunk).split(b"\n")
            for line in lines:
                yield line.decode(errors="replace").strip()
            if len(partial) > LONGEST_LINE:
                self._fault = f"printed a line of more than {LONGEST_LINE:,} bytes"
                return
        if partial:
            yield partial.decode(errors="replace").strip()

    def _put(self, line: str | None) -> bool:
        """Hand on a line, once there is room; False if nobody wants it any more."""
        while not self._ended.is_set():
            try:
                self._lines.put(line, timeout=TICK)
            except queue.Full:
                continue
            return True
        return False

    def _read_errors(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        with stream:
            while chunk := stream.read(LONGEST_LINE):
                self._errors = (self._errors + chunk)[-LONGEST_SHOWN * 10 :]


def printable(text: str, most: int = LONGEST_SHOWN) -> str:
    """A text from elsewhere as people may see it: on one line, not too long, without control characters."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text[: most + 1])
    return shown if len(text) <= most else f"{shown[:most]}…"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one that Python has no name for
        return f"signal {number}"


@atexit.register
def end_all() -> None:
    """End all programs: none is left behind, whatever ends this one."""
    for program in list(_running):
        if program.owner == os.getpid():
            program.end()
