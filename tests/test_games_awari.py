"""Awari against solved endings, counts of positions and two slow twins; its rules one by one."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle, oracle_path
from plies import Awari, BadParameter, BadPosition
from plies.engine import kernels
from plies.games.awari import SLAMS, STUCK
from plies.games.mancala import State
from plies.history import History

GAME = Awari()


class Slow:
    """Awari as a person plays it: a ring of houses, seeds sown one by one."""

    def __init__(self, houses: int, seeds: int, grand_slam: str, stuck: str) -> None:
        self.size, self.grand_slam, self.stuck = houses, grand_slam, stuck
        self.ring = [seeds] * (2 * houses)  # South's houses, then North's
        self.stores = [0, 0]
        self.mover = 0

    def side(self, player: int) -> range:
        return range(player * self.size, (player + 1) * self.size)

    def sow(self, house: int) -> tuple[list[int], list[int]]:
        """The ring after sowing, and the houses that are taken from then."""
        ring = self.ring[:]
        hand, ring[house], place = ring[house], 0, house
        while hand:
            place = (place + 1) % len(ring)
            if place != house:
                ring[place] += 1
                hand -= 1
        taken = []
        while place in self.side(1 - self.mover) and ring[place] in (2, 3):
            taken.append(place)
            place -= 1
        return ring, taken

    def is_slam(self, house: int) -> bool:
        ring, taken = self.sow(house)
        return bool(taken) and all(ring[h] == 0 or h in taken for h in self.side(1 - self.mover))

    def moves(self) -> list[int]:
        houses = [house for house in self.side(self.mover) if self.ring[house]]
        if not any(self.ring[house] for house in self.side(1 - self.mover)):
            houses = [h for h in houses if any(self.sow(h)[0][place] for place in self.side(1 - self.mover))]
        if self.grand_slam == "forbidden":
            houses = [house for house in houses if not self.is_slam(house)] or houses
        return houses

    def play(self, house: int) -> None:
        ring, taken = self.sow(house)
        if self.grand_slam == "nothing" and self.is_slam(house):
            taken = []
        self.stores[self.mover] += sum(ring[place] for place in taken)
        self.ring = [0 if place in taken else seeds for place, seeds in enumerate(ring)]
        self.mover = 1 - self.mover

    def lead(self) -> int:
        """South's at the end of the game."""
        total = self.stores[:]
        for player in (0, 1):
            taker = 1 - self.mover if self.stuck == "lose" else player
            total[taker] += sum(self.ring[house] for house in self.side(player))
        return total[0] - total[1]

    def position(self) -> str:
        rows = ["/".join(str(self.ring[house]) for house in self.side(player)) for player in (0, 1)]
        sides = [f"{row}:{store}" for row, store in zip(rows, self.stores, strict=True)]
        return f"{' '.join(sides)} {('South', 'North')[self.mover]}"


@pytest.mark.plain
@given(
    st.integers(1, 7),
    st.integers(1, 5),
    st.sampled_from(SLAMS),
    st.sampled_from(STUCK),
    st.integers(0, 2**32),
)
@pytest.mark.no_cover
def test_random_games_as_the_slow_twin_plays_them(
    houses: int, seeds: int, grand_slam: str, stuck: str, seed: int
) -> None:
    game, twin = Awari(houses, seeds, grand_slam, stuck), Slow(houses, seeds, grand_slam, stuck)
    choice, state = random.Random(seed), game.initial()
    for _ in range(120):
        assert game.position(state) == twin.position()
        moves = twin.moves()
        assert game.is_terminal(state) == (not moves)
        assert sorted(house + twin.mover * houses for house in game.actions(state)) == moves
        if not moves:
            assert game.utility(state, 0) == twin.lead() == -game.utility(state, 1)
            return
        move = choice.choice(moves)
        state = game.result(state, move % houses)
        twin.play(move)


