"""Networks in the search: sums kept up to date, answers to the bit, files and games that do not fit."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.blame import broken_in_a_random_game, broken_rule
from plies.compiled import kernel
from plies.compiled.workspace import Workspace
from plies.engine.algorithms import algorithm_for
from plies.engine.alpha_beta import AlphaBeta
from plies.engine.expectiminimax import Expectiminimax
from plies.engine.kernels.network import static_value
from plies.engine.limit import Limit
from plies.engine.monte_carlo import MonteCarlo
from plies.engine.networks import network_arrays
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.evaluation import load_evaluation
from plies.evaluation.network_worth import worth_to_network
from plies.inputs import inputs_of, output_of, value_of
from plies.network import ONE, Network, load_network
from plies.players import parse_player
from plies.web.catalogue import Catalogue
from test_cli import program


def made(game: plies.Game, units: int = 16, buckets: int = 3, seed: int = 1, **given: Any) -> Network:
    """A network with random weights, some of which clip and some of which do not."""
    network, rng = Network.fresh(game, units, buckets, seed), np.random.default_rng(seed)
    network.outward[:] = rng.normal(0, 0.5, network.outward.shape)
    network.offsets[:] = rng.normal(0, 0.2, len(network.offsets))
    changed = {"thresholds": np.array([6, 12][: buckets - 1]), "half": 2.5, **given}
    return Network(
        network.inward, network.biases, network.outward, network.offsets, about=network.about, **changed
    )


def walk(game: plies.Game, plies_: int, seed: int) -> list[Any]:
    """The states of a random game."""
    chance, state, states = random.Random(seed), game.initial(), []
    while len(states) < plies_ and not game.is_terminal(state):
        states.append(state)
        moves = [one for one, _ in game.chance(state)] if game.to_move(state) < 0 else [*game.actions(state)]
        state = game.result(state, chance.choice(moves))
    return states


@kernel
def judged(game, state, player, ply, work):  # type: ignore[no-untyped-def]
    return static_value(game, state, player, ply, work)


NAMES = ("pig", "quoridor")  # dice, and 81 cells
"""The games whose networks are asked at random plies, without a search."""


@pytest.mark.parametrize("name", NAMES)
def test_answers_equal_the_reference_to_the_bit_at_any_ply(name: str) -> None:
    game = plies.game(name)
    network = made(game)
    work, chance = Workspace(**network_arrays(network, game)), random.Random(3)
    states = [state for seed in range(3) for state in walk(game, 30, seed)]
    for state in chance.sample(states, 40):
        mover = 1 if game.to_move(state) == 1 else 0
        ply, player = chance.choice((0, 1, 2, 7, 2003)), chance.choice((0, 1))
        expected = network.value(game, state, mover)
        found = judged(game, state, player, ply, work)
        assert found == (expected if player == mover else 2 * game.draw_value - expected)
        for view in (0, 1):
            assert np.array_equal(work.network_sums[2 * ply + view], network.hidden(game, state, view))
    assert np.array_equal(work.network_sums[-1], network.quantised.biases)


class Chapters(plies.ConnectFour):
    """Connect Four, in which every ply belongs to another of three networks than the one before."""

    phases = 3

    def phase(self, state: Any) -> int:
        return state.ply % 4 - 1 if state.ply < 12 else 3 - state.ply % 3  # -1 and 3 are 0 and 2


def test_the_phase_of_a_state_chooses_the_network() -> None:
    """At plies of the search whose rows hold sums of other weights; and as three networks by themselves."""
    game = Chapters(5, 4)
    network, chance = made(game), random.Random(3)
    assert (network.phases, network.inputs, len(network.inward)) == (3, 4 * 25, 3 * 4 * 25)
    alone = [
        Network(
            network.inward[100 * phase : 100 * phase + 100],
            network.biases,
            network.outward[3 * phase : 3 * phase + 3],
            network.offsets[3 * phase : 3 * phase + 3],
            network.thresholds,
            network.half,
            network.about,
        )
        for phase in range(3)
    ]
    work = Workspace(**network_arrays(network, game))
    states, met = [state for seed in range(3) for state in walk(game, 20, seed)], set()
    for state in chance.sample(states, 40):
        mover, ply = game.to_move(state), chance.choice((0, 1, 2, 3))
        phase = min(max(game.phase(state), 0), 2)
        met.add(phase)
        expected = alone[phase].value(game, state, mover)
        assert network.value(game, state, mover) == expected
        assert judged(game, state, mover, ply, work) == expected
        for view in (0, 1):
            assert np.array_equal(work.network_sums[2 * ply + view], network.hidden(game, state, view))
    assert met == {0, 1, 2}
    assert np.array_equal(work.network_sums[-1], network.quantised.biases)


@pytest.mark.plain
def test_a_network_with_phases_is_for_a_game_with_as_many(tmp_path: Path) -> None:
    game = Chapters()
    network = made(game)
    network.save(tmp_path / "net.npz")
    again = load_network(tmp_path / "net.npz")
    assert isinstance(again, Network)
    assert (again.phases, again.facts()["phases"], again.facts()["inputs"]) == (3, 3, 4 * 49)
    again.check(game)
    game.phases = 2
    with pytest.raises(Unsuitable, match="the network has 3 phases; chapters has 2"):
        again.check(game)
    single = Network.fresh(type("Chapters", (plies.ConnectFour,), {})())
    single.check(game)  # a network for all of the game
    game.compiled = False
    assert not plies.check_game(game, games=2).ok
    refused = program("network", str(tmp_path / "net.npz"), "--onnx", str(tmp_path / "net.onnx"))
    assert "this is a network of several phases" in refused.error


@pytest.mark.plain
def test_sums_begin_anew_where_that_is_shorter() -> None:
    """A board with one disc, after boards with many in every row that its sums could be made of."""
    game = plies.ConnectFour()
    network, full = made(game), walk(game, 20, 1)[-1]
    work = Workspace(**network_arrays(network, game))
    for ply in (0, 4, 5):
        judged.interpreted(game, full, 0, ply, work)
    state = game.result(game.initial(), 3)
    judged.interpreted(game, state, 0, 5, work)
    for view in (0, 1):
        assert np.array_equal(work.network_sums[10 + view], network.hidden(game, state, view))


@pytest.mark.plain
def test_sums_hold_on_every_node_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chess, with null moves, quiescence, reductions and re-searches: what it finds is the reference's."""
    game = plies.Chess()
    game.compiled = False
    network, asked, passes = made(game), [], []
    null_move = plies.Chess.null_move

    def checked(game: Any, state: Any, player: int, ply: int, work: Any) -> float:
        found = static_value(game, state, player, ply, work)
        assert found == network.value(game, state, player)
        asked.append(ply)
        return found

    monkeypatch.setattr("plies.engine.kernels.quiescence.static_value", checked)
    monkeypatch.setattr(
        plies.Chess, "null_move", lambda self, state: passes.append(1) or null_move(self, state)
    )
    for text in ("e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5", "6k1/8/8/8/8/8/r6P/1R4K1 w - - 0 1"):
        AlphaBeta(game, network=network).search(game.parse_position(text), Limit(nodes=1000))
    assert len(set(asked)) > 5
    assert passes


