"""How games ended and what players count, in words; and what of a record is not read."""

from __future__ import annotations

import pytest

import plies
from plies import records
from plies.history import History
from plies.web.captured import captured
from plies.web.position import result

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
