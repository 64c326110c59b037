"""A matrix game played over and over: what was played, on average, and how far that is from optimal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from plies.errors import BadParameter
from plies.matrix import MatrixGame

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]

MOST_ROUNDS = 1_000_000
"""The most rounds, all of which are kept in memory. Not tuned."""


class Round(NamedTuple):
    """One round: the mixed strategies that were played in it, and the averages of all rounds so far."""

    number: int
    """From 1."""
    row: tuple[float, ...]
    column: tuple[float, ...]
    row_average: tuple[float, ...]
    column_average: tuple[float, ...]
    lower: float
    """What Row's average guarantees: a lower bound of the value."""
    upper: float
    """What Column's average concedes: an upper bound of the value."""


@dataclass(frozen=True, eq=False, repr=False)
class RepeatedPlay:
    """The rounds of an algorithm that learns to play a matrix game; a table as text, a plot by `draw.plots`.

    `exploitability` is `upper` - `lower`, round by round: the average strategies are optimal as it goes to 0.
    """

    algorithm: str
    game: MatrixGame
    row_plays: Floats
    """What Row played: a line of probabilities for each round."""
    column_plays: Floats
    """What Column played."""
    row_scores: Floats
    """By what Row chose: a line of numbers for each round, one for each row."""
    column_scores: Floats
    """By what Column chose."""
    scored: tuple[str, str]
    """What these scores are: Row's, and Column's."""

    def __len__(self) -> int:
        return len(self.row_plays)

    def __getitem__(self, number: int) -> Round:
        """The round of that number, from 1."""
        if number not in range(1, len(self) + 1):
            raise BadParameter(f"there are rounds 1 to {len(self)}, not {number!r}")
        i = number - 1
        return Round(
            number,
            tuple(map(float, self.row_plays[i])),
            tuple(map(float, self.column_plays[i])),
            tuple(map(float, self._row_averages[i])),
            tuple(map(float, self._column_averages[i])),
            float(self.lower[i]),
            float(self.upper[i]),
        )

    def __iter__(self) -> Iterator[Round]:
        return (self[number] for number in range(1, len(self) + 1))

    @property
    def row_average(self) -> tuple[float, ...]:
        """How often Row played each row, of all rounds."""
        return self[len(self)].row_average

    @property
    def column_average(self) -> tuple[float, ...]:
        """How often Column played each column, of all rounds."""
        return self[len(self)].column_average

    @cached_property
    def lower(self) -> Floats:
        """What Row's average strategy is sure of, after each round."""
        least: Floats = (self._row_averages @ payoffs(self.game)).min(axis=1)
        return least

    @cached_property
    def upper(self) -> Floats:
        """What Column's average strategy concedes, after each round."""
        most: Floats = (self._column_averages @ payoffs(self.game).T).max(axis=1)
        return most

    @property
    def exploitability(self) -> Floats:
        """What best replies to the averages would gain, both players' together, after each round."""
        return self.upper - self.lower

    @cached_property
    def regret(self) -> Floats:
        """Row's and Column's average regret after each round.

        A player's regret is how much more the best single strategy would have got in all the rounds so far.
        """
        import numpy as np

        table = payoffs(self.game)
        rounds = np.arange(1, len(self) + 1)
        got = np.cumsum(np.einsum("ti,ij,tj->t", self.row_plays, table, self.column_plays))
        best = np.cumsum(self.column_plays @ table.T, axis=0).max(axis=1)
        least = np.cumsum(self.row_plays @ table, axis=0).min(axis=1)
        return np.stack([(best - got) / rounds, (got - least) / rounds], axis=1)

    @cached_property
    def _row_averages(self) -> Floats:
        return _averages(self.row_plays)

    @cached_property
    def _column_averages(self) -> Floats:
        return _averages(self.column_plays)

    def __repr__(self) -> str:
        return f"<{self.algorithm}, {len(self):,} rounds, exploitability {self.exploitability[-1]:.4g}>"

    def __str__(self) -> str:
        """A table of the first rounds, and then of 1, 2 and 5 times the powers of ten, and the last."""
        steps = {size * 10**power for power in range(1, 7) for size in (1, 2, 5)}
        numbers = [n for n in range(1, len(self) + 1) if n <= 6 or n in steps or n == len(self)]
        heading = [
            "round",
            "Row plays",
            "Column plays",
            "Row's average",
            "Column's average",
            "lower",
            "upper",
        ]
        lines = [heading]
        for one in (self[number] for number in numbers):
            lines.append(
                [
                    str(one.number),
                    _played(self.game.row_names, one.row),
                    _played(self.game.column_names, one.column),
                    *(" ".join(f"{p:.3f}" for p in mix) for mix in (one.row_average, one.column_average)),
                    f"{one.lower:.4f}",
                    f"{one.upper:.4f}",
                ]
            )
        return f"{self.algorithm}, {len(self):,} rounds\n\n{_table(lines)}"

    def steps(self, rounds: int = 10) -> str:
        """A table of the first rounds, to follow by hand: the scores by which each player chose, and what."""
        names = self.game.row_names, self.game.column_names
        headings = [f"{who} ({' '.join(each)})" for who, each in zip(self.scored, names, strict=True)]
        lines = [["round", headings[0], "Row plays", headings[1], "Column plays", "lower", "upper"]]
        for one in (self[number] for number in range(1, min(rounds, len(self)) + 1)):
            i = one.number - 1
            lines.append(
                [
                    str(one.number),
                    _scores(self.row_scores[i]),
                    _played(names[0], one.row),
                    _scores(self.column_scores[i]),
                    _played(names[1], one.column),
                    f"{one.lower:.4f}",
                    f"{one.upper:.4f}",
                ]
            )
        return f"{self.algorithm}, round by round\n\n{_table(lines)}"


def payoffs(game: MatrixGame) -> Floats:
    """The entries of a matrix game as an array, row by row."""
    import numpy as np

    return np.array(game.rows, dtype=np.float64)


def checked_rounds(rounds: int) -> int:
    """How many rounds to play, or an error."""
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= MOST_ROUNDS:
        raise BadParameter(f"rounds must be a whole number from 1 to {MOST_ROUNDS:,}, not {rounds!r}")
    return rounds


def _averages(plays: Floats) -> Floats:
    import numpy as np

    return np.asarray(np.cumsum(plays, axis=0) / np.arange(1, len(plays) + 1)[:, None])


def _table(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.rjust, line, widths)) for line in lines)


def _scores(numbers: Floats) -> str:
    """Scores in short, and none of them as -0."""
    return " ".join(f"{round(float(number), 2) + 0:g}" for number in numbers)


def _played(names: Sequence[str], mixture: Sequence[float]) -> str:
    """A pure strategy by its name, a mixed one by its probabilities."""
    if 1.0 in mixture:
        return names[list(mixture).index(1.0)]
    return " ".join(f"{p:.2f}" for p in mixture)
