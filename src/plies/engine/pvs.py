"""The engine's kernel: alpha-beta with the refinements of the lectures, each of which can be switched off."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine import table
from plies.engine.score import STEP, estimated, final, later, sooner
from plies.game import apart

RUN = np.dtype(
    [
        # What is counted.
        ("nodes", np.int64),
        ("horizon", np.int64),  # values that rest on an estimate, a reduction or a repetition
        ("hits", np.int64),  # table entries that ended a search
        ("cuts", np.int64),  # nodes where a cut-off came …
        ("first_cuts", np.int64),  # … with the first action tried
        # What is obeyed.
        ("stop", np.int64),
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),  # as far as the stack reaches
        ("reach", np.int64),  # up to which ply positions that are not quiet are looked at a ply further
        ("calm", np.int64),  # from which ply on a quiescence search makes no threats, if the game is forcing
        ("past", np.int64),  # how many positions of the game so far stand at the beginning of the path
        ("age", np.int64),
        ("second", np.int64),  # 1: a second key tells positions apart in the table
        ("threads", np.int64),  # that search together
        # The stack of actions.
        ("top", np.int64),
        ("full", np.int64),  # set when it is
        # How values become scores.
        ("scale", np.float64),
        ("best", np.int64),
        ("worst", np.int64),
        ("tempo", np.int64),  # 1: the quicker win counts for more; 0: all wins are alike
        # Refinements: 1 for on.
        ("table", np.int64),
        ("table_cuts", np.int64),
        ("null_window", np.int64),
        ("plausible", np.int64),
        ("priority", np.int64),
        ("child_order", np.int64),
        ("killers", np.int64),
        ("history", np.int64),
        ("symmetry", np.int64),  # up to which ply images of a position are taken for one
        ("quiescence", np.int64),
        ("null_move", np.int64),
        ("reductions", np.int64),
        ("beam", np.int64),  # how many actions are looked at; 0: all
        ("enough", np.int64),  # how many plausible actions are taken down; 0: all
        ("bias", np.float64),  # added to evaluations at an odd distance from the root
    ]
)
"""What the kernel counts and obeys. A record travels down the recursion as one pointer."""

HISTORY = 1 << 12
"""Actions are told apart in the history table by the lowest bits of their codes."""

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

MOST_URGENT = (1 << 22) - 1
"""The greatest priority told apart, in 256ths: what comes first in the table still comes before it."""


@kernel
def pvs(game, state, viewer, alpha, beta, depth, ply, run, work):
    """The score of a state to a viewer: exact between alpha and beta, a bound outside."""
    run.nodes += 1
    if run.nodes >= run.limit:
        run.stop = 1
        return 0

    # 1. The game may be over.
    if game.is_terminal(state):
        return final(game.utility(state, viewer), ply, run)

    # 2. From here on, scores are those of the player to move.
    mover = game.to_move(state)
    sign = 1
    if mover != viewer:
        sign = -1
        alpha, beta = -beta, -alpha

    # 3. Nothing better than the best terminal value at the next ply can come, nothing worse than the worst.
    ceiling = later(run.best, (ply + 1) * run.tempo)
    if ceiling <= alpha:
        return sign * ceiling
    floor = later(run.worst, (ply + 1) * run.tempo)
    if floor >= beta:
        return sign * floor

    # 4. At the depth bound, an estimate; but a position that is not quiet is looked at a ply further.
    quiet = run.quiescence == 0 or game.quiet(state)
    if not quiet and ply <= run.reach:
        depth += 1
    if depth <= 0 or ply >= run.last_ply:
        run.horizon += 1
        if run.quiescence:
            return sign * quiesce(game, state, mover, alpha, beta, quiet, ply, run, work)
        value = game.evaluate(state, mover)
        if ply & 1:
            value += run.bias * sign
        return sign * estimated(value, ply, run)

    # 5. A position that was on the path before ends the game, though only on this path.
    if game.cycles:
        here = game.key(state)
        for i in range(run.past + ply):
            if work.path[i] == here:
                run.horizon += 1
                return sign * final(game.repeated(state, mover), ply, run)
        work.path[run.past + ply] = here

    # 6. The table may know the score, and if not, where to begin.
    key = check = 0
    remembered = -1
    if run.table:
        key = check = identity(game, state, ply, run)
        if run.second:
            check = second_key(game, state, ply, run)
        data = table.find(work.table, key, check)
        if data != table.NOTHING:
            remembered = table.best_of(data)
            score = later(table.score_of(data), ply * run.tempo)
            bound = table.bound_of(data)
            enough = (bound & table.LOWER and score >= beta) or (bound & table.UPPER and score <= alpha)
            if table.depth_of(data) >= min(depth, table.SOLVED) and (enough or bound == table.EXACT):
                run.hits += 1
                if table.depth_of(data) < table.SOLVED:
                    run.horizon += 1
                return sign * score
    horizon = run.horizon
    nodes = run.nodes

    # 7. Who is so far ahead that even doing nothing is too good, is it with an action all the more.
    if run.null_move and quiet and depth > 2 and alpha + 1 == beta and beta <= run.best - STEP:
        other = game.skipped(state)
        if game.to_move(other) != mover and estimated(game.evaluate(state, mover), ply, run) >= beta:
            run.horizon += 1
            score = pvs(game, other, mover, alpha, beta, depth - 3 - (depth > 6), ply + 1, run, work)
            if run.stop:
                return sign * alpha
            if score >= beta:
                return sign * beta

    # 8. The actions, each with the order to try it in.
    base = run.top
    count = gather(game, state, base, run, work)
    if run.full:
        return sign * alpha
    run.top = base + count
    looking_ahead = run.table and run.table_cuts and depth > 1
    if looking_ahead:
        for i in range(count):
            work.keys[base + i] = identity(game, game.result(state, work.actions[base + i]), ply + 1, run)
            table.expect(work.table, work.keys[base + i])
    if count > 1:
        for i in range(count):
            order = FIRST
            if i != remembered:
                order = promise(game, state, mover, work.actions[base + i], ply, run, work)
            work.order[base + i] = order * 1024 + (1023 - min(i, 1023))  # of equals, the first comes first

    # 9. A reply that the table knows to be too good settles it without a search.
    if looking_ahead:
        for i in range(count):
            child = game.result(state, work.actions[base + i])
            if not game.is_terminal(child):
                others = work.keys[base + i]
                if run.second:
                    others = second_key(game, child, ply + 1, run)
                data = table.find(work.table, work.keys[base + i], others)
                if data != table.NOTHING and table.depth_of(data) >= min(depth - 1, table.SOLVED):
                    score = later(table.score_of(data), (ply + 1) * run.tempo)
                    wanted = table.LOWER
                    if game.to_move(child) != mover:
                        score = -score
                        wanted = table.UPPER
                    if table.bound_of(data) & wanted and score >= beta:
                        run.hits += 1
                        if table.depth_of(data) < table.SOLVED:
                            run.horizon += 1
                        run.top = base
                        return sign * score

    # 10. One after the other, until one is too good to be let through.
    best = -(1 << 60)
    best_index = -1
    lower = alpha
    i = -1
    while i + 1 < count:
        i += 1
        if run.beam and i >= run.beam:
            run.horizon += 1  # what is not looked at might be better
            break
        bring_forward(base + i, base + count, work)
        action = work.actions[base + i]
        child = game.result(state, action)
        task = 0
        if run.threads > 1 and depth >= SHARED_DEPTH:
            task = bits.mix(identity(game, child, ply + 1, run) ^ depth) | 1
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
            if run.reductions and late and (run.quiescence == 0 or game.quiet(child)):
                less = 1 + (i > 7) + (i > 15 and depth > 5)
                run.horizon += 1
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
                learn(game, state, mover, base, i, ply, run, work)
                break
    run.top = base

    # 11. Where actions were not looked at, it is no proof of the worst that all others lead there.
    if run.beam and i >= run.beam:
        best = max(best, later(run.worst + STEP, ply * run.tempo))

    # 12. Remember.
    if run.table:
        bound = table.EXACT
        if best >= beta:
            bound = table.LOWER
        elif best <= alpha:
            bound = table.UPPER
        if best_index > table.MOST_ACTIONS:
            best_index = -1
        kept = min(depth, table.SOLVED - 1)
        if run.horizon == horizon:
            kept = table.SOLVED + logarithm(run.nodes - nodes)
        data = table.pack(sooner(best, ply * run.tempo), best_index, kept, bound, run.age)
        table.keep(work.table, key, check, data)
    return sign * best


@kernel
def quiesce(game, state, mover, alpha, beta, quiet, ply, run, work):
    """The score of a state to the player to move, who goes on with a noisy action or, if quiet, may stop."""
    best = -(1 << 60)
    key = check = 0
    remembering = game.forcing and quiet and run.table
    if quiet or not game.forcing or ply >= run.last_ply:
        best = estimated(game.evaluate(state, mover), ply, run)
        if best >= beta or ply >= run.last_ply or (game.forcing and ply >= run.calm):
            return best
    lower = max(alpha, best)
    for action in game.noisy(state):
        # Threats may be made in any order, so that the same positions come up again and again.
        if remembering and key == 0:
            key = check = bits.mix(identity(game, state, ply, run)) | 1
            if run.second:
                check = second_key(game, state, ply, run)
            data = table.find(work.table, key, check)
            if data != table.NOTHING and table.depth_of(data) >= min(run.calm - ply, table.SOLVED - 1):
                score = later(table.score_of(data), ply * run.tempo)
                bound = table.bound_of(data)
                if bound == table.EXACT or (score >= beta if bound == table.LOWER else score <= alpha):
                    run.hits += 1
                    return score
        child = game.result(state, action)
        run.nodes += 1
        if run.nodes >= run.limit:
            run.stop = 1
        if run.stop:
            return best
        quiet = not game.forcing or game.is_terminal(child) or game.quiet(child)
        if game.is_terminal(child):
            score = final(game.utility(child, mover), ply + 1, run)
        elif game.to_move(child) == mover:
            score = quiesce(game, child, mover, lower, beta, quiet, ply + 1, run, work)
        else:
            score = -quiesce(game, child, game.to_move(child), -beta, -lower, quiet, ply + 1, run, work)
        best = max(best, score)
        if best >= beta:
            break
        lower = max(lower, best)
    if key != 0:
        bound = table.EXACT
        if best >= beta:
            bound = table.LOWER
        elif best <= alpha:
            bound = table.UPPER
        kept = min(run.calm - ply, table.SOLVED - 1)
        data = table.pack(sooner(best, ply * run.tempo), -1, kept, bound, run.age)
        table.keep(work.table, key, check, data)
    return best


def identity(game: Any, state: Any, ply: int, run: Any) -> int:
    """The key of a state, or where symmetries count, the least key of its images."""
    key: int = game.key(state)
    if ply <= run.symmetry:
        key = least_key(game, state, key)
    return key


@apart
def least_key(game: Any, state: Any, key: int) -> int:
    """The least key of a state's images, if it is less than that key."""
    for image in game.symmetries(state):
        key = min(key, game.key(image))
    return key


