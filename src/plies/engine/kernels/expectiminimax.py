"""Expectiminimax (Michie 1966) as a kernel: alpha-beta at players' nodes, Ballard's Star1 and Star2 at
chance's.

With b actions, n outcomes and m plies of each, plain expectiminimax visits b^m n^m positions. Star1 cuts a
chance node off once its remaining outcomes no longer matter, whatever their values. Star2 first probes one
action after each outcome, which bounds the outcome's value on one side, and is often enough.

The value of a chance node that is not cut off is the sum of its outcomes in the game's own order, so that it
equals the book's to the last bit. Bounds are widened by more than rounding can amount to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.engine.faults import EVALUATION, MOVER, ROUNDING, SUM, UTILITY, fault
from plies.engine.kernels.chance_nodes import (
    SKIP,
    add_outcome,
    add_probe,
    beyond,
    chance_value,
    first_bounds,
    outcome_window,
    probe_window,
    probed,
)
from plies.engine.kernels.chance_ordering import generate, place_of
from plies.engine.kernels.network import static_value
from plies.engine.kernels.repetitions import repeated
from plies.engine.kernels.transpositions import clocked_key
from plies.engine.options import option_fields
from plies.engine.table import EXACT, LOWER, UPPER
from plies.game import CHANCE

RUN = np.dtype(
    [
        # Counters.
        ("nodes", np.int64),  # positions visited
        ("inexact", np.int64),  # values that rest on an estimate or on the path
        ("hits", np.int64),  # table entries that ended a search
        ("cuts", np.int64),  # players' nodes with a cut-off
        ("first_cuts", np.int64),  # of `cuts`: by the first move tried
        ("star1_cuts", np.int64),  # chance nodes cut off by Star1
        ("star2_cuts", np.int64),  # chance nodes cut off by Star2's probes
        # Limits, and the stack.
        ("stop", np.int64),  # 1: return at once
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),  # the deepest ply
        ("top", np.int64),  # the first free place of the stack
        ("full", np.int64),  # 1: the stack overflowed
        # Where the search is, for reporting a broken rule: see faults.py.
        ("fault", np.int64),  # 0: none
        ("ply", np.int64),  # plies from the root
        # Values, all of them to the viewer.
        ("viewer", np.int64),  # the player to move at the root
        ("low", np.float64),  # the least utility
        ("high", np.float64),  # the greatest utility
        ("total", np.float64),  # the sum of both players' utilities
        ("least", np.float64),  # below every value, even with probabilities that sum to a little more than 1
        ("most", np.float64),  # above every value
        ("grain", np.float64),  # more than the rounding error of one addition of values
        # Repetitions.
        ("previous", np.int64),  # positions of the game so far, at the beginning of `path`
        ("superko", np.int64),  # 1: by superko
        # The table.
        ("verify", np.int64),  # 1: a proof needs its entry's verification key, clock, or both to match
        *option_fields("expectiminimax"),  # see `Options`; 1 for on
    ]
)
"""The kernel's counters and settings."""

SOLVED = 1 << 14
"""The depth of a value that rests on terminal states alone: above LAST_PLY, and within 16 bits."""


