"""The program as people run it: on a pseudo-terminal, and with lines to read."""

from __future__ import annotations

import contextlib
import io
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from unittest import mock

import pytest

from plies.cli import run

PROGRAM = [sys.executable, "-m", "plies"]
UNTRACED = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
"""The environment of a program whose lines other tests cover: to trace them takes several times as long."""

WHERE = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
"""The PATH, with where Debian has programs that play."""

PATIENCE = 60.0  # seconds until a program that says nothing has failed

interactive = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")


class Terminal:
    """A program on a pseudo-terminal, and what a person sees there and types."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        master, slave = os.openpty()
        self.master = master
        self.screen = ""
        self.read = 0  # how much of the screen earlier expectations have taken in
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm", **environment},
            preexec_fn=_take_terminal,
        )
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def expect(self, text: str) -> str:
        """Wait for a text; returns what was shown since the last expectation up to there."""
        while text not in self.screen[self.read :]:
            assert self._more(), f"{text!r} never came after {self.screen[self.read :]!r}"
        start, self.read = self.read, self.screen.index(text, self.read) + len(text)
        return self.screen[start : self.read]

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def press(self, key: bytes) -> None:
        os.write(self.master, key)

    def press_until(self, key: bytes, text: str) -> None:
        """Press a key, and again after a while, until a text comes.

        A Ctrl-C that falls between the question and the wait for its answer is noticed with the next one.
        """
        for _ in range(int(PATIENCE)):
            self.press(key)
            while text not in self.screen[self.read :] and self._more(1):
                pass
            if text in self.screen[self.read :]:
                break
        self.expect(text)

    def ends(self) -> int:
        """Wait for the end of the program; returns its exit code."""
        while self._more():
            pass
        return self.process.wait(PATIENCE)

    def _more(self, seconds: float = PATIENCE) -> bool:
        ready, _, _ = select.select([self.master], [], [], seconds)
        try:
            data = os.read(self.master, 4096) if ready else b""
        except OSError:  # the other end is closed
            data = b""
        self.screen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", data.decode(errors="replace"))
        return bool(data)


def _take_terminal() -> None:
    """Make the pseudo-terminal the one whose Ctrl-C reaches the program."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


CTRL_C, CTRL_D = b"\x03", b"\x04"


def piped(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    """The program with lines in a file as its input, in this process: to start another takes half a second.

    `tests/test_cli_streams.py` has real pipes.
    """
    out, error = io.StringIO(), io.StringIO()
    with (
        tempfile.TemporaryFile("w+") as given,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(error),
        mock.patch("sys.stdin", given),
    ):
        given.write(lines)
        given.seek(0)
        code = run(list(arguments))
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), error.getvalue())


NPM, NODE = shutil.which("npm"), shutil.which("node")


def npm_package(folder: Path, package: str) -> str:
    """Have a package of npm in a folder, fetched if it is not there; returns node. Skips where that fails."""
    if not (NPM and NODE):
        pytest.skip("needs node and npm (on Debian: apt install nodejs npm)")
    if not (folder / "node_modules" / package.rpartition("@")[0]).exists():
        quietly = ("--no-audit", "--no-fund", "--ignore-scripts")
        words = [NPM, "install", *quietly, "--prefix", str(folder), package]
        try:
            done = subprocess.run(words, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            pytest.skip(f"npm cannot fetch {package} within two minutes")
        if done.returncode:
            pytest.skip(f"npm cannot fetch {package}: {done.stderr.decode()[:200]}")
    return NODE
