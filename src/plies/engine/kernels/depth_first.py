"""Puzzles: the best end that one player alone can reach, by depth-first search that looks nowhere twice.

Depth-first search finds an end, not the nearest. Once the best is proved, iterative deepening looks for a
shorter way there; if that takes too long, no distance is told.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine.faults import ACTIONS, MOVER, UTILITY, fault
from plies.rules import noinline
from plies.validation import MOST_ACTIONS

DIVE = np.dtype(
    [
        ("nodes", np.int64),
        ("limit", np.int64),
        ("stop", np.int64),
        ("fault", np.int64),  # the number of a fault: see `faults`
        ("ply", np.int64),
        ("inexact", np.int64),  # how many positions were too deep to be looked at
        ("lost", np.int64),  # how many actions there was no room for
        ("last_ply", np.int64),
        ("depth_counts", np.int64),  # 1: a position is another one where more plies are left
        ("top", np.int64),  # of the stack of actions
        ("low", np.float64),  # the least utility
        ("wanted", np.float64),  # there is nothing better than this
        ("high", np.float64),  # the greatest utility
        ("rounds", np.int64),  # 1: the game says what a repetition is worth; 2: any position may be one
        ("missed", np.float64),  # the most that a repetition is worth, which is no end here
        ("best", np.float64),  # the utility of the best end found …
        ("length", np.int64),  # … and how many plies lead there
        ("priority", np.int64),
        ("symmetry", np.int64),
        ("verify", np.int64),  # 1: more than the key tells positions apart:
        ("previous", np.int64),  # how many positions may not come up again, for that would end the game
    ]
)
"""What the kernel counts and obeys."""


@kernel
def dive(game, state, ply, run, work):
    """Look at all ends that can be reached from a state, until one is found to which nothing is better."""
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

    # A position that was looked at before, or is being looked at, leads to nothing new.
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
    """Note the way to an end, if it is the best so far."""
    if utility > run.best:
        run.best = utility
        run.length = ply
        for i in range(ply):
            work.best[i] = work.line[i]


def seen_before(game: Any, state: Any, ply: int, run: Any, work: Any) -> bool:
    """Whether a position was looked at before, with as many plies left; it is noted if not."""
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
    """Put the actions on the stack, those of the greatest priority first, and tell how many there are."""
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
    """The key of a position and what else it is told apart by: where symmetries count, those of an image."""
    key: int = game.key(state)
    if run.verify:
        return verified(game, state, key, run)
    if run.symmetry:
        for image in game.symmetries(state):
            key = min(key, game.key(image))
    return key, 0


@noinline
def verified(game: Any, state: Any, key: int, run: Any) -> tuple[int, int]:
    """The least key of the images of a position, with the verification key of that image."""
    check = verification_key(game, state, run)
    if run.symmetry:
        for image in game.symmetries(state):
            other: int = game.key(image)
            if other < key:
                key = other
                check = verification_key(game, image, run)
    return key, check


def verification_key(game: Any, state: Any, run: Any) -> int:
    """What besides the key tells a position from others."""
    check = 0
    if not game.exact_key:
        check = bits.check64(game.identity(state))
    if game.has("plies_left"):
        check ^= bits.mix(game.plies_left(state))
    return check


@noinline
def stood(game: Any, state: Any, run: Any, work: Any) -> bool:
    """Whether the game would end here because a position comes up again that it has been through."""
    here = game.repetition_key(state)
    found = False
    for i in range(run.previous):
        found |= work.previous[i] == here
    return found
