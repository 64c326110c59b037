"""Networks in the search, learned by self-play: gradients, games, and runs that were killed."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.compiled import interpreting
from plies.inputs import inputs_of
from plies.learn import generations, network_units
from plies.learn.generations import Generations
from plies.learn.models import NetworkModel, blank
from plies.learn.players import GamePlayer
from plies.learn.positions import Positions
from plies.learn.trainer import NoGame, Trainer, add_gradient
from plies.network import Network
from plies.neural_network import load_arrays, save_arrays
from plies.work.run import Where
from test_cli import program

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from breakthrough import Breakthrough

EXAMPLE = Path(__file__).parent.parent / "examples" / "breakthrough.py"


def random_positions(count: int, rows: int) -> Positions:
    chance = np.random.default_rng(3)
    views = [chance.choice(rows, chance.integers(1, 6), replace=False) for _ in range(2 * count)]
    starts = np.concatenate([[0], np.cumsum([len(view) for view in views])])
    results = chance.choice([-1.0, 0.0, 1.0], count)
    inputs = np.concatenate(views).astype(np.uint16)
    return Positions(
        inputs, starts, chance.uniform(-0.9, 0.9, count), results, np.arange(count), np.zeros(count)
    )


@pytest.mark.parametrize("phases", [1, 2])
def test_gradients_are_those_of_finite_differences(phases: int) -> None:
    positions, rows, units = random_positions(12, 10), 10, 4
    trainer = Trainer(rows, units, [3], seed=2, phases=phases)
    trainer.weights[:] = np.random.default_rng(phases).normal(0.1, 0.4, len(trainer.weights))
    work, run, game = trainer.workspace(positions, positions.targets(0.5)), trainer.run, NoGame()

    def loss() -> float:
        run.learning, work.losses[:] = 0, 0
        add_gradient(game, 0, 1, 0, len(positions), run, work)
        return float(work.losses[1])

    run.learning = 1
    add_gradient(game, 0, 1, 0, len(positions), run, work)
    size = len(trainer.weights)
    found = work.gradient[size : 2 * size].copy()
    step = np.float32(1 / 512)
    expected = []
    for i in range(size):
        before = trainer.weights[i]
        trainer.weights[i] = before + step
        above = loss()
        trainer.weights[i] = before - step
        expected.append((above - loss()) / (2 * step))
        trainer.weights[i] = before
    off = np.abs(found - expected)
    assert np.mean(off < 2e-3) > 0.9  # but for units that a step clips
    assert off.max() < 0.05
    assert np.count_nonzero(found) > size / 3 / phases
    assert not work.gradient[:size].any()  # of another slice


def test_targets_blend_scores_and_results() -> None:
    positions = random_positions(50, 10)
    assert positions.targets(0) == pytest.approx(positions.results)
    score = positions.scores / (1 - np.abs(positions.scores))
    assert positions.targets(1) == pytest.approx(np.tanh(score))
    halves = (positions.targets(0) + positions.targets(1)) / 2
    assert positions.targets(0.5) == pytest.approx(halves)
    twice = Positions.joined([positions, positions])
    assert len(twice) == 100
    assert (twice.sizes[50:] == positions.sizes).all()
    assert twice.games[50] == positions.games.max() + 1
    assert 0 < np.mean(positions.held) < 0.2


def test_a_fit_does_not_depend_on_threads() -> None:
    positions = random_positions(60, 10)
    found = []
    for threads in (1, 3):
        trainer = Trainer(10, 4, [3], seed=2)
        fits = trainer.fit(positions, positions.targets(0), epochs=2, rate=0.01, seed=1, threads=threads)
        found.append((trainer.weights.tobytes(), fits))
    assert found[0] == found[1]


class Plain(Breakthrough):
    """Breakthrough on a small board, interpreted."""

    compiled = False

    def __init__(self) -> None:
        super().__init__(5)


def network_for(game: plies.Game, seed: int = 5) -> Network:
    """A network that finds every position different."""
    made = Network.fresh(game, 16, seed=seed)
    made.outward[:] = np.random.default_rng(seed).normal(0, 0.5, made.outward.shape)
    return made


@pytest.mark.plain
def test_what_is_recorded_is_what_the_players_saw() -> None:
    """Quiet positions that are not proved, as both players see them, with the result of their game."""
    game = Plain()
    player = GamePlayer(game, network_for(game), 6)
    positions, counted = player.self_play(network_for(game), 6, 20, 1)
    assert 0 < len(positions) <= counted["searches"]
    assert counted["games"] == 6
    assert counted["visited"] >= 10 * counted["searches"]
    assert set(positions.results) <= {-1.0, 1.0}
    assert (np.abs(positions.scores) < 1).all()
    again, _ = player.self_play(network_for(game), 6, 20, 1)
    assert all((array == getattr(again, name)).all() for name, array in positions.arrays().items())
    other, _ = player.self_play(network_for(game), 6, 20, 2)
    assert len(other) != len(positions) or (other.scores != positions.scores).any()
    # The last game, move by move: every position after its opening was recorded.
    line = player.out.line[: player.play.ply]
    states = [game.initial()]
    for action in line:
        states.append(game.result(states[-1], action))
    end = plies.search(game, states[-1], nodes=2000, network="no")
    assert end.value.proved
    winner = game.to_move(states[-1]) if end.value.utility > 0 else 1 - game.to_move(states[-1])
    recorded = np.flatnonzero(other.games == 5)
    assert len(recorded) > 3
    for k, state in zip(recorded, states[len(line) - len(recorded) :], strict=False):
        mover = game.to_move(state)
        for view, seat in ((2 * k, mover), (2 * k + 1, 1 - mover)):
            seen = other.inputs[other.starts[view] : other.starts[view + 1]]
            assert sorted(seen) == sorted(inputs_of(game, state, seat))
        assert other.results[k] == (1 if mover == winner else -1)
    player.pair(network_for(game), blank(game, 16), 20, 3)
    scores = [player.pair(network_for(game, 1), network_for(game, 2), 20, n) for n in range(3)]
    turned = [player.pair(network_for(game, 2), network_for(game, 1), 20, n) for n in range(3)]
    assert turned == [[1 - late, 1 - early] for early, late in scores]


@pytest.mark.plain
def test_positions_are_learned_by_the_network_of_their_phase() -> None:
    class Chapters(Plain):
        phases = 2

        def phase(self, state: Any) -> int:
            return state.player  # so that both can be told apart in the record

    game = Chapters()
    player = GamePlayer(game, network_for(game), 2)
    positions, _ = player.self_play(network_for(game), 2, 20, 1)
    out = player.out
    assert positions.phases.tolist() == out.movers[: len(positions)].tolist()
    assert set(positions.phases) == {0, 1}
    joined = Positions.joined([positions, positions])
    assert joined.phases.tolist() == 2 * positions.phases.tolist()
    model = NetworkModel(game, 16)
    only = Positions(**{**positions.arrays(), "phases": np.ones(len(positions), np.int8)})
    given = {"best": None, "warm": False, "half": 1.0, "epochs": 1, "seeds": (1, 1), "threads": 1}
    found, _ = model.fit(only, only.targets(0), only, **given, tell=lambda share: None)
    before = Trainer(model.rows, 16, found.thresholds, seed=1, phases=2).arrays()["inward"]
    assert found.phases == 2
    assert (found.inward[: model.rows] == before[: model.rows]).all()
    assert (found.inward[model.rows :] != before[model.rows :]).any()


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="there is nothing to compare")
@pytest.mark.parametrize("make", [Breakthrough, plies.TicTacToe, plies.Checkers, plies.Gomoku])
def test_compiled_games_are_the_interpreted_ones(make: Any) -> None:
    compiled, plain = make(), make()
    plain.compiled = False
    found = []
    for game in (compiled, plain):
        network = network_for(game)
        player = GamePlayer(game, network, 2)
        assert player.compiled == (game is compiled)
        found.append(player.self_play(network, 2, 30, 4))
    assert found[0][1] == found[1][1]
    for name, array in found[0][0].arrays().items():
        assert (array == getattr(found[1][0], name)).all()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generations of a few games."""
    monkeypatch.setattr(generations, "GAMES", 4)
    monkeypatch.setattr(generations, "EPOCHS", 2)
    monkeypatch.setattr(generations, "POOL_PAIRS", 1)
    monkeypatch.setattr(generations, "GATE_PAIRS", 2)
    monkeypatch.setattr(generations, "usable_cores", lambda: 1)
    monkeypatch.setattr(network_units, "GAMES", 4)


