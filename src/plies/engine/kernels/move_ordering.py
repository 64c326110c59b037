"""Move generation and ordering: priorities, killer moves and the history heuristic.

These functions are parts of the kernel `pvs`.
"""

from __future__ import annotations

from typing import Any

from plies.engine.faults import ACTIONS
from plies.engine.score import MOST_STEPS
from plies.validation import MOST_ACTIONS

HISTORY = 1 << 12
"""Actions are told apart in the history table by the lowest bits of their move indices."""

MOST_URGENT = (1 << 22) - 1
"""The greatest priority told apart, in 256ths: what comes first in the table still comes before it."""

FIRST = 1 << 50
"""The order of the action that the table remembers: before all others."""

PUT_OFF = -(1 << 61)
"""Below this order are the actions that were put off for another thread."""

UNPROMISING = 1 << 37
"""Below this order, an action has neither priority nor been a killer."""


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


def order_moves(
    game: Any, state: Any, mover: int, remembered: int, base: int, count: int, ply: int, run: Any, work: Any
) -> None:
    """Give each action on the stack its order; of equals, the first comes first."""
    if count > 1:
        for i in range(count):
            order = FIRST
            if i != remembered:
                order = score_move(game, state, mover, work.actions[base + i], ply, run, work)
            work.order[base + i] = order * 1024 + (1023 - min(i, 1023))


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
    """Count a cut-off, and credit the action that brought it at the expense of those tried before it."""
    run.cuts += 1
    if i == 0:
        run.first_cuts += 1
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
