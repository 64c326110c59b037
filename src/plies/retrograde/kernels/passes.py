"""The kernels that are the same for all games: numbers of states, predecessors, values backwards.

Each of one or more threads owns the states whose hash falls to it, so nothing is locked. Memory is fetched
ahead, since nearly every access is a miss of the cache.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.bits import left, right
from plies.compiled import kernel
from plies.compiled.workspace import prefetch
from plies.game import Game
from plies.retrograde.layout import hash_words

BATCH = 64
"""States whose slots are fetched together. Not tuned."""

NOBODY = 0xFFFFFFFF
"""The source of a root, which is nobody's successor."""

NUMBER = 0xFFFFFFFF
"""The bits of a slot that number a state, from 1; the others are a tag, the lowest bits of its hash."""

NO_STATE = -3
"""The mover where a number stands for no state."""


class AnyGame(Game):
    """The game of kernels that need none: they are compiled once."""

    def initial(self) -> int:
        return 0


ANY_GAME = AnyGame()


@kernel
def insert(game, _, incoming, source, count, states, slots, shift, n, children, parents, m):
    """Number the states that came in, new ones from n on, and keep an edge to each from its source.

    Returns how many states and edges there are then.
    """
    words, last = states.shape[1], len(slots) - 1
    at, tags = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    for base in range(0, count, BATCH):
        size = min(BATCH, count - base)
        for j in range(size):
            h = hash_words(incoming, base + j)
            at[j] = right(h, shift)
            tags[j] = h & NUMBER
            prefetch(slots, at[j])
        for j in range(size):
            entry = int(slots[at[j]])
            if entry != 0 and right(entry, 32) == tags[j]:
                prefetch(states, words * ((entry & NUMBER) - 1))
        for j in range(size):
            slot = int(at[j])
            number = -1
            while number < 0:
                entry = int(slots[slot])
                if entry == 0:
                    slots[slot] = left(int(tags[j]), 32) | (n + 1)
                    for i in range(words):
                        states[n, i] = incoming[base + j, i]
                    number = n
                    n += 1
                elif right(entry, 32) == tags[j]:
                    same = True
                    for i in range(words):
                        same = same and states[(entry & NUMBER) - 1, i] == incoming[base + j, i]
                    if same:
                        number = (entry & NUMBER) - 1
                slot = (slot + 1) & last
            if source[base + j] != NOBODY:
                children[m] = number
                parents[m] = source[base + j]
                m += 1
    return n, m


@kernel
def rehash(game, _, states, n, slots, shift):
    """Fill larger slots with the states that there are."""
    last = len(slots) - 1
    at, tags = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    for base in range(0, n, BATCH):
        size = min(BATCH, n - base)
        for j in range(size):
            h = hash_words(states, base + j)
            at[j] = right(h, shift)
            tags[j] = h & NUMBER
            prefetch(slots, at[j])
        for j in range(size):
            slot = int(at[j])
            while slots[slot] != 0:
                slot = (slot + 1) & last
            slots[slot] = left(int(tags[j]), 32) | (base + j + 1)
    return 0


@kernel
def transpose(game, _, children, parents, m, n, start, into):
    """Sort edges by child: the parents of child c are into[start[c] : start[c + 1]]."""
    for e in range(m):
        if e + 32 < m:
            prefetch(start, np.int64(children[e + 32]) + 1)
        start[np.int64(children[e]) + 1] += 1
    for c in range(n):
        start[c + 1] += start[c]
    for e in range(m):
        if e + 32 < m:
            prefetch(start, np.int64(children[e + 32]))
        if e + 16 < m:
            prefetch(into, np.int64(start[np.int64(children[e + 16])]))
        child = np.int64(children[e])
        into[np.int64(start[child])] = parents[e]
        start[child] += 1
    for c in range(n, 0, -1):
        start[c] = start[c - 1]
    start[0] = 0
    return 0


