"""The program `plies`: play, analyse and check games from the command line."""

from plies.cli import playing, searching, showing  # noqa: F401  (their commands)
from plies.cli.program import main, run

# isort: split
from plies.cli import caching  # noqa: F401  (its command, last in the list)

__all__ = ["main", "run"]
