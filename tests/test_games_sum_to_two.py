"""Sum-to-2: its whole tree, and who wins it."""

from __future__ import annotations

from itertools import product

import pytest

from plies import BadPosition, SumToTwo
from plies.games.sum_to_two import State

pytestmark = pytest.mark.plain

GAME = SumToTwo()


def test_every_leaf_of_the_tree() -> None:
    leaves = {}
    for moves in product((0, 1), repeat=3):
        state = GAME.initial()
        for player, move in zip((0, 1, 0), moves, strict=True):
            assert not GAME.is_terminal(state)
            assert GAME.to_move(state) == player
            state = GAME.play(state, move)
        assert GAME.is_terminal(state)
        leaves[moves] = GAME.utility(state, 0)
    assert [moves for moves, utility in leaves.items() if utility == 1] == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert set(leaves.values()) == {1, -1}


def test_player_one_wins_and_only_with_a_one() -> None:
    def value(state: State) -> int:
        if GAME.is_terminal(state):
            return GAME.utility(state, 0)
        best = max if GAME.to_move(state) == 0 else min
        return best(value(GAME.result(state, action)) for action in GAME.actions(state))

    assert [value(GAME.result(GAME.initial(), move)) for move in (0, 1)] == [-1, 1]


@pytest.mark.parametrize("text", ["1 after 2", "1after2", "0 1", "10"])
def test_ways_to_write_a_position(text: str) -> None:
    assert GAME.parse_position(text) == State(total=1, ply=2)


def test_text_says_where_the_game_stands() -> None:
    assert GAME.text(State(total=1, ply=2)) == "sum 1 after 2 of 3 moves"


@pytest.mark.parametrize("text", ["2 after 1", "0 after 4", "1111", "2", "-1 after 2"])
def test_positions_that_cannot_be(text: str) -> None:
    with pytest.raises(BadPosition):
        GAME.parse_position(text)
