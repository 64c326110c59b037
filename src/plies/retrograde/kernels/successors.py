"""The kernels that know the game: successors of packed states."""

from __future__ import annotations

from typing import Any

from plies.compiled import kernel
from plies.compiled.packing import read_state, write_state
from plies.game import CHANCE
from plies.retrograde.layout import hash_words, pack, precedes, unpack
from plies.validation import ROUNDING

FITS, FULL, TOO_WIDE, NO_ACTIONS, MOVER, UTILITY, UTILITIES, ACTIONS, CHANCES = range(9)
"""Why `expand` stopped where it did: it did not; an outbox is full; a state has bits that the layout has no
place for; or a rule is broken, or gives more than there is room for."""

MOST_SUCCESSORS = 32_767
"""The most successors of a state: they are counted in 16 bits."""


@kernel
def expand(game, like, states, info, first, last, part, work):
    """Send the successors of the states from first to last - 1 to the threads that own them.

    Returns where it stopped; `work.status[0]` says why. Afterwards a row of `info` has the number of
    successors, the mover, and of a terminal state the index of its utility to player 0.
    """
    work.status[0] = FITS
    for number in range(first, last):
        unpack(states, number, work.numbers, work.pieces, work.row)
        state = read_state(like, work.row)
        for owner in range(len(work.sent)):
            work.before[owner] = work.sent[owner]
        info[number, 3] = 0
        if game.is_terminal(state):
            info[number, 0] = 0
            info[number, 1] = 0
            info[number, 2] = utility_index(game, state, work)
        else:
            info[number, 0] = send_successors(game, state, number, part, work)
            info[number, 1] = game.to_move(state)
            info[number, 2] = 0
        if work.status[0] != FITS:
            for owner in range(len(work.sent)):
                work.sent[owner] = work.before[owner]
            return number
    return last


def send_successors(game: Any, state: Any, number: int, part: int, work: Any) -> int:
    """Send the successors of a state to the threads that own them; returns how many there are."""
    count = 0
    mover = game.to_move(state)
    if game.stochastic and mover == CHANCE:
        certain, outcomes = 0.0, 0
        for outcome, probability in game.chance(state):
            outcomes += 1
            if not probability >= 0:
                work.status[0] = CHANCES
            certain += probability
            if probability > 0:
                send(game, game.result(state, outcome), number, part, work)
                count += 1
            if work.status[0] != FITS or outcomes > MOST_SUCCESSORS:
                break
        if work.status[0] == FITS and not abs(certain - 1) <= ROUNDING:
            work.status[0] = CHANCES
        if outcomes > MOST_SUCCESSORS:
            work.status[0] = ACTIONS
        return count
    if mover != 0 and mover != 1:
        work.status[0] = MOVER
        return 0
    for action in game.actions(state):
        send(game, game.result(state, action), number, part, work)
        count += 1
        if work.status[0] != FITS or count > MOST_SUCCESSORS:
            break
    if count == 0:
        work.status[0] = NO_ACTIONS
    if count > MOST_SUCCESSORS:
        work.status[0] = ACTIONS
    return count


def send(game: Any, state: Any, number: int, part: int, work: Any) -> None:
    """Put a successor into the outbox for the thread that owns it."""
    if represent(game, state, work) != 0:
        work.status[0] = TOO_WIDE
        return
    parts = len(work.sent)
    room = len(work.out) // parts
    owner = hash_words(work.packed, 0) & (parts - 1)
    if work.sent[owner] == room:
        work.status[0] = FULL
        return
    place = owner * room + work.sent[owner]
    for i in range(work.packed.shape[1]):
        work.out[place, i] = work.packed[0, i]
    work.source[place] = number * parts + part
    work.sent[owner] += 1


def represent(game: Any, state: Any, work: Any) -> int:
    """Pack the state that stands for a state in a database into `work.packed[0]`: its core, and of the images
    of that the first one; returns the bits that do not fit."""
    if game.has("core"):
        state = game.core(state)
    write_state(state, work.row)
    lost = pack(work.row, work.numbers, work.pieces, work.packed, 0)
    if game.has("symmetries") and work.status[1] != 0 and lost == 0:  # folded
        images = 0
        for image in game.symmetries(state):
            images += 1  # noqa: SIM113  (compiled, this is the quicker way)
            if images > MOST_SUCCESSORS:
                work.status[0] = ACTIONS
                break
            write_state(image, work.row)
            lost |= pack(work.row, work.numbers, work.pieces, work.packed, 1)
            if precedes(work.packed, 1, 0):
                for i in range(work.packed.shape[1]):
                    work.packed[0, i] = work.packed[1, i]
    return lost


@kernel
def pack_states(game, like, rows, first, last, words, work):
    """Pack what stands for the states of rows of numbers; returns the first that does not fit, or last."""
    for number in range(first, last):
        for i in range(rows.shape[1]):
            work.row[i] = rows[number, i]
        if represent(game, read_state(like, work.row), work) != 0:
            return number
        for i in range(words.shape[1]):
            words[number, i] = work.packed[0, i]
    return last


def utility_index(game: Any, state: Any, work: Any) -> int:
    """The index of a terminal state's utility to player 0 among those met so far."""
    utility = float(game.utility(state, 0))
    low, high, total = work.bounds[0], work.bounds[1], work.bounds[2]
    error = 0.0
    if game.players == 2:
        error = abs(utility + game.utility(state, 1) - total)
    if not low <= utility <= high or not error <= ROUNDING * max(1, high):
        work.status[0] = UTILITY
        return 0
    return index_among(utility, work)


def index_among(utility: float, work: Any) -> int:
    """The index of a utility among those met so far."""
    for i in range(work.status[2]):
        if work.utilities[i] == utility:
            return i
    known = int(work.status[2])
    if known == len(work.utilities):
        work.status[0] = UTILITIES
        return 0
    work.utilities[known] = utility
    work.status[2] = known + 1
    return known
