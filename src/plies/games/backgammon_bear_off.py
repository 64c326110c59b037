"""Backgammon's bear-off: tables for positions in which all checkers that are left are in the home boards.

The one-sided table has, for the 54,264 positions of up to fifteen checkers, the chance of having borne off
all after each number of rolls, if a player makes the expected number of rolls as small as possible. The
two-sided one has the chance to win with up to six checkers each, if both play best.
`python -m plies.games.backgammon_bear_off FILE` makes both, in some ten seconds.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from plies.games.backgammon_board import CHECKERS, HOME, Side

Array = np.ndarray[Any, Any]

FEW = 6
"""Checkers of a player up to which there is a two-sided table."""

ROLLS = [(a, b, 1 / 36 if a == b else 1 / 18) for a in range(1, 7) for b in range(1, a + 1)]

MOST = 24
"""Rolls that the one-sided table has room for; in that many, even the worst position is gone."""

UNIT = 65535
"""What the tables that games read have for certainty: they are rounded to 16 bits."""

FILE = Path(__file__).with_name("backgammon_bear_off.npz")

CHOOSE = np.array([[comb(n, k) for k in range(HOME + 1)] for n in range(CHECKERS + HOME)], np.int64)
"""The binomial coefficients."""


def index(side: Side) -> int:
    """The number of a home position, that of no checkers being 0: fewer checkers have lower numbers.

    Checkers and the six dividers between "off" and the points stand in a row; the places of the dividers are
    a combination, and the combinatorial number system numbers those.
    """
    before, number = 0, 0
    for point in range(HOME, 0, -1):
        before += side.near >> 4 * point & 15
        number += int(CHOOSE[before + HOME - point, HOME + 1 - point])
    return number


def positions(checkers: int = CHECKERS) -> Array:
    """The numbers of checkers on the points 1 to 6, for all positions of up to so many, by number."""
    rows = np.zeros((comb(checkers + HOME, HOME), HOME), np.int64)
    for dividers in combinations(range(checkers + HOME), HOME):
        number = sum(comb(place, i + 1) for i, place in enumerate(dividers))
        previous = -1
        for i, place in enumerate(dividers):
            rows[number, HOME - 1 - i] = place - previous - 1
            previous = place
    return rows


def numbers(rows: Array) -> Array:
    """The number of each row of checkers: `index` for arrays."""
    before = np.zeros(len(rows), np.int64)
    number = np.zeros(len(rows), np.int64)
    for point in range(HOME, 0, -1):
        before += rows[:, point - 1]
        number += CHOOSE[before + HOME - point, HOME + 1 - point]
    return number


def successors(rows: Array) -> Array:
    """For each die, position and point: where moving one checker from that point leads; -1 if it cannot."""
    after = np.full((7, len(rows), HOME), -1, np.int64)
    for die in range(1, 7):
        for point in range(1, HOME + 1):
            can = rows[:, point - 1] > 0
            if point < die:  # a higher number bears off the rearmost alone
                can &= rows[:, point:].sum(axis=1) == 0
            moved = rows[can]
            moved[:, point - 1] -= 1
            if point > die:
                moved[:, point - die - 1] += 1
            after[die, can, point - 1] = numbers(moved)
    return after


def by_pips(rows: Array) -> list[Array]:
    """The positions of each pip count."""
    pips = rows @ np.arange(1, HOME + 1)
    return [np.flatnonzero(pips == number) for number in range(pips.max() + 1)]


def one_sided(checkers: int = CHECKERS) -> tuple[Array, Array]:
    """The least expected number of rolls, and the chance to be done after 0, 1, 2, … rolls, of each position.

    A roll never moves a checker back, so positions are settled in the order of their pip counts.
    """
    rows = positions(checkers)
    after = successors(rows)
    expected = np.zeros(len(rows))
    done = np.zeros((len(rows), MOST + 1))
    done[0] = 1.0
    # The position that is best to leave, with one to four moves of a die still to make; none are made at 0.
    best = np.tile(np.arange(len(rows)), (7, 5, 1))
    for layer in by_pips(rows)[1:]:
        for die in range(1, 7):
            for times in range(1, 5):
                best[die, times, layer] = _least(expected, best[die, times - 1], after[die, layer])
        for a, b, weight in ROLLS:
            if a == b:
                left = best[a, 4, layer]
            else:
                first = _least(expected, best[b, 1], after[a, layer])
                second = _least(expected, best[a, 1], after[b, layer])
                left = np.where(expected[first] <= expected[second], first, second)
            expected[layer] += weight * expected[left]
            done[layer, 1:] += weight * done[left, :-1]
        expected[layer] += 1.0
        best[:, 0, layer] = layer
    return expected, done


def _least(expected: Array, best: Array, after: Array) -> Array:
    """Of the positions that several moves lead to, the best to leave: the one soonest done."""
    reached = np.where(after < 0, 0, best[after])
    costs = np.where(after < 0, np.inf, expected[reached])
    return np.take_along_axis(reached, costs.argmin(axis=1)[:, None], axis=1)[:, 0]


def two_sided(checkers: int = FEW) -> Array:
    """The chance to win of the player to roll, by that player's position and the opponent's."""
    rows = positions(checkers)
    after = successors(rows)
    layers = by_pips(rows)
    size = len(rows)
    wins = np.zeros((size, size))
    # What a position is worth once one has still to make 0 to 4 moves of a die, the opponent then to roll.
    worth = np.zeros((7, 5, size, size))
    worth[:, :, 0, :] = 1.0
    for total in range(2 * len(layers) - 1):
        mine, theirs = _pairs(layers, total)
        settled = np.zeros(len(mine))
        for die in range(1, 7):
            for times in range(1, 5):
                worth[die, times, mine, theirs] = _most(worth[die, times - 1], after[die], mine, theirs)
        for a, b, weight in ROLLS:
            if a == b:
                settled += weight * worth[a, 4, mine, theirs]
            else:
                first = _most(worth[b, 1], after[a], mine, theirs)
                settled += weight * np.maximum(first, _most(worth[a, 1], after[b], mine, theirs))
        settled[theirs == 0] = 0.0  # the game is over
        settled[mine == 0] = 1.0
        wins[mine, theirs] = settled
        worth[:, 0, theirs, mine] = np.where(theirs == 0, 1.0, 1.0 - settled)
    return wins


def _pairs(layers: list[Array], total: int) -> tuple[Array, Array]:
    """The pairs of positions whose pip counts add up to a total."""
    parts = [
        np.meshgrid(layers[one], layers[total - one], indexing="ij")
        for one in range(max(0, total - len(layers) + 1), min(total, len(layers) - 1) + 1)
    ]
    mine = np.concatenate([part[0].ravel() for part in parts])
    return mine, np.concatenate([part[1].ravel() for part in parts])


def _most(worth: Array, after: Array, mine: Array, theirs: Array) -> Array:
    """The most that a move is worth in each pair of positions; with no checker left, the game is won."""
    most = np.where(mine == 0, 1.0, -np.inf)
    for point in range(HOME):
        reached = after[mine, point]
        np.maximum(most, np.where(reached < 0, -np.inf, worth[reached, theirs]), out=most)
    return most


@lru_cache(maxsize=1)
def tables() -> tuple[Array, Array]:
    """The tables that games read: done after so many rolls, and chances to win, in 65,535ths."""
    with np.load(FILE, allow_pickle=False) as kept:
        done = np.cumsum(kept["steps"].T, axis=1, dtype=np.uint16)
        two = raced(done[: comb(FEW + HOME, HOME)]) + kept["corrections"]
    return np.ascontiguousarray(done), two.astype(np.uint16)


def raced(done: Array) -> Array:
    """The chance to win of the player to roll, by both positions, if each only hurries, in 65,535ths.

    One wins by being done in a roll in which the other, who rolls later, is not yet done.
    """
    done = done.astype(np.int64)
    steps = np.diff(done, axis=1, prepend=0)
    won: Array = steps @ (UNIT - (done - steps)).T
    return won // UNIT


def rounded(chances: Array) -> Array:
    """Chances in 65,535ths."""
    units: Array = np.rint(chances * UNIT)
    return units.astype(np.uint16)


def main() -> None:
    """Make the file of both tables, as the differences that are small: half the size."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m plies.games.backgammon_bear_off FILE")
    done = rounded(one_sided()[1])
    done = done[:, : int((done < UNIT).any(axis=0).sum()) + 1]
    two = rounded(two_sided())
    np.savez_compressed(
        sys.argv[1],
        steps=np.diff(done, axis=1, prepend=np.uint16(0)).T,
        corrections=(two - raced(done[: len(two)])).astype(np.int16),
    )


if __name__ == "__main__":
    main()
