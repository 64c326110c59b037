"""The backgammon board: positions, and which checkers a die can move.

A player counts points from home: 1 to 6 are the home board, 24 is the furthest. Point n of one player is
point 25 - n of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plies.bits import highest

OFF, BAR = 0, 25
"""The places besides the points: borne off, and the bar."""

CHECKERS = 15
HOME = 6

OPENING = -1
"""The player to move before the opening roll, which decides who begins."""

STEP = 5
"""Bits of an action for each checker moved: where it starts."""

PASS = 0
"""The play that moves no checker."""

DIGIT = 4  # bits of a place
FAR = 13  # the first place of the second word


class Side(NamedTuple):
    """How many checkers of a player are at each place, four bits a place."""

    near: int  # off, and on the points 1 to 12
    far: int  # on the points 13 to 24, and on the bar


def side_of(counts: Sequence[int]) -> Side:
    """The side with these numbers of checkers off, on each point, and on the bar."""
    digits = [number << DIGIT * (place % FAR) for place, number in enumerate(counts)]
    return Side(sum(digits[:FAR]), sum(digits[FAR:]))


START = side_of([0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0])


class State(NamedTuple):
    """A position, each side as its own player counts the points."""

    mine: Side
    theirs: Side
    player: int  # the player to move; OPENING before the opening roll
    dice: int  # 31 for a 3 and a 1, the higher number first; 0 before the roll


def counts_of(side: Side) -> list[int]:
    """How many checkers are off, on each point, and on the bar: the inverse of `side_of`."""
    return [count(side, place) for place in range(BAR + 1)]


def count(side: Side, place: int) -> int:
    """How many checkers are at a place."""
    if place < FAR:
        return side.near >> DIGIT * place & 15
    return side.far >> DIGIT * (place - FAR) & 15


def moved(side: Side, source: int, target: int) -> Side:
    """The side with one checker moved; the order of several moves does not matter, for they are sums."""
    near, far = side.near, side.far
    if source < FAR:
        near -= 1 << DIGIT * source
    else:
        far -= 1 << DIGIT * (source - FAR)
    if target < FAR:
        near += 1 << DIGIT * target
    else:
        far += 1 << DIGIT * (target - FAR)
    return Side(near, far)


def rearmost(side: Side, most: int) -> int:
    """The rearmost place with a checker, up to the place `most`; 0 if there is none."""
    if most >= FAR:
        word = side.far & (1 << DIGIT * (most - FAR + 1)) - 1
        if word != 0:
            return FAR + highest(word) // DIGIT
        most = FAR - 1
    word = side.near & (1 << DIGIT * (most + 1)) - 16  # without those that are off
    return highest(word) // DIGIT if word != 0 else 0


def landing(source: int, die: int) -> int:
    """Where a die takes a checker; a number higher than needed bears it off, too."""
    return max(source - die, OFF)


def playable(side: Side, other: Side, source: int, die: int) -> bool:
    """Whether a die can move a checker from a place, 1 to 25."""
    if count(side, source) == 0 or (source != BAR and count(side, BAR) != 0):
        return False
    target = source - die
    if target > OFF:
        return count(other, 25 - target) < 2
    rear = rearmost(side, BAR)
    return rear <= HOME and (target == OFF or rear == source)


def next_source(side: Side, other: Side, most: int, die: int) -> int:
    """The rearmost place, up to `most`, from which a die can move a checker; 0 if there is none."""
    source = rearmost(side, most)
    while source > 0 and not playable(side, other, source, die):
        source = rearmost(side, source - 1)
    return source


def playable_times(side: Side, other: Side, die: int, times: int) -> int:
    """How many of several equal dice can be played.

    Moving the rearmost checker that can move never leaves fewer moves than another would: whether a point is
    open does not depend on one's own checkers, and bearing off needs the rearmost at home.
    """
    for used in range(times):
        source = next_source(side, other, BAR, die)
        if source == 0:
            return used
        side = moved(side, source, landing(source, die))
    return times


def in_turn(side: Side, other: Side, source: int, die: int, then: int, die_then: int) -> bool:
    """Whether one die can be played from a place, and then the other from another."""
    if not playable(side, other, source, die):
        return False
    return playable(moved(side, source, landing(source, die)), other, then, die_then)


def pips_of(side: Side) -> int:
    """The pip count of a side."""
    total = 0
    place = rearmost(side, BAR)
    while place > 0:
        total += place * count(side, place)
        place = rearmost(side, place - 1)
    return total


def held_points(side: Side) -> int:
    """The points a side has made, with two checkers or more, as bits."""
    held = 0
    place = rearmost(side, BAR - 1)
    while place > 0:
        if count(side, place) > 1:
            held |= 1 << place
        place = rearmost(side, place - 1)
    return held


def chance_to_hit(distance: int) -> float:
    """The probability that a roll hits a blot at a distance, if nothing is in the way."""
    throws = 0
    for first in range(1, 7):
        for second in range(1, 7):
            reached = {first, second, first + second}
            if first == second:
                reached |= {3 * first, 4 * first}
            throws += distance in reached
    return throws / 36
