"""Learning: gradients by finite differences, runs that can be killed, and players that get better."""

from __future__ import annotations

import contextlib
import math
import os
import random
import signal
import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest

import plies
from plies import neural_network
from plies.compiled import interpreting
from plies.engine import Limit
from plies.learn import Network, NetworkTraining, WeightsTraining, load, resume, training
from plies.learn.td import describe, improve, trace
from plies.learn.td_leaf import judged
from plies.neural_network import output

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


@pytest.mark.costly
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
    tempo = 1 if game.to_move(state) == 0 else -1
    features = np.array([*game.features(state), tempo])
    assert judged(game, state, 0, training.work) == pytest.approx(math.tanh(features @ training.work.weights))
    assert training.work.rows[0].tolist() == features.tolist()
    assert len(training.weights) == len(features) - 1


@pytest.mark.parametrize("seed", [0, 1])
def test_open_lines_are_good_in_tic_tac_toe(seed):
    """They favour whoever has just moved: without a weight for the tempo, they came out as bad."""
    training = WeightsTraining(plies.TicTacToe(), games=10 * FEW, seed=seed)
    training.go(measured=False)
    assert training.weights[0] > 0.02


# -- They get better.


@pytest.mark.skipif(interpreting(), reason="takes thousands of games")
@pytest.mark.costly
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
    engines = [plies.AlphaBeta(one, memory=1), plies.AlphaBeta(two, memory=1)]
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
@pytest.mark.costly
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


@pytest.mark.long
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


@pytest.mark.parametrize("make", [small_network, small_weights])
@pytest.mark.long
def test_checkpoints_come_by_time_and_change_nothing(make, tmp_path, monkeypatch):
    path, saved = tmp_path / "run.npz", []
    monkeypatch.setattr(training, "CHECKPOINT", 0.005)
    whole, part = make(games=20 * FEW), make(games=20 * FEW)
    whole.go()
    keep = part.save
    monkeypatch.setattr(part, "save", lambda path: (saved.append(part.done), keep(path)))
    part.go(path)
    assert saved[0] == 0  # before the first game, so that a run can be resumed whenever it is killed
    assert saved[-1] == part.games
    assert len(saved) > 3
    for name in whole.kept:
        assert (getattr(part.work, name) == getattr(whole.work, name)).all()
    assert part.measures == whole.measures == resume(path, part.game).measures


def test_a_checkpoint_is_there_before_the_first_game(tmp_path):
    part, whole = small_weights(games=200), small_weights(games=200)
    part.stop()
    part.go(tmp_path / "run.npz")
    assert (part.done, part.measures) == (0, [])
    again = resume(tmp_path / "run.npz", part.game)
    again.go()
    whole.go()
    assert again.weights == whole.weights
    assert again.measures == whole.measures


def test_a_measurement_that_is_cut_short_is_made_again(tmp_path, monkeypatch):
    part, whole = small_weights(games=200), small_weights(games=200)
    contest = part._contest

    def cut_short(opponent, run):
        part.stop()
        contest(opponent, run)

    monkeypatch.setattr(part, "_contest", cut_short)
    part.go(tmp_path / "run.npz")
    assert (part.done, part.measures) == (100, [])
    again = resume(tmp_path / "run.npz", part.game)
    again.go()
    whole.go()
    assert again.measures == whole.measures


# -- Files and refusals.


def test_a_network_is_kept_in_a_file(tmp_path):
    made = small_network().neural_network
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
    small_network().neural_network.save(path)
    with pytest.raises(plies.PliesError, match="not a checkpoint"):
        resume(path, plies.Pig(target=20))
    with pytest.raises(plies.PliesError, match="cannot be written"):
        neural_network.save_arrays(tmp_path / "nowhere" / "net.npz", {})


def archive(path, **members):
    """Write an archive of members as they are given, byte for byte."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(f"{name}.npy", data)


def array(shape, descr="<f4", data=b"", order=False):
    """An array in NumPy's format that need not be what its header says."""
    header = repr({"descr": descr, "fortran_order": order, "shape": shape}).encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


