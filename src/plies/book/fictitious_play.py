"""Fictitious play: each player takes the other's past for the future, and replies to it as best they can."""

from __future__ import annotations

from typing import Any

from plies.book.repeated_play import RepeatedPlay, checked_rounds, payoffs
from plies.matrix import matrix_game


def fictitious_play(game: Any, *, rounds: int = 1000) -> RepeatedPlay:
    """Fictitious play (Brown 1951) of a matrix game, or of rows that `plies.matrix_game` reads.

    In each round, both players choose the strategy that is best against the mixture of all that the other has
    played so far; of several, the first. Robinson (1951) proved that the averages become optimal in every
    zero-sum game. It takes long: the gap shrinks about like 1/√t (conjectured by Karlin in 1959).
    """
    import numpy as np

    game = matrix_game(game)
    table = payoffs(game)
    rounds = checked_rounds(rounds)
    row_plays, column_plays = np.zeros((rounds, table.shape[0])), np.zeros((rounds, table.shape[1]))
    row_scores, column_scores = np.zeros_like(row_plays), np.zeros_like(column_plays)
    row_counts, column_counts = np.zeros(table.shape[0]), np.zeros(table.shape[1])
    for t in range(rounds):
        row_scores[t], column_scores[t] = table @ column_counts, row_counts @ table
        row, column = row_scores[t].argmax(), column_scores[t].argmin()
        row_counts[row] += 1
        column_counts[column] += 1
        row_plays[t, row] = column_plays[t, column] = 1
    scored = "Row would have got", "Column would have paid"
    return RepeatedPlay("fictitious play", game, row_plays, column_plays, row_scores, column_scores, scored)
