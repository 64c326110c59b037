"""Suites: files of positions whose best moves or values are known, searched in a batch: `plies suite`."""

from plies.suites.formats import Problem, read_suite
from plies.suites.run import Attempt, attempts

__all__ = ["Attempt", "Problem", "attempts", "read_suite"]