@kernel
def expectiminimax(game, state, alpha, beta, depth, ply, run, work) -> float:
    """The value of a state to the viewer: exact between alpha and beta, a bound outside."""
    run.nodes += 1
    run.ply = ply
    if run.nodes >= run.limit:
        run.stop = 1
        return 0.0
    if game.cycles:
        run.inexact += repeated(game, state, ply, run, work)
    if game.is_terminal(state):
        return terminal_value(game, state, run)
    if depth <= 0 or ply >= run.last_ply:
        return estimated_value(game, state, run, work)
    key, value, remembered = table_value(game, state, alpha, beta, depth, run, work)
    if value == value:  # not nan
        return value
    inexact = run.inexact
    mover = game.to_move(state)
    if mover != CHANCE and mover != run.viewer and (game.players == 1 or mover != 1 - run.viewer):
        return float(fault(MOVER, run))

    # 1. The actions, the most promising first, or the outcomes, the likeliest first.
    base = run.top
    count = generate(game, state, mover, remembered, base, depth, run, work)
    if run.stop:
        return 0.0
    run.top = base + count

    # 2. Star2: bounds of a chance node by probing one action after each outcome.
    bound = 0
    low = high = 0.0
    if mover == CHANCE:
        low, high = first_bounds(base, count, run, work)
        for i in range(count if run.star2 and depth > 1 else 0):
            side, reply = probed(game, state, base + i, depth, ply, run, work)
            if side != SKIP:
                lower, upper = probe_window(side, alpha - high, beta - low, base + i, run, work)
                found = expectiminimax(game, reply, lower, upper, depth - 2, ply + 2, run, work)
                low, high = add_probe(side, found, low, high, base + i, work)
                bound = beyond(low, high, alpha, beta)
                run.star2_cuts += bound != 0 and run.stop == 0
            if bound or run.stop:
                break

    # 3. The actions or outcomes, each in its window; stop at a cut-off.
    best_index = -1
    lower, upper = alpha, beta
    value = -np.inf if mover == run.viewer else np.inf
    for i in range(count if bound == 0 and run.stop == 0 else 0):
        if mover == CHANCE:
            lower, upper = outcome_window(alpha - high, beta - low, base + i, run, work)
        run.ply = ply
        work.line[ply] = work.actions[base + i]
        child = game.result(state, work.actions[base + i])
        found = expectiminimax(game, child, lower, upper, depth - 1, ply + 1, run, work)
        if run.stop:
            break
        if mover == CHANCE:
            bound, low, high = add_outcome(found, lower, upper, low, high, base, i, run, work)
            if bound:
                break
        elif found > value if mover == run.viewer else found < value:
            value = found
            best_index = work.indices[base + i]
            lower = max(lower, found) if mover == run.viewer else lower
            upper = min(upper, found) if mover != run.viewer else upper
            if value >= beta if mover == run.viewer else value <= alpha:
                run.cuts += 1
                run.first_cuts += i == 0
                break
    run.top = base
    if run.stop:
        return 0.0
    if mover == CHANCE:
        value = chance_value(bound, min(high, alpha), max(low, beta), base, count, work)
    if run.table:
        record_value(
            game, state, key, alpha, beta, depth, value, bound, mover, best_index, inexact, run, work
        )
    return value


def terminal_value(game: Any, state: Any, run: Any) -> float:
    """The utility of a terminal state to the viewer."""
    value = float(game.utility(state, run.viewer))
    if not run.low <= value <= run.high:
        return float(fault(UTILITY, run))
    if game.players == 2:
        other = float(game.utility(state, 1 - run.viewer))
        if not abs(value + other - run.total) <= ROUNDING * (abs(value) + abs(other)):
            return float(fault(SUM, run))
    return value


def estimated_value(game: Any, state: Any, run: Any, work: Any) -> float:
    """The static evaluation of a state to the viewer."""
    run.inexact += 1
    value = float(static_value(game, state, run.viewer, run.ply, work))
    if not run.low <= value <= run.high:
        return float(fault(EVALUATION, run))
    return value


# -- The table.


def table_value(
    game: Any, state: Any, alpha: float, beta: float, depth: int, run: Any, work: Any
) -> tuple[int, float, int]:
    """The key of a state; its stored value if it cuts off, or nan; the index of the hash move, or -1."""
    if run.table == 0:
        return 0, np.nan, -1
    key: int = game.key(state)
    place = place_of(key, run, work)
    if work.keys[place] != key or work.depths[place] <= 0:
        return key, np.nan, -1
    remembered = int(work.bests[place])
    value, bound = float(work.values[place]), work.bounds[place]
    enough = (bound & LOWER and value >= beta) or (bound & UPPER and value <= alpha)
    if bound == EXACT or enough:
        if work.depths[place] == depth:
            run.hits += 1
            run.inexact += 1
            return key, value, remembered
        # In games with cycles a value may depend on the path: it is searched again.
        proof = work.depths[place] == SOLVED and not game.cycles
        if proof and (run.verify == 0 or work.checks[place] == clocked_key(game, state)):
            run.hits += 1
            return key, value, remembered
    return key, np.nan, remembered


def record_value(
    game: Any,
    state: Any,
    key: int,
    alpha: float,
    beta: float,
    depth: int,
    value: float,
    bound: int,
    mover: int,
    best_index: int,
    inexact: int,
    run: Any,
    work: Any,
) -> None:
    """Store a value: as a proof if nothing inexact was counted since."""
    if mover != CHANCE:  # what the mover cuts off comes first: a window may be a single value
        fails_high, fails_low = LOWER * (value >= beta), UPPER * (value <= alpha)
        bound = (fails_high or fails_low) if mover == run.viewer else (fails_low or fails_high)
    place = place_of(key, run, work)
    work.keys[place] = key
    work.values[place] = value
    work.bests[place] = best_index
    work.depths[place] = depth
    work.bounds[place] = bound if bound else EXACT
    if run.inexact == inexact:
        work.depths[place] = SOLVED
        if run.verify:
            work.checks[place] = clocked_key(game, state)
