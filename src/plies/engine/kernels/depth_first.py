"""Depth-first search for puzzles, as a kernel: the best end that one player can reach, visiting no state
twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.engine.faults import ACTIONS, MOVER, UTILITY, fault
from plies.engine.kernels.transpositions import clocked_key
from plies.rules import noinline
from plies.validation import MOST_ACTIONS

RUN = np.dtype(
    [
        ("nodes", np.int64),  # positions visited
        ("limit", np.int64),  # nodes
        ("stop", np.int64),  # 1: return at once
        ("fault", np.int64),  # see faults.py; 0: none
        ("ply", np.int64),  # plies from the root
        ("inexact", np.int64),  # positions that were too deep
        ("lost", np.int64),  # actions for which the stack had no room
        ("last_ply", np.int64),  # the deepest ply
        ("depth_counts", np.int64),  # 1: a position with more plies left is visited again
        ("top", np.int64),  # the first free place of the stack of actions
        ("low", np.float64),  # the least utility
        ("wanted", np.float64),  # stop at an end as good as this
        ("high", np.float64),  # the greatest utility
        ("rounds", np.int64),  # 1: the game has `repetition_value`; 2: any position may be a repetition
        ("missed", np.float64),  # the greatest utility of a repetition, which does not count as an end here
        ("best", np.float64),  # the utility of the best end found
        ("length", np.int64),  # the plies to it
        ("priority", np.int64),  # 1: order moves by the game's `priority`
        ("symmetry", np.int64),  # 1: images of a position count as one
        ("verify", np.int64),  # 1: keys are compared with a verification key as well
        ("previous", np.int64),  # positions in `previous`, whose repetition would end the game
    ]
)
"""The kernel's counters and settings."""


@kernel
def dive(game, state, ply, run, work) -> int:
    """Visit all ends that can be reached from a state, until one is as good as `wanted`."""
    run.nodes += 1
    run.ply = ply
    if run.nodes >= run.limit:
        run.stop = 1
    if run.stop:
        return 0
    if game.is_terminal(state):
        utility = float(game.utility(state, 0))
        if not run.low <= utility <= run.high:
            return fault(UTILITY, run)
        note_end(utility, ply, run, work)
        return 0
    if game.to_move(state) != 0:
        return fault(MOVER, run)
    if game.cycles and run.rounds == 2 and ply > 0:
        run.missed = max(run.missed, float(game.repetition_value(state, 0)))
    if ply >= run.last_ply:
        run.inexact += 1
        return 0
    if game.cycles and run.previous and ply > 0 and stood(game, state, run, work):
        if run.rounds:
            run.missed = max(run.missed, float(game.repetition_value(state, 0)))
        return 0

    # A position visited before, or on the path, leads to nothing new.
    if seen_before(game, state, ply, run, work):
        if game.cycles and run.rounds:  # it may be on the way here
            run.missed = max(run.missed, float(game.repetition_value(state, 0)))
        return 0

    base = run.top
    count = generate(game, state, base, run, work)
    if run.stop:
        return 0
    run.top = base + count
    for i in range(count):
        action = work.actions[base + i]
        run.ply = ply
        work.line[ply] = action
        dive(game, game.result(state, action), ply + 1, run, work)
        if run.stop or run.best >= run.wanted:
            break
    run.top = base
    return 0


def note_end(utility: float, ply: int, run: Any, work: Any) -> None:
    """Note the path to an end, if it is the best so far."""
    if utility > run.best:
        run.best = utility
        run.length = ply
        for i in range(ply):
            work.best[i] = work.line[i]


def seen_before(game: Any, state: Any, ply: int, run: Any, work: Any) -> bool:
    """Whether a position was visited before, with as many plies left; if not, it is noted."""
    key, check = canonical(game, state, run)
    place = key & (len(work.seen) - 1)
    left = run.last_ply - ply
    if (
        work.seen[place] == key
        and key != 0
        and (run.depth_counts == 0 or work.left[place] >= left)
        and (run.verify == 0 or work.checks[place] == check)
    ):
        return True
    work.seen[place] = key
    if run.depth_counts:
        work.left[place] = left
    if run.verify:
        work.checks[place] = check
    return False


def generate(game: Any, state: Any, base: int, run: Any, work: Any) -> int:
    """Put the actions on the stack, by decreasing priority; their number."""
    count = given = 0
    for action in game.actions(state):
        given += 1
        if base + count < len(work.actions):
            order = 0.0
            if run.priority:
                order = float(game.priority(state, action))
            i = base + count
            while i > base and work.order[i - 1] < order:
                work.actions[i] = work.actions[i - 1]
                work.order[i] = work.order[i - 1]
                i -= 1
            work.actions[i] = action
            work.order[i] = order
            count += 1
        else:
            run.lost += 1
        if given & 1023 == 0 and (run.stop or given > MOST_ACTIONS):
            break
    if given == 0 or given > MOST_ACTIONS:
        fault(ACTIONS, run)
    return count


def canonical(game: Any, state: Any, run: Any) -> tuple[int, int]:
    """The key and the verification key of a position or, with symmetry, of the image with the least key."""
    key: int = game.key(state)
    if run.verify:
        return verified(game, state, key, run)
    if run.symmetry:
        for image in game.symmetries(state):
            key = min(key, game.key(image))
    return key, 0


@noinline
def verified(game: Any, state: Any, key: int, run: Any) -> tuple[int, int]:
    """The least key of a position's images, with the verification key of that image."""
    check = clocked_key(game, state)
    if run.symmetry:
        for image in game.symmetries(state):
            other: int = game.key(image)
            if other < key:
                key = other
                check = clocked_key(game, image)
    return key, check


@noinline
def stood(game: Any, state: Any, run: Any, work: Any) -> bool:
    """Whether a state repeats a position of the game so far, which would end the game."""
    here = game.repetition_key(state)
    found = False
    for i in range(run.previous):
        found |= work.previous[i] == here
    return found
