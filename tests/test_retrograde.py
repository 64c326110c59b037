"""Retrograde analysis: against brute force on random graphs and against published facts; what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphs
import plies
from oracles import oracle
from plies.bits import signed
from plies.compiled import interpreting
from plies.compiled.packing import numbers_of, read_state, unpackable, write_state
from plies.retrograde import arranging, counting, enumeration
from plies.retrograde.database import Database
from plies.retrograde.kernels import passes
from plies.retrograde.layout import Layout
from plies.retrograde.make import make_database
from plies.retrograde.verify import verify_database


@pytest.fixture(autouse=True)
def compile_small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested compiled is compiled, however small."""
    monkeypatch.setattr(counting, "FEW_STEPS", 0)
    monkeypatch.setattr(counting, "FEW_ENTRIES", 0)


GRAPHS = 40 if interpreting() else 300

Worth = tuple[float, int | None]


def brute_force(game: plies.Game, states: list[Any]) -> dict[Any, Worth]:
    """The lead of player 0 and the plies to the end: minimax to a horizon, a draw, that moves further."""
    after = {s: [] if game.is_terminal(s) else [game.result(s, a) for a in game.actions(s)] for s in states}
    worth: dict[Any, Worth] = {
        s: (0.0, None) if after[s] else (game.utility(s, 0) - game.draw_value, 0) for s in states
    }

    def backed_up(s: Any) -> Worth:
        sign = 1 if game.to_move(s) == 0 else -1
        rank = {c: (sign * worth[c][0], -np.sign(sign * worth[c][0]) * (worth[c][1] or 0)) for c in after[s]}
        lead, distance = worth[max(after[s], key=lambda c: rank[c])]
        return lead, distance + 1 if lead and distance is not None else None

    while True:
        new = {s: backed_up(s) if after[s] else worth[s] for s in states}
        if new == worth:
            return worth
        worth = new


def reachable(game: plies.Game) -> list[Any]:
    found = {game.initial(): None}
    for state in (waiting := list(found)):
        if not game.is_terminal(state):
            for action in game.actions(state):
                child = game.result(state, action)
                if child not in found:
                    found[child] = None
                    waiting.append(child)
    return waiting


def check_against_brute_force(game: plies.Game, database: Database) -> None:
    states = reachable(game)
    for state, (lead, distance) in brute_force(game, states).items():
        entry = database.probe(state)
        assert entry is not None
        assert (entry.utility - game.draw_value, entry.plies) == (lead, distance), state
    if not database.folded:
        assert len(database) == len(states)
    assert verify_database(database).holds


# -- Random graphs.


PLAIN = [pytest.param(kind, marks=pytest.mark.plain) for kind in (graphs.Graph, graphs.Share, graphs.Wide)]


