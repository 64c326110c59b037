"""Backgammon: all plays of a throw, against a slow twin, GNU Backgammon and OpenSpiel; how it is written."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from oracles import oracle
from plies import CHANCE, Backgammon, BadParameter, BadPosition, IllegalMove, PliesError
from plies.bits import mix, right
from plies.compiled import interpreting, kernel
from plies.engine.kernels import perft
from plies.games.backgammon_board import OPENING, START, State, chance_to_hit, counts_of, side_of
from plies.games.backgammon_evaluation import ENCODING_SIZE, TRAINED
from plies.games.backgammon_notation import position_id
from plies.neural_network import Network, load
from programs import piped

GAME = Backgammon()
GAME_NETWORK = load(TRAINED)
THROWS = [10 * high + low for high in range(1, 7) for low in range(1, high + 1)]
plain = pytest.mark.plain

Board = tuple[tuple[int, ...], tuple[int, ...]]
"""The checkers of the player whose turn it is and of the other: off, on each point, on the bar."""


def board(state: State) -> Board:
    return tuple(counts_of(state.mine)), tuple(counts_of(state.theirs))


def thrown(state: State, throw: int) -> State:
    return State(state.mine, state.theirs, max(state.player, 0), throw)


def results(state: State) -> list[State]:
    return [GAME.result(state, play) for play in GAME.actions(state)]


def at(text: str) -> State:
    return GAME.parse_position(text)


def made(mine: dict[int, int], theirs: dict[int, int], dice: int = 0) -> State:
    """A state with so many checkers on points, the bar being 25, and all others off."""
    sides = []
    for places in (mine, theirs):
        counts = [places.get(place, 0) for place in range(26)]
        sides.append(side_of([15 - sum(counts[1:]), *counts[1:]]))
    return State(sides[0], sides[1], 0, dice)


# -- Positions to try.


def from_random_games(games: int, seed: int = 0) -> Iterator[State]:
    """Every state in which somebody is to throw, of random games."""
    generator = random.Random(seed)
    for _ in range(games):
        state = GAME.initial()
        while not GAME.is_terminal(state):
            if state.dice == 0 and state.player != OPENING:
                yield state
            state = GAME.result(state, generator.choice(list(GAME.actions(state))))


def made_up(number: int, seed: int = 0) -> Iterator[State]:
    """Boards that no game need come to: with many on the bar, in races, with few checkers left."""
    generator = random.Random(seed)
    for _ in range(number):
        reach = generator.choice((6, 6, 8, 12, 24)), generator.choice((6, 8, 12, 24, 24))
        points = list(range(1, 25))
        generator.shuffle(points)
        owners = dict(zip(points, itertools.cycle((0, 1)), strict=False))
        places: tuple[dict[int, int], dict[int, int]] = {}, {}
        for player in (0, 1):
            own = [point if player == 0 else 25 - point for point, owner in owners.items() if owner == player]
            own = [point for point in own if point <= reach[player]] or own[:1]
            bar = [25] if generator.random() < 0.3 else []
            for _ in range(generator.choice((1, 2, 3, 5, 15))):
                place = generator.choice(own + bar)
                places[player][place] = places[player].get(place, 0) + 1
        yield made(*places)


# -- A slow twin, in which the rules are as plain as can be.


def moves(mine: list[int], theirs: list[int], die: int) -> Iterator[tuple[list[int], list[int]]]:
    """What one die can bring about."""
    for source in range(1, 26):
        if mine[source] == 0 or (mine[25] > 0 and source != 25):
            continue
        target = source - die
        if target <= 0:
            if sum(mine[7:]) > 0 or (target < 0 and sum(mine[source + 1 :]) > 0):
                continue
            target = 0
        elif theirs[25 - target] > 1:
            continue
        own, other = mine.copy(), theirs.copy()
        own[source] -= 1
        own[target] += 1
        if target > 0 and other[25 - target] == 1:
            other[25 - target] = 0
            other[25] += 1
        yield own, other


def slow_results(mine: list[int], theirs: list[int], throw: int) -> set[Board]:
    """Every board that a throw can lead to, found by trying the dice in both orders."""
    high, low = divmod(throw, 10)
    ends: list[tuple[int, Board]] = []  # how much was played, and what it came to

    def try_all(mine: list[int], theirs: list[int], dice: list[int], played: int) -> None:
        stuck = True
        if dice:
            for own, other in moves(mine, theirs, dice[0]):
                stuck = False
                # Two dice count more than one, and the higher more than the lower.
                try_all(own, other, dice[1:], played + 100 + dice[0])
        if stuck:
            ends.append((played, (tuple(mine), tuple(theirs))))

    seen: set[Any] = set()

    def try_double(mine: list[int], theirs: list[int], left: int) -> None:
        if (now := (tuple(mine), tuple(theirs), left)) in seen:
            return
        seen.add(now)
        ends.append((4 - left, now[:2]))
        if left:
            for own, other in moves(mine, theirs, low):
                try_double(own, other, left - 1)

    if high == low:
        try_double(mine, theirs, 4)
    else:
        try_all(mine, theirs, [high, low], 0)
        try_all(mine, theirs, [low, high], 0)
    most = max(played for played, _ in ends)
    return {end for played, end in ends if played == most}


def check_against_twin(state: State, throw: int) -> None:
    found = [(theirs, mine) for mine, theirs in map(board, results(thrown(state, throw)))]
    where = GAME.position(thrown(state, throw))
    assert len(set(found)) == len(found), where
    assert set(found) == slow_results(counts_of(state.mine), counts_of(state.theirs), throw), where


@plain
@pytest.mark.no_cover
def test_plays_are_those_of_the_twin_each_once_in_random_games() -> None:
    generator = random.Random(1)
    for state in from_random_games(2):
        for throw in generator.sample(THROWS, 2):
            check_against_twin(state, throw)


@plain
@pytest.mark.no_cover
def test_plays_are_those_of_the_twin_each_once_on_made_up_boards() -> None:
    generator = random.Random(2)
    for state in made_up(400):
        for throw in generator.sample(THROWS, 3):
            check_against_twin(state, throw)


@pytest.mark.long
@plain
def test_plays_are_those_of_the_twin_on_many_boards() -> None:
    for state in itertools.chain(made_up(5_000, seed=5), from_random_games(40, seed=5)):
        for throw in THROWS:
            check_against_twin(state, throw)


# -- What others have counted.


@plain
def test_plays_of_the_opening_rolls() -> None:
    total = 0
    for throw, told in oracle("backgammon/start_position_plays.json")["rolls"].items():
        state = thrown(GAME.initial(), int(max(throw) + min(throw)))
        assert len(results(state)) == told["distinct_plays"], throw
        GAME.parse_action(state, told["gnubg_0ply_best"])
        total += told["distinct_plays"]
    assert total == 447


@plain
def test_plays_of_random_positions() -> None:
    for told in oracle("backgammon/random_position_play_counts.json")["positions"]:
        state = at(f"{told['position_id']} O {told['dice']}")
        assert counts_of(state.mine)[1:25] == told["me"]
        assert counts_of(state.theirs)[24:0:-1] == told["opp_seen_from_me"]
        assert (counts_of(state.mine)[25], counts_of(state.theirs)[25]) == (told["me_bar"], told["opp_bar"])
        assert len(results(state)) == told["plays"] == told["gnubg_plays"], told["position_id"]
        GAME.parse_action(state, told["gnubg_0ply_best"])


def test_lines_of_play() -> None:
    """The first throw has 30 outcomes, 15 for each player, and no double; the second has 21."""
    counts = {int(max(t) + min(t)): n["distinct_plays"] for t, n in _rolls().items()}
    plays = sum(2 * number for throw, number in counts.items() if throw % 11)
    assert perft(GAME, GAME.initial(), 1) == 30
    assert perft(GAME, GAME.initial(), 2) == plays
    assert perft(GAME, GAME.initial(), 3) == 21 * plays
    if not interpreting():
        assert perft(GAME, GAME.initial(), 4) == 178_306


def _rolls() -> Any:
    return oracle("backgammon/start_position_plays.json")["rolls"]


# -- GNU Backgammon.


def gnubg() -> Any:
    return pytest.importorskip("gnubg", reason="gnubg, GNU Backgammon as a package, is not installed")


def their_board(state: State) -> Board:
    """The board as gnubg has it: the other player first, and nothing about what is off."""
    mine, theirs = board(state)
    return theirs[1:], mine[1:]


def check_with_gnubg(package: Any, state: State) -> None:
    """Compare the boards that plays lead to; where checkers go off, gnubg tells only how many plays."""
    dice = divmod(state.dice, 10)
    listed = package.find_best_moves(their_board(state), package.cube_info(), package.eval_context(), dice)
    where = GAME.position(state)
    if not listed:
        assert list(GAME.actions(state)) == [0], where
        return
    children = results(state)
    assert len(children) == len(listed), where
    found = set()
    for play in listed:
        places = play["move"]
        if len(places) % 2 or sum(counts_of(state.mine)[7:]) == 0:  # cut off where a checker goes off
            return
        mine, theirs = counts_of(state.mine), counts_of(state.theirs)
        for source, target in zip(places[::2], places[1::2], strict=True):
            mine[source] -= 1
            mine[target] += 1
            if theirs[25 - target] == 1:
                theirs[25 - target] = 0
                theirs[25] += 1
        found.add((tuple(theirs), tuple(mine)))
    assert found == set(map(board, children)), where


@plain
@pytest.mark.no_cover
def test_plays_are_those_of_gnu_backgammon() -> None:
    package = gnubg()
    for state in from_random_games(1, seed=10):
        for throw in THROWS:
            check_with_gnubg(package, thrown(state, throw))


@plain
@pytest.mark.no_cover
def test_plays_are_those_of_gnu_backgammon_on_made_up_boards() -> None:
    package = gnubg()
    for state in made_up(60, seed=11):
        if not GAME.is_terminal(state):
            for throw in THROWS:
                check_with_gnubg(package, thrown(state, throw))


@plain
def test_position_ids_are_those_of_gnu_backgammon() -> None:
    package = gnubg()
    for state in itertools.chain(from_random_games(2, seed=12), made_up(200, seed=12)):
        written = position_id(state.mine, state.theirs)
        assert written == package.position_id(their_board(state))
        assert package.position_from_id(written) == their_board(state)
        assert at(f"{written} X") == State(state.mine, state.theirs, 0, 0)


# -- OpenSpiel.


def spiel() -> Any:
    return pytest.importorskip("pyspiel", reason="OpenSpiel, the referee, is not installed")


def spiel_board(other: Any) -> tuple[tuple[int, ...], ...]:
    """The checkers of X and O: off, on each point, on the bar, which OpenSpiel tells in its picture."""
    bar = next(line for line in str(other).splitlines() if line.startswith("Bar:"))
    sides = []
    for player, name in enumerate("xo"):
        points = [other.board(player, place) for place in range(24)]
        points = points[::-1] if player == 0 else points
        counts = [*points, bar.removeprefix("Bar:").count(name)]
        sides.append((15 - sum(counts), *counts))
    return tuple(sides)


def sides(state: State) -> tuple[tuple[int, ...], ...]:
    mine, theirs = board(state)
    return (theirs, mine) if state.player == 1 else (mine, theirs)


def spiel_children(other: Any, throw: int, player: int) -> dict[tuple[tuple[int, ...], ...], Any]:
    """What the plays of a throw lead to; a double is two turns there, of two checkers each."""
    children = {}
    for action in other.legal_actions():
        child = other.child(action)
        if throw % 11 == 0 and not child.is_terminal() and child.current_player() == player:
            for second in child.legal_actions():
                grandchild = child.child(second)
                children[spiel_board(grandchild)] = grandchild
        else:
            children[spiel_board(child)] = child
    return children


@plain
@pytest.mark.no_cover
def test_random_games_as_openspiel_plays_them() -> None:
    theirs = spiel().load_game("backgammon(scoring_type=full_scoring)")
    scores = set()
    for seed in range(2):
        generator = random.Random(seed)
        state, other = GAME.initial(), theirs.new_initial_state()
        while not GAME.is_terminal(state):
            assert sides(state) == spiel_board(other)
            assert not other.is_terminal()
            if GAME.to_move(state) == CHANCE:
                throws = dict(GAME.chance(state))
                throw = generator.choices(list(throws), list(throws.values()))[0]
                opening = state.player == OPENING
                state = GAME.result(state, throw)
                start = f"{'XO'[state.player]} starts, " if opening else ""
                low_first = "".join(sorted(str(throw)))
                rolls = [f"{start}(roll: {low_first})", f"{start}(roll: {low_first[::-1]})"]
                (number, *_) = [n for n, _ in other.chance_outcomes() if _said(other, n) in rolls]
                other.apply_action(number)
                continue
            children = spiel_children(other, state.dice, state.player)
            plays = {sides(GAME.result(state, play)): play for play in GAME.actions(state)}
            assert plays.keys() == children.keys(), GAME.position(state)
            chosen = generator.choice(sorted(plays))
            state, other = GAME.result(state, plays[chosen]), children[chosen]
        assert other.is_terminal()
        assert [GAME.utility(state, player) for player in (0, 1)] == other.returns()
        scores.add(abs(other.returns()[0]))
    assert {1, 2} <= scores


def _said(other: Any, number: int) -> str:
    return other.action_to_string(number).partition(f"chance outcome {number} ")[2]


# -- Single rules.


@plain
def test_the_first_throw_decides_who_begins_and_is_no_double() -> None:
    state = GAME.initial()
    assert GAME.to_move(state) == CHANCE
    throws = dict(GAME.chance(state))
    assert len(throws) == 30
    assert all(throw % 11 for throw in throws)
    assert set(throws.values()) == {1 / 30}
    x, o = GAME.play(state, 31), GAME.play(state, 13)
    assert (x.player, x.dice) == (0, 31)
    assert (o.player, o.dice) == (1, 31)


@plain
def test_a_throw_has_21_outcomes() -> None:
    throws = dict(GAME.chance(at("4HPwATDgc/ABMA X")))
    assert sorted(throws) == sorted(THROWS)
    assert all(p == (1 / 36 if throw % 11 == 0 else 1 / 18) for throw, p in throws.items())
    assert math.fsum(throws.values()) == pytest.approx(1, abs=1e-15)


def plays(state: State) -> set[str]:
    return {GAME.notation(state, play) for play in GAME.actions(state)}


@plain
def test_both_numbers_must_be_played_if_they_can_be() -> None:
    # 24/18 would leave no 5: the way on from 18 is barred, and so is the one from 2.
    state = made({24: 1, 7: 1}, {5: 2, 12: 2, 6: 2, 10: 2}, 65)
    assert plays(state) == {"24/18 7/2"}


@plain
def test_the_higher_number_is_played_if_either_can_be_but_not_both() -> None:
    state = made({24: 1}, {12: 2, 7: 1}, 65)  # 18 and 19 are open, 13 is not
    assert plays(state) == {"24/18*"}
    lower = made({24: 1}, {7: 2, 12: 2}, 65)  # 18 and 13 are barred
    assert plays(lower) == {"24/19"}


@plain
def test_who_cannot_move_passes() -> None:
    closed = dict.fromkeys(range(1, 7), 2)
    state = made({25: 1, 6: 5}, closed | {8: 3}, 31)
    assert plays(state) == {"pass"}
    after = GAME.result(state, GAME.parse_action(state, " PASS"))
    assert (after.player, after.mine, after.theirs) == (1, state.theirs, state.mine)
    with pytest.raises(IllegalMove, match="neither number of 31 can be played: pass"):
        GAME.parse_action(state, "6/3")


@plain
def test_checkers_on_the_bar_enter_first_and_hit() -> None:
    state = made({25: 2, 13: 3}, {3: 1, 1: 2}, 31)
    assert plays(state) == {"bar/22*"}  # a 1 does not enter, so nothing else moves
    after = GAME.result(state, GAME.parse_action(state, "bar/22*"))
    assert counts_of(after.mine)[25] == 1
    assert counts_of(after.theirs)[25] == 1


@plain
def test_bearing_off() -> None:
    assert plays(made({6: 1, 4: 1}, {1: 1}, 64)) == {"6/off 4/off", "6/2 4/off"}
    # A 5 must move from the 6 point: only from the furthest may a higher number than needed bear off.
    assert plays(made({6: 2, 4: 1}, {1: 1}, 51)) == {"6/1 6/5", "6/1 4/3", "6/off"}
    # Not all are at home: the 2 must bring one there before the 6 bears off, or the 6 before the 2.
    assert plays(made({8: 1, 6: 1}, {1: 1}, 62)) == {"8/off", "8/2 6/4"}
    assert plays(made({8: 1, 7: 1}, {1: 1}, 61)) == {"8/1", "8/2 7/6"}


@plain
def test_gammon_and_backgammon() -> None:
    for places, dice, points in (
        ({6: 14}, 21, 1),  # one is off
        ({6: 15}, 21, 2),
        ({18: 1, 6: 14}, 21, 2),
        ({19: 1, 6: 14}, 21, 3),
        ({25: 1, 6: 14}, 21, 3),
    ):
        state = made({1: 2}, places, dice)
        (end,) = results(state)
        assert GAME.is_terminal(end)
        assert not list(GAME.actions(end))
        assert (GAME.utility(end, 0), GAME.utility(end, 1)) == (points, -points)
        once = Backgammon(gammons=False)
        assert once.bounds == (-1, 1)
        assert (once.utility(end, 0), once.utility(end, 1)) == (1, -1)


# -- In writing.


@pytest.mark.parametrize(
    ("state", "text", "written"),
    [
        (thrown(GAME.initial(), 31), "6/5 8/5", "8/5 6/5"),
        (thrown(GAME.initial(), 31), "8/5,6/5", "8/5 6/5"),
        (thrown(GAME.initial(), 31), "24/23/20", "24/20"),
        (thrown(GAME.initial(), 31), "24/21 21/20", "24/20"),
        (thrown(GAME.initial(), 31), "24-20", "24/20"),
        (thrown(GAME.initial(), 44), "24/16 13/9 (2)", "24/16 13/9(2)"),
        (thrown(GAME.initial(), 44), "13/9 24/20 13/9 20/16", "24/16 13/9(2)"),
        (thrown(GAME.initial(), 11), "8/7(2)6/5(2)", "8/7(2) 6/5(2)"),
        (made({25: 1, 13: 2}, {3: 1, 7: 1}, 43), "BAR / 22 * / 18 *", "bar/22*/18*"),
        (made({25: 1, 13: 2}, {3: 1}, 43), "bar/18", "bar/18"),
        (made({25: 1, 13: 2}, {3: 1}, 43), "25/22*/18", "bar/22*/18"),
        (made({25: 1, 13: 2}, {3: 1}, 43), "b/22 22/18", "bar/22*/18"),
        (made({25: 1, 13: 2}, {3: 1, 4: 1}, 43), "bar/21/18", "bar/21*/18"),
        (made({6: 2, 5: 3}, {24: 1}, 66), "6/off(2) 5/o(2)", "6/off(2) 5/off(2)"),
        (made({8: 2, 3: 1}, {21: 1}, 44), "8/off(2)", "8/4*/off(2)"),
    ],
)
@plain
def test_plays_are_read_forgivingly(state: State, text: str, written: str) -> None:
    action = GAME.parse_action(state, text)
    assert GAME.notation(state, action) == written
    assert GAME.parse_action(state, written) == action


@pytest.mark.parametrize(
    ("state", "text", "sentence"),
    [
        (thrown(GAME.initial(), 31), "8/5", "'8/5' is not a legal play of 31; legal moves: "),
        (thrown(GAME.initial(), 31), "24/22/20", "'24/22/20' is not a legal play of 31; legal moves: "),
        (
            thrown(GAME.initial(), 51),
            "13/7/8",
            "'13/7/8' is not a move: checkers move from higher points, up",
        ),
        (
            thrown(GAME.initial(), 31),
            "8/5 x",
            "'8/5 x' is not a play: write moves from point to point, as in",
        ),
        (
            made({25: 1, 13: 2}, {3: 1, 4: 1}, 43),
            "bar/18",
            "'bar/18' can be played in two ways: bar/21*/18 or bar/22*/18",
        ),
        (GAME.initial(), "66", "'66' is not a roll of the dice here"),
    ],
)
@plain
def test_what_is_no_play_is_told_in_words(state: State, text: str, sentence: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse_action(state, text)
    assert str(caught.value).startswith(sentence)


@plain
def test_positions() -> None:
    start = GAME.initial()
    assert GAME.position(start) == "4HPwATDgc/ABMA start"
    assert at("4HPwATDgc/ABMA START") == start == at("")
    assert at("4HPwATDgc/ABMA") == State(START, START, 0, 0)
    assert at("4HPwATDgc/ABMA x 13") == at("4HPwATDgc/ABMA X 3 1") == State(START, START, 0, 31)
    assert GAME.position(at("4HPwATDgc/ABMA o 31")) == "4HPwATDgc/ABMA O 31"
    assert GAME.position(at("31 8/5 6/5 26")) == GAME.position(at("31 6/5 8/5 62"))
    assert at("13").player == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4HPwATDgc/ABMA Y", "the player to move in '4HPwATDgc/ABMA Y' must be X or O, not 'Y'"),
        (
            "4HPwATDgc/ABMA X 71",
            "the dice in '4HPwATDgc/ABMA X 71' must be two numbers, such as 31, not '71'",
        ),
        (
            "omfwATDgc/ABMA start",
            "'omfwATDgc/ABMA start' is not where a game starts: that is '4HPwATDgc/ABMA start'",
        ),
        ("//////////////", "in '//////////////' the other player has 80 checkers, more than 15"),
        ("4HPwATDgc/ABMB", "'4HPwATDgc/ABMB' has bits that no Position ID has"),
        (
            "66",
            "'66' is not a roll of the dice here (reading rolls and plays, since there is no Position ID)",
        ),
        (
            "nonsense",
            "'nonsense' is not a roll of the dice here "
            "(reading rolls and plays, since there is no Position ID)",
        ),
    ],
)
@plain
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        at(text)
    assert str(caught.value) == sentence


@plain
def test_boards_that_cannot_be() -> None:
    closed = dict.fromkeys(range(1, 7), 2)
    for state, sentence in (
        (made({6: 3}, {19: 2}), "both players are on the point 6 of the player to move, 19 of the other"),
        (made({}, {19: 2}), "the player to move has no checkers left"),
        (made(closed | {25: 1}, closed | {25: 1}), "neither player can ever enter: both"),
    ):
        with pytest.raises(BadPosition, match=sentence):
            at(f"{position_id(state.mine, state.theirs)} X")
    end = made({6: 1}, {})
    written = position_id(end.mine, end.theirs)
    assert GAME.is_terminal(at(f"{written} X"))
    with pytest.raises(BadPosition, match="dice after the end"):
        at(f"{written} X 31")


@plain
def test_a_picture() -> None:
    state = made({25: 2, 6: 7, 24: 1}, {25: 1, 6: 3}, 52)
    assert GAME.text(state) == "\n".join(
        [
            " 13 14 15 16 17 18      19 20 21 22 23 24",
            "+------------------+---+------------------+",
            "|                  |   | O              X |  O: 43 pips, 11 off",
            "|                  |   | O                |",
            "|                  |   | O                |",
            "|                  |   |                  |",
            "|                  | O |                  |",
            "|                  |BAR|                  |  White (X) plays 5 2",
            "|                  | X | 7                |",
            "|                  | X | X                |",
            "|                  |   | X                |",
            "|                  |   | X                |",
            "|                  |   | X                |  X: 116 pips, 5 off",
            "+------------------+---+------------------+",
            " 12 11 10  9  8  7       6  5  4  3  2  1",
        ]
    )


@plain
def test_a_scene_shows_every_checker_and_the_dice() -> None:
    for state in itertools.chain(from_random_games(1, seed=3), made_up(50, seed=3)):
        state = thrown(state, 52)
        scene = GAME.scene(state)
        places = {(cell.x, cell.y) for cell in scene.cells}
        assert len(scene.cells) == 28 == len(places)
        discs = [piece for piece in scene.pieces if piece.look == "disc"]
        assert len({(piece.x, piece.y) for piece in discs}) == len(discs)
        for player in (0, 1):
            shown = [piece for piece in discs if piece.player == player]
            assert sum(int(piece.text) - 4 if piece.text.isdecimal() else 1 for piece in shown) == 15
        assert [piece.text for piece in scene.pieces if piece.look == "sign"] == ["⚄", "⚁"]


@plain
def test_a_player_points_from_and_to() -> None:
    state = at("4HPwATDgc/ABMA O 31")
    assert GAME.move_squares(state, GAME.parse_action(state, "8/5 6/5")) == ["17", "20", "19", "20"]
    off = made({25: 1, 2: 1}, {6: 1}, 62)
    assert GAME.move_squares(off, GAME.parse_action(off, "bar/17")) == ["X's bar", "23", "23", "17"]
    home = made({2: 1}, {6: 1}, 62)
    assert list(GAME.move_squares(home, next(GAME.actions(home)))) == ["2", "X off"]


# -- In the terminal.


@plain
def test_a_person_sees_the_dice_the_plays_and_passes_by_themselves() -> None:
    closed = dict.fromkeys(range(1, 7), 2)
    shut = made({25: 1, 4: 2}, closed | {13: 3}, 31)
    position = f"{position_id(shut.mine, shut.theirs)} X 31"
    people = ("--players", "human,human", "--seed", "1")
    done = piped("play", "backgammon", "--position", position, *people, lines="moves\nposition\nquit\n")
    assert "White (X) plays 3 1" in done.stdout
    assert "White (human) cannot move and passes.\nChance: 31.\n" in done.stdout
    assert (
        "You are Black: Play the dice, as in 24/18 13/11: moves\nLegal moves: 13/10 13/12, 13/9, "
        in done.stdout
    )
    again = piped("play", "backgammon", "--position", position, *people, lines="13/9\nundo\nposition\nquit\n")
    assert again.stdout.count(" cannot move and passes.") == 2  # before, and after 13/9
    assert " O 31\n" in again.stdout.partition("undo\n")[2]


# -- What helps a search.


@plain
def test_an_estimate_is_the_same_from_both_sides_of_the_board() -> None:
    for state in itertools.chain(from_random_games(1, seed=4), made_up(100, seed=4)):
        x, o = State(state.mine, state.theirs, 0, 0), State(state.mine, state.theirs, 1, 0)
        assert GAME.evaluate(x, 0) == GAME.evaluate(o, 1) == -GAME.evaluate(x, 1)
        low, high = GAME.bounds
        assert low < GAME.evaluate(x, 0) < high
    assert GAME.evaluate(GAME.initial(), 0) == 0


@plain
def test_features() -> None:
    """X has a blot, 18 points before O's checker on the bar: one throw of 36, a double 6, hits it."""
    state = made({18: 1, 6: 4, 5: 2}, {25: 1, 2: 2, 3: 1}, 0)
    expected = {
        "pips": 32 - 52,
        "race": 0,
        "off": 8 - 11,
        "bar": 0 - 1,
        "shut out": 0 - 2,
        "risk": 1 / 36 * 7 / 25,
        "danger": 1 / 36 * 1,
        "home": 2 - 1,
        "prime": 2 - 0,
        "anchor": 0,
        "back": 0 - 1,
        "stacked": 1 - 0,
        "tempo": 1,
    }
    assert dict(zip(GAME.feature_names, GAME.features(state), strict=True)) == pytest.approx(expected)
    race = made({6: 1, 20: 2}, {4: 1}, 0)
    found = dict(zip(GAME.feature_names, GAME.features(race), strict=True))
    assert (found["race"], found["anchor"]) == (pytest.approx((4 - 46) / 60), 1)


