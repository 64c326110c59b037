"""Pictures of positions, trees and results, as SVG: they know scenes and traces, and no rules."""

from plies.draw.board import board
from plies.draw.picture import Picture

__all__ = ["Picture", "board"]
