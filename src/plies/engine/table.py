"""The transposition table: what is known of positions met before, in memory of a given size.

An entry is two words, `key ^ data` and `data`, so that two threads that write at once leave an entry that
matches no key rather than a false one; where keys alone do not prove that two states are the same, a third
word holds a second key. Entries come in buckets of two: the deeper stays, unless it is of an earlier search.
"""

from __future__ import annotations

from typing import Any

import numpy as np

EXACT, LOWER, UPPER = 3, 1, 2
"""What a stored score is: the value, a bound it does not fall below, or a bound it does not exceed."""

SOLVED = 192
"""From this depth on, an entry's value rests on terminal states alone: SOLVED plus the work it took, as a
power of two, so that of two solved entries the dearer stays."""

# From the lowest bit: bound 2, age 6, depth 8, index of the best action plus one 10, score 38.
AGES = 1 << 6
MOST_ACTIONS = (1 << 10) - 2
NOTHING = 0


def new(megabytes: float, words: int) -> np.ndarray[Any, Any]:
    """An empty table of that size, in entries of 2 or 3 words."""
    buckets = max(2, int(megabytes * 2**20) // (8 * 2 * words))
    return np.zeros(buckets * 2 * words, np.int64)


def pack(score: int, best: int, depth: int, bound: int, age: int) -> int:
    """The data word of an entry; `best` is the index of an action, or -1."""
    return (score << 26) | ((best + 1) << 16) | (depth << 8) | (age << 2) | bound


def score_of(data: int) -> int:
    """The score in a data word."""
    return data >> 26


def best_of(data: int) -> int:
    """The index of the best action in a data word, or -1."""
    return ((data >> 16) & 1023) - 1


def depth_of(data: int) -> int:
    """The depth in a data word."""
    return (data >> 8) & 255


def bound_of(data: int) -> int:
    """The kind of bound in a data word; 0 in an empty one."""
    return data & 3


def bucket(table: Any, key: int, words: int) -> int:
    """Where the bucket of a key begins."""
    buckets: int = len(table) // (2 * words)
    return (((key >> 32) & 0xFFFFFFFF) * buckets >> 32) * 2 * words


def find(table: Any, key: int, second: int, words: int) -> int:
    """The data word kept for a key, or NOTHING."""
    place = bucket(table, key, words)
    for _ in range(2):
        data = int(table[place + 1])
        if int(table[place]) ^ data == key and (words == 2 or int(table[place + 2]) == second):
            return data
        place += words
    return NOTHING


def keep(table: Any, key: int, second: int, words: int, data: int) -> None:
    """Keep a data word for a key, in place of what is worth less."""
    first = bucket(table, key, words)
    other = first + words
    here, there = int(table[first + 1]), int(table[other + 1])
    place = first
    if int(table[first]) ^ here != key and (
        int(table[other]) ^ there == key or _worth(there, data) < _worth(here, data)
    ):
        place = other
    table[place] = key ^ data
    table[place + 1] = data
    if words == 3:
        table[place + 2] = second


def _worth(old: int, new: int) -> int:
    """How much an entry deserves to stay when a new one comes: its depth, if it is of the same search."""
    if (old ^ new) & (63 << 2):
        return -1
    return (old >> 8) & 255
