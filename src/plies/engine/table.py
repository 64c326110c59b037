"""The transposition table: scores of positions searched before, in memory of a given size.

Greenblatt, Eastlake and Crocker, The Greenblatt Chess Program, 1967. An entry is two words, `check ^ data`
and `data`, so that two threads that write at once leave an entry that matches no check rather than a false
one (Hyatt and Mann, A Lock-less Transposition Table, 2002). The key, such as a Zobrist key (1970), selects
the bucket; the check identifies the entry: it is the key itself or, in a proof where keys are not exact,
PREFIX bits of the key and the others of a verification key. Replacement is depth-preferred, with aging: of
the two entries of a bucket the deeper is kept, unless it is of an earlier search (Breuker et al., Replacement
Schemes for Transposition Tables, 1994).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.compiled.workspace import prefetch as prefetch_line
from plies.errors import BadParameter, PliesError

EXACT, LOWER, UPPER = 3, 1, 2
"""What a stored score is: exact, a lower bound, or an upper bound; bits, so that EXACT is both bounds."""

SOLVED = 192
"""From this depth on, an entry's value rests on terminal states alone: SOLVED plus the binary logarithm of
the nodes it took, at most 63, so that of two solved entries the costlier stays. The depth has 8 bits: 192 +
63."""

# The data word, from the lowest bit: bound 2 bits, age 5, elsewhere 1, depth 8, index of the best action plus
# one 10, score 38: 64 in all.
AGES = 1 << 5
"""The number of ages: 5 bits."""

MOST_ACTIONS = (1 << 10) - 2
"""The greatest index of a best action: plus one, it has 10 bits."""

NOTHING = 0
"""The data word of an empty entry: no bound is 0."""


PREFIX = 0x1FFFF << 32
"""The bits of the key in the check of a proof, 17; the other 47 are of the verification key. With the 15 bits
that selected the bucket in a table of FIRST megabytes, they give its bucket in a larger one."""

BUCKET = 4
"""The words of a bucket: two entries of two."""

LINE = 64
"""The bytes of a cache line; a bucket lies within one."""


FIRST = 1.0
"""The megabytes that a search begins with, which fit in a processor's cache; it takes the rest once these are
full. Not tuned."""


def new(megabytes: float) -> np.ndarray[Any, Any]:
    """An empty table of that size."""
    words = BUCKET * max(2, int(checked(megabytes) * 2**20) // (8 * BUCKET))
    try:
        room = np.zeros(words + LINE // 8, np.int64)
    except MemoryError:
        raise PliesError(f"not enough memory for a table of {megabytes:,g} megabytes") from None
    offset = -room.ctypes.data % LINE // 8
    return room[offset : offset + words]


def checked(megabytes: float) -> float:
    """The size of a table, checked."""
    number = isinstance(megabytes, int | float | np.number) and not isinstance(megabytes, bool)
    if not number or not 0 < megabytes <= 1 << 20:  # false for nan too
        raise BadParameter(
            f"the memory is a number of megabytes, above 0 and up to {1 << 20:,}, not {megabytes!r}"
        )
    return megabytes


def grown(table: np.ndarray[Any, Any], megabytes: float) -> np.ndarray[Any, Any]:
    """A table of that size, with all entries of one of FIRST megabytes."""
    larger = new(megabytes)
    buckets = np.repeat(np.arange(len(table) // BUCKET), 2)
    entries = table.reshape(-1, 2)
    met = entries[:, 1] != NOTHING
    entries, buckets = entries[met], buckets[met]
    # Of the key, a check has the bits of PREFIX for sure; those above follow from the bucket.
    keys = (entries[:, 0] ^ entries[:, 1]) & PREFIX | buckets << 49
    places = ((keys >> 32) & 0xFFFFFFFF) * (len(larger) // BUCKET) >> 32
    # Entries that share a bucket in the larger table shared one in the smaller, side by side.
    second = np.zeros(len(places), bool)
    second[1:] = places[1:] == places[:-1]
    larger.reshape(-1, 2, 2)[places, second.astype(int)] = entries
    return larger


def permille_used(table: np.ndarray[Any, Any]) -> int:
    """How full a table is, of a thousand entries: estimated by its first thousand."""
    return int(1000 * np.mean(table[1 : 2 * 1000 : 2] != NOTHING))


def pack(score: int, best: int, depth: int, bound: int, age: int, elsewhere: int = 0) -> int:
    """The data word of an entry; `best` is the index of an action, or -1.

    `elsewhere`: 1 if the score may depend on the path or the clock, and be different on another.
    """
    return (score << 26) | ((best + 1) << 16) | (depth << 8) | (elsewhere << 7) | (age << 2) | bound


def score_of(data: int) -> int:
    """The score in a data word."""
    return data >> 26


def best_of(data: int) -> int:
    """The index of the best action in a data word, or -1."""
    return ((data >> 16) & 1023) - 1


def age_of(data: int) -> int:
    """The age in a data word."""
    return (data >> 2) & (AGES - 1)


def is_elsewhere(data: int) -> int:
    """Whether the score in a data word may depend on the path or the clock: 1 if so."""
    return (data >> 7) & 1


def depth_of(data: int) -> int:
    """The depth in a data word."""
    return (data >> 8) & 255


def bound_of(data: int) -> int:
    """The kind of bound in a data word; 0 in an empty one."""
    return data & 3


def bucket(table: Any, key: int) -> int:
    """Where the bucket of a key begins."""
    buckets: int = len(table) // BUCKET
    return (((key >> 32) & 0xFFFFFFFF) * buckets >> 32) * BUCKET


def prefetch(table: Any, key: int) -> None:
    """Prefetch the bucket of a key."""
    prefetch_line(table, bucket(table, key))


def probe(table: Any, key: int, check: int) -> int:
    """The data word stored for a key, or NOTHING."""
    place = bucket(table, key)
    for _ in range(2):
        data = int(table[place + 1])
        if int(table[place]) ^ data == check:
            return data
        place += 2
    return NOTHING


def combined(key: int, verification_key: int) -> int:
    """The check of an entry that is a proof."""
    return key & PREFIX | verification_key & ~PREFIX


def store(table: Any, key: int, check: int, data: int) -> None:
    """Store a data word for a key, in place of its own entry or of the shallower or older one."""
    first = bucket(table, key)
    other = first + 2
    here, there = int(table[first + 1]), int(table[other + 1])
    place = first
    if (int(table[first]) ^ here ^ check) & PREFIX != 0 and (
        (int(table[other]) ^ there ^ check) & PREFIX == 0 or _worth(there, data) < _worth(here, data)
    ):
        place = other
    table[place] = check ^ data
    table[place + 1] = data


def _worth(old: int, new: int) -> int:
    """The replacement priority of an entry: its depth, or -1 if it is of an earlier search."""
    if (old ^ new) & (AGES - 1 << 2):
        return -1
    return (old >> 8) & 255
