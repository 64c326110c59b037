"""Matrix games: two players choose at once, one row and one column, and what one gains the other loses."""

from plies.matrix.dominance import Elimination
from plies.matrix.game import MatrixGame, Security
from plies.matrix.reader import matrix_game
from plies.matrix.simplex import Solution, solve

__all__ = ["Elimination", "MatrixGame", "Security", "Solution", "matrix_game", "solve"]
