"""Games played to their end on the page by mouse, by touch and by keyboard; and the page at 200 % zoom."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from browser import Client
from test_web_play import moves, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

Open = Callable[..., "Page"]

MOST_PLIES = 80
GAMES = {
    "chess": ({}, "", "f3 e5 g4 Qh4#"),
    "checkers": ({}, "B:WK18:BK4,12,K28:H10", "28-24 18-15 4-8 15-11 8x15"),
    "go": ({"size": "3"}, "", "B2 A1 B3 pass pass"),
    "backgammon": ({}, "qzliEwAfAAAAAA X 33", ""),
    "quoridor": ({}, "X e7 10 O e4 10 X", "a1h e3 e8 f3 e9"),
    "kalah": ({}, "0/0/3/0/1/6:11 0/2/8/1/2/0:14 South", ""),
    "pacman": ({"layout": "%%%%%%\n%P..G%\n%%%%%%"}, "", ""),
}
"""Parameters, where it begins, and the moves; without moves, the first one that is legal."""


@pytest.mark.long
@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
@pytest.mark.parametrize("game", GAMES)
def test_a_game_to_its_end(open_page: Open, client: Client, game: str, way: str) -> None:
    parameters, position, script = GAMES[game]
    planned = script.split()
    words = "".join(f"&p.{name}={quote(value)}" for name, value in parameters.items())
    seats = "human;human"
    page = open_page(
        f"#game={game}{words}&position={quote(position)}&players={seats}", has_touch=way == "touch"
    )
    page.wait_for_selector("#board svg")
    for _ in range(MOST_PLIES):
        played = moves(page)
        view = client.view(game, *played, parameters=parameters, position=position)
        if view["over"]:
            break
        if view["mover"] >= 0:
            move = planned[len(played)] if planned else view["legal"][0]["move"]
            squares = next(one["squares"] for one in view["legal"] if one["move"] == move)
            make(page, way, move, squares)
        until(page, f"document.querySelectorAll('#moves button').length > {len(played)}")
    assert view["over"]
    until(page, "!document.getElementById('ending').hidden")
    assert page.inner_text("#status").endswith(view["status"])


def make(page: Page, way: str, move: str, squares: list[str]) -> None:
    """Make a move by hand."""
    page.wait_for_selector("#board:not([aria-busy]) svg")
    if way == "keyboard":
        page.locator("body").press("m")
        page.keyboard.type(move)
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        return
    count = len(moves(page))
    for cell in squares:
        box = page.locator(f'#board [data-cell="{cell}"]').bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if way == "touch":
            page.touchscreen.tap(x, y)
        else:
            page.mouse.click(x, y)
        if len(moves(page)) > count:
            return
    button = page.locator("#choices button", has_text=move)
    if button.count():  # a pass, or several moves by these cells
        button.first.click()


@pytest.mark.long
def test_at_200_percent_zoom(open_page: Open) -> None:
    """A window of 1100 pixels has 550 then: nothing is cut off, and nothing scrolls sideways."""
    page = open_page(
        "#game=chess&moves=e4&mode=analyse", viewport={"width": 550, "height": 400}, device_scale_factor=2
    )
    page.wait_for_selector("#board svg")
    for summary in ("#options", "#record-panel"):
        page.click(f"{summary} summary")
    assert page.evaluate("document.documentElement.scrollWidth") <= 550
    wide = """[...document.querySelectorAll('main *')]
      .filter(one => one.offsetParent && !one.closest('.scroll, svg'))
      .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
      .map(one => one.id || one.className)"""
    assert page.evaluate(wide) == []
    page.locator('#board [data-cell="e7"]').click()
    assert page.locator(".overlay .picked").count() == 1
