"""The engine's kernel: alpha-beta with the refinements of the lectures, each of which can be switched off."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine import table
from plies.engine.faults import ACTIONS, MOVER
from plies.engine.options import option_fields
from plies.engine.score import MOST_STEPS, STEP, estimated, final, from_table, is_final, to_table
from plies.rules import noinline
from plies.validation import MOST_ACTIONS

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

HISTORY = 1 << 12
"""Actions are told apart in the history table by the lowest bits of their move indices."""

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
    run.ply = ply
    if run.nodes >= run.limit:
        run.stop = 1
        return 0

    # 1. The game may be over. A clock that ends it does so at this clock alone.
    if game.is_terminal(state):
        if game.has("plies_left") and game.plies_left(state) <= 0:
            run.paths += 1
            run.expired += 1
        return final(game.utility(state, 0), viewer, ply, run, work)

    # 2. From here on, scores are those of the player to move.
    mover = game.to_move(state)
    if mover != 0 and mover != 1:
        run.fault = MOVER
        run.stop = 1
        return 0
    sign = 1
    if mover != viewer:
        sign = -1
        alpha, beta = -beta, -alpha

    # 3. Nothing better than the best terminal value at the next ply can come, nothing worse than the worst;
    # where a repetition may be as good or as bad, at this one.
    soonest = (ply + 1 - run.abrupt) * run.prefer_quick
    ceiling = from_table(run.best, soonest)
    if ceiling <= alpha:
        return sign * ceiling
    floor = from_table(run.worst, soonest)
    if floor >= beta:
        return sign * floor

    # 4. At the depth bound, an estimate; but a position that is not quiet is looked at a ply further.
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

    # 5. A position that was on the path before ends the game, though only on this path.
    if game.cycles:
        here = position(game, state, mover)
        if not game.superko:
            for i in range(run.previous + (0 if run.free else ply)):
                if work.path[i] == here:
                    return sign * recurred(game, state, mover, i, ply, run, work)
        work.path[run.previous + ply] = here
        if game.has("repetition_key"):  # what is proved of a state holds on the path to it alone
            work.salts[run.previous + ply + 1] = bits.add(int(work.salts[run.previous + ply]), bits.mix(here))

    # 6. The table may know the score, and if not, where to begin.
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

    # 7. Who is so far ahead that even doing nothing is too good, is it with an action all the more.
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

    # 8. The actions, each with the order to try it in.
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

    # 9. A reply that the table knows to be too good settles it without a search.
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

    # 10. One after the other, until one is too good to be let through.
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

    # 11. Where actions were not looked at, it is no proof of the worst that all others lead there.
    if run.beam and i >= run.beam:
        best = max(best, from_table(run.worst + STEP, ply * run.prefer_quick))
    elif best == -(1 << 60):  # superko forbids them all
        best = barred

    # 12. Remember: as a proof only what holds on every path and at any clock (docs/what-proved-means.md).
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


@kernel
def quiesce(game, state, mover, alpha, beta, quiet, ply, run, work):
    """The score of a state to the player to move, who goes on with a noisy action or, if quiet, may stop."""
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
        # Threats may be made in any order, so that the same positions come up again and again.
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
    if best == -(1 << 60):  # it was not quiet, and yet there was nothing to do
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


# -- Positions that come up again.


def position(game: Any, state: Any, mover: int) -> int:
    """What a repetition goes by: the game's key for it and, unless for superko, the player to move."""
    key: int = game.repetition_key(state)
    if not game.superko:
        key ^= mover
    return key


@noinline
def recurred(game: Any, state: Any, mover: int, place: int, ply: int, run: Any, work: Any) -> int:
    """The score, to the player to move, of a state that stands on the path already, at that place."""
    score = final(game.repetition_value(state, 0), mover, ply, run, work)
    if run.lenient:  # the game may go on: an estimate
        run.inexact += 1
        run.paths += place >= run.previous
        return int(min(max(score, run.worst + STEP), run.best - STEP))
    if place >= run.previous:  # what the game itself has been through is the same on every path
        run.paths += 1
        if is_final(score, run):
            if (score > 0) == (mover == 0):
                run.first_wins += 1
            else:
                run.second_wins += 1
    return score


