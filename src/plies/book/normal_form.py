"""The normal form of a game tree: a table of what each pair of strategies leads to, which is a matrix
game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from plies.book.decision import Line, recursive, start
from plies.book.strategies import Strategy, count_strategies, shown_count, strategies
from plies.errors import PliesError
from plies.game import CHANCE, Game, State
from plies.matrix import MatrixGame, matrix_game
from plies.matrix.game import mixture
from plies.matrix.numbers import payoff, shown
from plies.needs import Needs

SMALLEST_ODDS = 10**6
"""A probability counts as the nearest fraction with a denominator up to this; that of two dice is 36. Not
tuned."""


@dataclass(frozen=True, eq=False, repr=False)
class NormalForm:
    """A game tree as a table U(s, t): Row is player 0, Column player 1, and a strategy is a row or a column.

    A row is named by the actions of its strategy, in the order of the nodes of the tree.
    """

    game: Game
    state: State
    strategies: tuple[Sequence[Strategy], Sequence[Strategy]]
    """The pure strategies of both players, in the order of rows and columns."""
    matrix: MatrixGame
    reduced: bool

    def theorem(self) -> str:
        """The minimax theorem and its two corollaries, with the numbers of this game."""
        table, value = self.matrix, shown(self.matrix.value)
        row, column = table.row_strategy, table.column_strategy
        best = mixture(table.row_names, row), mixture(table.column_names, column)
        pure = len(table.saddle_points)
        points = f"{pure} of the {len(table.rows) * len(table.rows[0]):,} pairs of pure strategies"
        return "\n".join(
            [
                f"minimax theorem: V = {value}, with s* = {best[0]} and t* = {best[1]}",
                f"  max_s U(s, t*) = {shown(table.concession(column))}, "
                f"min_t U(s*, t) = {shown(table.guarantee(row))}",
                f"corollary 1: U(s*, t*) = {shown(table.payoff(row, column))}",
                f"corollary 2: {points} {'is an equilibrium' if pure == 1 else 'are equilibria'}",
            ]
        )

    def __repr__(self) -> str:
        return f"<{self.game.name} in normal form, {' × '.join(str(len(s)) for s in self.strategies)}>"

    def __str__(self) -> str:
        kind = "reduced pure strategies" if self.reduced else "pure strategies"
        sizes = " × ".join(f"{len(listed):,}" for listed in self.strategies)
        heading = f"{self.game.name} in normal form: {sizes} {kind}"
        if self.reduced:
            full = (count_strategies(self.game, player, self.state) for player in (0, 1))
            heading += f" ({' × '.join(shown_count(count) for count in full)} in full)"
        return "\n".join([heading, "", self.matrix.table(), "", self.theorem()])


@recursive
def normal_form(
    game: Game, state: State | None = None, *, reduced: bool = True, limit: int = 100_000
) -> NormalForm:
    """The normal form of a zero-sum game for two, up to a limit of pairs of strategies.

    Where there is chance, an entry is an average. By Corollary 2 of the minimax theorem, a game of perfect
    information has an equilibrium in pure strategies: `matrix.saddle_points` has them all, and their value is
    that of minimax.
    """
    Needs(players=2, zero_sum=True).check(game, "the normal form")
    state, _ = start(game, state, None)
    pairs = math.prod(count_strategies(game, player, state, reduced=reduced) for player in (0, 1))
    if pairs > limit:
        raise PliesError(
            f"there are {shown_count(pairs)} pairs of strategies, more than the limit of {limit:,}"
        )
    rows, columns = (strategies(game, player, state, reduced=reduced, limit=limit) for player in (0, 1))
    table = [[_outcome(game, (mine, theirs), (), state) for theirs in columns] for mine in rows]
    names = [_names(game, state, player, listed) for player, listed in enumerate((rows, columns))]
    matrix = matrix_game(table, row_names=names[0], column_names=names[1])
    return NormalForm(game, state, (rows, columns), matrix, reduced)


def _outcome(game: Game, profile: tuple[Strategy, Strategy], history: Line, state: State) -> Fraction:
    """U(s, t): what player 0 gets, on average where there is chance, exactly."""
    if game.is_terminal(state):
        return payoff(game.utility(state, 0), f"utility() of {type(game).__name__}")
    mover = game.to_move(state)
    if mover != CHANCE:
        action = profile[mover][history]
        return _outcome(game, profile, (*history, action), game.result(state, action))
    return sum(
        (
            Fraction(probability).limit_denominator(SMALLEST_ODDS)
            * _outcome(game, profile, (*history, action), game.result(state, action))
            for action, probability in game.chance(state)
        ),
        start=Fraction(0),
    )


def _names(game: Game, state: State, player: int, listed: Sequence[Strategy]) -> list[str]:
    """Names of strategies: the actions in order, or numbers if those are not unique."""
    names = ["/".join(_notations(game, state, strategy)) or "-" for strategy in listed]
    if len(set(names)) == len(names):
        return names
    return [f"{'st'[player]}{number}" for number in range(1, len(listed) + 1)]


def _notations(game: Game, state: State, strategy: Strategy) -> list[str]:
    words = []
    for history, action in strategy.items():
        node = state
        for earlier in history:
            node = game.result(node, earlier)
        words.append(" ".join(game.notation(node, action).split()))
    return words