@apart
def second_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """A key unlike the first, for where the first is no proof; if symmetries count, one for all images."""
    if ply > run.symmetry:
        return bits.mix(bits.hash64((state, state)))
    second = 0
    for image in game.symmetries(state):
        second = bits.add(second, bits.mix(bits.hash64((image, image))))
    return second


def gather(game: Any, state: Any, base: int, run: Any, work: Any) -> int:
    """Put the actions on the stack, and tell how many there are."""
    count = 0
    space = len(work.actions)
    if run.plausible:
        for action in game.plausible(state):
            if base + count < space:
                work.actions[base + count] = action
            count += 1
            if count == run.enough:
                break
    else:
        for action in game.actions(state):
            if base + count < space:
                work.actions[base + count] = action
            count += 1
    if base + count >= space:
        run.full = 1
        run.stop = 1
    return count


def promise(game: Any, state: Any, mover: int, action: Any, ply: int, run: Any, work: Any) -> int:
    """How early to try an action: by the game's own priority, then by what worked elsewhere."""
    order = 0
    if run.priority:
        order = max(min(int(game.priority(state, action) * 256), MOST_URGENT), -MOST_URGENT) << 28
    if run.child_order:
        order += int(game.evaluate(game.result(state, action), mover) * run.scale) << 10
    if run.killers and (action == work.killers[2 * ply] or action == work.killers[2 * ply + 1]):
        order += 1 << 27
    if run.history:
        order += work.history[mover * HISTORY + (game.code(state, action) & (HISTORY - 1))]
    return order


def bring_forward(place: int, end: int, work: Any) -> None:
    """Exchange what stands at a place of the stack with the most promising action from there on."""
    pick = place
    for j in range(place + 1, end):
        if work.order[j] > work.order[pick]:
            pick = j
    if pick != place:
        action, order = work.actions[pick], work.order[pick]
        work.actions[pick], work.order[pick] = work.actions[place], work.order[place]
        work.actions[place], work.order[place] = action, order


def learn(game: Any, state: Any, mover: int, base: int, i: int, ply: int, run: Any, work: Any) -> None:
    """Credit the action that brought a cut-off, at the expense of those tried before it."""
    action = work.actions[base + i]
    if run.killers and action != work.killers[2 * ply]:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = action
    if run.history:
        for j in range(i):
            place = mover * HISTORY + (game.code(state, work.actions[base + j]) & (HISTORY - 1))
            work.history[place] = max(work.history[place] - 1, -(1 << 24))
        place = mover * HISTORY + (game.code(state, action) & (HISTORY - 1))
        work.history[place] = min(work.history[place] + i, 1 << 24)


def logarithm(x: int) -> int:
    """The power of two next below x."""
    power = 0
    while x > 1:
        x >>= 1
        power += 1
    return power
