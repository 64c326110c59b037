"""The transposition table: what is put in comes out, or nothing does."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plies import bits
from plies.engine import table
from plies.engine.score import SCORE_BITS
from plies.engine.table import EXACT, LOWER, NOTHING, SOLVED, UPPER

KEYS = st.integers(-(2**63), 2**63 - 1)
MOST = (1 << SCORE_BITS - 1) - 1


@given(
    st.integers(-MOST - 1, MOST),
    st.integers(-1, table.MOST_ACTIONS),
    st.integers(0, 255),
    st.sampled_from([EXACT, LOWER, UPPER]),
    st.integers(0, table.AGES - 1),
)
def test_what_is_packed_comes_out_again(score, best, depth, bound, age):
    data = table.pack(score, best, depth, bound, age)
    assert -(2**63) <= data < 2**63
    assert table.score_of(data) == score
    assert table.best_of(data) == best
    assert table.depth_of(data) == depth
    assert table.bound_of(data) == bound
    assert (data >> 2) % table.AGES == age


def test_the_extremes_together():
    for score, best, depth, bound, age in itertools.product(
        (-MOST - 1, -1, 0, 1, MOST), (-1, 0, table.MOST_ACTIONS), (0, 255), (EXACT, LOWER, UPPER), (0, 63)
    ):
        data = np.int64(table.pack(score, best, depth, bound, age))
        found = table.score_of(data), table.best_of(data), table.depth_of(data), table.bound_of(data)
        assert found == (score, best, depth, bound)


def test_nothing_is_no_bound():
    assert table.bound_of(NOTHING) not in (EXACT, LOWER, UPPER)
    assert EXACT == LOWER | UPPER


@pytest.mark.parametrize("megabytes", [1e-9, 0.001, 0.37, 2])
def test_a_table_takes_what_was_asked_and_at_least_four_entries(megabytes):
    made = table.new(megabytes)
    assert made.nbytes <= max(megabytes * 2**20, 8 * 2 * table.BUCKET)
    assert len(made) // 2 >= 4
    assert made.nbytes > megabytes * 2**20 - 8 * table.BUCKET
    assert not made.any()


@pytest.mark.parametrize("megabytes", [1e-9, 0.001, 0.37, 2])
def test_no_bucket_lies_across_two_lines_of_memory(megabytes):
    made = table.new(megabytes)
    assert made.ctypes.data % table.LINE == 0
    assert table.LINE % (8 * table.BUCKET) == 0


@given(key=KEYS, size=st.integers(2, 1000))
def test_a_bucket_lies_within_the_table(key, size):
    place = table.bucket(np.zeros(size * table.BUCKET, np.int64), key)
    assert place % table.BUCKET == 0
    assert 0 <= place <= (size - 1) * table.BUCKET


@given(key=KEYS, check=KEYS, score=st.integers(-MOST, MOST))
def test_what_is_kept_is_found(key, check, score):
    made = table.new(0.001)
    assert table.probe(made, key, check) == NOTHING
    data = table.pack(score, 3, 9, EXACT, 1)
    table.store(made, key, check, data)
    assert table.probe(made, key, check) == data
    assert table.probe(made, key, check ^ 1) == NOTHING


def test_a_second_key_tells_states_with_one_key_apart():
    made = table.new(0.001)
    table.store(made, 77, 1234, table.pack(5, 0, 1, EXACT, 1))
    assert table.probe(made, 77, 1235) == NOTHING


@pytest.mark.parametrize("size", [1.0, 2.0, 3.7, 16])
@pytest.mark.parametrize("proofs", [False, True])
def test_a_grown_table_knows_what_the_smaller_did(size, proofs):
    chance = random.Random(5)
    small = table.new(table.FIRST)
    checks = {}
    for i in range(3000):
        key = bits.hash64(i) if i > 1 else (i + 1) << 32  # the first two share the very first bucket
        data = table.pack(chance.randint(-99, 99), 0, 5, EXACT, 1)
        checks[key] = table.combined(key, bits.check64(i)) if proofs else key
        table.store(small, key, checks[key], data)
    before = {key: table.probe(small, key, check) for key, check in checks.items()}
    large = table.grown(small, size)
    after = {key: table.probe(large, key, check) for key, check in checks.items()}
    kept = [key for key in checks if after[key] != NOTHING]
    assert all(after[key] == before[key] for key in kept)
    if len(large) % len(small) == 0:
        assert after == before
    assert len(kept) > 0.95 * sum(data != NOTHING for data in before.values()) > 2500
    assert np.count_nonzero(large) == 2 * len(kept)


# -- Which entry stays. In the smallest table, keys below 2^63 share a bucket.


def entry(depth: int, age: int = 1, score: int = 0) -> int:
    return table.pack(score, 0, depth, EXACT, age)


def put(made: np.ndarray, number: int, data: int) -> None:
    table.store(made, number << 32, number << 32, data)


def get(made: np.ndarray, number: int) -> int:
    return table.probe(made, number << 32, number << 32)


def keys_left(made: np.ndarray, numbers: range) -> set[int]:
    return {number for number in numbers if get(made, number) != NOTHING}


def test_two_positions_share_a_bucket():
    made = table.new(1e-9)
    put(made, 1, entry(5))
    put(made, 2, entry(1))
    assert keys_left(made, range(1, 3)) == {1, 2}


@pytest.mark.parametrize("depths", list(itertools.permutations([2, 4, 7])))
def test_the_deepest_stays_and_so_does_the_newest(depths):
    made = table.new(1e-9)
    for key, depth in enumerate(depths):
        put(made, key, entry(depth))
    left = keys_left(made, range(3))
    assert left == {2, max((0, 1), key=lambda key: depths[key])}


def test_what_is_solved_with_more_work_stays():
    made = table.new(1e-9)
    for key, depth in enumerate([SOLVED + 9, SOLVED + 2, 40, 41]):
        put(made, key, entry(depth))
    assert keys_left(made, range(4)) == {0, 3}


def test_what_an_earlier_search_left_goes_first_however_deep():
    made = table.new(1e-9)
    put(made, 0, entry(SOLVED + 20, age=1))
    put(made, 1, entry(3, age=2))
    put(made, 2, entry(1, age=2))
    assert keys_left(made, range(3)) == {1, 2}


def test_a_position_is_never_kept_twice():
    made = table.new(1e-9)
    put(made, 0, entry(9))
    put(made, 1, entry(3))
    for depth in (1, 5, 2):
        for key in (1, 0, 1):
            put(made, key, entry(depth, score=depth))
            assert table.score_of(get(made, key)) == depth
        assert keys_left(made, range(2)) == {0, 1}
    assert np.count_nonzero(made[1::2]) == 2


def test_a_proof_takes_the_place_of_an_estimate_of_the_same_position():
    made = table.new(1e-9)
    put(made, 1, entry(5))
    put(made, 2, entry(6))
    key = 1 << 32
    check = table.combined(key, bits.check64("verified"))
    table.store(made, key, check, entry(SOLVED + 1))
    assert table.probe(made, key, check) == entry(SOLVED + 1)
    assert keys_left(made, range(3)) == {2}


def test_a_table_where_everything_collides_never_lies():
    chance = random.Random(3)
    made = table.new(1e-9)
    last: dict[int, int] = {}
    found = 0
    for _ in range(3000):
        key = bits.hash64(chance.randrange(40))
        data = table.pack(chance.randint(-99, 99), 0, chance.randrange(9), EXACT, chance.randrange(3))
        if chance.random() < 0.5:
            table.store(made, key, ~key, data)
            last[key] = data
        elif (known := table.probe(made, key, ~key)) != NOTHING:
            assert known == last[key]
            found += 1
    assert found > 50


@given(first=KEYS, second=KEYS, scores=st.tuples(st.integers(-99, 99), st.integers(-99, 99)))
def test_a_torn_entry_matches_no_key(first, second, scores):
    """Two threads write at once: any mixture of their words is found as a whole entry or not at all."""
    assume(first != second)
    written = []
    for key, score in zip((bits.mix(first), bits.mix(second)), scores, strict=True):
        made = table.new(1e-9)
        data = table.pack(score, 0, 9, EXACT, 1)
        table.store(made, key, bits.mix(key), data)
        place = table.bucket(made, key)
        written.append((key, data, made[place : place + 2].copy()))
    for choice in itertools.product((0, 1), repeat=2):
        made = table.new(1e-9)
        words_now = [written[who][2][i] for i, who in enumerate(choice)]
        for key, data, _ in written:
            place = table.bucket(made, key)
            made[place : place + 2] = words_now
            assert table.probe(made, key, bits.mix(key)) in (data, NOTHING)
