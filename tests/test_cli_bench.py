"""`plies bench`: what is measured, and that each figure is of what it says."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.benchmark import EVALUATE, KEY, LEAVES, MEANINGS, POSITIONS, benchmark, walk
from plies.compiled import interpreting
from programs import Terminal, interactive
from test_cli import MINE, program

FORMS = {"interpreted"} if interpreting() else {"compiled", "interpreted"}


@pytest.mark.long
def test_a_walk_does_what_is_asked_for() -> None:
    game = plies.TicTacToe()
    state = game.initial()
    assert walk(game, state, 9, POSITIONS) == 549_946
    assert (
        walk(game, state, 6, LEAVES) == 54_720 - 5_328
    )  # X has won in so many, with the sixth ply or before
    children = [game.result(state, action) for action in game.actions(state)]
    assert walk(game, state, 1, EVALUATE) == sum(
        game.evaluate(child, game.to_move(child)) for child in children
    )
    assert walk(game, state, 1, KEY) == sum(game.key(child) & 1 for child in children)


def test_every_figure_compiled_and_interpreted() -> None:
    done = program("bench", "tic-tac-toe", "--time", "0.01", "--json")
    assert (done.code, done.error) == (0, "")
    data = json.loads(done.out)
    assert data.keys() - FORMS == {"game", "why_not_compiled", "stopped"}
    for form in FORMS:
        assert data[form].keys() == MEANINGS.keys()
        for what in ("rules", "search", "search without table"):
            rate = data[form][what]
            assert rate["per_second"] == pytest.approx(1 / rate["seconds"])
    assert data["interpreted"]["search"]["run"].startswith("alpha-beta, ")


def test_the_table_says_what_each_figure_is() -> None:
    out = program("bench", "tic-tac-toe", "--time", "0.01").out
    assert out.startswith("TicTacToe(")
    for what, meaning in MEANINGS.items():
        assert f"\n{what}: {meaning}\n" in out


@pytest.mark.plain
def test_a_game_without_evaluation_that_does_not_compile(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    data = json.loads(program("bench", f"{file}:Count", "--time", "0.01", "--json").out)
    assert "compiled" not in data
    assert data["why_not_compiled"]
    assert "evaluate" not in data["interpreted"]
    assert data["interpreted"]["rules"]["run"] == "depth 2, 3 positions"  # at 3 it is over


class Slow(plies.TicTacToe):
    compiled = False

    def evaluate(self, state: Any, player: int) -> float:
        time.sleep(0.01)
        return 0.0


@pytest.mark.plain
def test_a_slow_evaluation_is_asked_about_fewer_leaves() -> None:
    rates = benchmark(Slow(), seconds=0.03).rates["interpreted"]
    assert rates["evaluate"].detail == "at 9 leaves"
    assert rates["evaluate"].seconds >= 0.009


@pytest.mark.plain
def test_dice_are_rolled_until_somebody_decides() -> None:
    result = benchmark(plies.Backgammon(), seconds=0.001)
    assert result.rates["interpreted"]["search"].detail.startswith("expectiminimax")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("bench nim --time 0", "--time must be more than 0"),
        ("bench tic-tac-toe XXX/OO./...", "there is nothing to measure: the game is over"),
        ("bench kriegspiel", "there is no game 'kriegspiel'"),
    ],
)
def test_refusals(line: str, sentence: str) -> None:
    done = program(*line.split())
    assert (done.code, done.out) == (2, "")
    assert done.error.count("\n") == 1
    assert sentence in done.error


@interactive
@pytest.mark.plain
def test_ctrl_c_keeps_what_was_measured() -> None:
    with Terminal("bench", "tic-tac-toe", "--time", "60", NUMBA_DISABLE_JIT="1") as terminal:
        terminal.expect("interpreted … (Ctrl-C stops)")
        terminal.press_until(b"\x03", "Stopped before everything was measured.")
        assert terminal.ends() == 0
