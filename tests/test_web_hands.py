"""How moves are made and seen on the page: dragging, steering, turning, previews, motion, half-moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from test_web_play import click, moves, press, until, wait_status

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

Open = Callable[..., "Page"]


def middle(page: Page, cell: str) -> tuple[float, float]:
    box = page.locator(f'#board [data-cell="{cell}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: str, end: str) -> None:
    page.wait_for_selector("#board:not([aria-busy]) svg")
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    x, y = middle(page, end)
    page.mouse.move(x + 10, y + 10, steps=3)
    page.mouse.move(x, y)
    page.mouse.up()


def test_pieces_are_dragged_and_the_board_is_turned(open_page: Open) -> None:
    page = open_page("#game=chess&players=human;human")
    wait_status(page, "White to move.")
    drag(page, "e2", "e5")  # not a move
    assert page.locator(".overlay .picked").count() == 0
    drag(page, "e2", "e4")
    wait_status(page, "White: e4.")
    press(page, "f")
    assert middle(page, "e4")[1] < middle(page, "e5")[1]  # Black is below
    assert page.get_attribute("#turn", "aria-pressed") == "true"
    drag(page, "g8", "f6")
    wait_status(page, "Black: Nf6.")
    press(page, "b")
    click(page, "d2")
    press(page, "Enter Enter ArrowDown")  # seen from the other side, down is towards White's men
    until(page, "document.getElementById('announcement').textContent.startsWith('d3')")
    page.reload()
    wait_status(page, "Black: Nf6.")
    assert middle(page, "e4")[1] < middle(page, "e5")[1]  # remembered
    press(page, "f")
    page.evaluate("location.hash = '#game=chess&position=8/P7/8/8/8/8/8/k1K5+w+-+-+0+1'")
    until(page, "document.querySelectorAll('#moves button').length === 0")
    tall = page.evaluate("document.documentElement.scrollHeight")
    drag(page, "a7", "a8")
    page.wait_for_selector("#choices", state="visible")
    box = page.locator("#choices").bounding_box()
    assert box is not None
    x, y = middle(page, "a8")
    assert abs(box["x"] - x) < 60  # it is asked where the pawn is
    assert 0 < box["y"] - y < 60
    assert page.evaluate("document.documentElement.scrollHeight") <= tall  # and pushes nothing down
    page.set_viewport_size({"width": 1400, "height": 900})  # as when a phone is turned
    until(page, f"document.getElementById('choices').getBoundingClientRect().x > {box['x'] + 20}")
    box = page.locator("#choices").bounding_box()
    assert box is not None
    assert abs(box["x"] - middle(page, "a8")[0]) < 60
    page.set_viewport_size({"width": 1100, "height": 800})


@pytest.mark.long
def test_pacman_is_steered_by_keys_that_are_held_and_by_swipes(open_page: Open) -> None:
    page = open_page("#game=pacman&players=human;random;random", has_touch=True)
    wait_status(page, "Pacman to move.")
    held = next(key for key in ("ArrowLeft", "ArrowRight", "ArrowUp") if runs(page, key))
    before = len(moves(page))
    swiped = "Left" if held != "ArrowLeft" else "Right"
    page.evaluate(
        """direction => {
          const board = document.getElementById('board');
          const touch = x => new Touch({identifier: 1, target: board, clientX: x, clientY: 200});
          const by = direction === 'Left' ? -60 : 60;
          board.dispatchEvent(new TouchEvent('touchstart', {changedTouches: [touch(200)], bubbles: true}));
          board.dispatchEvent(new TouchEvent('touchend', {changedTouches: [touch(200 + by)], bubbles: true}));
        }""",
        swiped,
    )
    until(page, f"document.querySelectorAll('#moves button').length >= {before + 3}")


def runs(page: Page, key: str) -> bool:
    """Hold a key until Pacman has moved twice; whether there is a way at all."""
    before = len(moves(page))
    page.keyboard.down(key)
    page.wait_for_timeout(100)
    way = page.evaluate(
        "document.getElementById('board').ariaBusy || document.getElementById('thinking').textContent"
    )
    if way or len(moves(page)) > before:  # each step is answered by two ghosts
        until(page, f"document.querySelectorAll('#moves button').length >= {before + 4}")
    page.keyboard.up(key)
    page.wait_for_function("() => document.getElementById('status').textContent.includes('Pacman to move')")
    return len(moves(page)) > before


COUNT_MOTION = """() => {
  window.motions = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) { window.motions += 1; return animate.apply(this, given); };
  window.notes = 0;
  const { createOscillator } = BaseAudioContext.prototype;
  BaseAudioContext.prototype.createOscillator = function () {
    window.notes += 1;
    return createOscillator.call(this);
  };
}"""


@pytest.mark.long
def test_replies_move_and_sound_and_are_seen_before(open_page: Open) -> None:
    page = open_page("#game=othello&players=human;human", reduced_motion="no-preference")
    wait_status(page, "Black to move.")
    page.evaluate(COUNT_MOTION)
    page.mouse.move(*middle(page, "d3"))
    until(
        page, "document.querySelectorAll('.ghosts .piece').length === 2"
    )  # the new disc, and one that flips
    click(page, "d3")
    wait_status(page, "Black: d3.")
    assert page.evaluate("[window.motions, window.notes]") == [2, 0]
    page.click("#options summary")
    page.check("#sounds")
    page.evaluate("location.hash = '#game=kalah'")
    wait_status(page, "South to move.")
    click(page, "South 1")
    wait_status(page, "South: 1.")
    assert page.evaluate("[window.motions, window.notes]") == [6, 1]  # four get a seed
    page.evaluate("location.hash = '#game=quoridor'")
    wait_status(page, "White to move.")
    page.mouse.move(*middle(page, "e5h"))
    until(page, "document.querySelectorAll('.ghosts line.wall').length === 1")
    page.emulate_media(reduced_motion="reduce")
    click(page, "e5h")
    wait_status(page, "White: e5h.")
    assert page.evaluate("window.motions") == 6


@pytest.mark.long
def test_half_moves_of_backgammon_are_drawn_and_taken_back(open_page: Open) -> None:
    page = open_page("#game=backgammon&position=4HPwATDgc/ABMA+X+31&players=human;human")
    wait_status(page, "White to move.")
    click(page, "8", "5")
    until(page, "document.querySelectorAll('.piece[data-half]').length === 1")
    assert moves(page) == []
    box = page.locator(".piece[data-half]").bounding_box()
    assert box is not None
    assert abs(box["x"] + box["width"] / 2 - middle(page, "5")[0]) < 3
    press(page, "Backspace")
    assert page.locator(".piece[data-half]").count() == 0
    click(page, "8", "5")
    page.click("#undo")  # takes back the half-move, and no more
    assert page.locator(".piece[data-half]").count() == 0
    click(page, "8", "5", "6", "5")
    wait_status(page, "White: 8/5 6/5.")


def test_the_moves_that_matter_are_on_the_board_and_the_rest_in_the_list(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page("#game=go&mode=analyse")
    until(page, "document.querySelectorAll('#scores button').length > 6")
    assert 0 < page.locator(".overlay .badge .visits").count() <= 6
    assert "for Black" in page.inner_text("#verdict")  # the game writes it small
    assert page.locator(".overlay .dot").count() == 0
    for width, height in ((1400, 900), (1100, 800)):  # the board leaves room for all that one plays with
        page.set_viewport_size({"width": width, "height": height})
        foot = page.locator("#move").bounding_box()
        assert foot is not None
        assert foot["y"] + foot["height"] <= height
    page.evaluate("location.hash = '#game=chess&mode=analyse'")
    page.wait_for_selector(".overlay .way-arrow.best")
    assert page.locator(".overlay .way-arrow").count() <= 3
    assert page.locator(".overlay .badge").count() <= 6
    monkeypatch.delenv("PLIES_BOOK")
    page.evaluate("location.hash = '#game=connect-four&mode=analyse'")
    until(page, "document.querySelectorAll('.overlay .badge.proved').length === 7")  # at once, by the book
    assert page.locator(".overlay .badge").all_text_contents() == [
        "win", "draw", "draw", "loss", "loss", "loss", "loss"
    ]  # fmt: skip
    assert "Proved by the opening book for Red" in page.inner_text("#verdict")


def test_lines_are_pointed_at_and_clicked_and_scores_have_one_side(open_page: Open) -> None:
    page = open_page("#game=chess&position=6k1/5ppp/8/8/8/8/8/R5K1+w+-+-+0+1&moves=Kf1&mode=analyse")
    page.select_option("#limit", "depth 2")
    until(page, "document.getElementById('analysis-note').textContent.includes('limit')")
    mine = page.inner_text("#verdict .chip")
    assert "for Black" in page.inner_text("#verdict")
    assert page.locator("#moves .number").all_inner_texts() == ["1."]
    page.select_option("#side-of", "first")
    assert "for White" in page.inner_text("#verdict")
    theirs = page.inner_text("#verdict .chip")
    assert {mine[0], theirs[0]} == {"+", "−"}
    assert mine[1:] == theirs[1:]
    line = page.locator("#found-lines li >> nth=0 >> button")
    words = line.all_inner_texts()
    line.nth(1).hover()
    page.wait_for_selector("#board .peek svg")
    assert len(moves(page)) == 1  # only seen
    line.nth(1).click()
    until(page, "document.querySelectorAll('#moves button').length === 3")
    assert moves(page) == ["Kf1", *words[:2]]
    assert page.locator("#moves .number").all_inner_texts() == ["1.", "2."]
    assert page.locator("#board .peek").count() == 0
    page.evaluate("location.hash = '#game=chess&position=7k/8/8/8/8/8/6q1/7K+w+-+-+0+1&mode=analyse'")
    page.wait_for_selector(".overlay .badge.proved")
    badge, cell = (page.locator(one).bounding_box() for one in (".badge rect", '#board [data-cell="g2"]'))
    assert badge is not None
    assert cell is not None
    assert badge["height"] < 0.5 * cell["height"]  # the queen that can be taken is seen


def test_a_threat_is_what_the_opponent_would_play(open_page: Open) -> None:
    page = open_page("#game=chess&position=6k1/5ppp/8/8/8/7R/r4PPP/6K1+w+-+-+0+1&players=human;human")
    wait_status(page, "White to move.")
    press(page, "x")
    wait_status(page, "If White passed, Black would play Ra1# (win in 1).")
    assert page.locator(".overlay .way-arrow.threat").count() == 1
    page.evaluate(
        "location.hash = '#game=chess&position=4k3/8/8/8/8/8/4r3/4K3+w+-+-+0+1&players=human;human'"
    )
    until(page, "location.hash.includes('4r3')")
    wait_status(page, "White to move.")
    press(page, "x")  # in check
    page.wait_for_selector("#problem:not([hidden])")
    assert "Nobody can pass here" in page.inner_text("#problem")


def test_a_machine_moves_now(open_page: Open) -> None:
    page = open_page("#game=chess&players=human;mcts@5s")
    wait_status(page, "White to move.")
    click(page, "e2", "e4")
    until(page, "document.getElementById('thinking').textContent !== ''")
    page.reload()
    until(page, "document.getElementById('thinking').textContent !== ''")  # it thinks again
    page.click("#go")
    page.wait_for_function("() => document.querySelectorAll('#moves button').length === 2", timeout=4500)


TYPED = """moves => moves.forEach((move) => {
  document.getElementById("move").value = move;
  document.getElementById("move-form").requestSubmit();
})"""
"""Types moves, each before the position after the one before it can have come."""


def test_a_move_made_while_a_position_is_awaited_is_played_after_it(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe&players=human;human")
    wait_status(page, "X to move.")
    page.evaluate(TYPED, ["5", "1", "9"])
    wait_status(page, "X: 9.")
    assert moves(page) == ["5", "1", "9"]
    page.click("#options summary")
    page.check("#show-numbers")
    assert page.locator(".overlay .number").all_text_contents() == ["2", "1", "3"]


def test_a_move_made_in_the_turn_of_a_machine_is_refused_in_words(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe&players=human;level:1")
    wait_status(page, "X to move.")
    page.evaluate(TYPED, ["5", "1"])
    until(page, "document.getElementById('problem').textContent.includes('1 was not played')")
    wait_status(page, "O: ")
    assert "1 was not played: it is not your turn" in page.inner_text("#problem")  # after the reply, too
    press(page, "ArrowLeft")
    until(page, "!document.getElementById('problem').textContent")
