"""Pattern tables: shapes and their symmetries, answers to the bit, what is learned, files that do not fit."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.compiled import interpreting
from plies.compiled.workspace import Workspace
from plies.engine.alpha_beta import AlphaBeta
from plies.engine.kernels.network import static_value
from plies.engine.limit import Limit
from plies.engine.networks import network_arrays
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.evaluation.network_worth import worth_to_network
from plies.inputs import identity_of, inputs_of, value_of
from plies.learn.models import PatternModel
from plies.learn.pattern_trainer import FLOOR, PatternTrainer
from plies.learn.players import GamePlayer
from plies.learn.positions import Positions
from plies.network import load_network
from plies.patterns import Patterns, shapes_of
from plies.patterns.tables import ONE
from test_cli import program
from test_network import judged, plain, walk


def made(game: plies.Game, thresholds: Any = (8, 14), seed: int = 1) -> Patterns:
    """Tables of random weights."""
    patterns = Patterns.fresh(game, thresholds, 2.5)
    patterns.tables[:] = np.random.default_rng(seed).integers(-900, 900, patterns.tables.shape)
    return patterns


# -- Shapes.


@pytest.mark.plain
def test_lines_and_blocks_share_tables_by_the_symmetries_of_the_game() -> None:
    shapes = shapes_of(plies.TicTacToe())
    found = {frozenset(frozenset(cells) for cells in table) for table in shapes.tables}
    edges, middles = [{0, 1, 2}, {6, 7, 8}, {0, 3, 6}, {2, 5, 8}], [{3, 4, 5}, {1, 4, 7}]
    assert found == {
        frozenset(map(frozenset, table))
        for table in (edges, middles, [{0, 4, 8}, {2, 4, 6}], [set(range(9))])
    }
    assert (shapes.codes, len(shapes.same[0])) == ((1, 2), 27)
    # A line read from its other end is the same: 27 configurations, of which 9 are palindromes.
    assert len(set(shapes.same[0])) == 18
    # Boards that can be told apart by no symmetry, among all 3 ** 9 fillings: Burnside's lemma.
    block = next(number for number, table in enumerate(shapes.tables) if len(table[0]) == 9)
    assert len(set(shapes.same[block])) == (3**9 + 2 * 3**3 + 3**5 + 4 * 3**6) // 8
    without = shapes_of(type("Crooked", (plies.TicTacToe,), {"symmetries": plies.Game.symmetries})())
    assert {len(table) for table in without.tables} == {1}
    assert len(without.tables) == 9


@pytest.mark.plain
def test_a_game_says_which_cells_and_planes() -> None:
    class Own(plies.ConnectFour):
        pattern_planes = (1,)
        pattern_cells = ((0, 1), ((2, 3, 4), (10, 11, 12)))

    shapes = shapes_of(Own())
    assert (shapes.planes, shapes.codes) == ((1,), (2,))
    # With their images in the mirror: columns of seven cells, the seventh always empty.
    assert [{frozenset(one) for one in table} for table in shapes.tables] == [
        {frozenset((0, 1)), frozenset((42, 43))},
        {frozenset(cells) for cells in ((2, 3, 4), (10, 11, 12), (44, 45, 46), (38, 39, 40))},
    ]
    for name, value, words in (
        ("pattern_cells", ((0, 0),), "different cells from 0 to 48"),
        ("pattern_cells", ((0, 49),), "different cells from 0 to 48"),
        ("pattern_cells", (3,), "needs sets of cells"),
        ("pattern_cells", (((0, 1), (2,)),), "needs sets of cells"),
        ("pattern_cells", (tuple(range(17)),), "131,072 entries; at most 65,536"),
        ("pattern_planes", (0, 4), "numbers of its planes, 0 to 3"),
        ("pattern_planes", (0, 0), "numbers of its planes, 0 to 3"),
    ):
        with pytest.raises(BadParameter, match=words):
            shapes_of(type("Wrong", (Own,), {name: value})())


@pytest.mark.plain
def test_long_lines_are_cut_and_boards_of_one_dimension_have_random_sets() -> None:
    tables = shapes_of(plies.Gomoku(9)).tables
    rows = {cells for table in tables for cells in map(frozenset, table) if cells <= set(range(9))}
    assert len(rows) == 1  # nine cells of three states fit into a table
    assert frozenset.union(*rows) == set(range(9))
    again = shapes_of(plies.Kalah(4, 3)).tables
    assert again == shapes_of(plies.Kalah(4, 3)).tables  # whatever the generator of random numbers did
    assert any(np.diff(sorted(table[0])).max() > 1 for table in again)


# -- Answers.


@pytest.mark.parametrize("name", ["gomoku size=9", "othello size=6"])
def test_answers_equal_the_reference_to_the_bit(name: str) -> None:
    """On boards of 81 cells, and of 36 with planes that overlap."""
    word, _, size = name.partition(" ")
    game = plies.game(word, size=int(size.partition("=")[2]))
    game.pattern_planes = (2, 3) if word == "othello" else (0, 1)  # where both can move: a state of its own
    patterns = made(game, (8, 12))
    assert patterns.states == (4 if word == "othello" else 3)
    work = Workspace(**network_arrays(patterns, game))
    stages = set()
    for state in [state for seed in range(2) for state in walk(game, 28, seed)]:
        mover = game.to_move(state)
        stages.add(patterns.entries(inputs_of(game, state, mover))[0])
        expected = patterns.value(game, state, mover)
        assert judged(game, state, mover, 3, work) == expected
        assert judged(game, state, 1 - mover, 0, work) == 2 * game.draw_value - expected
    assert stages == {0, 1, 2}


@pytest.mark.plain
def test_the_reference_adds_up_what_is_on_the_board() -> None:
    """By the marks on the board, one cell after the other."""
    game = plies.TicTacToe()
    patterns = made(game, (3, 6))
    for state in [state for seed in range(5) for state in walk(game, 9, seed)]:
        mover = game.to_move(state)
        own, other = game.planes(state, mover)
        marks = [1 if own >> cell & 1 else 2 if other >> cell & 1 else 0 for cell in range(9)]
        weights = patterns.tables[(9 - marks.count(0) >= 3) + (9 - marks.count(0) >= 6)]
        place = total = 0
        for kind in range(patterns.kinds.max() + 1):
            sets = [
                one for one, own_kind in zip(patterns.sets, patterns.kinds, strict=True) if own_kind == kind
            ]
            for one in sets:
                index = int("".join(str(marks[cell]) for cell in reversed(one)), 3)
                total += int(weights[place + index])
            place += 3 ** len(sets[0])
        for count in (marks.count(1), marks.count(2)):
            total += int(weights[place + count])
            place += 10
        total += int(weights[place + 9 - marks.count(0)])
        assert place + 19 == len(weights)
        assert patterns.output(game, state, mover) == 4 * total
        assert patterns.value(game, state, mover) == value_of(4 * total, 0.0, 1.0, 2.5)


@pytest.mark.plain
def test_every_evaluation_of_a_search_is_that_of_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Slow()
    patterns, asked = made(game, (4,)), []

    def checked(game: Any, state: Any, player: int, ply: int, work: Any) -> float:
        found = static_value(game, state, player, ply, work)
        assert found == patterns.estimate(game, state, player)
        asked.append(ply)
        return found

    monkeypatch.setattr("plies.engine.kernels.quiescence.static_value", checked)
    state = game.parse_position("1 2")
    found = AlphaBeta(game, network=patterns).search(state, Limit(depth=3))
    best = max(
        plain(game, patterns, game.result(state, one), game.to_move(state), 2) for one in game.actions(state)
    )
    assert found.value.utility == pytest.approx(best, abs=1e-6)
    assert len(asked) > 20


@pytest.mark.long
def test_a_compiled_search_finds_what_the_interpreted_one_does() -> None:
    games = [plies.Othello(6) for _ in range(2)]
    games[1].compiled = False
    found = [AlphaBeta(game, network=made(game)).search(game.initial(), Limit(nodes=400)) for game in games]
    assert found[0].compiled
    assert found[0].scores == found[1].scores


# -- Learning.


class Slow(plies.TicTacToe):
    """Tic-Tac-Toe, interpreted."""

    compiled = False


def sampled(game: plies.Game, count: int) -> Positions:
    """Positions of random games, with invented scores and results."""
    chance = np.random.default_rng(2)
    states = [state for seed in range(count // 5) for state in walk(game, 8, seed)][:count]
    views = [
        inputs_of(game, state, player)
        for state in states
        for player in (game.to_move(state), 1 - game.to_move(state))
    ]
    starts = np.concatenate([[0], np.cumsum([len(view) for view in views])])
    results, scores = chance.choice([-1.0, 0.0, 1.0], len(states)), chance.uniform(-0.9, 0.9, len(states))
    return Positions(
        np.concatenate(views).astype(np.uint16),
        starts,
        scores,
        results,
        np.arange(len(states)),
        np.zeros(len(states)),
    )


def test_a_fit_is_that_of_ten_lines_of_python() -> None:
    game, rate = Slow(), 0.1
    shapes, positions = shapes_of(game), sampled(game, 80)
    like, targets = Patterns.shaped(game, shapes, (3, 6)), sampled(game, 80).targets(0.5)
    trainer = PatternTrainer(like, shapes)
    begin = np.random.default_rng(4).integers(-4000, 4000, like.tables.shape).astype(np.int16)
    for _ in range(2):  # of what is the same by symmetry, one weight counts
        begin = begin[:, trainer.same]
    trainer.begin_with(begin)
    assert np.abs(trainer.tables().astype(int) - begin).max() <= 1
    expected = trainer.weights.astype(np.float64).reshape(4, -1)
    squares = np.full(expected.shape, FLOOR)
    (fit,) = trainer.fit(positions, targets, epochs=1, rate=rate, seed=7)
    order = np.flatnonzero(~positions.held)
    np.random.default_rng(7).shuffle(order)
    loss = 0.0
    for k in order:
        stage, places = like.entries(positions.inputs[positions.starts[2 * k] : positions.starts[2 * k + 1]])
        places = trainer.same[places]
        total = expected[0, places].sum() + expected[stage + 1, places].sum()
        slope = math.tanh(total) - targets[k]
        loss -= sum(
            (1 + sign * targets[k]) / 2 * math.log((1 + sign * math.tanh(total)) / 2) for sign in (1, -1)
        )
        for row in (0, stage + 1):
            for place in places:
                squares[row, place] += slope**2
                expected[row, place] -= rate * slope / math.sqrt(squares[row, place])
    assert trainer.weights == pytest.approx(expected.ravel(), abs=1e-5)
    assert fit.loss * len(order) == pytest.approx(loss, rel=1e-5)


@pytest.mark.plain
def test_the_slope_is_that_of_the_loss() -> None:
    """By finite differences: the direction in which one position moves each of its weights."""
    game = Slow()
    shapes, positions = shapes_of(game), sampled(game, 30)
    like, targets = Patterns.shaped(game, shapes, (4,)), positions.targets(0.5)
    trainer = PatternTrainer(like, shapes)
    trainer.weights[:] = np.random.default_rng(1).normal(0, 0.2, len(trainer.weights))
    from plies.learn.pattern_trainer import learn_patterns
    from plies.learn.trainer import NoGame

    run, work = trainer.workspace(positions, targets)

    def loss() -> float:
        run.loss = 0.0
        learn_patterns(NoGame(), 0, 11, 12, run, work)
        return float(run.loss)

    stage, places = like.entries(positions.inputs[positions.starts[22] : positions.starts[23]])
    before, step = trainer.weights.copy(), 1e-3
    found = []
    for place in (trainer.same[places[0]], (stage + 1) * like.tables.shape[1] + trainer.same[places[0]]):
        trainer.weights[place] = before[place] + step
        above = loss()
        trainer.weights[place] = before[place] - step
        found.append((above - loss()) / (2 * step))
        trainer.weights[place] = before[place]
    total = sum(before[row * like.tables.shape[1] + trainer.same[places]].sum() for row in (0, stage + 1))
    times = int((trainer.same[places] == trainer.same[places[0]]).sum())
    assert found == pytest.approx([times * (math.tanh(total) - targets[11])] * 2, abs=2e-3)
    run.learning, run.rate = 1, 1.0
    learn_patterns(NoGame(), 0, 11, 12, run, work)
    moved = before - trainer.weights
    assert set(np.flatnonzero(moved)) == {
        row * like.tables.shape[1] + place for row in (0, stage + 1) for place in trainer.same[places]
    }
    assert (np.sign(moved[moved != 0]) == np.sign(math.tanh(total) - targets[11])).all()


@pytest.mark.plain
def test_what_was_learned_is_the_same_for_all_images() -> None:
    game = Slow()
    shapes, positions = shapes_of(game), sampled(game, 100)
    trainer = PatternTrainer(Patterns.shaped(game, shapes, (4,)), shapes)
    fits = trainer.fit(positions, positions.targets(0.5), epochs=3, rate=0.05, seed=1)
    assert fits[-1].loss < fits[0].loss
    learned = replace(Patterns.shaped(game, shapes, (4,)), tables=trainer.tables())
    values = set()
    for state in walk(game, 6, 8):
        images = {learned.output(game, image, game.to_move(image)) for image in game.symmetries(state)}
        assert len(images) == 1
        values |= images
    assert len(values) > 3


@pytest.mark.plain
def test_weights_beyond_16_bits_are_clipped() -> None:
    game = Slow()
    trainer = PatternTrainer(Patterns.fresh(game), shapes_of(game))
    trainer.weights[:2] = 9.0, -9.0
    assert trainer.tables().min() == -32767
    assert trainer.tables().max() == 32767


@pytest.mark.plain
def test_tables_travel_as_they_are() -> None:
    game = Slow()
    model = PatternModel(game, 4)
    patterns = made(game, (3, 6))
    again = model.of(json.loads(json.dumps(model.text(patterns))))
    assert (again.tables == patterns.tables).all()
    assert again.thresholds.tolist() == [3, 6]
    assert model.blank().value(game, game.initial(), 0) == 0
    model.check(replace(patterns, about={**patterns.about, "kind": "patterns"}))
    with pytest.raises(PliesError, match="holds no patterns"):
        model.check(patterns)
    other = type("Slow", (Slow,), {"pattern_cells": ((0, 1),)})()
    with pytest.raises(PliesError, match="other patterns than slow has now"):
        model.check(Patterns.fresh(other, kind="patterns"))


@pytest.mark.plain
def test_games_are_recorded_without_images() -> None:
    """As these share their weights."""

    class Small(plies.Othello):
        compiled = False

        def __init__(self) -> None:
            super().__init__(4)

    game = Small()
    patterns = made(game)
    player = GamePlayer(game, patterns, 3)
    positions, counted = player.self_play(patterns, 3, 10, 1, images=False)
    doubled, _ = player.self_play(patterns, 3, 10, 1)
    assert 0 < len(positions) <= counted["searches"]
    assert len(doubled) > len(positions)
    assert (positions.sizes_of(np.array([0, 1]), 16) < positions.sizes).any()
    k = len(positions) - 1
    own = positions.inputs[positions.starts[2 * k] : positions.starts[2 * k + 1]]
    assert positions.sizes_of(np.array([0, 1]), 16)[k] == sum(number < 32 for number in own)


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="there is nothing to compare")
def test_compiled_games_are_the_interpreted_ones() -> None:
    found = []
    for compiled in (None, False):
        game = plies.Othello(6)
        game.compiled = compiled
        patterns = made(game)
        player = GamePlayer(game, patterns, 2)
        assert player.compiled == (compiled is None)
        found.append(player.self_play(patterns, 2, 30, 4, images=False))
    assert found[0][1] == found[1][1]
    for name, array in found[0][0].arrays().items():
        assert (array == getattr(found[1][0], name)).all()


# -- Files and games that do not fit.


def damaged(about: Any = None, **changes: Any) -> bytes:
    """A file of tables with some arrays replaced, or left out if they are None."""
    patterns = made(plies.TicTacToe(), (3, 6))
    facts = {**patterns.about, **(about or {})}
    arrays = {**patterns.arrays(), "about": np.array(json.dumps(facts)), **changes}
    file = io.BytesIO()
    np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    return file.getvalue()


def changed(name: str, place: int, value: int) -> dict[str, Any]:
    """An array of a file with another number in one place."""
    array = getattr(made(plies.TicTacToe(), (3, 6)), name).copy()
    array[place] = value
    return {name: array}


HOSTILE = {
    "pickle": (damaged(codes=np.array([{}], object)), "holds no network"),
    "missing": (damaged(cells=None), "'cells' is missing"),
    "dimensions": (damaged(starts=np.zeros((1, 1), np.int64)), "'starts' has the wrong dimensions"),
    "floats": (damaged(cells=np.zeros(3)), "'cells' is not made of whole numbers"),
    "wide weights": (damaged(tables=np.zeros((3, 3), np.int64)), "weights have not 16 bits"),
    "half": (damaged(half=np.array([-1.0])), "not above 0"),
    "no facts": (damaged({"planes": None}), "how many planes there are"),
    "huge board": (damaged({"cells": 1 << 40}), "how many cells there are"),
    "cell": (damaged(**changed("cells", 0, 9)), "not one of 0 to 8"),
    "cell below": (damaged(**changed("cells", 0, -1)), "not one of 0 to 8"),
    "cell twice": (damaged(**changed("cells", 0, 1)), "a cell twice"),
    "no patterns": (damaged(kinds=np.zeros(0, np.int64)), "0 patterns"),
    "start": (damaged(**changed("starts", 0, 1)), "or not their cells"),
    "end": (damaged(**changed("starts", -1, 99)), "more than 16"),
    "backwards": (damaged(**changed("starts", 1, 9)), "has no cells"),
    "kinds": (damaged(**changed("kinds", 0, 7)), "not numbered from 0 on"),
    "sizes": (damaged(**changed("kinds", 0, 3)), "different sizes|not numbered"),
    "states": (damaged(codes=np.arange(1, 9)), "9 states"),
    "codes": (damaged(codes=np.array([1, 4])), "planes that it does not see"),
    "same codes": (damaged(codes=np.array([1, 1])), "twice the same"),
    "planes": (damaged(planes=np.array([0, 2])), "not planes of the game"),
    "no planes": (damaged(planes=np.zeros(0, np.int64)), "its planes are none"),
    "stages": (damaged(tables=np.zeros((0, 3), np.int16)), "0 stages"),
    "thresholds": (damaged(thresholds=np.array([3])), "or other thresholds"),
    "order": (damaged(thresholds=np.array([6, 3])), "not in order"),
    "weights": (damaged(tables=np.zeros((3, 3), np.int16)), "not as many weights"),
}


@pytest.mark.plain
@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_holds_no_tables_is_a_sentence(case: str, tmp_path: Path) -> None:
    content, words = HOSTILE[case]
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(PliesError, match=words):
        load_network(path)


@pytest.mark.plain
def test_a_file_is_read_as_it_was_written_and_fits_its_game_alone(tmp_path: Path) -> None:
    game = plies.TicTacToe()
    patterns = made(game, (3, 6))
    patterns.save(tmp_path / "tables.npz")
    again = load_network(tmp_path / "tables.npz")
    assert isinstance(again, Patterns)
    assert again.about == patterns.about
    for name, array in patterns.arrays().items():
        assert np.array_equal(again.arrays()[name], array)
    assert again.fits(game)
    with pytest.raises(Unsuitable, match="they are for game tic-tac-toe, not connect-four"):
        again.check(plies.ConnectFour())

    class Mixed(plies.Othello):
        def planes(self, state: Any, player: int) -> Any:
            own, *others = super().planes(state, player)
            return (own & (1 << 63) - 1, own >> 63 & 1), *others

    shaped = replace(patterns, about=identity_of(Mixed()))
    with pytest.raises(Unsuitable, match="need planes of one kind"):
        shaped.check(Mixed())


@pytest.mark.plain
def test_commands_take_tables(tmp_path: Path) -> None:
    game, file = plies.TicTacToe(), str(tmp_path / "tables.npz")
    patterns = made(game, (3, 6))
    patterns.save(file)
    facts = json.loads(program("network", file, "--json").out)
    assert (facts["patterns"], facts["tables"], facts["stages"], facts["states"]) == (9, 4, 3, 3)
    assert program("network", file).out.splitlines()[0] == "game        tic-tac-toe"
    shown = program("eval", "tic-tac-toe", "1 2", "--network", file).out
    assert shown.startswith("EVAL by the network")
    found = json.loads(program("best", "tic-tac-toe", "--depth", "1", "--network", file, "--json").out)
    best = max(patterns.estimate(game, game.result(game.initial(), move), 0) for move in range(1, 10))
    assert found["value"]["utility"] == pytest.approx(best)
    refused = program("network", file, "--onnx", str(tmp_path / "o.onnx"))
    assert (refused.code, "this is pattern tables" in refused.error) == (
        2,
        True,
    )
    refused = program("train", "tic-tac-toe", "--kind", "patterns", "--stages", "65")
    assert (refused.code, "stages must be between 1 and 64, not 65" in refused.error) == (2, True)


@pytest.mark.plain
def test_a_bit_is_worth_what_its_plane_counts() -> None:
    """Tables that count own discs and nothing else."""
    game = plies.TicTacToe()
    patterns = Patterns.fresh(game)
    first = patterns.counts_at
    patterns.tables[0, first : first + 10] = np.arange(10) * ONE // 100
    rows = {name: worth for name, _, worth in worth_to_network(game, patterns, count=20).planes}
    assert rows["plane 1"] == pytest.approx(0.01, abs=0.003)
    assert rows["plane 2"] == 0
