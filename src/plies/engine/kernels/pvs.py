"""The engine's kernel: alpha-beta with the refinements of the lectures, each of which can be switched off."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine.faults import MOVER, fault
from plies.engine.kernels.move_ordering import (
    PUT_OFF,
    UNPROMISING,
    generate,
    order_moves,
    pick_next,
    update_history,
)
from plies.engine.kernels.quiescence import evaluated, quiesce
from plies.engine.kernels.repetitions import doubted, is_barred, repetition_score
from plies.engine.kernels.transpositions import (
    cutoff_score,
    own_key,
    prefetch_children,
    record_score,
    rests_on,
    table_score,
)
from plies.engine.options import option_fields
from plies.engine.score import STEP, UNKNOWN, estimated, final, from_table, is_final

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

SHARED_DEPTH = 3
"""From this depth on, a thread puts off what another thread is searching: below it, claiming a search takes
about as long as the search. Not tuned."""

TASKS = (1 << 12) - 1
"""The places where threads note what they are searching, less one: many more than they ever note at once."""


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
    if game.is_terminal(state):
        return terminal_score(game, state, viewer, ply, run, work)

    # 1. Negamax: from here on, scores are those of the player to move.
    mover = game.to_move(state)
    if mover != 0 and mover != 1:
        return fault(MOVER, run)
    sign = 1 if mover == viewer else -1
    if sign < 0:
        alpha, beta = -beta, -alpha

    # 2. Extension of positions that are not quiet, and all that gives a score without a move.
    quiet, depth = extended(game, state, depth, ply, run)
    score, key, remembered = known_score(game, state, mover, alpha, beta, depth, quiet, ply, run, work)
    if score != UNKNOWN:
        return sign * score
    before = rests_on(run)

    # 3. Null move: if passing still fails high, a real move will too.
    if game.has("null_move") and null_move_may_cut(game, state, mover, alpha, beta, depth, quiet, ply, run):
        run.inexact += 1
        other = game.null_move(state)
        score = pvs(game, other, mover, alpha, beta, depth - 3 - (depth > 6), ply + 1, run, work)
        if score >= beta or run.stop:
            return sign * (alpha if run.stop else beta)

    # 4. Move generation and ordering, and enhanced transposition cut-offs.
    base = run.top
    count = generate(game, state, base, run, work)
    if run.stop:
        return sign * alpha
    run.top = base + count
    score = order_or_cut(game, state, mover, remembered, beta, depth, base, count, ply, run, work)
    if score != UNKNOWN:
        run.top = base
        return sign * score

    # 5. The moves, with null windows and late move reductions; stop at a beta cut-off.
    best = barred = UNKNOWN
    best_index = -1
    lower = alpha
    for i in range(min(count, run.beam) if run.beam else count):
        child, task = next_move(game, state, base, i, count, depth, ply, run, work)
        if game.superko and is_barred(game, child, ply, run, work):
            barred = max(barred, barred_score(game, child, mover, task, ply, run, work))
            continue
        upper = lower + 1 if i > 0 and run.null_window else beta
        less = reduction(game, child, base, i, depth, quiet, run, work)
        score = pvs(game, child, mover, lower, upper, depth - 1 - less, ply + 1, run, work)
        if score > lower and run.stop == 0 and (less or (upper < beta and score < beta)):
            score = pvs(game, child, mover, lower, beta, depth - 1, ply + 1, run, work)
        release(task, work)
        if run.stop:
            break
        if score > best:
            best = score
            best_index = 1023 - (work.order[base + i] & 1023) if count > 1 else 0
            lower = max(lower, score)
            if score >= beta:
                update_history(game, state, mover, base, i, ply, run, work)
                break
    run.top = base

    # 6. What was left out, and the transposition table.
    best = completed(best, barred, beta, count, ply, run)
    if run.table and run.stop == 0:
        record_score(game, state, mover, key, alpha, beta, best, best_index, depth, before, ply, run, work)
    return sign * best


def terminal_score(game: Any, state: Any, viewer: int, ply: int, run: Any, work: Any) -> int:
    """The score of a terminal state; a clock that ends the game does so at this clock alone."""
    if game.has("plies_left") and game.plies_left(state) <= 0:
        run.paths += 1
        run.expired += 1
    return final(game.utility(state, 0), viewer, ply, run, work)


def extended(game: Any, state: Any, depth: int, ply: int, run: Any) -> tuple[bool, int]:
    """Whether a state is quiet, and the depth to search it to: a ply deeper if it is not."""
    quiet = not game.has("is_quiet")  # not True, which is of a type of its own: code with it is not kept
    if game.has("is_quiet"):
        quiet = run.quiescence == 0 or game.is_quiet(state)
        if not quiet and ply <= run.extension_limit:
            depth += 1
    return quiet, depth


def known_score(
    game: Any,
    state: Any,
    mover: int,
    alpha: int,
    beta: int,
    depth: int,
    quiet: bool,
    ply: int,
    run: Any,
    work: Any,
) -> tuple[int, int, int]:
    """The score of a state as far as no move is needed to tell, or UNKNOWN.

    With it come the key of the state in the table and the place of the best action that stands there.
    """
    # Mate-distance pruning: nothing is better than the best end at the next ply, nothing worse than the
    # worst; where a repetition may be as good or as bad, at this one.
    soonest = (ply + 1 - run.abrupt) * run.prefer_quick
    ceiling = from_table(run.best, soonest)
    if ceiling <= alpha:
        return ceiling, 0, -1
    floor = from_table(run.worst, soonest)
    if floor >= beta:
        return floor, 0, -1
    if depth <= 0 or ply >= run.last_ply:
        return horizon_score(game, state, mover, alpha, beta, quiet, ply, run, work), 0, -1
    if game.cycles:
        score = repetition_score(game, state, mover, ply, run, work)
        if score != UNKNOWN:
            return score, 0, -1
    if run.table:
        key = own_key(game, state, ply, run)
        score, remembered = table_score(game, state, key, alpha, beta, depth, ply, run, work)
        return score, key, remembered
    return UNKNOWN, 0, -1


def horizon_score(
    game: Any, state: Any, mover: int, alpha: int, beta: int, quiet: bool, ply: int, run: Any, work: Any
) -> int:
    """The score at the depth bound: by quiescence search, or a static evaluation."""
    run.inexact += 1
    if game.has("noisy") and run.quiescence:
        score: int = quiesce(game, state, mover, alpha, beta, quiet, ply, run, work)
        if game.cycles and is_final(score, run):
            score = doubted(game, state, mover, score, ply, run, work)
        return score
    return evaluated(game, state, mover, ply, run)


def null_move_may_cut(
    game: Any, state: Any, mover: int, alpha: int, beta: int, depth: int, quiet: bool, ply: int, run: Any
) -> bool:
    """Whether to try a null move: only with a null window, in a quiet position that looks good enough."""
    if not (run.null_move and quiet and depth > 2 and alpha + 1 == beta and beta <= run.best - STEP):
        return False
    other = game.null_move(state)
    if game.is_terminal(other) or game.to_move(other) == mover:
        return False
    return bool(estimated(game.evaluate(state, mover), 0.0, mover, ply, run) >= beta)


def order_or_cut(
    game: Any,
    state: Any,
    mover: int,
    remembered: int,
    beta: int,
    depth: int,
    base: int,
    count: int,
    ply: int,
    run: Any,
    work: Any,
) -> int:
    """Order the moves on the stack; the score of one that the table knows to fail high, or UNKNOWN."""
    looking_ahead = run.table and run.table_cuts and depth > 1
    if looking_ahead:
        prefetch_children(game, state, base, count, ply, run, work)
    order_moves(game, state, mover, remembered, base, count, ply, run, work)
    if looking_ahead:
        return cutoff_score(game, state, mover, beta, depth, base, count, ply, run, work)
    return UNKNOWN


def next_move(
    game: Any, state: Any, base: int, i: int, count: int, depth: int, ply: int, run: Any, work: Any
) -> tuple[Any, int]:
    """Put the most promising of the moves left at place i: the state it leads to, and the task claimed.

    What another thread is searching is put off: by then the table will know its score.
    """
    while True:
        pick_next(base + i, base + count, work)
        work.line[ply] = work.actions[base + i]
        run.ply = ply
        child = game.result(state, work.actions[base + i])
        if run.threads == 1 or depth < SHARED_DEPTH:
            return child, 0
        task = bits.mix(own_key(game, child, ply + 1, run) ^ depth) | 1
        if i == 0 or work.order[base + i] <= PUT_OFF or work.tasks[task & TASKS] != task:
            work.tasks[task & TASKS] = task
            return child, task
        work.order[base + i] += 2 * PUT_OFF


def release(task: int, work: Any) -> None:
    """Note that a task is searched no more, if it was one."""
    if task:
        work.tasks[task & TASKS] = 0


def barred_score(game: Any, child: Any, mover: int, task: int, ply: int, run: Any, work: Any) -> int:
    """What an action that superko forbids would be worth, if it forbids them all."""
    release(task, work)
    run.paths += 1
    return final(game.repetition_value(child, 0), mover, ply + 1, run, work)


def reduction(game: Any, child: Any, base: int, i: int, depth: int, quiet: bool, run: Any, work: Any) -> int:
    """Late move reductions: by how many plies less a move is searched at first."""
    late = run.null_window and i > 2 and depth > 2 and quiet and work.order[base + i] < UNPROMISING
    if run.reductions and late and (run.quiescence == 0 or game.is_quiet(child)):
        run.inexact += 1
        return 1 + (i > 7) + (i > 15 and depth > 5)
    return 0


def completed(best: int, barred: int, beta: int, count: int, ply: int, run: Any) -> int:
    """The best score of the moves tried, given those that a beam or superko left out."""
    if run.beam and count > run.beam and best < beta:
        run.inexact += 1  # what is not looked at might be better: that all others lose is no loss
        return max(best, from_table(run.worst + STEP, ply * run.prefer_quick))
    return barred if best == UNKNOWN else best
