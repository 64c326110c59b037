"""Othello against published counts, a solved board and a slow twin; its cells and position strings."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle, oracle_path
from plies import BadParameter, BadPosition, Othello, check_game
from plies.bits import indices, popcount
from plies.compiled import interpreting
from plies.engine import Options, kernels
from plies.engine.kernels import plain
from plies.engine.solve import solve as solution
from plies.games.othello import State

GAME = Othello()
SIZES = (4, 6, 8)


class Slow:
    """Othello as a person plays it: a board of cells, walked in each direction."""

    def __init__(self, size: int) -> None:
        self.size = size
        middle = size // 2
        self.board = {(row, column): "" for row in range(size) for column in range(size)}
        self.board[middle - 1, middle - 1] = self.board[middle, middle] = "O"
        self.board[middle - 1, middle] = self.board[middle, middle - 1] = "X"
        self.mover, self.other = "X", "O"

    def turned(self, row: int, column: int) -> list[tuple[int, int]]:
        found = []
        for down, across in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            run, cell = [], (row + down, column + across)
            while self.board.get(cell) == self.other:
                run.append(cell)
                cell = (cell[0] + down, cell[1] + across)
            if self.board.get(cell) == self.mover:
                found += run
        return found

    def moves(self) -> list[str]:
        return [name(cell) for cell, disc in self.board.items() if not disc and self.turned(*cell)]

    def play(self, move: str) -> None:
        if move != "pass":
            cell = int(move[1:]) - 1, "abcdefgh".index(move[0])
            for place in [cell, *self.turned(*cell)]:
                self.board[place] = self.mover
        self.mover, self.other = self.other, self.mover

    def position(self) -> str:
        return "".join(disc or "-" for disc in self.board.values()) + f" {self.mover}"


def name(cell: tuple[int, int]) -> str:
    return "abcdefgh"[cell[1]] + str(cell[0] + 1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_random_games_as_the_slow_twin_plays_them(size: int, seed: int) -> None:
    game, twin, choice = Othello(size), Slow(size), random.Random(seed)
    state = game.initial()
    while True:
        assert game.position(state) == twin.position()
        moves = twin.moves()
        if not moves:
            twin.play("pass")
            if not twin.moves():
                break
            twin.play("pass")
            moves = ["pass"]
        assert [game.notation(state, action) for action in game.actions(state)] == moves
        assert not game.is_terminal(state)
        move = choice.choice(moves)
        state = game.result(state, game.parse_action(state, move))
        twin.play(move)
    assert game.is_terminal(state)
    count = Counter(twin.board.values())
    lead = count["X"] - count["O"]
    assert Othello(size, empties_to_winner=False).utility(state, 0) == lead
    if lead:
        lead += count[""] if lead > 0 else -count[""]
    assert game.utility(state, 0) == lead == -game.utility(state, 1)


def bik(game: Othello, depth: int) -> list[int]:
    """Sequences of 1, 2, … moves as Aart Bik counts them: a game that ended earlier goes on counting."""
    counts, finished, level = [], 0, Counter({game.initial(): 1})
    for _ in range(depth):
        following: Counter[State] = Counter()
        for state, sequences in level.items():
            finished += sequences * game.is_terminal(state)
            for action in game.actions(state):
                following[game.result(state, action)] += sequences
        level = following
        counts.append(level.total() + finished)
    return counts


@pytest.mark.long
@pytest.mark.parametrize(("size", "depth"), [(4, 12), (6, 6), (8, 6)])
@pytest.mark.no_cover
def test_perft_as_bik_counts(size: int, depth: int) -> None:
    published = oracle("othello/perft_and_small_boards.json")[
        "perft_8x8" if size == 8 else f"perft_{size}x{size}_bik_convention"
    ]
    assert bik(Othello(size), depth) == published[:depth]


def test_perft_as_openspiel_counts() -> None:
    published = oracle("misc/openspiel_perft.json")["perft"]["othello"][: 5 if interpreting() else 7]
    assert [kernels.perft(GAME, GAME.initial(), depth + 1) for depth in range(len(published))] == published


@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
def test_perft_compiled() -> None:
    published = oracle("othello/perft_and_small_boards.json")["perft_8x8"]
    assert kernels.perft(GAME, GAME.initial(), 9) == published[8]  # no game ends before its ninth ply


def solve(game: Othello, state: State, known: dict[State, int]) -> int:
    """What a state is worth to the player to move, by plain minimax."""
    if state not in known:
        if game.is_terminal(state):
            known[state] = game.utility(state, game.to_move(state))
        else:
            known[state] = max(-solve(game, game.result(state, a), known) for a in game.actions(state))
    return known[state]


@pytest.mark.long  # the engine solves it in the test below
def test_the_4x4_board_is_solved_under_both_ways_to_count() -> None:
    facts = oracle("othello/perft_and_small_boards.json")["4x4"]
    for empties_to_winner, value in (
        (True, facts["value_if_empties_to_winner"]),
        (False, facts["value_black_minus_white"]),
    ):
        game = Othello(4, empties_to_winner)
        assert solve(game, game.initial(), {}) == value


def test_the_4x4_board_is_solved_by_alpha_beta() -> None:
    game = Othello(4)
    score = kernels.alpha_beta(game, game.initial(), 0, -np.inf, np.inf, 20, 0, kernels.counts())
    assert round(score / plain.UNIT) == -10


def late_position(game: Othello, empty: int, chance: random.Random) -> State:
    """A position of a random game with that many empty cells, in which the game is not over."""
    while True:
        state = game.initial()
        while not game.is_terminal(state) and popcount(game.board & ~(state.mine | state.theirs)) > empty:
            state = game.result(state, chance.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            return state


@pytest.mark.plain  # compiled, all rules of our games are compared with the interpreted ones in test_check.py
@pytest.mark.parametrize("empties_to_winner", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_proved_bounds_hold_and_settle_any_window(size: int, empties_to_winner: bool) -> None:
    game, chance = Othello(size, empties_to_winner), random.Random(size)
    known: dict[State, int] = {}
    for number in range(60):
        state = late_position(game, 1 + number % (5 if size == 4 else 7), chance)
        value = solve(game, state, known)
        for _ in range(4):
            alpha = chance.uniform(-game.cells, game.cells)
            beta = chance.choice([alpha + 2**-17, alpha + 1, alpha + 6, float(game.cells)])
            low, high = game.proved_bounds(state, alpha, beta)
            assert low <= value <= high
            assert low >= beta or high <= alpha or low == high, (low, value, high, alpha, beta)


@pytest.mark.costly
def test_proved_bounds_save_nodes_and_change_no_value() -> None:
    game = Othello(6)
    state = late_position(game, 9, random.Random(1))
    found = [solution(game, state, options=Options(proved_bounds=given), memory=1) for given in (True, False)]
    assert found[0].value == found[1].value
    assert found[0].nodes < found[1].nodes / 3


@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
def test_an_endgame_problem_is_solved() -> None:
    line = oracle_path("othello/fforum-40-59.obf").read_text().splitlines()[0]
    best = max(int(scored.partition(":")[2]) for scored in line.rstrip("; ").split("; ")[1:])
    assert solution(GAME, GAME.parse_position(line), memory=16).value.utility == best == 38


def test_feinsteins_perfect_game_on_6x6() -> None:
    facts = oracle("othello/perft_and_small_boards.json")["6x6"]
    # The record is written on the inner cells of the 8x8 board, and leaves out the pass before the end.
    moves = [
        f"{'abcdef'['bcdefg'.index(move[0])]}{int(move[1]) - 1}" for move in facts["perfect_line"].split()
    ]
    game = Othello(6)
    state = game.parse_position("".join(moves))
    assert game.is_terminal(state)
    assert game.utility(state, 0) == facts["value_black_minus_white"]
    assert game.parse_position(" ".join([*moves[:-2], "pass", *moves[-2:]])) == state
    if not interpreting():
        late = game.parse_position(" ".join(moves[:-12]))
        score = kernels.alpha_beta(game, late, 0, -np.inf, np.inf, 40, 0, kernels.counts())
        assert round(score / plain.UNIT) == facts["value_black_minus_white"]


@pytest.mark.parametrize("file", ["fforum-1-19.obf", "fforum-40-59.obf"])
def test_endgame_problems_are_read_and_have_the_moves_that_are_scored(file: str) -> None:
    lines = oracle_path(f"othello/{file}").read_text().splitlines()
    assert len(lines) >= 19
    for line in lines:
        board, *scored = line.rstrip("; ").split("; ")
        state = GAME.parse_position(line)
        assert GAME.position(state) == board
        moves = {GAME.notation(state, action).upper() for action in GAME.actions(state)}
        assert {move.split(":")[0] for move in scored} <= moves


def shown(text: str) -> int:
    """A set of cells from a picture of it."""
    return sum((cell == "X") << i for i, cell in enumerate("".join(text.split())))


def test_stable_discs_are_backed_by_the_edge_on_every_line() -> None:
    game = Othello(6)
    discs = shown("XXXX.. XXX..X XX...X X..... ..XX.. X.X...")
    assert game.stable(discs) == shown("XXXX.. XXX... XX.... X..... ...... X.....")
    assert game.stable(discs & ~1) == shown("...... ...... ...... ...... ...... X.....")


@pytest.mark.plain
@given(st.sampled_from(SIZES), st.integers(0, 2**64 - 1))
def test_a_stable_disc_is_never_turned_over(size: int, seed: int) -> None:
    game, choice = Othello(size), random.Random(seed)
    state = game.initial()
    stable = [0, 0]
    while not game.is_terminal(state):
        mover = state.player
        state = game.result(state, choice.choice(list(game.actions(state))))
        for player, discs in ((1 - mover, state.mine), (mover, state.theirs)):
            assert stable[player] & ~discs == 0
            stable[player] = game.stable(discs)


@given(st.sampled_from(SIZES), st.data())
def test_around_is_what_touches(size: int, data: Any) -> None:
    game = Othello(size)
    cells = data.draw(st.sets(st.integers(0, size * size - 1)))
    near = {
        row * size + column
        for cell in cells
        for row in range(max(cell // size - 1, 0), min(cell // size + 2, size))
        for column in range(max(cell % size - 1, 0), min(cell % size + 2, size))
    }
    board = sum(1 << cell for cell in cells)
    board -= (board >> 63) << 64
    assert set(indices(game.around(board))) == near


def test_an_offered_corner_is_bad_and_a_corner_taken_is_good() -> None:
    rows = "/--XXX---/---XO---/---OX---/--OOO---/--------/-------- O"
    offered, plain, taken = (
        GAME.evaluate(GAME.parse_position(start + rows), 0)
        for start in ("--------/-X------", "--------/--------", "X-------/-X------")
    )
    assert offered < plain - 5 < plain + 5 < taken


def test_a_move_that_offers_a_corner_is_tried_last() -> None:
    state = GAME.parse_position("--------/--------/--O-----/---XX---/---XO---/--------/--------/-------- X")
    order = sorted(GAME.actions(state), key=lambda action: -GAME.priority(state, action))
    assert [GAME.notation(state, action) for action in order][-1] == "b2"  # O answers a1


def test_a_player_without_moves_passes() -> None:
    game = Othello(4)
    state = game.parse_position("XO--/-OO-/-OO-/---- O")
    assert [game.notation(state, action) for action in game.actions(state)] == ["pass"]
    assert game.priority(state, game.passing) == 0
    after = game.play(state, game.passing)
    assert after == State(state.theirs, state.mine, 0)
    assert [game.notation(after, action) for action in game.actions(after)] == ["c1", "d4"]


def test_text_shows_discs_and_coordinates() -> None:
    game = Othello(4)
    assert game.text(game.parse_position("b1")) == ("  a b c d\n1 . X . .\n2 . X X .\n3 . X O .\n4 . . . .")


@pytest.mark.parametrize(
    "text",
    [
        "b1 a1",
        "b1a1",
        "B1, A1",
        "OX---OX--XO----- X",
        "OX--/-OX-/-XO-/---- x",
        "|OX..|\n|.OX.|\n|.XO.|\n|....|\nX",
        "OX---OX--XO----- X; a2:+3; pass:0",
    ],
)
def test_ways_to_write_a_position(text: str) -> None:
    game = Othello(4)
    state = game.parse_position(text)
    assert state.player == 0
    assert popcount(state.mine | state.theirs) == 6


SMALL = Othello(4)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "-----OX--XO---- X",
            "'-----OX--XO---- X' has 15 cells before the player to move; this board has 16",
        ),
        ("-----OX--XO-----", "'-----OX--XO-----' has 15 cells before the player to move; this board has 16"),
        ("-----OX--XO------", "'-----OX--XO------' must end with the player to move, X or O, not '-'"),
        ("?----OX--XO----- X", "'?' on a1 of '?----OX--XO----- X' is not one of X, O and -"),
        (
            "XX---OX--X------ X",
            "'XX---OX--X------ X' has an empty cell in the centre, where the game starts",
        ),
        ("c1", "'c1' is not a legal move; legal moves: b1, a2, d3, c4 (reading 'c1' as moves)"),
        ("b1 pass", "'pass' is not a legal move; legal moves: a1, c1, a3 (reading 'b1 pass' as moves)"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        SMALL.parse_position(text)
    assert str(caught.value) == sentence


def test_discs_must_touch() -> None:
    text = "X" + "-" * 26 + "OX------XO" + "-" * 27 + " X"
    with pytest.raises(BadPosition, match="has discs that are not connected to the others"):
        GAME.parse_position(text)


def test_nothing_follows_the_end_of_a_game() -> None:
    state, moves = SMALL.initial(), []
    while not SMALL.is_terminal(state):
        action = next(iter(SMALL.actions(state)))
        moves.append(SMALL.notation(state, action))
        state = SMALL.result(state, action)
    with pytest.raises(BadPosition, match="'a1' comes after the end of the game"):
        SMALL.parse_position(" ".join([*moves, "a1"]))


@pytest.mark.parametrize("size", [-4, 0, 2, 5, 10])
def test_boards_that_do_not_fit(size: int) -> None:
    with pytest.raises(BadParameter, match=f"size must be 4, 6 or 8, not {size}"):
        Othello(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
def test_every_rule_holds(size: int) -> None:
    report = check_game(Othello(size), games=5)
    assert report.ok, str(report)
    assert report.compiled or interpreting()