@noinline
def doubted(game: Any, state: Any, mover: int, score: int, ply: int, run: Any, work: Any) -> int:
    """The score of a quiescence search that found an end, where positions come up again.

    It does not look at the path. So it is an estimate if the state stands there, if superko may forbid to go
    on, or if the line may be longer than one action: by threats, or since a player moves twice.
    """
    here = position(game, state, mover)
    known = game.forcing or game.superko or abs(score) != run.best - ply - 1
    for i in range(run.previous + ply):
        known = known or work.path[i] == here
    return int(min(max(score, run.worst + STEP), run.best - STEP)) if known else score


@noinline
def is_barred(game: Any, state: Any, ply: int, run: Any, work: Any) -> bool:
    """Whether superko forbids to go on from the position at a ply of the path to a state."""
    there = position(game, state, 0)  # whoever moves, if anybody does
    for i in range(run.previous + ply):
        if work.path[i] == there and there != work.path[run.previous + ply]:
            return True
    return False


# -- What the table knows, and when that is a proof.


def table_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """The key of a state, or where symmetries count, the least key of its images."""
    key: int = game.key(state)
    if game.has("symmetries") and ply <= run.symmetry:
        key = least_key(game, state, key)
    return key


def own_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """The key of a state in this kernel's table, where what a free search knows is another thing."""
    key = table_key(game, state, ply, run)
    return bits.mix(key) if run.free else key


@noinline
def least_key(game: Any, state: Any, key: int) -> int:
    """The least key of a state's images, if it is less than that key."""
    for image in game.symmetries(state):
        key = min(key, game.key(image))
    return key


@noinline
def verification_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """A second key that shares nothing with the first; if symmetries count, one for all images."""
    key: int = bits.check64(game.identity(state))
    if game.has("symmetries") and ply <= run.symmetry:
        key = 0
        for image in game.symmetries(state):
            key = bits.add(key, bits.check64(game.identity(image)))
        key = bits.mix(key)
    return key


def proves(data: int, run: Any) -> bool:
    """Whether an entry is, or could be taken for, a proof: the verification key is compared."""
    return table.depth_of(data) >= table.SOLVED or is_final(table.score_of(data), run)


def lookup(game: Any, state: Any, key: int, ply: int, run: Any, work: Any) -> int:
    """The data word that the table has for a state, or NOTHING."""
    if game.cycles and game.has("repetition_key"):
        return lookup_salted(game, state, key, ply, run, work)
    place = table.bucket(work.table, key)
    for _ in range(2):
        data = int(work.table[place + 1])
        check = int(work.table[place]) ^ data
        if not game.exact_key and proves(data, run):
            if (check ^ key) & table.PREFIX == 0 and check == table.combined(
                key, verification_key(game, state, ply, run)
            ):
                return data
        elif check == key:
            return data
        place += 2
    return table.NOTHING


@noinline
def lookup_salted(game: Any, state: Any, key: int, ply: int, run: Any, work: Any) -> int:
    """What the table has proved of a state on this path, or else what it reckons of it on any."""
    salt = int(work.salts[run.previous + ply])
    check = bits.add(verification_key(game, state, ply, run), salt)
    data = table.probe(work.table, bits.add(key, salt), table.combined(bits.add(key, salt), check))
    if data != table.NOTHING and proves(data, run):
        return data
    data = table.probe(work.table, key, key)
    return table.NOTHING if proves(data, run) else data


def store(game: Any, state: Any, key: int, data: int, ply: int, run: Any, work: Any) -> None:
    """Keep a data word for a state in the table."""
    check = key
    if game.cycles and game.has("repetition_key"):
        if proves(data, run):
            salt = int(work.salts[run.previous + ply])
            key = bits.add(key, salt)
            check = table.combined(key, bits.add(verification_key(game, state, ply, run), salt))
    elif not game.exact_key and proves(data, run):
        check = table.combined(key, verification_key(game, state, ply, run))
    table.store(work.table, key, check, data)


