"""The documentation site: it is complete, it builds without a warning, and its pages fetch nothing."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import docs.__main__
import pytest
from docs.__main__ import main
from docs.pages import algorithms, benchmarks, course, games, published_numbers
from docs.pages.site import write
from docs.pages.written import DOCS, merged

import plies
from browser import CHROMIUM
from documents import run
from plies.cli import run as plies_program
from plies.compiled import interpreting
from plies.reproduce import all_entries, find
from plies.reproduce.run import read

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.plain,
    pytest.mark.skipif(not interpreting(), reason="pages are written interpreted"),
]


# -- Every page of a kind has the same headings.


def headings(page: str) -> list[str]:
    fenced = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^## (.*)$", fenced, re.MULTILINE)


@pytest.mark.parametrize("name", plies.game_names())
def test_the_page_of_a_game(name: str) -> None:
    page = games.page(name)
    assert headings(page) == headings(games.page("nim"))
    assert plies.game(name).rules in page
    assert games.picture(name).startswith("<svg")


@pytest.mark.parametrize("name", algorithms.names())
def test_the_page_of_an_algorithm(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = algorithms.page(name)
    assert headings(page) == headings(algorithms.page("minimax"))
    commands = re.findall(r"^plies (.*)$", page, re.MULTILINE)
    assert commands
    for command in commands:
        assert plies_program(command.split()) == 0, command
        assert capsys.readouterr().out


def test_a_game_needs_no_page_written_by_hand(tmp_path: Path) -> None:
    page = games.page("examples/echo.py:Echo")
    assert headings(page) == headings(games.page("nim"))
    (tmp_path / "echo.md").write_text(page, encoding="utf-8")
    assert run(tmp_path / "echo.md") == 1


def test_a_page_written_by_hand_has_no_headings_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# One\n\n## Rules\n\nNone.\n\n## Jokes\n", encoding="utf-8")
    with pytest.raises(ValueError, match="a heading 'Jokes'; pages of this kind have Rules"):
        merged("One", {"": "", "Rules": "Some."}, tmp_path / "one.md")


# -- Every public name has its place in the reference, and an example there.


@cache
def described() -> dict[str, str]:
    """Each public name that a page describes, and what follows there up to the next."""
    written = [path.read_text(encoding="utf-8") for path in sorted((DOCS / "reference").glob("*.md"))]
    found: dict[str, str] = {}
    for page in written + [games.page(name) for name in plies.game_names()]:
        _, *parts = re.split(r"^::: plies\.(\w+)$", page, flags=re.MULTILINE)
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            assert name not in found, f"{name} is described twice"
            found[name] = text
    return found


def test_the_reference_has_every_public_name_and_no_others() -> None:
    assert sorted(described()) == sorted(plies.__all__)


@pytest.mark.parametrize("name", plies.__all__)
def test_a_public_name_has_an_example(name: str) -> None:
    """The tests of documents run it."""
    examples = re.findall(r"^```python\n(.*?)^```$", described()[name], re.MULTILINE | re.DOTALL)
    assert any(re.search(rf"\bplies\.{name}\b", example) for example in examples)


# -- Benchmarks.


def test_without_results_the_page_says_how_to_measure(tmp_path: Path) -> None:
    assert "make bench" in benchmarks.page(tmp_path / "results.json")


def test_results_become_tables(tmp_path: Path) -> None:
    machine = {"plies": "1", "python": "3", "system": "Linux", "cores": 2, "quick": False}
    table = {
        "title": "Speed",
        "columns": ["what", "how fast"],
        "rows": [["a", "2.0"]],
        "note": "Higher is better.",
    }
    (tmp_path / "results.json").write_text(json.dumps({"machine": machine, "tables": {"c": table}}))
    page = benchmarks.page(tmp_path / "results.json")
    assert "## Speed\n\n| what | how fast |\n| --- | --- |\n| a | 2.0 |\n\nHigher is better." in page


# -- Published numbers.


def test_without_outcomes_the_page_says_how_to_get_them(tmp_path: Path) -> None:
    page = published_numbers.page(tmp_path / "none.json")
    assert "plies reproduce --all" in page.split("## Suites")[1]


def test_the_outcomes_that_are_shown_are_those_of_the_table() -> None:
    """They agree, and what is expected has not changed since; every quick entry is among them."""
    shown = {outcome.name: outcome for outcome in read(published_numbers.RESULTS)}
    entries = {entry.name: entry for entry in all_entries()}
    assert {entry.name for entry in find()} <= set(shown) <= set(entries)
    for name, outcome in shown.items():
        assert outcome.agrees, name
        assert (outcome.expected, outcome.what) == (entries[name].expected, entries[name].what)
        assert f"| `{name}` |" in published_numbers.page()


# -- The site as it is built.


@pytest.mark.long
def test_the_site(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is built once for all that is to be seen of it: that takes half a minute, and `make docs` builds it,
    too. Its chapters are not run: the tests of the course do that, and find that each draws the pictures it
    shows. Nor are long signatures put on several lines: that starts a process for each."""
    monkeypatch.setattr(course, "run", draw_nothing)
    monkeypatch.setattr(docs.__main__, "write", write_with_long_lines)
    assert main(tmp_path) == 0
    site = tmp_path / "site"
    every_page_is_there(site)
    pages_load_nothing_from_elsewhere(site)
    if CHROMIUM:
        a_browser_asks_nobody_else(site, request.getfixturevalue("browser"))


