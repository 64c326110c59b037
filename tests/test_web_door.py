"""What made people close the tab: the front door, keys, games that are lost, endings without a name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from test_web_play import click, moves, people_everywhere, press, serious, until, wait_status

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

Open = Callable[..., "Page"]


@pytest.mark.long
def test_arrow_keys_step_through_the_game_wherever_the_focus_is(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe")
    people_everywhere(page)
    for cell in "159":
        click(page, cell)
        wait_status(page, f": {cell}.")
    press(page, "ArrowLeft")  # the mouse has left the focus on the board
    wait_status(page, "O: 5.")
    assert page.locator(".overlay .cursor").count() == 0  # the frame is the keyboard's
    page.focus("#game")
    press(page, "ArrowLeft")
    wait_status(page, "X: 1.")
    press(page, "End")
    wait_status(page, "X: 9.")
    press(page, "Home")
    wait_status(page, "X to move.")
    assert page.input_value("#game") == "tic-tac-toe"
    page.fill("#move", "12")
    press(page, "ArrowLeft")  # in a field it is the field's
    assert page.inner_text("#status") == "X to move."
    press(page, "Tab b ArrowRight")  # by keyboard, the board has a cursor
    assert page.locator(".overlay .cursor").count() == 1


TWO_WINDOWS = """async () => {
  const { keep, keptGame } = await import("/static/kept_games.js");
  const { Game } = await import("/static/game.js");
  const one = new Game("nim");
  one.add(["1:1"]);
  keep(one, {});
  const other = keptGame(one.id);
  other.add(["1:2"]);
  keep(other, {});
  one.add(["1:3"]);
  keep(one, {});
  return [one, other].map(({ id }) => keptGame(id).tree);
}"""


def test_nothing_is_lost(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe")
    people_everywhere(page)
    for cell in "15":
        click(page, cell)
        wait_status(page, f": {cell}.")
    press(page, "ArrowLeft")
    wait_status(page, "X: 1.")
    click(page, "9")
    wait_status(page, "O: 9.")
    assert moves(page) == ["1", "5", "9"]  # 9 is a variation
    page.reload()
    wait_status(page, "O: 9. X to move.")
    assert moves(page) == ["1", "5", "9"]
    page.click("#new")
    wait_status(page, "X to move.")
    assert moves(page) == []
    page.click("#return")  # a new game can be undone
    wait_status(page, "O: 9.")
    assert moves(page) == ["1", "5", "9"]
    page.select_option("#game", "nim")
    wait_status(page, "Player 1 to move.")
    page.go_back()
    wait_status(page, "O: 9.")
    assert moves(page) == ["1", "5", "9"]
    page.go_forward()
    wait_status(page, "Player 1 to move.")
    page.go_back()
    wait_status(page, "O: 9.")
    # A link has it all: variations, players, mode.
    link = page.input_value("#permalink")
    assert "players=human%3Bhuman" in link
    page.evaluate("localStorage.clear()")
    other = open_page(link.split("/", 3)[3])
    wait_status(other, "O: 9.")
    assert moves(other) == ["1", "5", "9"]
    assert other.evaluate("[...document.querySelectorAll('.seat select')].map(one => one.value)")[::2] == [
        "human",
        "human",
    ]
    other.click("[data-mode=analyse]")
    until(other, "location.hash.includes('mode=analyse')")
    other.uncheck("#show-bar")
    other.select_option("#limit", "depth 2")
    other.goto("about:blank")
    other.goto(link.split("#")[0] + "#game=nim")  # settings are remembered
    wait_status(other, "Player 1 to move.")
    assert other.input_value("#limit") == "depth 2"
    assert not other.is_checked("#show-bar")
    seats = other.evaluate("[...document.querySelectorAll('.seat select')].map(one => one.value)")[::2]
    assert seats == ["human", "engine"]  # that nobody played while it was analysed is not
    # Two windows that play on in one game keep both.
    assert page.evaluate(TWO_WINDOWS) == [["1:1", ["1:3"]], ["1:1", ["1:2"]]]


@pytest.mark.long
def test_links_with_something_wrong_open_as_much_as_they_can(open_page: Open) -> None:
    page = open_page("#game=chess&moves=e4;e5;Ke3;d5")
    wait_status(page, "Black: e5. White to move.")
    assert "Move 3: 'Ke3' is not a legal move" in page.inner_text("#problem")
    page.evaluate("location.hash = '#game=chess&moves=d4&tree=[[[1,2'")
    wait_status(page, "White: d4.")
    page.evaluate("""localStorage.setItem('plies.games', '["x", 3]')""")
    page.evaluate("""localStorage.setItem('plies.game.x', '{"name": "chess", "position": 7}')""")
    page.click("#brand")
    page.wait_for_selector("#gallery .tile")
    dropped = json.dumps({"game": "nim", "parameters": {}, "position": "", "moves": ["2:3"]})
    drop(page, dropped)
    wait_status(page, "Player 1: 2:3.")
    drop(page, "1. e4 e9")
    page.wait_for_selector("#problem:not([hidden])")
    assert "e9" in page.inner_text("#problem")
    drop(page, "\0" * 20_000)  # as JSON, each is six bytes
    until(page, "document.getElementById('problem').textContent.includes('at most 65,536 bytes')")
    assert page.inner_text("#connection") == ""
    page.evaluate("() => { Blob.prototype.text = () => Promise.reject(new Error()); }")  # as of a folder
    drop(page, "1. e4")
    until(page, "document.getElementById('problem').textContent === 'The file a.json cannot be read.'")


SLOW = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (...given) { setTimeout(() => send.apply(this, given), 200); };
}"""
"""A connection on which every message takes a fifth of a second."""


