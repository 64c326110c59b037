"""Principal variation search, the kernel of alpha-beta; each refinement can be switched off (`Options`).

Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982; Reinefeld, An Improvement to the
Scout Tree-Search Algorithm (NegaScout), 1983. Fail-soft: Fishburn 1983. Null move: Beal, Experiments with the
Null Move, 1989; Donninger, Null Move and Deep Search, 1993; reduced by depth after Heinz, Adaptive Null-Move
Pruning, 1999; verified after Tabibi and Netanyahu, Verified Null-Move Pruning, 2002. Internal iterative
reductions: Schröder's proposal, see the chess programming wiki.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine.faults import BOUNDS, MOVER, fault
from plies.engine.kernels.databases import database_score
from plies.engine.kernels.move_ordering import (
    PUT_OFF,
    generate,
    note_move,
    order_moves,
    pick_next,
    update_history,
)
from plies.engine.kernels.pruning import (
    CUT,
    NO_CUT,
    PASS,
    START,
    next_cut,
    not_pruned,
    reduction,
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
from plies.engine.score import HALF, PLY_BITS, STEP, UNKNOWN, bound_score, final, from_table, is_final

RUN = np.dtype(
    [
        # Counters.
        ("nodes", np.int64),  # positions visited
        ("inexact", np.int64),  # scores that rest on an estimate, a reduction, or another path or clock
        ("paths", np.int64),  # scores that hold on this path or at this clock only
        ("first_wins", np.int64),  # of `paths`: repetitions that are the best result for player 0
        ("second_wins", np.int64),  # of `paths`: the same for player 1
        ("expired", np.int64),  # of `paths`: games ended by a clock
        ("borrowed", np.int64),  # table scores that another path or clock may have decided
        ("hits", np.int64),  # table entries that ended a search
        ("cuts", np.int64),  # nodes with a beta cut-off
        ("first_cuts", np.int64),  # of `cuts`: by the first move tried
        ("horizon", np.int64),  # positions at the depth bound
        ("probes", np.int64),  # positions settled by a database
        # Where the search is, for reporting a broken rule.
        ("ply", np.int64),  # plies from the root
        ("fault", np.int64),  # see faults.py; 0: none
        # Limits and settings.
        ("stop", np.int64),  # 1: return at once
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),  # the deepest ply
        ("extension_limit", np.int64),  # extend positions that are not quiet up to this ply
        ("quiescence_limit", np.int64),  # forcing games: no threats from this ply on
        ("previous", np.int64),  # positions of the game so far, at the beginning of `path`
        ("lenient", np.int64),  # 1: a first repetition does not end the game
        ("abrupt", np.int64),  # 1: a repetition may have any utility, not only that of a draw
        ("free", np.int64),  # 1: only positions of the game so far count as repeated, not those of the path
        ("root_player", np.int64),  # the player to move at the root
        ("age", np.int64),  # of the search; with cycles, of the history that proofs hold for
        ("threads", np.int64),  # 1, or 2 for any larger number
        # The stack of actions.
        ("top", np.int64),  # its first free place
        ("full", np.int64),  # 1: it overflowed
        # How utilities become scores: see score.py.
        ("least", np.float64),  # the game's bounds, for evaluations: the lower …
        ("most", np.float64),  # … and the upper
        ("low", np.float64),  # the least utility of player 0
        ("high", np.float64),  # the greatest utility of player 0
        ("even", np.float64),  # the utility of a draw
        ("centre", np.float64),  # the utility of step 0
        ("scale", np.float64),  # steps per unit of utility
        ("unit", np.float64),  # the utility of a step: 1 / scale
        ("shift", np.float64),  # steps from a draw to step 0
        ("coarse", np.int64),  # 1: utilities may share steps, and are noted; -1: they must be, from now on
        ("near_low", np.float64),  # the least utility that a zoom spreads out
        ("near_high", np.float64),  # the greatest utility that a zoom spreads out
        ("boost", np.float64),  # an extra factor for tiny utilities, so that `scale` does not overflow
        ("best", np.int64),  # the score of the greatest utility
        ("worst", np.int64),  # the score of the least: -best
        ("inner", np.float64),  # the most steps of an estimate, either way
        ("prefer_quick", np.int64),  # 1: of two wins the quicker is better; 0: plies do not count
        ("enough", np.int64),  # candidates to generate; 0: all
        ("promising", np.int64),  # moves from this order on are neither pruned nor reduced
        ("exact", np.int64),  # 1: of table entries, only proofs end a search
        ("null_ply", np.int64),  # no null moves before this ply: one is being verified
        *option_fields("pvs"),  # see `Options`; 1 for on; `symmetry`: up to which ply images share an entry
    ]
)
"""The kernel's counters and settings. A record travels down the recursion as one pointer."""

SHARED_DEPTH = 3
"""From this depth on, a thread defers what another thread is searching: below it, claiming a search takes
about as long as the search. Not tuned."""

