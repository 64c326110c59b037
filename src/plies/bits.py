"""Bitboards: sets of cells in one 64-bit integer, with one meaning interpreted and compiled.

A bitboard is a signed 64-bit integer, so that interpreted and compiled rules hold the same number:
bit 63 is the sign. Where it may be set, shift with `left` and `right`, which let bits fall off both ends, and
reckon with `add` and `multiply`: compiled code takes it for granted that plain + and * do not overflow.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import Any

_MASK = (1 << 64) - 1
GOLDEN = -7046029254386353131
"""2^64 divided by the golden ratio: `mix` of numbers that differ by it are as good as random (SplitMix64)."""

_TUPLE = 6364136223846793005  # tells a tuple from a number


def signed(x: int) -> int:
    """The signed 64-bit integer with the same lowest 64 bits."""
    x &= _MASK
    return x - (1 << 64) if x >> 63 else x


def popcount(x: int) -> int:
    """How many bits are set."""
    return (x & _MASK).bit_count()


def lowest(x: int) -> int:
    """The index of the lowest bit set; x must not be 0."""
    return (x & -x & _MASK).bit_length() - 1


def highest(x: int) -> int:
    """The index of the highest bit set; x must not be 0."""
    return (x & _MASK).bit_length() - 1


def left(x: int, n: int) -> int:
    """x shifted left by n (0 to 63) places; what passes bit 63 is lost."""
    return signed(x << n)


def right(x: int, n: int) -> int:
    """x shifted right by n (0 to 63) places, zeros coming in from the left."""
    return signed((x & _MASK) >> n)


def indices(x: int) -> Iterator[int]:
    """The indices of the bits set, lowest first."""
    while x != 0:
        yield lowest(x)
        x = x & add(x, -1)


def hash64(value: Any) -> int:
    """A well-mixed signed 64-bit hash, the same in every process for numbers, words and tuples of these."""
    if isinstance(value, int):
        return mix(signed(value))
    if isinstance(value, tuple | list):
        h = mix(len(value) ^ _TUPLE)
        for item in value:
            h = mix(h ^ hash64(item))
        return h
    if isinstance(value, float):
        return mix(int.from_bytes(struct.pack("<d", value + 0.0), "little", signed=True))  # -0.0 is 0.0
    if isinstance(value, str | bytes):
        text = value.encode() if isinstance(value, str) else value
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little", signed=True)
    return mix(signed(hash(value)))


def mix(x: int) -> int:
    """One round of a 64-bit mixer: every bit of x reaches every bit of the result."""
    x = add(x, GOLDEN)  # so that 0 does not stay 0
    x = multiply(x ^ right(x, 30), -4658895280553007687)
    x = multiply(x ^ right(x, 27), -7723592293110705685)
    return x ^ right(x, 31)


def add(x: int, y: int) -> int:
    """The lowest 64 bits of x plus y."""
    return signed(x + y)


def multiply(x: int, y: int) -> int:
    """The lowest 64 bits of x times y."""
    return signed(x * y)
