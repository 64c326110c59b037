"""The program `plies`: play, analyse and check games from the command line."""

from plies.cli import playing, searching, showing  # noqa: F401  (their commands)
from plies.cli.program import main, run

__all__ = ["main", "run"]
