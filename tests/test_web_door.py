"""What made people close the tab: the front door, keys, and games that must not be lost, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from test_web_play import click, moves, people_everywhere, press, serious, until, wait_status

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

Open = Callable[..., "Page"]


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


def drop(page: Page, text: str) -> None:
    """Drop a file with a text on the page."""
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], 'a.json'));
          for (const type of ['dragover', 'drop']) {
            document.body.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
          }
        }""",
        text,
    )


def test_the_front_door(open_page: Open) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page()
    page.wait_for_selector("#gallery .tile svg")
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
    page.click("#kept-games .away")
    assert not page.is_visible("#go-on")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1100, "height": 800})
    page.click("[data-mode=watch]")  # a mode leads on with the game that was shown last
    wait_status(page, "O to move.")
