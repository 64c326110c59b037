"""The engine's kernel: alpha-beta with the refinements of the lectures, each of which can be switched off."""

from __future__ import annotations

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine import table
from plies.engine.faults import MOVER
from plies.engine.kernels.move_ordering import generate, pick_next, score_move, update_history
from plies.engine.kernels.quiescence import evaluated, quiesce
from plies.engine.kernels.repetitions import doubted, is_barred, position, recurred
from plies.engine.kernels.transpositions import credit, holds, logarithm, lookup, own_key, store
from plies.engine.options import option_fields
from plies.engine.score import STEP, estimated, final, from_table, is_final, to_table

RUN = np.dtype(
    [
        # What is counted.
        ("nodes", np.int64),
        ("inexact", np.int64),  # values that rest on an estimate, a reduction, or what is true elsewhere
        ("paths", np.int64),  # values that hold on this path or at this clock alone …
        ("first_wins", np.int64),  # … among them repetitions that are the best there is for player 0 …
        ("second_wins", np.int64),  # … and for player 1
        ("expired", np.int64),  # … and ends by a clock
        ("borrowed", np.int64),  # scores taken from the table that another path or clock may have decided
        ("hits", np.int64),  # table entries that ended a search
        ("cuts", np.int64),  # nodes where a cut-off came …
        ("first_cuts", np.int64),  # … with the first action tried
        # Where the search is, for when a rule is at fault.
        ("ply", np.int64),
        ("fault", np.int64),  # see faults.py; 0: none
        # What is obeyed.
        ("stop", np.int64),
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),  # as far as the stack reaches
        (
            "extension_limit",
            np.int64,
        ),  # extend positions that are not quiet up to this ply
        (
            "quiescence_limit",
            np.int64,
        ),  # forcing games: no threats from this ply on
        ("previous", np.int64),  # how many positions of the game so far stand at the beginning of the path
        ("lenient", np.int64),  # 1: a position that comes up again does not end the game by that alone
        ("abrupt", np.int64),  # 1: a repetition may be worth anything, not only a draw
        ("free", np.int64),  # 1: only what the game has been through counts as repeated, not the path
        ("root_player", np.int64),  # who moves at the root
        ("age", np.int64),  # of the search; with cycles, of the past that proofs hold for
        ("threads", np.int64),  # that search together
        # The stack of actions.
        ("top", np.int64),
        ("full", np.int64),  # set when it is
        # How values become scores: see score.py.
        ("least", np.float64),  # the bounds of the game, for evaluations
        ("most", np.float64),
        ("low", np.float64),  # the bounds of what player 0 can get
        ("high", np.float64),
        ("even", np.float64),  # the utility of a draw
        ("centre", np.float64),  # the utility of step 0
        ("scale", np.float64),  # steps to a unit of utility …
        ("unit", np.float64),  # … and the utility of a step
        ("shift", np.float64),  # the steps from a draw to step 0
        ("coarse", np.int64),  # 1: utilities share steps, and are noted; -1: they would, so it must be 1
        ("near_low", np.float64),  # the utilities that a zoom has spread out
        ("near_high", np.float64),
        ("boost", np.float64),  # what they are multiplied by besides, if they are tiny
        ("best", np.int64),  # the score of the greatest utility
        ("worst", np.int64),
        ("inner", np.float64),  # the most steps of an estimate, to either side
        ("prefer_quick", np.int64),  # 1: the quicker win counts for more; 0: all wins are alike
        ("enough", np.int64),  # how many candidates are generated; 0: all
        *option_fields("pvs"),  # see `Options`; 1 for on; `symmetry` is up to which ply images share an entry
    ]
)
"""What the kernel counts and obeys. A record travels down the recursion as one pointer."""

FIRST = 1 << 50
"""The order of the action that the table remembers: before all others."""

SHARED_DEPTH = 3
"""From this depth on, a thread puts off what another thread is searching."""

TASKS = (1 << 12) - 1
"""Where the searches under way are noted: so many places, less one."""

PUT_OFF = -(1 << 61)
"""Below this order are the actions that were put off."""

UNPROMISING = 1 << 37
"""Below this order, an action has neither priority nor been a killer."""