HOSTILE = {
    "a shape without memory for it": array((10**15,)),
    "a shape of many numbers": array((1 << 40, 1 << 40)),
    "a negative shape": array((-1,), data=bytes(4)),
    "less than it says": array((3,), data=bytes(8)),
    "more than it says": array((1,), data=bytes(80)),
    "objects": array((1,), "|O", b"cos\nsystem\n(S'true'\ntR."),
    "records": array((1,), [("a", "<f4")], bytes(4)),
    "dates": array((1,), "<M8[s]", bytes(8)),
    "no type": array((1,), "nonsense", bytes(4)),
    "no header": b"\x93NUMPY\x01\x00\xff\xff",
    "a deep header": b"\x93NUMPY\x01\x00\x00\x20" + b"(" * 8192,
    "a header that is code": array("__import__('os').getpid()", data=bytes(4)),
    "another version": b"\x93NUMPY\x09\x00" + bytes(100),
    "not a number": array((1,), data=np.float32(np.nan).tobytes()),
    "nothing": b"",
}


@pytest.mark.plain
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_arrays(name, tmp_path):
    path = tmp_path / "net.npz"
    for member in ("inward", "about", "done"):
        archive(path, **{member: HOSTILE[name]})
        for read in (load, lambda path: resume(path, plies.Pig())):
            with pytest.raises(plies.PliesError) as refused:
                read(path)
            assert str(refused.value).count("\n") == 0
            assert len(str(refused.value)) < 400


@pytest.mark.plain
@pytest.mark.parametrize("change", [-4, -1, 1, 4])
def test_an_array_has_as_many_bytes_as_its_header_says(change, tmp_path):
    """All else is a network."""
    path = tmp_path / "net.npz"
    shapes = {"inward": (2, 3), "biases": (3,), "outward": (4,)}
    members = {name: array(shape, data=bytes(4 * math.prod(shape))) for name, shape in shapes.items()}
    archive(path, **members)
    assert load(path).inward.shape == (2, 3)
    for name, data in members.items():
        changed = data + bytes(change) if change > 0 else data[:change]
        archive(path, **members | {name: changed})
        with pytest.raises(plies.PliesError, match="not as large as it says"):
            load(path)