TASKS = (1 << 12) - 1
"""The slots where threads note what they are searching, less one: many more than the plies that they claim at
once, so that collisions, which cost a little time and nothing else, are rare. Not tuned."""


@kernel
def pvs(game, state, viewer, alpha, beta, depth, ply, run, work) -> int:
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
    alpha, beta = (alpha, beta) if sign > 0 else (-beta, -alpha)

    # 2. Extensions, and every way to a score without searching a move.
    quiet, depth = extended(game, state, depth, ply, run)
    score, key, remembered = known_score(game, state, mover, alpha, beta, depth, quiet, ply, run, work)
    if score != UNKNOWN:
        return sign * score
    before = rests_on(run)

    # 3. Cut-offs by the static evaluation: reverse futility, null move, Multi-ProbCut.
    if work.has("statics"):
        step, bound, less = START, alpha, depth
        while step < NO_CUT:
            step, other, bound, less = next_cut(
                game, state, mover, step, score, alpha, beta, depth, quiet, remembered, ply, run, work
            )
            if step < NO_CUT:
                score = pvs(game, other, mover, bound - 1, bound, less, ply + (step == PASS), run, work)
        if step == CUT:
            return sign * bound
        depth = less

    # 4. Move generation and ordering, and enhanced transposition cut-offs.
    base = run.top
    count, score = moves_or_cut(game, state, mover, remembered, beta, depth, ply, run, work)
    if score != UNKNOWN:
        run.top = base
        return sign * score

    # 5. The moves, with null windows and late move reductions; stop at a beta cut-off.
    best, barred, best_index, lower, kept = UNKNOWN, UNKNOWN, -1, alpha, count
    for i in range(min(count, run.beam) if run.beam else count):
        kept = not_pruned(game, state, mover, base, i, kept, count, best, lower, beta, depth, ply, run, work)
        if i >= kept:
            break
        child, task = next_move(game, state, base, i, kept, depth, ply, run, work)
        if game.superko and is_barred(game, child, ply, run, work):
            barred = max(barred, barred_score(game, child, mover, task, ply, run, work))
            continue
        upper = lower + 1 if i > 0 and run.null_window else beta
        less = reduction(game, child, mover, base, i, depth, quiet, ply, run, work)
        score = pvs(game, child, mover, lower, upper, depth - 1 - less, ply + 1, run, work)
        if less and score > lower and run.stop == 0:
            score = pvs(game, child, mover, lower, upper, depth - 1, ply + 1, run, work)
        if upper < beta and score > lower and score < beta and run.stop == 0:
            score = pvs(game, child, mover, lower, beta, depth - 1, ply + 1, run, work)
        release(task, work)
        if run.stop:
            break
        if score > best:
            best = score
            best_index = 1023 - (work.order[base + i] & 1023) if count > 1 else 0
            lower = max(lower, score)
            if score >= beta:
                update_history(game, state, mover, base, i, depth, ply, run, work)
                break
    run.top = base

    # 6. Moves left out, and the transposition table.
    best = completed(best, barred, beta, count, ply, run)
    if run.table and run.stop == 0:
        record_score(game, state, mover, key, alpha, beta, best, best_index, depth, before, ply, run, work)
    return sign * best


def terminal_score(game: Any, state: Any, viewer: int, ply: int, run: Any, work: Any) -> int:
    """The score of a terminal state; one that a clock ended holds at this clock only."""
    if game.has("plies_left") and game.plies_left(state) <= 0:
        run.paths += 1
        run.expired += 1
    return final(game.utility(state, 0), viewer, ply, run, work)


def extended(game: Any, state: Any, depth: int, ply: int, run: Any) -> tuple[bool, int]:
    """Whether a state is quiet, and the depth to search it to: a ply more if not, as a check extension."""
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
    """The score of a state if it takes no move to know it, or UNKNOWN; its table key; its hash move or -1."""
    # Mate-distance pruning: no score beats a win at the next ply or is worse than a loss there; at this ply,
    # where a repetition may win or lose.
    soonest = (ply + 1 - run.abrupt) * run.prefer_quick
    ceiling = from_table(run.best, soonest)
    if ceiling <= alpha:
        return ceiling, 0, -1
    floor = from_table(run.worst, soonest)
    if floor >= beta:
        return floor, 0, -1
    if work.has("database_words"):
        score = database_score(game, state, mover, alpha, beta, ply, run, work)
        if score != UNKNOWN:
            return score, 0, -1
    clocked = game.cycles or game.has("plies_left")  # where values depend on the path
    if game.has("proved_bounds") and run.proved_bounds and not clocked and run.coarse == 0:
        score = proved_score(game, state, alpha, beta, run)
        if score != UNKNOWN:
            return score, 0, -1
    if depth <= 0 or ply >= run.last_ply:
        return horizon_score(game, state, mover, alpha, beta, quiet, ply, run, work), 0, -1
    if game.cycles:
        score = repetition_score(game, state, mover, ply, run, work)
        if score != UNKNOWN:
            return score, 0, -1
    if run.table:
        key = own_key(game, state, ply, run)
        score, remembered = table_score(game, state, mover, key, alpha, beta, depth, ply, run, work)
        return score, key, remembered
    return UNKNOWN, 0, -1


