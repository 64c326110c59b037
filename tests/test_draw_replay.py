"""Replays: a whole game as a page with a slider, in a notebook, in a file, from a record."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import plies
from plies import draw, records
from plies.cli import run
from plies.history import History

pytestmark = pytest.mark.plain


def played(*moves: int) -> History:
    """A game of Tic-Tac-Toe."""
    history = History(plies.TicTacToe())
    for move in moves:
        history.play(move)
    return history


def captions(html: str) -> list[str]:
    return re.findall(r"<figcaption[^>]*>(.*?)</figcaption>", html)


def test_a_replay_has_a_picture_of_every_position() -> None:
    replay = draw.replay(played(1, 5), size=200)
    pictures = replay.frames()
    assert [str(picture).count('class="last"') for picture in pictures] == [0, 1, 1]
    assert replay.title == "tic-tac-toe, 2 moves"
    part = replay._repr_html_()
    assert captions(part) == ["the start", "1. X: 1", "2. O: 5"]
    found = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", part, re.DOTALL)]
    assert [svg.get("width") for svg in found] == ["200"] * 3
    assert part.count("prefers-color-scheme") == 1


def test_of_a_long_game_there_are_the_last_positions() -> None:
    replay = draw.replay(played(1, 2, 3, 4, 5, 6, 7))
    part = replay.part(room=25_000)
    shown = captions(part)
    assert 1 < len(shown) < 8
    assert shown[-1] == "7. X: 7"
    assert f"from move {8 - len(shown)} on; it is over." in part
    assert len(captions(replay.part(room=0))) == 1
    assert len(captions(replay.html)) == 8


def test_the_dice_and_the_reason_of_an_end_are_told() -> None:
    pig = History(plies.Pig())
    for action in ("roll", "3"):
        pig.play(records.read_move(pig.game, pig.state, action))
    assert captions(draw.replay(pig).part()) == ["the start", "1. player 1: roll", "2. chance: 3"]
    chess = History(plies.Chess())
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        chess.play(chess.game.parse_action(chess.state, move))
    assert "it is over: the position occurs for the third time." in draw.replay(chess).part()


def test_a_page_is_written_and_works_by_keyboard(tmp_path: Path, browser: Any) -> None:
    path = tmp_path / "game.html"
    draw.replay(played(1, 5)).save(path)
    page = browser.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("request", lambda request: failures.append(request.url) if "file:" not in request.url else None)
    try:
        page.goto(path.as_uri())
        seen = [page.locator("figcaption:visible").all_inner_texts()]
        for key in ("ArrowLeft", "Home", "End", "ArrowLeft"):
            page.keyboard.press(key)
            seen.append(page.locator("figcaption:visible").all_inner_texts())
        assert seen == [["2. O: 5"], ["1. X: 1"], ["the start"], ["2. O: 5"], ["1. X: 1"]]
        assert failures == []
    finally:
        page.close()
    with pytest.raises(plies.PliesError, match=r"ends in \.html, not to"):
        draw.replay(played()).save(tmp_path / "game.svg")
    with pytest.raises(plies.PliesError, match="cannot be written"):
        draw.replay(played()).save(tmp_path / "nowhere" / "game.html")


def test_plies_draw_shows_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, page = tmp_path / "game.pgn", tmp_path / "game.html"
    game.write_text("1. e4 e5 2. Nf3 *\n", encoding="utf-8")
    assert run(["draw", "chess", "--record", str(game), "-o", str(page)]) == 0
    assert captions(page.read_text(encoding="utf-8"))[-1] == "3. White: Nf3"
    assert run(["draw", "chess", "--record", str(game), "--arrow", "Nc6"]) == 0
    picture = capsys.readouterr().out
    assert "Last move: Nf3." in picture
    assert picture.count('class="arrow"') == 1


def test_the_record_names_the_parameters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[5];B[cc])", encoding="utf-8")
    assert run(["draw", "go", "--record", str(path)]) == 0
    assert capsys.readouterr().out.count("data-cell") == 25
    path.write_text(records.write(History(plies.Nim((2, 1))), "json"), encoding="utf-8")
    assert run(["draw", "nim", "--record", str(path)]) == 0
    assert capsys.readouterr().out.count("data-cell") == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"game": "go", "parameters": {"colour": 1}, "position": "", "moves": []}', "go does not take: "),
        (
            '{"game": "go", "parameters": {"size": 99}, "position": "", "moves": []}',
            "go does not take: a Go board must have",
        ),
        ("1. e4", "is a record of chess, not of go"),
        ("{", "the record is not JSON"),
        ("\x80", "cannot be read"),
    ],
)
def test_another_game_or_none_is_refused(
    text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record"
    path.write_bytes(text.encode("latin-1"))
    assert run(["draw", "go", "--record", str(path)]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_branches_are_told() -> None:
    history = plies.History(plies.TicTacToe())
    for move in (1, 5, 9):
        history.play(move)
    assert "Branch" not in draw.replay(history).part()
    history.jump(1)
    history.play(2)
    assert "<br>Branch 0: 1 5 9<" in draw.replay(history).part()