@pytest.mark.plain
def test_a_small_file_that_would_be_large(tmp_path):
    path = tmp_path / "net.npz"
    size = neural_network.LARGEST + 4
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("inward.npy", "w") as member:
        member.write(array((size // 4,)))
        for _ in range(256):
            member.write(bytes(1 << 20))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(plies.PliesError, match="more than 100 arrays, or more than 268,435,456 bytes"):
        load(path)
    archive(path, **{f"a{i}": array((1,), data=bytes(4)) for i in range(101)})
    with pytest.raises(plies.PliesError, match="more than 100 arrays"):
        load(path)


@pytest.mark.plain
def test_weights_that_are_too_large_for_a_network(tmp_path):
    path = tmp_path / "net.npz"
    np.savez(path, inward=np.full((2, 3), 1e300), biases=np.zeros(3), outward=np.zeros(4))
    with pytest.raises(plies.PliesError, match="its weights are too large"):
        load(path)


@pytest.mark.plain
def test_arrays_by_columns_and_of_other_types(tmp_path):
    path = tmp_path / "net.npz"
    inward = np.asfortranarray(np.arange(6.0).reshape(2, 3).astype(">f8"))
    np.savez(path, inward=inward, biases=np.zeros(3, np.int8), outward=np.ones(4, np.float16))
    found = load(path)
    assert (found.inward == inward).all()
    assert found.inward.dtype == found.biases.dtype == np.float32
    found.inward[0, 0] = 1  # it may be learned on


@pytest.mark.plain
def test_checkpoints_that_nobody_wrote(tmp_path):
    path = tmp_path / "run.npz"
    made = small_weights(games=200)
    made.save(path)
    arrays, about = neural_network.load_arrays(path)
    facts = neural_network.facts_of(about)
    changes = [
        ({}, {"games": "many"}),
        ({}, {"games": 0}),
        ({}, {"seed": [1]}),
        ({}, {"seed": "x" * 10**5}),
        ({}, {"depth": 10**9}),
        ({}, {"rate": None}),
        ({}, {"lambda": float("nan")}),
        ({}, {"unknown": 1}),
        ({}, {"kind": ["weights"]}),
        ({}, {"kind": "network"}),
        ({"done": np.array(10**6)}, {}),
        ({"done": np.array(-1)}, {}),
        ({"done": np.array([1, 2])}, {}),
        ({"random": np.array(2**64 - 1, np.uint64)}, {}),
        ({"measures": np.zeros(3)}, {}),
        ({"measures": np.zeros((1, 99))}, {}),
        ({"weights": np.zeros((1, 1, 1))}, {}),
    ]
    for new_arrays, new_facts in changes:
        neural_network.save_arrays(
            path, {**arrays, **new_arrays}, neural_network.described(**{**facts, **new_facts})
        )
        with pytest.raises(plies.PliesError):
            resume(path, made.game)
    neural_network.save_arrays(path, arrays, "[" * 100_000)
    with pytest.raises(plies.PliesError, match="not a checkpoint of a training"):
        resume(path, made.game)


@pytest.mark.plain
def test_a_damaged_file_is_refused_or_read(tmp_path):
    path, chance = tmp_path / "net.npz", random.Random(2)
    small_network().save(path)
    whole = path.read_bytes()
    for _ in range(300):
        place = chance.randrange(len(whole))
        path.write_bytes(
            whole[:place] + chance.randbytes(chance.randrange(4)) + whole[place + chance.randrange(4) :]
        )
        for read in (load, lambda path: resume(path, plies.Pig(target=20))):
            with contextlib.suppress(plies.PliesError):
                read(path)


@pytest.mark.plain
@pytest.mark.skipif(sys.platform == "win32", reason="no such devices")
def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    for path in (tmp_path / "pipe.npz", "/dev/zero", tmp_path):
        with pytest.raises(plies.PliesError, match="cannot be read: there is no such file"):
            load(path)


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


# -- Games of a constant sum.


class Halves(plies.TicTacToe):
    """Tic-Tac-Toe as a lecture has it: a win is worth 1, a loss 0, a draw a half."""

    total = 1
    bounds = (0, 1)

    def utility(self, state, player):
        return (super().utility(state, player) + 1) / 2

    def evaluate(self, state, player):
        return (super().evaluate(state, player) + 1) / 2


@pytest.mark.parametrize("kind", [NetworkTraining, WeightsTraining])
@pytest.mark.costly
def test_a_constant_sum_is_learned_as_a_sum_of_zero_is(kind):
    settings = {
        "games": 2 * FEW,
        "seed": 4,
        "random_moves": 0.1,
        **({"hidden": 3} if kind is NetworkTraining else {}),
    }
    plain, halves = kind(plies.TicTacToe(), **settings), kind(Halves(), **settings)
    plain.go(measured=False)
    halves.go(measured=False)
    for name in plain.kept:
        assert (getattr(plain.work, name) == getattr(halves.work, name)).all()
    of_plain, of_halves = plain.measure(40), halves.measure(40)
    for opponent, (mean, error) in of_plain.points.items():
        assert of_halves.points[opponent] == pytest.approx(((mean + 1) / 2, error / 2))
    if kind is WeightsTraining:
        assert halves.weights == pytest.approx([weight / 2 for weight in plain.weights])


@pytest.mark.plain
def test_features_that_are_no_numbers_end_a_run():
    class Lost(plies.TicTacToe):
        compiled = False

        def features(self, state):
            return (math.nan,)

    with pytest.raises(plies.PliesError, match="after 100 games the weights are no longer finite"):
        WeightsTraining(Lost(), games=200, opening=0).go(measured=False)
