"""Dominance: strategies that another one, or a mixture of others, beats whatever the opponent does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from plies.matrix.numbers import shown
from plies.matrix.simplex import solve

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
    the order may matter, and an equilibrium may be lost, though never the value.
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
    """What dominates a row: another one if possible, else, strictly, a mixture of the others."""
    others = [i for i in range(len(rows)) if i != index]
    for i in others:
        pairs = list(zip(rows[i], rows[index], strict=True))
        if strict and all(mine > yours for mine, yours in pairs):
            return {i: Fraction(1)}
        if not strict and all(mine >= yours for mine, yours in pairs) and rows[i] != rows[index]:
            return {i: Fraction(1)}
    if not strict or len(others) < 2:
        return None
    # A mixture is better against every column if it wins the game of differences.
    differences = [[mine - yours for mine, yours in zip(rows[i], rows[index], strict=True)] for i in others]
    if all(max(column) > 0 for column in zip(*differences, strict=True)):
        solution = solve(differences)
        if solution.value > 0:
            return {i: weight for i, weight in zip(others, solution.row_strategy, strict=True) if weight}
    return None


def _mixture(by: Mapping[str, Fraction]) -> str:
    if len(by) == 1:
        return next(iter(by))
    return " + ".join(f"{shown(weight)} {name}" for name, weight in by.items())
