"""Checkers against published counts, solved endings and another program; its notation and records."""

from __future__ import annotations

import csv
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle, oracle_path
from plies import BadParameter, BadPosition, Checkers, IllegalMove, PliesError
from plies.bits import mix, popcount
from plies.compiled import interpreting, kernel
from plies.compiled.workspace import Workspace
from plies.engine import AlphaBeta, Limit, kernels
from plies.games.checkers_board import State
from plies.games.checkers_pdn import read_pdn, write_pdn
from plies.history import History

GAME = Checkers()
ENDLESS = Checkers(no_progress=0)


# -- Counts.


def perft_published() -> list[int]:
    lines = oracle_path("checkers/perft.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return [int(row["leaves"]) for row in rows]


def test_perft() -> None:
    published = perft_published()
    for depth in range(1, 7 if interpreting() else 11):
        assert kernels.perft(GAME, GAME.initial(), depth) == published[depth - 1]


@kernel
def perft_remembered(game, state, depth, work):  # type: ignore[no-untyped-def]
    """Perft with a table of the counts of positions already seen."""
    if game.is_terminal(state):
        return 0
    total = 0
    if depth == 1:
        for _ in game.actions(state):
            total += 1
        return total
    key = mix(game.key(state) ^ depth)
    place = key & (len(work.keys) - 1)
    if work.keys[place] == key:
        return work.counts[place]
    for action in game.actions(state):
        total += perft_remembered(game, game.result(state, action), depth - 1, work)
    work.keys[place] = key
    work.counts[place] = total
    return total


def remembered(depth: int, size: int) -> int:
    work = Workspace(keys=np.zeros(1 << size, np.int64), counts=np.zeros(1 << size, np.int64))
    return int(perft_remembered(GAME, GAME.initial(), depth, work))


@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
def test_perft_with_a_table() -> None:
    assert remembered(12, 20) == perft_published()[11]


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="takes hours interpreted")
@pytest.mark.parametrize("depth", [13, 14, 15])
def test_perft_deep(depth: int) -> None:
    assert remembered(depth, 24) == perft_published()[depth - 1]


@pytest.mark.parametrize("count", [1, 2])
def test_positions_by_the_number_of_pieces(count: int) -> None:
    placed = 0
    for squares in itertools.combinations(range(1, 33), count):
        for kinds in itertools.product(("W", "WK", "B", "BK"), repeat=count):
            sides = {
                colour: ",".join(
                    f"{kind[1:]}{square}"
                    for kind, square in zip(kinds, squares, strict=True)
                    if kind[0] == colour
                )
                for colour in "WB"
            }
            mover = "W" if sides["B"] else "B"
            try:
                state = GAME.parse_position(f"{mover}:W{sides['W']}:B{sides['B']}")
            except BadPosition:
                continue
            placed += 1
            assert popcount(state.mine | state.theirs) == count
    assert placed == oracle("checkers/positions_by_pieces.json")["positions"][str(count)]


# -- Endings.


def placements(counts: tuple[int, int, int, int], player: int) -> Iterator[State]:
    """All ways to place so many black men and kings, white men and kings."""
    names = ("B", "BK", "W", "WK")

    def place(kind: int, free: tuple[int, ...], sides: dict[str, list[str]]) -> Iterator[str]:
        if kind == 4:
            yield f"{'BW'[player]}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"
            return
        name = names[kind]
        allowed = [s for s in free if name[1:] or (s < 29 if name == "B" else s > 4)]
        for squares in itertools.combinations(allowed, counts[kind]):
            more = [f"{name[1:]}{square}" for square in squares]
            rest = tuple(square for square in free if square not in squares)
            yield from place(kind + 1, rest, {**sides, name[0]: sides[name[0]] + more})

    for text in place(0, tuple(range(1, 33)), {"B": [], "W": []}):
        yield ENDLESS.parse_position(text)


