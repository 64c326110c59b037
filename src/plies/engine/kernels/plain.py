"""The plain kernels: perft, and textbook alpha-beta, which `make bench` compares with programs in C."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.compiled.workspace import record_type

UNIT = 2.0**30
"""The score of a utility of 1: far above any number of plies, so that of equal utilities the quicker win and
the slower loss come first; utilities below 2^23 stay exact, as a double has 53 bits."""

COUNTS = np.dtype([("nodes", np.int64), ("limit", np.int64), ("inexact", np.int64), ("stop", np.int64)])
"""Counters and settings: nodes visited, nodes allowed, states evaluated at the depth bound, 1 to stop. A
record travels down the recursion as one pointer, where an array would be seven words."""


def counts(limit: int | None = None) -> Any:
    """A fresh record of counts, which another thread may write `stop` into."""
    record = record_type(COUNTS)()
    record.limit = limit or np.iinfo(np.int64).max
    return record


@kernel
def perft(game, state, depth) -> int:
    """Perft: the number of sequences of `depth` actions from a state."""
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    total = 0
    for action in game.actions(state):
        total += perft(game, game.result(state, action), depth - 1)
    return total


@kernel
def alpha_beta(game, state, player, alpha, beta, depth, ply, counts) -> float:
    """Alpha-beta as in the textbook (Knuth and Moore 1975), depth-bounded: a state's score in UNITs."""
    counts.nodes += 1
    if counts.nodes >= counts.limit:
        counts.stop = 1
    if game.is_terminal(state):
        utility = game.utility(state, player)
        if utility > 0:
            return utility * UNIT - ply
        if utility < 0:
            return utility * UNIT + ply
        return 0.0
    if depth == 0:
        counts.inexact += 1
        return game.evaluate(state, player) * UNIT
    if game.to_move(state) == player:
        value = -np.inf
        for action in game.actions(state):
            child = game.result(state, action)
            value = max(value, alpha_beta(game, child, player, alpha, beta, depth - 1, ply + 1, counts))
            if value >= beta or counts.stop:
                return value
            alpha = max(alpha, value)
    else:
        value = np.inf
        for action in game.actions(state):
            child = game.result(state, action)
            value = min(value, alpha_beta(game, child, player, alpha, beta, depth - 1, ply + 1, counts))
            if value <= alpha or counts.stop:
                return value
            beta = min(beta, value)
    return value
