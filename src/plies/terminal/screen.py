"""The screen: words and boards, with colour on a terminal, as plain lines anywhere else."""

from __future__ import annotations

import os
import re
import select
import sys
import textwrap
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from plies.errors import PliesError
from plies.game import Game, State

WIDTH = 78
MOMENT = 0.5
"""Seconds that a player may think before the screen says that they do."""

PATIENCE = 1.0
"""Seconds after which a pipe that is neither closed nor holds anything stands for somebody about to type."""

LONGEST_LINE = 500
"""The most characters that are taken for an answer."""

STYLES = ("bold cyan", "bold yellow", "bold magenta", "bold green")
"""How the marks of the first, second, … player are coloured."""

LINES = str.maketrans("-+|", "─┼│")


class Screen:
    """What a person reads and types on. Plain, it is without colour, box drawing and moving lines."""

    def __init__(self, plain: bool = False) -> None:
        self.plain = plain or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb"
        self.console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def say(self, text: str = "", style: str | None = None) -> None:
        """Some lines; on a terminal, the long ones wrapped."""
        if not self.plain:
            text = "\n".join(textwrap.fill(line, WIDTH, break_long_words=False) for line in text.split("\n"))
        self.show(text, style)

    def show(self, text: str | Text, style: str | None = None) -> None:
        """Some lines as they are."""
        if self.plain:
            print(text)
        else:
            self.console.print(text, style=style)

    def board(self, game: Game, state: State) -> None:
        """The picture of a state, with an empty line above and below."""
        text = game.text(state)
        self.show(f"\n{text}\n" if self.plain else _coloured(game, f"\n{text}\n"))

    def passing(self, text: str = "") -> None:
        """A line that the next one takes the place of, on a terminal; elsewhere, nothing."""
        if not self.plain:
            text = text[: self.console.width - 1]
            sys.stdout.write("\r\x1b[K" + (f"\x1b[2m{text}\x1b[0m" if self.console.color_system else text))
            sys.stdout.flush()

    def clear(self) -> None:
        """An empty screen, on a terminal; elsewhere what was written stays."""
        if not self.plain:
            sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
            sys.stdout.flush()

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Rows under the names of their columns."""
        table = Table(*columns, box=SIMPLE_HEAD)
        for row in rows:
            table.add_row(*map(Text, row))
        self.console.print(table)

    def ask(self, question: str) -> str:
        """What a person types; end of input raises `EOFError`."""
        if sys.stdin.isatty():
            with suppress(ImportError):  # there is none on Windows
                import readline  # noqa: F401 - its import lets people edit the line and recall earlier ones
            return input(f"{question} ")
        print(question, end=" ", flush=True)
        answer = _line()
        print(answer)  # nobody else has shown it
        return answer

    def has_input(self) -> bool:
        """Whether somebody is at the keyboard, or there is something to read in their place."""
        if sys.stdin.isatty():
            return True
        try:
            ready = select.select([sys.stdin], [], [], PATIENCE)[0]
        except (OSError, ValueError):  # a pipe on Windows, or no file at all: reading tells
            ready = [sys.stdin]
        buffer = getattr(sys.stdin, "buffer", None)
        try:
            return not ready or bool(buffer and buffer.peek(1))
        except (OSError, ValueError) as error:
            raise PliesError(f"the input cannot be read: {getattr(error, 'strerror', error)}") from None

    @contextmanager
    def thinking(self, who: str) -> Iterator[None]:
        """Say that somebody is thinking once it takes longer than a moment, until they are done."""
        if self.plain:
            yield
            return
        said = threading.Event()

        def say() -> None:
            said.set()
            self.console.print(f"{who} is thinking … (Ctrl-C: move now)", style="dim", end="")

        timer = threading.Timer(MOMENT, say)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if said.is_set():
                sys.stdout.write("\r\x1b[K")
                sys.stdout.flush()


def _line() -> str:
    """The next line of the input; of one that is too long, only so much that it is seen to be."""
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
    """A board whose grid is drawn with lines, and whose marks, where they are letters, have colours."""
    if re.search(r"^[-+ ]*-[-+ ]*$", text, re.MULTILINE):
        text = text.translate(LINES)
    board = Text(text)
    board.highlight_regex("[─┼│.]", "dim")
    if all(len(name) == 1 for name in game.player_names):
        for name, style in zip(game.player_names, STYLES, strict=False):
            board.highlight_regex(rf"\b{re.escape(name)}\b", style)
    return board