@pytest.mark.plain
@pytest.mark.no_cover
def test_random_games_as_another_program_plays_them() -> None:
    """OpenSpiel's oware: a grand slam takes nothing; more than half of the seeds end the game."""
    pyspiel = pytest.importorskip("pyspiel", reason="the referee is open_spiel, in the extra `dev`")
    choice, ends = random.Random(7), Counter[str]()
    for _ in range(60):
        other, history = pyspiel.load_game("oware").new_initial_state(), History(GAME)
        while not other.is_terminal():
            assert not history.over
            state = history.state
            names = {other.action_to_string(action).lower(): action for action in other.legal_actions()}
            assert {GAME.notation(state, house).lower() for house in GAME.actions(state)} == set(names)
            name = choice.choice(sorted(names))
            history.play(GAME.parse_action(state, name))
            other.apply_action(names[name])
        (_, south), (_, north) = GAME._sides(history.state)
        lead: float = south - north
        if max(south, north) > 24:
            ends["more than half"] += 1
        else:
            assert history.over
            lead = history.utility(0)
            ends[history.reason or "nobody can move"] += 1
        assert other.returns()[0] == (lead > 0) - (lead < 0)
    assert len(ends) == 3


# -- Cases and counts.


def state_of(board: list[int]) -> State:
    """The state of twelve houses, the mover's first; the rest of the seeds is in the mover's store."""
    rest = GAME.stock - sum(board)
    mine, theirs = (sum(n << i * GAME.digit for i, n in enumerate(row)) for row in (board[:6], board[6:]))
    return State(0, mine | rest << 6 * GAME.digit, theirs)


def board_of(after: State) -> list[int]:
    """Twelve houses as the player sees them who has just moved."""
    return [side >> i * GAME.digit & GAME.house for side in (after.theirs, after.mine) for i in range(6)]


def test_the_cases_of_another_program() -> None:
    cases = oracle("mancala/awari_rules_and_facts.json")["rule_unit_tests"]["cases"]
    assert len(cases) == 7
    for case in cases:
        state = state_of(case["board"])
        if "legal_pits" in case:
            assert sorted(GAME.actions(state)) == case["legal_pits"]
        if "pit" in case:
            after = GAME.result(state, case["pit"])
            assert GAME.store(after.theirs) - GAME.store(state.mine) == case["captured"]
            assert board_of(after)[6:9] == case.get("after_opp_6_7_8", board_of(after)[6:9])
            for pit, seeds in case.get("after", {}).items():
                assert board_of(after)[int(pit)] == seeds


def boards(seeds: int, houses: int = 12) -> Iterator[tuple[int, ...]]:
    """All ways to spread seeds over houses."""
    if houses == 1:
        yield (seeds,)
        return
    for first in range(seeds + 1):
        for rest in boards(seeds - first, houses - 1):
            yield first, *rest


@pytest.mark.plain
@pytest.mark.no_cover
def test_positions_by_the_number_of_seeds() -> None:
    rows = oracle("mancala/awari_counts.json")["rows_n_naive_reduced"]
    for seeds, every, possible in rows[:7]:
        found = accepted = 0
        for board in boards(seeds):
            found += 1
            south, north = "/".join(map(str, board[:6])), "/".join(map(str, board[6:]))
            try:
                GAME.parse_position(f"{south}:{48 - seeds} {north}:0 South")
            except BadPosition:
                continue
            accepted += 1
        assert (found, accepted) == (every, possible)
    assert math.comb(48 + 11, 11) == rows[48][1]


# -- Endings.


def solved(game: Awari, most: int) -> dict[int, dict[tuple[int, ...], int]]:
    """What the seeds left are worth to the player to move, by number of seeds; endless play is worth 0.

    For each number, from the greatest: who can force as much, or be forced to as little? A move that takes
    seeds leads to fewer, which are known; as long as something new turns up, look again.
    """
    values: dict[tuple[int, ...], int] = {}
    tables = {}
    for seeds in range(most + 1):
        children: dict[tuple[int, ...], list[tuple[int, tuple[int, ...]]]] = {}
        level: dict[tuple[int, ...], int] = {}
        for board in boards(seeds):
            state = state_of(list(board))
            if game.is_terminal(state):
                level[board] = game.utility(state, 0) - (game.stock - seeds)
                continue
            children[board] = []
            for house in game.actions(state):
                after = game.result(state, house)
                child = tuple(board_of(State(1, after.theirs, after.mine)))
                children[board].append((game.store(after.theirs) - game.store(state.mine), child))
        for bound in range(seeds, 0, -1):
            changed = True
            while changed:
                changed = False
                for board, moves in children.items():
                    if board in level:
                        continue
                    after = [gain - (values if gain else level).get(child, 0) for gain, child in moves]
                    if max(after) >= bound or max(after) <= -bound:
                        level[board] = bound if max(after) >= bound else -bound
                        changed = True
        tables[seeds] = {board: level.get(board, 0) for board in (*children, *level)}
        values.update(tables[seeds])
    return tables


