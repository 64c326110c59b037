"""The matches of the course, with few games: every question is played, and its rows have intervals."""

from __future__ import annotations

import pytest
from bench import course

import plies

pytestmark = pytest.mark.plain


PLAIN = (course.CountingMaterial(), course.CountingDiscs(), course.KnowingNothing())


@pytest.mark.parametrize("plain", PLAIN, ids=lambda plain: plain.name)
def test_a_plain_evaluation_is_zero_sum_and_zero_at_first(plain: plies.Game) -> None:
    state = plain.initial()
    for _ in range(6):
        state = plain.result(state, next(iter(plain.actions(state))))
        assert plain.evaluate(state, 0) == -plain.evaluate(state, 1)
    assert plain.evaluate(plain.initial(), 0) == 0


def test_pieces_and_discs_are_counted() -> None:
    chess = course.CountingMaterial()
    queen_for_rook = chess.parse_position("4r1k1/1Q3ppp/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert chess.evaluate(queen_for_rook, 0) == pytest.approx(0.046)
    othello = course.CountingDiscs()
    after = othello.result(othello.initial(), next(iter(othello.actions(othello.initial()))))
    assert othello.evaluate(after, 0) == 3  # four discs against one


def test_a_player_searches_the_game_that_is_its_own() -> None:
    asked = []

    class Watched(course.KnowingNothing):
        compiled = False

        def evaluate(self, state: object, player: int) -> float:
            asked.append(state)
            return 0.0

    game = plies.ConnectFour(width=4, height=4)
    player = course.OfOne(Watched(width=4, height=4), 0.01)
    player.prepare(game)
    assert player.choose(game, game.initial()) in range(4)
    assert asked


def test_the_table_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.TicTacToe()
    one = [("name", game, "book:alpha-beta:2", "random")]
    monkeypatch.setitem(course.QUESTIONS, "beam", lambda: iter(one))
    *heading, row = course.table("beam", games=2)
    assert len(heading) == 2
    assert row.startswith("| name | 2 | ")
    assert " to " in row


def test_every_question_has_matches() -> None:
    for ask in course.QUESTIONS.values():
        assert len(list(ask())) >= 3


def test_depth_within_a_number_of_nodes() -> None:
    """Tic-Tac-Toe: 1 + 9 + 72 nodes of minimax at depth 2, and 504 more at depth 3."""
    *_, minimax, pruned, _ = course.depths(plies.TicTacToe(), nodes=585)
    assert minimax == "| minimax | 2 |"
    assert pruned == "| alpha-beta | 4 |"  # 356 nodes in all, and 1,701 for the fifth
    assert "| minimax | 3 |" in course.depths(plies.TicTacToe(), nodes=586)
