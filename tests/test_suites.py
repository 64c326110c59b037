"""`plies suite`: files of positions whose best moves or values are known."""

from __future__ import annotations

import contextlib
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plies
from oracles import oracle_path
from plies.engine.value import Value
from plies.suites import read_suite
from plies.suites.pons import score
from plies.terminal import suite
from test_cli import program

pytestmark = pytest.mark.plain

MATES = """# mates in one
7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7# Qf8#; id "two ways";

6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id "back rank";
6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8#; id "wrong";
"""
ENDGAME = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOX-- X;"


def written(folder: Path, text: str) -> str:
    file = folder / "suite.txt"
    file.write_text(text)
    return str(file)


def test_epd(tmp_path: Path) -> None:
    done = program("suite", "chess", written(tmp_path, MATES), "--depth", "2", "--json")
    data = json.loads(done.out)
    assert [(row["name"], row["solved"], row["expected"]) for row in data["positions"]] == [
        ("two ways", True, "Qg7# or Qf8#"),
        ("back rank", True, "Ra8#"),
        ("wrong", False, "not Ra8#"),
    ]
    assert (data["solved"], data["complete"]) == (2, True)
    assert data["nodes"] == sum(row["nodes"] for row in data["positions"])
    table = program("suite", "chess", written(tmp_path, MATES), "--depth", "2", "--first", "2").out
    assert [line.split()[0] for line in table.splitlines()] == ["position", "two", "back", "2"]
    assert table.splitlines()[-1].startswith("2 of 2 solved, ")


def test_pons(tmp_path: Path) -> None:
    lines = oracle_path("connect4/pons_Test_L3_R1.txt").read_text().splitlines()[:40]
    data = json.loads(program("suite", "connect-four", written(tmp_path, "\n".join(lines)), "--json").out)
    assert (data["solved"], len(data["positions"])) == (40, 40)
    moves, value = lines[0].split()
    wrong = written(tmp_path, f"{moves} {int(value) + 1}")
    assert json.loads(program("suite", "connect-four", wrong, "--json").out)["solved"] == 0


def test_scores_as_pons_counts_them() -> None:
    game = plies.ConnectFour()
    start = game.initial()
    assert score(game, start, Value(1, True, 41)) == 1  # with the last stone of 21
    assert score(game, start, Value(1, True, 7)) == 18
    assert score(game, start, Value(-1, True, 8)) == -18
    assert score(game, start, Value(0, True, 42)) == 0


def test_obf(tmp_path: Path) -> None:
    game = plies.Othello()
    state = game.parse_position(ENDGAME[:-1])
    values = {}
    for action in game.actions(state):  # two squares are left: by hand
        child = game.result(state, action)
        while not game.is_terminal(child):
            child = game.result(child, next(iter(game.actions(child))))
        values[game.notation(state, action)] = int(game.utility(child, 0))
    scored = " ".join(f"{move.upper()}:{value:+d};" for move, value in values.items())
    data = json.loads(program("suite", "othello", written(tmp_path, f"{ENDGAME} {scored}"), "--json").out)
    assert data["solved"] == 1
    worse = " ".join(f"{move.upper()}:{value - 2:+d};" for move, value in values.items())
    data = json.loads(program("suite", "othello", written(tmp_path, f"{ENDGAME} {worse}"), "--json").out)
    assert data["solved"] == 0


@pytest.mark.parametrize(
    ("game", "name", "count"),
    [
        ("chess", "chess/win_at_chess_test.epd", 300),
        ("chess", "chess/bratko_kopec_test.epd", 24),
        ("othello", "othello/fforum-1-19.obf", 19),
        ("othello", "othello/fforum-40-59.obf", 20),
        ("connect-four", "connect4/pons_Test_L1_R1.txt", 1000),
    ],
)
def test_the_suites_there_are(game: str, name: str, count: int) -> None:
    problems = read_suite(plies.game(game), oracle_path(name))
    assert len(problems) == count
    assert all(problem.best or problem.avoid or problem.score is not None for problem in problems)


def test_a_limit_leaves_bounds(tmp_path: Path) -> None:
    done = program("suite", "connect-four", written(tmp_path, "44 2"), "--nodes", "50")
    assert done.code == 0
    assert " NO " in done.out
    assert "from loss" in done.out


def test_ctrl_c_ends_the_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = suite.attempts

    def interrupting(*given: Any) -> Iterator[Any]:
        for number, attempt in enumerate(searched(*given)):
            if number == 1:
                with contextlib.suppress(KeyboardInterrupt):  # as a search does, which returns what it has
                    signal.raise_signal(signal.SIGINT)
            yield attempt

    monkeypatch.setattr(suite, "attempts", interrupting)
    done = program("suite", "chess", written(tmp_path, MATES), "--depth", "1")
    assert done.out.splitlines()[-1].endswith(" of 3; stopped")
    assert "1 of 1 solved" in done.out


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        ("nim", "3/4/5", "there are suites for chess, othello, connect-four, not for nim"),
        ("chess", "", "has no positions"),
        ("chess", "hello", "line 1 of"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 w - - bm Qa1;", "'Qa1' is not a legal move"),
        ("chess", "7k/5Q2/6K1/8/8/8/8 w - - bm Qg7;", "line 1 of"),
        ("othello", f"{ENDGAME} a1:+2;", "'a1' is not a legal move"),
        ("connect-four", "44 2\n4444444 1", "line 2 of"),
    ],
)
def test_refusals(tmp_path: Path, game: str, text: str, sentence: str) -> None:
    done = program("suite", game, written(tmp_path, text))
    assert (done.code, done.out) == (2, "")
    assert sentence in done.error
    assert done.error.count("\n") == 1


def test_no_file() -> None:
    assert "cannot be read: No such file" in program("suite", "chess", "none.epd").error
    assert "must be more than 0" in program("suite", "chess", "none.epd", "--time", "0").error
