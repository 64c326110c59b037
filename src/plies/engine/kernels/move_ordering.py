"""Move generation and ordering: hash move, the game's priority, killer moves, history heuristic.

These functions are parts of the kernel `pvs`. Killer moves: Akl and Newborn, The Principal Continuation and
the Killer Heuristic, 1977. History: Schaeffer, The History Heuristic, 1983 and 1989; with gravity, and by the
moves before (continuation history): see the chess programming wiki. Counter moves: Uiterwijk, The Countermove
Heuristic, 1992.

An order is a sum, in units of 1024: the hash move 2^50, priority from bit 28 up, a killer 2^27, a counter
move 2^26, histories within 2^24; `child_order` adds 2^10 for each step of evaluation. The lowest ten bits
keep the game's order of equals.
"""

from __future__ import annotations

from typing import Any

from plies.engine.faults import ACTIONS
from plies.engine.kernels.network import static_value
from plies.engine.score import MOST_STEPS
from plies.validation import MOST_ACTIONS

HISTORY = 1 << 12
"""Entries of the history table for each player, by the lowest 12 bits of a move's index. Not tuned."""

CONTINUATIONS = 1 << 16
"""Entries of the continuation history, by a hash of two moves' indices. Not tuned."""

GRAVITY = 1 << 14
"""The bound of a history entry, which it approaches ever more slowly. Not tuned."""

NO_MOVE = HISTORY
"""The index of no move, after a null move; those of moves are below it."""

MOST_URGENT = (1 << 22) - 1
"""The greatest priority, in 256ths; larger ones are clipped. Shifted by 28 bits it stays below FIRST."""

FIRST = 1 << 50
"""The order of the hash move: above the greatest priority, 2^22 * 2^28."""

PUT_OFF = -(1 << 61)
"""Moves deferred for another thread are below this: twice it is added, and orders are at most 2^60."""

UNPROMISING = 1 << 37
"""Below this order, a move has neither a priority nor been a killer: 2^27, a killer's bonus, times 1024."""


def generate(game: Any, state: Any, base: int, run: Any, work: Any) -> int:
    """Put the actions on the stack; their number."""
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


def order_moves(
    game: Any, state: Any, mover: int, remembered: int, base: int, count: int, ply: int, run: Any, work: Any
) -> None:
    """Write the order of each action on the stack; of equals, the first comes first."""
    if count > 1:
        for i in range(count):
            order = FIRST
            if i != remembered:
                order = score_move(game, state, mover, work.actions[base + i], ply, run, work)
            work.order[base + i] = order * 1024 + (1023 - min(i, 1023))


def score_move(game: Any, state: Any, mover: int, action: Any, ply: int, run: Any, work: Any) -> int:
    """The order of an action: by the game's `priority`, then killer moves and history."""
    order = 0
    if game.has("priority") and run.priority:
        urgency = game.priority(state, action) * 256
        order = int(max(min(urgency, MOST_URGENT), -MOST_URGENT)) << 28 if urgency == urgency else 0
    if run.child_order:
        order += promising(game, game.result(state, action), mover, ply + 1, run, work) << 10
    if run.killers and (action == work.killers[2 * ply] or action == work.killers[2 * ply + 1]):
        order += 1 << 27
    if run.history:
        order += work.history[mover * HISTORY + (game.move_index(state, action) & (HISTORY - 1))]
    if work.has("statics") and (run.counter_moves or run.continuation):
        index = game.move_index(state, action) & (HISTORY - 1)
        if run.counter_moves and work.counter_moves[work.moves[ply]] == index:
            order += 1 << 26
        if run.continuation:
            order += work.continuation[continued(index, 0, ply, work)]
            order += work.continuation[continued(index, 1, ply, work)]
    return order


def note_move(game: Any, state: Any, place: int, ply: int, run: Any, work: Any) -> None:
    """Keep the index of the move at a place of the stack as the one that leads to the next ply; -1: none."""
    work.moves[ply + 1] = NO_MOVE
    if place >= 0 and (run.counter_moves or run.continuation):
        work.moves[ply + 1] = game.move_index(state, work.actions[place]) & (HISTORY - 1)


def continued(index: int, before: int, ply: int, work: Any) -> int:
    """The entry of the continuation history for a move after the last one or, `before` 1, the one before."""
    last = work.moves[ply - before] if ply >= before else NO_MOVE
    return int((index * 5 + last * 8191 + before * 40503) & (CONTINUATIONS - 1))


def promising(game: Any, state: Any, player: int, ply: int, run: Any, work: Any) -> int:
    """The static evaluation of a state to a player, in steps, clipped; for ordering only."""
    value = static_value(game, state, player, ply, work) - run.even
    if value != value:  # nan
        value = 0.0
    return int(max(min(value * run.scale, float(MOST_STEPS)), -float(MOST_STEPS)))


def pick_next(place: int, end: int, work: Any) -> None:
    """Selection sort, one step: swap the best action from a place of the stack on into that place."""
    pick = place
    for j in range(place + 1, end):
        if work.order[j] > work.order[pick]:
            pick = j
    if pick != place:
        action, order = work.actions[pick], work.order[pick]
        work.actions[pick], work.order[pick] = work.actions[place], work.order[place]
        work.actions[place], work.order[place] = action, order


def update_history(
    game: Any, state: Any, mover: int, base: int, i: int, depth: int, ply: int, run: Any, work: Any
) -> None:
    """Count a cut-off; make its move a killer and a counter move, and credit it in the histories.

    It gains 16 times the square of the depth, at most 1600, and the moves tried before it lose as much: less
    the nearer they are to GRAVITY already. Not tuned.
    """
    run.cuts += 1
    if i == 0:
        run.first_cuts += 1
    action = work.actions[base + i]
    if run.killers and action != work.killers[2 * ply]:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = action
    if run.history == 0 and (not work.has("statics") or run.counter_moves + run.continuation == 0):
        return
    bonus = min(16 * depth * depth, 1600)
    for j in range(i + 1):
        index = game.move_index(state, work.actions[base + j]) & (HISTORY - 1)
        gain = bonus if j == i else -bonus
        if run.history:
            place = mover * HISTORY + index
            work.history[place] += gain - work.history[place] * bonus // GRAVITY
        if work.has("statics"):
            if run.continuation:
                for before in range(2):
                    place = continued(index, before, ply, work)
                    work.continuation[place] += gain - work.continuation[place] * bonus // GRAVITY
            if run.counter_moves and j == i:
                work.counter_moves[work.moves[ply]] = index
