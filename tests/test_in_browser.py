"""Plies in the browser: Pyodide in Chromium plays, traces and grades, and asks nobody else for anything."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from docs.pages import browser as pages
from docs.pages.written import DOCS

import plies
from plies.grade.pasted import grade_pasted
from plies.web import in_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.plain

LOADING = 60_000  # ms; Pyodide is ready after two seconds where nothing else runs


def ask(type_: str, **fields: Any) -> Any:
    """The result of a message, as the page's worker gets it."""
    reply = json.loads(in_browser.answer(json.dumps({"id": 7, "type": type_, **fields})))
    assert reply["id"] == 7
    return reply["result"] if "result" in reply else {"error": reply["error"]}


# -- The answers, without a browser.


def test_a_game_against_the_book_is_not_lost_by_it():
    """Alpha-beta to the end plays perfectly: whatever X does in turn, O never loses."""
    for first in ("1", "2", "5"):
        view = ask("play", game="tic-tac-toe", moves=[first], you=0, opponent="alpha-beta")
        while not view["over"]:
            moves = [*view["moves"], view["legal"][0]]
            view = ask("play", game="tic-tac-toe", moves=moves, you=0, opponent="alpha-beta")
        assert view["says"] in ("The game is over: a draw.", "The game is over: you lose.")
    assert view["svg"].startswith("<svg")


def test_dice_are_thrown_for_both():
    view = ask("play", game="pig", moves=[], you=1, opponent="expectiminimax", depth=2, seed=3)
    assert view["legal"] == ["roll"]
    assert not view["over"]
    assert view["moves"][0] == "roll"
    assert view["moves"][1] in "123456"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            {"type": "play", "game": "chess", "moves": [], "you": 0, "opponent": "random"},
            "chess needs NumPy",
        ),
        ({"type": "play", "game": "nim", "moves": ["x"], "you": 0, "opponent": "random"}, "legal move"),
        (
            {"type": "play", "game": "nim", "moves": [], "you": 1, "opponent": "engine"},
            "no algorithm 'engine'",
        ),
        ({"type": "solve"}, "'solve' is not something that this page can do"),
        ({"type": "draw_tree"}, "a tree or a position"),
    ],
)
def test_what_it_cannot_do_is_said_in_a_sentence(message, words):
    assert words in json.loads(in_browser.answer(json.dumps(message)))["error"]


def test_lessons_are_those_of_the_learn_page():
    from plies.web import learn

    tree = {"levels": ["max", "min"], "tree": [[3, 12, 8], [2, 4, 6], [14, 5, 2]]}
    steps = ask("search_steps", tree=tree, algorithm="alpha-beta", options={})
    assert steps["value"] == "3"
    assert steps["leaves"] == 7
    assert steps == json.loads(json.dumps(learn.steps(learn.Subject(plies.Tree(tree)), "alpha-beta", {})))


# -- The grader of a pasted function.


def right(game: Any, state: Any) -> float:
    if game.is_terminal(state):
        return game.utility(state, 0)
    values = [right(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


def pruned(node: Any, alpha: float, beta: float, maximizing: bool = True) -> Any:
    if not isinstance(node, list):
        return node
    for child in node:
        value = pruned(child, alpha, beta, not maximizing)
        if maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if maximizing else beta


def negamax(game: Any, state: Any, depth: int = 99) -> Any:
    """Wrong: it forgets the sign at an end of the game."""
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state))
    values = [negamax(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


def test_right_functions_pass():
    for names in (
        {"minimax": right},
        {"alpha_beta": pruned},
        {"minimax": lambda game, state: (right(game, state), "a")},
    ):
        found = grade_pasted(names)
        assert found["ok"]
        assert found["says"].endswith("points.")


@pytest.mark.long
def test_cut_offs_that_are_missed_are_named():
    assert "or it never cuts" in grade_pasted({"alpha_beta": right})["page"]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda node: max(map(str, node)), "minimax: an error."),
        (lambda node: 1 / 0, "minimax: an error."),
        (lambda game, state: None, "minimax: it returns nothing."),
        (
            lambda node: node if not isinstance(node, list) else nested_max(node),
            "minimax: every layer maximises.",
        ),
        (negamax, "leaves are worth what the player to move gets"),
    ],
)
def test_the_bug_of_a_wrong_function_is_named(function, words):
    found = grade_pasted({"minimax": function})
    assert not found["ok"]
    assert words in found["says"]
    assert "The smallest tree that shows it" in found["page"]


def nested_max(node: Any) -> Any:
    return max(nested_max(child) if isinstance(child, list) else child for child in node)


def test_the_tests_are_those_of_the_program(tmp_path):
    """A file that is graded in a process has the points and the bugs that it has here."""
    from graded.mutations import MUTATIONS
    from plies.grade.grading import grade

    (wrong,) = [one for one in MUTATIONS if one.base == "book_classes" and one.bug == "strict"]
    names = in_browser.cell()
    exec(compile(wrong.source, "cell.py", "exec"), names)
    file = tmp_path / "student.py"
    file.write_text(wrong.source, encoding="utf-8")
    report = grade(file)
    there = " ".join(f"{one.function}: {one.title}." for one in report.findings)
    said = grade_pasted(names)["says"]
    assert said.startswith(f"{report.points:g} of ")
    assert said.endswith(f" points. {there}")


