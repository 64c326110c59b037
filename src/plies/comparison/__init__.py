"""Algorithms side by side on one position: whether their values agree, and the effort of each."""

from plies.comparison.run import LIMIT, NAMES, compare, suitable
from plies.comparison.table import Comparison, Effort, effective_branching_factor

__all__ = ["LIMIT", "NAMES", "Comparison", "Effort", "compare", "effective_branching_factor", "suitable"]