def solved(states: list[State]) -> dict[State, int]:
    """What each state is worth to the player to move: 1, -1, or 0 where nobody can force anything."""
    values: dict[State, int] = {}
    children = {state: [ENDLESS.result(state, a) for a in ENDLESS.actions(state)] for state in states}
    for state in {child for after in children.values() for child in after} | set(states):
        if ENDLESS.is_terminal(state):
            values[state] = ENDLESS.utility(state, state.player)
    changed = True
    while changed:
        changed = False
        for state in states:
            if state not in values:
                after = [values.get(child, 0) for child in children[state]]
                if -1 in after or all(value == 1 for value in after):
                    values[state] = 1 if -1 in after else -1
                    changed = True
    return values


def check_endings(most: int) -> None:
    lines = oracle_path("checkers/endgame_wdl_2to4_pieces.csv").read_text().splitlines()
    rows = [row for row in csv.DictReader(lines) if row["max_dist_iter"]]  # without the notes below
    slices = {tuple(int(row[kind]) for kind in ("bm", "bk", "wm", "wk")): row for row in rows}
    slices = {counts: row for counts, row in slices.items() if sum(counts) <= most}
    states = {counts: list(placements(counts, 0)) for counts in slices}
    both = [state for counts in slices for player in (0, 1) for state in placements(counts, player)]
    values = solved(both)
    for counts, row in slices.items():
        found = [values.get(state, 0) for state in states[counts]]
        published = [int(row[name]) for name in ("positions", "win", "draw", "loss")]
        assert [len(found), found.count(1), found.count(0), found.count(-1)] == published


@pytest.mark.no_cover
def test_endings_of_one_piece_each() -> None:
    check_endings(2)


@pytest.mark.long
def test_endings_of_three_pieces() -> None:
    check_endings(3)


# -- Another program.


def crowded(choice: random.Random) -> str:
    """A position in which long jumps are common: White's pieces stand a jump apart."""
    white = choice.sample([*range(5, 9), *range(13, 17), *range(21, 25)], choice.randrange(4, 10))
    black = choice.sample([*range(1, 5), *range(9, 13), *range(17, 21), *range(25, 29)], 2)
    words = [
        ",".join(f"{'K' * (choice.random() < 0.8)}{square}" for square in side) for side in (white, black)
    ]
    return f"B:W{words[0]}:B{words[1]}"


def compare(state: State, referee: Any) -> list[Any]:
    """The referee's moves, which must be ours."""
    moves = referee.legal_moves()
    theirs = sorted(list(map(str, move.steps_move)) for move in moves)
    assert sorted(list(GAME.move_squares(state, action)) for action in GAME.actions(state)) == theirs
    return list(moves)


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(6))
def test_random_games_as_another_program_plays_them(seed: int) -> None:
    draughts = pytest.importorskip("draughts", reason="the referee is pydraughts, in the extra `dev`")
    referee, choice = draughts.Board(variant="english", fen="startpos"), random.Random(seed)
    state = GAME.initial()
    while True:
        assert GAME.position(state).split(":H")[0] == ordered(referee.fen)
        moves = compare(state, referee)
        if not moves:
            break
        if state.quiet == 80:
            assert GAME.is_terminal(state)
            return
        assert not GAME.is_terminal(state)
        move = choice.choice(moves)
        action = GAME.parse_action(state, "x".join(map(str, move.steps_move)))
        assert GAME.notation(state, action) == move.pdn_move
        state = GAME.result(state, action)
        referee.push(move)
    assert GAME.is_terminal(state)
    assert GAME.utility(state, state.player) == -1
    assert referee.winner() == [draughts.WHITE, draughts.BLACK][state.player]


def ordered(fen: str) -> str:
    """A position of the referee's with its squares in the order of their numbers."""
    mover, *sides = fen.split(":")
    squares = [sorted(side[1:].split(","), key=lambda s: int(s.strip("K") or 0)) for side in sides]
    return ":".join([mover, *(s[0] + ",".join(words) for s, words in zip(sides, squares, strict=True))])


