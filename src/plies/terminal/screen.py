"""The screen: text and boards, with colour on a terminal, plain anywhere else."""

from __future__ import annotations

import os
import re
import select
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from getpass import getpass
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from plies.compiled.background import watched
from plies.errors import PliesError
from plies.game import Action, Game, State
from plies.terminal.board import board_text, can_draw

if TYPE_CHECKING:  # Rich takes longer to import than many a search to run
    from rich.console import Console
    from rich.text import Text

WIDTH = 78
MOMENT = 0.5
"""Seconds that a player may think before the screen says so. Not tuned."""

PIPE_SECONDS = 1.0
"""Seconds after which an open pipe that holds nothing is taken for somebody about to type. Not tuned."""

BAR = 20
"""The characters of a progress bar."""

LONGEST_LINE = 500
"""The longest answer, in characters."""

STYLES = ("bold cyan", "bold yellow", "bold magenta", "bold green")
"""The colours of the first, second, … player's pieces."""

LINES = str.maketrans("-+|", "─┼│")


class Screen:
    """Where a person reads and types; `plain` is without colour, boxes and animation."""

    def __init__(self, plain: bool = False) -> None:
        self.plain = plain or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb"

    @cached_property
    def console(self) -> Console:
        """Rich's console."""
        from rich.console import Console

        return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    @property
    def width(self) -> int:
        """The columns of the terminal."""
        return get_terminal_size().columns

    def say(self, text: str = "", style: str | None = None) -> None:
        """Print text, wrapped on a terminal."""
        if not self.plain:
            text = "\n".join(textwrap.fill(line, WIDTH, break_long_words=False) for line in text.split("\n"))
        self.show(text, style)

    def show(self, text: str | Text, style: str | None = None) -> None:
        """Print text as it is."""
        if self.plain:
            print(text)
        else:
            self.console.print(text, style=style)

    def board(self, game: Game, state: State, last: tuple[State, Action] | None = None) -> None:
        """Print a position, with an empty line above and below; `last` is the last move, and where it was
        made."""
        if not self.plain and can_draw(self.console) and (drawn := board_text(game, state, last)) is not None:
            self.show(drawn)
            return
        text = game.text(state)
        self.show(f"\n{text}\n" if self.plain else _coloured(game, f"\n{text}\n"))

    def passing(self, text: str = "") -> None:
        """Print a line that the next one replaces, on a terminal; elsewhere, nothing."""
        if not self.plain:
            text = text[: self.width - 1]
            coloured = "NO_COLOR" not in os.environ
            sys.stdout.write("\r\x1b[K" + (f"\x1b[2m{text}\x1b[0m" if coloured else text))
            sys.stdout.flush()

    def bar(self, share: float) -> str:
        """A progress bar for a share from 0 to 1."""
        return f"{'█' * int(BAR * share):░<{BAR}}"

    def clear(self) -> None:
        """Clear the screen, on a terminal."""
        if not self.plain:
            sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
            sys.stdout.flush()

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print a table."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(*columns, box=SIMPLE_HEAD)
        for row in rows:
            table.add_row(*map(Text, row))
        self.console.print(table)

    def ask(self, question: str) -> str:
        """What a person types; the end of input raises `EOFError`."""
        if sys.stdin.isatty():
            with suppress(ImportError):  # there is none on Windows
                import readline  # noqa: F401 (line editing and history)
            return input(f"{question} ")
        print(question, end=" ", flush=True)
        answer = _line()
        print(answer)  # nobody else has shown it
        return answer

    def ask_secretly(self, question: str) -> str:
        """What a person types, without showing it to others who look on."""
        if sys.stdin.isatty():
            return getpass(f"{question} ")
        print(question, end=" ", flush=True)
        answer = _line()
        print("…")
        return answer

    def has_input(self) -> bool:
        """Whether somebody is at the keyboard, or there is input to read."""
        if sys.stdin.isatty():
            return True
        try:
            ready = select.select([sys.stdin], [], [], PIPE_SECONDS)[0]
        except (OSError, ValueError):  # a pipe on Windows, or no file at all: reading tells
            ready = [sys.stdin]
        buffer = getattr(sys.stdin, "buffer", None)
        try:
            return not ready or bool(buffer and buffer.peek(1))
        except (OSError, ValueError) as error:
            raise PliesError(f"the input cannot be read: {getattr(error, 'strerror', error)}") from None

    @contextmanager
    def thinking(self, who: str) -> Iterator[Callable[[str], None]]:
        """Say that somebody is thinking, if it takes longer than a moment, and how far the compiler is.

        What is told meanwhile, such as counters, is shown as well.
        """
        begun, latest = time.monotonic(), ""
        words = f"{who} is thinking … (Ctrl-C: move now)"
        timer = threading.Timer(MOMENT, self.passing, [words])
        timer.daemon = True
        timer.start()

        def tell(counters: str) -> None:
            nonlocal latest
            latest = counters
            if time.monotonic() - begun > MOMENT:
                self.passing(f"{words} {latest}")

        try:
            with watched(lambda compiling: self.passing(f"{words} {latest} {compiling}")):
                yield tell
        finally:
            timer.cancel()
            timer.join()
            self.passing()


def _line() -> str:
    """The next line of input, cut off where it is too long."""
    try:
        line = sys.stdin.readline(LONGEST_LINE + 1)
        rest = line
        while rest and not rest.endswith("\n"):
            rest = sys.stdin.readline(1 << 16)
    except (OSError, ValueError) as error:
        raise PliesError(f"the input cannot be read: {getattr(error, 'strerror', error)}") from None
    if not line:
        raise EOFError
    return line.removesuffix("\n")


def _coloured(game: Game, text: str) -> Text:
    """A board with lines for its grid, and with colours for pieces that are letters."""
    from rich.text import Text

    if re.search(r"^[-+ ]*-[-+ ]*$", text, re.MULTILINE):
        text = text.translate(LINES)
    board = Text(text)
    board.highlight_regex("[─┼│.]", "dim")
    marks = game.marks or game.player_names
    if all(len(mark) == 1 for mark in marks):
        for name, style in zip(marks, STYLES, strict=False):
            board.highlight_regex(rf"\b{re.escape(name)}\b", style)
    return board