def test_a_hasty_hand_on_a_slow_connection(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe&players=human;human")
    wait_status(page, "X to move.")
    page.select_option("#game", "nim")
    wait_status(page, "Player 1 to move.")
    page.select_option("#game", "connect-four")
    wait_status(page, "Red to move.")
    page.evaluate(SLOW)
    box = page.locator('#board [data-cell="4"]').bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_status(page, "Red: 4.")
    page.evaluate("history.back()")
    until(page, "location.hash.includes('nim')")
    page.evaluate("history.back()")
    wait_status(page, "X to move.")
    page.wait_for_timeout(300)  # what was awaited before comes, if it does
    assert page.input_value("#game") == "tic-tac-toe"
    assert "game=tic-tac-toe" in page.url
    page.evaluate("history.forward()")
    wait_status(page, "Player 1 to move.")
    page.evaluate("history.forward()")
    wait_status(page, "Red: 4. Yellow to move.")
    assert moves(page) == ["4"]
    assert page.inner_text("#problem") == ""
    page.select_option("#game", "othello")
    page.click("#brand")
    page.wait_for_timeout(500)
    assert page.is_visible("#gallery")  # the game that was awaited does not come in between


def drop(page: Page, text: str) -> None:
    """Drop a file with a text on the page."""
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], 'a.json'));
          for (const type of ['dragover', 'drop']) {
            const how = {dataTransfer: data, bubbles: true, cancelable: true};
            document.body.dispatchEvent(new DragEvent(type, how));
          }
        }""",
        text,
    )


LINES = """name => {
  const words = document.createRange();
  words.selectNodeContents([...document.querySelectorAll(".tile b")].find((one) => one.textContent === name));
  return words.getClientRects().length;
}"""
"""In how many lines the name of a game is written."""


def test_the_front_door(open_page: Open) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page("#shared=none")  # a link to a game that there is not leads here
    page.wait_for_selector("#gallery .tile svg")
    assert "plies serve --share" in page.inner_text("#home-problem")
    assert "board games" in page.inner_text("h1 >> visible=true")
    assert page.locator(".way").count() == 3
    assert not page.is_visible("#go-on")
    names = page.locator("#gallery .tile b").all_inner_texts()
    assert len(names) >= 20
    assert names[0] == "Echo"  # a maker's own game comes first
    until(page, f"document.querySelectorAll('#gallery .tile svg').length === {len(names)}")
    serious(Axe().run(page))
    page.click(".tile:has-text('Tic-Tac-Toe')")
    wait_status(page, "X to move.")
    people_everywhere(page)
    click(page, "5")
    wait_status(page, "X: 5.")
    page.go_back()
    page.wait_for_selector("#gallery >> visible=true")
    assert page.locator("#kept-games .tile").count() == 1
    assert "O to move." in page.inner_text("#kept-games .tile")
    page.click("#kept-games .tile")
    wait_status(page, "X: 5. O to move.")
    page.click("#brand")
    drop(page, "no record")
    page.wait_for_selector("#home-problem:not([hidden])")  # what is wrong is said where it is seen
    page.click("#kept-games .away")
    assert not page.is_visible("#go-on")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(LINES, "Backgammon") == 1  # no name is broken
    page.set_viewport_size({"width": 1100, "height": 800})
    page.click("[data-mode=watch]")  # a mode leads on with the game that was shown last
    wait_status(page, "O to move.")


def test_endings_are_named(open_page: Open) -> None:
    page = open_page("#game=chess&moves=f3;e5;g4&players=human;human")
    wait_status(page, "White: g4.")
    assert not page.is_visible("#ending")
    click(page, "d8", "h4")
    wait_status(page, "Checkmate. Black wins after 4 moves.")
    box, king = (page.locator(place).bounding_box() for place in (".alarm", '#board [data-cell="e1"]'))
    assert box is not None  # the king in check is marked
    assert king is not None
    assert abs(box["x"] + box["width"] / 2 - king["x"] - king["width"] / 2) < 2
    assert abs(box["y"] + box["height"] / 2 - king["y"] - king["height"] / 2) < 2
    assert page.is_visible("#end-review")
    page.select_option("#seats .seat:nth-child(1) select >> nth=0", "random")
    page.click("#swap")
    until(page, "document.querySelector('#status').textContent === 'White to move.'")
    seats = "[...document.querySelectorAll('.seat')].map(seat => seat.querySelector('select').value)"
    assert page.evaluate(seats) == ["human", "random"]
    click(page, "e2", "e4")
    until(page, "document.querySelectorAll('#moves button').length === 2")
    wait_status(page, "White to move.")
    page.click("#resign")
    wait_status(page, "White resigns. Black wins.")
    page.reload()
    wait_status(page, "White resigns. Black wins.")
    page.click("#again")
    until(page, "document.querySelector('#status').textContent === 'White to move.'")
    stalemate = "7k/5Q2/8/8/8/8/8/K7+b+-+-+0+1"
    for link, words in (
        (f"game=chess&position={stalemate}", "Stalemate. Draw after 0 moves."),
        ("game=go&p.size=3&moves=B2;pass;pass", "Black wins after 3 moves (Black 9, White 7.5)."),
        ("game=othello&p.size=4&moves=b1", "Black: b1. White to move."),
        ("game=connect-four&moves=1;2;1;2;1;2;1", "Red wins after 7 moves."),
        ("game=backgammon", "to move"),
    ):
        page.evaluate("link => { location.hash = link; }", link)
        wait_status(page, words)
    page.evaluate("location.hash = 'game=kalah&moves=3;2'")
    until(page, "document.querySelector('#standing').textContent === 'South 1, North 0.'")
    page.evaluate("location.hash = 'game=othello&moves=d3'")
    until(page, "document.querySelector('#standing').textContent === 'Black 4, White 1.'")
    page.evaluate("location.hash = 'game=backgammon'")
    until(page, "document.querySelector('#standing').textContent === 'Pips: White 167, Black 167.'")


@pytest.mark.long
def test_a_game_as_a_page_that_replays_and_records_with_variations(open_page: Open, tmp_path: Path) -> None:
    page = open_page("#game=tic-tac-toe&moves=1;2;4;5;7")
    wait_status(page, "X wins")
    page.click("#record-panel summary")
    page.select_option("#format", "html")
    with page.expect_download() as waiting:
        page.click("#download")
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.name == "tic-tac-toe.html"
    other = open_page("", viewport={"width": 600, "height": 800})
    other.goto(path.as_uri())
    assert other.locator(".position:visible").count() == 1
    other.keyboard.press("Home")
    assert "the start" in other.inner_text(".position:visible")
    for text, shown, problem in (
        ("1. e4 e5 (1... c5! 2. Nf3) 2. Nf3 {a comment} *", "1.e4 e5 1…c5! 2.Nf3 2.Nf3 a comment", ""),
        ('[White "Ann"]\n\n1. e4 e5 (1... e4) *', "1.e4 e5", "e4"),
        ("(;GM[1]SZ[5]C[before];B[cc](;W[bb])(;W[dd]C[after]))", "before 1.C3 2.B4 2.D2 after", ""),
    ):
        page.evaluate("document.getElementById('record-note').textContent = ''")
        page.fill("#record-text", text)
        page.click("#record-in button")
        until(page, "document.getElementById('record-note').textContent.startsWith('Loaded')")
        assert " ".join(page.inner_text("#moves").split()).replace(". ", ".").replace("… ", "…") == shown
        assert page.is_visible("#problem") == bool(problem), text
        assert problem in page.inner_text("#record-note")
    page.click("summary:has-text('Comment')")
    page.fill("#comment", "said here")
    page.fill("#headers", "PB: Ann\nno header")
    page.select_option("#format", "sgf")
    with page.expect_download() as waiting:
        page.click("#download")
    waiting.value.save_as(path)
    kept = path.read_text(encoding="utf-8")
    assert all(words in kept for words in ("C[before]", "PB[Ann]", ";W[bb]C[said here])", ";W[dd]C[after])"))
    page.reload()
    wait_status(page, "White: B4")
    assert "said here" in page.inner_text("#moves")
