"""Pattern tables: an evaluation that adds up what the configurations of sets of cells are worth."""

from plies.patterns.shapes import Shapes, shapes_of
from plies.patterns.tables import MOST_STAGES, Patterns

__all__ = ["MOST_STAGES", "Patterns", "Shapes", "shapes_of"]