def proved_score(game: Any, state: Any, alpha: int, beta: int, run: Any) -> int:
    """A score by the game's `proved_bounds`, if they cut off or are one value; else UNKNOWN.

    They do not tell how soon the game ends: where that counts, wins are taken to be as slow as can be, or as
    quick.
    """
    plies = (HALF - 1) * run.prefer_quick
    least = (max(alpha, run.worst) - plies) >> PLY_BITS  # rounded down, and up
    most = -((-min(beta, run.best) - plies) >> PLY_BITS)
    low, high = game.proved_bounds(state, least * run.unit + run.even, most * run.unit + run.even)
    if not (low <= high and low <= run.most and high >= run.least):  # false for nan, too
        return fault(BOUNDS, run)
    lower, upper = bound_score(low, run), bound_score(high, run)
    if lower != UNKNOWN and from_table(lower, plies * (lower > 0)) >= beta:
        return from_table(lower, plies * (lower > 0))
    if upper != UNKNOWN and from_table(upper, plies * (upper < 0)) <= alpha:
        return from_table(upper, plies * (upper < 0))
    if lower == upper and (plies == 0 or lower == 0):
        return lower
    return UNKNOWN


def horizon_score(
    game: Any, state: Any, mover: int, alpha: int, beta: int, quiet: bool, ply: int, run: Any, work: Any
) -> int:
    """The score at the depth bound: by quiescence search, or a static evaluation."""
    run.inexact += 1
    run.horizon += 1
    if game.has("noisy") and run.quiescence:
        score: int = quiesce(game, state, mover, alpha, beta, quiet, ply, run, work)
        if game.cycles and is_final(score, run):
            score = doubted(game, state, mover, score, ply, run, work)
        return score
    return evaluated(game, state, mover, ply, run, work)


def moves_or_cut(
    game: Any, state: Any, mover: int, remembered: int, beta: int, depth: int, ply: int, run: Any, work: Any
) -> tuple[int, int]:
    """Put the moves on the stack, in order: their number; the score of one that its table entry says fails
    high, 0 if the search has stopped, or UNKNOWN."""
    base = run.top
    count = generate(game, state, base, run, work)
    if run.stop:
        return count, 0
    run.top = base + count
    looking_ahead = run.table and run.table_cuts and depth >= run.table_cuts_depth
    if looking_ahead:
        prefetch_children(game, state, base, count, ply, run, work)
    order_moves(game, state, mover, remembered, base, count, ply, run, work)
    if looking_ahead:
        return count, cutoff_score(game, state, mover, beta, depth, base, count, ply, run, work)
    return count, UNKNOWN


def next_move(
    game: Any, state: Any, base: int, i: int, count: int, depth: int, ply: int, run: Any, work: Any
) -> tuple[Any, int]:
    """Pick the best of the moves left as number i: the state it leads to, and the task claimed.

    Simplified ABDADA: a move that another thread is searching is deferred; by then the table will have its
    score. Weill, The ABDADA Distributed Minimax Search Algorithm, 1996. Two threads reach a depth 1.6 times
    as soon as one.
    """
    while True:
        pick_next(base + i, base + count, work)
        work.line[ply] = work.actions[base + i]
        run.ply = ply
        child = game.result(state, work.actions[base + i])
        if work.has("statics"):
            note_move(game, state, base + i, ply, run, work)
        if run.threads == 1 or depth < SHARED_DEPTH:
            return child, 0
        task = bits.mix(own_key(game, child, ply + 1, run) ^ depth) | 1
        if i == 0 or work.order[base + i] <= PUT_OFF or work.tasks[task & TASKS] != task:
            work.tasks[task & TASKS] = task
            return child, task
        work.order[base + i] += 2 * PUT_OFF


def release(task: int, work: Any) -> None:
    """Free the slot of a task, if one was claimed."""
    if task:
        work.tasks[task & TASKS] = 0


def barred_score(game: Any, child: Any, mover: int, task: int, ply: int, run: Any, work: Any) -> int:
    """The score of an action that superko forbids, which counts only if it forbids all actions."""
    release(task, work)
    run.paths += 1
    return final(game.repetition_value(child, 0), mover, ply + 1, run, work)


def completed(best: int, barred: int, beta: int, count: int, ply: int, run: Any) -> int:
    """The best score of the moves tried, given those that a beam or superko left out."""
    if run.beam and count > run.beam and best < beta:
        run.inexact += 1  # a move left out might be better: a loss by all the others proves nothing
        return max(best, from_table(run.worst + STEP, ply * run.prefer_quick))
    return barred if best == UNKNOWN else best