def check_endings(grand_slam: str, stuck: str, file: str, seeds: range) -> None:
    game = Awari(grand_slam=grand_slam, stuck=stuck, repetition="split")
    tables = solved(game, seeds[-1])
    lines = oracle_path(f"mancala/{file}").read_text().splitlines()
    published: dict[int, Any] = {row["stones"]: row for row in map(json.loads, lines)}
    for number in seeds:
        found = Counter(tables[number].values())
        assert found == {int(value): count for value, count in published[number]["hist"].items()}, number


variants = pytest.mark.parametrize(
    ("grand_slam", "stuck", "file"),
    [
        ("nothing", "keep", "awari_endgame_G0_E0.jsonl"),
        ("forbidden", "keep", "awari_endgame_G1_E0.jsonl"),
        ("forbidden", "lose", "awari_endgame_G1_E1.jsonl"),
    ],
)


@variants
@pytest.mark.no_cover
def test_endings(grand_slam: str, stuck: str, file: str) -> None:
    check_endings(grand_slam, stuck, file, range(6))


@pytest.mark.long
@variants
def test_endings_of_more_seeds(grand_slam: str, stuck: str, file: str) -> None:
    check_endings(grand_slam, stuck, file, range(8))


# -- Rules one by one.


def after(text: str, move: str, game: Awari = GAME) -> str:
    state = game.parse_position(text)
    return game.position(game.play(state, game.parse_action(state, move)))


def test_twos_and_threes_are_taken_back_to_the_first_other_number() -> None:
    # The last seed falls in the fifth house; the second then holds four.
    assert after("0/0/0/0/0/5:15 4/3/1/1/2/0:17 South", "F") == "0/0/0/0/0/0:22 5/4/0/0/0/0:17 North"


SLAM = "0/0/0/0/1/3:20 1/1/2/0/0/0:20 South"


def test_a_grand_slam() -> None:
    state = GAME.parse_position(SLAM)
    assert sorted(GAME.actions(state)) == [4, 5]
    assert after(SLAM, "F") == "0/0/0/0/1/0:20 2/2/3/0/0/0:20 North"
    allowed, forbidden = Awari(grand_slam="allowed"), Awari(grand_slam="forbidden")
    assert after(SLAM, "F", allowed) == "0/0/0/0/1/0:27 0/0/0/0/0/0:20 North"
    assert list(forbidden.actions(state)) == [4]
    only = "0/0/0/0/0/3:21 1/1/2/0/0/0:20 South"
    assert after(only, "F", forbidden) == "0/0/0/0/0/0:28 0/0/0/0/0/0:20 North"


def test_whoever_cannot_feed_keeps_or_loses() -> None:
    text = "1/2/0/0/0/0:25 0/0/0/0/0/0:20 South"
    keep, lose = GAME, Awari(stuck="lose")
    state = keep.parse_position(text)
    assert keep.is_terminal(state)
    assert not list(keep.actions(state))
    assert (keep.utility(state, 0), keep.utility(state, 1)) == (8, -8)
    assert (lose.utility(state, 0), lose.utility(state, 1)) == (2, -2)


def test_a_position_that_comes_up_again_ends_the_game() -> None:
    history = History(GAME, GAME.parse_position("1/0/0/0/1/0:30 1/1/1/0/0/0:13 South"))
    while not history.over:
        history.play(history.legal()[0])
    assert history.reason == "the position occurs for the second time"
    assert GAME.position(history.state) == "1/0/1/0/0/0:32 0/1/0/0/0/0:13 South"
    assert (history.utility(0), history.utility(1)) == (20, -20)
    assert Awari(repetition="split").repetition_value(history.state, 0) == 19


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("stores", "4/4/4/4/0/1:9 4/4/4/4/0/0:6 South", 3),
        ("seeds", "4/4/4/4/0/1:9 4/4/4/4/0/0:6 South", 1),
        ("houses", "4/4/4/4/0/1:9 4/4/4/4/0/0:6 South", 1),
        ("single seeds", "1/1/4/4/6/1:9 4/4/7/1/0/0:6 South", 2),
        ("pairs of seeds", "2/0/4/4/6/1:9 2/2/7/1/4/0:6 South", -1),
        ("rounds", "12/13/0/0/0/1:6 11/0/0/0/1/0:4 South", 2),
        ("tempo", "4/4/4/4/0/1:9 4/4/4/4/0/0:6 South", 1),
    ],
)
def test_a_feature(name: str, text: str, value: float) -> None:
    features = dict(zip(GAME.feature_names, GAME.features(GAME.parse_position(text)), strict=True))
    assert features[name] == value