@pytest.mark.plain
@pytest.mark.no_cover
def test_jumps_of_many_kings_as_another_program_finds_them() -> None:
    draughts = pytest.importorskip("draughts", reason="the referee is pydraughts, in the extra `dev`")
    choice, long, round_trips = random.Random(1), 0, 0
    for _ in range(200):
        fen = crowded(choice)
        state = GAME.parse_position(fen)
        compare(state, draughts.Board(variant="english", fen=fen))
        for action in GAME.actions(state):
            squares = GAME.move_squares(state, action)
            long += len(squares) > 3
            round_trips += len(squares) > 2 and squares[0] == squares[-1]
    assert long > 20
    assert round_trips > 0


# -- Rules one by one.


def moves(text: str, game: Checkers = GAME) -> set[str]:
    state = game.parse_position(text)
    return {game.notation(state, action) for action in game.actions(state)}


def test_whoever_can_jump_must() -> None:
    assert moves("B:W15,32:B11,1") == {"11x18"}


def test_a_man_does_not_jump_back() -> None:
    assert moves("B:W10,22:B15,1") == {"1-5", "1-6", "15-18", "15-19"}


def test_a_jump_goes_on_to_its_end() -> None:
    state = GAME.parse_position("B:W6,14,22:B1")
    assert [GAME.move_squares(state, action) for action in GAME.actions(state)] == [["1", "10", "17", "26"]]
    assert moves("B:W6,14,22:B1") == {"1x26"}


def test_a_man_that_becomes_a_king_by_a_jump_stops() -> None:
    state = GAME.parse_position("B:W26,27:B22")  # a king on 31 could go on over 27
    (jump,) = GAME.actions(state)
    assert GAME.notation(state, jump) == "22x31"
    after = GAME.result(state, jump)
    assert GAME.position(after) == "W:W27:BK31"


def test_a_king_goes_on() -> None:
    assert moves("B:W26,27:BK22") == {"22x24"}


def test_a_king_may_jump_round_to_where_it_began_either_way() -> None:
    text = "B:W10,11,18,19:BK7"
    assert moves(text) == {"7x14x23x16x7", "7x16x23x14x7"}
    state = GAME.parse_position(text)
    results = {GAME.result(state, action) for action in GAME.actions(state)}
    assert [GAME.position(result) for result in results] == ["W:W:BK7"]


def test_ends_that_leave_it_open_are_written_out() -> None:
    state = GAME.parse_position("B:W10,11,18,19:B7,1")
    assert {GAME.notation(state, action) for action in GAME.actions(state)} == {"7x14x23", "7x16x23"}
    with pytest.raises(IllegalMove, match="'7x23' could be several jumps; legal moves: 7x14x23, 7x16x23"):
        GAME.parse_action(state, "7x23")
    assert GAME.move_squares(state, GAME.parse_action(state, " 7X16:23")) == ["7", "16", "23"]


def test_whoever_cannot_move_has_lost() -> None:
    state = GAME.parse_position("B:W10,6,5,9:B1")  # square 1 is shut in: 6 and 5 are taken, 10 backs 6
    assert GAME.is_terminal(state)
    assert (GAME.utility(state, 0), GAME.utility(state, 1)) == (-1, 1)


def test_want_of_progress_is_a_draw() -> None:
    game = Checkers(no_progress=1)
    state = game.parse_position("B:WK32:BK1")
    for move in ("1-5", "32-28"):
        assert not game.is_terminal(state)
        state = game.play(state, game.parse_action(state, move))
    assert state.quiet == 2
    assert game.is_terminal(state)
    assert (game.utility(state, 0), game.utility(state, 1)) == (0, 0)
    assert not list(game.actions(state))


def test_a_block_on_the_last_quiet_move_wins() -> None:
    game = Checkers(no_progress=1)
    state = game.parse_position("W:WK6,9,5,K15:BK1:H1")
    after = game.play(state, game.parse_action(state, "15-10"))
    assert after.quiet == 2
    assert game.utility(after, 1) == 1