def holds(game: Any, state: Any, data: int, run: Any) -> bool:
    """Whether a score in the table that proves something does so here: with this past, at this clock."""
    score = table.score_of(data)
    if not is_final(score, run):
        return True
    if game.cycles and table.age_of(data) != run.age:
        return False
    if game.has("plies_left"):
        return bool(run.best - abs(score) <= game.plies_left(state))
    return True


def credit(game: Any, data: int, run: Any) -> None:
    """Count that an entry ended a search, and what may be said of a score that rests on it."""
    run.hits += 1
    score = table.score_of(data)
    here = lasting = True
    if game.cycles:
        here = table.age_of(data) == run.age  # it is of a search with the same past
    if game.has("plies_left"):
        # At another clock a draw is still one, whether the clock ends the game or something else does.
        lasting = score == 0 or is_final(score, run)
    if table.depth_of(data) < table.SOLVED or not here or not lasting:
        run.inexact += 1
        if not here or table.is_elsewhere(data):
            run.borrowed += 1


def generate(game: Any, state: Any, base: int, run: Any, work: Any) -> int:
    """Put the actions on the stack, and tell how many there are."""
    count = 0
    space = len(work.actions)
    if game.has("candidates") and run.candidates:
        for action in game.candidates(state):
            if base + count < space:
                work.actions[base + count] = action
            count += 1
            if count == run.enough or count > MOST_ACTIONS:
                break
    else:
        for action in game.actions(state):
            if base + count < space:
                work.actions[base + count] = action
            count += 1
            if count > MOST_ACTIONS:
                break
    if count == 0 or count > MOST_ACTIONS:
        run.fault = ACTIONS
        run.stop = 1
    elif base + count >= space:
        run.full = 1
        run.stop = 1
    return count


def score_move(game: Any, state: Any, mover: int, action: Any, ply: int, run: Any, work: Any) -> int:
    """How early to try an action: by the game's own priority, then by what worked elsewhere."""
    order = 0
    if game.has("priority") and run.priority:
        urgency = game.priority(state, action) * 256
        order = int(max(min(urgency, MOST_URGENT), -MOST_URGENT)) << 28 if urgency == urgency else 0
    if run.child_order:
        order += promising(game, game.result(state, action), mover, run) << 10
    if run.killers and (action == work.killers[2 * ply] or action == work.killers[2 * ply + 1]):
        order += 1 << 27
    if run.history:
        order += work.history[mover * HISTORY + (game.move_index(state, action) & (HISTORY - 1))]
    return order


def promising(game: Any, state: Any, player: int, run: Any) -> int:
    """EVAL of a state to a player in steps, as far as these go, for ordering alone."""
    value = game.evaluate(state, player) - run.even
    if value != value:  # nan
        value = 0.0
    return int(max(min(value * run.scale, float(MOST_STEPS)), -float(MOST_STEPS)))


def pick_next(place: int, end: int, work: Any) -> None:
    """Exchange what stands at a place of the stack with the most promising action from there on."""
    pick = place
    for j in range(place + 1, end):
        if work.order[j] > work.order[pick]:
            pick = j
    if pick != place:
        action, order = work.actions[pick], work.order[pick]
        work.actions[pick], work.order[pick] = work.actions[place], work.order[place]
        work.actions[place], work.order[place] = action, order


def update_history(
    game: Any, state: Any, mover: int, base: int, i: int, ply: int, run: Any, work: Any
) -> None:
    """Credit the action that brought a cut-off, at the expense of those tried before it."""
    action = work.actions[base + i]
    if run.killers and action != work.killers[2 * ply]:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = action
    if run.history:
        for j in range(i):
            place = mover * HISTORY + (game.move_index(state, work.actions[base + j]) & (HISTORY - 1))
            work.history[place] = max(work.history[place] - 1, -(1 << 24))
        place = mover * HISTORY + (game.move_index(state, action) & (HISTORY - 1))
        work.history[place] = min(work.history[place] + i, 1 << 24)


def logarithm(x: int) -> int:
    """The power of two next below x."""
    power = 0
    while x > 1:
        x >>= 1
        power += 1
    return power
