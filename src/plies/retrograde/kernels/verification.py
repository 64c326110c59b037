"""The kernels that verify a database. They share nothing with those that make one but `read_state`."""

from __future__ import annotations

from typing import Any

from plies.bits import check64, hash64, right
from plies.compiled import kernel
from plies.compiled.packing import read_state

FIRST = -(1 << 63)
"""The least key."""


@kernel
def identify(game, like, rows, row, keys, checks):
    """Write two independent hashes of each state."""
    for number in range(len(rows)):
        state = state_of(like, rows, number, row)
        keys[number] = hash64(state)
        checks[number] = check64(state)
    return 0


@kernel
def compare(game, like, rows, row, keys, checks, starts, shift, utilities, plies, first, last):
    """Compare the entries from first to last - 1 with their successors: how many are wrong, and one such."""
    wrong, example = 0, -1
    for number in range(first, last):
        state = state_of(like, rows, number, row)
        if game.is_terminal(state):
            good = utilities[number] == game.utility(state, 0) and plies[number] == 0
        else:
            good = follows(game, state, number, keys, checks, starts, shift, utilities, plies)
        if not good:
            wrong += 1
            example = number
    return wrong, example


@kernel
def count_missing(game, like, rows, row, keys, checks, starts, shift):
    """How many of the states of some rows are not there."""
    missing = 0
    for number in range(len(rows)):
        if place_of(game, state_of(like, rows, number, row), keys, checks, starts, shift) < 0:
            missing += 1
    return missing


def state_of(like: Any, rows: Any, number: int, row: Any) -> Any:
    for i in range(len(row)):
        row[i] = rows[number, i]
    return read_state(like, row)


def follows(
    game: Any,
    state: Any,
    number: int,
    keys: Any,
    checks: Any,
    starts: Any,
    shift: int,
    utilities: Any,
    plies: Any,
) -> bool:
    """Whether an entry follows from those of its successors."""
    sign = 1 if game.to_move(state) == 0 else -1
    draw = game.draw_value
    known, best, nearest, farthest = False, 0.0, 0, 0
    for action in game.actions(state):
        place = place_of(game, game.result(state, action), keys, checks, starts, shift)
        if place < 0:
            return False
        lead = sign * (utilities[place] - draw)
        if not known or lead > best:
            known, best, nearest, farthest = True, lead, plies[place], plies[place]
        elif lead == best:
            nearest, farthest = min(nearest, plies[place]), max(farthest, plies[place])
    if not known or sign * (utilities[number] - draw) != best:
        return False
    if best > 0:
        return nearest >= 0 and plies[number] == nearest + 1
    if best < 0:
        return nearest >= 0 and plies[number] == farthest + 1
    return bool(plies[number] == -1)


def place_of(game: Any, state: Any, keys: Any, checks: Any, starts: Any, shift: int) -> int:
    """The place of a state, or of one that is symmetric to it; -1 if there is none."""
    if game.has("core"):
        state = game.core(state)
    if game.has("symmetries"):
        for image in game.symmetries(state):
            place = place_of_keys(hash64(image), check64(image), keys, checks, starts, shift)
            if place >= 0:
                return place
        return -1
    return place_of_keys(hash64(state), check64(state), keys, checks, starts, shift)


def place_of_keys(key: int, check: int, keys: Any, checks: Any, starts: Any, shift: int) -> int:
    place = int(starts[right(key ^ FIRST, shift)])
    while place < len(keys) and keys[place] <= key:
        if keys[place] == key and checks[place] == check:
            return place
        place += 1
    return -1