@pytest.mark.parametrize("kind", [graphs.Round, *PLAIN])
@pytest.mark.parametrize("fold", [pytest.param(False, marks=pytest.mark.plain), True])
@pytest.mark.costly
def test_random_graphs(kind: type[graphs.Graph], fold: bool) -> None:
    chance = random.Random(f"{kind.__name__} {fold}")
    drawn = decided = 0
    for _ in range(GRAPHS if kind is graphs.Round else GRAPHS // 4):
        game = graphs.random_graph(kind, chance, 12)
        database = make_database(game, fold=fold)
        check_against_brute_force(game, database)
        decided += sum(database.counts()[::2])
        drawn += database.counts()[1]
    assert drawn
    assert decided


@pytest.mark.plain
def test_a_clock_is_left_out_where_the_game_says_so() -> None:
    """The values of a game with a clock are those of the game without it."""
    chance = random.Random(5)
    for _ in range(GRAPHS // 10):
        game = graphs.random_graph(Clockless, chance, 10)
        database = make_database(game)
        plain = graphs.Round(**{**vars(game), "full": np.array([0])})
        check_against_brute_force(plain, replace(database, game=plain, folded=False))
        for clock in range(1, 4):
            assert database.probe(graphs.Spot(0, clock)) == database.probe(graphs.Spot(0, 0))


class Clockless(graphs.Round):
    def initial(self) -> graphs.Spot:
        return graphs.Spot(0, 3)

    def result(self, state: graphs.Spot, action: int) -> graphs.Spot:
        return graphs.Spot(int(self.arrows[state.node, action]), state.clock + 1)

    def core(self, state: graphs.Spot) -> graphs.Spot:
        return graphs.Spot(state.node, 0)

    def symmetries(self, state: graphs.Spot) -> Iterator[graphs.Spot]:
        yield state


# -- Games.


@pytest.mark.long
@pytest.mark.plain
def test_tic_tac_toe_has_the_published_numbers_of_states() -> None:
    facts = oracle("tictactoe.json")
    text = json.dumps(facts)
    assert "5478" in text
    assert "765" in text
    game = plies.TicTacToe()
    every, classes = make_database(game, fold=False), make_database(game)
    assert (len(every), len(classes)) == (5478, 765)
    assert every.probe(game.initial()) == classes.probe(game.initial()) == (0.0, None)
    for state, entry in every.states():
        assert classes.probe(state) == entry
    assert verify_database(every).holds
    assert verify_database(classes).holds


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="161,029 states take minutes interpreted")
def test_connect_four_has_the_published_number_of_states_with_one_thread_and_with_two() -> None:
    game = plies.ConnectFour(4, 4)
    one, two = (make_database(game, threads=threads, fold=False) for threads in (1, 2))
    assert len(one) == 161_029  # as published: connect4/position_counts_by_board.json
    assert "161029" in json.dumps(oracle("connect4/position_counts_by_board.json")).replace(",", "")
    assert one.probe(game.initial()) == (0.0, None)
    for name in ("words", "starts", "values", "distances"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    assert verify_database(two).holds


@pytest.mark.plain
@pytest.mark.parametrize("size", [(1, 3), (3, 2)])
def test_kalah_has_the_published_values(size: tuple[int, int]) -> None:
    """A game of points, in which a player may move again."""
    values = oracle("mancala/kalah.json")["rule_irving_empty_capture"]["own_solver"]
    game = plies.Kalah(*size, empty_capture=True)
    database = make_database(game)
    entry = database.probe(game.initial())
    assert entry is not None
    assert entry.utility == values[f"{size[0]},{size[1]}"]
    assert verify_database(database).holds
    if entry.plies is not None and entry.utility:
        assert len(database.line(game.initial())) == entry.plies


@pytest.mark.costly
def test_actions_are_ranked_and_lines_last_as_long_as_they_should() -> None:
    game = plies.TicTacToe()
    database = make_database(game)
    state = game.parse_position("XX./OO./...")
    ranked = database.actions(state)
    assert ranked[0] == (3, (1.0, 0))
    assert ranked[-1][1].utility == -1.0
    longest = database.longest(3)
    assert [database.entry(number).plies for number in longest] == [5, 5, 5]
    assert all(len(database.line(database.state(number))) == 5 for number in longest)
    assert database.actions(game.parse_position("XXX/OO./...")) == []
    assert database.line(game.initial()) == [action for action, _ in _played(game, database)]


def _played(game: plies.Game, database: Database) -> Iterator[tuple[int, Any]]:
    state = game.initial()
    while ranked := database.actions(state):
        yield ranked[0]
        state = game.result(state, ranked[0][0])


@pytest.mark.costly
def test_states_that_are_not_there() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("XX./OO./...")
    database = make_database(game, roots=[state])
    assert database.probe(state) == (1.0, 1)
    assert database.probe(game.initial()) is None
    assert database.probe(("no", "state")) is None
    assert database.line(game.initial()) == []
    assert verify_database(database, [state]).missing == 0
    assert verify_database(database).missing == 1


# -- Layouts and threads.


@pytest.mark.costly
def test_a_layout_that_is_too_narrow_is_widened(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.Kalah(3, 2)
    wanted = make_database(game)
    monkeypatch.setattr(enumeration, "SURVEY", 0)
    made = []
    begun = enumeration.Enumeration._begin
    monkeypatch.setattr(
        enumeration.Enumeration, "_begin", lambda self, *args: (made.append(args), begun(self, *args))[1]
    )
    found = make_database(game)
    assert len(made) > 1
    assert dict(found.states()) == dict(wanted.states())


def test_two_threads_and_small_outboxes_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.TicTacToe()
    wanted = make_database(game, threads=1)
    monkeypatch.setattr(enumeration, "FEW", 50)
    monkeypatch.setattr(enumeration, "ROOM", 20)
    for threads in (1, 2, 4):
        found = make_database(game, threads=threads)
        for name in ("words", "starts", "values", "distances"):
            assert np.array_equal(getattr(found, name), getattr(wanted, name))


def test_states_are_arranged_by_a_kernel_as_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = make_database(plies.TicTacToe(), threads=1)
    monkeypatch.setattr(enumeration, "FEW", 50)
    monkeypatch.setattr(arranging, "MANY", 0)
    for threads in (1, 2, 4):
        found = make_database(plies.TicTacToe(), threads=threads)
        for name in ("words", "starts", "values", "distances"):
            assert np.array_equal(getattr(found, name), getattr(wanted, name))


@pytest.mark.plain
def test_states_with_the_same_hash_are_in_order_of_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is never seen in a game: 64 bits of two states do not agree by chance."""

    def poor(words: Any, place: int) -> int:
        return signed(int(words[place, 0]) % 7 << 61 | int(words[place, 1]) % 3 << 58)

    monkeypatch.setattr(passes, "hash_words", poor)
    monkeypatch.setattr(arranging, "MANY", 0)
    monkeypatch.setattr(arranging, "run", lambda kernel, *args: kernel.function(None, 0, *args))
    rng = np.random.default_rng(1)
    parts = []
    for n in (90, 110):
        states, info = rng.integers(-4, 4, (n + 5, 2)), rng.integers(0, 99, (n + 5, 4)).astype(np.int16)
        parts.append(SimpleNamespace(states=states, info=info, n=n))
    rows = [(*one.states[i], *one.info[i]) for one in parts for i in range(one.n)]
    words, ordered, starts = arranging.arranged(parts)  # type: ignore[arg-type]
    found = [(*map(int, state), *map(int, about)) for state, about in zip(words, ordered, strict=True)]
    assert sorted(found) == sorted(tuple(map(int, row)) for row in rows)
    keys = [(poor(words, i) % (1 << 64), *map(int, words[i])) for i in range(200)]
    assert keys == sorted(keys)
    bits = (len(starts) - 1).bit_length() - 1
    for number in range(1 << bits):
        inside = range(int(starts[number]), int(starts[number + 1]))
        assert all(keys[i][0] >> 64 - bits == number for i in inside)
    assert starts[-1] == 200


INTEGERS = st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), st.integers(-5, 5))


@pytest.mark.plain
def test_a_number_that_falls_far_below_zero_keeps_its_bits() -> None:
    layout = Layout.of([-1], [-1], [-1])
    assert layout.widened(np.array([[-(1 << 31)]])).fits(np.array([[-1], [-(1 << 31)]])).all()


@pytest.mark.plain
@given(st.lists(st.lists(INTEGERS, min_size=3, max_size=3), min_size=1, max_size=20), st.data())
def test_what_is_packed_is_unpacked(numbers: list[list[int]], data: st.DataObject) -> None:
    rows = np.array(numbers, np.int64)
    layout = Layout.of(rows.min(0), rows.max(0), np.bitwise_or.reduce(rows, 0))
    assert layout.fits(rows).all()
    assert np.array_equal(layout.unpacked(layout.packed(rows)), rows)
    more = np.array(data.draw(st.lists(st.lists(INTEGERS, min_size=3, max_size=3), min_size=1)), np.int64)
    wider = layout.widened(more)
    both = np.concatenate([rows, more])
    assert wider.fits(both).all()
    assert np.array_equal(wider.unpacked(wider.packed(both)), both)


class Nested(NamedTuple):
    board: tuple[int, tuple[bool, int]]
    player: int


def test_states_are_rows_of_numbers() -> None:
    state, row = Nested((3, (True, -7)), 1), np.zeros(4, np.int64)
    write_state(state, row)
    assert row.tolist() == numbers_of(state) == [3, 1, -7, 1]
    assert read_state(Nested((0, (False, 0)), 0), row) == state
    assert unpackable(state) == ""
    assert (
        unpackable(Nested(("x", 1), 0)) == "field 0 of field 'board' of a state is a str, not a whole number"
    )
    assert unpackable(1 << 63) == "a state has more than 63 bits"
    with pytest.raises(ValueError, match="a state has 2 numbers where others have 4"):
        write_state((1, 2), row)


# -- Verification.


@pytest.fixture(scope="module")
def tic_tac_toe() -> Database:
    return make_database(plies.TicTacToe())


@pytest.mark.parametrize("fault", ["value", "distance", "no distance", "missing", "twice"])
def test_verification_finds_one_wrong_entry(fault: str, tic_tac_toe: Database) -> None:
    database = tic_tac_toe
    chance = random.Random(fault)
    for _ in range(3 if interpreting() else 10):
        number = chance.randrange(len(database))
        values, distances = database.values.copy(), database.distances.copy()
        words = database.words
        if fault == "value":
            values[number] = 1 if values[number] < 1 else -1
        elif fault == "distance":
            distances[number] = 3 if distances[number] != 3 else 1
        elif fault == "no distance":
            distances[number] = 255 if distances[number] != 255 else 0
        else:
            words = words.copy()
            words[number] = (
                database.layout.packed(np.array([[0, 511]])) if fault == "missing" else words[number - 1]
            )
        spoilt = replace(database, words=words, values=values, distances=distances)
        assert not verify_database(spoilt).holds, number


@pytest.mark.plain
def test_a_state_that_is_missing_is_noticed_though_nothing_depends_on_its_value() -> None:
    """A win at once, and another way to it that is not there."""
    game = graphs.random_graph(graphs.Round, random.Random(1), 4)
    game.arrows = np.array([[2, 1, -1], [3, -1, -1], [-1, -1, -1], [-1, -1, -1]])
    game.movers, game.mirror = np.array([0, 1, 0, 0]), np.arange(4)
    game.payoffs = np.array([[1.0, -1.0]] * 4)
    database = make_database(game, fold=False)
    assert verify_database(database).holds
    at = {state.node: number for number, (state, _) in enumerate(database.states())}
    words, distances = database.words.copy(), database.distances.copy()
    words[at[1]], distances[at[1]] = words[at[3]], distances[at[3]]
    assert verify_database(replace(database, words=words, distances=distances)).wrong == 1


@pytest.mark.plain
def test_wins_that_rest_on_each_other_are_no_proof() -> None:
    """Two states that lead to each other, one of them said to be won."""
    arrows = np.array([[1, -1, -1], [0, 2, -1], [-1, -1, -1]])
    game = graphs.random_graph(graphs.Round, random.Random(1), 3)
    game.arrows, game.movers = arrows, np.array([0, 1, 0])
    game.payoffs, game.mirror = np.array([[1.0, -1.0]] * 3), np.arange(3)
    database = make_database(game, fold=False)
    assert database.probe(graphs.Spot(0, int(game.full[0]))) == (0.0, None)  # player 1 goes back for ever
    won = replace(
        database, values=np.ones_like(database.values), distances=np.full_like(database.distances, 2)
    )
    assert verify_database(won).wrong


# -- Small games.


@pytest.mark.skipif(interpreting(), reason="everything runs interpreted")
def test_a_small_game_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling takes seconds, and Mu Torere has 86 positions up to symmetry."""
    monkeypatch.undo()

    def refused(*_: Any, **__: Any) -> Any:
        raise AssertionError("it was compiled")

    monkeypatch.setattr("plies.compiled.Kernel.compiled_for", refused)
    game = plies.game(f"{Path(__file__).parents[1]}/examples/mu_torere.py:MuTorere")
    database = make_database(game)
    assert len(database) == 86
    assert database.probe(game.initial()) == (0.0, None)
    assert verify_database(database).holds


@pytest.mark.plain
def test_states_are_counted_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_small(game: plies.Game, fold: bool) -> bool:
        def successors(state: Any) -> Iterator[Any]:
            return (game.result(state, action) for action in game.actions(state))

        return counting.is_small(game, [game.initial()], successors, fold)

    game = plies.TicTacToe()
    monkeypatch.setattr(counting, "FEW_STEPS", 2_500)
    assert is_small(game, True)
    assert not is_small(game, False)  # 16,167 successors


# -- What is refused.


class Words(graphs.Graph):
    def initial(self) -> Any:
        return ("a", "b")


class Silent(plies.Game):
    """A game that has no actions though it is not over."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Iterator[int]:
        for action in range(1 - state):
            yield action

    def result(self, state: int, action: int) -> int:
        return state + 1

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> int:
        return 0


class Rich(Silent):
    def is_terminal(self, state: int) -> bool:
        return state == 1

    def utility(self, state: int, player: int) -> int:
        return 7


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (plies.Pig(10), "retrograde analysis is for games without chance; Pig has chance nodes"),
        (plies.Pirates(), "retrograde analysis is for 2 players; Pirates has"),
        (plies.Go(size=3), "retrograde analysis knows no past, on which superko depends; Go has it"),
        (
            plies.Awari(),
            "retrograde analysis takes a repetition for a draw; in Awari repetition_value() differs",
        ),
        (plies.WithUtility(plies.Nim((1, 2)), float), "retrograde analysis is for zero-sum games"),
        (plies.Goofspiel(cards=3), "retrograde analysis is for games in which players move in turn"),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.plain
def test_refusals(game: plies.Game, words: str) -> None:
    with pytest.raises(plies.PliesError) as error:
        make_database(game)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.plain
def test_refusals_of_parameters_and_rules() -> None:
    game = plies.TicTacToe()
    with pytest.raises(plies.BadParameter, match="threads must be 1, 2, 4, … or 64, not 3"):
        make_database(game, threads=3)
    with pytest.raises(plies.BadParameter, match="memory must be more than 0 megabytes"):
        make_database(game, memory=0)
    with pytest.raises(plies.BadParameter, match="TicTacToe names no endings, such as 'KQK'"):
        make_database(game, "KQK")
    with pytest.raises(plies.PliesError, match="kB of memory, more than the 1 kB there are: set the limit"):
        make_database(game, memory=0.001)
    with pytest.raises(plies.Unsuitable, match="field 0 of a state is a str, not a whole number"):
        make_database(Words())
    with pytest.raises(plies.BrokenRule, match=r"Silent\.actions, .*test_retrograde"):
        make_database(Silent())
    with pytest.raises(plies.BrokenRule, match=r"Rich\.utility, .*test_retrograde"):
        make_database(Rich())


@pytest.mark.plain
def test_a_rule_that_raises_is_named() -> None:
    game = graphs.random_graph(graphs.Round, random.Random(2), 8)
    game.arrows = game.arrows.copy()
    game.arrows[0, 0] = 10**6  # beyond the arrays
    if interpreting():
        with pytest.raises(plies.BrokenRule, match=r"is_terminal\(\) raised IndexError|raised IndexError"):
            make_database(game)
