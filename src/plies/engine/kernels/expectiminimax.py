"""Expectiminimax as a kernel: alpha-beta where there are no dice, Ballard's Star1 and Star2 where they fall.

With b actions, n outcomes and m plies of each, plain expectiminimax visits b^m n^m positions. Star1 ends a
chance node once its remaining outcomes, were they all as good or as bad as can be, no longer matter. Star2
first tries one action after each outcome: that bounds the outcome's value on one side, and is often enough.

A chance node that is not cut off is worth the sum of its outcomes in the order in which the game gives them,
so that a value is the book's to the last bit. Bounds are kept wider than rounding could make them wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine.faults import ACTIONS, CHANCES, EVALUATION, MOVER, ROUNDING, SUM, UTILITY
from plies.engine.options import option_fields
from plies.engine.table import EXACT, LOWER, UPPER
from plies.game import CHANCE
from plies.rules import noinline
from plies.validation import MOST_ACTIONS

HOPE = np.dtype(
    [
        # What is counted.
        ("nodes", np.int64),
        ("inexact", np.int64),  # values that rest on an estimate, or on how the game came to a position
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
        # What is told of a rule that is at fault: see `faults`.
        ("fault", np.int64),
        ("ply", np.int64),
        # Whose values these are, and between what they lie.
        ("viewer", np.int64),  # the player to move at the root
        ("low", np.float64),  # the least utility
        ("high", np.float64),  # the greatest
        ("total", np.float64),  # what the utilities of two players sum to
        ("least", np.float64),  # below every value, probabilities that sum to a little more than 1 included
        ("most", np.float64),  # above every value
        ("grain", np.float64),  # more than one addition of values can be off by
        # Positions that come up again.
        ("previous", np.int64),  # how many positions of the game so far stand at the beginning of the path
        ("superko", np.int64),
        # What an entry of the table must show besides its key to count as a proof.
        ("verify", np.int64),  # 1: the verification key, or the clock, or both …
        *option_fields("expectiminimax"),  # see `Options`; 1 for on
    ]
)
"""What the kernel counts and obeys."""

SOLVED = 1 << 14
"""The depth of a value that rests on terminal states alone: more than there ever are plies."""


@kernel
def expectiminimax(game, state, alpha, beta, depth, ply, run, work):
    """The value of a state to the viewer: exact between alpha and beta, a bound outside."""
    run.nodes += 1
    run.ply = ply
    if run.nodes >= run.limit:
        run.stop = 1
        return 0.0
    if game.cycles:
        run.inexact += recurred(game, state, ply, run, work)
    if game.is_terminal(state):
        value = float(game.utility(state, run.viewer))
        if not run.low <= value <= run.high:
            return fault(UTILITY, run)
        if game.players == 2:
            other = float(game.utility(state, 1 - run.viewer))
            if not abs(value + other - run.total) <= ROUNDING * (abs(value) + abs(other)):
                return fault(SUM, run)
        return value
    if depth <= 0 or ply >= run.last_ply:
        run.inexact += 1
        value = float(game.evaluate(state, run.viewer))
        if not run.low <= value <= run.high:
            return fault(EVALUATION, run)
        return value

    # The table may know the value, and if not, where to begin.
    key = place = 0
    remembered = -1
    if run.table:
        key = game.key(state)
        place = place_of(key, run, work)
        if work.keys[place] == key and work.depths[place] > 0:
            remembered = work.bests[place]
            value, bound = work.values[place], work.bounds[place]
            enough = (bound & LOWER and value >= beta) or (bound & UPPER and value <= alpha)
            if bound == EXACT or enough:
                if work.depths[place] == depth:
                    run.hits += 1
                    run.inexact += 1
                    return value
                # In games with cycles a value may rest on how the game came here: it is found out anew.
                proof = work.depths[place] == SOLVED and not game.cycles
                if proof and (run.verify == 0 or work.checks[place] == verification_key(game, state, run)):
                    run.hits += 1
                    return value
    inexact = run.inexact
    base = run.top
    best_index = -1
    bound = 0
    mover = game.to_move(state)
    if mover != CHANCE and mover != run.viewer and (game.players == 1 or mover != 1 - run.viewer):
        return fault(MOVER, run)
    count = generate(game, state, mover, remembered, base, depth, run, work)
    if run.stop:
        return 0.0
    run.top = base + count

    if mover == CHANCE:
        # What each outcome is worth at least and at most, as far as one action after it tells.
        value = 0.0
        margin = run.grain * (count + 8)  # more than rounding can put low and high off by
        low, high = bounded(base, count, work)
        if run.star2 and depth > 1:
            for i in range(count):
                run.ply = ply
                work.line[ply] = work.actions[base + i]
                child = game.result(state, work.actions[base + i])
                if not game.is_terminal(child) and game.to_move(child) != CHANCE:
                    run.ply = ply + 1
                    if game.cycles:
                        run.inexact += recurred(game, child, ply + 1, run, work)
                    probe = first_action(game, child, depth - 1, run, work)
                    if run.stop:
                        run.top = base
                        return 0.0
                    work.line[ply + 1] = probe
                    reply = game.result(child, probe)
                    chance = work.order[base + i]
                    if game.to_move(child) == run.viewer:
                        least = (beta + margin - low) / chance + work.least[base + i]
                        bottom, top = run.least, min(max(least, run.least), run.most)
                        found = expectiminimax(game, reply, bottom, top, depth - 2, ply + 2, run, work)
                        found = max(found, work.least[base + i])
                        low += chance * (found - work.least[base + i])
                        work.least[base + i] = found
                    else:
                        most = (alpha - margin - high) / chance + work.most[base + i]
                        bottom, top = max(min(most, run.most), run.least), run.most
                        found = expectiminimax(game, reply, bottom, top, depth - 2, ply + 2, run, work)
                        found = min(found, work.most[base + i])
                        high += chance * (found - work.most[base + i])
                        work.most[base + i] = found
                    if run.stop:
                        run.top = base
                        return 0.0
                    if low - margin >= beta:
                        bound = LOWER
                        value = low - margin
                    elif high + margin <= alpha:
                        bound = UPPER
                        value = high + margin
                    if bound:
                        run.star2_cuts += 1
                        break
        if bound == 0:
            for i in range(count):
                chance, least, most = work.order[base + i], work.least[base + i], work.most[base + i]
                # The outcome's own window: beyond it, this node is outside its window whatever else comes.
                below, above = least, most
                if run.star1:
                    below = max(below, (alpha - margin - high) / chance + most)
                    above = min(above, (beta + margin - low) / chance + least)
                if below >= above:  # by rounding
                    below, above = least, most
                run.ply = ply
                work.line[ply] = work.actions[base + i]
                child = game.result(state, work.actions[base + i])
                found = expectiminimax(game, child, below, above, depth - 1, ply + 1, run, work)
                if run.stop:
                    run.top = base
                    return 0.0
                low += chance * (found - least)
                high += chance * (found - most)
                work.worth[base + work.indices[base + i]] = found
                if found <= below and below > least:
                    bound = UPPER
                    value = min(high + margin, alpha)
                    run.star1_cuts += 1
                    break
                if found >= above and above < most:
                    bound = LOWER
                    value = max(low - margin, beta)
                    run.star1_cuts += 1
                    break
        if bound == 0:
            bound = EXACT
            for i in range(base, base + count):  # in the game's own order
                value += work.odds[i] * work.worth[i]
    elif mover == run.viewer:
        value = -np.inf
        lower = alpha
        for i in range(count):
            run.ply = ply
            work.line[ply] = work.actions[base + i]
            child = game.result(state, work.actions[base + i])
            found = expectiminimax(game, child, lower, beta, depth - 1, ply + 1, run, work)
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
            run.ply = ply
            work.line[ply] = work.actions[base + i]
            child = game.result(state, work.actions[base + i])
            found = expectiminimax(game, child, alpha, upper, depth - 1, ply + 1, run, work)
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
        if bound == 0:
            bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
        work.keys[place] = key
        work.values[place] = value
        work.bests[place] = best_index
        work.depths[place] = depth
        work.bounds[place] = bound
        if run.inexact == inexact:
            work.depths[place] = SOLVED
            if run.verify:
                work.checks[place] = verification_key(game, state, run)
    return value


def fault(number: int, run: Any) -> float:
    """Note that a rule is at fault, which ends the search."""
    run.fault = number
    run.stop = 1
    return 0.0


def place_of(key: int, run: Any, work: Any) -> int:
    """Where the table keeps what a position is worth to the viewer: for each of two, at another place."""
    place: int = (key ^ run.viewer) & (len(work.keys) - 1)
    return place


@noinline
def verification_key(game: Any, state: Any, run: Any) -> int:
    """What besides the key tells a position from others where a value counts as proved."""
    check = 0
    if not game.exact_key:
        check = bits.check64(game.identity(state))
    if game.has("plies_left"):
        check ^= bits.mix(game.plies_left(state))
    return check


@noinline
def recurred(game: Any, state: Any, ply: int, run: Any, work: Any) -> int:
    """Put a position on the path; 1 if it stood there, or in the game so far, before: else 0.

    If so, its value rests on how the game came there, and is no proof.
    """
    if run.superko == 0 and game.is_terminal(state):
        return 0  # the game is over all the same
    here = game.repetition_key(state)
    last = run.previous + ply
    if run.superko:
        if last > 0 and work.path[last - 1] == here:
            work.path[last] = here
            return 0  # a pass, which is always allowed
    else:
        here = bits.mix(here ^ game.to_move(state))
    work.path[last] = here
    for i in range(last):
        if work.path[i] == here:
            return 1
    return 0


def generate(
    game: Any, state: Any, mover: int, remembered: int, base: int, depth: int, run: Any, work: Any
) -> int:
    """Put the actions on the stack, the most promising first, or the outcomes, the likeliest first."""
    count = 0
    space = len(work.actions)
    if mover == CHANCE:
        return generate_outcomes(game, state, base, run, work)
    if run.candidates:
        for action in game.candidates(state):
            if base + count < space:
                order = score_move(game, state, action, mover, depth, run)
                insert(base, count, action, order if count != remembered else np.inf, count, work)
            count += 1
            if count & 1023 == 0 and (run.stop or count > MOST_ACTIONS):
                break
    else:
        for action in game.actions(state):
            if base + count < space:
                order = score_move(game, state, action, mover, depth, run)
                insert(base, count, action, order if count != remembered else np.inf, count, work)
            count += 1
            if count & 1023 == 0 and (run.stop or count > MOST_ACTIONS):
                break
    if count == 0 or count > MOST_ACTIONS:
        fault(ACTIONS, run)
    elif base + count >= space:
        run.full = 1
        run.stop = 1
    return count


def generate_outcomes(game: Any, state: Any, base: int, run: Any, work: Any) -> int:
    """Put the outcomes on the stack, the likeliest first, and their probabilities in the game's own order."""
    count = given = 0
    space = len(work.actions)
    least = total = 0.0
    for outcome, probability in game.chance(state):
        total += probability
        least = min(least, probability)
        if probability > 0:
            if base + count < space:
                insert(base, count, outcome, probability, count, work)
                work.odds[base + count] = probability
                work.least[base + count] = run.least
                work.most[base + count] = run.most
            count += 1
        given += 1
        if given & 1023 == 0 and (run.stop or given > MOST_ACTIONS):
            break
    if run.stop:
        return count
    if given > MOST_ACTIONS:
        fault(ACTIONS, run)
    elif least < 0 or not abs(total - 1) <= ROUNDING:
        fault(CHANCES, run)
    elif base + count >= space:
        run.full = 1
        run.stop = 1
    return count


def score_move(game: Any, state: Any, action: Any, mover: int, depth: int, run: Any) -> float:
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
        place = place_of(key, run, work)
        if work.keys[place] == key and work.depths[place] > 0:
            remembered = work.bests[place]
    mover = game.to_move(state)
    chosen = work.actions[0]
    best = -np.inf
    count = 0
    for action in game.candidates(state):
        order = np.inf if count == remembered else score_move(game, state, action, mover, depth, run)
        if count == 0 or order > best:
            chosen = action
            best = order
        count += 1
        if count & 1023 == 0 and (run.stop or count > MOST_ACTIONS):
            break
    if count == 0 or count > MOST_ACTIONS:
        fault(ACTIONS, run)
    return chosen
