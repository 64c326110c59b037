"""Forward pruning: what a search leaves out, or searches less deep, by the static evaluation and the order.

These functions are parts of the kernel `pvs`. Nothing here proves: a node that was pruned counts as inexact.
Margins are in units of the game's `evaluate`, and 0 switches a refinement off; `plies tune` finds those that
help. Reverse futility (static null move), futility, late move pruning and late move reductions: see the chess
programming wiki. ProbCut: Buro, ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm, 1995;
Multi-ProbCut: Buro, Experiments with Multi-ProbCut and a New High-Quality Evaluation Function, 1997.
"""

from __future__ import annotations

from typing import Any

from plies.engine.kernels.move_ordering import GRAVITY, PUT_OFF, note_move, pick_next
from plies.engine.kernels.quiescence import evaluated
from plies.engine.score import PLY_BITS, STEP, UNKNOWN, is_final, margin

DEPTHS = 64
"""Depths, and numbers of moves, that the tables of reductions and of ProbCut distinguish."""

NOISY_DEPTH = 2
"""The least depth at which checks are not left out with other quiet moves."""

START, PASS, VERIFY, PROBCUT, NO_CUT, CUT = range(6)
"""The steps of `next_cut`: a null move, its verification, a shallow search, and how it ends."""


def is_improving(mover: int, ply: int, work: Any) -> bool:
    """Whether the static evaluation is better for the player to move than two plies before."""
    if ply < 2 or work.statics[ply] == UNKNOWN or work.statics[ply - 2] == UNKNOWN:
        return False
    change = work.statics[ply] - work.statics[ply - 2]
    return bool(change > 0 if mover == 0 else change < 0)


def next_cut(
    game: Any,
    state: Any,
    mover: int,
    step: int,
    score: int,
    alpha: int,
    beta: int,
    depth: int,
    quiet: bool,
    remembered: int,
    ply: int,
    run: Any,
    work: Any,
) -> tuple[int, Any, int, int]:
    """After a step with that score: the next one, the state to search for it, the bound to test, the depth.

    CUT comes with a score in place of the bound, NO_CUT with the depth to go on with. Only with a null window
    around an estimate, in a quiet position. A null move is not tried while another is verified.
    """
    if step == START:
        work.statics[ply] = UNKNOWN
        if quiet:  # once for each position
            static = evaluated(game, state, mover, ply, run, work)
            work.statics[ply] = static if mover == 0 else -static
    less = depth
    if run.internal_reductions and remembered < 0 and depth >= run.internal_reductions:
        less -= 1  # internal iterative reductions: there is no hash move to begin with
    static = work.statics[ply] if mover == 0 else -work.statics[ply]
    if work.statics[ply] == UNKNOWN or alpha + 1 != beta or abs(beta) >= run.best - STEP:
        run.inexact += less < depth
        return NO_CUT, state, alpha, less
    passed = depth - 1 - run.null_move_reduction - depth // 6
    if step == START:
        # Reverse futility: so far above beta that no reply is expected to bring it below.
        if run.reverse_futility > 0 and depth <= run.pruning_depth:
            ahead = margin(run.reverse_futility * (depth - is_improving(mover, ply, work)), run)
            if static - ahead >= beta:
                run.inexact += 1
                return CUT, state, static, depth
        # Null move: if passing still fails high, a real move will too.
        if game.has("null_move") and run.null_move and depth > 2 and static >= beta and ply >= run.null_ply:
            other = game.null_move(state)
            if not game.is_terminal(other) and game.to_move(other) != mover:
                run.inexact += 1
                note_move(game, state, -1, ply, run, work)
                return PASS, other, beta, passed
    if step == VERIFY:
        run.null_ply = 0
    if run.stop:
        return CUT, state, alpha, depth
    if PASS <= step <= VERIFY and score >= beta:
        if step == VERIFY or run.verification == 0 or depth < run.verification or run.null_ply:
            return CUT, state, beta, depth
        run.null_ply = ply + depth // 2
        return VERIFY, state, beta, passed
    if run.multi_probcut and depth < DEPTHS and work.probcut[depth, 0] > 0:
        # Multi-ProbCut: what a shallow search must find for a deep one to be past the window.
        sign = 1 if static >= beta else -1
        slope, intercept, deviation = work.probcut[depth, 1], work.probcut[depth, 2], work.probcut[depth, 3]
        wanted = (beta >> PLY_BITS) + (sign * run.probcut * deviation - intercept) * run.scale
        bound = int(max(min(wanted / slope, run.inner + 1), -run.inner - 1)) << PLY_BITS
        if step == PROBCUT:
            if score >= bound if sign > 0 else score < bound:
                return CUT, state, beta if sign > 0 else alpha, depth
        elif abs(bound) < run.best - STEP:
            run.inexact += 1
            return PROBCUT, state, bound, int(work.probcut[depth, 0])
    run.inexact += less < depth
    return NO_CUT, state, alpha, less


