"""Endings of chess and checkers by retrograde analysis, against published facts."""

from __future__ import annotations

import csv
import random

import numpy as np
import pytest

import plies
from oracles import oracle_path
from plies.compiled import interpreting
from plies.retrograde.indexed_database import IndexedDatabase

compiled = pytest.mark.skipif(
    interpreting(), reason="hundreds of thousands of positions take an hour interpreted"
)


@compiled
@pytest.mark.costly
@pytest.mark.parametrize(("ending", "moves"), [("KQK", 10), ("KRK", 16)])
def test_the_longest_mates_of_chess_are_those_published(ending: str, moves: int) -> None:
    """Ströhlein 1970: with queen or rook, White mates in 10 or 16 moves at most."""
    game = plies.Chess()
    database = plies.make_database(game, ending)
    assert isinstance(database, IndexedDatabase)
    longest = database.entry(database.longest()[0])
    assert longest == (1.0, 2 * moves)  # Black to move, who is mated by White's last move
    assert plies.verify_database(database).holds
    assert database.counts()[2] == 0
    state = game.parse_position(
        "8/8/8/8/8/4k3/8/K6Q w - - 37 90" if ending == "KQK" else "7k/8/8/8/8/8/8/KR6 w - - 0 1"
    )
    entry = database.probe(state)
    assert entry is not None
    assert entry.utility == 1.0
    assert len(database.line(state)) == entry.plies
    # Positions up to symmetry, White to move and Black to move: Karrer's statistics of Nalimov's tables, as
    # quoted on Kryukov's discussion board (Guido 2006).
    wins = database.distances[database.values > 0]
    numbers = [int(np.count_nonzero(wins == plies)) for plies in (2 * moves - 1, 2 * moves)]
    assert numbers == ([1, 8] if ending == "KQK" else [121, 390])


@compiled
@pytest.mark.long
@pytest.mark.parametrize(
    ("ending", "plies_to_mate"), [("KPK", 56), ("KQKR", 70), ("KBNK", 66)], ids=lambda value: str(value)
)
def test_longer_endings(ending: str, plies_to_mate: int) -> None:
    """Mates in 28, 35 and 33 moves, as in Nalimov's tables."""
    database = plies.make_database(plies.Chess(), ending)
    assert database.entry(database.longest()[0]).plies == plies_to_mate
    assert plies.verify_database(database).holds


@compiled
@pytest.mark.costly
def test_numbers_and_a_table_of_states_agree() -> None:
    """King and queen against king, by index and from roots by reachability."""
    game = plies.Chess()
    numbered, table = plies.make_database(game, "KQK"), plies.make_database(game, roots=game.roots("KQK"))
    for number in range(0, len(table), 23):
        assert numbered.probe(table.state(number)) == table.entry(number)


@compiled
@pytest.mark.costly
def test_checkers_endings_of_three_pieces_are_those_published() -> None:
    game = plies.Checkers()
    database = plies.make_database(game, "3")
    assert plies.verify_database(database).holds
    assert isinstance(database, IndexedDatabase)
    places = {stage: (first, size) for stage, size, first in database.stage_table.tolist()}
    compared = 0
    with oracle_path("checkers/endgame_wdl_2to4_pieces.csv").open() as file:
        for row in csv.DictReader(file):
            if not row["wk"].isdigit():
                continue
            wanted = [int(row[name]) for name in ("bm", "bk", "wm", "wk")]
            if sum(wanted) > 3:
                continue
            first, size = places[sum(count << 4 * i for i, count in enumerate(wanted))]
            here = slice(first, first + size, 2)  # with Black to move
            there = database.distances[here] != database.gone
            values, distances = database.values[here][there], database.distances[here][there]
            found = [there.sum(), (values > 0).sum(), (values == 0).sum(), (values < 0).sum()]
            assert found == [int(row[name]) for name in ("positions", "win", "draw", "loss")], row
            assert distances[values != 0].max(initial=0) == int(row["max_dist_iter"])
            compared += 1
    assert compared == 16


@pytest.mark.plain
def test_roots_of_chess_endings() -> None:
    game = plies.Chess()
    assert len(list(game.roots("KQK"))) == 1
    assert len(list(game.roots("KBBK"))) == 2  # bishops on squares of one colour cannot mate
    assert len(list(game.roots("KPK"))) == 48
    for root in game.roots("KQKR"):
        assert not game.is_terminal(root)
        assert game.parse_position(game.position(root)) == root
    for bad in ("", "K", "KK", "QK", "KQKX", "KQQQQK", "3"):
        with pytest.raises(
            plies.BadParameter, match="an ending of chess is named by White's pieces and Black's"
        ):
            list(game.roots(bad))


@pytest.mark.plain
def test_roots_of_checkers_endings() -> None:
    game = plies.Checkers()
    rows = np.concatenate(list(game.roots("2")))
    assert len(rows) == len(np.unique(rows, axis=0)) == 2 * 3488  # as in endgame_wdl_2to4_pieces.csv
    with pytest.raises(plies.BadParameter, match="named by the most pieces it has, 2 to 5, not '9'"):
        list(game.roots("9"))


@pytest.mark.plain
def test_checkers_numbers() -> None:
    """Every placement of two pieces has a number of its own, and every number that stands for one is met."""
    game = plies.Checkers()
    sizes = dict(game.stages("2"))
    rows = np.concatenate(list(game.roots("2")))
    met = set()
    for row in rows.tolist():
        state = type(game.initial())(*row)
        stage, index = game.stage(state), game.index(state)
        assert 0 <= index < sizes[stage]
        assert game.state_at(stage, index) == state
        met.add((stage, index))
    assert len(met) == len(rows)
    over = game.state_at(0, 1)
    assert game.is_terminal(over)
    assert game.utility(over, 0) == 1
    numbers = [(stage, index) for stage, size in sizes.items() for index in range(size) if stage]
    there = [pair for pair in numbers if game.index(game.state_at(*pair)) == pair[1]]
    assert {pair for pair in there if game.stage(game.state_at(*pair)) == pair[0]} == met
    chance = random.Random(3)
    for stage, size in game.stages("4"):
        for index in (chance.randrange(size) for _ in range(3)):
            state = game.state_at(stage, index)
            assert game.index(state) in (index, state.player)
