"""The program itself: its start, its help, and its end."""

from __future__ import annotations

import _thread
import logging
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Annotated, Any, TextIO, TypeVar

import typer
from typer.core import TyperCommand

from plies.cli.streams import OutputClosed, open_streams, silence
from plies.cli.unexpected import describe
from plies.errors import PliesError, PliesWarning

ABOUT = """\
Plies: games as search problems.

  plies games                           list the games
  plies games nim                       the rules of one
  plies play tic-tac-toe                play against the engine
  plies play connect-four width=5       on a board of your own
  plies play nim --players human,book:minimax:6
  plies watch pacman --players reflex,random,random
  plies serve                           play and analyse in a browser
  plies engine chess                    an engine for other programs: UCI, UGI, GTP
  plies best connect-four 4453          the best move in a position
  plies solve kalah houses=3 seeds=3    the exact value of a position, proved
  plies verify nim strategy.json        a strategy against every reply
  plies database make tic-tac-toe       the value of every position, kept
  plies book tic-tac-toe --plies 4      an opening book, proved
  plies compare tic-tac-toe --depth 6   several algorithms on one position
  plies eval othello d3                 the evaluation, feature by feature
  plies eval othello --judge 200        and how good it is
  plies match nim book:minimax:2 random  who is stronger, and by how much
  plies tournament nim random optimal   ratings of any number of players
  plies merge all.db 1.db 2.db          what shards have done, put together
  plies ladder handed-in/ connect-four  a class tournament of students' files
  plies train othello                   learn an evaluation by self-play
  plies network othello.npz             what a network is, and how it was made
  plies tune othello                    find the refinements that help
  plies trace tree --algorithm minimax  every step of a search, as a tree
  plies trace tree --html steps.html    the same, step by step in a browser
  plies worksheet --id anna --seed 7    trees to search by hand, with a key
  plies draw chess --legal -o b.svg     a picture of a position
  plies draw tic-tac-toe --tree 2 -o t.svg   its game tree, for a slide
  plies matrix 3,-1 -2,1                value and mixed strategies of a matrix
  plies check my_game.py:MyGame         are the rules of my game sound?
  plies grade student.py                what is wrong with a student's search
  plies perft chess 3                   count move sequences, to test the rules
  plies reproduce nim                   published numbers, and what comes out
  plies suite chess wac.epd --time 1    solve a file of test positions
  plies bench nim                       nodes per second, and where time goes
  plies cache                           where compiled code is kept

A game of your own, path/to/file.py:ClassName, works wherever the name of a
game does. For more about a command: plies COMMAND --help
"""

LONGEST_SENTENCE = 2_000
"""The most characters of an error that are printed: some quote what was given, which may have any length."""

SHOW_WARNING = warnings.showwarning

app = typer.Typer(
    name="plies",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Command(TyperCommand):
    """A command whose help may name {algorithms} or {players}; their names are looked up when it is shown."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        parameters: list[Any] = self.params
        if any("{" in (parameter.help or "") for parameter in parameters):
            from plies.book import ALGORITHMS as BOOK
            from plies.book.arguments import ARGUMENTS
            from plies.comparison import NAMES
            from plies.engine import ALGORITHMS
            from plies.engine.arguments import arguments_of
            from plies.players import PLAYERS

            names = {
                "algorithms": ", ".join(ALGORITHMS),
                "book": ", ".join(BOOK),
                "compared": ", ".join(NAMES),
                "players": PLAYERS,
                "machines": PLAYERS.removeprefix("human, "),
                "options": " ".join(
                    f"{name}: {', '.join(options)}." for name in ALGORITHMS if (options := arguments_of(name))
                ),
                "book_options": "; ".join(f"{name}: {one.description}" for name, one in ARGUMENTS.items())
                + ".",
            }
            for parameter in parameters:
                parameter.help = parameter.help and parameter.help.format(**names)
        super().format_help(ctx, formatter)


Function = TypeVar("Function", bound=Callable[..., None])


def command(function: Function) -> Function:
    """Make a function a command. What it needs it imports when it runs, so that help is quick."""
    app.command(cls=Command)(function)
    return function


@app.callback(invoke_without_command=True)
def plies(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show versions and platform, for a bug report.")
    ] = False,
    large: Annotated[
        bool, typer.Option("--large", help="Large type in pictures and plots, for slides.")
    ] = False,
) -> None:
    """Games as search problems: play, analyse and check them."""
    if large:
        from plies.draw import large_type

        context.with_resource(large_type())
    if version:
        from plies.cli.version import version_text

        print(version_text())
    elif context.invoked_subcommand is None:
        print(ABOUT, end="")


def main() -> None:
    """Run the program; an error is one sentence and an exit code."""
    open_streams()
    sys.unraisablehook = _unraisable
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP; nohup ignores it
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end_by)
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
        name = next((word for word in arguments if not word.startswith("-")), "")
        return int(_built(name)(arguments, prog_name="plies", standalone_mode=False) or 0)
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except (OutputClosed, PliesError) as error:
        return _ended(error)
    except SystemExit as error:  # of the user's rules: to end is not up to them
        return _refuse(describe(error))
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is None:
            return _refuse(describe(error))
        context = getattr(error, "ctx", None)  # Typer's own errors know which command they are about
        return _refuse(f"{message().rstrip('.')}; try {context.command_path if context else 'plies'} --help")


@cache
def _built(name: str) -> Any:
    """The program with the command of a name alone, or with all its commands if there is none: to build one
    takes milliseconds. Once each: tests and documents run it hundreds of times."""
    commands = [one for one in app.registered_commands if one.callback and one.callback.__name__ == name]
    if not commands:
        return typer.main.get_command(app)
    program = copy(app)
    program.registered_commands = commands
    return typer.main.get_command(program)


class _Notices(logging.Handler):
    """Prints what the library logs, a line each, on standard error."""

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
    """Print a warning of Plies as a line on standard error, others as Python does."""
    if issubclass(category, PliesWarning):
        _say(str(message))
    else:
        SHOW_WARNING(message, category, filename, lineno, file, line)


def _end_by(number: int, _: object) -> None:
    """End as a signal wants it, but leave no program behind that was started as a player."""
    if process := sys.modules.get("plies.protocols.process"):
        process.end_all()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Repeat a Ctrl-C that came in a callback of the compiler, where nothing can be raised."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        timer = threading.Timer(0.05, _thread.interrupt_main)
        timer.daemon = True
        timer.start()
    else:
        sys.__unraisablehook__(lost)


def _ended(error: Exception) -> int:
    """The exit code of an expected error; a broken pipe is none."""
    return 0 if isinstance(error, OutputClosed) else _refuse(str(error))


def _refuse(sentence: str) -> int:
    """Print why the program ends; returns the exit code."""
    _say(sentence)
    return 2


def _say(sentence: str) -> None:
    """Print a sentence as one line on standard error."""
    line = " ".join(sentence.split())
    line = line if len(line) <= LONGEST_SENTENCE else f"{line[: LONGEST_SENTENCE - 1]}…"
    try:
        print(f"plies: {line}", file=sys.stderr, flush=True)
    except OSError:  # standard error is gone, too
        silence(sys.stderr)
