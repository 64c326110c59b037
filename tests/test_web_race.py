"""A race of algorithms on the page, and a proof that is walked on the board, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from browser import Site, wait_for
from test_web_play import click, moves, until, wait_status

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

Open = Callable[..., "Page"]

LINES = """[...document.querySelectorAll("#race-table thead th")].map((cell) => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  return words.getClientRects().length;
})"""
"""In how many lines each heading of the table is written."""


@pytest.mark.long
def test_algorithms_race_on_one_position(open_page: Open, site: Site) -> None:
    page = open_page("#game=tic-tac-toe&moves=1;2;4;5&players=human;human")
    wait_status(page, "X to move.")
    clients = len(site.server.clients)
    page.click("#race-panel summary")
    for lane, name in enumerate(("engine", "mcts", "book:minimax", ""), 1):
        page.select_option(f"#lanes select:nth-child({lane})", name)
    page.select_option("#race-time", "3")
    page.click("#race")
    until(page, "document.getElementById('race-note').textContent === 'Done.'")
    rows = page.locator("#race-table tbody tr").all_inner_texts()
    assert len(rows) == 3
    assert all("\t7\t" in row for row in rows)  # every one finds the win
    assert "win in 1" in rows[0]
    assert page.evaluate(LINES) == [1] * 5  # no word is broken
    wait_for(lambda: len(site.server.clients) == clients, 90)  # the lanes have left
    page.evaluate("location.hash = '#game=go&players=human;human'")
    wait_status(page, "Black to move.")
    page.click("#race")
    until(page, "document.querySelectorAll('#race-table td').length > 8")
    click(page, "C3")  # another position ends it
    wait_status(page, "Black: C3.")
    assert page.inner_text("#race") == "Start"
    wait_for(lambda: len(site.server.clients) == clients, 90)
    wait_for(lambda: site.server.searches.load == (0, 0), 90)
    assert moves(page) == ["C3"]


def test_a_proof_is_walked_on_the_board(open_page: Open) -> None:
    page = open_page("#game=nim&position=3/4/2&mode=analyse")
    page.click("#walk")
    until(page, "document.querySelectorAll('#moves button').length === 1")  # the proof's own move
    wait_status(page, "Player 2 to move.")
    until(page, "document.getElementById('proof-note').textContent.includes('Play any reply')")
    first = page.inner_text("#proof-note")
    number = int(first.split("Win in ")[1].split(".")[0])
    while "to move" in page.inner_text("#status"):
        count = len(moves(page))
        click(page, page.evaluate("document.querySelector('#board .can').dataset.cell"))
        page.wait_for_function(
            """count => document.querySelectorAll('#moves button').length >= count + 2
            || !document.getElementById('status').textContent.includes('to move')""",
            arg=count,
        )
    wait_status(page, "Player 1 wins")
    until(page, "document.getElementById('proof-note').textContent.includes('done')")
    assert len(moves(page)) <= number
    counted = [int(number) for number in re.findall(r"\d+", page.inner_text("#proof-note"))]
    assert counted == sorted(counted, reverse=True)  # it counts down
    assert counted[-1] == 1
