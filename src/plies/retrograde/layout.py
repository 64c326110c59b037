"""How the numbers of a state are packed into words of 64 bits: each takes the bits it was seen to need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from plies.bits import GOLDEN, add, left, mix, right, signed

Array = np.ndarray[Any, Any]

NEAR = 1 << 31
"""A number that falls below 0 by no more than this is counted from its least value; one that falls further is
a bitboard with bit 63 set."""


class Layout:
    """Where the bits of a state's numbers are in its words: in pieces, each a run of bits of one number.

    `low` is the least value of each number, and `seen` the bits that it was seen to have beyond that.
    """

    def __init__(self, low: list[int], seen: list[int]) -> None:
        self.low, self.seen = low, seen
        whole = [[(0, bits.bit_length())] if bits else [] for bits in seen]
        runs = [_runs(bits) for bits in seen]
        fewer = _words(runs) < _words(whole)  # pieces cost time, and words cost time and memory
        chosen = runs if fewer else whole
        masks = [signed(sum(((1 << width) - 1) << first for first, width in parts)) for parts in chosen]
        self.numbers = np.array([[least, mask] for least, mask in zip(low, masks, strict=True)], np.int64)
        """For each number, its least value and the bits that there is a place for."""
        pieces, bit = [], 0
        for number, parts in enumerate(chosen):
            for first, width in parts:
                while width:
                    here = min(width, 64 - bit % 64)
                    pieces.append((number, first, signed((1 << here) - 1), bit // 64, bit % 64))
                    first, width, bit = first + here, width - here, bit + here
        self.pieces = np.array(pieces, np.int64).reshape(-1, 5)
        """For each piece: its number and the first bit there, a mask, its word and the first bit there."""
        self.bits, self.words = bit, max(1, -(-bit // 64))

    @staticmethod
    def of(low: Iterable[Any], high: Iterable[Any], seen: Iterable[Any]) -> Layout:
        """The layout for numbers with these least and greatest values, of which these bits have been seen."""
        lows, bits = [], []
        for least, greatest, some in zip(map(int, low), map(int, high), map(int, seen), strict=True):
            counted = -NEAR < least < 0 and greatest - least < 1 << 62
            lows.append(least if counted else 0)
            bits.append((1 << (greatest - least).bit_length()) - 1 if counted else some % (1 << 64))
        return Layout(lows, bits)

    def widened(self, rows: Array) -> Layout:
        """The layout for these rows as well."""
        least, greatest = zip(*map(_range, self.low, self.seen), strict=True)
        low, high = np.minimum(least, rows.min(0)), np.maximum(greatest, rows.max(0))
        # Of a number that was counted from below 0, any bit may have been set.
        before = [-1 if low else signed(bits) for low, bits in zip(self.low, self.seen, strict=True)]
        seen = np.bitwise_or.reduce(rows, 0) | np.array(before)
        return Layout.of(low, high, seen)

    def packed(self, rows: Array) -> Array:
        """Rows of numbers as words; they must fit."""
        words = np.zeros((len(rows), self.words), np.uint64)
        for number, first, mask, word, place in self.pieces.tolist():
            bits = (rows[:, number] - self.numbers[number, 0]).view(np.uint64) >> np.uint64(first)
            words[:, word] |= (bits & np.uint64(mask % (1 << 64))) << np.uint64(place)
        return words.view(np.int64)

    def unpacked(self, words: Array) -> Array:
        """Words as rows of numbers."""
        rows = np.zeros((len(words), len(self.low)), np.uint64)
        for number, first, mask, word, place in self.pieces.tolist():
            bits = np.ascontiguousarray(words[:, word]).view(np.uint64) >> np.uint64(place)
            rows[:, number] |= (bits & np.uint64(mask % (1 << 64))) << np.uint64(first)
        return rows.view(np.int64) + self.numbers[:, 0]

    def fits(self, rows: Array) -> Array:
        """Whether there is a place for all bits of each of these rows."""
        lost = (rows - self.numbers[:, 0]) & ~self.numbers[:, 1]
        found: Array = np.all(lost == 0, axis=1)
        return found


def _range(low: int, seen: int) -> tuple[int, int]:
    """The least and the greatest value of a number."""
    return (-(1 << 63), (1 << 63) - 1) if seen >> 63 else (low, low + seen)


def _runs(bits: int) -> list[tuple[int, int]]:
    """The runs of ones of a number: where each begins, and how long it is."""
    found, place = [], 0
    while bits >> place:
        width = 0
        while bits >> place + width & 1:
            width += 1
        if width:
            found.append((place, width))
        place += width + 1
    return found


def _words(parts: list[list[tuple[int, int]]]) -> int:
    return -(-sum(width for number in parts for _, width in number) // 64)


def hashes_of(words: Array) -> Array:
    """The hash of each row of words: see `hash_words`."""
    hashes = np.zeros(len(words), np.uint64)
    for column in np.ascontiguousarray(words.T).view(np.uint64):
        hashes = _mixed(hashes ^ column)
    return hashes.view(np.int64)


def _mixed(x: Array) -> Array:
    """`plies.bits.mix` of each number."""
    multipliers: list[Any] = [-4658895280553007687 % (1 << 64), -7723592293110705685 % (1 << 64)]
    x = x + np.uint64(GOLDEN % (1 << 64))
    x = (x ^ (x >> np.uint64(30))) * np.uint64(multipliers[0])
    x = (x ^ (x >> np.uint64(27))) * np.uint64(multipliers[1])
    mixed: Array = x ^ (x >> np.uint64(31))
    return mixed


# -- The same in kernels, a state at a time.


def pack(row: Any, numbers: Any, pieces: Any, words: Any, place: int) -> int:
    """Pack a row of numbers, which is spoilt, into a row of words; returns the bits that do not fit."""
    lost = 0
    for i in range(len(row)):
        number = add(int(row[i]), -int(numbers[i, 0]))
        row[i] = number
        lost |= number & ~int(numbers[i, 1])
    for i in range(words.shape[1]):
        words[place, i] = 0
    for i in range(len(pieces)):
        bits = right(int(row[pieces[i, 0]]), int(pieces[i, 1])) & int(pieces[i, 2])
        words[place, pieces[i, 3]] |= left(bits, int(pieces[i, 4]))
    return lost


def unpack(words: Any, place: int, numbers: Any, pieces: Any, row: Any) -> None:
    """Write the numbers of a row of words into a row."""
    for i in range(len(row)):
        row[i] = 0
    for i in range(len(pieces)):
        bits = right(int(words[place, pieces[i, 3]]), int(pieces[i, 4])) & int(pieces[i, 2])
        row[pieces[i, 0]] |= left(bits, int(pieces[i, 1]))
    for i in range(len(row)):
        row[i] = add(int(row[i]), int(numbers[i, 0]))


def hash_words(words: Any, place: int) -> int:
    """A 64-bit hash of a row of words."""
    h = 0
    for i in range(words.shape[1]):
        h = mix(h ^ int(words[place, i]))
    return h


def precedes(words: Any, one: int, other: int) -> bool:
    """Whether a row of words comes before another, as numbers compare from the first word on."""
    for i in range(words.shape[1]):
        if words[one, i] != words[other, i]:
            return bool(words[one, i] < words[other, i])
    return False