def test_men_and_jumps_set_the_clock_back() -> None:
    state = GAME.parse_position("B:WK20,K32:B1,K9:H7")
    assert GAME.result(state, GAME.parse_action(state, "9-14")).quiet == 8
    assert GAME.result(state, GAME.parse_action(state, "1-5")).quiet == 0
    taking = GAME.parse_position("B:W14,K32:B1,K9:H7")
    assert GAME.result(taking, GAME.parse_action(taking, "9x18")).quiet == 0
    endless = ENDLESS.parse_position("B:WK20,K32:B1,K9")
    assert ENDLESS.result(endless, ENDLESS.parse_action(endless, "9-14")).quiet == 0


def test_a_position_that_stands_for_the_third_time_is_a_draw() -> None:
    history = History(GAME, GAME.parse_position("B:WK32:BK1"))
    for move in ("1-5", "32-28", "5-1", "28-32") * 2:
        assert not history.over
        history.play(GAME.parse_action(history.state, move))
    assert history.reason == "the position occurs for the third time"
    assert history.utility(0) == history.utility(1) == 0


def test_the_clock_makes_no_other_position() -> None:
    one, two = (GAME.parse_position(f"B:WK20,K32:B1,K9{clock}") for clock in ("", ":H7"))
    assert GAME.key(one) == GAME.key(two)


# -- Evaluation.


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("men", "B:W21,22:B1,5,6", 1),
        ("kings", "B:WK20,K32:BK1,5", -1),
        ("back row", "B:W21,30:B1,3,9", 1),
        ("advancement", "B:W21,22:B1,9", -2),  # 0 + 2 rows of Black's, 2 + 2 of White's
        ("centre", "B:W18,22:B1,10", -1),
        ("mobility", "B:W21:B1", 1),  # 1-5 and 1-6 against 21-17
        ("trapped kings", "W:W11:BK4,12", 1),  # from 4 there is only 8, next to 11
        ("share of pieces", "B:W21:B1,2,3", 0.5),
        ("tempo", "W:W21:B1", -1),
    ],
)
def test_a_feature(name: str, text: str, value: float) -> None:
    features = dict(zip(GAME.feature_names, GAME.features(GAME.parse_position(text)), strict=True))
    assert features[name] == value


def turned(state: State) -> State:
    """The position seen from the other side of the board, colours exchanged."""
    mine, theirs, kings = (int(f"{x:035b}"[::-1], 2) for x in (state.mine, state.theirs, state.kings))
    return State(mine, theirs, kings, 1 - state.player, state.quiet)


@given(st.lists(st.integers(0, 999), max_size=60))
def test_both_colours_are_treated_alike(choices: list[int]) -> None:
    state = GAME.initial()
    for choice in choices:
        if GAME.is_terminal(state):
            break
        actions = list(GAME.actions(state))
        image = turned(state)
        assert {turned(GAME.result(state, action)) for action in actions} == {
            GAME.result(image, action) for action in GAME.actions(image)
        }
        assert GAME.evaluate(image, 0) == pytest.approx(GAME.evaluate(state, 1))
        state = GAME.result(state, actions[choice % len(actions)])


def test_weights_may_be_given() -> None:
    weights = [1.0] + [0.0] * 8
    game = Checkers(weights=weights)
    state = game.parse_position("B:W21:BK1,2,3")
    assert game.evaluate(state, 0) == 1 / 5
    with pytest.raises(BadParameter, match="there are 9 weights, not 2"):
        Checkers(weights=[1, 2])


def test_long_jumps_come_first_and_quiet_moves_last() -> None:
    state = GAME.parse_position("B:W15,23,7:B11,2,3")
    order = sorted(GAME.actions(state), key=lambda action: -GAME.priority(state, action))
    assert [GAME.notation(state, action) for action in order] == ["3x26", "11x27"]  # three taken, and two
    quiet = GAME.parse_position("B:W22,32:B14,1")
    worth = {GAME.notation(quiet, action): GAME.priority(quiet, action) for action in GAME.actions(quiet)}
    assert worth == {"1-5": 0, "1-6": 0, "14-17": 1, "14-18": 2}


