"""The order of a database: states by their hashes, so that look-ups find them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from plies.retrograde.enumeration import Part, run
from plies.retrograde.kernels import passes
from plies.retrograde.layout import Array, hashes_of

CROWD = 4
"""The entries of a bucket, on average; they are compared one after the other. Not tuned."""

MANY = 1 << 18
"""States from which on they are arranged by a kernel: below, NumPy sorts them sooner than it compiles."""


def arranged(parts: Sequence[Part]) -> tuple[Array, Array, Array]:
    """The states of all parts, ordered by hash; the value and distance of each, as rows of `info`; and where
    the states begin whose hash begins with each number."""
    count = sum(part.n for part in parts)
    if count < MANY:
        words = np.concatenate([part.states[: part.n] for part in parts])
        info = np.concatenate([part.info[: part.n] for part in parts])
        order, starts = index_by_hash(words)
        return words[order], info[order], starts
    bits = _bits(count)
    words, info = np.empty((count, parts[0].states.shape[1]), np.int64), np.empty((count, 4), np.int16)
    # A counter for each bucket: first of its entries, then of the place that the next one takes.
    places = np.zeros(1 << bits, np.uint32)
    borders = [(i << bits) // len(parts) for i in range(len(parts) + 1)]

    def arrange(number: int, starts: Array) -> None:
        for part in parts:
            given = part.states, part.info, part.n, 64 - bits, borders[number], borders[number + 1]
            run(passes.arrange, *given, starts, places, words, info)

    with ThreadPoolExecutor(len(parts)) as pool:  # each thread fills buckets of its own
        list(pool.map(lambda number: arrange(number, places[:0]), range(len(parts))))
        starts = np.zeros(len(places) + 1, np.uint32)
        np.cumsum(places, out=starts[1:])
        places[:] = starts[:-1]
        list(pool.map(lambda number: arrange(number, starts), range(len(parts))))
    return words, info, starts


def index_by_hash(words: Array) -> tuple[Array, Array]:
    """The order of states by hash, and where those begin whose hash begins with each number."""
    keys = hashes_of(words).view(np.uint64)
    order = np.argsort(keys)
    if np.any(keys[order[1:]] == keys[order[:-1]]):  # so that the order depends on the states alone
        order = np.lexsort((*words.T[::-1], keys))
    bits = _bits(len(words))
    first = np.arange((1 << bits) + 1, dtype=np.uint64)
    starts = np.searchsorted(keys[order], first[:-1] << np.uint64(64 - bits)).astype(np.uint32)
    return order, np.append(starts, np.uint32(len(words)))


def _bits(count: int) -> int:
    """The bits of a hash that choose a bucket."""
    return max(1, (count // CROWD).bit_length())