@pytest.mark.long
def test_a_compiled_search_finds_what_the_interpreted_one_does() -> None:
    for name, text in (("chess", "e4 e5 Nf3 Nc6"), ("gomoku", "")):
        games = [plies.game(name) for _ in range(2)]
        games[1].compiled = False
        state = games[0].parse_position(text) if text else games[0].initial()
        found = [AlphaBeta(game, network=made(game)).search(state, Limit(nodes=400)) for game in games]
        assert found[0].compiled
        assert [one.nodes for one in found] == [400, 400]
        assert found[0].scores == found[1].scores


@pytest.mark.plain
def test_every_evaluation_of_a_search_is_the_network_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a network, never by the game itself: alpha-beta, expectiminimax with dice, and Monte Carlo."""
    asked = []

    class Pig(plies.Pig):
        compiled = False

        def evaluate(self, state: Any, player: int) -> float:
            raise AssertionError("the game is asked")

        def planes(self, state: Any, player: int) -> Any:
            asked.append(state)
            return super().planes(state, player)

    game = Pig(20)
    network = made(game)
    state = game.result(game.initial(), next(iter(game.actions(game.initial()))))
    while game.to_move(state) < 0:
        state = game.result(state, [*game.chance(state)][-1][0])
    found = Expectiminimax(game, network=network).search(state, Limit(depth=2))
    assert not found.value.proved
    assert asked
    best = max(
        plain(game, network, game.result(state, action), game.to_move(state), 1)
        for action in game.actions(state)
    )
    assert found.value.utility == best
    asked.clear()
    MonteCarlo(game, network=network, seed=1).search(state, Limit(nodes=20))
    assert asked


def plain(game: plies.Game, network: Network, state: Any, viewer: int, depth: int) -> float:
    """Expectiminimax by the reference."""
    if game.is_terminal(state):
        return game.utility(state, viewer)
    mover = game.to_move(state)
    if depth == 0:
        own = max(mover, 0)
        value = network.value(game, state, own)
        return value if own == viewer else 2 * game.draw_value - value
    if mover < 0:
        return sum(
            chance * plain(game, network, game.result(state, one), viewer, depth - 1)
            for one, chance in game.chance(state)
        )
    values = [plain(game, network, game.result(state, one), viewer, depth - 1) for one in game.actions(state)]
    return max(values) if mover == viewer else min(values)


@pytest.mark.plain
def test_alpha_beta_finds_the_minimax_value_of_the_reference() -> None:
    game = plies.ConnectFour(5, 4)
    game.compiled = False
    network = made(game)
    state = game.parse_position("33")
    found = AlphaBeta(game, network=network).search(state, Limit(depth=3))
    best = max(
        plain(game, network, game.result(state, one), game.to_move(state), 2) for one in game.actions(state)
    )
    assert found.value.utility == pytest.approx(best, abs=1e-6)
    assert not found.value.proved


@pytest.mark.plain
def test_what_is_searched_to_the_end_is_proved() -> None:
    game = plies.TicTacToe()
    game.compiled = False
    found = plies.search(game, game.parse_position("1 2 5"), network=made(game, 16, 1), depth=8)
    assert (str(found.value.utility), found.value.proved) == ("-1.0", True)


@pytest.mark.plain
def test_values_are_within_the_bounds_and_inverted_by_the_trainer() -> None:
    for half in (0.5, 1.0, 40.0):
        for x in (-3.0, -0.01, 0.0, 0.5, 7.0):
            value = value_of(round(x * ONE * 64), 0.5, 0.5, half)
            assert 0 < value < 1
            assert output_of(value, 0.5, 0.5, half) == pytest.approx(x, abs=1e-3)


@pytest.mark.plain
@pytest.mark.parametrize("name", ["chess", "checkers", "quoridor", "connect-four", "kalah"])
def test_both_players_see_the_same_picture(name: str) -> None:
    """At the start of games that begin alike for both, but for a bit that tells them apart."""
    game = plies.game(name)
    state = game.initial()
    one, other = (set(inputs_of(game, state, player)) for player in (0, 1))
    assert len(one - other) <= 1
    assert other <= one


@pytest.mark.plain
def test_a_game_with_a_network_alone_is_searched_by_alpha_beta(tmp_path: Path) -> None:
    class Blind(plies.Othello):
        compiled = False
        network_file = str(tmp_path / "own.npz")

        def has(self, rule: str) -> bool:
            return rule != "evaluate" and super().has(rule)

    game = Blind(6)
    made(game).save(tmp_path / "own.npz")
    assert algorithm_for(game) == "alpha-beta"
    assert algorithm_for(game, network="no") == "mcts"
    assert plies.search(game, depth=1).value != plies.search(game, depth=1, network="no").value
    player = parse_player(f"engine:depth=2:network={tmp_path / 'own.npz'}", game=game)
    assert player.choose(game, game.initial()) in [*game.actions(game.initial())]


# -- Files and games that do not fit.


def damaged(**changes: Any) -> bytes:
    """A file of a network with some arrays replaced, or left out if they are None."""
    network = made(plies.TicTacToe(), 16, 3, thresholds=np.array([3, 6]))
    arrays = {
        **{name: getattr(network, name) for name in ("inward", "biases", "outward", "offsets", "thresholds")},
        "half": np.array([1.0]),
        "about": np.array(json.dumps(dict(network.about))),
        **changes,
    }
    file = io.BytesIO()
    np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    return file.getvalue()


HOSTILE = {
    "no file": (b"hello", "holds no network"),
    "pickle": (damaged(inward=np.array([{}], object)), "holds no network"),
    "missing": (damaged(offsets=None), "'offsets' is missing"),
    "dimensions": (damaged(inward=np.zeros(18, np.float32)), "'inward' has the wrong dimensions"),
    "units": (damaged(biases=np.zeros(17, np.float32)), "multiple of 16"),
    "too wide": (damaged(biases=np.zeros(512, np.float32)), "multiple of 16"),
    "no buckets": (damaged(offsets=np.zeros(0, np.float32)), "0 buckets"),
    "shape": (damaged(outward=np.zeros((3, 31), np.float32)), "do not fit together"),
    "nan": (damaged(half=np.array([np.nan])), "not made of finite numbers"),
    "half": (damaged(half=np.array([0.0])), "not above 0"),
    "huge": (damaged(inward=np.full((18, 16), 1e30)), "beyond 128.5"),
    "thresholds": (damaged(thresholds=np.array([1.5])), "no numbers"),
    "too few": (damaged(thresholds=np.array([1])), "not as many weights each"),
    "phases": (
        damaged(
            thresholds=np.zeros(0, np.int64),
            offsets=np.zeros(2),
            outward=np.zeros((2, 32)),
            inward=np.zeros((17, 16)),
        ),
        "not as many weights each",
    ),
    "order": (damaged(thresholds=np.array([2, 1])), "not in order"),
}


@pytest.mark.plain
@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_holds_no_network_is_a_sentence(case: str, tmp_path: Path) -> None:
    content, words = HOSTILE[case]
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(PliesError, match=words):
        load_network(path)


@pytest.mark.plain
def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    network = made(plies.Chess(), 32)
    network.save(tmp_path / "net.npz")
    again = load_network(tmp_path / "net.npz")
    assert again.about == network.about
    assert (again.half, again.units) == (2.5, 32)
    for name in ("inward", "biases", "outward", "offsets", "thresholds"):
        assert np.array_equal(getattr(again, name), getattr(network, name))
    with zipfile.ZipFile(tmp_path / "net.npz") as archive:
        assert all(info.filename.endswith(".npy") for info in archive.infolist())


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "words"),
    [
        (plies.Pacman(), "is for 2 players|is for zero-sum games"),
        (plies.PegSolitaire(), "is for 2 players"),
        (plies.Backgammon(), "has no planes"),
        (plies.ConnectFour(5, 5), "it is for parameters"),
        (plies.TicTacToe(), "it is for game connect-four, not tic-tac-toe"),
    ],
)
def test_a_network_that_does_not_fit_is_refused_in_a_sentence(game: plies.Game, words: str) -> None:
    with pytest.raises((Unsuitable, BadParameter), match=words):
        made(plies.ConnectFour()).check(game)


@pytest.mark.plain
def test_planes_that_raise_are_named() -> None:
    """As compiled code cannot: it says what was raised, but not where."""

    class Slip(plies.TicTacToe):
        def planes(self, state: Any, player: int) -> Any:
            if player == 1:
                raise ValueError("a slip")
            return super().planes(state, player)

    game = Slip()
    for found in (broken_rule(game, game.initial()), broken_in_a_random_game(game)):
        assert str(found).startswith("planes() raised ValueError: a slip in the state")


@pytest.mark.plain
def test_planes_need_words_for_their_cells() -> None:
    class Narrow(plies.TicTacToe):
        plane_shape = (9, 9)

    with pytest.raises(BadParameter, match="81 cells, but 1 words: give it as a tuple of words of 63 bits"):
        Network.fresh(Narrow())


# -- Doors.


@pytest.mark.plain
def test_a_beam_is_chosen_by_the_network() -> None:
    game = plies.ConnectFour(5, 4)
    game.compiled = False
    network, options = made(game), plies.Options(beam=1, child_order=True, priority=False)
    state = game.initial()
    found = AlphaBeta(game, network=network, options=options).search(state, Limit(depth=1))
    values = {
        move: network.estimate(game, game.result(state, move), game.to_move(state))
        for move in game.actions(state)
    }
    assert values[found.action] == max(values.values())


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The file of a network for Tic-Tac-Toe whose facts are not to be trusted."""
    network = made(plies.TicTacToe(), 16, 1)
    Network(
        *(network.inward, network.biases, network.outward, network.offsets),
        about={**network.about, "command": "plies train\x1b[2J"},
    ).save(tmp_path / "net.npz")
    return str(tmp_path / "net.npz")


