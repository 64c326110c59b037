"""The kernels that verify databases of numbered states. They share nothing with those that make them."""

from __future__ import annotations

from typing import Any

from plies.bits import add, check64, hash64, mix
from plies.compiled import kernel

NOTHING = -1
"""The code of a number that stands for no state."""


@kernel
def compare(game, like, stage, offset, first, last, codes, worths, plies, stages):
    """Compare the entries of some numbers of a stage with their successors: how many states there are, how
    many are wrong, how many successors are not what their numbers say, and a wrong number or -1."""
    states, wrong, strange, example = 0, 0, 0, -1
    for index in range(first, last):
        state = game.state_at(stage, index)
        there = game.index(state) == index and game.stage(state) == stage
        good = there == (codes[offset + index] != NOTHING)
        if there and good:
            states += 1
            good, odd = follows(game, state, offset + index, codes, worths, plies, stages)
            strange += odd
        if not good:
            wrong += 1
            example = index
    return states, wrong, strange, example


def follows(game: Any, state: Any, here: int, codes: Any, worths: Any, plies: Any, stages: Any) -> Any:
    """Whether an entry follows from its successors, and how many of these are not what stands for them."""
    before = earned(game, state)
    worth = worths[codes[here]]
    if game.is_terminal(state):
        return game.utility(state, 0) == worth + before and plies[here] == 0, 0
    sign = 1.0 if game.to_move(state) == 0 else -1.0
    draw = game.draw_value
    known, best, nearest, farthest, strange = False, 0.0, 0, 0, 0
    for action in game.actions(state):
        after = game.result(state, action)
        stage, index = game.stage(after), game.index(after)
        place = place_of(stage, index, stages)
        if place < 0 or codes[place] == NOTHING:
            return False, strange
        if game.has("core"):
            after = game.core(after)
        same = game.state_at(stage, index)
        if (hash64(after) != hash64(same) or check64(after) != check64(same)) and not alike(
            game, after, same
        ):
            strange += 1
        lead = sign * (worths[codes[place]] + earned(game, after) - before - draw)
        away = max(0, int(plies[place]))  # a draw that follows on a gain counts as the end
        if not known or lead > best:
            known, best, nearest, farthest = True, lead, away, away
        elif lead == best:
            nearest, farthest = min(nearest, away), max(farthest, away)
    if not known or sign * (worth - draw) != best:
        return False, strange
    if best > 0:
        return plies[here] == nearest + 1, strange
    if best < 0:
        return plies[here] == farthest + 1, strange
    return plies[here] == -1, strange


def alike(game: Any, state: Any, other: Any) -> bool:
    """Whether two states of one number go on alike: the same mover, and successors of the same numbers that
    earn the same; or the same end. If this holds for all states, they have the same value."""
    if game.is_terminal(state) != game.is_terminal(other):
        return False
    if game.is_terminal(state):
        one, two = game.utility(state, 0) - earned(game, state), game.utility(other, 0) - earned(game, other)
        return bool(one == two)
    if game.to_move(state) != game.to_move(other):
        return False
    return bool(ways_on(game, state) == ways_on(game, other))


def ways_on(game: Any, state: Any) -> Any:
    """What tells the successors of a state from those of another, in any order: counts and hashed sums."""
    count, one, two, gains = 0, 0, 0, 0.0
    before = earned(game, state)
    for action in game.actions(state):
        after = game.result(state, action)
        number = mix(mix(game.stage(after)) ^ game.index(after))
        gain = earned(game, after) - before
        count += 1
        one = add(one, number)
        two = add(two, mix(add(number, int(gain * 1024))))
        gains += gain
    return count, one, two, gains


def place_of(stage: int, index: int, stages: Any) -> int:
    """The place of a number; -1 if it has none."""
    for i in range(len(stages)):
        if stages[i, 0] == stage and 0 <= index < stages[i, 1]:
            return int(stages[i, 2]) + index
    return -1


def earned(game: Any, state: Any) -> float:
    """What player 0 has earned before a state."""
    return float(game.earned(state)) if game.has("earned") else 0.0
