"""The kernels that look up states in a database."""

from __future__ import annotations

import numpy as np

from plies.bits import right
from plies.compiled import kernel
from plies.compiled.packing import read_state
from plies.retrograde.kernels.successors import represent
from plies.retrograde.layout import hash_words, unpack


@kernel
def find(game, state, words, starts, shift, work):
    """The number of a state's entry; -1 if there is none. A file that says nonsense leads nowhere else."""
    if represent(game, state, work) != 0:
        return -1
    bucket = right(hash_words(work.packed, 0), shift)
    number, last = np.int64(starts[bucket]), np.int64(starts[bucket + 1])
    while number < last and number < len(words):
        same = True
        for i in range(words.shape[1]):
            same = same and words[number, i] == work.packed[0, i]
        if same:
            return number
        number += 1
    return -1


@kernel
def count_lost(game, like, words, starts, shift, work, first, last):
    """How many of the entries from first to last - 1 are not found where their states are looked up."""
    lost = 0
    for number in range(first, last):
        unpack(words, number, work.numbers, work.pieces, work.row)
        if find(game, read_state(like, work.row), words, starts, shift, work) != number:
            lost += 1
    return lost
