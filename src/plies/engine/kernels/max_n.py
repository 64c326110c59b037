"""Max^n as a kernel: any number of players, with or without dice, each maximising their own payoff.

Luckhardt and Irani, An Algorithmic Solution of N-Person Games, 1986. Of equal actions, the first is taken, as
in the book. With b actions and m plies it visits up to b^m positions; where payoffs have a constant sum,
shallow pruning visits fewer: Korf, Multi-Player Alpha-Beta Pruning, 1991.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.engine.faults import ACTIONS, CHANCES, EVALUATION, MOVER, ROUNDING, SUM, UTILITY, fault
from plies.engine.kernels.repetitions import repeated
from plies.game import CHANCE
from plies.validation import MOST_ACTIONS

RUN = np.dtype(
    [
        ("nodes", np.int64),  # positions visited
        ("inexact", np.int64),  # values that rest on an estimate or on the path
        ("cuts", np.int64),  # nodes that were pruned
        ("stop", np.int64),  # 1: return at once
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),  # the deepest ply
        ("fault", np.int64),  # see faults.py; 0: none
        ("ply", np.int64),  # plies from the root
        ("previous", np.int64),  # positions of the game so far, at the beginning of `path`
        ("superko", np.int64),  # 1: repetitions by superko
        ("low", np.float64),  # the least payoff of a player
        ("high", np.float64),  # the greatest payoff of a player
        ("sum", np.float64),  # the sum of all payoffs; infinite if it varies
        ("slack", np.float64),  # more than rounding can add to that sum
        ("beyond", np.int64),  # 1: estimates had a greater sum
        ("shallow", np.int64),  # 1: shallow pruning
    ]
)
"""The kernel's counters and settings."""

LINE = 64
"""The plies of the principal variation that are kept. Not tuned."""


@kernel
def max_n(game, state, parent, enough, depth, ply, run, work) -> int:
    """Write the payoffs of a state to the row of its ply.

    The player who moved here, the parent, has another action that pays `enough`: if this one pays them no
    more, its payoffs need not be exact.
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
                if best >= run.high and not game.stochastic:  # the maximum; with dice, rounding may exceed it
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
