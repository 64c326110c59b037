"""Max^n as a kernel: any number of players, with or without dice, each after their own payoff.

Of actions that are worth the same to the player who moves, the first is taken, as in the book. With b actions
and m plies it visits up to b^m positions; where payoffs have a bounded sum, shallow pruning visits fewer.
"""

from __future__ import annotations

import numpy as np

from plies.compiled import kernel
from plies.game import CHANCE

SHARES = np.dtype(
    [
        ("nodes", np.int64),
        ("horizon", np.int64),  # values that rest on an estimate
        ("cuts", np.int64),
        ("stop", np.int64),
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),
        ("low", np.float64),  # the least payoff of a player
        ("high", np.float64),  # the greatest
        ("sum", np.float64),  # the most that all payoffs come to
        ("beyond", np.int64),  # set when payoffs came to more
        ("shallow", np.int64),  # 1: shallow pruning
    ]
)
"""What the kernel counts and obeys."""

LINE = 64
"""How many plies of the principal variation are noted."""


@kernel
def max_n(game, state, parent, enough, depth, ply, run, work):
    """Write what a state is worth to each player to the row of its ply.

    The player who moved here, the parent, has an action already that is worth `enough`: what is worth no more
    than that to them need not be exact.
    """
    players = game.players
    if ply < LINE:
        work.lengths[ply] = 0
    run.nodes += 1
    if run.nodes >= run.limit:
        run.stop = 1
        return 0
    over = game.is_terminal(state)
    if over or depth <= 0 or ply >= run.last_ply:
        total = 0.0
        for player in range(players):
            payoff = game.utility(state, player) if over else game.evaluate(state, player)
            work.payoffs[ply, player] = payoff
            total += payoff
            if payoff < run.low or payoff > run.high:
                run.beyond = 1
        if total > run.sum + 1e-9:
            run.beyond = 1
        run.horizon += not over
        return 0
    mover = game.to_move(state)
    if mover == CHANCE:
        for player in range(players):
            work.payoffs[ply, player] = 0.0
        for outcome, probability in game.chance(state):
            max_n(game, game.result(state, outcome), mover, -np.inf, depth - 1, ply + 1, run, work)
            for player in range(players):
                work.payoffs[ply, player] += probability * work.payoffs[ply + 1, player]
            if run.stop:
                return 0
        return 0
    best = -np.inf
    for action in game.actions(state):
        max_n(game, game.result(state, action), mover, best, depth - 1, ply + 1, run, work)
        if run.stop:
            return 0
        if work.payoffs[ply + 1, mover] > best or best == -np.inf:
            best = work.payoffs[ply + 1, mover]
            for player in range(players):
                work.payoffs[ply, player] = work.payoffs[ply + 1, player]
            if ply < LINE - 1:
                work.lines[ply * LINE] = action
                for i in range(work.lengths[ply + 1]):
                    work.lines[ply * LINE + 1 + i] = work.lines[(ply + 1) * LINE + i]
                work.lengths[ply] = work.lengths[ply + 1] + 1
            if run.shallow:
                if best >= run.high:  # nothing is better
                    run.cuts += 1
                    return 0
                if parent >= 0 and parent != mover and run.sum - best - (players - 2) * run.low <= enough:
                    run.cuts += 1
                    work.payoffs[ply, parent] = min(work.payoffs[ply, parent], enough)
                    return 0
    return 0
