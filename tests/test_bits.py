"""The interpreted meaning of `plies.bits`, against Python's unbounded integers cut to 64 bits."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies import bits

words = st.integers(-(1 << 63), (1 << 63) - 1) | st.sampled_from(
    [0, 1, -1, 1 << 62, -(1 << 63), (1 << 63) - 1]
)
shifts = st.integers(0, 63)


def pattern(x: int) -> str:
    """The 64 bits of x as characters, the highest first."""
    return "".join("1" if x >> i & 1 else "0" for i in reversed(range(64)))


def number(pattern: str) -> int:
    """The signed integer whose bits these are: the highest counts negative."""
    return int(pattern, 2) - (1 << 64) * (pattern[0] == "1")


@given(st.integers())
def test_signed_keeps_the_lowest_64_bits(x: int) -> None:
    assert bits.signed(x) == number(pattern(x))


@given(words)
def test_popcount(x: int) -> None:
    assert bits.popcount(x) == pattern(x).count("1")


@given(words.filter(bool))
def test_lowest(x: int) -> None:
    assert bits.lowest(x) == pattern(x)[::-1].index("1")


@given(words.filter(bool))
def test_highest(x: int) -> None:
    assert bits.highest(x) == 63 - pattern(x).index("1")


@given(words, shifts)
def test_shifts_lose_what_falls_off(x: int, n: int) -> None:
    assert bits.left(x, n) == number((pattern(x) + "0" * n)[-64:])
    assert bits.right(x, n) == number(("0" * n + pattern(x))[:64])


@given(words)
def test_indices_come_lowest_first(x: int) -> None:
    assert list(islice(bits.indices(x), 65)) == [i for i in range(64) if pattern(x)[63 - i] == "1"]


@given(words, words)
def test_multiply_wraps(x: int, y: int) -> None:
    assert bits.multiply(x, y) == number(pattern(x * y))


@given(words, words)
def test_mix_tells_all_numbers_apart(x: int, y: int) -> None:
    assert (bits.mix(x) == bits.mix(y)) == (x == y)
    assert -(1 << 63) <= bits.mix(x) < 1 << 63


@pytest.mark.no_cover
def test_mix_carries_every_bit_to_every_bit() -> None:
    samples = [bits.mix(i * 7919) for i in range(1, 400)]
    for flipped in range(64):
        changes = [
            pattern(bits.mix(i * 7919 ^ bits.left(1, flipped)) ^ mixed) for i, mixed in enumerate(samples, 1)
        ]
        for place in range(64):
            share = sum(change[place] == "1" for change in changes) / len(changes)
            assert 0.3 < share < 0.7, (flipped, place)


def nested(fields: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.recursive(fields, lambda inner: st.tuples(inner, inner) | st.tuples(inner))


floats = st.floats(allow_nan=False).map(lambda x: x + 0.0)  # without -0.0


@given(st.tuples(nested(words), nested(words)) | st.tuples(nested(floats), nested(floats)))
def test_hash64_tells_states_apart(pair: tuple[object, object]) -> None:
    assert (bits.hash64(pair[0]) == bits.hash64(pair[1])) == (pair[0] == pair[1])


def test_hash64_depends_on_order_and_nesting() -> None:
    values = [0, 1, (0,), (1,), (0, 0), (0, 1), (1, 0), ((0, 1),), ((0,), 1), (0, (1,)), (), ((),), 1.5, -1.5]
    assert len({bits.hash64(value) for value in values}) == len(values)
    assert bits.hash64(-0.0) == bits.hash64(0.0)


def test_hash64_is_the_same_in_every_process() -> None:
    program = "from plies.bits import hash64; print(hash64((3, (-1, 2.5), 1 << 62)))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert printed == {f"{bits.hash64((3, (-1, 2.5), 1 << 62))}\n"}


@pytest.mark.parametrize("value", ["text", frozenset({1, 2}), None])
def test_hash64_takes_any_hashable_value(value: object) -> None:
    assert bits.hash64((value, 1)) == bits.hash64((value, 1)) != bits.hash64((value, 2))