@pytest.mark.plain
def test_commands_take_a_network(file: str) -> None:
    assert program("network", file).out.splitlines()[0] == "game        tic-tac-toe"
    assert "\x1b" not in program("network", file).out
    assert json.loads(program("network", file, "--json").out)["units"] == 16
    shown = program("eval", "tic-tac-toe", "1 2", "--network", file).out
    assert shown.startswith("EVAL by the network")
    assert shown.splitlines()[-1].startswith("plane 2")
    value = program("best", "tic-tac-toe", "--depth", "1", "--network", file, "--json").out
    assert value != program("best", "tic-tac-toe", "--depth", "1", "--json").out
    game = plies.TicTacToe()
    assert load_evaluation(game, file)[1](game.initial(), 0) == load_network(file).value(  # type: ignore[misc]
        game, game.initial(), 0
    )
    for words, refusal in (
        (("best", "nim", "--network", file), "it is for game tic-tac-toe, not nim"),
        (("best", "tic-tac-toe", "--network", file, "--algorithm", "flat"), "flat takes no network"),
        (("match", "tic-tac-toe", "random", "optimal", "--network", file), "no option 'network'"),
        (("network", file + "x"), "there is no such file"),
        (("serve", "--network", __file__), "ends in .npz"),
    ):
        done = program(*words)
        assert (done.code, done.error.count("\n")) == (2, 1)
        assert refusal in done.error


