"""Dominance: strategies that another one, or a mixture of others, beats whatever the opponent does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from plies.matrix.numbers import shown
from plies.matrix.simplex import maximise, solve

if TYPE_CHECKING:
    from plies.matrix.game import MatrixGame


@dataclass(frozen=True)
class Elimination:
    """A step of iterated dominance: one strategy goes, and the game that is left."""

    player: str
    """"row" or "column"."""
    name: str
    """The strategy that is dominated,"""
    by: Mapping[str, Fraction]
    """and what dominates it: a strategy with probability 1, or a mixture."""
    strict: bool
    """Whether it is worse against every choice of the opponent, and not only never better."""
    left: MatrixGame
    """The game without it."""

    def __str__(self) -> str:
        how = "strictly" if self.strict else "weakly"
        return f"{self.player} {self.name} is {how} dominated by {_mixture(self.by)}"


def eliminate(game: MatrixGame, weak: bool) -> Iterator[Elimination]:
    """Take dominated strategies away, one at a time, until none is left.

    Strictly dominated ones go first: whatever their order, the same game remains. With weakly dominated ones
    what remains depends on the order, and an equilibrium may be lost, though never the value.
    """
    while True:
        step = _step(game, strict=True) or (_step(game, strict=False) if weak else None)
        if step is None:
            return
        yield step
        game = step.left


def _step(game: MatrixGame, *, strict: bool) -> Elimination | None:
    for player in ("row", "column"):
        mine = game if player == "row" else game.transposed
        for index in range(len(mine.rows)):
            by = _dominator(mine.rows, index, strict)
            if by is not None:
                names = {mine.row_names[i]: weight for i, weight in by.items()}
                rest = mine.without_row(index)
                left = rest if player == "row" else rest.transposed
                return Elimination(player, mine.row_names[index], names, strict, left)
    return None


def _dominator(rows: Sequence[Sequence[Fraction]], index: int, strict: bool) -> dict[int, Fraction] | None:
    """What dominates a row: another one if possible, else a mixture of the others."""
    others = [i for i in range(len(rows)) if i != index]
    for i in others:
        pairs = list(zip(rows[i], rows[index], strict=True))
        if strict and all(mine > yours for mine, yours in pairs):
            return {i: Fraction(1)}
        if not strict and all(mine >= yours for mine, yours in pairs) and rows[i] != rows[index]:
            return {i: Fraction(1)}
    if len(others) < 2:
        return None
    differences = [[mine - yours for mine, yours in zip(rows[i], rows[index], strict=True)] for i in others]
    weights = _strictly_better(differences) if strict else _weakly_better(differences)
    if weights is None:
        return None
    return {i: weight for i, weight in zip(others, weights, strict=True) if weight}


def _strictly_better(differences: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...] | None:
    """A mixture of rows that is positive in every column: one that wins the game of differences."""
    if not all(max(column) > 0 for column in zip(*differences, strict=True)):
        return None
    solution = solve(differences)
    return solution.row_strategy if solution.value > 0 else None


def _weakly_better(differences: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...] | None:
    """A mixture of rows that is negative in no column, and positive in one: of the greatest sum, if not 0."""
    columns = list(zip(*differences, strict=True))
    if not all(max(column) >= 0 for column in columns) or solve(differences).value < 0:
        return None
    bounds = [[-entry for entry in column] for column in columns] + [[Fraction(1)] * len(differences)]
    weights = maximise([sum(row, Fraction(0)) for row in differences], bounds, [0] * len(columns) + [1])
    return weights if any(weights) else None


def _mixture(by: Mapping[str, Fraction]) -> str:
    if len(by) == 1:
        return next(iter(by))
    return " + ".join(f"{shown(weight)} {name}" for name, weight in by.items())
