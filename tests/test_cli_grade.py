"""`plies grade`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graded.hostile import RIGHT
from graded.mutations import MUTATIONS
from test_cli import program

pytestmark = pytest.mark.plain

WRONG = RIGHT.replace("max if game", "min if game").replace("else min", "else max")
"""Minimax with max and min swapped."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "student.py"
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_a_report(file: Path) -> None:
    done = program("grade", str(file), "--only", "minimax: trees")
    assert done.code == 1
    assert done.error == ""
    lines = done.out.splitlines()
    assert lines[0].startswith("student.py, book style: ")
    assert lines[2].startswith("minimax: trees")
    assert "minimax: max and min are swapped." in lines
    assert lines[-6:] == [
        "The smallest tree that shows it:",
        "  A (MAX)",
        "    a1: 1",
        "    a2: 2",
        "  yours: 1, by a look at a1, a2",
        "  right: 2, by a look at a1, a2",
    ]


def test_json_gradescope_and_a_page(file: Path, tmp_path: Path) -> None:
    page, results = tmp_path / "page.html", tmp_path / "results.json"
    done = program(
        *("grade", str(file), "--only", "minimax: t", "--json", "--html", str(page)),
        *("--gradescope", str(results)),
    )
    report = json.loads(done.out)
    assert done.code == 1
    assert report["findings"][0]["bugs"] == ["swapped"]
    assert report["findings"][0]["tree"] == [1, 2]
    assert [test["name"] for test in report["tests"]] == ["minimax: trees", "minimax: two ghosts"]
    assert report["points"] == pytest.approx(sum(test["points"] for test in report["tests"]))
    assert 0 < report["points"] < report["max_points"] == 4  # partial credit
    check_gradescope(json.loads(results.read_text(encoding="utf-8")), report)
    html = page.read_text(encoding="utf-8")
    assert 'id="steps-1-yours"' in html
    assert 'id="steps-1-ours"' in html
    assert "max and min are swapped" in html


def check_gradescope(results: dict[str, Any], report: dict[str, Any]) -> None:
    """The fields of results.json that Gradescope documents, and no others."""
    assert results["score"] == report["points"]
    assert isinstance(results["execution_time"], int)
    assert set(results) <= {
        "score",
        "execution_time",
        "output",
        "output_format",
        "stdout_visibility",
        "tests",
    }
    for test in results["tests"]:
        assert 0 <= test["score"] <= test["max_score"]
        assert test["status"] == ("passed" if test["score"] == test["max_score"] else "failed")
        assert test["visibility"] == "visible"
        assert test["output_format"] == "text"
    assert "max and min are swapped" in results["output"]


@pytest.mark.long
def test_the_steps_of_both_programs_in_a_browser(tmp_path: Path, browser: Any) -> None:
    (mutation,) = [one for one in MUTATIONS if one.base == "lab_import" and one.bug == "undo"]
    file, page = tmp_path / "student.py", tmp_path / "page.html"
    file.write_text(mutation.source, encoding="utf-8")
    program("grade", str(file), "--only", "minimax: pos", "--html", str(page))
    window = browser.new_page()
    failures: list[str] = []
    window.on("pageerror", lambda error: failures.append(str(error)))
    window.goto(page.as_uri())
    assert window.locator(".plies-steps").count() == 2
    window.locator("button[aria-label='last step']").nth(0).click()
    assert "The search is over" in window.locator(".steps-say").nth(0).inner_text()
    assert "has not begun" in window.locator(".steps-say").nth(1).inner_text()
    window.close()
    assert failures == []


def test_a_class_without_names(tmp_path: Path) -> None:
    for name, source in (("ada", RIGHT), ("bob", WRONG), ("cyd", WRONG), ("dan", "import os; os._exit(1)")):
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    done = program("grade", str(tmp_path), "--only", "minimax: trees")
    assert (done.code, done.error) == (0, "")
    assert done.out.splitlines()[0].startswith("4 files: mean ")
    assert "1 file could not be loaded" in done.out
    assert "   2  max and min are swapped" in done.out
    assert not any(name in done.out for name in ("ada", "bob", "cyd", "dan", "student"))
    for name in ("cyd", "dan"):
        (tmp_path / f"{name}.py").unlink()
    done = program("grade", str(tmp_path), "--only", "minimax: trees", "--json")
    report = json.loads(done.out)
    assert report["bugs"] == {"swapped": 1}
    assert report["files"] == len(report["shares"]) == 2
    assert report["tests"]["minimax: trees"]["all_points"] == 1


