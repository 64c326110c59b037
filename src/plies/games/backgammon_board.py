"""The checkers of a backgammon player, and which of them a die can move.

A player counts points from home: 1 to 6 are home, 24 is the furthest. The other player's numbers are 25 less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plies.bits import highest

OFF, BAR = 0, 25
"""The places besides the points: where a checker is borne off to, and where it must enter from."""

CHECKERS = 15
HOME = 6

DIGIT = 4  # bits of a place
FAR = 13  # the first place of the second word


class Side(NamedTuple):
    """How many checkers of a player are at each place, as digits of four bits."""

    near: int  # off, and on the points 1 to 12
    far: int  # on the points 13 to 24, and on the bar


def side_of(counts: Sequence[int]) -> Side:
    """The side with so many checkers off, on each point, and on the bar."""
    digits = [number << DIGIT * (place % FAR) for place, number in enumerate(counts)]
    return Side(sum(digits[:FAR]), sum(digits[FAR:]))


def counts_of(side: Side) -> list[int]:
    """How many checkers are off, on each point, and on the bar: the inverse of `side_of`."""
    return [count(side, place) for place in range(BAR + 1)]


def count(side: Side, place: int) -> int:
    """How many checkers are at a place."""
    if place < FAR:
        return side.near >> DIGIT * place & 15
    return side.far >> DIGIT * (place - FAR) & 15


def moved(side: Side, source: int, target: int) -> Side:
    """The side with one checker moved. Several moves come to the same in any order, for they are sums."""
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
    """The furthest place with a checker, up to the place `most`; 0 if there is none."""
    if most >= FAR:
        word = side.far & (1 << DIGIT * (most - FAR + 1)) - 1
        if word != 0:
            return FAR + highest(word) // DIGIT
        most = FAR - 1
    word = side.near & (1 << DIGIT * (most + 1)) - 16  # without those that are off
    return highest(word) // DIGIT if word != 0 else 0


def landing(source: int, die: int) -> int:
    """Where a die takes a checker: a higher number than needed bears it off, too."""
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
    """The furthest place, up to `most`, from which a die can move a checker; 0 if there is none."""
    source = rearmost(side, most)
    while source > 0 and not playable(side, other, source, die):
        source = rearmost(side, source - 1)
    return source


def playable_times(side: Side, other: Side, die: int, times: int) -> int:
    """How often a die that is thrown so many times can be played.

    The furthest checker that can move is moved first: that never leaves fewer moves than another would, since
    whether a point is open does not depend on one's own checkers, and bearing off needs the furthest at home.
    """
    for used in range(times):
        source = next_source(side, other, BAR, die)
        if source == 0:
            return used
        side = moved(side, source, landing(source, die))
    return times


def in_turn(side: Side, other: Side, source: int, die: int, then: int, die_then: int) -> bool:
    """Whether one die can be played from a place, and after it the other from another place."""
    if not playable(side, other, source, die):
        return False
    return playable(moved(side, source, landing(source, die)), other, then, die_then)


def pips_of(side: Side) -> int:
    """How many points all checkers have still to go."""
    total = 0
    place = rearmost(side, BAR)
    while place > 0:
        total += place * count(side, place)
        place = rearmost(side, place - 1)
    return total


def held_points(side: Side) -> int:
    """The points with two checkers or more, as bits."""
    held = 0
    place = rearmost(side, BAR - 1)
    while place > 0:
        if count(side, place) > 1:
            held |= 1 << place
        place = rearmost(side, place - 1)
    return held


def chance_to_hit(distance: int) -> float:
    """The chance that two dice reach a checker so many points away, if nothing is in the way."""
    throws = 0
    for first in range(1, 7):
        for second in range(1, 7):
            reached = {first, second, first + second}
            if first == second:
                reached |= {3 * first, 4 * first}
            throws += distance in reached
    return throws / 36
