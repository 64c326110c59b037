"""The command `plies train`: what it says, what it writes, how it goes on, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import plies
from plies.learn import WeightsTraining, load, resume
from test_cli import program

pytestmark = pytest.mark.plain

RUN = ("train", "tic-tac-toe", "--games", "200", "--seed", "3")
FEW = mock.patch.object(WeightsTraining.measure, "__defaults__", (40,))
"""So many games tell how strong a learner is: enough for what is tested here."""


@pytest.fixture(autouse=True)
def few_games():
    with FEW:
        yield


def test_it_tells_what_was_learned() -> None:
    done = program(*RUN)
    assert (done.code, done.error) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == (
        "tic-tac-toe: weights of features (--games, --depth and --parts are for it), 200 games of self-play, "
        "seed 3"
    )
    assert lines[1].startswith("points     ")
    assert " a game against random play, standard error " in lines[1]
    assert " a game against the game's evaluation, standard error " in lines[2]
    assert lines[3].endswith("  open lines")
    assert len(lines) == 5
    name, _, weights = lines[4].partition("=")
    assert name == "weights"
    assert len(weights.split(",")) == len(plies.TicTacToe.feature_names)
    assert program("games", "tic-tac-toe").code == 0
    assert program("play", "tic-tac-toe", lines[4], "--players", "book:minimax:1,random:1").code == 0


def test_json() -> None:
    found = json.loads(program(*RUN, "--json").out)
    assert (found["game"], found["games"], found["seed"]) == ("TicTacToe()", 200, 3)
    assert [one["games"] for one in found["measures"]] == [100, 200]
    for one in found["measures"]:
        for opponent in ("random", "evaluation"):
            mean, error = one[opponent]
            assert -1 <= mean <= 1
            assert 0 <= error < 0.2
    assert len(found["weights"]) == 1
    again = json.loads(program(*RUN, "--json").out)
    assert again == found
    other = json.loads(program(*RUN[:-1], "4", "--json").out)
    assert other["weights"] != found["weights"]


def test_a_run_is_saved_not_written_over_and_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    whole = json.loads(program(*RUN, "--json").out)
    done = program(*RUN, "--out", str(file))
    assert done.code == 0
    assert done.out.splitlines()[-1] == f"saved to   {file}"
    before = file.read_bytes()
    refused = program(*RUN, "--out", str(file))
    assert refused.code == 2
    assert refused.error == f"plies: {str(file)!r} already exists: --resume continues it\n"
    assert file.read_bytes() == before
    training = resume(file, plies.TicTacToe())
    assert (training.done, training.games) == (200, 200)
    assert isinstance(training, WeightsTraining)
    assert training.weights == whole["weights"]
    again = json.loads(program("train", "tic-tac-toe", "--out", str(file), "--resume", "--json").out)
    assert again == whole  # it was over, and is read anew


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    part = WeightsTraining(plies.TicTacToe(), games=200, rate=0.01, seed=3)
    part.go(file, progress=lambda training: training.stop())
    assert part.done == 100
    done = program("train", "tic-tac-toe", "--out", str(file), "--resume", "--json")
    assert json.loads(done.out) == json.loads(program(*RUN, "--json").out)
    assert resume(file, plies.TicTacToe()).done == 200


def test_a_run_that_was_killed_before_its_first_checkpoint_begins_anew(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    done = program(*RUN, "--out", str(file), "--resume")
    assert (done.code, done.error) == (0, "")
    note, *told = done.out.splitlines()
    assert note == f"There is no checkpoint {str(file)!r} yet: starting a new run."
    assert told[:-1] == program(*RUN).out.splitlines()
    assert resume(file, plies.TicTacToe()).done == 200


def test_a_network(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    options = ("--hidden", "3", "--games", "20")
    done = program("train", "pig", "target=20", *options, "--out", str(file))
    assert (done.code, done.error) == (0, "")
    assert "weight" not in done.out
    first = load(file)
    assert first.inward.shape == (1, 3)
    then = tmp_path / "then.npz"
    gone_on = ("--start", str(file), "--games", "20", "--rate", "0", "--out", str(then))
    assert program("train", "pig", "target=20", *gone_on).code == 0
    assert np.array_equal(load(then).inward, first.inward)  # at rate 0 nothing is learned
    refused = program("train", "pig", "target=20", "--start", str(file), "--hidden", "3")
    assert refused.code == 2
    assert "leave out --hidden" in refused.error


def test_the_learning_curve_is_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "curve.svg"
    assert program(*RUN, "--curve", str(file)).code == 0
    text = file.read_text(encoding="utf-8")
    assert "<svg" in text[:1000]
    assert text.rstrip().endswith("</svg>")
    refused = program(*RUN, "--curve", str(tmp_path / "curve.txt.zip"))
    assert (refused.code, refused.error.count("\n")) == (2, 1)
    assert "a plot is written to a file that ends in .svg or .png or .pdf" in refused.error


def test_without_matplotlib_nobody_waits_for_a_curve(tmp_path: Path) -> None:
    with mock.patch.dict("sys.modules", {"matplotlib": None}):
        done = program(*RUN, "--curve", str(tmp_path / "curve.svg"))
    assert (done.code, done.out) == (2, "")
    assert "pip install 'plies[plots]'" in done.error


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--games", "0"), "games must be 1 or more, not 0"),
        (("--rate", "2"), "rate must be between 0 and 1, not 2.0"),
        (("--rate", "nan"), "rate must be between 0 and 1, not nan"),
        (("--lambda", "-1"), "lambda must be between 0 and 1, not -1.0"),
        (("--random-moves", "1.5"), "random moves must be between 0 and 1, not 1.5"),
        (("--depth", "0"), "depth must be between 1 and 20, not 0"),
        (("--hidden", "0"), "hidden must be between 1 and 10,000 units, not 0"),
        (("--games", "many"), "Invalid value for '--games'"),
        (("--out", "nowhere/run.npz"), "'nowhere/run.npz' cannot be written: there is no folder 'nowhere'"),
        (("--curve", "nowhere/run.svg"), "'nowhere/run.svg' cannot be written: there is no folder 'nowhere'"),
        (("--resume",), "--resume needs --out FILE, the run to resume"),
        (("--start", "nothing.npz"), "'nothing.npz' cannot be read"),
    ],
)
def test_what_it_refuses(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = program("train", "tic-tac-toe", "--kind", "weights", *words)
    assert (done.code, done.out) == (2, "")
    assert done.error.startswith("plies: ")
    assert done.error.count("\n") == 1
    assert sentence in done.error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("peg-solitaire", "learning is for two players against each other; PegSolitaire is not"),
        ("tree", "tree has nothing to learn from: give it planes()"),
        ("bridge", "there is no game"),
    ],
)
def test_games_it_refuses(game: str, sentence: str) -> None:
    done = program("train", game)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.error


def test_another_games_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    assert program(*RUN, "--out", str(file)).code == 0
    done = program("train", "pig", "target=20", "--out", str(file), "--resume")
    assert done.code == 2
    assert "is a checkpoint of another game, not of Pig(target=20)" in done.error


@pytest.mark.plain
def test_a_run_is_resumed_with_its_own_settings(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    words = ["train", "tic-tac-toe", "--kind", "weights", "--out", str(file)]
    WeightsTraining(plies.TicTacToe(), games=2, seed=3, rate=0.01, random_moves=0.05).save(file)
    before = file.read_bytes()
    for options, sentence in (
        (["--games", "4"], "games 2, not 4"),
        (["--games", "2", "--seed", "0"], "seed 3, not 0"),
        (["--parts", "2"], "parts 1, not 2"),
        (["--kind", "td"], "kind weights, not td"),
    ):
        done = program(*words, *options, "--resume")
        assert (done.code, done.out) == (2, "")
        assert f"run.npz' was begun with {sentence}: go on with the settings" in done.error
    assert file.read_bytes() == before
