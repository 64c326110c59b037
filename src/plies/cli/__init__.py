"""The program `plies`: play, analyse and check games from the command line. A file for each command."""

from plies.cli.program import main, run

# isort: split
# Importing a command adds it to the program, in the order of `plies --help`.
from plies.cli import games, play, watch, serve, engine  # noqa: F401, I001
from plies.cli import best, solve, verify, database, book, compare, match, tournament, train, tune, network  # noqa: F401
from plies.cli import trace, draw, eval, matrix  # noqa: F401
from plies.cli import grade, worksheet, ladder  # noqa: F401
from plies.cli import check, perft, reproduce, suite, bench, cache  # noqa: F401

__all__ = ["main", "run"]