def test_what_cannot_be_graded_is_said():
    names: Any
    for names, words in (
        ({}, "minimax or alpha_beta"),
        ({"minimax": lambda node, x: 0}, "'x' is not a parameter"),
    ):
        with pytest.raises(plies.BadParameter, match=words):
            grade_pasted(names)


# -- The site.


def test_without_npm_the_page_says_what_is_missing(tmp_path, monkeypatch):
    shutil.copy(DOCS / "in-the-browser.md", tmp_path)
    monkeypatch.setenv("PATH", "")
    said = pages.write(tmp_path, tmp_path / "empty")
    assert said.endswith("Plies cannot run in it: npm is not installed.")
    assert said in (tmp_path / "in-the-browser.md").read_text()
    assert not (tmp_path / "in-the-browser").exists()


def test_another_file_in_its_place_is_refused(tmp_path):
    (tmp_path / f"pyodide-{pages.PYODIDE}.tgz").write_bytes(b"something else")
    with pytest.raises(pages.Missing, match="not the file that npm publishes"):
        pages.package(tmp_path)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


def test_half_a_package_is_never_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents and tests may fetch and read it at the same time."""

    def fetch(npm: str, folder: Path) -> Path:
        fetched = folder / f"pyodide-{pages.PYODIDE}.tgz"
        fetched.write_bytes(b"half of it")
        assert not (tmp_path / fetched.name).exists()
        raise pages.Missing("the line is dead")

    monkeypatch.setattr(pages, "_fetch", fetch)
    monkeypatch.setattr(pages.shutil, "which", lambda name: name)
    with pytest.raises(pages.Missing, match="the line is dead"):
        pages.package(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the pages, as any web server serves them."""
    try:
        pages.package()
    except pages.Missing as reason:
        pytest.skip(f"needs Pyodide: {reason}")
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(DOCS / "in-the-browser.md", folder)
    assert pages.write(folder) == ""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/in-the-browser/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser: Browser, lab: str) -> Iterator[Page]:
    """A page, in which no script may fail and which asks only its own server."""
    context = browser.new_context()
    one = context.new_page()
    asked: list[str] = []
    failures: list[str] = []
    one.on("request", lambda request: asked.append(request.url))
    one.on("pageerror", lambda error: failures.append(str(error)))
    one.set_default_timeout(LOADING)
    yield one
    context.close()
    assert failures == []
    home = lab.removesuffix("in-the-browser/")
    assert asked
    assert all(url.startswith((home, "blob:", "data:")) for url in asked)


@pytest.mark.long
def test_the_lab_plays_writes_grades_and_stops(page: Page, lab: str) -> None:
    page.goto(lab + "lab.html")
    page.wait_for_function("document.getElementById('opponent').value === 'alpha-beta'")
    # It plays, as the same Python does here.
    page.fill("#depth", "2")
    page.click("#play button")
    page.click("#moves button:text-is('5')")
    page.wait_for_selector("#record:has-text('5 ')")
    expected = ask("play", game="tic-tac-toe", moves=["5"], you=0, opponent="alpha-beta", depth=2)
    assert page.inner_text("#record") == f"Moves: {' '.join(expected['moves'])}"
    assert page.locator("#board > svg").count() == 1
    # A loop is stopped, and what it printed stays.
    page.fill("#code", "print('begun')\nwhile True:\n    pass")
    page.click("#write button")
    page.wait_for_selector("#printed:has-text('begun')")
    page.click("#stop")
    page.wait_for_selector("#problem:has-text('Stopped')")
    # A game of one's own is checked, drawn and played.
    code = (DOCS / "write-your-own-game.md").read_text().split("```python\n")[1].split("\ngame = Ten()")[0]
    page.fill("#code", f"{code}\nplies.draw.game_tree(Ten(), depth=1)")
    page.click("#write button")
    page.wait_for_selector("#printed:has-text('every rule holds')")
    assert page.locator("#value > svg").count() == 1
    page.wait_for_function("document.getElementById('game').value === 'ten'")
    page.wait_for_function("document.getElementById('opponent').value === 'alpha-beta'")
    page.click("#play button")
    page.click("#moves button:text-is('1')")
    page.wait_for_selector("#record:has-text('Moves: 1 1')")
    # A mistake is shown with its line.
    page.fill("#code", "import plies\nplies.search")
    page.click("#write button")
    page.wait_for_selector("#problem:has-text('plies.search needs NumPy and Numba')")
    # The function that it begins with is wrong: its bug is named, and both searches are stepped through.
    page.click("#grade button")
    page.wait_for_selector("#verdict:has-text('minimax: every layer maximises.')")
    report = page.frame_locator("#report")
    report.locator("button[aria-label='last step']").nth(0).click()
    assert "The search is over" in report.locator(".steps-say").nth(0).inner_text()
    assert "has not begun" in report.locator(".steps-say").nth(1).inner_text()


@pytest.mark.long
def test_learn_steps_and_practises(page: Page, lab: str) -> None:
    page.goto(lab + "learn.html")
    page.wait_for_selector("#stage svg")
    page.select_option("#example", label=plies.gallery.EXAMPLES["aima"].title)
    page.keyboard.press("End")
    page.click("#tab-practice")
    page.wait_for_selector(".practising input")  # the steps have an input, too
    page.locator(".practising input").first.fill("4")
    page.keyboard.press("Enter")
    page.wait_for_selector("#stage:has-text('correct')")
    assert page.is_hidden("#problem")
