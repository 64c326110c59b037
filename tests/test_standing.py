"""How games ended and what players count, in words; and what of a record is not read."""

from __future__ import annotations

import pytest

import plies
from plies import records
from plies.history import History
from plies.web.captured import captured
from plies.web.position import result
from plies.web.stone_numbers import stone_numbers

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("game", "position", "moves", "sentence"),
    [
        ("chess", "", "f3 e5 g4 Qh4#", "Checkmate. Black wins after 4 moves."),
        ("chess", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "", "Stalemate. Draw after 0 moves."),
        ("chess", "7k/8/8/8/8/8/8/K7 b - - 0 1", "", "Insufficient material. Draw after 0 moves."),
        ("chess", "7k/8/8/8/8/8/8/KR6 b - - 100 80", "", "The fifty-move rule. Draw after 0 moves."),
        ("go", "", "E5 pass pass", "Black wins after 3 moves (Black 81, White 7.5)."),
        ("connect-four", "", "1 2 1 2 1 2 1", "Red wins after 7 moves."),
        (
            "kalah",
            "0/0/0/0/0/1:24 1/0/0/0/0/0:22 South",
            "6",
            "South wins after 1 move (South 25, North 23).",
        ),
        ("checkers", "B:W18:B14", "14x23", "No piece left. Black wins after 1 move."),
    ],
)
def test_an_ending_in_a_sentence(game: str, position: str, moves: str, sentence: str) -> None:
    rules = plies.game(game)
    history = History(rules, rules.parse_position(position) if position else None)
    for move in moves.split():
        history.play(rules.parse_action(history.state, move))
    assert result(history) == sentence


def test_a_gammon_and_pips() -> None:
    game = plies.Backgammon()
    assert game.standing(game.initial()) == "pips: White 167, Black 167"
    start = game.initial()
    off = start.mine._replace(near=15, far=0)  # Black has borne off all, White nothing and nothing home
    over = start._replace(theirs=off, player=0, dice=0)
    assert (game.ending(over), game.standing(over)) == ("a backgammon", "")


def test_a_king_in_check_is_marked() -> None:
    game = plies.Chess()
    looks = [piece.look for piece in game.scene(game.parse_position("e4 f5 Qh5")).pieces]
    assert looks.count("check") == 1
    assert "check" not in [piece.look for piece in game.scene(game.initial()).pieces]


@pytest.mark.parametrize(
    ("game", "position", "moves", "words"),
    [
        ("chess", "", "e4 d5 exd5 Qxd5", "White has taken ♟; Black has taken ♙"),
        ("chess", "k7/7P/8/8/8/8/7P/K7 w - - 0 1", "h8=Q+", ""),  # promoted, not taken
        ("checkers", "", "11-15 22-18 15x22 25x18", "Black has taken 1 piece; White has taken 1 piece"),
        ("go", "", "A1 B1 E5 A2", "white has taken 1 piece"),
        ("go", "", "A1 B1 E5 A2 pass", "white has taken 1 piece"),
        ("othello", "", "d3 c3 c4", ""),  # discs change sides
        ("quoridor", "", "e2 e8 e3", ""),
        ("backgammon", "", "", ""),
        ("tic-tac-toe", "", "1 2 3", ""),
        ("tree", "", "a1", ""),
    ],
)
def test_what_was_taken(game: str, position: str, moves: str, words: str) -> None:
    history = records.replay(plies.game(game), position, moves.split())
    assert captured(history) == words


def test_what_players_count_on_the_way() -> None:
    chess, quoridor = plies.Chess(), plies.game("quoridor")
    assert chess.standing(chess.parse_position("e4 d5 exd5")) == "White is ahead by 1"
    assert chess.standing(chess.parse_position("e4 d5 exd5 Qxd5 Nc3 Qxg2 a3 Qxh1")) == "Black is ahead by 6"
    assert chess.standing(chess.initial()) == ""
    blocked = quoridor.parse_position("e2 e8 e1h")  # behind White
    assert quoridor.standing(blocked) == "walls left: White 9, Black 10; steps to go: White 7, Black 8"


def crosses(game: plies.Game, position: str) -> list[tuple[float, float]]:
    scene = game.scene(game.parse_position(position))
    assert scene is not None
    return [(piece.x, piece.y) for piece in scene.pieces if piece.text == "×"]


def test_where_nobody_may_play_is_crossed_out() -> None:
    go = plies.Go(5)
    taken = "B3 C3 C4 D4 C2 D2 pass E3 D3"  # Black takes C3, and White may not take back
    assert crosses(go, taken) == [(2.5, 2.5)]
    assert crosses(go, f"{taken} A1") == []
    renju = plies.game("renju", opening=False)
    threes = "h8 a1 i8 a3 j9 a5 j10 a7"  # at j8 Black would make two threes
    assert crosses(renju, threes) == [(9.5, 7.5)]
    assert crosses(renju, f"{threes} o15") == []  # White's turn


def test_the_hole_of_the_last_peg_is_framed() -> None:
    scene = plies.game("peg-solitaire").scene(plies.game("peg-solitaire").initial())
    assert len(scene.lines) == 4
    assert {x for line in scene.lines for x in (line.x1, line.x2)} == {3.5 - 0.47, 3.5 + 0.47}
    anywhere = plies.game("peg-solitaire", goal="any")
    assert anywhere.scene(anywhere.initial()).lines == []


@pytest.mark.parametrize(
    ("game", "position", "moves", "numbers"),
    [
        (plies.Gomoku(), "", "h8 h9 j8", {"h8": 1, "h9": 2, "j8": 3}),
        (plies.Go(), "", "B1 A1 A2 pass E5", {"B1": 1, "A2": 3, "E5": 5}),  # A1 is taken, and a pass counts
        (plies.Othello(), "", "d3 c3", {"d3": 1, "c3": 2}),
        (plies.TicTacToe(), "X../.O./...", "9", {"9": 1}),
        (plies.ConnectFour(height=5), "", "4 4 4", {}),  # a column is no place of a single stone
        (plies.Chess(), "", "e4 e5", {}),
        (plies.Kalah(), "", "1 3", {}),
    ],
)
def test_stones_are_numbered_by_move(
    game: plies.Game, position: str, moves: str, numbers: dict[str, int]
) -> None:
    history = records.replay(game, position, moves.split())
    assert stone_numbers(history) == numbers
