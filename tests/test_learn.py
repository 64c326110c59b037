"""Learning: gradients by finite differences, runs that can be killed, and players that get better."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import plies
from plies import network
from plies.compiled import interpreting
from plies.engine import Limit
from plies.learn import Network, NetworkTraining, WeightsTraining, load, resume
from plies.learn.td import describe, improve, trace
from plies.learn.td_leaf import judged
from plies.network import output

FEW = 20 if interpreting() else 300


def small_network(seed=0, **options):
    return NetworkTraining(plies.Pig(target=20), hidden=3, seed=seed, **{"games": 5 * FEW, **options})


def small_weights(seed=0, **options):
    return WeightsTraining(plies.TicTacToe(), seed=seed, **{"games": 5 * FEW, "rate": 0.05, **options})


# -- The mathematics.


def test_the_output_is_what_the_book_says():
    generator = np.random.default_rng(3)
    inward, biases = generator.normal(size=(4, 3)), generator.normal(size=3)
    outward, inputs = generator.normal(size=4), np.array([1.0, 0.0, -2.0, 0.5])
    hidden = inputs @ inward + biases
    hidden = hidden / (1 + abs(hidden))
    expected = math.tanh(hidden @ outward[:3] + outward[3])
    assert output(inputs, biases.copy(), inward, outward) == pytest.approx(expected)
    assert Network(inward, biases, outward).value(inputs) == pytest.approx(expected)


def test_traces_are_gradients():
    training = small_network()
    work, game = training.work, training.game
    state = game.parse_position("4/8 1+3")

    def value():
        describe(game, state, 0, work)
        return output(work.inputs, work.hidden, work.inward, work.outward)

    known = value()
    trace(known, 0.0, work)
    for name in ("inward", "biases", "outward"):
        weights = getattr(work, name)
        gradient = getattr(work, {"biases": "bias_trace"}.get(name, f"{name}_trace")).copy()
        for place in np.ndindex(weights.shape):
            before = weights[place]
            weights[place] = before + 1e-2
            above = value()
            weights[place] = before - 1e-2
            below = value()
            weights[place] = before
            assert gradient[place] == pytest.approx((above - below) / 2e-2, abs=2e-3)


def test_traces_fade_and_change_sign():
    training = small_network()
    work, game = training.work, training.game
    describe(game, game.parse_position("4/8 1+3"), 0, work)
    known = output(work.inputs, work.hidden, work.inward, work.outward)
    trace(known, 0.0, work)
    first = work.inward_trace.copy()
    describe(game, game.parse_position("4/8 2+3"), 1, work)
    known = output(work.inputs, work.hidden, work.inward, work.outward)
    trace(known, -0.5, work)
    both = work.inward_trace.copy()
    trace_alone = both + 0.5 * first
    work.inward_trace[:] = 0
    trace(known, 0.0, work)
    assert np.allclose(work.inward_trace, trace_alone, atol=1e-6)
    before = work.inward.copy()
    improve(0.1, work)
    assert np.allclose(work.inward, before + 0.1 * work.inward_trace, atol=1e-6)


def test_weights_judge_by_features():
    training = small_weights()
    training.work.weights[:] = range(1, len(training.work.weights) + 1)
    game = training.game
    state = game.parse_position("5 1 9")
    features = np.array(game.features(state))
    assert judged(game, state, 0, training.work) == pytest.approx(math.tanh(features @ training.work.weights))
    assert training.work.rows[0].tolist() == features.tolist()


# -- They get better.


@pytest.mark.skipif(interpreting(), reason="takes thousands of games")
def test_a_network_learns_tic_tac_toe():
    training = NetworkTraining(plies.TicTacToe(), hidden=8, games=5000, random_moves=0.1, seed=2)
    before, _ = training.measure().points["random"]
    training.go(measured=False)
    after, error = training.measure().points["random"]
    assert after > before + 4 * error


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="takes thousands of games")
def test_td_leaf_beats_the_weights_that_were_set_by_hand():
    hand = plies.Othello()
    training = WeightsTraining(plies.Othello(), games=4000, depth=1, seed=1)
    training.go(measured=False)
    learned = plies.Othello(weights=training.weights)
    points = contest(learned, hand, games=20, depth=2, seed=5)
    assert points > 0


def contest(one, two, games, depth, seed):
    """The mean utility to the first of two evaluations of a game, from both sides of the same openings."""
    engines = [plies.Engine(one, memory=1), plies.Engine(two, memory=1)]
    chance, total = random.Random(seed), 0.0
    for _ in range(games // 2):
        opening = one.initial()
        for _ in range(8):
            opening = one.result(opening, chance.choice(list(one.actions(opening))))
        for seat in range(2):
            state = opening
            while not one.is_terminal(state):
                engine = engines[0 if one.to_move(state) == seat else 1]
                state = one.result(state, engine.search(state, Limit(depth=depth)).action)
            total += one.utility(state, seat)
    return total / games


# -- Runs that go on.


@pytest.mark.parametrize("make", [small_network, small_weights])
def test_a_run_that_was_stopped_ends_as_one_that_was_not(make, tmp_path):
    whole = make()
    whole.go(measured=False)
    part = make()
    stop_at = random.Random(1).randrange(1, whole.games // 100 + 1) * 100

    def stop(training):
        if training.done >= stop_at:
            training.stop()

    part.go(tmp_path / "run.npz", progress=stop, measured=False)
    again = resume(tmp_path / "run.npz", make().game)
    assert again.done == part.done
    again.go(tmp_path / "run.npz", measured=False)
    for name in whole.kept:
        assert (getattr(again.work, name) == getattr(whole.work, name)).all()
    other = make(seed=1)
    other.go(measured=False)
    assert any((getattr(other.work, name) != getattr(whole.work, name)).any() for name in whole.kept)


RUN = """
import sys
from pathlib import Path
import plies
from plies.learn import NetworkTraining, resume
game, path = plies.Pig(target=20), Path(sys.argv[1])
training = resume(path, game) if path.exists() else NetworkTraining(game, hidden=3, games={games})
training.go(path, measured=False)
"""


def test_a_run_that_was_killed_ends_as_one_that_was_not(tmp_path):
    games = 600 if interpreting() else 60_000
    program, path = RUN.format(games=games), tmp_path / "run.npz"
    whole = small_network(games=games)
    whole.go(measured=False)
    chance = random.Random(7)
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", program, str(path)])
        time.sleep(chance.uniform(1.0, 2.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not path.exists() or resume(path, whole.game).done <= games
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    ended = resume(path, whole.game)
    assert ended.done == games
    for name in whole.kept:
        assert (getattr(ended.work, name) == getattr(whole.work, name)).all()


def test_measures_are_kept(tmp_path):
    training = small_weights(games=400)
    training.go(tmp_path / "run.npz")
    again = resume(tmp_path / "run.npz", training.game)
    assert again.measures == training.measures
    assert [measure.games for measure in again.measures] == [100, 200, 300, 400]
    mean, error = again.measures[-1].points["random"]
    assert -1 <= mean <= 1
    assert 0 <= error < 0.1


# -- Files and refusals.


def test_a_network_is_kept_in_a_file(tmp_path):
    made = small_network().network
    made.save(tmp_path / "net.npz")
    found = load(tmp_path / "net.npz")
    assert (found.inward == made.inward).all()
    assert (found.outward == made.outward).all()
    assert found.about == made.about
    assert "Pig" in made.about


def test_files_that_hold_no_network(tmp_path):
    path = tmp_path / "net.npz"
    with pytest.raises(plies.PliesError, match="cannot be read"):
        load(path)
    chance = random.Random(5)
    for _ in range(20):
        path.write_bytes(chance.randbytes(chance.randrange(200)))
        with pytest.raises(plies.PliesError):
            load(path)
        with pytest.raises(plies.PliesError):
            resume(path, plies.Pig())
    np.savez(path, inward=np.zeros((2, 3)), biases=np.zeros(3), outward=np.zeros(3))
    with pytest.raises(plies.PliesError, match="fit together"):
        load(path)
    np.savez(path, inward=np.zeros((2, 3)), biases=np.zeros(3))
    with pytest.raises(plies.PliesError, match="'outward' is missing"):
        load(path)
    np.savez(path, inward=np.full((2, 3), np.nan), biases=np.zeros(3), outward=np.zeros(4))
    with pytest.raises(plies.PliesError, match="finite"):
        load(path)
    np.savez(path, inward=np.array([{"a": 1}], object))
    with pytest.raises(plies.PliesError, match="holds no network"):
        load(path)
    small_network().save(path)
    with pytest.raises(plies.PliesError, match="another game"):
        resume(path, plies.Pig(target=30))
    small_network().network.save(path)
    with pytest.raises(plies.PliesError, match="no checkpoint"):
        resume(path, plies.Pig(target=20))
    with pytest.raises(plies.PliesError, match="cannot be written"):
        network.save_arrays(tmp_path / "nowhere" / "net.npz", {})


def test_what_training_refuses():
    with pytest.raises(plies.Unsuitable, match="two players"):
        NetworkTraining(plies.PegSolitaire())
    with pytest.raises(plies.Unsuitable, match="no features"):
        WeightsTraining(plies.SumToTwo())
    pig = plies.Pig(target=20)
    for name, bad in {"games": 0, "rate": 2, "lambda_": -1, "hidden": 0, "random_moves": math.nan}.items():
        with pytest.raises(plies.BadParameter):
            NetworkTraining(pig, **{name: bad})
    for name, bad in {"depth": 0, "opening": -1}.items():
        with pytest.raises(plies.BadParameter):
            WeightsTraining(pig, **{name: bad})
