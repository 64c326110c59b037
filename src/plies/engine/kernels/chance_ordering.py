"""Actions and outcomes for expectiminimax, generated in the order in which to search them.

These functions are parts of the kernel `expectiminimax`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.engine.faults import ACTIONS, CHANCES, ROUNDING, fault
from plies.engine.kernels.network import static_value
from plies.game import CHANCE
from plies.validation import MOST_ACTIONS


def place_of(key: int, run: Any, work: Any) -> int:
    """The place of a position in the table; each viewer has its own."""
    place: int = (key ^ run.viewer) & (len(work.keys) - 1)
    return place


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
                order = score_move(game, state, action, mover, depth, run, work)
                insert(base, count, action, order if count != remembered else np.inf, count, work)
            count += 1
            if count & 1023 == 0 and (run.stop or count > MOST_ACTIONS):
                break
    else:
        for action in game.actions(state):
            if base + count < space:
                order = score_move(game, state, action, mover, depth, run, work)
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


def score_move(game: Any, state: Any, action: Any, mover: int, depth: int, run: Any, work: Any) -> float:
    """The order of an action: `priority` and, except just above the depth bound, the evaluation of its child.

    A unit of utility counts as much as a thousand of priority. Not tuned.
    """
    order = 0.0
    if run.priority:
        order = float(game.priority(state, action))
    if run.child_order and depth > 1:
        child = game.result(state, action)
        if game.is_terminal(child):
            order += game.utility(child, mover) * 1e3
        else:
            order += static_value(game, child, mover, run.ply + 1, work) * 1e3
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


def first_action(game: Any, state: Any, depth: int, run: Any, work: Any) -> Any:
    """The action for Star2 to probe: the hash move, or the first by order."""
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
        order = np.inf if count == remembered else score_move(game, state, action, mover, depth, run, work)
        if count == 0 or order > best:
            chosen = action
            best = order
        count += 1
        if count & 1023 == 0 and (run.stop or count > MOST_ACTIONS):
            break
    if count == 0 or count > MOST_ACTIONS:
        fault(ACTIONS, run)
    return chosen
