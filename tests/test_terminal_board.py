"""The terminal: boards in colour, the last move, scores, live analysis, and the page that is served."""

from __future__ import annotations

import io
import socket
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from rich.console import Console

import plies
from plies.game import Game
from plies.history import History
from plies.players import EnginePlayer, parse_player
from plies.served_page import note_served, served_page
from plies.terminal.board import BACKGROUNDS, MARKED, MARKED_POINT, board_text, can_draw
from plies.terminal.commands import command_named
from plies.terminal.screen import Screen
from plies.terminal.session import Session

pytestmark = pytest.mark.plain


def board(game: Game, *moves: str) -> Any:
    """The board after some moves, and where its last move is marked."""
    history = History(game)
    for move in moves:
        history.play(game.parse_action(history.state, move))
    last = (history.states[-2], history.actions[-1]) if moves else None
    return board_text(game, history.state, last)


def marked(text: Any) -> list[str]:
    """The characters behind which the colour of the last move is."""
    colours = {*MARKED.values(), MARKED_POINT}
    return [
        text.plain[span.start : span.end] for span in text.spans if str(span.style).split()[-1] in colours
    ]


def test_boards_have_shapes_and_coordinates() -> None:
    chess = board(plies.Chess()).plain
    assert chess.count("♟") == 16  # both sides, in their colours
    assert "a  b  c" in chess
    assert chess.splitlines()[1].startswith(" 8 ")
    go = board(plies.Go(size=5)).plain
    assert "┌─┬─┬─┬─┐" in go
    assert "╋" in go
    assert "13" in board(plies.Checkers()).plain  # squares have numbers
    assert board(plies.Othello()).plain.count("●") == 4


def test_the_last_move_is_marked() -> None:
    assert marked(board(plies.Chess(), "e4")) == [" ♟ ", "   "]  # to e4, from e2
    assert marked(board(plies.Go(size=5), "C3", "B2")) == ["●"]
    assert marked(board(plies.ConnectFour(), "4")) == [" ● "]  # where the disc has fallen
    assert marked(board(plies.Othello())) == []
    four = board(plies.ConnectFour(), "4").plain.splitlines()
    assert four[6].split() == ["●"] * 7
    assert marked(board(plies.Go(size=5), "pass")) == []


def test_players_have_their_colours() -> None:
    text = board(plies.ConnectFour(), "4", "4")
    bold = [str(span.style) for span in text.spans if "bold" in str(span.style)]
    assert len(bold) == len(set(bold)) == 2  # and one of them is marked, too


def test_other_games_are_shown_as_text() -> None:
    for game in (plies.TicTacToe(), plies.Quoridor(), plies.Kalah(), plies.Backgammon(), plies.Nim()):
        assert board_text(game, game.initial()) is None
    assert set(BACKGROUNDS) >= set(MARKED)


@pytest.mark.parametrize(
    ("settings", "drawn"),
    [
        ({"force_terminal": True, "color_system": "truecolor"}, True),
        ({"force_terminal": True, "color_system": "256"}, True),
        ({"force_terminal": True, "color_system": "standard"}, False),
        ({"force_terminal": True, "color_system": "truecolor", "no_color": True}, False),
    ],
)
def test_boards_are_plain_where_there_is_no_colour(settings: dict[str, Any], drawn: bool) -> None:
    assert can_draw(Console(file=io.TextIOWrapper(io.BytesIO(), "utf-8"), **settings)) is drawn
    assert not can_draw(Console(file=io.TextIOWrapper(io.BytesIO(), "ascii"), **settings))


def said(session: Session, *lines: str) -> str:
    """What a session says to some lines."""
    out = io.StringIO()
    with mock.patch("sys.stdout", out):
        for line in lines:
            session._obey(line)
    return out.getvalue()


def session(game: Game, *players: str) -> Session:
    found = Session(game, [parse_player(word, 0, game) for word in players], Screen(plain=True))
    found.interrupts = mock.Mock(noticed=False)
    return found


def test_the_score_is_told_at_the_end() -> None:
    ended = session(plies.Go(size=5), "human", "human")
    said(ended, "C3", "pass", "pass")
    assert ended._result().endswith("Black 25, White 7.5.")
    kalah = session(plies.Kalah(), "human", "human")
    assert kalah.game.standing(kalah.state) == "South 0, North 0"


def test_scores_and_analysis() -> None:
    game = session(plies.TicTacToe(), "human", "human")
    text = said(game, "1", "5", "scores")
    assert text.count("draw") >= 7
    assert "draw" in said(game, "score")  # as it was called before
    text = said(game, "analyse 0.3")
    assert "best move" in text
    assert text.count("line ") == 3
    assert "analyse takes a number of seconds" in said(game, "analyse soon")
    assert command_named("analyze") is command_named("analyse")


def test_counters_are_told_while_a_machine_thinks() -> None:
    game, told = plies.ConnectFour(), []
    player = EnginePlayer(depth=4)
    player.tell = told.append
    action = player.choose(game, game.initial())
    assert [found.depth for found in told][-1] == 4
    assert (action, player.last) == (told[-1].action, told[-1])


def test_a_link_names_the_port_that_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIES_DATA_DIR", str(tmp_path))
    game = session(plies.TicTacToe(), "human", "human")
    assert served_page() == ""
    assert "http://127.0.0.1:8000/#game=tic-tac-toe" in said(game, "link")
    with socket.create_server(("127.0.0.1", 0)) as server:
        page = f"http://127.0.0.1:{server.getsockname()[1]}/"
        note_served(page)
        assert said(game, "link").startswith(f"{page}#game=tic-tac-toe")
    assert served_page() == ""  # nobody answers there any more
    note_served(page, False)
    assert not list(tmp_path.iterdir())
    (tmp_path / "page.txt").write_text("http://127.0.0.1:80/<script>")
    assert served_page() == ""
