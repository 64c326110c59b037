"""Bitboards: sets of cells in one 64-bit integer, with one meaning interpreted and compiled.

A bitboard is a signed 64-bit integer, so that interpreted and compiled rules hold the same number:
bit 63 is the sign. Where it may be set, shift with `left` and `right`, which drop bits at both ends, and
compute with `add` and `multiply`: compiled code assumes that plain + and * do not overflow.
"""

from __future__ import annotations

import enum
import hashlib
import struct
from collections.abc import Iterator
from typing import Any

from plies.errors import BrokenRule

_MASK = (1 << 64) - 1  # the lowest 64 bits
_WRAP = 1 << 64
GOLDEN = -7046029254386353131
"""2^64 divided by the golden ratio: `mix` of its multiples is as good as random (SplitMix64, Steele et al.
2014)."""

_TUPLE = 6364136223846793005  # distinguishes a tuple from a number: the multiplier of Knuth's MMIX generator

# Constants of the verification key, unlike those of the key: the first digits of the fractional parts of the
# square roots of 2, 3, 5 and 7, made odd where they multiply.
_CHECK_TUPLE = 7640891576956012809
_CHECK_ITEM = -4942790177534073029
_CHECK_CHAIN = 4354685564936845355
_CHECK_LEAF = -6534734903238641935


def signed(x: int) -> int:
    """The signed 64-bit integer with the same lowest 64 bits."""
    x &= _MASK
    return x - _WRAP if x >> 63 else x


def popcount(x: int) -> int:
    """The number of bits set."""
    return (x & _MASK).bit_count()


def lowest(x: int) -> int:
    """The index of the lowest bit set; x must not be 0."""
    return (x & -x & _MASK).bit_length() - 1


def highest(x: int) -> int:
    """The index of the highest bit set; x must not be 0."""
    return (x & _MASK).bit_length() - 1


def left(x: int, n: int) -> int:
    """x shifted left by n (0 to 63) places; what passes bit 63 is lost."""
    x = x << n & _MASK  # not by way of `signed`: interpreted, a call takes longer than all the rest
    return x - _WRAP if x >> 63 else x


def right(x: int, n: int) -> int:
    """x shifted right by n (0 to 63) places, zeros coming in from the left."""
    x = (x & _MASK) >> n
    return x - _WRAP if x >> 63 else x


def reverse(x: int, n: int) -> int:
    """The lowest n (1 to 64) bits in reverse order: a board of n cells, turned by half a turn."""
    x = int(f"{x & _MASK:064b}"[::-1], 2) >> 64 - n
    return x - _WRAP if x >> 63 else x


def swap_bytes(x: int) -> int:
    """The eight bytes in reverse order: a board of 8 x 8 cells, upside down."""
    return int.from_bytes((x & _MASK).to_bytes(8, "big"), "little", signed=True)


def indices(x: int) -> Iterator[int]:
    """The indices of the bits set, lowest first."""
    while x != 0:
        yield lowest(x)
        x = x & add(x, -1)


def hash64(value: Any) -> int:
    """A well-mixed signed 64-bit hash, the same in every process for numbers, words and tuples of these."""
    if isinstance(value, int):
        return mix(value)
    if isinstance(value, (tuple, list)):
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


def check64(value: Any) -> int:
    """A second 64-bit hash of a value, independent of `hash64`: the verification key.

    Two values that collide in one of them are no likelier than others to collide in the other.
    """
    if type(value) is int and -(1 << 63) <= value < 1 << 63:
        return _check_number(value)
    if isinstance(value, enum.Enum):
        return check64((type(value).__qualname__, value.name))
    if isinstance(value, int):
        return _check_number(signed(value)) if -(1 << 63) <= value < 1 << 63 else check64(str(value))
    if isinstance(value, (tuple, list)):
        h = multiply(len(value) ^ _CHECK_TUPLE, _CHECK_CHAIN)
        for item in value:
            h = check_chain(h, check64(item))
        return h
    if isinstance(value, float):
        return _check_number(int.from_bytes(struct.pack("<d", value + 0.0), "little", signed=True) ^ 1)
    if isinstance(value, str | bytes):
        text = value.encode() if isinstance(value, str) else value
        return int.from_bytes(
            hashlib.blake2b(text, digest_size=8, salt=b"check").digest(), "little", signed=True
        )
    if value is None:
        return _CHECK_TUPLE
    if isinstance(value, set | frozenset):
        return check64(("set", *sorted(map(check64, value))))
    if isinstance(value, dict):
        return check64(("dict", *sorted(check64(item) for item in value.items())))
    if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a scalar of NumPy's
        return check64(value.item())
    fields = _fields(value)
    if fields is None:
        raise BrokenRule(
            f"a state holds a {type(value).__name__}, which cannot be hashed reliably: "
            "states are numbers, words, tuples, sets and dataclasses of these"
        )
    return check64((type(value).__qualname__, *fields))


def _fields(value: Any) -> list[Any] | None:
    """The attributes of an object of a user's class; None if they cannot be seen."""
    if hasattr(value, "__dict__"):
        return sorted(vars(value).items())
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    return [(name, getattr(value, name)) for name in slots if hasattr(value, name)] if slots else None


def check_chain(h: int, item: int) -> int:
    """The verification key of a tuple, with one more item."""
    h = (h + item ^ _CHECK_ITEM) * _CHECK_CHAIN & _MASK
    h ^= h >> 32
    return h - _WRAP if h >> 63 else h


def _check_number(x: int) -> int:
    x = (x ^ _CHECK_LEAF) * _CHECK_ITEM & _MASK
    x = (x ^ x >> 29) * _CHECK_CHAIN & _MASK
    x ^= x >> 32
    return x - _WRAP if x >> 63 else x


def mix(x: int) -> int:
    """SplitMix64's finaliser: every bit of x affects every bit of the result; its constants are
    Stafford's."""
    x = x + GOLDEN & _MASK  # so that 0 does not stay 0
    x = (x ^ x >> 30) * -4658895280553007687 & _MASK
    x = (x ^ x >> 27) * -7723592293110705685 & _MASK
    x ^= x >> 31
    return x - _WRAP if x >> 63 else x


def add(x: int, y: int) -> int:
    """The lowest 64 bits of x plus y."""
    x = x + y & _MASK
    return x - _WRAP if x >> 63 else x


def multiply(x: int, y: int) -> int:
    """The lowest 64 bits of x times y."""
    x = x * y & _MASK
    return x - _WRAP if x >> 63 else x
