"""`plies matrix`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from plies import book, matrix_game
from plies.draw import envelope
from test_cli import program

pytestmark = pytest.mark.plain


def test_a_matrix_from_the_command_line() -> None:
    done = program("matrix", "3 0 2; 1 2 4; 0 1 1", "--row-names", "a,b,c")
    assert (done.code, done.error) == (0, "")
    assert done.out == (
        "   c1  c2  c3\n"
        "a   3   0   2\n"
        "b   1   2   4\n"
        "c   0   1   1\n"
        "\n"
        "value          3/2\n"
        "Row plays      a 1/4, b 3/4\n"
        "Column plays   c1 1/2, c2 1/2\n"
        "saddle points  none: pure maximin 1 < minimax 2\n"
        "dominance      row c is strictly dominated by b\n"
        "               column c3 is strictly dominated by c2\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [("-1 1; 1 -1",), ("-1,1", "1,-1"), ("-1 1", "1 -1"), ("--", "-1 1;1 -1"), ("[[-1,1],[1,-1]]",)],
)
def test_rows_may_begin_with_a_minus(arguments: tuple[str, ...]) -> None:
    done = program("matrix", *arguments)
    assert (done.code, done.error) == (0, "")
    assert done.out.splitlines()[1].split() == ["r1", "-1", "1"]
    assert "dominance      none" in done.out


def test_a_file_and_json(tmp_path: Path) -> None:
    (tmp_path / "game.csv").write_text(",left,right\nup,1/3,1\ndown,0,2\n")
    done = program("matrix", str(tmp_path / "game.csv"), "--json")
    assert (done.code, done.error) == (0, "")
    data = json.loads(done.out)
    assert data["value"] == "1/3"
    assert data["row_names"] == ["up", "down"]
    assert data["saddle_points"] == [[0, 0]]
    assert data["dominance"] == [
        {"player": "column", "name": "right", "by": {"left": "1"}, "strict": True},
        {"player": "row", "name": "down", "by": {"up": "1"}, "strict": True},
    ]
    (tmp_path / "again.json").write_text(done.out)
    assert matrix_game(tmp_path / "again.json") == matrix_game(tmp_path / "game.csv")


def test_rounds_of_play() -> None:
    done = program("matrix", "3 -1; -2 1", "--fictitious-play", "3", "--regret-matching", "2")
    assert done.code == 0
    assert book.fictitious_play("3 -1; -2 1", rounds=3).steps() in done.out
    assert done.out.endswith(book.regret_matching("3 -1; -2 1", rounds=2).steps() + "\n")
    data = json.loads(program("matrix", "3 -1; -2 1", "--fictitious-play", "3", "--json").out)
    assert [one["row"] for one in data["fictitious_play"]] == [[1, 0]] * 3
    assert program("matrix", "3 -1; -2 1", "--regret-matching", "0").code == 2


def test_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "game.svg"
    assert program("matrix", "1 2; 3 0", "--svg", str(file)).code == 0
    assert file.read_text(encoding="utf-8") == str(envelope(matrix_game("1 2; 3 0")))


def test_a_large_matrix(tmp_path: Path) -> None:
    rows = np.random.default_rng(2).integers(-9, 9, size=(45, 40))
    np.savetxt(tmp_path / "large.csv", rows, fmt="%d", delimiter=",")
    done = program("matrix", str(tmp_path / "large.csv"))
    assert (done.code, done.error) == (0, "")
    assert "dominance      not looked for" in done.out
    assert json.loads(program("matrix", str(tmp_path / "large.csv"), "--json").out)["exact"] is False


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Missing argument 'ROWS'"),
        (("1 2; 3",), "equally long; row 1 has 2 entries, row 2 1"),
        (("1 x",), "row 1, column 2 of a matrix must be a number"),
        (("inf 1",), "must be a number"),
        (("nan",), "must be a number"),
        (("",), "this one is empty"),
        (("[[]]",), "row 1 is empty"),
        (("nowhere.csv",), "cannot be read: No such file"),
        (("1 2", "--svgs", "x"), "there is no option '--svgs'"),
        (("1 2; 3 4", "--row-names", "a"), "there must be 2 names of rows, not 1"),
        (("1 2 3;4 5 6;7 8 9", "--svg", "x.svg"), "two rows or two columns"),
        (("1 2", "--svg", "x.png"), "ends in .svg"),
    ],
)
def test_refusals(arguments: tuple[str, ...], sentence: str) -> None:
    done = program("matrix", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.error
    assert done.error.count("\n") == 1
