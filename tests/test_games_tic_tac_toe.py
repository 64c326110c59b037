"""Tic-Tac-Toe against its published counts, its board and its position strings."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from oracles import oracle
from plies import BadPosition, IllegalMove, TicTacToe
from plies.games.tic_tac_toe import State

pytestmark = pytest.mark.plain

GAME = TicTacToe()


@pytest.fixture(scope="module")
def levels() -> list[Counter[State]]:
    """For each ply, the states and how many sequences of moves lead to each."""
    levels = [Counter({GAME.initial(): 1})]
    while levels[-1]:
        following: Counter[State] = Counter()
        for state, sequences in levels[-1].items():
            if not GAME.is_terminal(state):
                for action in GAME.actions(state):
                    following[GAME.result(state, action)] += sequences
        levels.append(following)
    return levels[:-1]


def winner(state: State) -> str:
    return {1: "X", -1: "O", 0: "D"}[GAME.utility(state, 0)]


def test_the_counts_everybody_knows(levels: list[Counter[State]]) -> None:
    # Published often; OpenSpiel counts the same.
    assert sum(level.total() for level in levels) == 549_946
    ended = Counter[str]()
    for level in levels:
        for state, sequences in level.items():
            if GAME.is_terminal(state):
                ended[winner(state)] += sequences
    assert ended == {"X": 131_184, "O": 77_904, "D": 46_080}
    assert ended.total() == 255_168
    states = {state for level in levels for state in level}
    assert len(states) == 5_478
    assert len({min(GAME.symmetries(state)) for state in states}) == 765


def test_counts_by_ply_and_by_winner(levels: list[Counter[State]]) -> None:
    known = oracle("tictactoe.json")
    assert [level.total() for level in levels] == known["full_tree_nodes_by_depth"]
    assert [len(level) for level in levels] == known["reachable_states_by_ply"]
    for length, by_winner in known["games_by_length"].items():
        ended = Counter({"X": 0, "O": 0, "D": 0})
        for state, sequences in levels[int(length)].items():
            if GAME.is_terminal(state):
                ended[winner(state)] += sequences
        assert ended == by_winner


def test_every_state_reads_back(levels: list[Counter[State]]) -> None:
    for level in levels:
        for state in level:
            assert GAME.parse_position(GAME.position(state)) == state


def test_the_position_strings_are_exactly_the_reachable_states(levels: list[Counter[State]]) -> None:
    reachable = {state for level in levels for state in level}
    read = set()
    for number in range(3**9):
        cells = "".join(".XO"[number // 3**i % 3] for i in range(9))
        try:
            read.add(GAME.parse_position(cells))
        except BadPosition:
            continue
    assert read == reachable


def test_the_value_is_a_draw() -> None:
    @cache
    def value(state: State) -> int:
        if GAME.is_terminal(state):
            return GAME.utility(state, 0)
        best = max if GAME.to_move(state) == 0 else min
        return best(value(GAME.result(state, action)) for action in GAME.actions(state))

    assert value(GAME.initial()) == 0


def test_eight_symmetries_of_a_corner_and_its_neighbour() -> None:
    images = [GAME.position(image) for image in GAME.symmetries(GAME.parse_position("XO./.../..."))]
    assert sorted(images) == sorted(
        [
            "XO./.../...",
            ".OX/.../...",
            "X../O../...",
            "..X/..O/...",
            ".../.../XO.",
            ".../.../.OX",
            ".../O../X..",
            ".../..O/..X",
        ]
    )


def test_eval_counts_open_lines() -> None:
    # X in the centre has all 8 lines open and leaves O 4; O in a corner closes 3 of X's.
    assert GAME.evaluate(GAME.parse_position(".../.X./..."), 0) == 4 / 10
    assert GAME.evaluate(GAME.parse_position("O../.X./..."), 0) == (5 - 4) / 10
    assert GAME.evaluate(GAME.parse_position("O../.X./..."), 1) == (4 - 5) / 10


def test_board_shows_free_cells_as_their_numbers() -> None:
    assert GAME.text(GAME.parse_position("195")).splitlines() == [
        " X | 2 | 3",
        "---+---+---",
        " 4 | X | 6",
        "---+---+---",
        " 7 | 8 | O",
    ]


def test_taken_cell_is_refused_by_name() -> None:
    state = GAME.parse_position("5")
    with pytest.raises(IllegalMove, match=r"^5 is not a legal move; legal moves: 1, 2, 3, 4, 6, 7, 8, 9$"):
        GAME.play(state, 5)


@pytest.mark.parametrize(
    "text", ["XO..X...O", "xo./.x./..o", "XO.|.X.|..O", "XO.\n.X.\n..O\n", "1259", "1 2 5 9"]
)
def test_ways_to_write_a_position(text: str) -> None:
    assert GAME.position(GAME.parse_position(text)) == "XO./.X./..O"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("XO./.X.", "'XO./.X.' has 6 cells; a Tic-Tac-Toe board has 9"),
        ("XO./.Q./...", "'Q' in cell 5 of 'XO./.Q./...' is not one of X, O and ."),
        ("XXX/.../...", "'XXX/.../...' has 3 X and 0 O; X must have as many, or one more"),
        ("X../OO./...", "'X../OO./...' has 1 X and 2 O; X must have as many, or one more"),
        ("XXX/OO./O..", "'XXX/OO./O..' goes on after X has won"),
        ("XX./OOO/X.X", "'XX./OOO/X.X' goes on after O has won"),
        ("XXX/OOO/...", "'XXX/OOO/...' goes on after X has won"),
        ("1234567 8", "'8' comes after the end of the game"),
        ("11", "'1' is not a legal move; legal moves: 2, 3, 4, 5, 6, 7, 8, 9 (reading '1 1' as moves)"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.parse_position(text)
    assert str(caught.value) == sentence