def settled(state: State, player: int) -> float:
    """What a position is worth to a player when all jumps are made, each the best there is."""
    if GAME.is_terminal(state):
        return float(GAME.utility(state, player))
    if GAME.is_quiet(state):
        return GAME.evaluate(state, player)
    best = max if state.player == player else min
    return best(settled(GAME.result(state, action), player) for action in GAME.actions(state))


@pytest.mark.costly
def test_nobody_may_stop_where_they_must_jump() -> None:
    """At depth 1 the engine sees the end of all jumps, also of those that a player would rather not make."""
    forced = 0
    for seed in range(12):
        choice, state = random.Random(seed), GAME.initial()
        for _ in range(10 + seed):
            state = GAME.result(state, choice.choice(list(GAME.actions(state))))
        after = [GAME.result(state, action) for action in GAME.actions(state)]
        forced += sum(not GAME.is_quiet(child) for child in after)
        found = AlphaBeta(GAME, memory=1).search(state, Limit(depth=1))
        expected = max(settled(child, state.player) for child in after)
        assert found.value.utility == pytest.approx(expected, abs=1e-6)
    assert forced > 10


# -- For people.


def test_text_and_scene_show_the_pieces() -> None:
    state = GAME.parse_position("W:WK5,32:BK1,12")
    rows = GAME.text(state).splitlines()
    assert rows[0] == " 1-4     B   .   .   ."
    assert rows[1] == " 5-8   W   .   .   ."
    assert rows[2] == " 9-12    .   .   .   b"
    assert rows[7] == "29-32  .   .   .   w"
    scene = GAME.scene(state)
    places = {cell.name: (cell.x, cell.y) for cell in scene.cells}
    assert len(places) == 64
    shown = {(piece.x, piece.y): (piece.player, piece.look) for piece in scene.pieces}
    assert shown == {
        places["5"]: (1, "king"),
        places["32"]: (1, "disc"),
        places["1"]: (0, "king"),
        places["12"]: (0, "disc"),
    }


@pytest.mark.parametrize(
    "text",
    [
        "B:W18,24,K31:B1,2,K9",
        "b:w18,24,k31:b1,2,k9",
        "B:BK9,2,1:W24,18,K31.",
        "B:W18,24,K31:B1-2,K9:H0:F12",
        " B : W 18, 24, K31 : B 1, 2, K9 ",
    ],
)
def test_ways_to_write_a_position(text: str) -> None:
    assert GAME.position(GAME.parse_position(text)) == "B:W18,24,K31:B1,2,K9"


