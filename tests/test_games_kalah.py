"""Kalah against solved values, published counts and a slow twin; its houses and position strings."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle
from plies import BadParameter, BadPosition, Kalah, check_game
from plies.compiled import interpreting
from plies.engine import kernels
from plies.engine.kernels import plain
from plies.games.mancala import State

GAME = Kalah()
RULES = {
    "standard": ("rule_standard_nonempty_capture", False),
    "empty capture": ("rule_irving_empty_capture", True),
}
rules = pytest.mark.parametrize("rule", RULES)


class Slow:
    """Kalah as a person plays it: two rows of houses and two stores, seeds sown one by one."""

    def __init__(self, houses: int, seeds: int, empty_capture: bool) -> None:
        self.size, self.empty_capture = houses, empty_capture
        self.rows = [[seeds] * houses, [seeds] * houses]
        self.stores = [0, 0]
        self.mover = 0

    def play(self, house: int) -> None:
        me, side, place = self.mover, self.mover, house - 1
        hand, self.rows[me][place] = self.rows[me][place], 0
        while hand:
            place += 1
            if place == self.size and side == me:
                self.stores[me] += 1
                hand -= 1
                if hand == 0:
                    return  # the mover moves again
            if place >= self.size:
                side, place = 1 - side, 0
            self.rows[side][place] += 1
            hand -= 1
        if side == me and self.rows[me][place] == 1:
            opposite = self.size - 1 - place
            if self.rows[1 - me][opposite] or self.empty_capture:
                self.stores[me] += 1 + self.rows[1 - me][opposite]
                self.rows[me][place] = self.rows[1 - me][opposite] = 0
        self.mover = 1 - me

    def over(self) -> bool:
        return not (any(self.rows[0]) and any(self.rows[1]))

    def lead(self) -> int:
        return sum(self.rows[0]) + self.stores[0] - sum(self.rows[1]) - self.stores[1]

    def position(self) -> str:
        south, north = (
            "/".join(map(str, row)) + f":{store}" for row, store in zip(self.rows, self.stores, strict=True)
        )
        return f"{south} {north} {('South', 'North')[self.mover]}"


@given(st.integers(1, 7), st.integers(1, 9), st.booleans(), st.lists(st.integers(0, 999), max_size=60))
def test_random_games_as_the_slow_twin_plays_them(
    houses: int, seeds: int, empty_capture: bool, choices: list[int]
) -> None:
    game, twin = Kalah(houses, seeds, empty_capture), Slow(houses, seeds, empty_capture)
    state = game.initial()
    for choice in choices:
        assert game.position(state) == twin.position()
        assert game.is_terminal(state) == twin.over()
        if twin.over():
            assert game.utility(state, 0) == twin.lead() == -game.utility(state, 1)
            assert not list(game.actions(state))
            return
        moves = [str(house + 1) for house in range(houses) if twin.rows[twin.mover][house]]
        assert sorted(game.notation(state, action) for action in game.actions(state)) == moves
        move = moves[choice % len(moves)]
        state = game.result(state, game.parse_action(state, move))
        twin.play(int(move))


@rules
@pytest.mark.parametrize("size", [(4, 3), (6, 4)])
def test_perft(size: tuple[int, int], rule: str) -> None:
    game = Kalah(*size, empty_capture=RULES[rule][1])
    published = oracle("mancala/kalah.json")["perft_move_sequences"][f"{game.houses},{game.seeds} {rule}"]
    depths = range(6 if interpreting() else len(published))
    counted = [kernels.perft(game, game.initial(), depth + 1) for depth in depths]
    assert counted == published[: len(depths)]


def test_perft_as_openspiel_counts() -> None:
    published = oracle("misc/openspiel_perft.json")["perft"]["mancala"]
    assert [kernels.perft(GAME, GAME.initial(), depth + 1) for depth in range(6)] == published


def reachable(game: Kalah) -> set[State]:
    found = {game.initial()}
    level = [game.initial()]
    while level:
        state = level.pop()
        children = {game.result(state, house) for house in game.actions(state)} - found
        found |= children
        level += children
    return found


@rules
@pytest.mark.no_cover
def test_reachable_positions(rule: str) -> None:
    counts = oracle("mancala/kalah.json")["distinct_positions_full_graph_incl_stores_and_mover"][rule]
    small = {size: count for size, count in counts.items() if count < 30_000}
    assert len(small) >= 7
    for size, count in small.items():
        houses, seeds = map(int, size.split(","))
        game = Kalah(houses, seeds, empty_capture=RULES[rule][1])
        states = reachable(game)
        ended = {state for state in states if game.is_terminal(state)}
        # The published counts put the seeds left at the end in the stores, and then look.
        ends = {(game.utility(state, 0), state.player) for state in ended}
        assert len(states - ended) + len(ends) == count, size
        assert game.exact_key
        assert len({game.key(state) for state in states}) == len(states)


def solve(game: Kalah, state: State, known: dict[State, int]) -> int:
    """What a state is worth to South, by plain minimax."""
    if state not in known:
        if game.is_terminal(state):
            known[state] = game.utility(state, 0)
        else:
            best = max if state.player == 0 else min
            known[state] = best(solve(game, game.result(state, a), known) for a in game.actions(state))
    return known[state]


@rules
@pytest.mark.no_cover
def test_values_of_small_games(rule: str) -> None:
    values = oracle("mancala/kalah.json")[RULES[rule][0]]["own_solver"]
    small = {
        size: value
        for size, value in values.items()
        if size[0] in "12" or size in ("3,1", "3,2", "3,3", "4,1")
    }
    assert len(small) == 16
    for size, value in small.items():
        houses, seeds = map(int, size.split(","))
        game = Kalah(houses, seeds, empty_capture=RULES[rule][1])
        assert solve(game, game.initial(), {}) == value, size


@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
@pytest.mark.parametrize(
    ("size", "rule"),
    [("4,3", "standard"), ("4,3", "empty capture"), ("3,5", "empty capture"), ("6,1", "standard")],
)
def test_values_by_alpha_beta(size: str, rule: str) -> None:
    value = oracle("mancala/kalah.json")[RULES[rule][0]]["own_solver"][size]
    houses, seeds = map(int, size.split(","))
    game = Kalah(houses, seeds, empty_capture=RULES[rule][1])
    counts = kernels.counts()
    score = kernels.alpha_beta(game, game.initial(), 0, -np.inf, np.inf, 1000, 0, counts)
    assert round(score / plain.UNIT) == value
    assert counts.inexact == 0


def test_a_last_seed_in_the_store_moves_again() -> None:
    state = GAME.result(GAME.initial(), 2)
    assert GAME.to_move(state) == 0
    assert GAME.position(state) == "4/4/0/5/5/5:1 4/4/4/4/4/4:0 South"
    assert GAME.to_move(GAME.result(state, 5)) == 1


@pytest.mark.parametrize(
    ("before", "empty_capture", "after"),
    [
        ("1/0/3:0 2/2/4:0 South", False, "0/0/3:3 2/0/4:0 North"),  # the house opposite 2 is 2
        ("1/0/3:0 5/0/3:0 South", False, "0/1/3:0 5/0/3:0 North"),
        ("1/0/3:0 5/0/3:0 South", True, "0/0/3:1 5/0/3:0 North"),
        ("1/1/7:0 1/1/1:0 South", False, "2/2/0:4 0/2/2:0 North"),  # all the way round
    ],
)
def test_captures(before: str, empty_capture: bool, after: str) -> None:
    game = Kalah(3, 2, empty_capture)
    state = game.parse_position(before)
    children = [game.position(game.result(state, house)) for house in game.actions(state)]
    assert after in children


def test_the_seeds_left_in_a_row_are_its_owners() -> None:
    game = Kalah(3, 2)
    state = game.parse_position("0/0/0:5 1/2/0:4 North")
    assert game.is_terminal(state)
    assert (game.utility(state, 0), game.utility(state, 1)) == (-2, 2)


def test_proved_bounds_are_the_seeds_in_the_stores() -> None:
    game = Kalah(2, 3)
    state = game.parse_position("1/1:2 1/2:5 south")
    assert game.proved_bounds(state, -12, 12) == (4 - 12, 12 - 10)
    known: dict[State, int] = {}
    solve(game, game.initial(), known)
    for one, value in known.items():
        low, high = game.proved_bounds(one, -12, 12)
        assert game.is_terminal(one) or low <= (value if one.player == 0 else -value) <= high


def test_extra_turns_are_tried_first_then_captures() -> None:
    state = GAME.parse_position("4/0/1/0/2/2:12 8/2/9/2/1/5:0 South")
    order = sorted(GAME.actions(state), key=lambda house: -GAME.priority(state, house))
    # House 5 ends in the store; 3 takes what is opposite 4; 6 brings one seed home, 1 none.
    assert [GAME.notation(state, house) for house in order] == ["5", "3", "6", "1"]


def test_evaluation_counts_stores_choice_and_extra_turns() -> None:
    def worth(text: str) -> float:
        return GAME.evaluate(GAME.parse_position(text), 0)

    even = worth("2/2/2/2/4/4:8 4/4/4/2/1/1:8 South")
    assert worth("2/2/2/2/4/4:9 4/4/4/2/1/1:7 South") == even + 2
    assert worth("2/2/2/2/4/4:8 0/4/4/2/5/1:8 South") == even + 1.75
    assert worth("2/2/2/2/2/6:8 4/4/4/2/1/1:8 South") == even + 1.5
    assert worth("0/0/0/0/0/1:40 1/1/1/1/1/1:1 South") >= 2 * 40 - 48


def test_houses_are_counted_whatever_they_hold() -> None:
    for houses, seeds in ((6, 4), (3, 21), (1, 1)):
        game = Kalah(houses, seeds)
        choice = random.Random(seeds)
        for _ in range(100):
            row = [choice.choice([0, 1, game.total, choice.randint(0, game.total)]) for _ in range(houses)]
            side = sum(number << place * game.digit for place, number in enumerate([*row, game.total]))
            assert game.filled(side) == sum(number > 0 for number in row)


def test_text_shows_the_board_as_south_sees_it() -> None:
    game = Kalah(3, 4)
    assert game.text(game.parse_position("2")) == (
        "      3   2   1  North\n"
        "      4   5   5\n"
        "  0                1\n"
        "      4   0   5\n"
        "      1   2   3  South"
    )


@pytest.mark.parametrize("text", ["3 6", "3, 6", "4/4/0/5/5/0:2 5/5/5/5/4/4:0 North", " 3\n6 "])
def test_ways_to_write_a_position(text: str) -> None:
    assert GAME.position(GAME.parse_position(text)) == "4/4/0/5/5/0:2 5/5/5/5/4/4:0 North"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1/1:0 1/1 South", "'1/1:0 1/1 South' is not of the form '2/2:0 2/2:0 South'"),
        ("1/1:0 1/1:4 East", "'1/1:0 1/1:4 East' is not of the form '2/2:0 2/2:0 South'"),
        ("1/1/1:0 1/1:3 South", "South has 3 houses in '1/1/1:0 1/1:3 South'; this game has 2"),
        ("1/1:0 1:5 South", "North has 1 houses in '1/1:0 1:5 South'; this game has 2"),
        ("1/1:0 1/1:3 South", "'1/1:0 1/1:3 South' has 7 seeds; this game has 8"),
        ("3", "'3' is not a legal move; legal moves: 2, 1 (reading '3' as moves)"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        Kalah(2, 2).parse_position(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("houses", "seeds", "sentence"),
    [
        (0, 4, "Kalah must have houses and seeds, not 0 houses of 4 seeds"),
        (6, 0, "Kalah must have houses and seeds, not 6 houses of 0 seeds"),
        (8, 8, "8 houses of 8 seeds do not fit in 63 bits"),
    ],
)
def test_boards_that_do_not_fit(houses: int, seeds: int, sentence: str) -> None:
    with pytest.raises(BadParameter) as caught:
        Kalah(houses, seeds)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("game", [Kalah(), Kalah(3, 2), Kalah(6, 6, empty_capture=True)], ids=repr)
@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
def test_every_rule_holds(game: Kalah) -> None:
    report = check_game(game, games=5)
    assert report.ok, str(report)
    assert report.compiled or interpreting()
