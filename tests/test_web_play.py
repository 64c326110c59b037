"""The Play page in a real browser: by mouse, by keyboard and by touch; analysis, watching, records."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import plies
from browser import Site, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.plain

Open = Callable[..., "Page"]
TOO_MANY = ";".join(2100 * ["1:1"])
PEOPLE = "#seats .seat:nth-child({}) select >> nth=0"


def status(page: Page) -> str:
    return page.inner_text("#status")


def wait_status(page: Page, words: str) -> None:
    page.wait_for_function(
        "words => document.getElementById('status').textContent.includes(words)", arg=words
    )


def until(page: Page, condition: str) -> None:
    """Wait until something is so in the page."""
    page.wait_for_function(f"() => {condition}")


def moves(page: Page) -> list[str]:
    return page.locator("#moves button").all_inner_texts()


def click(page: Page, *cells: str) -> None:
    """Click where cells are, whatever is drawn over them."""
    for cell in cells:
        page.wait_for_selector("#board:not([aria-busy]) svg")
        box = page.locator(f'#board [data-cell="{cell}"]').first.bounding_box()  # a preview has them again
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def people_everywhere(page: Page) -> None:
    page.wait_for_selector("#seats select")
    for seat in range(page.locator("#seats .seat").count()):
        page.select_option(PEOPLE.format(seat + 1), "human")


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.wait_for_selector("#board:not([aria-busy]) svg")
        page.keyboard.press(key)


# -- Playing.


def test_a_game_of_tic_tac_toe_by_mouse(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe")
    people_everywhere(page)
    assert status(page) == "X to move."
    for number, cell in enumerate("12457", 1):
        click(page, cell)
        until(page, f"document.querySelectorAll('#moves button').length === {number}")
    wait_status(page, "X: 7. X wins after 5 moves.")
    assert moves(page) == list("12457")
    click(page, "9")  # nothing can be played any more
    assert moves(page) == list("12457")


def test_a_game_of_tic_tac_toe_by_keyboard(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe")
    people_everywhere(page)
    page.locator("body").press("b")
    press(page, "ArrowRight Enter")  # the cursor comes to 1, the first cell; Enter picks it
    wait_status(page, "X: 1.")
    press(page, "ArrowRight Enter ArrowLeft ArrowDown Enter")  # 2, and 4 below 1
    wait_status(page, "X: 4.")
    press(page, "ArrowRight Enter ArrowDown ArrowLeft Enter")
    wait_status(page, "X: 7. X wins after 5 moves.")
    assert moves(page) == list("12457")
    assert page.evaluate("document.activeElement.id") == "board"


def test_a_game_of_connect_four_by_mouse_against_the_engine(open_page: Open) -> None:
    page = open_page("#game=connect-four&p.width=4&p.height=4")
    page.wait_for_selector("#seats select")
    page.select_option("#seats .seat:nth-child(2) select >> nth=1", "1")
    while "to move" in status(page):
        wait_status(page, "Red to move")
        before = len(moves(page))
        legal = page.evaluate(
            "[...document.querySelectorAll('#board [data-cell].can')].map(cell => cell.dataset.cell)"
        )
        click(page, legal[0])
        until(
            page,
            f"""document.querySelectorAll('#moves button').length >= {before + 2}
            || !document.getElementById('status').textContent.includes('to move')""",
        )
    played = moves(page)
    game = plies.ConnectFour(width=4, height=4)
    state = game.parse_position(" ".join(played))
    assert game.is_terminal(state)
    assert re.search(r"(wins|Draw) after \d+ moves", status(page))


@pytest.mark.long
def test_a_game_of_connect_four_by_keyboard(open_page: Open) -> None:
    page = open_page("#game=connect-four&p.width=4&p.height=4")
    people_everywhere(page)
    page.locator("body").press("b")
    press(page, "ArrowRight")  # the cursor appears
    assert page.locator(".overlay .cursor").count() == 1
    for _ in range(3):
        press(page, "Enter")
        page.wait_for_selector("#board:not([aria-busy])")
        press(page, "ArrowRight Enter ArrowLeft")
    press(page, "Enter")
    wait_status(page, "Red wins after 7 moves.")
    assert moves(page) == list("1212121")


@pytest.mark.long
def test_picking_and_letting_go(open_page: Open) -> None:
    page = open_page("#game=chess")
    page.wait_for_selector("#board svg")
    click(page, "g1")
    assert page.locator(".overlay .picked").count() == 1
    assert page.evaluate(
        "[...document.querySelectorAll('#board [data-cell].can')].map(c => c.dataset.cell).sort()"
    ) == [
        "f3",
        "h3",
    ]
    page.keyboard.press("Escape")
    assert page.locator(".overlay .picked").count() == 0
    click(page, "e2", "e4")
    until(page, "document.querySelectorAll('#moves button').length === 2")  # Black has answered
    wait_status(page, "White to move")
    assert moves(page)[0] == "e4"


def test_what_a_pawn_becomes_is_asked(open_page: Open) -> None:
    page = open_page("#game=chess&position=8/P7/8/8/8/8/8/k1K5+w+-+-+0+1")
    people_everywhere(page)
    click(page, "a7", "a8")
    assert page.locator("#choices button").all_inner_texts() == ["a8=Q#", "a8=R#", "a8=B", "a8=N"]
    page.click("#choices button:has-text('a8=Q')")
    wait_status(page, "White: a8=Q")


def test_what_a_pawn_becomes_by_keyboard(open_page: Open) -> None:
    page = open_page("#game=chess&position=8/P6k/8/8/8/8/8/K7+w+-+-+0+1")
    people_everywhere(page)
    page.locator("body").press("b")
    press(page, "ArrowRight Enter ArrowUp Enter")  # a7, a8
    assert page.evaluate("document.activeElement.textContent") == "a8=Q"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "board"
    assert not page.is_visible("#choices")
    press(page, "ArrowDown Enter ArrowUp Enter Tab Enter")  # once more, and the second choice
    wait_status(page, "White: a8=R.")
    assert page.evaluate("document.activeElement.id") == "board"


@pytest.mark.long
def test_a_game_of_two_touches_by_keyboard(open_page: Open) -> None:
    page = open_page("#game=checkers")
    people_everywhere(page)
    page.locator("body").press("b")
    press(page, "ArrowRight Enter ArrowDown ArrowRight Enter")  # from 9 down and to the right, to 14
    wait_status(page, "Black: 9-14. White to move.")


def test_a_pass_that_is_forced(open_page: Open) -> None:
    board = "O-------/-X------/--X-----/---XX---/---XX---/--------/--------/--------"
    page = open_page(f"#game=othello&position={board}+X")
    people_everywhere(page)
    assert page.locator("#choices button").all_inner_texts() == ["pass"]
    page.locator("#choices button").press("Enter")
    wait_status(page, "Black: pass. White to move.")


@pytest.mark.long
def test_moves_that_point_nowhere_are_buttons(open_page: Open) -> None:
    page = open_page("#game=go&p.size=3")
    people_everywhere(page)
    page.click("#choices button:has-text('pass')")
    wait_status(page, "Black: pass.")
    page.click("#choices button:has-text('pass')")
    wait_status(page, "wins after 2 moves")


def test_typed_moves_and_what_is_wrong_with_them(open_page: Open) -> None:
    page = open_page("#game=chess")
    people_everywhere(page)
    page.fill("#move", " E2E4 ")
    page.press("#move", "Enter")
    wait_status(page, "White: e4.")
    page.fill("#move", "Ke7")
    page.press("#move", "Enter")
    page.wait_for_selector("#problem:not([hidden])")
    assert "is not a legal move" in page.inner_text("#problem")
    assert moves(page) == ["e4"]


def test_dice_fall_by_themselves(open_page: Open) -> None:
    page = open_page("#game=backgammon")
    until(page, "document.querySelectorAll('#moves .chance').length >= 1")
    people_everywhere(page)
    wait_status(page, "to move")
    until(page, "document.querySelector('#board [data-cell].can')")
    picked, before = 0, page.locator("#moves button").count()  # the machine may have begun
    while page.locator("#moves button").count() == before:
        can = page.evaluate(
            "[...document.querySelectorAll('#board [data-cell].can')].map(cell => cell.dataset.cell)"
        )
        click(page, can[-1])
        page.wait_for_timeout(100)
        picked += 1
        assert picked <= 8
    assert picked in (2, 4, 8)


# -- Through the game.


def test_undo_redo_jump_and_branches(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe")
    page.wait_for_selector("#seats select")
    click(page, "5")
    until(page, "document.querySelectorAll('#moves button').length === 2")
    wait_status(page, "X to move")
    answer = moves(page)[1]
    page.click("#undo")  # the move and the answer to it
    wait_status(page, "X to move.")
    assert status(page) == "X to move."
    assert page.locator("#moves [aria-current]").count() == 0
    page.click("#redo")
    wait_status(page, f"O: {answer}.")
    people_everywhere(page)
    page.locator("body").press("Home")
    wait_status(page, "X to move.")
    page.locator("body").press("ArrowRight")
    wait_status(page, "X: 5.")
    other = next(cell for cell in "13" if cell != answer)
    click(page, other)
    wait_status(page, f"O: {other}.")
    assert moves(page) == ["5", answer, other]  # both stay
    assert page.locator("#moves .branch").all_inner_texts() == [f"2.{other}"]
    page.click(f"#moves button:text-is('{answer}')")
    wait_status(page, f"O: {answer}.")
    page.locator("body").press("ArrowLeft")
    page.locator("body").press("End")
    wait_status(page, f"O: {answer}.")


def test_a_permalink_is_the_whole_game(open_page: Open) -> None:
    page = open_page("#game=connect-four&p.width=5&p.height=4&moves=1;2")
    people_everywhere(page)
    wait_status(page, "Yellow: 2. Red to move.")
    click(page, "5")
    wait_status(page, "Red: 5.")
    page.click("#record-panel summary")
    link = page.input_value("#permalink")
    assert link == page.url
    other = open_page(link.split("/", 3)[3])
    wait_status(other, "Red: 5. Yellow to move.")
    assert moves(other) == ["1", "2", "5"]
    assert other.input_value("#p-width") == "5"
    other.reload()
    wait_status(other, "Red: 5. Yellow to move.")
    other.evaluate("location.hash = '#game=nim'")  # an address that is typed into the same window
    wait_status(other, "Player 1 to move.")
    other.evaluate("location.hash = '#game=no-such'")
    other.wait_for_selector("#problem:not([hidden])")
    assert "There is no game" in other.inner_text("#problem")
    assert other.input_value("#game") == "nim"


@pytest.mark.parametrize(
    ("game", "position", "played"),
    [
        (plies.Nim(heaps=(2, 4), misere=True), "", ["2:3", "1:2"]),
        (plies.Pig(target=30), "5/5 2+0", ["roll", "3", "hold"]),
        (plies.Chess(), "", ["e4", "e5", "Nf3"]),
        (plies.ConnectFour(width=5), "", []),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_link_from_elsewhere(open_page: Open, game: plies.Game, position: str, played: list[str]) -> None:
    history = plies.records.replay(game, position, played)
    page = open_page(plies.records.link(history, position, page=""))
    page.wait_for_selector("#board:not([aria-busy]) svg")
    assert page.inner_text("#problem") == ""
    assert page.input_value("#position") == game.position(history.state)
    assert moves(page) == played
    assert page.evaluate("location.hash") == plies.records.link(history, position, page="")


@pytest.mark.parametrize(
    ("link", "sentence", "shown"),
    [
        ("game=no-such", "There is no game", "X to move."),
        ("game=nim&p.heaps=x", "eaps", "Player 1 to move."),
        ("game=chess&position=8/8/8+w+-+-+0+1", "The board of a FEN has 8 ranks, not 3", "White to move."),
        (f"game=nim&moves={TOO_MANY}", "Moves must be a list of at most 2,000", "Player 1 to move."),
    ],
    ids=["game", "parameter", "position", "too long"],
)
def test_a_link_that_cannot_be_opened_says_why(open_page: Open, link: str, sentence: str, shown: str) -> None:
    page = open_page(f"#{link}")
    wait_status(page, shown)  # there is a game to play all the same, if there can be the one that was meant
    page.wait_for_selector("#problem:not([hidden])")
    assert sentence in page.inner_text("#problem")


@pytest.mark.long
def test_positions_and_parameters(open_page: Open) -> None:
    page = open_page("#game=nim")
    page.wait_for_selector("#p-heaps", state="attached")
    page.click("#options summary")
    page.fill("#p-heaps", "1,2")
    page.select_option("#p-misere", "yes")
    page.click("#parameters button")
    until(page, "document.querySelectorAll('#board [data-cell]').length === 3")
    assert "p.heaps=1%2C2&p.misere=yes" in page.url
    page.fill("#p-heaps", "0")
    page.click("#parameters button")
    page.wait_for_selector("#problem:not([hidden])")
    assert "Heaps must have one match or more" in page.inner_text("#problem")
    page.select_option("#game", "tic-tac-toe")
    until(page, "location.hash.startsWith('#game=tic-tac-toe')")
    page.click("#record-panel summary")
    page.fill("#position", "X..O...OX")
    page.press("#position", "Enter")
    until(page, "document.getElementById('position').value === 'X../O../.OX'")
    assert status(page) == "X to move."
    assert page.inner_text("#problem") == ""
    page.fill("#position", "X..O")
    page.press("#position", "Enter")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.inner_text("#problem") == "'X..O' has 4 cells; a Tic-Tac-Toe board has 9."
    assert status(page) == "X to move."


@pytest.mark.long
def test_parameters_by_any_name_harm_nothing(open_page: Open) -> None:
    page = open_page("#game=echo")  # it has a parameter "matches", as forms have a method
    page.wait_for_selector("#p-matches", state="attached")
    assert page.evaluate("typeof document.getElementById('parameters').matches") == "function"
    page.click("#options summary")
    page.fill("#p-matches", "5")
    page.click("#parameters button")
    until(page, "location.hash.includes('p.matches=5')")


def test_hints_come_in_stages_and_only_when_wanted(open_page: Open) -> None:
    page = open_page("#game=chess&position=k7/8/1K6/8/8/8/8/7R+w+-+-+0+1")
    page.wait_for_selector("#board svg")
    assert not page.is_visible("#hint")
    page.click("#options summary")
    page.check("#hints")
    page.click("#hint")
    wait_status(page, "Look at h1. Ask again for the move.")
    assert page.locator(".overlay .hint").count() == 1
    page.click("#hint")
    wait_status(page, "Rh8# looks best.")
    assert page.locator(".overlay .hint").count() == 2
    page.click("#hint")
    wait_status(page, "Best line: Rh8#.")


# -- Analysis and watching.


def test_live_analysis_arrives_and_stops(open_page: Open, site: Site) -> None:
    page = open_page("#game=connect-four")
    page.wait_for_selector("#board svg")
    assert not page.is_visible("#bar")
    page.locator("body").press("a")
    page.wait_for_selector("#readout dd")
    until(page, "document.querySelectorAll('.overlay .badge').length === 7")
    depth = int(page.inner_text("#readout dd >> nth=0"))
    until(page, f"Number(document.querySelector('#readout dd').textContent) > {depth}")  # it goes on
    assert page.is_visible("#bar")
    assert 0 <= int(page.get_attribute("#bar", "aria-valuenow") or -1) <= 100
    assert page.locator("#found-lines li").count() == 5
    assert page.locator("#scores button").count() == 7
    assert page.locator("#found .chip.proved").count() == 0
    page.select_option("#algorithm", "mcts")
    until(page, "document.querySelector('#scores button').title.includes('visits')")
    page.uncheck("#show-bar")
    assert not page.is_visible("#bar")
    page.click("#analyse")
    assert page.get_attribute("#analyse", "aria-pressed") == "false"
    assert page.inner_text("#analysis-note") == "Stopped."
    assert page.locator(".overlay .badge").count() == 7  # the best so far stays
    wait_for(lambda: site.server.searches.load == (0, 0))
    page.select_option("#algorithm", "engine")
    page.select_option("#limit", "depth 2")
    page.click("#more")
    until(page, "document.getElementById('analysis-note').textContent.includes('limit')")
    assert page.inner_text("#readout dd >> nth=0") == "2"
    click(page, "1")
    until(page, "document.querySelectorAll('#moves button').length >= 1")


def test_a_search_goes_on_until_every_move_is_proved(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe&moves=1;2;4;5")
    page.wait_for_selector("#board svg")
    page.click("[data-mode=analyse]")
    until(page, "document.getElementById('analysis-note').textContent.includes('proved')")
    assert page.inner_text("#verdict").split() == ["Proved", "for", "X:", "win", "in", "1", "with", "7"]
    assert page.locator("#verdict .chip.proved.good").count() == 1
    assert "win 1" in page.locator(".overlay .badge.proved").all_text_contents()
    assert page.locator(".overlay .badge.proved").count() == 5
    assert page.locator(".overlay .badge:not(.proved)").count() == 0


def test_an_estimate_looks_different(open_page: Open) -> None:
    page = open_page("#game=chess&position=6k1/5ppp/8/8/8/8/8/R5K1+w+-+-+0+1")
    page.wait_for_selector("#board svg")
    page.select_option("#limit", "depth 2")
    page.click("[data-mode=analyse]")
    until(page, "document.getElementById('analysis-note').textContent.includes('proved')")
    assert "win 1" in page.locator(".overlay .badge.proved").all_text_contents()
    assert page.locator(".overlay .badge:not(.proved)").count() > 0
    styles = page.evaluate(
        """() => {
          const solid = getComputedStyle(document.querySelector('.badge.proved rect')).strokeDasharray;
          const dashed = getComputedStyle(document.querySelector('.badge:not(.proved) rect')).strokeDasharray;
          const chip = getComputedStyle(document.querySelector('#verdict .chip')).borderStyle;
          return [solid, dashed === 'none', chip];
        }"""
    )
    assert styles == ["none", False, "solid"]


def test_board_list_and_verdict_name_one_move(open_page: Open) -> None:
    """In Monte Carlo the most visited move need not be the one with the best mean."""
    page = open_page("#game=go&p.size=5")
    page.wait_for_selector("#board svg")
    page.select_option("#limit", "seconds 1")
    page.click("[data-mode=analyse]")
    until(page, "document.getElementById('analysis-note').textContent.includes('Done')")
    best = page.inner_text("#verdict b")
    assert page.locator("#scores button").first.get_attribute("data-move") == best
    assert page.inner_text("#found-lines li >> nth=0 >> b") == best
    assert page.evaluate("document.querySelectorAll('.overlay .badge.best').length") == 1
    assert "±" in page.inner_text("#verdict .chip")
    marked, cell = (
        page.locator(place).first.bounding_box()
        for place in (".overlay .badge.best rect", f'#board [data-cell="{best}"]')
    )
    assert marked is not None
    assert cell is not None
    for side, size in (("x", "width"), ("y", "height")):
        middle = marked[side] + marked[size] / 2
        assert cell[side] <= middle <= cell[side] + cell[size]


@pytest.mark.long
def test_watching_two_machines(open_page: Open) -> None:
    page = open_page("#mode=watch")
    page.wait_for_selector("#run")
    for seat in (1, 2):
        page.select_option(PEOPLE.format(seat), "random")
    assert moves(page) == []
    page.click("#step")
    until(page, "document.querySelectorAll('#moves button').length === 1")
    page.wait_for_timeout(300)
    assert len(moves(page)) == 1  # a step is one move
    page.locator("#speed").fill("0.2")
    page.click("#run")
    until(page, "document.querySelectorAll('#moves button').length >= 3")
    page.click("#run")
    page.wait_for_timeout(100)
    paused = len(moves(page))
    page.wait_for_timeout(500)
    assert len(moves(page)) == paused
    page.locator("#speed").fill("0")
    page.locator("body").press("p")
    until(page, "/(wins|Draw) after/.test(document.getElementById('status').textContent)")
    assert page.is_disabled("#run")


# -- Records.


def test_records_out_and_in(open_page: Open, tmp_path: Path) -> None:
    page = open_page("#game=chess&moves=f3;e5;g4;Qh4%23")
    wait_status(page, "Black wins after 4 moves.")
    page.click("#record-panel summary")
    with page.expect_download() as waiting:
        page.click("#download")
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.name == "chess.pgn"
    assert "1. f3 e5 2. g4 Qh4# 0-1" in path.read_text()
    page.select_option("#game", "nim")
    wait_status(page, "Player 1 to move.")
    page.set_input_files("#file", path)
    wait_status(page, "Black wins after 4 moves.")
    assert page.input_value("#game") == "chess"
    record = {"game": "go", "parameters": {"size": 5}, "position": "", "moves": ["C3", "pass"]}
    page.fill("#record-text", json.dumps(record))
    page.click("#record-in button")
    wait_status(page, "White: pass. Black to move.")
    page.fill("#record-text", "1. e4 e9")
    page.click("#record-in button")
    until(page, "document.getElementById('record-note').textContent.includes('e9')")


# -- Everybody and everywhere.


@pytest.mark.long
def test_every_game_has_a_board(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe")
    page.wait_for_selector("#seats select")
    for name in page.evaluate("[...document.getElementById('game').options].map(option => option.value)"):
        page.select_option("#game", name)
        until(page, f"location.hash.startsWith('#game={name}')")
        assert page.locator("#board svg").count() == 1, name
        assert page.inner_text("#problem") == ""
        assert page.inner_text("#rules-text") or page.text_content("#rules-text")


def test_on_a_phone(open_page: Open) -> None:
    page = open_page("#mode=analyse", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.wait_for_selector("#readout dd")
    for name in ("tic-tac-toe", "go", "backgammon", "qubic", "chess"):
        page.select_option("#game", name)
        until(page, f"location.hash.startsWith('#game={name}')")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        board = page.locator("#board").bounding_box()
        assert board is not None
        assert board["x"] >= 0
        assert board["x"] + board["width"] <= 390
    sizes = page.evaluate(
        """[...document.querySelectorAll('main button, main select')].filter(one => one.offsetParent)
        .map(one => [one.id || one.textContent, one.offsetWidth, one.offsetHeight])"""
    )
    assert [one for one in sizes if min(one[1:]) < 34] == []
    page.select_option("#game", "tic-tac-toe")
    wait_status(page, "X to move.")
    page.locator('#board [data-cell="5"]').tap()
    wait_status(page, "X: 5.")


@pytest.mark.long
def test_narrow_cells_and_the_buttons_on_a_small_phone(open_page: Open) -> None:
    small = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page = open_page("#game=quoridor", **small)
    people_everywhere(page)
    tops = page.evaluate("['first', 'undo', 'redo'].map(id => document.getElementById(id).offsetTop)")
    assert len(set(tops)) == 1  # all in a row
    box = page.locator('#board [data-cell="e5v"]').bounding_box()
    assert box is not None
    assert box["width"] < 10
    x, y = box["x"] + box["width"], box["y"] + box["height"] / 2
    page.touchscreen.tap(x + 12, y)  # too far, in a cell that cannot be picked
    until(page, "document.getElementById('announcement').textContent === 'f5 cannot be selected here'")
    page.touchscreen.tap(x + 5, y)
    wait_status(page, "White: e5v.")


@pytest.mark.long
def test_help_and_rules_by_keyboard(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe")
    page.wait_for_selector("#seats select")
    page.locator("body").press("?")
    assert page.is_visible("#help-dialog")
    page.keyboard.press("Escape")
    assert not page.is_visible("#help-dialog")
    page.click("#rules")
    assert "three in a row" in page.inner_text("#rules-text").lower() or page.inner_text("#rules-text")
    page.keyboard.press("Escape")
    page.click("#move")
    page.keyboard.type("?")  # in a field it is a letter
    assert page.input_value("#move") == "?"


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_nothing_serious(open_page: Open, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page("#game=connect-four&moves=4;4;3", color_scheme=scheme)
    page.wait_for_selector("#board svg")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground))) > 382) == (scheme == "light")
    page.click("[data-mode=analyse]")
    page.wait_for_selector("#scores button")
    for summary in ("#options", "#record-panel"):
        page.click(f"{summary} summary")
    serious(Axe().run(page))
    if scheme == "light":
        page.click("#analyse")
        page.locator("body").press("?")
        serious(Axe().run(page, context="#help-dialog"))


def serious(results: Any) -> None:
    found = [
        (one["id"], [node["html"][:120] for node in one["nodes"]])
        for one in results.response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert found == []


def test_the_page_survives_a_restart_of_the_server(browser: Browser) -> None:
    first = Site()
    context = browser.new_context()
    page = context.new_page()
    page.goto(first.address + "#game=tic-tac-toe&moves=5;1")
    people_everywhere(page)
    wait_status(page, "O: 1. X to move.")
    first.stop()
    page.wait_for_selector("#connection[data-state=closed]")
    page.fill("#move", "9")
    page.press("#move", "Enter")  # asked while nobody answers
    second = Site(port=first.port)
    wait_status(page, "X: 9. O to move.")
    assert page.inner_text("#connection") == ""
    assert moves(page) == ["5", "1", "9"]
    context.close()
    second.stop()


@pytest.mark.long
def test_a_review_finds_the_mistake_and_leads_back_to_it(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe&moves=5;1;2;3;8")
    wait_status(page, "X wins after 5 moves.")
    page.click("#review")
    page.wait_for_selector("#mistakes button")
    assert page.locator("#graph .chance").count() == 1
    assert "3??" in moves(page)  # O did not see 8 coming
    button = page.locator("#mistakes button:has-text('4. 3??')")
    assert re.fullmatch(r"4\. 3\?\? Blunder by O: −\d+ %", button.inner_text())
    button.click()
    wait_status(page, "X: 2. O to move.")