def test_moves_are_a_position_with_numbers_or_without() -> None:
    assert GAME.parse_position("1. 11-15 23-19 2. 8-11") == GAME.parse_position("11-15 23-19 8-11")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("B:W33:B1", "'33' after W in 'B:W33:B1' is not a square from 1 to 32"),
        ("B:W0:B1", "'0' after W in 'B:W0:B1' is not a square from 1 to 32"),
        ("B:W9-7:B1", "'9-7' after W in 'B:W9-7:B1' is not a square from 1 to 32"),
        ("B:W21,,22:B1", "'' after W in 'B:W21,,22:B1' is not a square from 1 to 32"),
        ("B:W21,K21:B1", "'K21' is given twice after W in 'B:W21,K21:B1'"),
        ("B:W21:B21", "'B:W21:B21' has pieces of both players on square 21"),
        ("B:W3:B21", "'3' after W in 'B:W3:B21' is on the last row, but not a king"),
        ("B:W21:B29", "'29' after B in 'B:W21:B29' is on the last row, but not a king"),
        ("B:W16-28:B1", "'B:W16-28:B1' has 13 pieces after W; a player has 12 at most"),
        ("B:W:B1", "in 'B:W:B1' the player who has just moved has no pieces"),
        ("B:WK9:B1:H81", "'B:WK9:B1:H81' has 81 plies without progress; the game ends after 80"),
        ("B:W9:B1:H8", "'B:W9:B1:H8' has plies without progress, but no king that can have made the last"),
        ("B:W9:W1", f"'B:W9:W1' is not of the form {GAME.position(GAME.initial())!r}"),
        ("B:11-15", f"'B:11-15' is not of the form {GAME.position(GAME.initial())!r}"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.parse_position(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("moves", [-1, 1001])
def test_draws_that_do_not_come(moves: int) -> None:
    with pytest.raises(BadParameter, match=f"or 0 for no limit, not {moves}"):
        Checkers(no_progress=moves)


# -- Records.


def random_game(seed: int, start: str | None = None) -> History:
    choice = random.Random(seed)
    history = History(GAME, GAME.parse_position(start) if start else None)
    while not history.over:
        history.play(choice.choice(history.legal()))
    return history


@pytest.mark.parametrize("start", [None, "W:W21,22,K9:B1,2,K32:H3"])
def test_records_read_back(start: str | None) -> None:
    for seed in range(3):
        history = random_game(seed, start)
        text = write_pdn(history, {"Event": 'A "friendly" one', "Black": "Anne"})
        assert max(map(len, text.splitlines())) < 100
        (record,) = read_pdn(text)
        assert record.history.states == history.states
        assert record.tags["Event"] == 'A "friendly" one'
        result = {1: "0-1", 0: "1/2-1/2", -1: "1-0"}[int(history.utility(0))]
        assert record.tags["Result"] == result
        assert text.endswith(f"{result}\n")


def test_a_record_as_it_is_written() -> None:
    history = History(GAME)
    for move in ("11-15", "23-19", "8-11"):
        history.play(GAME.parse_action(history.state, move))
    assert write_pdn(history) == '[GameType "21"]\n[Result "*"]\n\n1. 11-15 23-19 2. 8-11 *\n'


def test_comments_variations_and_several_games() -> None:
    text = """
    [Event "First"]
    1. 11-15 {the Old Faithful} 23-19! $1 (1... 22-18 (1... 24-19 2. 15x24) 2. 15x22) 2. 8-11 ; and so on
    1/2-1/2
    [Event "Second"]
    [FEN "W:W32:B1"]
    1... 32-28 2. 1-6 0-1
    [Event "Third"]
    """
    first, second, third = read_pdn(text)
    assert GAME.position(first.history.state) == GAME.position(GAME.parse_position("11-15 23-19 8-11"))
    assert GAME.position(second.history.state) == "W:W28:B6"
    assert (third.tags, third.history.actions) == ({"Event": "Third"}, [])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1. 11-14 *", "game 1 of the record, ply 1: '11-14' is not a legal move; legal moves: 9-13"),
        ('[FEN "B:W28:B1"] 1. 1-5 28-24 2. 9-14', "game 1 of the record, ply 3: '9-14' is not a legal move"),
        ("11-15\nxyzzy", "line 2: 'xyzzy' is not PDN"),
        ("11-15 )", "line 1: ')' without '('"),
        ("11-15 ( 23-19", "the record ends in a variation"),
        ('[FEN "B:W:B1"]', "in 'B:W:B1' the player who has just moved has no pieces"),
        ('[FEN "B:W19:B15"] 15x24 5-1', "ply 2: '5-1' comes after the end of the game"),
    ],
)
def test_what_is_wrong_with_a_record(text: str, sentence: str) -> None:
    with pytest.raises(PliesError) as caught:
        read_pdn(text)
    assert sentence in str(caught.value)


@given(st.text() | st.text('[FEN "B:W19:15x24K]{}();1/2-0*. \n', max_size=80))
def test_any_text_is_a_record_or_one_sentence(text: str) -> None:
    try:
        read_pdn(text)
    except PliesError:
        return


def test_only_checkers_is_written_so() -> None:
    import plies

    with pytest.raises(PliesError, match="PDN is for games of checkers, not of tic-tac-toe"):
        write_pdn(History(plies.TicTacToe()))
