"""Quiescence search: at the depth bound, go on with noisy moves, or stand pat if the position is quiet.

Beal, A Generalised Quiescence Search Algorithm, 1990. Delta pruning: see the chess programming wiki.
"""

from __future__ import annotations

from typing import Any

from plies import bits
from plies.compiled import kernel
from plies.engine import table
from plies.engine.faults import ACTIONS, MOVER
from plies.engine.kernels.network import static_value
from plies.engine.kernels.transpositions import holds, lookup, own_key, store
from plies.engine.score import UNKNOWN, estimated, final, from_table, is_final, margin, to_table
from plies.validation import MOST_ACTIONS

EVALUATIONS = 1 << 14
"""Entries of the evaluation table, which fit in a processor's cache. Not tuned."""


@kernel
def quiesce(game, state, mover, alpha, beta, quiet, ply, run, work) -> int:
    """The score of a state to the player to move, who plays a noisy action or, if it is quiet, may stand pat.

    In `forcing` games, threats are searched as well, up to `quiescence_limit`, with the table.
    """
    best = -(1 << 60)
    key = 0
    remembering = game.forcing and quiet and run.table
    if not game.forcing and run.quiescence_table and run.table:
        key = own_key(game, state, ply, run)
        score, key = quiescence_entry(game, state, key, alpha, beta, ply, run, work)
        if score != UNKNOWN:
            return score
    if quiet or not game.forcing or ply >= run.last_ply:
        best = evaluated(game, state, mover, ply, run, work)
        if best >= beta or ply >= run.last_ply or (game.forcing and ply >= run.quiescence_limit):
            return best
    static = best
    selective = quiet and run.delta > 0
    lower = max(alpha, best)
    count = 0
    for action in game.noisy(state):
        # Threats may be made in any order, so there are many transpositions.
        if remembering and key == 0:
            key = bits.mix(own_key(game, state, ply, run)) | 1
            score = threat_entry(game, state, key, alpha, beta, ply, run, work)
            if score != UNKNOWN:
                return score
        if not game.forcing and selective and gains_too_little(game, state, action, static, lower, run):
            continue
        count += 1
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
        return evaluated(game, state, mover, ply, run, work)
    if key != 0 and (game.forcing or not is_final(best, run)):
        bound = table.EXACT
        if best >= beta:
            bound = table.LOWER
        elif best <= alpha:
            bound = table.UPPER
        kept = min(run.quiescence_limit - ply, table.SOLVED - 1) if game.forcing else 0
        data = table.pack(to_table(best, ply * run.prefer_quick), -1, kept, bound, run.age, 0)
        store(game, state, key, data, ply, run, work)
    return best


def threat_entry(
    game: Any, state: Any, key: int, alpha: int, beta: int, ply: int, run: Any, work: Any
) -> int:
    """The score that the table has for a state of a forcing game, if it cuts off; else UNKNOWN."""
    data = lookup(game, state, key, ply, run, work)
    if data == table.NOTHING or table.depth_of(data) < min(run.quiescence_limit - ply, table.SOLVED - 1):
        return UNKNOWN
    score = from_table(table.score_of(data), ply * run.prefer_quick)
    bound = table.bound_of(data)
    enough = bound == table.EXACT or (score >= beta if bound == table.LOWER else score <= alpha)
    if enough and holds(game, state, data, run):
        run.hits += 1
        return score
    return UNKNOWN


def quiescence_entry(
    game: Any, state: Any, key: int, alpha: int, beta: int, ply: int, run: Any, work: Any
) -> tuple[int, int]:
    """The score that the table has for a state, of any depth, if it cuts off, or UNKNOWN; the key, or 0 if
    quiescence search is not to replace the entry.

    No win or loss: quiescence search ignores the path, on which one may depend.
    """
    data = lookup(game, state, key, ply, run, work)
    if data == table.NOTHING:
        return UNKNOWN, key
    if table.depth_of(data) > 0 or is_final(table.score_of(data), run):
        key = 0
    if is_final(table.score_of(data), run):
        return UNKNOWN, key
    score = from_table(table.score_of(data), ply * run.prefer_quick)
    bound = table.bound_of(data)
    if (
        bound == table.EXACT
        or (bound & table.LOWER and score >= beta)
        or (bound & table.UPPER and score <= alpha)
    ):
        run.hits += 1
        return score, key
    return UNKNOWN, key


def gains_too_little(game: Any, state: Any, action: Any, static: int, lower: int, run: Any) -> bool:
    """Delta pruning: whether a noisy action cannot raise the evaluation above alpha, by what it `exchange`s.

    Without that rule, `delta` itself is the most that an action gains.
    """
    gain = run.delta
    if game.has("exchange"):
        gain += game.exchange(state, action)
    most = run.most - run.least
    if not -most <= gain <= most:  # false for nan, too
        return False
    return bool(static + margin(gain, run) <= lower)


def evaluated(game: Any, state: Any, mover: int, ply: int, run: Any, work: Any) -> int:
    """The static evaluation of a state to the player to move, as a score; at an odd ply, with the bias."""
    bias = 0.0
    if ply & 1:
        bias = run.bias if mover == run.root_player else -run.bias
    if run.evaluation_table:
        key = game.key(state)
        slot = key & (EVALUATIONS - 1)
        if work.evaluated[slot] != key:
            work.evaluated[slot] = key
            work.evaluations[slot] = static_value(game, state, mover, ply, work)
        return estimated(float(work.evaluations[slot]), bias, mover, ply, run)
    return estimated(static_value(game, state, mover, ply, work), bias, mover, ply, run)
