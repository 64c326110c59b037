"""The program itself: what it is called with, what it says without a command, and how it ends."""

from __future__ import annotations

import _thread
import logging
import sys
import threading
import warnings
from importlib.metadata import version
from typing import Annotated, TextIO

import typer

from plies.cli.blame import described
from plies.cli.streams import OutputClosed, open_streams, silence
from plies.errors import PliesError, PliesWarning

ABOUT = """\
Plies: games as search problems.

  plies games                           the games there are
  plies games nim                       the rules of one of them
  plies play tic-tac-toe                play against the machine
  plies play connect-four width=5       on a board of your own
  plies play nim --players human,book:minimax:6
  plies watch pacman --players reflex,random,random
  plies serve                           play and analyse in a browser
  plies best connect-four 4453          the best move in a position
  plies solve kalah houses=3 seeds=3    what a position is worth, proved
  plies compare tic-tac-toe --depth 6   the same value, with how many nodes
  plies match nim book:minimax:2 random  who is stronger, and by how much
  plies train othello                   learn to evaluate by self-play
  plies trace tree --algorithm minimax  every step of a search, as a tree
  plies trace tree --html steps.html    the same to go through in a browser
  plies draw chess --legal -o b.svg     a picture of a position
  plies check my_game.py:MyGame         are the rules of my game sound?
  plies cache                           where compiled code is kept

A game of your own, path/to/file.py:ClassName, works wherever the name of a
game does. plies COMMAND --help tells more about a command.
"""

LONGEST_SENTENCE = 2_000
"""The most characters that an error takes: some quote what was given, which may have any length."""

SHOW_WARNING = warnings.showwarning

app = typer.Typer(
    name="plies",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def plies(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Games as search problems: play, analyse and check them."""
    if show_version:
        print(f"plies {version('plies')}")
    elif context.invoked_subcommand is None:
        print(ABOUT, end="")


def main() -> None:
    """Run the program; whatever goes wrong is one sentence and an exit code."""
    open_streams()
    sys.unraisablehook = _unraisable
    warnings.showwarning = _warn
    if sys.stderr.isatty():  # a person who waits for the compiler should know
        log = logging.getLogger("plies")
        log.setLevel(logging.INFO)
        log.addHandler(_Notices())
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except (OutputClosed, PliesError) as error:
        silence(sys.stdout)
        code = code or _ended(error)
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run the program with these arguments; returns its exit code."""
    try:
        return int(app(arguments, prog_name="plies", standalone_mode=False) or 0)
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except (OutputClosed, PliesError) as error:
        return _ended(error)
    except Exception as error:
        message = getattr(error, "format_message", None)  # Typer's errors: words that are not understood
        return _refuse(f"{message().rstrip('.')}; try plies --help" if message else described(error))


class _Notices(logging.Handler):
    """What the library logs, in a line on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        _say(record.getMessage())


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning of Plies in a line on standard error; others as Python writes them."""
    if issubclass(category, PliesWarning):
        _say(str(message))
    else:
        SHOW_WARNING(message, category, filename, lineno, file, line)


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Let a Ctrl-C that fell into a callback of the compiler, where nothing can be raised, come again."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        timer = threading.Timer(0.05, _thread.interrupt_main)
        timer.daemon = True
        timer.start()
    else:
        sys.__unraisablehook__(lost)


def _ended(error: Exception) -> int:
    """The exit code of an error that was foreseen: a reader who has had enough is none."""
    return 0 if isinstance(error, OutputClosed) else _refuse(str(error))


def _refuse(sentence: str) -> int:
    """Say why the program ends."""
    _say(sentence)
    return 2


def _say(sentence: str) -> None:
    """A sentence in one line on standard error."""
    line = " ".join(sentence.split())
    line = line if len(line) <= LONGEST_SENTENCE else f"{line[: LONGEST_SENTENCE - 1]}…"
    try:
        print(f"plies: {line}", file=sys.stderr, flush=True)
    except OSError:  # there is nobody left to tell
        silence(sys.stderr)
