"""A client of `plies engine`: in this process, or talking to the program as people run it."""

from __future__ import annotations

import io
import os
import queue
import re
import subprocess
import threading
import time
from types import TracebackType
from typing import Any

from plies import Game
from plies.protocols.serving import serve
from programs import PROGRAM, UNTRACED

PATIENCE = 60.0  # seconds until an engine that says nothing has failed


class Target(io.TextIOBase):
    """A stream that keeps lines for another thread."""

    def __init__(self) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue()
        self._held = ""

    def write(self, text: str) -> int:
        *lines, self._held = (self._held + text).split("\n")
        for line in lines:
            self.lines.put(line)
        return len(text)


class Client:
    """What both kinds of client share: lines to send, and lines to wait for."""

    lines: queue.Queue[str | None]

    def __init__(self) -> None:
        self.heard: list[str] = []

    def write(self, data: bytes) -> None:
        raise NotImplementedError

    def send(self, *lines: str) -> None:
        self.write("".join(f"{line}\n" for line in lines).encode())

    def expect(self, pattern: str) -> str:
        """Wait for a line; whatever comes before it is heard, too."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"{pattern!r} never came after {self.heard[-10:]}") from None
            assert line is not None, f"the engine ended before {pattern!r}, after {self.heard[-10:]}"
            self.heard.append(line)
            if re.search(pattern, line):
                return line

    def ask(self, *lines: str) -> list[str]:
        """Send lines; all that comes until the next answer to `isready`."""
        before = len(self.heard)
        self.send(*lines, "isready")
        self.expect("^readyok$")
        return self.heard[before:-1]

    def gtp(self, line: str) -> str:
        """Send a command of GTP; its answer."""
        before = len(self.heard)
        self.send(line)
        self.expect("^$")
        return "\n".join(self.heard[before:-1])


class Inside(Client):
    """An engine in this process."""

    def __init__(self, game: Game, **options: Any) -> None:
        super().__init__()
        read, self._write = os.pipe()
        self._target = Target()
        self.lines = self._target.lines
        self.error: BaseException | None = None

        def run() -> None:
            try:
                serve(game, lambda: os.read(read, 1 << 16), self._target, **options)  # type: ignore[arg-type]
            except BaseException as error:
                self.error = error
            self.lines.put(None)

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def write(self, data: bytes) -> None:
        os.write(self._write, data)

    def __enter__(self) -> Inside:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self._write >= 0:
            os.close(self._write)
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        if kind is None and self.error is not None:
            raise self.error


class Outside(Client):
    """The program, with pipes."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            [*PROGRAM, "engine", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**UNTRACED, **environment},
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.lines.put(None)

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end(self) -> tuple[int, str]:
        """Close the input; the exit code, and what was written to standard error."""
        assert self.process.stdin is not None
        assert self.process.stderr is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        return code, self.process.stderr.read().decode()

    def __enter__(self) -> Outside:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
