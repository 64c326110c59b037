"""Boards and games of python-chess, in and out, with all that went before."""

from __future__ import annotations

import io
import random
import sys

import chess
import chess.pgn
import chess.variant
import pytest

import plies
from plies import BadPosition, History, PliesError
from plies.games.python_chess import from_board, from_game, to_board, to_game

pytestmark = pytest.mark.plain

START = "8/8/8/3k4/8/3K4/4P3/8 b - - 10 60"


def random_board(seed: int, fen: str = chess.STARTING_FEN, plies: int = 80) -> chess.Board:
    board, rng = chess.Board(fen), random.Random(seed)
    while not board.is_game_over(claim_draw=True) and len(board.move_stack) < plies:
        board.push(rng.choice(list(board.legal_moves)))
    return board


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, START])
def test_boards_read_back_with_their_moves(seed: int, fen: str) -> None:
    board = random_board(seed, fen)
    history = from_board(board)
    assert history.game.position(history.state) == board.fen()
    assert len(history.previous) == len(board.move_stack)
    again = to_board(history)
    assert again == board
    assert again.move_stack == board.move_stack
    assert again.root() == board.root()


def test_a_repetition_is_known_on_both_sides() -> None:
    board = chess.Board()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
        board.push_uci(move)
    history = from_board(board)
    assert not history.over
    history.play(history.game.parse_action(history.state, "f6g8"))
    assert "third time" in history.reason
    assert to_board(history).is_repetition(3)


def test_the_fifty_move_clock_comes_along() -> None:
    history = from_board(chess.Board("8/8/8/3k4/8/3K4/4R3/8 b - - 99 80"))
    assert history.state.clock == 99
    assert to_board(history).halfmove_clock == 99


@pytest.mark.parametrize("seed", range(4))
def test_games_read_back_by_pgn(seed: int) -> None:
    board = random_board(seed)
    history = from_board(board)
    game = to_game(history)
    read = chess.pgn.read_game(io.StringIO(str(game)))
    assert read is not None
    again = from_game(read)
    assert (again.states, again.actions) == (history.states, history.actions)


def test_the_result_is_written() -> None:
    mate = plies.game("chess")
    history = History(mate)
    for move in ("f3", "e5", "g4", "Qh4#"):
        history.play(mate.parse_action(history.state, move))
    assert to_game(history).headers["Result"] == "0-1"
    assert from_game(to_game(history)).over
    assert to_game(History(mate)).headers["Result"] == "*"


def test_a_search_of_a_board() -> None:
    history = from_board(chess.Board("7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1"))
    found = plies.search(history.game, history.state, previous=history.previous, depth=2)
    assert history.game.uci(history.state, found.action) == "a1a8"


@pytest.mark.parametrize(
    "board",
    [chess.Board("8/8/8/8/8/8/8/8 w - - 0 1"), chess.Board(chess960=True), chess.variant.AtomicBoard()],
)
def test_what_is_not_chess_is_refused(board: chess.Board) -> None:
    with pytest.raises(BadPosition):
        from_board(board)


def test_other_games_and_a_missing_package_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PliesError, match="plays chess"):
        to_board(History(plies.TicTacToe()))
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(PliesError, match="pip install chess"):
        to_board(History(plies.Chess()))