@pytest.mark.plain
def test_a_piece_that_counts_is_worth_what_it_counts() -> None:
    """A network that counts men, its own by one view and the opponent's by the other."""
    game = plies.Checkers()
    network = Network.fresh(game, 16)
    network.inward[:] = 0
    network.biases[:] = 0
    network.inward[:35, 0] = 0.04  # own men
    network.outward[0, 0], network.outward[0, 16] = 0.25, -0.25
    rows = {name: worth for name, _, worth in worth_to_network(game, network, count=10).planes}
    assert rows["own men"] == pytest.approx(0.01, abs=0.002)
    assert rows["other men"] == pytest.approx(-0.01, abs=0.002)
    assert rows["own kings"] == 0


@pytest.mark.plain
def test_the_page_searches_by_the_network_that_fits(file: str, tmp_path: Path) -> None:
    catalogue = Catalogue([file])
    assert catalogue.game("tic-tac-toe").network_file == file
    assert catalogue.game("nim").network_file == ""
    assert catalogue.file_games == []
    network = made(plies.TicTacToe(), 16, 1)
    for about, words in (
        ({"game": "no-game"}, "for no game"),
        ({"parameters": {"x": 1}}, "other parameters"),
    ):
        Network(
            *(network.inward, network.biases, network.outward, network.offsets),
            about={**network.about, **about},
        ).save(tmp_path / "other.npz")
        with pytest.raises(BadParameter, match=words):
            Catalogue([str(tmp_path / "other.npz")])


@pytest.mark.plain
@pytest.mark.parametrize("buckets", [1, 3])
def test_onnx_computes_the_same(buckets: int, tmp_path: Path) -> None:
    pytest.importorskip("onnx", reason="the onnx package is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    from plies.interop.onnx import save_onnx

    game = plies.ConnectFour()
    network = made(game, 16, buckets)
    save_onnx(network, tmp_path / "net.onnx")
    session = runtime.InferenceSession(str(tmp_path / "net.onnx"))
    for state in walk(game, 12, 1):
        mover = game.to_move(state)
        views = np.zeros((2, 1, len(network.inward)), np.float32)
        for view, player in enumerate((mover, 1 - mover)):
            views[view, 0, inputs_of(game, state, player)] = 1
        value = session.run(None, {"own": views[0], "other": views[1]})[0]
        assert value.shape == (1, 1)
        assert value[0, 0] == pytest.approx(network.value(game, state, mover), abs=0.02)  # quantised