def test_a_class_with_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "bob.py").write_bytes(b"#" * 2_000_000)
    (tmp_path / "cyd.py").symlink_to("/dev/zero")
    done = program("grade", str(tmp_path), "--only", "minimax: trees")
    assert (done.code, done.error) == (0, "")
    assert done.out.startswith("1 file: mean 100%")
    assert "2 files could not be read, and count for nothing" in done.out
    (tmp_path / "ada.py").unlink()
    done = program("grade", str(tmp_path))
    assert done.out == "2 files could not be read, and there are no others\n"


@pytest.mark.parametrize("style", ["lab", "book"])
def test_a_skeleton(style: str, tmp_path: Path) -> None:
    done = program("grade", "--skeleton", style)
    assert (done.code, done.error) == (0, "")
    compile(done.out, "skeleton", "exec")
    file = tmp_path / "work.py"
    assert program("grade", "--skeleton", style, "--out", str(file)).code == 0
    assert file.read_text(encoding="utf-8") == done.out
    again = program("grade", "--skeleton", style, "--out", str(file))
    assert again.code == 2
    assert "exists already" in again.error


def test_an_untouched_skeleton_is_told_what_is_blank(tmp_path: Path) -> None:
    file = tmp_path / "lab.py"
    file.write_text(program("grade", "--skeleton", "lab").out)
    done = program("grade", str(file), "--only", "show", "--only", "minimax: all")
    assert done.code == 1
    said = "availableMoves() gives None, not the numbers of cells: is it still blank?"
    assert done.out.count(said) == 2
    assert "CannotCall" not in done.out
    done = program("grade", str(file), "--only", "prompt", "--only", "a game", "--time", "10")
    assert "it asks nothing" in done.out, "the game of the skeleton ends"
    filled = file.read_text().split("def getMoves")
    blank = filled[0].rindex("...")
    moves = "return [cell for cell in range(1, 10) if self.board[cell] == ' ']"
    file.write_text(f"{filled[0][:blank]}{moves}{filled[0][blank + 3 :]}def getMoves{filled[1]}")
    done = program("grade", str(file), "--only", "makeMove")
    assert "getMoves() gives None" in done.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "give a student's file, a folder of them, or --skeleton lab"),
        (("nobody.py",), "'nobody.py' cannot be read: No such file or directory"),
        (("--skeleton", "poem"), "there are skeletons in lab and in book style, not 'poem'"),
        (("FILE", "--style", "poem"), "the style must be lab or book, not 'poem'"),
        (
            ("FILE", "--only", "poetry"),
            "no test is called 'poetry'; there are rules, evaluation, minimax: trees",
        ),
        (("FILE", "--time", "0"), "--time must be more than 0 and at most 3,600 seconds, not 0"),
        (("FILE", "--out", "x"), "--out is for a skeleton; a report goes to --html or --gradescope"),
        (("FILE", "--html", "nowhere/x.html"), "there is no folder 'nowhere'"),
        (("FOLDER",), "there is no file NAME.py in"),
        (("FOLDER", "--html", "x.html"), "--html and --gradescope are for one file, not for a folder"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], sentence: str, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    words = [word.replace("FILE", str(file)).replace("FOLDER", str(folder)) for word in arguments]
    done = program("grade", *words)
    assert done.code == 2
    assert sentence in done.error
    assert done.out == ""


def test_strict_cuts_may_be_allowed(tmp_path: Path) -> None:
    (mutation,) = [one for one in MUTATIONS if one.base == "book_classes" and one.bug == "strict"]
    file = tmp_path / "student.py"
    file.write_text(mutation.source, encoding="utf-8")
    only = ("--only", "alpha_beta: trees", "--only", "alpha_beta: cut")
    assert program("grade", str(file), *only).code == 1
    done = program("grade", str(file), *only, "--strict")
    assert (done.code, done.error) == (0, "")