def not_pruned(
    game: Any,
    state: Any,
    mover: int,
    base: int,
    i: int,
    kept: int,
    count: int,
    best: int,
    lower: int,
    beta: int,
    depth: int,
    ply: int,
    run: Any,
    work: Any,
) -> int:
    """How many moves are searched, of `count`, before number i is; `kept` so far. They are pruned once."""
    if not work.has("statics") or kept < count:
        return kept
    if rest_is_pruned(mover, base, i, count, best, lower, beta, depth, ply, run, work):
        return keep_noisy(game, state, base, i, count, depth, ply, run, work)
    return kept


def rest_is_pruned(
    mover: int,
    base: int,
    i: int,
    count: int,
    best: int,
    lower: int,
    beta: int,
    depth: int,
    ply: int,
    run: Any,
    work: Any,
) -> bool:
    """Whether the moves from number i on are left out: by futility, or as late moves (move count pruning).

    Only with a null window, and only quiet moves, which come last in the order; none before one that does not
    lose is known. Of late moves, half as many are tried where the evaluation does not improve.
    """
    if lower + 1 != beta or work.statics[ply] == UNKNOWN or depth > run.pruning_depth:
        return False
    if best == UNKNOWN or is_final(best, run):
        return False
    static = work.statics[ply] if mover == 0 else -work.statics[ply]
    futile = run.futility > 0 and static + margin(run.futility * (depth + 1), run) <= lower
    enough = run.late_moves + depth * depth
    if not is_improving(mover, ply, work):
        enough //= 2
    if not futile and (run.late_moves == 0 or i < enough):
        return False
    pick_next(base + i, base + count, work)
    if work.order[base + i] >= run.promising or work.order[base + i] <= PUT_OFF:
        return False
    if not futile:
        quiet = 0
        for j in range(base, base + i):
            quiet += work.order[j] < run.promising
        if quiet < enough:
            return False
    run.inexact += 1
    return True


def keep_noisy(
    game: Any, state: Any, base: int, i: int, count: int, depth: int, ply: int, run: Any, work: Any
) -> int:
    """Of the moves from number i on, keep those that are not to be left out: checks. The number of all kept.

    Those just before the depth bound are not looked for, which would take as long as the rest of the search.
    """
    if depth < NOISY_DEPTH or run.quiescence == 0 or not game.has("is_quiet"):
        return i
    kept = i
    run.ply = ply
    for j in range(base + i, base + count):
        work.line[ply] = work.actions[j]
        if not game.is_quiet(game.result(state, work.actions[j])):
            action, order = work.actions[j], work.order[j]
            work.actions[j], work.order[j] = work.actions[base + kept], work.order[base + kept]
            work.actions[base + kept], work.order[base + kept] = action, order
            kept += 1
    return kept


def reduction(
    game: Any,
    child: Any,
    mover: int,
    base: int,
    i: int,
    depth: int,
    quiet: bool,
    ply: int,
    run: Any,
    work: Any,
) -> int:
    """Late move reductions: the plies by which a move is searched less deep at first.

    By a table of depth and number (`reduction_factor`), a ply more or less by the history of the move, and
    half a ply more where the evaluation does not improve; none for killers, urgent moves, positions that are
    not quiet, or within two plies of the depth bound.
    """
    late = run.null_window and i > 2 and depth > 2 and quiet and work.order[base + i] < run.promising
    if run.reductions and late and (run.quiescence == 0 or game.is_quiet(child)):
        less = work.reductions[min(depth, DEPTHS - 1), min(i, DEPTHS - 1)]
        if work.has("statics") and not is_improving(mover, ply, work):
            less += 0.5
        if run.history:  # its share of the order: see move_ordering.py
            history = ((work.order[base + i] >> 10) + (1 << 24) & (1 << 26) - 1) - (1 << 24)
            less -= history / GRAVITY * run.history_reductions
        if less >= 1:
            run.inexact += 1
            return int(min(less, depth - 2.0))
    return 0