def write_with_long_lines(folder: Path) -> None:
    write(folder)
    settings = folder / "mkdocs.yml"
    text = settings.read_text(encoding="utf-8")
    assert "separate_signature: true\n" in text
    long = re.sub(r"^( *)separate_signature: true$", r"\g<0>\n\1line_length: 10000", text, flags=re.MULTILINE)
    settings.write_text(long, encoding="utf-8")


def draw_nothing(chapter: Path, folder: Path) -> int:
    """Empty files in place of the pictures of a chapter."""
    names = [made["name"] for part in course.parts(chapter) if (made := course.MADE.match(part.text))]
    for name in names:
        (folder / name).touch()
    return len(names)


def every_page_is_there(site: Path) -> None:
    for name in plies.game_names():
        assert (site / "games" / f"{name}.html").exists()
    for name in algorithms.names():
        assert (site / "algorithms" / f"{name}.html").exists()
    for path in DOCS.glob("*.md"):
        assert (site / f"{path.stem}.html").exists()
    reference = (site / "reference" / "searching.html").read_text(encoding="utf-8")
    assert 'id="plies.AlphaBeta.search"' in reference, "inherited methods are described, too"


class Assets(HTMLParser):
    """What a page loads when it is opened."""

    LOADED = {
        "link": "href",
        "script": "src",
        "img": "src",
        "iframe": "src",
        "source": "src",
        "object": "data",
    }

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self.LOADED.get(tag) in given and given.get("rel") not in ("next", "prev", "canonical"):
            self.found.append(given[self.LOADED[tag]])


def pages_load_nothing_from_elsewhere(site: Path) -> None:
    seen = 0
    for path in site.rglob("*.html"):
        for address in Assets(path.read_text(encoding="utf-8")).found:
            seen += 1
            assert not re.match(r"(?!data:)\w+:|//", address), f"{path}: {address}"
            if path.name != "404.html":  # its addresses start at the root of a server
                assert (path.parent / unquote(address.partition("?")[0])).exists(), f"{path}: {address}"
    assert seen > 200
    for path in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(\w+:)?//", path.read_text(encoding="utf-8")), path


def a_browser_asks_nobody_else(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in ("index.html", "games/chess.html", "algorithms/alpha-beta.html", "reference/searching.html"):
        page.goto((site / name).as_uri())
        page.wait_for_load_state("networkidle")
    page.close()
    assert len(asked) > 10
    assert [address for address in asked if not address.startswith(("file:", "data:", "blob:"))] == []
