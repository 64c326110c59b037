"""The simplex method over whole numbers: the exact value and optimal strategies of a matrix game.

Dantzig (1951) showed that a zero-sum game for two is a linear program, and that the program's dual is the
other player's. Pivots are Edmonds' (1967): all numbers stay whole, over one common denominator, so that
nothing is rounded and no fraction is ever reduced.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

Row = Sequence[Fraction | int]


class Solution(NamedTuple):
    """The value of a matrix game to the row player, and an optimal mixed strategy of each player."""

    value: Fraction
    row_strategy: tuple[Fraction, ...]
    column_strategy: tuple[Fraction, ...]


def solve(rows: Sequence[Row]) -> Solution:
    """Solve the matrix game with these payoffs to the row player, exactly.

    A 3 × 3 game takes less than 0.1 ms: a game with simultaneous moves can be solved by thousands of these.
    """
    if (pure := saddle_point(rows)) is not None:
        return pure
    scale = lcm(*(entry.denominator for row in rows for entry in row))
    whole = [[int(entry * scale) for entry in row] for row in rows]
    shift = 1 - min(min(row) for row in whole)  # makes every payoff positive, and so the value
    payoffs = [[entry + shift for entry in row] for row in whole]
    tableau = _Tableau([1] * len(payoffs[0]), payoffs, [1] * len(payoffs))
    tableau.optimise()
    # The program maximises the sum of column weights that hold every row to 1: its optimum is 1 / value.
    total = tableau.entries[-1][-1]
    return Solution(
        (Fraction(tableau.denominator, total) - shift) / scale,
        tuple(Fraction(weight, total) for weight in tableau.row_weights()),
        tuple(Fraction(weight, total) for weight in tableau.column_weights()),
    )


def maximise(objective: Row, rows: Sequence[Row], limits: Sequence[int]) -> tuple[Fraction, ...]:
    """The weights x >= 0 that maximise objective · x, where row · x is at most its limit, for each row.

    Limits are 0 or more, so that there is a solution, and must bound it.
    """
    scaled = [_whole([*row, limit]) for row, limit in zip(rows, limits, strict=True)]
    tableau = _Tableau(_whole(objective), [row[:-1] for row in scaled], [row[-1] for row in scaled])
    tableau.optimise()
    return tuple(Fraction(weight, tableau.denominator) for weight in tableau.column_weights())


def _whole(row: Row) -> list[int]:
    """A row times the least number that makes all its entries whole."""
    scale = lcm(*(entry.denominator for entry in row))
    return [int(entry * scale) for entry in row]


def saddle_point(rows: Sequence[Row]) -> Solution | None:
    """The solution in pure strategies, if there is one; many small games have one, and it is cheap to see."""
    worst = [min(row) for row in rows]
    best = [max(column) for column in zip(*rows, strict=True)]
    value = max(worst)
    if value != min(best):
        return None
    return Solution(
        Fraction(value), _pure(worst.index(value), len(rows)), _pure(best.index(value), len(best))
    )


def _pure(choice: int, count: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(i == choice) for i in range(count))


class _Tableau:
    """The condensed tableau of: maximise c · y, where A y <= b and y >= 0, for b >= 0.

    `entries` has the rows of A with b at the end, and the objective as its last row; an entry stands for
    itself over `denominator`. Variables are numbered: 0 … n-1 are y, from n on the slacks of the rows.
    """

    def __init__(self, objective: list[int], rows: list[list[int]], limits: list[int]) -> None:
        self.height, self.width = len(rows), len(objective)
        self.entries = [[*row, limit] for row, limit in zip(rows, limits, strict=True)]
        self.entries.append([*(-gain for gain in objective), 0])
        self.denominator = 1
        self.outside = list(range(self.width))  # the variable of each column, which is 0
        self.basis = [self.width + i for i in range(self.height)]  # and of each row

    def optimise(self) -> None:
        """Pivot until no variable can improve the objective.

        Dantzig's rule is quick, Bland's (1977) cannot cycle: it is used while the objective stands still.
        """
        stalled = False
        while (column := self._entering(stalled)) is not None:
            row = self._leaving(column)
            stalled = self.entries[row][-1] == 0
            self._pivot(row, column)

    def _entering(self, bland: bool) -> int | None:
        objective = self.entries[-1]
        gaining = [j for j in range(self.width) if objective[j] < 0]
        if not gaining:
            return None
        return min(gaining, key=lambda j: self.outside[j] if bland else objective[j])

    def _leaving(self, column: int) -> int:
        """The row that a growing variable drives to 0 first; of several, the variable of the least number."""
        best = -1
        for i in range(self.height):
            entry, limit = self.entries[i][column], self.entries[i][-1]
            if entry <= 0:
                continue
            if best >= 0:
                other = self.entries[best]
                difference = limit * other[column] - other[-1] * entry
                if difference > 0 or (difference == 0 and self.basis[i] > self.basis[best]):
                    continue
            best = i
        return best  # there is one: the program is bounded, so no weight can grow for ever

    def _pivot(self, row: int, column: int) -> None:
        pivot, pivot_row, denominator = self.entries[row][column], self.entries[row], self.denominator
        for i, entries in enumerate(self.entries):
            if i == row:
                continue
            factor = entries[column]
            if factor or pivot != denominator:
                changed = [
                    (entry * pivot - factor * other) // denominator  # without remainder
                    for entry, other in zip(entries, pivot_row, strict=True)
                ]
                changed[column] = -factor
                self.entries[i] = changed
        pivot_row[column] = denominator
        self.denominator = pivot
        self.basis[row], self.outside[column] = self.outside[column], self.basis[row]

    def row_weights(self) -> list[int]:
        """The dual variables: what the objective loses for each row's slack."""
        weights = [0] * self.height
        for j, variable in enumerate(self.outside):
            if variable >= self.width:
                weights[variable - self.width] = self.entries[-1][j]
        return weights

    def column_weights(self) -> list[int]:
        """The variables y."""
        weights = [0] * self.width
        for i, variable in enumerate(self.basis):
            if variable < self.width:
                weights[variable] = self.entries[i][-1]
        return weights
