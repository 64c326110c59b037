"""Max^n as a kernel: any number of players, with or without dice, each after their own payoff.

Of actions that are worth the same to the player who moves, the first is taken, as in the book. With b actions
and m plies it visits up to b^m positions; where payoffs have a constant sum, shallow pruning visits fewer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.engine.faults import ACTIONS, CHANCES, EVALUATION, MOVER, ROUNDING, SUM, UTILITY, fault
from plies.engine.kernels.repetitions import repeated
from plies.game import CHANCE
from plies.validation import MOST_ACTIONS

SHARES = np.dtype(
    [
        ("nodes", np.int64),
        ("inexact", np.int64),  # values that rest on an estimate, or on how the game came to a position
        ("cuts", np.int64),
        ("stop", np.int64),
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),
        ("fault", np.int64),  # the number of a fault: see `faults`
        ("ply", np.int64),
        ("previous", np.int64),  # how many positions of the game so far stand at the beginning of the path
        ("superko", np.int64),
        ("low", np.float64),  # the least payoff of a player
        ("high", np.float64),  # the greatest
        ("sum", np.float64),  # what all payoffs come to; infinite where that differs
        ("slack", np.float64),  # more than rounding can add to that sum
        ("beyond", np.int64),  # set when estimates came to more
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
    run.ply = ply
    if run.nodes >= run.limit:
        run.stop = 1
        return 0
    if game.cycles:
        run.inexact += repeated(game, state, ply, run, work)
    over = game.is_terminal(state)
    if over or depth <= 0 or ply >= run.last_ply:
        return write_payoffs(game, state, over, ply, run, work)
    mover = game.to_move(state)
    if mover < CHANCE or mover >= players:
        return fault(MOVER, run)
    count = 0
    if mover == CHANCE:
        for player in range(players):
            work.payoffs[ply, player] = 0.0
        certain = 0.0
        for outcome, probability in game.chance(state):
            certain += probability
            count += 1
            if not probability >= 0:
                certain = np.nan
            if not certain <= 1 + ROUNDING or count > MOST_ACTIONS or run.stop:
                break
            if probability > 0:
                run.ply = ply
                work.line[ply] = outcome
                child = game.result(state, outcome)
                max_n(game, child, mover, -np.inf, depth - 1, ply + 1, run, work)
                if run.stop:
                    return 0
                for player in range(players):
                    work.payoffs[ply, player] += probability * work.payoffs[ply + 1, player]
        if run.stop:
            return 0
        run.ply = ply
        if count > MOST_ACTIONS:
            return fault(ACTIONS, run)
        if not abs(certain - 1) <= ROUNDING:
            return fault(CHANCES, run)
        return 0
    best = -np.inf
    for action in game.actions(state):
        count += 1
        if count > MOST_ACTIONS:
            break
        run.ply = ply
        work.line[ply] = action
        child = game.result(state, action)
        max_n(game, child, mover, best, depth - 1, ply + 1, run, work)
        if run.stop:
            return 0
        if work.payoffs[ply + 1, mover] > best:
            best = work.payoffs[ply + 1, mover]
            adopt(game, action, ply, work)
            if run.shallow:
                if best >= run.high and not game.stochastic:  # nothing is better; dice add up to a bit more
                    run.cuts += 1
                    return 0
                others = run.sum + run.slack - best - (players - 2) * run.low
                if parent >= 0 and parent != mover and others <= enough:
                    run.cuts += 1
                    work.payoffs[ply, parent] = min(work.payoffs[ply, parent], enough)
                    return 0
    if count == 0 or count > MOST_ACTIONS:
        run.ply = ply
        return fault(ACTIONS, run)
    return 0


def write_payoffs(game: Any, state: Any, over: bool, ply: int, run: Any, work: Any) -> int:
    """Write the utilities of a terminal state, or the evaluations of another, to the row of its ply."""
    total = 0.0
    size = 0.0
    for player in range(game.players):
        payoff = float(game.utility(state, player) if over else game.evaluate(state, player))
        work.payoffs[ply, player] = payoff
        total += payoff
        size += abs(payoff)
        if not run.low <= payoff <= run.high:
            return fault(UTILITY if over else EVALUATION, run)
    if over:
        if run.sum < np.inf and not abs(total - run.sum) <= ROUNDING * size:
            return fault(SUM, run)
    else:
        run.inexact += 1
        if total > run.sum + ROUNDING * size:
            run.beyond = 1
    return 0


def adopt(game: Any, action: Any, ply: int, work: Any) -> None:
    """Take over the payoffs that an action leads to, and the principal variation behind it."""
    for player in range(game.players):
        work.payoffs[ply, player] = work.payoffs[ply + 1, player]
    if ply < LINE - 1:
        work.lines[ply * LINE] = action
        for i in range(work.lengths[ply + 1]):
            work.lines[ply * LINE + 1 + i] = work.lines[(ply + 1) * LINE + i]
        work.lengths[ply] = work.lengths[ply + 1] + 1
