"""`MatrixGame`: payoffs as a table, its value, optimal mixed strategies, saddle points and dominance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from numbers import Integral
from typing import Any, NamedTuple

from plies.errors import BadParameter
from plies.matrix.dominance import Elimination, eliminate
from plies.matrix.numbers import Number, probabilities, shown
from plies.matrix.simplex import solve

MOST_EXACT = 1_600
"""The most entries of a matrix that is solved exactly unless told: 40 × 40 takes a tenth of a
second, and a second if payoffs have sixteen digits."""

WIDEST, HIGHEST = 12, 20
"""How many columns and rows of a table are written out."""

Choice = int | Sequence[Any]
"""A pure strategy by its number, or a mixed one: a probability for each."""


class Security(NamedTuple):
    """What a player is sure of with a pure strategy (the security level), and the strategies that give it."""

    value: Fraction
    choices: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class MatrixGame:
    """A zero-sum game for two who choose at once: `rows[i][j]` is what Row gains and Column loses.

    The minimax theorem (von Neumann 1928): there is a value v, a mixed strategy by which Row gets v or more
    on average whatever Column does, and one by which Column pays v or less. All numbers are exact fractions;
    but a matrix of more than 1,600 entries without a saddle point is solved in floating point, by SciPy's
    HiGHS. `plies.matrix_game` makes one.
    """

    rows: tuple[tuple[Fraction, ...], ...]
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    exact: bool = field(default=True, compare=False)
    """Whether value and strategies are exact, and proved by that, or floating-point numbers."""

    # -- Mixed strategies.

    @cached_property
    def _solution(self) -> tuple[Number, tuple[Number, ...], tuple[Number, ...]]:
        if self.exact:
            return solve(self.rows)
        from plies.matrix.linear_program import solve_in_floats

        return solve_in_floats(self.rows)

    @property
    def value(self) -> Number:
        """What Row gets on average if both play optimally."""
        return self._solution[0]

    @property
    def row_strategy(self) -> tuple[Number, ...]:
        """An optimal mixed strategy of Row: a probability for each row. There may be others."""
        return self._solution[1]

    @property
    def column_strategy(self) -> tuple[Number, ...]:
        """An optimal mixed strategy of Column: a probability for each column. There may be others."""
        return self._solution[2]

    def payoff(self, row: Choice, column: Choice) -> Number:
        """U(s, t): what Row gets on average, of pure strategies by number or mixed ones by probabilities."""
        x, y = self._mixed(row, len(self.rows), "Row's"), self._mixed(column, len(self.rows[0]), "Column's")
        return sum(
            (p * q * entry for p, entries in zip(x, self.rows, strict=True) if p
             for q, entry in zip(y, entries, strict=True) if q),
            start=Fraction(0),
        )  # fmt: skip

    def guarantee(self, row: Choice) -> Number:
        """What Row is sure of with a strategy: its average against Column's best reply."""
        x = self._mixed(row, len(self.rows), "Row's")
        return min(_average(x, column) for column in zip(*self.rows, strict=True))

    def concession(self, column: Choice) -> Number:
        """What Column pays at most with a strategy: its average against Row's best reply."""
        y = self._mixed(column, len(self.rows[0]), "Column's")
        return max(_average(y, row) for row in self.rows)

    def exploitability(self, row: Choice, column: Choice) -> Number:
        """What best replies would gain, both players' together (NashConv): 0 if both play optimally."""
        return self.concession(column) - self.guarantee(row)

    def _mixed(self, choice: Choice, count: int, whose: str) -> Sequence[Number]:
        if isinstance(choice, Integral):
            if choice not in range(count):
                raise BadParameter(f"{whose} strategies have numbers 0 to {count - 1}, not {choice!r}")
            return [Fraction(i == int(choice)) for i in range(count)]
        return probabilities(choice, count, whose)

    # -- Pure strategies.

    @property
    def maximin(self) -> Security:
        """The most that Row is sure of with a pure strategy; never more than the value."""
        worst = [min(row) for row in self.rows]
        most = max(worst)
        return Security(most, tuple(i for i, least in enumerate(worst) if least == most))

    @property
    def minimax(self) -> Security:
        """The least that Column can hold Row to with a pure strategy; never less than the value."""
        best = [max(column) for column in zip(*self.rows, strict=True)]
        least = min(best)
        return Security(least, tuple(j for j, most in enumerate(best) if most == least))

    @property
    def saddle_points(self) -> list[tuple[int, int]]:
        """All equilibria in pure strategies: entries least in their row and greatest in their column."""
        lower, upper = self.maximin, self.minimax
        if lower.value != upper.value:
            return []
        return [(i, j) for i in lower.choices for j in upper.choices]

    def dominance(self, *, weak: bool = False) -> list[Elimination]:
        """Iterated elimination of dominated strategies, step by step; with `weak`, also of those weakly so.

        A strategy is strictly dominated if another, or a mixture of others, is better whatever the opponent
        does; weakly if it is never worse, and once better. The value stays the same. What remains may depend
        on the order of weak steps, though not of strict ones: here rows go before columns.
        """
        if len(self.rows) * len(self.rows[0]) > MOST_EXACT:
            raise BadParameter(f"dominance is for matrices of up to {MOST_EXACT:,} entries")
        return list(eliminate(self, weak))

    # -- Other games.

    @cached_property
    def transposed(self) -> MatrixGame:
        """The same game seen by Column: columns are rows, and payoffs change their sign."""
        rows = tuple(tuple(-entry for entry in column) for column in zip(*self.rows, strict=True))
        return MatrixGame(rows, self.column_names, self.row_names, self.exact)

    def without_row(self, index: int) -> MatrixGame:
        """The game without one row."""
        rows, names = self.rows, self.row_names
        return MatrixGame(
            rows[:index] + rows[index + 1 :],
            names[:index] + names[index + 1 :],
            self.column_names,
            self.exact,
        )

    def extensive_form(self, first: str = "row") -> dict[str, Any]:
        """The game as a tree in which one player chooses first and the other sees it: `plies.Tree` reads it.

        Its value is `maximin` if Row is first and `minimax` if Column is: moving second is never worse.
        """
        if first not in ("row", "column"):
            raise BadParameter(f"first must be 'row' or 'column', not {first!r}")
        names, replies = self.row_names, self.column_names
        table: Sequence[Sequence[Fraction]] = self.rows
        if first == "column":
            names, replies, table = replies, names, list(zip(*table, strict=True))
        children = {
            name: {"children": {reply: float(entry) for reply, entry in zip(replies, entries, strict=True)}}
            for name, entries in zip(names, table, strict=True)
        }
        return {
            "levels": ["max", "min"] if first == "row" else ["min", "max"],
            "tree": {"children": children},
        }

    # -- For people and programs.

    def to_dict(self) -> dict[str, Any]:
        """The game and its solution as plain data: `plies.matrix_game` reads `rows` and the names back.

        A payoff that is no whole number is text, such as "1/3"; of a matrix too large to be solved exactly,
        value and strategies are floats.
        """
        return {
            "rows": [[_plain(entry) for entry in row] for row in self.rows],
            "row_names": list(self.row_names),
            "column_names": list(self.column_names),
            "exact": self.exact,
            "value": _plain(self.value),
            "row_strategy": [_plain(weight) for weight in self.row_strategy],
            "column_strategy": [_plain(weight) for weight in self.column_strategy],
            "maximin": _plain(self.maximin.value),
            "minimax": _plain(self.minimax.value),
            "saddle_points": [list(point) for point in self.saddle_points],
        }

    def table(self) -> str:
        """The payoffs with their names; of a large matrix, a part."""
        names = [*self.column_names[:WIDEST], *(["…"] if len(self.column_names) > WIDEST else [])]
        lines = [["", *names]]
        for name, row in list(zip(self.row_names, self.rows, strict=True))[:HIGHEST]:
            entries = [shown(entry) for entry in row[:WIDEST]]
            lines.append([name, *entries, *(["…"] if len(row) > WIDEST else [])])
        if len(self.rows) > HIGHEST:
            lines.append(["…"] * len(lines[0]))
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
            for line in lines
        )

    def facts(self) -> dict[str, str]:
        """Value, strategies and saddle points in words."""
        lower, upper, points = self.maximin, self.minimax, self.saddle_points
        pure = ", ".join(f"{self.row_names[i]}/{self.column_names[j]}" for i, j in points[:HIGHEST])
        return {
            "value": shown(self.value),
            "Row plays": mixture(self.row_names, self.row_strategy),
            "Column plays": mixture(self.column_names, self.column_strategy),
            "saddle points": pure
            or f"none: pure maximin {shown(lower.value)} < minimax {shown(upper.value)}",
        }

    def __repr__(self) -> str:
        if len(self.rows) > HIGHEST or len(self.rows[0]) > WIDEST:
            return f"<MatrixGame of {len(self.rows)} × {len(self.rows[0])}>"
        rows = "; ".join(" ".join(map(str, row)) for row in self.rows)
        names = f"row_names={','.join(self.row_names)!r}, column_names={','.join(self.column_names)!r}"
        return f"matrix_game({rows!r}, {names})"

    def __str__(self) -> str:
        width = max(map(len, self.facts()))
        return "\n".join(
            [self.table(), "", *(f"{name:{width}}  {said}" for name, said in self.facts().items())]
        )


def mixture(names: Sequence[str], weights: Sequence[Number]) -> str:
    """A mixed strategy in words: what is played at all, with its probability."""
    played = [(name, weight) for name, weight in zip(names, weights, strict=True) if weight]
    if len(played) == 1:
        return played[0][0]
    return ", ".join(f"{name} {shown(weight)}" for name, weight in played)


def _average(weights: Sequence[Number], entries: Sequence[Fraction]) -> Number:
    return sum((p * entry for p, entry in zip(weights, entries, strict=True) if p), start=Fraction(0))


def _plain(number: Number) -> int | float | str:
    if isinstance(number, Fraction):
        return number.numerator if number.denominator == 1 else str(number)
    return number
