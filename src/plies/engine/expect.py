"""Expectiminimax as a kernel: alpha-beta where there are no dice, Ballard's Star1 and Star2 where they fall.

With b actions, n outcomes and m plies of each, plain expectiminimax visits b^m n^m positions. Star1 ends a
chance node once its remaining outcomes, were they all as good or as bad as can be, no longer matter. Star2
first tries one action after each outcome: that bounds the outcome's value on one side, and is often enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.engine.table import EXACT, LOWER, UPPER
from plies.game import CHANCE

HOPE = np.dtype(
    [
        # What is counted.
        ("nodes", np.int64),
        ("horizon", np.int64),  # values that rest on an estimate
        ("hits", np.int64),
        ("cuts", np.int64),
        ("first_cuts", np.int64),
        ("star1_cuts", np.int64),
        ("star2_cuts", np.int64),
        # What is obeyed.
        ("stop", np.int64),
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),
        ("top", np.int64),  # of the stack
        ("full", np.int64),  # set when it is
        # Between these lies every value there is.
        ("low", np.float64),
        ("high", np.float64),
        # Refinements: 1 for on.
        ("table", np.int64),
        ("plausible", np.int64),
        ("priority", np.int64),
        ("child_order", np.int64),
        ("star1", np.int64),
        ("star2", np.int64),
    ]
)
"""What the kernel counts and obeys."""

SOLVED = 1 << 20
"""The depth of a value that rests on terminal states alone."""


@kernel
def expect(game, state, alpha, beta, depth, ply, run, work):
    """The value of a state to the first player: exact between alpha and beta, a bound outside."""
    run.nodes += 1
    if run.nodes >= run.limit:
        run.stop = 1
        return 0.0
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    if depth <= 0 or ply >= run.last_ply:
        run.horizon += 1
        return min(max(float(game.evaluate(state, 0)), run.low), run.high)

    # The table may know the value, and if not, where to begin.
    key = place = 0
    remembered = -1
    if run.table:
        key = game.key(state)
        place = key & (len(work.keys) - 1)
        if work.keys[place] == key and work.depths[place] > 0:
            remembered = work.bests[place]
            value, bound = work.values[place], work.bounds[place]
            known = work.depths[place] == depth or work.depths[place] == SOLVED
            enough = (bound & LOWER and value >= beta) or (bound & UPPER and value <= alpha)
            if known and (bound == EXACT or enough):
                run.hits += 1
                if work.depths[place] != SOLVED:
                    run.horizon += 1
                return value
    horizon = run.horizon
    base = run.top
    best_index = -1
    mover = game.to_move(state)
    count = gather(game, state, mover, remembered, base, depth, run, work)
    if run.full:
        return 0.0
    run.top = base + count

    if mover == CHANCE:
        # What each outcome is worth at least and at most, as far as one action after it tells.
        settled = False
        value = 0.0
        low, high = bounded(base, count, work)
        if run.star2 and depth > 1:
            for i in range(count):
                child = game.result(state, work.actions[base + i])
                if not game.is_terminal(child) and game.to_move(child) != CHANCE:
                    probe = first_action(game, child, depth - 1, run, work)
                    reply = game.result(child, probe)
                    chance = work.order[base + i]
                    if game.to_move(child) == 0:
                        least = (beta - low) / chance + work.least[base + i]
                        bottom, top = run.low, min(max(least, run.low), run.high)
                        found = expect(game, reply, bottom, top, depth - 2, ply + 2, run, work)
                        low += chance * (max(found, work.least[base + i]) - work.least[base + i])
                        work.least[base + i] = max(found, work.least[base + i])
                    else:
                        most = (alpha - high) / chance + work.most[base + i]
                        bottom, top = max(min(most, run.high), run.low), run.high
                        found = expect(game, reply, bottom, top, depth - 2, ply + 2, run, work)
                        high += chance * (min(found, work.most[base + i]) - work.most[base + i])
                        work.most[base + i] = min(found, work.most[base + i])
                    if run.stop:
                        run.top = base
                        return 0.0
                    if low >= beta or high <= alpha:
                        run.star2_cuts += 1
                        settled = True
                        value = max(low, beta) if low >= beta else min(high, alpha)
                        break
        if not settled:
            for i in range(count):
                chance = work.order[base + i]
                # The outcome's own window: beyond it, this node is outside its window whatever else comes.
                below, above = work.least[base + i], work.most[base + i]
                if run.star1:
                    below = max(below, (alpha - high) / chance + work.most[base + i])
                    above = min(above, (beta - low) / chance + work.least[base + i])
                if below >= above:  # by rounding
                    below, above = work.least[base + i], work.most[base + i]
                child = game.result(state, work.actions[base + i])
                found = expect(game, child, below, above, depth - 1, ply + 1, run, work)
                if run.stop:
                    run.top = base
                    return 0.0
                low += chance * (found - work.least[base + i])
                high += chance * (found - work.most[base + i])
                value += chance * found
                if found <= below and below > work.least[base + i]:
                    value = min(high, alpha)
                    run.star1_cuts += 1
                    break
                if found >= above and above < work.most[base + i]:
                    value = max(low, beta)
                    run.star1_cuts += 1
                    break
    elif mover == 0:
        value = -np.inf
        lower = alpha
        for i in range(count):
            child = game.result(state, work.actions[base + i])
            found = expect(game, child, lower, beta, depth - 1, ply + 1, run, work)
            if run.stop:
                run.top = base
                return 0.0
            if found > value:
                value = found
                best_index = work.indices[base + i]
                lower = max(lower, found)
                if value >= beta:
                    run.cuts += 1
                    run.first_cuts += i == 0
                    break
    else:
        value = np.inf
        upper = beta
        for i in range(count):
            child = game.result(state, work.actions[base + i])
            found = expect(game, child, alpha, upper, depth - 1, ply + 1, run, work)
            if run.stop:
                run.top = base
                return 0.0
            if found < value:
                value = found
                best_index = work.indices[base + i]
                upper = min(upper, found)
                if value <= alpha:
                    run.cuts += 1
                    run.first_cuts += i == 0
                    break
    run.top = base

    if run.table:
        work.keys[place] = key
        work.values[place] = value
        work.bests[place] = best_index
        work.depths[place] = SOLVED if run.horizon == horizon else depth
        work.bounds[place] = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    return value


def gather(
    game: Any, state: Any, mover: int, remembered: int, base: int, depth: int, run: Any, work: Any
) -> int:
    """Put the actions on the stack, the most promising first, or the outcomes, the likeliest first."""
    count = 0
    space = len(work.actions)
    if mover == CHANCE:
        for outcome, probability in game.chance(state):
            if base + count < space and probability > 0:
                insert(base, count, outcome, probability, count, work)
                work.least[base + count] = run.low
                work.most[base + count] = run.high
            count += probability > 0
    elif run.plausible:
        for action in game.plausible(state):
            if base + count < space:
                order = promise(game, state, action, mover, depth, run)
                insert(base, count, action, order if count != remembered else np.inf, count, work)
            count += 1
    else:
        for action in game.actions(state):
            if base + count < space:
                order = promise(game, state, action, mover, depth, run)
                insert(base, count, action, order if count != remembered else np.inf, count, work)
            count += 1
    if base + count >= space:
        run.full = 1
        run.stop = 1
    return count


def promise(game: Any, state: Any, action: Any, mover: int, depth: int, run: Any) -> float:
    """How early to try an action; just above the depth bound any order will do."""
    order = 0.0
    if run.priority:
        order = float(game.priority(state, action))
    if run.child_order and depth > 1:
        child = game.result(state, action)
        if game.is_terminal(child):
            order += game.utility(child, mover) * 1e3
        else:
            order += game.evaluate(child, mover) * 1e3
    return order


def insert(base: int, count: int, action: Any, order: float, index: int, work: Any) -> None:
    """Put an action in its place among those on the stack; of equals, the first comes first."""
    i = base + count
    while i > base and work.order[i - 1] < order:
        work.actions[i] = work.actions[i - 1]
        work.order[i] = work.order[i - 1]
        work.indices[i] = work.indices[i - 1]
        i -= 1
    work.actions[i] = action
    work.order[i] = order
    work.indices[i] = index


def bounded(base: int, count: int, work: Any) -> tuple[float, float]:
    """What a chance node is worth at least and at most, by what is known of its outcomes."""
    low = high = 0.0
    for i in range(base, base + count):
        low += work.order[i] * work.least[i]
        high += work.order[i] * work.most[i]
    return low, high


def first_action(game: Any, state: Any, depth: int, run: Any, work: Any) -> Any:
    """The action to try for a bound: the best that the table remembers, or the most promising."""
    remembered = -1
    if run.table:
        key = game.key(state)
        place = key & (len(work.keys) - 1)
        if work.keys[place] == key and work.depths[place] > 0:
            remembered = work.bests[place]
    mover = game.to_move(state)
    chosen = work.actions[0]
    best = -np.inf
    count = 0
    for action in game.plausible(state):
        order = np.inf if count == remembered else promise(game, state, action, mover, depth, run)
        if count == 0 or order > best:
            chosen = action
            best = order
        count += 1  # noqa: SIM113  (compiled, this is the quicker way)
    return chosen
