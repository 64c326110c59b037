"""The kernels for games that number their states: successors by number, and look-ups."""

from __future__ import annotations

from typing import Any

from plies.compiled import kernel
from plies.retrograde.kernels.passes import NO_STATE
from plies.retrograde.kernels.successors import (
    ACTIONS,
    FITS,
    FULL,
    MOST_SUCCESSORS,
    MOVER,
    NO_ACTIONS,
    UTILITY,
    index_among,
)
from plies.validation import ROUNDING

NO_NUMBER, ORDER, EARNED, REPETITION = range(16, 20)
"""Further reasons why `expand` stopped: a successor has no number, or is of a stage that was to come later;
it earned something within a stage; or a repetition is worth something else than a draw."""

NOTHING = -1
"""The code of a number that stands for no state."""


@kernel
def expand(game, like, info, exits, first, last, part, work):
    """Send the successors of the numbers from first to last - 1 of a part to the threads that own them.

    Returns where it stopped; `work.status[0]` says why. Afterwards a row of `info` is as the passes want it,
    with one successor more for all that lead to earlier stages; a row of `exits` has the index of the best of
    these and its plies. `work.here` are the stage, how many numbers it has, the room of an outbox, and the
    bits of a number that say who owns it.
    """
    work.status[0] = FITS
    parts, stage = len(work.sent), int(work.here[0])
    for number in range(first, last):
        index = number * parts + part
        for owner in range(parts):
            work.before[owner] = work.sent[owner]
        info[number, 0] = 0
        info[number, 1] = 0
        info[number, 2] = 0
        info[number, 3] = 0
        exits[number, 0] = 0
        exits[number, 1] = 0
        state = game.state_at(stage, index)
        if game.index(state) != index or game.stage(state) != stage:
            info[number, 1] = NO_STATE
        elif game.is_terminal(state):
            info[number, 2] = rest_index(game, state, work)
        else:
            info[number, 0] = send_successors(game, state, number, part, exits, work)
            info[number, 1] = game.to_move(state)
        if work.status[0] != FITS:
            for owner in range(parts):
                work.sent[owner] = work.before[owner]
            return number
    return last


def send_successors(game: Any, state: Any, number: int, part: int, exits: Any, work: Any) -> int:
    """Send the successors of a state that are in its stage, and note the best of the others; returns how many
    successors are to be decided."""
    mover = game.to_move(state)
    if mover != 0 and mover != 1:
        work.status[0] = MOVER
        return 0
    sign = 1.0 if mover == 0 else -1.0
    before = earned(game, state)
    draw = game.draw_value
    if game.cycles and game.has("repetition_value") and game.repetition_value(state, 0) - before != draw:
        work.status[0] = REPETITION
        return 0
    count, inside = 0, 0
    known, best, plies = False, 0.0, 0
    for action in game.actions(state):
        after = game.result(state, action)
        index, stage = game.index(after), game.stage(after)
        gain = earned(game, after) - before
        count += 1
        if stage == work.here[0]:
            if gain != 0.0:
                work.status[0] = EARNED
            send(index, number, part, work)
            inside += 1
        else:
            place = place_of(stage, index, work.stages)
            if place < 0 or work.codes[place] == NOTHING:
                work.status[0] = NO_NUMBER if place != -2 else ORDER
                break
            lead = sign * (work.worths[work.codes[place]] + gain - draw)
            away = max(0, int(work.plies[place]))  # what is left may be a draw, with no end in sight
            if not known or lead > best or (lead == best and (away < plies if lead > 0 else away > plies)):
                known, best, plies = True, lead, away
        if work.status[0] != FITS or count > MOST_SUCCESSORS:
            break
    if count == 0:
        work.status[0] = NO_ACTIONS
    if count > MOST_SUCCESSORS:
        work.status[0] = ACTIONS
    if not known or work.status[0] != FITS:
        return inside
    exits[number, 0] = index_among(sign * best + draw, work) + 1
    exits[number, 1] = plies + 1 if best != 0.0 else 0
    return inside + 1


def send(index: int, number: int, part: int, work: Any) -> None:
    """Put the number of a successor into the outbox for the thread that owns it."""
    if index < 0 or index >= work.here[1]:
        work.status[0] = NO_NUMBER
        return
    room, shift = int(work.here[2]), int(work.here[3])
    owner = index & ((1 << shift) - 1)
    if work.sent[owner] == room:
        work.status[0] = FULL
        return
    place = owner * room + work.sent[owner]
    work.out[place] = index >> shift
    work.source[place] = number << shift | part
    work.sent[owner] += 1


def place_of(stage: int, index: int, stages: Any) -> int:
    """The place of a number among those of all stages; -1 if it has none, -2 if its stage is not there."""
    row = row_of(stage, stages)
    return -2 if row < 0 else place_in(row, index, stages)


def row_of(stage: int, stages: Any) -> int:
    """The row of a stage among those of all, -1 if it is not there."""
    for i in range(len(stages)):
        if stages[i, 0] == stage:
            return i
    return -1


def place_in(row: int, index: int, stages: Any) -> int:
    """The place of a number of a stage among those of all stages; -1 if it has none."""
    if index < 0 or index >= stages[row, 1]:
        return -1
    return int(stages[row, 2]) + int(index)


def rest_index(game: Any, state: Any, work: Any) -> int:
    """The index of what a terminal state brings to player 0 beyond what was earned, among those met."""
    utility = float(game.utility(state, 0))
    low, high, total = work.bounds[0], work.bounds[1], work.bounds[2]
    error = abs(utility + game.utility(state, 1) - total)
    if not low <= utility <= high or not error <= ROUNDING * max(1, high):
        work.status[0] = UTILITY
        return 0
    return index_among(utility - earned(game, state), work)


def earned(game: Any, state: Any) -> float:
    """What player 0 has earned before a state."""
    if game.has("earned"):
        return float(game.earned(state))
    return 0.0


@kernel
def find(game, state, stages, distances, gone):
    """The place of a state's number in a database; -1 if it is not there."""
    row = row_of(game.stage(state), stages)
    if row < 0:  # most states of a search, whose number takes longer to find
        return -1
    place = place_in(row, game.index(state), stages)
    return -1 if place < 0 or distances[place] == gone else place