@plain
def test_the_chance_to_hit() -> None:
    """The usual table: 11 of 36 throws hit at a distance of 1, 17 at 6, 3 at 12, 1 at 24."""
    hits = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3, 13: 0, 24: 1}
    assert {distance: round(36 * chance_to_hit(distance)) for distance in hits} == hits


@plain
def test_inputs_tell_how_many_are_where_and_whose_turn_it_is() -> None:
    state = made({25: 1, 6: 5, 3: 2}, {25: 2, 1: 1, 8: 3}, 31)
    into = np.full(ENCODING_SIZE, np.nan)
    GAME.encode(state, 0, into)
    mine, theirs = into[:98], into[98:196]
    assert mine[4 * 5 : 4 * 6].tolist() == [1, 1, 1, 1]
    assert mine[4 * 2 : 4 * 3].tolist() == [1, 1, 0, 0]
    assert mine[96:].tolist() == [0.5, 7 / 15]
    assert theirs[:4].tolist() == [1, 0, 0, 0]
    assert theirs[4 * 7 : 4 * 8].tolist() == [1, 1, 1, 0]
    assert theirs[96:].tolist() == [1, 9 / 15]
    assert into[196:198].tolist() == [1, 0]
    assert np.count_nonzero(into[:198]) == 4 + 2 + 2 + 1 + 3 + 2 + 1
    features = np.array(GAME.features(state)) * GAME.scales
    assert into[198:].tolist() == features.tolist()
    other = np.full(ENCODING_SIZE, np.nan)
    GAME.encode(state, 1, other)
    assert other.tolist() == [*theirs.tolist(), *mine.tolist(), 0, 1, *(-features).tolist()]


