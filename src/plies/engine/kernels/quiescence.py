"""Quiescence search: at the depth bound, go on with noisy moves, or stand pat if the position is quiet.

Beal, A Generalised Quiescence Search Algorithm, 1990.
"""

from __future__ import annotations

from typing import Any

from plies import bits
from plies.compiled import kernel
from plies.engine import table
from plies.engine.faults import ACTIONS, MOVER
from plies.engine.kernels.transpositions import holds, lookup, own_key, store
from plies.engine.score import estimated, final, from_table, to_table
from plies.validation import MOST_ACTIONS


@kernel
def quiesce(game, state, mover, alpha, beta, quiet, ply, run, work):
    """The score of a state to the player to move, who plays a noisy action or, if it is quiet, may stand pat.

    In `forcing` games, threats are searched as well, up to `quiescence_limit`, with the table.
    """
    best = -(1 << 60)
    key = 0
    remembering = game.forcing and quiet and run.table
    if quiet or not game.forcing or ply >= run.last_ply:
        best = evaluated(game, state, mover, ply, run)
        if best >= beta or ply >= run.last_ply or (game.forcing and ply >= run.quiescence_limit):
            return best
    lower = max(alpha, best)
    count = 0
    for action in game.noisy(state):
        # Threats may be made in any order, so there are many transpositions.
        if remembering and key == 0:
            key = bits.mix(own_key(game, state, ply, run)) | 1
            data = lookup(game, state, key, ply, run, work)
            if data != table.NOTHING and table.depth_of(data) >= min(
                run.quiescence_limit - ply, table.SOLVED - 1
            ):
                score = from_table(table.score_of(data), ply * run.prefer_quick)
                bound = table.bound_of(data)
                if (
                    bound == table.EXACT or (score >= beta if bound == table.LOWER else score <= alpha)
                ) and holds(game, state, data, run):
                    run.hits += 1
                    return score
        count += 1  # noqa: SIM113  (compiled, this is the quicker way)
        work.line[ply] = action
        run.ply = ply
        child = game.result(state, action)
        run.nodes += 1
        run.ply = ply + 1
        if run.nodes >= run.limit or run.stop:
            run.stop = 1
            return best
        if count > MOST_ACTIONS:
            run.fault = ACTIONS
            run.stop = 1
            return best
        over = game.is_terminal(child)
        quiet = not game.forcing or over or game.is_quiet(child)
        if over:
            score = final(game.utility(child, 0), mover, ply + 1, run, work)
        else:
            other = game.to_move(child)
            if other == mover:
                score = quiesce(game, child, mover, lower, beta, quiet, ply + 1, run, work)
            elif other == 1 - mover:
                score = -quiesce(game, child, other, -beta, -lower, quiet, ply + 1, run, work)
            else:
                score = 0
                run.fault = MOVER
                run.stop = 1
        if run.stop:
            return best
        best = max(best, score)
        if best >= beta:
            break
        lower = max(lower, best)
    if best == -(1 << 60):  # it was not quiet, and yet had no noisy action
        return evaluated(game, state, mover, ply, run)
    if key != 0:
        bound = table.EXACT
        if best >= beta:
            bound = table.LOWER
        elif best <= alpha:
            bound = table.UPPER
        kept = min(run.quiescence_limit - ply, table.SOLVED - 1)
        data = table.pack(to_table(best, ply * run.prefer_quick), -1, kept, bound, run.age, 0)
        store(game, state, key, data, ply, run, work)
    return best


def evaluated(game: Any, state: Any, mover: int, ply: int, run: Any) -> int:
    """The static evaluation of a state to the player to move, as a score; at an odd ply, with the bias."""
    bias = 0.0
    if ply & 1:
        bias = run.bias if mover == run.root_player else -run.bias
    return estimated(game.evaluate(state, mover), bias, mover, ply, run)
