"""Standard input and output, which may be closed, full, or a broken pipe."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO

from plies.errors import PliesError


class OutputClosed(Exception):
    """The reader of the output has gone (a broken pipe)."""


class Output(io.TextIOWrapper):
    """Standard output, with its failures kept apart from those of other files."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise _failure(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise _failure(error) from None


def _failure(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return OutputClosed()
    return PliesError(f"the output cannot be written: {error.strerror}")


def open_streams() -> None:
    """Make standard input, output and error usable, whatever the program was started with.

    What their encoding cannot represent is escaped or replaced.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed; opened in this order, each takes its own descriptor again
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    stream: Any = sys.stdout
    if type(stream) is io.TextIOWrapper:
        settings = {name: getattr(stream, name) for name in ("encoding", "line_buffering", "write_through")}
        sys.stdout = Output(stream.detach(), errors="backslashreplace", **settings)
    for stream, errors in ((sys.stdin, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def silence(stream: TextIO) -> None:
    """Discard what is left in a stream that failed, or Python would complain as it ends."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
