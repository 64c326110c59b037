"""What the README, the documents and the examples say is what happens."""

from __future__ import annotations

import inspect
import io
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import plies
from documents import ROOT, blocks, run
from plies.cli import run as program
from plies.compiled import interpreting
from programs import UNTRACED, WHERE

README = ROOT / "README.md"
CHAPTERS = sorted((ROOT / "docs" / "course").glob("[0-9]*.md"))
"""The course has tests of its own."""
SOLVED = ("domineering", "dots_and_boxes", "hex", "three_mens_morris")
"""Examples that solve a game whole, which takes seconds, interpreted."""
SLOW = (
    *(
        "backgammon.md",
        "dice-and-roll-outs.md",
        "evaluation.md",
        "measuring.md",
        "pathology.md",
        "solving.md",
    ),
    "strategies.md",
)
"""Documents whose programs take seconds."""
DOCUMENTS = [README, *sorted({*(ROOT / "docs").rglob("*.md")} - {*CHAPTERS})]
EXAMPLES = [
    pytest.param(path, marks=pytest.mark.long if path.stem in SOLVED else ())
    for path in sorted((ROOT / "examples").glob("*.py"))
]
COMMANDS = [
    line
    for path in DOCUMENTS
    for block in blocks(path)
    if block.language == "sh"
    for line in block.text.splitlines()
    if line.startswith("plies ")
]


def signature(command: str) -> tuple[str, ...]:
    """What a command tries of the program: its name, and the names of its options."""
    words = shlex.split(command, comments=True)
    name = words[1:3] if words[1] in ("book", "database") else words[1:2]
    return *name, *sorted({word.partition("=")[0] for word in words if word.startswith("-")})


FIRST = {signature(command)[:2]: command for command in reversed(COMMANDS)}
QUICK = {command for command in FIRST.values() if "--minutes" not in command}
"""A command of each name and first option; the others are among the long tests."""

ABOUT_COMPILING = ("how-a-game-is-compiled.md", "compiling.md")
PROGRAMS = [
    pytest.param(
        path,
        marks=[
            pytest.mark.costly if path.name in ABOUT_COMPILING else pytest.mark.plain,
            *([pytest.mark.long] if path.name in SLOW else []),
        ],
    )
    for path in DOCUMENTS
    if any(block.language == "python" for block in blocks(path))
]

LIBRARIES = {
    "gymnasium.md": "gymnasium",
    "open-spiel.md": "pyspiel",
    "open_spiel_algorithms.py": "pyspiel",
    "pettingzoo.md": "pettingzoo",
    "torch_learner.py": "torch",
}
"""What documents and examples about other libraries import."""


def skip_without_library(path: Path) -> None:
    """Skip what is about another library where that is not installed."""
    if library := LIBRARIES.get(path.name):
        pytest.importorskip(library, reason=f"{path.name} is about {library}, which is not installed")


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_python_of_a_document_prints_what_it_shows(path: Path) -> None:
    if interpreting() and path.name in ABOUT_COMPILING:
        pytest.skip("compilation is switched off")
    skip_without_library(path)
    assert run(path) > 0


@pytest.mark.plain
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_prints_what_is_kept_beside_it(path: Path) -> None:
    skip_without_library(path)
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=False, env=UNTRACED
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == path.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.plain
@pytest.mark.parametrize(
    "command",
    [pytest.param(one, marks=() if one in QUICK else pytest.mark.long) for one in dict.fromkeys(COMMANDS)],
)
def test_a_command_that_is_shown_works(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in re.findall(r"\b(?:uci|ugi|gtp):(\w+)", command):
        if shutil.which(name, path=WHERE) is None:
            pytest.skip(f"{name} is not installed (the Debian package {name})")
    if "openspiel:" in command:
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PATH", WHERE)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setenv("PLIES_DATA_DIR", str(tmp_path))
    if re.match(r"plies (database|book) (?=probe|describe|verify|export)", command):
        game = plies.TicTacToe()  # of which the command before it has made one
        game.compiled = False
        plies.save_database(plies.make_database(game))
        plies.save_opening_book(plies.make_opening_book(game, 2))
    code = program(shlex.split(command, comments=True)[1:])
    done = capsys.readouterr()
    assert code == 0, done.err
    assert done.out


def test_the_game_in_the_readme_is_the_one_in_the_examples() -> None:
    game = next(block.text for block in blocks(README) if block.language == "python")
    example = (ROOT / "examples" / "echo.py").read_text(encoding="utf-8")
    assert game in example


def table(heading: str) -> list[list[str]]:
    """The rows of the table below a heading of the README, the first two left out."""
    section = README.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def test_the_table_of_games_names_the_games_there_are() -> None:
    assert [row[0] for row in table("Games")] == [f"`{name}`" for name in plies.game_names()]
    for name, players, _, parameters in table("Games"):
        game = plies.game(name.strip("`"))
        kind = (", dice" if game.stochastic else "") + (", at once" if game.simultaneous else "")
        assert players == f"{game.players}{kind}"
        assert parameters == ", ".join(f"`{one}`" for one in inspect.signature(type(game)).parameters)


def test_the_table_of_algorithms_says_where_each_is() -> None:
    """It has the best known; all have a page of their own."""
    for name, _, book, engine in table("Algorithms"):
        assert (book == "yes") == (name.strip("`") in plies.book.ALGORITHMS), name
        assert (engine == "yes") == (name.strip("`") in plies.ALGORITHMS), name


def test_the_map_names_the_layers_in_order() -> None:
    house = next(block.text for block in blocks(README) if block.text.startswith("src/plies/"))
    named = re.findall(r"^  (\w+)(?:\.py|/)", house, re.MULTILINE)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    levels = [set(layer.split(" | ")) for layer in reversed(layers) if layer != "__main__"]
    assert set(named) == set().union(*levels)
    for level in levels:
        assert set(named[: len(level)]) == level
        named = named[len(level) :]


def test_links_lead_to_files() -> None:
    """Those of the other pages are checked when the site is built, which writes some that they lead to."""
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (path.parent / target).exists(), (
                f"{path.name} links to {target}"
            )
