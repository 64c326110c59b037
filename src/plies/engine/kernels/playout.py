"""Playouts: games played at random to the end, their payoffs, and random numbers.

These functions are parts of kernels. If a rule is broken, they write the fault to `run.fault` and return at
once (see faults.py). Random numbers are SplitMix64's (Steele, Lea and Flood 2014).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.engine.faults import ACTIONS, CHANCES, EVALUATION, MOVER, PATTERN, ROUNDING, SUM, UTILITY
from plies.engine.kernels.network import static_value
from plies.game import CHANCE
from plies.rules import noinline
from plies.validation import MOST_ACTIONS

MOVE_INDICES = 1 << 10
"""RAVE identifies actions by the lowest ten bits of their move indices. Not tuned."""

PLAYERS = 1 << 10
"""More than there can be players: see `validation.py`."""

CHOICES = 1 << 14
"""The actions of a position that a playout holds at once; for a later one, it generates them again. Not
tuned: hardly any game has as many."""


def random_bits(run: Any) -> int:
    """The next random number, from 0 to 2^63 - 1."""
    run.random = bits.add(run.random, bits.GOLDEN)
    return bits.right(bits.mix(run.random), 1)


def below(count: int, run: Any) -> int:
    """A random number from 0 to count - 1, uniform to within one part in a billion."""
    return ((random_bits(run) >> 32) * count) >> 31


def fraction(run: Any) -> float:
    """A random number from 0 up to, not including, 1: 53 bits, as many as a double has."""
    return (random_bits(run) >> 10) * 2.0**-53


def play_out(game: Any, state: Any, ply: int, run: Any, work: Any) -> Any:
    """The state at the end of a playout, or where its length or a fault cuts it short."""
    begun = ply
    last = last_action(ply, work)
    before = last_action(ply - 1, work) if ply > 0 else work.before[0]
    farthest = ply + run.longest
    while True:
        beyond = 0  # the number of an action beyond `choices`
        while ply < farthest and not game.is_terminal(state):
            mover = game.to_move(state)
            if mover < CHANCE or mover >= game.players:
                run.fault = MOVER
                break
            if mover == CHANCE:
                action = thrown(game, state, run)
                if run.fault:
                    break
            elif game.has("playout") and run.policy:
                action = game.playout(state, random_bits(run), last, before)
            elif game.has("pattern") and run.policy:
                action = by_pattern(game, state, last, run)
                if run.fault:
                    break
            else:
                count = 0
                for legal in game.actions(state):
                    if count < CHOICES:
                        work.choices[count] = legal
                    elif count > MOST_ACTIONS:
                        break
                    count += 1
                if count == 0 or count > MOST_ACTIONS:
                    run.fault = ACTIONS
                    break
                chosen = below(count, run)
                if chosen >= CHOICES:
                    beyond = chosen
                    break
                action = work.choices[chosen]
            if run.rave > 0:
                remember(game.move_index(state, action) & (MOVE_INDICES - 1), mover, ply, run, work)
            work.line[ply] = action
            before = last
            last = action
            state = game.result(state, action)
            ply += 1
            run.ply = ply
        if beyond == 0:
            break
        state = taken_beyond(game, state, beyond, ply, run, work)
        before = last
        last = work.line[ply]
        ply += 1
        run.ply = ply
    run.plies += ply - begun
    return state


@noinline  # so that it is not copied into the kernels of games without dice
def thrown(game: Any, state: Any, run: Any) -> Any:
    """Sample an outcome of chance."""
    place = fraction(run)
    chosen = 0
    total = 0.0
    count = 0
    for outcome, probability in game.chance(state):
        if place >= 0 and probability > 0:
            chosen = outcome
        place -= probability
        total += probability if probability >= 0 else np.nan
        count += 1  # noqa: SIM113, `enumerate` does not compile here
        if count > MOST_ACTIONS:
            break
    if not abs(total - 1) <= ROUNDING:  # so it is for nan, too
        run.fault = CHANCES
    return chosen


@noinline
def by_pattern(game: Any, state: Any, last: Any, run: Any) -> Any:
    """Sample an action in proportion to the weight of its pattern.

    Coulom, Computing Elo Ratings of Move Patterns in the Game of Go, 2007.
    """
    chosen = last
    total = 0.0
    count = 0
    for action in game.actions(state):
        number = game.pattern(state, action, last)
        if number < 0 or number >= len(game.pattern_weights):
            run.fault = PATTERN
            break
        weight = game.pattern_weights[number]
        if not 0 < weight < np.inf:
            run.fault = PATTERN
            break
        total += weight
        if fraction(run) * total < weight:
            chosen = action
        count += 1
        if count > MOST_ACTIONS:
            break
    if run.fault == 0 and (count == 0 or count > MOST_ACTIONS):
        run.fault = ACTIONS
    return chosen


@noinline  # hardly any game needs it, and in the loop of a playout it would cost a twentieth of the speed
def taken_beyond(game: Any, state: Any, number: int, ply: int, run: Any, work: Any) -> Any:
    """The state after the action of that number, counted from 0, beyond `choices`."""
    chosen = work.choices[0]
    for action in game.actions(state):
        if number >= 0:
            chosen = action
        number -= 1
        if number < 0:
            break
    if run.rave > 0:
        remember(game.move_index(state, chosen) & (MOVE_INDICES - 1), game.to_move(state), ply, run, work)
    work.line[ply] = chosen
    return game.result(state, chosen)


def last_action(ply: int, work: Any) -> Any:
    """The action that led to a ply, which may be one before the root; -1 if nobody knows it."""
    return work.line[ply - 1] if ply > 0 else work.before[1]


def remember(code: int, mover: int, ply: int, run: Any, work: Any) -> None:
    """RAVE: note who was the first to take an action in this simulation, and at which ply."""
    if mover >= 0 and work.taken[code] < run.simulations * PLAYERS:
        work.taken[code] = run.simulations * PLAYERS + mover
        work.taken_at[code] = ply


def pay(game: Any, state: Any, run: Any, work: Any) -> None:
    """Write the utilities of a terminal state to `payoffs`."""
    total = 0.0
    for player in range(game.players):
        payoff = game.utility(state, player)
        if not run.low <= payoff <= run.best:
            run.fault = UTILITY
        work.payoffs[player] = payoff
        total += payoff
    if abs(total - run.total) > run.rounding and run.fault == 0:  # never if `total` is nan
        run.fault = SUM


def pay_estimates(game: Any, state: Any, weight: float, run: Any, work: Any) -> None:
    """Blend static evaluations into `payoffs`, with that weight, from 0 to 1."""
    for player in range(game.players):
        estimate = static_value(game, state, player, 0, work)
        if not run.low <= estimate <= run.best:
            run.fault = EVALUATION
        if weight < 1:
            estimate = work.payoffs[player] + weight * (estimate - work.payoffs[player])
        work.payoffs[player] = estimate


def pay_repeated(game: Any, state: Any, run: Any, work: Any) -> None:
    """Write the utilities of a repetition to `payoffs`."""
    for player in range(game.players):
        payoff = game.repetition_value(state, player)
        if not run.low <= payoff <= run.best:
            raise ValueError("repetition_value() is not a number within the bounds")
        work.payoffs[player] = payoff