@kernel
def pvs(game, state, viewer, alpha, beta, depth, ply, run, work):
    """Principal variation search: the score of a state to a viewer, exact between alpha and beta.

    Fail-soft: a score up to alpha is an upper bound (fail low), one from beta a lower bound (fail high).
    """
    run.nodes += 1
    run.ply = ply
    if run.nodes >= run.limit:
        run.stop = 1
        return 0

    # 1. Terminal positions. A clock that ends the game does so at this clock alone.
    if game.is_terminal(state):
        if game.has("plies_left") and game.plies_left(state) <= 0:
            run.paths += 1
            run.expired += 1
        return final(game.utility(state, 0), viewer, ply, run, work)

    # 2. Negamax: from here on, scores are those of the player to move.
    mover = game.to_move(state)
    if mover != 0 and mover != 1:
        run.fault = MOVER
        run.stop = 1
        return 0
    sign = 1
    if mover != viewer:
        sign = -1
        alpha, beta = -beta, -alpha

    # 3. Mate-distance pruning: nothing is better than the best end at the next ply, nothing worse than the
    # worst; where a repetition may be as good or as bad, at this one.
    soonest = (ply + 1 - run.abrupt) * run.prefer_quick
    ceiling = from_table(run.best, soonest)
    if ceiling <= alpha:
        return sign * ceiling
    floor = from_table(run.worst, soonest)
    if floor >= beta:
        return sign * floor

    # 4. Extensions, and at the depth bound quiescence search or a static evaluation.
    quiet = True
    if game.has("is_quiet"):
        quiet = run.quiescence == 0 or game.is_quiet(state)
        if not quiet and ply <= run.extension_limit:
            depth += 1
    if depth <= 0 or ply >= run.last_ply:
        run.inexact += 1
        if game.has("noisy") and run.quiescence:
            score = quiesce(game, state, mover, alpha, beta, quiet, ply, run, work)
            if game.cycles and is_final(score, run):
                score = doubted(game, state, mover, score, ply, run, work)
            return sign * score
        return sign * evaluated(game, state, mover, ply, run)

    # 5. Repetition: a position that was on the path before ends the game, though only on this path.
    if game.cycles:
        here = position(game, state, mover)
        if not game.superko:
            for i in range(run.previous + (0 if run.free else ply)):
                if work.path[i] == here:
                    return sign * recurred(game, state, mover, i, ply, run, work)
        work.path[run.previous + ply] = here
        if game.has("repetition_key"):  # what is proved of a state holds on the path to it alone
            work.salts[run.previous + ply + 1] = bits.add(int(work.salts[run.previous + ply]), bits.mix(here))

    # 6. Transposition table: it may know the score, and if not, the best move to begin with.
    key = 0
    remembered = -1
    if run.table:
        key = own_key(game, state, ply, run)
        data = lookup(game, state, key, ply, run, work)
        if data != table.NOTHING:
            remembered = table.best_of(data)
            score = from_table(table.score_of(data), ply * run.prefer_quick)
            bound = table.bound_of(data)
            enough = (bound & table.LOWER and score >= beta) or (bound & table.UPPER and score <= alpha)
            if (
                table.depth_of(data) >= min(depth, table.SOLVED)
                and (enough or bound == table.EXACT)
                and holds(game, state, data, run)
            ):
                credit(game, data, run)
                return sign * score
    inexact, paths, borrowed = run.inexact, run.paths, run.borrowed
    first_wins, second_wins, expired = run.first_wins, run.second_wins, run.expired
    nodes = run.nodes

    # 7. Null move: if passing still fails high, a real move will too.
    if (
        game.has("null_move")
        and run.null_move
        and quiet
        and depth > 2
        and alpha + 1 == beta
        and beta <= run.best - STEP
    ):
        other = game.null_move(state)
        if (
            not game.is_terminal(other)
            and game.to_move(other) != mover
            and estimated(game.evaluate(state, mover), 0.0, mover, ply, run) >= beta
        ):
            run.inexact += 1
            score = pvs(game, other, mover, alpha, beta, depth - 3 - (depth > 6), ply + 1, run, work)
            if run.stop:
                return sign * alpha
            if score >= beta:
                return sign * beta

    # 8. Move generation and ordering.
    base = run.top
    count = generate(game, state, base, run, work)
    if run.stop:
        return sign * alpha
    run.top = base + count
    looking_ahead = run.table and run.table_cuts and depth > 1
    if looking_ahead:
        for i in range(count):
            work.keys[base + i] = own_key(game, game.result(state, work.actions[base + i]), ply + 1, run)
            table.prefetch(work.table, work.keys[base + i])
    if count > 1:
        for i in range(count):
            order = FIRST
            if i != remembered:
                order = score_move(game, state, mover, work.actions[base + i], ply, run, work)
            work.order[base + i] = order * 1024 + (1023 - min(i, 1023))  # of equals, the first comes first

    # 9. Enhanced transposition cut-offs: a reply that the table knows to fail high settles it.
    if looking_ahead:
        for i in range(count):
            child = game.result(state, work.actions[base + i])
            if not game.is_terminal(child):
                data = lookup(game, child, int(work.keys[base + i]), ply + 1, run, work)
                if data != table.NOTHING and table.depth_of(data) >= min(depth - 1, table.SOLVED):
                    score = from_table(table.score_of(data), (ply + 1) * run.prefer_quick)
                    wanted = table.LOWER
                    if game.to_move(child) != mover:
                        score = -score
                        wanted = table.UPPER
                    if table.bound_of(data) & wanted and score >= beta and holds(game, child, data, run):
                        credit(game, data, run)
                        run.top = base
                        return sign * score

    # 10. Search the moves, with null windows and late move reductions; stop at a beta cut-off.
    best = barred = -(1 << 60)
    best_index = -1
    lower = alpha
    i = -1
    while i + 1 < count:
        i += 1
        if run.beam and i >= run.beam:
            run.inexact += 1  # what is not looked at might be better
            break
        pick_next(base + i, base + count, work)
        action = work.actions[base + i]
        work.line[ply] = action
        run.ply = ply
        child = game.result(state, action)
        if game.superko and is_barred(game, child, ply, run, work):
            run.paths += 1
            barred = max(barred, final(game.repetition_value(child, 0), mover, ply + 1, run, work))
            continue
        task = 0
        if run.threads > 1 and depth >= SHARED_DEPTH:
            task = bits.mix(own_key(game, child, ply + 1, run) ^ depth) | 1
            if i > 0 and work.order[base + i] > PUT_OFF and work.tasks[task & TASKS] == task:
                work.order[base + i] += 2 * PUT_OFF  # another thread is at it, and will know
                i -= 1
                continue
            work.tasks[task & TASKS] = task
        upper = beta
        less = 0
        if i > 0 and run.null_window:
            upper = lower + 1
            late = i > 2 and depth > 2 and quiet and work.order[base + i] < UNPROMISING
            if run.reductions and late and (run.quiescence == 0 or game.is_quiet(child)):
                less = 1 + (i > 7) + (i > 15 and depth > 5)
                run.inexact += 1
        score = pvs(game, child, mover, lower, upper, depth - 1 - less, ply + 1, run, work)
        if score > lower and run.stop == 0 and (less or (upper < beta and score < beta)):
            score = pvs(game, child, mover, lower, beta, depth - 1, ply + 1, run, work)
        if task:
            work.tasks[task & TASKS] = 0
        if run.stop:
            run.top = base
            return sign * best
        if score > best:
            best = score
            best_index = 1023 - (work.order[base + i] & 1023) if count > 1 else 0
            lower = max(lower, score)
            if score >= beta:
                run.cuts += 1
                if i == 0:
                    run.first_cuts += 1
                update_history(game, state, mover, base, i, ply, run, work)
                break
    run.top = base

    # 11. Beam: if moves were left out, that all others lose is no proof of a loss.
    if run.beam and i >= run.beam:
        best = max(best, from_table(run.worst + STEP, ply * run.prefer_quick))
    elif best == -(1 << 60):  # superko forbids them all
        best = barred

    # 12. Store: as a proof only what holds on every path and at any clock (docs/what-proved-means.md).
    if run.table:
        bound = table.EXACT
        if best >= beta:
            bound = table.LOWER
        elif best <= alpha:
            bound = table.UPPER
        if best_index > table.MOST_ACTIONS:
            best_index = -1
        kept = min(depth, table.SOLVED - 1)
        if run.inexact == inexact and run.paths == paths:
            kept = table.SOLVED + logarithm(run.nodes - nodes)
        if game.cycles and is_final(best, run):
            winner = mover if best > 0 else 1 - mover
            if run.first_wins != first_wins if winner == 0 else run.second_wins != second_wins:
                kept = 0  # it may rest on a repetition that wins on this path alone: only the action counts
        if run.expired != expired:
            kept = 0  # it may rest on this clock
        elsewhere = int(run.paths != paths or run.borrowed != borrowed)
        data = table.pack(to_table(best, ply * run.prefer_quick), best_index, kept, bound, run.age, elsewhere)
        store(game, state, key, data, ply, run, work)
    return sign * best
