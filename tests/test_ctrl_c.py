"""Ctrl-C in commands that take long: what was found so far is kept and told."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import plies
from plies import comparison
from plies.comparison import run
from plies.learn import resume
from programs import PATIENCE, PROGRAM, UNTRACED

pytestmark = [
    pytest.mark.plain,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has another Ctrl-C"),
]


class Slow(plies.Game):
    """A game without end in sight, each rule of which takes a while, that tells when it is searched."""

    compiled = False
    bounds = (-1000, 1000)
    feature_names = ("lead",)

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        return [1, 2, 3]

    def result(self, state, action):
        if state[1] == 3:
            print("deep", file=__import__("sys").stderr, flush=True)
        __import__("time").sleep(0.001)
        return (state[0] + (action if state[1] % 2 else -action), state[1] + 1)

    def is_terminal(self, state):
        return state[1] >= 300

    def utility(self, state, player):
        return state[0] if player == 0 else -state[0]

    def evaluate(self, state, player):
        return state[0] / 2 if player == 0 else -state[0] / 2

    def features(self, state):
        return (float(state[0]),)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> str:
    source = Path(__file__).read_text(encoding="utf-8")
    text = source[source.index("class Slow") : source.index("@pytest.fixture")]
    path = tmp_path_factory.mktemp("slow") / "slow.py"
    path.write_text(f"import plies\n\n{text}", encoding="utf-8")
    return f"{path}:Slow"


def interrupted(*words: str) -> tuple[int, str]:
    """The exit code and the output of a command that gets Ctrl-C once a game is searched deep."""
    with subprocess.Popen(
        [*PROGRAM, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**UNTRACED, "NUMBA_DISABLE_JIT": "1"},
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line == "deep\n":
                break
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in error
    return process.returncode, out


def test_best(slow: str) -> None:
    code, out = interrupted("best", slow, "--time", "1000")
    assert code == 0
    assert re.search(r"^best move  [123]$", out, re.MULTILINE)
    code, out = interrupted("best", slow, "--time", "1000", "--json", "--lines", "3")
    assert code == 0
    assert json.loads(out)["depth"] >= 1


def test_draw_with_scores(slow: str) -> None:
    code, out = interrupted("draw", slow, "--scores", "--time", "1000")
    assert code == 0
    assert out.startswith("<svg")


def test_solve(slow: str) -> None:
    code, out = interrupted("solve", slow)
    assert code == 3  # bounds, not a proof
    assert "it was interrupted" in out


def test_match(slow: str, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    code, out = interrupted("match", slow, "random", "book:minimax:1", "--games", "1000", "--save", str(file))
    assert code == 0
    assert re.search(r"^games      \d+ of 1000;", out, re.MULTILINE)
    assert file.read_text().endswith("\n")


def test_train(slow: str, tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    begun = time.monotonic()
    code, out = interrupted("train", slow, "--games", "1000000", "--out", str(file))
    assert time.monotonic() - begun < PATIENCE / 2  # no measurement of hundreds of slow games
    assert code == 0
    assert re.search(r"^slow: .* \d+ of 1,000,000 games of self-play", out)
    assert f"saved to   {file}" in out
    assert file.stat().st_size > 0


def test_watch(slow: str) -> None:
    code, out = interrupted("watch", slow, "--players", "book:minimax:4,random")
    assert code == 0
    assert out.endswith("Goodbye.\n")


def test_compare(slow: str) -> None:
    code, out = interrupted(
        "compare", slow, "--limit", "100000000", "--algorithms", "book:alpha-beta,book:minimax"
    )
    assert code == 0
    assert re.search(r"^book:alpha-beta +gave up", out, re.MULTILINE)
    assert "Stopped by Ctrl-C. 1 gave up." in out
    assert "minimax" not in out


def test_compare_keeps_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    game, rows = plies.TicTacToe(), []
    book = run._book

    def interrupt(label: str, *rest: Any) -> comparison.Effort:
        rows.append(label)
        if label == "book:alpha-beta":
            signal.raise_signal(signal.SIGINT)
        return book(label, *rest)

    monkeypatch.setattr(run, "_book", interrupt)
    found = plies.compare(game, depth=3, algorithms=["book:minimax", "book:alpha-beta", "book:minimax"])
    assert [row.algorithm for row in found.rows] == ["book:minimax"]
    assert rows == ["book:minimax", "book:alpha-beta"]
    assert found.stopped
    assert found.data()["stopped"]
    assert str(found).endswith("Stopped by Ctrl-C. There is nothing to compare.")
    monkeypatch.undo()
    assert not plies.compare(game, depth=1).stopped


def test_a_ctrl_c_that_nothing_could_raise_comes_again() -> None:
    code = """
import sys, time
from plies.cli import program

class Lost:
    def __del__(self):
        raise KeyboardInterrupt  # as in a callback from C: Python can only report it

def run(arguments):
    try:
        lost = Lost()
        del lost
        for _ in range(300):
            time.sleep(0.1)
    except KeyboardInterrupt:
        return 130
    return 1

program.run = run
program.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (130, b"")


def test_a_run_that_was_interrupted_can_be_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    words = ("train", "tic-tac-toe", "--games", "1000000", "--out", str(file))
    with subprocess.Popen(
        [*PROGRAM, *words], stdout=subprocess.PIPE, env={**UNTRACED, "NUMBA_DISABLE_JIT": "1"}
    ) as process:
        for _ in range(int(PATIENCE * 20)):
            if file.exists():
                break
            time.sleep(0.05)
        process.kill()  # before any measurement, and well before a twentieth of the run
        process.wait()
    assert resume(file, plies.TicTacToe()).games == 1_000_000
