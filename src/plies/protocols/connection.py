"""The connection to the program that drives an engine: lines in, lines out, and a log of both."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from plies.errors import PliesError

LONGEST_LINE = 1 << 20
"""The most bytes of a line: a game of 10,000 moves fits ten times. What is longer is left out. Not tuned."""

URGENT = ("stop", "quit")
"""The lines for which whatever takes long is cut short."""


class Connection:
    """Lines in, which are read in a thread of their own, and lines out.

    `read` waits for some bytes and returns them, or none at the end.
    """

    def __init__(self, read: Callable[[], bytes], target: TextIO, log: Path | None = None) -> None:
        self.lost = False
        """Whether a line could not be sent: the client is gone."""
        self._urgent = 0  # how many of the lines that wait are urgent
        self._target = target
        self._lines: queue.Queue[str | BaseException | None] = queue.Queue()
        self._sending = threading.Lock()
        self._counting = threading.Lock()
        self._log: TextIO | None = None
        if log is not None:
            self.log_to(log)
        threading.Thread(target=self._receive, args=(read,), name="plies-input", daemon=True).start()

    def log_to(self, path: Path | None) -> None:
        """Append all lines, from now on, to a file; None ends it."""
        try:
            log = None if path is None else path.open("a", encoding="utf-8", errors="backslashreplace")
        except (OSError, ValueError) as error:
            raise PliesError(f"{str(path)[:200]!r} cannot be written: {error}") from None
        with self._sending:
            before, self._log = self._log, log
        if before is not None:
            before.close()

    def lines(self) -> Iterator[str]:
        """The lines received, until the end of the input; raises what `fail` was given."""
        while (line := self._lines.get()) is not None:
            if isinstance(line, BaseException):
                raise line
            self._count_urgent(line, -1)
            yield line

    @property
    def urgent(self) -> bool:
        """Whether `stop` or `quit` was received, and waits for earlier lines."""
        return self._urgent > 0

    def fail(self, error: BaseException) -> None:
        """Raise an error of another thread in the one that reads the lines."""
        self._lines.put(error)

    def send(self, *lines: str) -> None:
        """Send lines, none of them between two of another thread."""
        with self._sending:
            for line in lines:
                self._note("<", line)
            try:
                self._target.write("".join(f"{line}\n" for line in lines))
                self._target.flush()
            except Exception:
                self.lost = True
                raise

    def _receive(self, read: Callable[[], bytes]) -> None:
        try:
            for line in split_lines(read):
                with self._sending:
                    self._note(">", line)
                self._count_urgent(line, 1)
                self._lines.put(line)
        except OSError:  # the other end is gone, or there is no input
            pass
        finally:
            self._lines.put(None)

    def _count_urgent(self, line: str, by: int) -> None:
        if line.strip() in URGENT:
            with self._counting:  # two threads do
                self._urgent += by

    def _note(self, sign: str, line: str) -> None:
        if self._log is not None:
            self._log.write(f"{time.strftime('%H:%M:%S')} {sign} {line}\n")
            self._log.flush()


def split_lines(read: Callable[[], bytes]) -> Iterator[str]:
    """The lines of what is read, as text; a line that is too long comes as an empty one."""
    held, skipping = b"", False
    while data := read():
        *lines, rest = (held + data).split(b"\n")
        for line in lines:
            yield "" if skipping or len(line) > LONGEST_LINE else _text(line)
            skipping = False
        if len(rest) > LONGEST_LINE:
            skipping, rest = True, b""
        held = rest
    if held and not skipping:
        yield _text(held)


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").rstrip("\r")