def test_captures_are_noisy_and_come_first() -> None:
    state = GAME.parse_position("4/0/0/0/1/2:22 1/1/5/5/5/0:2 South")
    taking = list(GAME.noisy(state))
    assert [GAME.notation(state, house) for house in taking] == ["F"]
    assert max(GAME.actions(state), key=lambda house: GAME.priority(state, house)) == taking[0]
    assert GAME.priority(state, taking[0]) == 4


def test_weights_may_be_given() -> None:
    game = Awari(weights=[2, 0, 0, 0, 0, 0, 0])
    state = game.parse_position("4/4/4/4/0/1:9 4/4/4/4/0/0:6 South")
    assert game.evaluate(state, 0) == 6
    with pytest.raises(BadParameter, match="there are 7 weights, not 1"):
        Awari(weights=[1])


# -- For people.


def test_text_and_scene_show_houses_by_letters() -> None:
    state = GAME.parse_position("F a")
    assert GAME.text(state) == (
        "      f   e   d   c   b   a  North\n"
        "      5   5   6   6   6   0\n"
        "  0                            0\n"
        "      4   4   4   4   4   0\n"
        "      A   B   C   D   E   F  South"
    )
    scene = GAME.scene(state)
    names = {(cell.x, cell.y): cell.name for cell in scene.cells}
    assert len(set(names.values())) == len(scene.cells) == 14
    shown = {names[piece.x, piece.y]: piece.text for piece in scene.pieces}
    assert shown == {**dict.fromkeys("ABCDE", "4"), **dict.fromkeys("bcd", "6"), "e": "5", "f": "5"}
    assert GAME.move_squares(state, 0) == ("A",)
    assert GAME.move_squares(GAME.parse_position("F"), 0) == ("a",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "1/1:1 0/1:4 South",
            "South has captured 1 seed in '1/1:1 0/1:4 South', but a capture is of two or three",
        ),
        (
            "1/1:2 1/1:2 South",
            "North has no empty house in '1/1:2 1/1:2 South', but must have emptied one to move",
        ),
        (
            "2/2:0 2/2:0 North",
            "South has no empty house in '2/2:0 2/2:0 North', but must have emptied one to move",
        ),
        ("1/1:0 1/1:3 South", "'1/1:0 1/1:3 South' has 7 seeds; this game has 8"),
        ("c", "'c' is not a legal move; legal moves: B, A (reading 'c' as moves)"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        Awari(2, 2).parse_position(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"houses": 0}, "Awari must have houses and seeds, not 0 houses of 4 seeds"),
        ({"houses": 9}, "9 houses of 4 seeds do not fit in 63 bits"),
        ({"grand_slam": "no"}, "grand_slam must be nothing, forbidden or allowed, not 'no'"),
        ({"stuck": "no"}, "stuck must be keep or lose, not 'no'"),
        ({"repetition": "no"}, "repetition must be keep or split, not 'no'"),
    ],
)
def test_games_that_do_not_exist(parameters: Any, sentence: str) -> None:
    with pytest.raises(BadParameter) as caught:
        Awari(**parameters)
    assert str(caught.value) == sentence


def test_perft() -> None:
    """Counted by the slow twin too."""

    def count(twin: Slow, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in twin.moves():
            other = Slow(6, 4, "nothing", "keep")
            other.ring, other.stores, other.mover = twin.ring, twin.stores[:], twin.mover
            other.play(move)
            total += count(other, depth - 1)
        return total

    twin = Slow(6, 4, "nothing", "keep")
    assert [kernels.perft(GAME, GAME.initial(), depth) for depth in range(5)] == [
        count(twin, depth) for depth in range(5)
    ]