@kernel
def arrange(game, _, states, info, n, shift, first, last, starts, places, words, ordered):
    """Put the states whose hash is in a bucket from first to last - 1 there, in order of their hashes.

    Without `starts` they are counted, in `places`; with them, `places` says where the next of a bucket goes.
    """
    at, numbers = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    for base in range(0, n, BATCH):
        size = 0
        for number in range(base, min(base + BATCH, n)):
            bucket = right(hash_words(states, number), shift)
            if first <= bucket and bucket < last:
                at[size] = bucket
                numbers[size] = number
                prefetch(places, bucket)
                size += 1
        if len(starts) > 0:
            for j in range(size):
                prefetch(words, words.shape[1] * np.int64(places[at[j]]))
                prefetch(ordered, 4 * np.int64(places[at[j]]))
        for j in range(size):
            place = np.int64(places[at[j]])
            places[at[j]] += 1
            if len(starts) > 0:
                put(states, info, numbers[j], np.int64(starts[at[j]]), place, words, ordered)
    return 0


def put(states: Any, info: Any, number: int, first: int, place: int, words: Any, ordered: Any) -> None:
    """Put a state into its bucket, which begins at `first` and has places before the given one taken."""
    h = hash_words(states, number)
    while place > first and comes_first(states, number, h, words, place - 1):
        for i in range(words.shape[1]):
            words[place, i] = words[place - 1, i]
        for i in range(4):
            ordered[place, i] = ordered[place - 1, i]
        place -= 1
    for i in range(words.shape[1]):
        words[place, i] = states[number, i]
    for i in range(4):
        ordered[place, i] = info[number, i]


def comes_first(states: Any, number: int, hashed: int, words: Any, place: int) -> bool:
    """Whether a state comes before one that has its place: by their hashes, from 0 up, or else by words."""
    other = hash_words(words, place)
    if hashed != other:
        return hashed < other  # of the same sign, since their first bits are those of one bucket
    for i in range(words.shape[1]):
        if states[number, i] != words[place, i]:
            return bool(states[number, i] < words[place, i])
    return False


# -- Values. A row of `info` is: successors that are undecided, mover, value, distance. A value is the level
# of the utility to player 0, from 1 up, negative where it is less than a draw; it is 0 for a draw.


@kernel
def relabel(game, _, info, n, levels):
    """Replace the index of each terminal state's utility by its level."""
    for number in range(n):
        if info[number, 0] == 0 and info[number, 1] != NO_STATE:
            info[number, 2] = levels[info[number, 2]]
    return 0


@kernel
def announce(game, _, info, queue, head, tail, start, into, parts, out, sent):
    """Tell the owners of all predecessors of queue[head:tail] who wins there; returns where it stopped."""
    room, shift = len(out) // parts, 0
    while 1 << shift < parts:  # parts are a power of 2, and a division would take longer than all the rest
        shift += 1
    for k in range(head, tail):
        if k + 16 < tail:
            prefetch(start, np.int64(queue[k + 16]))
        if k + 8 < tail:
            prefetch(into, np.int64(start[np.int64(queue[k + 8])]))
            prefetch(info, 4 * np.int64(queue[k + 8]))
        number = np.int64(queue[k])
        first, last = np.int64(start[number]), np.int64(start[number + 1])
        for owner in range(parts):
            if sent[owner] + last - first > room:
                return k
        winner = 0 if info[number, 2] > 0 else 1
        for e in range(first, last):
            source = np.int64(into[e])
            owner = source & (parts - 1)
            out[owner * room + sent[owner]] = source >> shift << 1 | winner
            sent[owner] += 1
    return tail


@kernel
def decide(game, _, incoming, count, info, level, distance, queue, tail):
    """Note decided successors: a state is won by the first its mover wins, lost by the last that is lost.

    States that this decides join the queue; returns its end.
    """
    for k in range(count):
        if k + 24 < count:
            prefetch(info, 4 * (incoming[k + 24] >> 1))
        number, winner = incoming[k] >> 1, incoming[k] & 1
        if info[number, 0] > 0:
            info[number, 0] = 0 if info[number, 1] == winner else info[number, 0] - 1
            if info[number, 0] == 0:
                info[number, 2] = level if winner == 0 else -level
                info[number, 3] = distance
                queue[tail] = number
                tail += 1
    return tail
