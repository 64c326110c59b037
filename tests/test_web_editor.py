"""Positions that are set up cell by cell, and refused in a sentence where they are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import plies
from browser import Client
from plies.web.position import cells_in_words
from plies.web.position_editor import Grid, Lists
from test_web_hands import drag
from test_web_play import click, moves, press, until, wait_status

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

GRIDS = ("chess", "connect-four", "go", "gomoku", "othello", "peg-solitaire", "qubic", "renju", "tic-tac-toe")


@pytest.mark.parametrize("name", GRIDS)
def test_a_sign_stands_where_it_was_put(name: str) -> None:
    """Along a game: a position is the one before it, with other signs where the picture has changed."""
    game = plies.game(name)
    grid = Grid(game)
    sign_of = {words: sign for sign, words in grid.signs.items()}
    state = game.initial()
    for number in range(4):
        actions = list(game.actions(state))
        after = game.result(state, actions[number % len(actions)])
        old, new = (cells_in_words(game, one, without=("check",)) for one in (state, after))
        edits = {cell: sign_of[new[cell]] for cell in grid.cells if new[cell] != old[cell]}
        assert edits
        put = grid.put(game.position(state), edits)
        assert put.partition(" ")[0] == game.position(after).partition(" ")[0]
        state = after


def test_lists_of_cells() -> None:
    assert Lists().put("B:W21,22:B1,2", {"21": ".", "5": "WK", "1": "B"}) == "B:WK5,22:B1,2"


def test_what_is_wrong_is_a_sentence(client: Client) -> None:
    bare = {"game": "chess", "position": "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"}
    found = client.ask("edit", **bare, edits={"e1": "."})
    assert "king" in found["problem"]
    assert "castle" not in found["problem"]  # which nobody sees on the board
    assert found["svg"] is None
    found = client.ask("edit", **bare, edits={"e1": ".", "d1": "K"})  # castling is gone
    assert (found["position"], found["problem"]) == ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "")
    assert found["svg"].startswith("<svg")
    for edits in ({"z9": "K"}, {"e4": "Z"}, {"e4": ""}):
        assert "cannot be put" in client.error("edit", **bare, edits=edits)
    assert "type the position" in client.error("edit", game="backgammon")
    assert "W18" in client.ask("edit", game="checkers", edits={"22": ".", "18": "W"})["position"]


def test_a_position_is_set_up_on_the_board(open_page: Callable[..., Page]) -> None:
    page = open_page("#game=chess&players=human;human")
    wait_status(page, "White to move.")
    page.click("#record-panel summary")
    page.click("#edit")
    page.wait_for_selector("#signs button")
    drag(page, "e2", "e4")  # no move while a position is set up
    page.click("#edit-clear")
    until(page, "document.getElementById('edit-note').textContent.includes('king')")
    for sign, cell in (("K", "e1"), ("k", "e8"), ("Q", "d5")):
        page.click(f"#signs [data-sign='{sign}']")
        page.evaluate("document.getElementById('board').scrollIntoView()")
        click(page, cell)
    until(page, "document.getElementById('position').value.startsWith('4k3/8/8/3Q4/8/8/8/4K3 w - -')")
    page.wait_for_selector("#board .peek svg")
    page.click("#edit-done")
    until(page, "location.hash.includes('3Q4')")
    wait_status(page, "White to move.")
    click(page, "d5", "d7")
    wait_status(page, "White: Qd7+.")
    assert moves(page) == ["Qd7+"]
    page.click("#edit")
    page.wait_for_selector("#signs button")
    press(page, "u")  # another position is shown
    wait_status(page, "White to move.")
    assert not page.is_visible("#editor")
