"""The command `plies solve`: what it says, what it writes, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import plies
from plies import Strategy, verify
from plies.engine.result import rests_on
from test_cli import MINE, program

pytestmark = pytest.mark.plain


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return f"{file}:Count"


def test_the_value_and_a_move_that_attains_it() -> None:
    done = program("solve", "tic-tac-toe", "XX./OO./...", "--memory", "1")
    assert done.code == 0
    assert done.error == ""
    lines = done.out.splitlines()
    assert lines[:3] == ["tic-tac-toe, X to move", "value      win, proved", "best move  3"]
    assert lines[3].startswith("nodes      ")
    assert len(lines) == 4


def test_proof_number_search() -> None:
    done = program("solve", "tic-tac-toe", "XX./OO./...", "--algorithm", "proof-number", "--memory", "1")
    assert done.out.splitlines()[:3] == ["tic-tac-toe, X to move", "value      win, proved", "best move  3"]


def test_distance() -> None:
    done = program("solve", "tic-tac-toe", "XX./OO./...", "--distance", "--memory", "1")
    assert "\nvalue      win in 1, proved\n" in done.out


def test_json() -> None:
    done = program("solve", "tic-tac-toe", "--json", "--distance", "--memory", "1")
    found = json.loads(done.out)
    assert found.pop("nodes") > 0
    assert found.pop("seconds") > 0
    draw = {"utility": 0.0, "bound": "=", "proved": True, "plies": 0, "text": "draw"}
    action = found.pop("action")
    assert action in map(str, range(1, 10))
    assert found == {
        "game": "TicTacToe()",
        "player": "X",
        "solved": True,
        "value": draw,
        "low": draw,
        "high": draw,
        "reason": "",
        "rests_on": rests_on(plies.TicTacToe()),
    }


def test_bounds_when_limited() -> None:
    done = program("solve", "connect-four", "--nodes", "500", "--memory", "1")
    assert done.code == 3
    assert "\nvalue      from loss to win; the limit of 500 nodes was reached\n" in done.out
    assert "best move" not in done.out
    done = program("solve", "connect-four", "--time", "0.05", "--memory", "1", "--json")
    found = json.loads(done.out)
    assert found["solved"] is False
    assert found["value"] is None
    assert found["reason"] == "the limit of 0.05 seconds was reached"


def test_a_lower_bound_has_its_move() -> None:
    """The first branch is a leaf; the nodes do not reach to the others."""
    done = program("solve", "tree", "tree=[3, [4, 5], [9, 1]]", "--nodes", "2", "--memory", "1")
    assert done.out.splitlines()[1:3] == [
        "value      from win by 3 to win by 9; the limit of 2 nodes was reached",
        "move       a1, for at least the lower bound",
    ]


def test_a_strategy_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "strategy.json"
    done = program("solve", "tic-tac-toe", "--strategy", str(file), "--memory", "1")
    assert done.code == 0
    game = plies.TicTacToe()
    strategy = Strategy.load(file, game)
    assert strategy.player == 0
    assert verify(game, strategy)


def test_no_strategy_without_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "strategy.json"
    done = program("solve", "tic-tac-toe", "--nodes", "9", "--strategy", str(file), "--memory", "1")
    assert done.code == 2
    assert "from loss to win" in done.out
    assert done.error == (
        "plies: the value is not known: from loss to win; the limit of 9 nodes was reached\n"
    )
    assert not file.exists()


def test_a_game_of_ones_own(mine: str) -> None:
    assert "value      win in 3, proved\nbest move  next\n" in program("solve", mine, "--distance").out
    assert "value      loss, proved\n" in program("solve", mine, "next").out


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("solve", "GAME"),
        ("solve kriegspiel", "there is no game 'kriegspiel'"),
        (
            "solve pig --algorithm alpha-beta",
            "solving by search is for games without chance; Pig has chance nodes",
        ),
        ("solve nim --time 0", "the limit time must be above 0"),
        ("solve nim --time nan", "the limit time must be above 0"),
        ("solve nim --nodes 0", "the limit nodes must be above 0"),
        ("solve nim --memory 0", "the memory is a number of megabytes, above 0"),
        ("solve nim --memory lots", "--memory"),
        ("solve nim --depth 3", "--depth"),
        ("solve tic-tac-toe XXX/OO./...", "there is nothing to solve: the game is over"),
        ("solve nim --strategy /no/such/folder/file", "'/no/such/folder/file' cannot be written"),
    ],
)
def test_refusals(line: str, sentence: str) -> None:
    done = program(*line.split())
    assert done.code == 2
    assert done.out == ""
    assert done.error.startswith("plies: ")
    assert done.error.count("\n") == 1
    assert sentence in done.error


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter there")
def test_ctrl_c_keeps_the_bounds() -> None:
    """Interrupted once the proof is under way, which is when its thread is there."""
    code = (
        "import sys, threading, plies.cli, plies.engine.solve as s\n"
        "begin = threading.Thread.start\n"
        "def start(thread):\n"
        "    begin(thread)\n"
        "    print('begun', flush=True)\n"
        "threading.Thread.start = start\n"
        "sys.exit(plies.cli.run(['solve', 'connect-four', '--memory', '1']))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "\nvalue      from loss to win; it was interrupted\n" in out
    assert error == ""


def test_games_in_which_positions_come_up_again() -> None:
    """They are solved by way of all their states; the exit code says whether it is a proof."""
    done = program("solve", "examples/dodgem.py:Dodgem")
    assert done.code == 0
    assert done.out.splitlines()[:3] == [
        "dodgem, player 1 to move",
        "value      win in 19, proved",
        "best move  a3→",
    ]
    done = program("solve", "examples/dodgem.py:Dodgem", "--nodes", "100")
    assert done.code == 3
    assert "from loss to win; the limit of 100 nodes was reached" in done.out
    done = program("solve", "examples/mu_torere.py")
    assert "\nvalue      draw, proved\n" in done.out


def test_games_with_dice() -> None:
    done = program("solve", "pig", "target=6", "--json")
    found = json.loads(done.out)
    assert done.code == 3
    assert found["reason"] == "within 1e-09"
    assert 0 <= found["high"]["utility"] - found["low"]["utility"] <= 1e-9
    assert found["action"] == "roll"