class Killed(Exception):
    pass


@pytest.mark.plain
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", ["network", "patterns"])
def test_a_run_that_was_killed_ends_with_the_same_network(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = Generations._matches

    def matches(run: Generations, one: Any, network: Any, done: Any) -> None:
        play(run, one, network, done)
        one.kept = one.number != 2  # the third begins with the first, and meets the second as the last one

    monkeypatch.setattr(Generations, "_matches", matches)

    def made(name: str) -> Generations:
        return Generations(
            Plain(), tmp_path / name, kind=kind, units=16, nodes=10, first=30, where=Where(1), command="c"
        )

    whole = made("whole.npz")
    whole.begin()
    lines = []
    whole.tell = lines.append
    assert len(list(whole.go(generations=3))) == 3
    chance = random.Random(4)
    part = made("part.npz")
    part.begin()
    for share in (0.3, 0.6, 1.0):  # a resumed run tells again what is known already
        left = [chance.randrange(3, int(share * len(lines)))]

        def tell(text: str, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise Killed(text)

        part.tell = tell
        with pytest.raises(Killed):
            list(part.go(generations=3))
        part = made("part.npz")
        part.begin(resume=True)
    assert len(list(part.go(generations=3))) >= 1
    assert [sorted(one.pool) for one in part.generations] == [
        ["none"],
        ["best", "none"],
        ["best", "last", "none"],
    ]
    for one, other in zip(whole.generations, part.generations, strict=True):
        assert (one.pool, one.fits, one.positions) == (other.pool, other.fits, other.positions)
    for number in (1, 2, 3):
        names = [f"{name}.training/network-{number}.npz" for name in ("whole", "part")]
        assert (tmp_path / names[0]).read_bytes() == (tmp_path / names[1]).read_bytes()
    assert not (tmp_path / "part.training" / "units.sqlite").exists()
    with pytest.raises(plies.PliesError, match="--resume continues it"):
        made("part.npz").begin()
    arrays, _ = load_arrays(tmp_path / "part.training" / "positions-3.npz")
    save_arrays(tmp_path / "part.training" / "positions-3.npz", {"inputs": arrays["inputs"]})
    with pytest.raises(plies.PliesError, match="positions of another version"):
        made("part.npz").begin(resume=True)
    changed = "units 16, not 32" if kind == "network" else "stages 8, not 4"
    again = Generations(Plain(), tmp_path / "part.npz", kind=kind, units=32, stages=4, where=Where(1))
    with pytest.raises(plies.PliesError, match=f"was begun with {changed}; nodes"):
        again.begin(resume=True)


@pytest.mark.plain
@pytest.mark.usefixtures("small")
def test_where_nothing_is_left_to_learn_it_says_so(tmp_path: Path) -> None:
    run = Generations(plies.Nim((1, 2)), tmp_path / "nim.npz", units=16, nodes=50, where=Where(1))
    run.game.compiled = False
    run.begin()
    with pytest.raises(plies.PliesError, match="there is nothing to learn"):
        list(run.go(generations=1))


@pytest.mark.plain
def test_the_kind_suits_the_game(tmp_path: Path) -> None:
    from plies.learn.kinds import chosen_kind

    assert chosen_kind(Plain()) == ("network", "it has planes, and two players without dice")
    assert chosen_kind(plies.Backgammon())[0] == "td"
    assert chosen_kind(plies.Pig())[0] == "weights"
    assert chosen_kind(Plain(), "td") == ("td", "as asked for")
    with pytest.raises(plies.Unsuitable, match="nothing to learn from"):
        chosen_kind(plies.Tree([[3, 12], [2, 4]]))
    given = ("train", f"{EXAMPLE}:Breakthrough", "size=5", "--out", str(tmp_path / "b.npz"))
    for words, sentence in (
        (("--kind", "deep"), "kind must be one of network, patterns, td, weights, not 'deep'"),
        (("--units", "20"), "units must be a multiple of 16 up to 256, not 20"),
        (("--nodes", "1"), "nodes must be between 10 and 10,000,000, not 1"),
    ):
        refused = program(*given, *words)
        assert (refused.code, sentence in refused.error) == (2, True), refused.error
    assert "--kind td" in program("train", "pig", "--kind", "network").error


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="takes hours")
def test_three_generations_beat_the_untrained_default_at_equal_time(tmp_path: Path) -> None:
    """They take less than a minute on two cores, compiling not counted: docs/train-an-opponent.md."""
    file, game = tmp_path / "network.npz", f"{EXAMPLE}:Breakthrough"
    done = program("train", game, "--generations", "3", "--out", str(file))
    assert (done.code, "nothing was learned" in done.out) == (0, False)
    played = plies.match(plies.game(game), f"engine:0.02:network={file}", "engine:0.02", games=40, seed=1)
    assert played.score >= 0.9
