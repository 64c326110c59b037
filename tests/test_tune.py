"""`plies tune`: what is tried, what is accepted, how it goes on, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.arena import Match
from plies.engine import Options
from plies.tune import (
    Scale,
    Tuning,
    fitted_probcut,
    measure,
    measured_scale,
    trials_for,
    tuning,
    weights,
    with_weights,
)
from test_cli import program

pytestmark = pytest.mark.plain

RUN = ("tune", "tic-tac-toe", "--games", "2", "--limit", "nodes=100", "--openings", "2")


def test_every_trial_is_an_option_that_there_is() -> None:
    accepted: dict[str, Any] = {}
    rows = (4.0, 2.0, 1.0, 0.0, 0.1)
    for game in (plies.Chess(), plies.Othello(), plies.TicTacToe()):
        accepted.clear()
        for trial in trials_for(game, Scale(0.02, 100), accepted.copy, lambda: rows):
            accepted.update(trial.changes)
            Options(**accepted)
        assert "reverse_futility" in accepted
        assert ("null_move" in accepted) == game.has("null_move")
        assert ("delta" in accepted) == (game.has("noisy") and not game.forcing)


def test_a_game_without_an_evaluation_has_no_margins() -> None:
    tried = {name for trial in trials_for(plies.Nim(), Scale(0, 9), dict, tuple) for name in trial.changes}
    assert not tried & {"reverse_futility", "futility", "late_moves", "multi_probcut", "evaluation_table"}
    assert "reductions" in tried


@pytest.mark.long
def test_it_ends_in_a_line_to_paste() -> None:
    done = program(*RUN)
    assert (done.code, done.error) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("late move reductions")
    assert lines[-1] == "refinements = {}"  # two games decide nothing
    found = json.loads(program(*RUN, "--json").out)
    assert found["refinements"] == {}
    assert [one["accepted"] for one in found["outcomes"]] == [False] * (len(lines) - 2)


def test_what_is_accepted_is_kept_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "accepted", property(lambda match: tuning.HYPOTHESES[1]))
    game = plies.TicTacToe()
    run = Tuning(game, limit="nodes=50", games=2, openings=2, folder=tmp_path)
    outcomes = list(run.run())
    assert all(one.accepted for one in outcomes)
    assert plies.tuned(tmp_path / "refinements.json") == run.options
    assert run.options["reductions"] is True
    Options(**run.options)
    monkeypatch.setattr(tuning, "match", None)  # nothing is played again
    again = Tuning(game, limit="nodes=50", games=2, openings=2, folder=tmp_path)
    assert list(again.run()) == outcomes
    with pytest.raises(plies.PliesError, match="was begun with limit nodes=50, not nodes=60: go on"):
        Tuning(game, limit="nodes=60", games=2, openings=2, folder=tmp_path)


@pytest.mark.long
def test_an_interrupted_tuning_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, settings = plies.TicTacToe(), {"limit": "nodes=50", "games": 2, "openings": 2}
    whole = list(Tuning(game, **settings).run())  # type: ignore[arg-type]
    play = tuning.match
    count = iter(range(100))

    def interrupted(*args: Any, **named: Any) -> Match:
        found = play(*args, **named)
        if next(count) == 2:
            found.ended = "interrupted"
        return found

    monkeypatch.setattr(tuning, "match", interrupted)
    first = Tuning(game, folder=tmp_path, **settings)  # type: ignore[arg-type]
    assert list(first.run()) == whole[:2]
    assert first.interrupted
    second = Tuning(game, folder=tmp_path, **settings)  # type: ignore[arg-type]
    assert list(second.run()) == whole
    assert not second.interrupted


def test_the_scale_is_that_of_the_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "GAMES", 3)
    monkeypatch.setattr(measure, "NODES", 50)
    small = measured_scale(plies.ConnectFour(width=5, height=4))
    assert 0 < small.swing < 1
    assert small.positions > 5
    assert measured_scale(plies.Nim()).swing == 0


def test_probcut_is_a_straight_line_through_both_depths() -> None:
    x = np.linspace(-1, 1, 101)
    noise = np.where(np.arange(101) % 2, 0.1, -0.1)
    slope, intercept, deviation = measure._line(np.column_stack([x, 0.8 * x + 0.05 + noise]))
    assert slope == pytest.approx(0.8, abs=0.01)
    assert intercept == pytest.approx(0.05, abs=0.01)
    assert deviation == pytest.approx(0.1, abs=0.005)


def test_too_few_positions_fit_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "PAIRS", ((3, 1),))
    monkeypatch.setattr(measure, "NODES", 20)
    assert fitted_probcut(plies.Nim(heaps=(1, 2)), Options()) == ()


def test_weights_that_predict_results() -> None:
    """By logistic regression: the weights that results were drawn with, and the pull to the old is slight."""
    chance = np.random.default_rng(1)
    rows, true = chance.normal(size=(20_000, 3)), np.array([1.0, -2.0, 0.5])
    results = (chance.random(20_000) < 1 / (1 + np.exp(-rows @ true))).astype(float)
    assert weights._fitted(rows, results, np.zeros(3)) == pytest.approx(true, abs=0.1)
    assert weights._scale(rows @ true * 7, results) == pytest.approx(1 / 7, rel=0.1)
    entropies = [weights._entropy(rows @ true * factor, results) for factor in (0.5, 1, 2)]
    assert entropies[1] == min(entropies)


@pytest.mark.long
def test_weights_are_learned_from_self_play_and_played() -> None:
    done = program(
        *("tune", "connect-four", "width=5", "height=4", "--weights", "10", "--limit", "nodes=30"),
        *("--games", "2", "--jobs", "2"),
    )
    assert (done.code, done.error) == (0, "")
    lines = done.out.splitlines()
    assert "games of self-play" in lines[0]
    assert lines[-1].startswith("weights=")
    assert program("tune", "nim", "--weights", "10").code != 0
    assert "give --units" in program("tune", "tic-tac-toe", "--weights", "10", "--save", "x").error


def test_another_game_with_other_weights() -> None:
    weights = [0.5, 1, 2, 3, 4, 5, 6]
    game = with_weights(plies.ConnectFour(width=5, height=4), weights)
    assert (game.width, game.height, list(game.weights)) == (5, 4, weights)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("tune", "tic-tac-toe", "--games", "1"), "2 games or more"),
        (("tune", "go"), "only refinements of alpha-beta"),
        (("tune", "tic-tac-toe", "--limit", "nodes=x"), "nodes"),
    ],
)
def test_what_it_refuses(words: tuple[str, ...], sentence: str) -> None:
    done = program(*words)
    assert done.code != 0
    assert sentence in done.error


@pytest.mark.parametrize("text", ["", "[]", "{", '{"reductions": null}'])
def test_a_file_that_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "refinements.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(plies.PliesError, match=r"refinements\.json"):
        plies.tuned(path)