@kernel
def followed(game, state, seed, most):  # type: ignore[no-untyped-def]
    """The keys of the states of a random game, the number of its plays, and what the game is worth, mixed."""
    digest = seed
    for _ in range(most):
        if game.is_terminal(state):
            return mix(digest ^ int(game.utility(state, 0)))
        number = 0
        for action in game.actions(state):
            number += 1
            digest = mix(digest ^ game.key(game.result(state, action)))
        chosen = right(digest, 8) % number
        for action in game.actions(state):
            if chosen == 0:
                state = game.result(state, action)
                break
            chosen -= 1
        digest = mix(digest ^ int(1e6 * game.evaluate(state, 0)))
        digest = mix(digest ^ int(game.priority(state, 0)))
    return digest


@pytest.mark.costly
def test_random_games_are_the_same_compiled() -> None:
    if interpreting():
        pytest.skip("nothing is compiled in this run")
    for seed in range(3):
        expected = followed.interpreted(GAME, GAME.initial(), seed, 600)
        assert followed(GAME, GAME.initial(), seed, 600) == expected


@kernel
def filled(game, state, player, into):  # type: ignore[no-untyped-def]
    game.encode(state, player, into)
    return into.sum()


def test_inputs_compile() -> None:
    state = made({25: 1, 6: 5, 3: 2}, {25: 2, 1: 1, 8: 3}, 31)
    expected, got = np.zeros(ENCODING_SIZE), np.zeros(ENCODING_SIZE)
    GAME.encode(state, 1, expected)
    assert filled(GAME, state, 1, got) == pytest.approx(expected.sum())
    assert got.tolist() == expected.tolist()


@plain
def test_the_network_that_was_trained() -> None:
    """It sees what is plain: who is far ahead, and both sides alike."""
    ahead, behind = at("4HPwATDgc/ABMA X"), at("4HPwATDgc/ABMA O")
    assert GAME.evaluate(ahead, 0) == -GAME.evaluate(ahead, 1) == GAME.evaluate(behind, 1)
    assert 0 < GAME.evaluate(ahead, 0) < 0.3  # the first throw is worth something
    assert Backgammon(network=GAME_NETWORK).evaluate(ahead, 0) == GAME.evaluate(ahead, 0)
    assert Backgammon(network=False).evaluate(ahead, 0) != GAME.evaluate(ahead, 0)
    with pytest.raises(BadParameter, match="211 inputs, not 3"):
        Backgammon(network=Network(np.zeros((3, 1)), np.zeros(1), np.zeros(2)))
    with pytest.raises(PliesError, match="cannot be read"):
        Backgammon(network="nowhere.npz")


@plain
def test_weights() -> None:
    assert Backgammon(weights=[0] * 13).evaluate(at("31 8/5 6/5"), 0) == 0
    with pytest.raises(BadParameter, match="there are 13 weights, not 2"):
        Backgammon(weights=[1, 2])
