"""Regret matching: each player plays what they regret not having played, in proportion to the regret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plies.book.repeated_play import RepeatedPlay, checked_rounds, payoffs
from plies.matrix import matrix_game

if TYPE_CHECKING:
    import numpy as np

    from plies.book.repeated_play import Floats


def regret_matching(game: Any, *, rounds: int = 1000, seed: int | None = None) -> RepeatedPlay:
    """Regret matching (Hart and Mas-Colell 2000) of a matrix game, or of rows that `plies.matrix_game` reads.

    The regret of a strategy is how much more it would have got than what was played, summed over all rounds.
    A player mixes the strategies of positive regret in proportion to it, and all of them alike while there is
    none. After T rounds the average regret is at most D·√(A/T), D being the range of the payoffs and A the
    number of the player's strategies; the averages are as close to optimal as both regrets together.

    With a seed, each round draws one strategy of each mixture, and the bound holds on average; without, the
    mixtures themselves are played.
    """
    import numpy as np

    game = matrix_game(game)
    table = payoffs(game)
    rounds = checked_rounds(rounds)
    rng = None if seed is None else np.random.default_rng(seed)
    row_plays, column_plays = np.zeros((rounds, table.shape[0])), np.zeros((rounds, table.shape[1]))
    row_scores, column_scores = np.zeros_like(row_plays), np.zeros_like(column_plays)
    row_regret, column_regret = np.zeros(table.shape[0]), np.zeros(table.shape[1])
    for t in range(rounds):
        row_scores[t], column_scores[t] = row_regret, column_regret
        row, column = _matched(row_regret), _matched(column_regret)
        if rng is not None:
            row, column = _drawn(row, rng), _drawn(column, rng)
        gains, losses = table @ column, row @ table  # of each strategy, against what the other plays
        payoff = row @ gains
        row_regret += gains - payoff
        column_regret += payoff - losses
        row_plays[t], column_plays[t] = row, column
    scored = "Row's regret", "Column's regret"
    return RepeatedPlay("regret matching", game, row_plays, column_plays, row_scores, column_scores, scored)


def _matched(regret: Floats) -> Floats:
    """Probabilities in proportion to positive regrets."""
    positive = regret.clip(0)
    total = positive.sum()
    return positive / total if total > 0 else (positive + 1) / len(regret)


def _drawn(mixture: Floats, rng: np.random.Generator) -> Floats:
    """A pure strategy drawn from a mixed one."""
    chosen = mixture * 0
    chosen[rng.choice(len(mixture), p=mixture)] = 1
    return chosen
