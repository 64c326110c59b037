"""EVAL by feature, weight and share; how good it is, against brute force; and both as commands."""

from __future__ import annotations

import itertools
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.cli import run
from plies.evaluation import Judgement, Sample, explain_evaluation, judge_evaluation, load_evaluation
from plies.evaluation.correlation import kendall, spearman
from plies.learn import NetworkTraining, WeightsTraining

pytestmark = pytest.mark.plain

LINEAR = (
    *("awari", "checkers", "chess", "connect-four", "go", "gomoku", "kalah", "othello", "pacman"),
    *("peg-solitaire", "pig", "qubic", "quoridor", "renju", "tic-tac-toe"),
)


def test_chess_by_feature_weight_and_share() -> None:
    game = plies.Chess()
    state = game.parse_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    shown = explain_evaluation(game, state)
    terms = {term.name: term for term in shown.terms}
    assert list(terms) == list(game.feature_names)
    assert terms["pawns"].feature == 1
    assert terms["pawns"].product == terms["pawns"].weight
    assert shown.value == game.evaluate(state, 0) > 0
    assert sum(abs(term.share) for term in shown.terms) == pytest.approx(1)
    other = explain_evaluation(game, state, player=1)
    assert (other.value, other.total) == (-shown.value, -shown.total)
    assert "pawns" in str(shown)
    assert "in units of 0.01" in str(shown)


@pytest.mark.parametrize("name", LINEAR)
def test_the_weighted_sum_is_what_the_games_evaluate_by(name: str) -> None:
    """EVAL rises with the sum, from its own player's view; where nothing is clipped, nothing else counts."""
    game = plies.game(name)
    rng = random.Random(name)
    pairs = []
    for _ in range(12):
        state = game.initial()
        for _ in range(rng.randint(0, 12)):
            after = game.result(state, rng.choice(list(game.actions(state))))
            if game.is_terminal(after):
                break
            state = after
        shown = explain_evaluation(game, state, player=0)
        if not shown.terms:
            assert name == "qubic"  # which knows better where a four can be made
            continue
        assert shown.total == pytest.approx(
            sum(map(math.prod, zip(game.features(state), game.weights, strict=True)))  # type: ignore[attr-defined]
        )
        pairs.append((shown.total, shown.value))
    pairs.sort()
    assert all(low[1] <= high[1] + 1e-9 for low, high in itertools.pairwise(pairs))


def test_games_without_features_show_the_value_alone() -> None:
    nim = explain_evaluation(plies.Nim())
    assert (nim.value, nim.terms) == (0, ())
    assert "nim has no evaluation" in str(nim)
    goofspiel = explain_evaluation(plies.Goofspiel(3))
    assert "no features with weights" in goofspiel.source
    assert "all to move" in str(goofspiel)

    class Labelled(plies.Nim):
        weights = {"a": 1}

        def evaluate(self, state, player):  # type: ignore[no-untyped-def]
            return 0.25

    assert explain_evaluation(Labelled()).value == 0.25


def test_a_network_is_told_from_weights() -> None:
    plain, learned = plies.Backgammon(network=False), plies.Backgammon()
    state = plain.result(plain.initial(), next(iter(plain.actions(plain.initial()))))
    assert explain_evaluation(plain, state).terms
    shown = explain_evaluation(learned, state)
    assert (shown.terms, shown.value) == ((), learned.evaluate(state, shown.player))
    assert "does not depend on the weights" in shown.source
    assert "chance to move" in str(explain_evaluation(plain))


def test_actions_as_a_reflex_player_sees_them() -> None:
    game = plies.Pacman("%%%%%%\n%P.  %\n%G%% %\n%%%%%%")
    shown = explain_evaluation(game, actions=True)
    east = game.parse_action(game.initial(), "east")
    assert shown.actions[0] == ("east", game.evaluate_action(game.initial(), east))
    values = [value for _, value in shown.actions]
    assert values == sorted(values, reverse=True)
    assert "evaluate_action" in shown._repr_html_()


def test_what_cannot_be_explained_is_refused() -> None:
    game = plies.TicTacToe()
    with pytest.raises(plies.PliesError, match="the game is over, with utilities 1, -1"):
        explain_evaluation(game, game.parse_position("14253"))
    with pytest.raises(plies.BadParameter, match="players 0 to 1, not 2"):
        explain_evaluation(game, player=2)
    with pytest.raises(plies.BadParameter, match="is a function of a state and a player, not 3"):
        explain_evaluation(game, evaluate=3)  # type: ignore[arg-type]


# -- Rank correlation.


def by_pairs(first: list[float], second: list[float]) -> float:
    """Kendall's tau-b as it is defined."""
    pairs = list(itertools.combinations(zip(first, second, strict=True), 2))
    same = sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs)
    opposite = sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in pairs)
    untied = [sum(a[i] != b[i] for a, b in pairs) for i in (0, 1)]
    return (same - opposite) / math.sqrt(untied[0] * untied[1])


def by_ranks(first: list[float], second: list[float]) -> float:
    """Spearman's rho as it is defined."""

    def ranks(values: list[float]) -> list[float]:
        return [sum(v < value for v in values) + sum(v == value for v in values) / 2 for value in values]

    x, y = ranks(first), ranks(second)
    mean = sum(x) / len(x)
    product = sum((a - mean) * (b - mean) for a, b in zip(x, y, strict=True))
    return product / math.sqrt(sum((a - mean) ** 2 for a in x) * sum((b - mean) ** 2 for b in y))


def test_correlations_are_those_of_the_definitions() -> None:
    rng = random.Random(5)
    for count in (2, 3, 10, 40):
        first = [float(v) for v in rng.choices(range(6), k=count - 2)] + [0.0, 1.0]
        second = [v + rng.choice((0, 1, 2)) for v in first[:-2]] + [3.0, 0.0]
        rho, tau = spearman(first, second), kendall(first, second)
        assert rho is not None
        assert tau is not None
        assert rho.value == pytest.approx(by_ranks(first, second))
        assert tau.value == pytest.approx(by_pairs(first, second))
        assert -1 <= rho.low <= rho.value <= rho.high <= 1
    assert spearman([1, 1, 1], [1, 2, 3]) is None
    assert kendall([1, 2, 3], [1, 1, 1]) is None


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    """Of independent measures, whose correlation is 0, with 95 % certainty."""
    rng = random.Random(1)
    held = [0, 0]
    for _ in range(400):
        first, second = ([rng.random() for _ in range(20)] for _ in range(2))
        for place, found in enumerate((spearman(first, second), kendall(first, second))):
            assert found is not None
            held[place] += found.low <= 0 <= found.high
    assert all(0.91 < count / 400 < 0.99 for count in held), held


# -- Judging.


def truth(game: plies.Game) -> Any:
    """The true value of a state to a player, by brute force."""
    known: dict[Any, float] = {}

    def value(state: Any) -> float:
        if state not in known:
            if game.is_terminal(state):
                known[state] = game.utility(state, 0)
            else:
                values = [value(game.result(state, action)) for action in game.actions(state)]
                known[state] = max(values) if game.to_move(state) == 0 else min(values)
        return known[state]

    return lambda state, player: value(state) if player == 0 else -value(state)


GAME = plies.TicTacToe()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.evaluation.judged.COST_SECONDS", 0.002)


@pytest.fixture(scope="module")
def true() -> Any:
    return truth(GAME)


def judged(evaluate: Any, **more: Any) -> Judgement:
    start = GAME.parse_position("15")
    return judge_evaluation(GAME, start, evaluate=evaluate, **{"positions": 40, "seed": 3, **more})


def test_the_true_value_has_correlation_1_its_opposite_minus_1(true: Any) -> None:
    best = judged(true)
    assert (best.spearman, best.kendall) == ((1, 1, 1), (1, 1, 1))
    assert best.calibration_error == 0
    assert best.proved == 40
    worst = judged(lambda state, player: -true(state, player))
    assert (worst.spearman, worst.kendall) == ((-1, -1, -1), (-1, -1, -1))
    assert worst.calibration_error > 0.2


def test_a_random_evaluation_has_a_correlation_of_about_0() -> None:
    rng = random.Random(8)
    found = judged(lambda state, player: rng.random(), positions=150)
    assert found.spearman is not None
    assert found.spearman.low < 0 < found.spearman.high
    assert abs(found.spearman.value) < 0.25


def test_the_game_s_own_evaluation_lies_between_and_playouts_do_better() -> None:
    own, playouts = judged(None), judged("rollouts:40")
    assert own.spearman is not None
    assert playouts.spearman is not None
    assert 0 < own.spearman.value < playouts.spearman.value < 1
    assert own.costs["interpreted"].ratio is not None
    assert playouts.costs["interpreted"].seconds > own.costs["interpreted"].seconds


def test_samples_are_the_same_by_seed_and_of_any_player(true: Any) -> None:
    first, again, other = (judged(true, positions=8, seed=seed) for seed in (1, 1, 2))
    assert first.samples == again.samples != other.samples
    for sample in first.samples:
        state = GAME.parse_position(sample.position)
        assert sample.value == sample.evaluation == true(state, GAME.to_move(state))
    small = plies.ConnectFour(4, 4)
    at_random, by_reflex = (
        judge_evaluation(small, positions=8, depth=1, plies=16, by=by) for by in ("random", "reflex")
    )
    assert at_random.samples != by_reflex.samples
    assert "games by reflex, seed 0" in str(by_reflex)


def test_values_of_searches_that_prove_nothing_are_told_apart() -> None:
    game = plies.ConnectFour()
    found = judge_evaluation(game, positions=6, depth=2, plies=8)
    assert not any(sample.proved for sample in found.samples if sample.ply < 4)
    assert "searched 2.0 plies deep on average" in str(found)


def test_buckets_hold_all_positions_in_order() -> None:
    rng = random.Random(2)
    result = Judgement(GAME, 200, 0, "random")
    for _ in range(200):
        chance = rng.random()
        value = 1.0 if rng.random() < chance else -1.0
        result.samples.append(Sample("", 0, round(2 * chance - 1, 1), value, True, 1))
    buckets = result.buckets
    assert sum(bucket.positions for bucket in buckets) == 200
    assert [bucket.evaluation for bucket in buckets] == sorted(bucket.evaluation for bucket in buckets)
    assert len(buckets) <= 10
    assert result.calibration_error < 0.1  # EVAL is the expected value
    for bucket in buckets:
        assert bucket.score is not None
        assert bucket.score == pytest.approx((bucket.value + 1) / 2)  # no draws
    assert Judgement(GAME, 5, 0, "random").buckets == []


def test_equal_values_have_no_correlation() -> None:
    found = judged(lambda state, player: 0.0, positions=5)
    assert found.spearman is None
    assert found.kendall is None
    assert "unknown: all values are equal" in str(found)
    assert found.to_dict()["spearman"] is None


def test_dice_one_player_and_several_are_judged() -> None:
    for game in (plies.Pig(target=10), plies.PegSolitaire("triangle"), plies.Pacman("cell", limit=6)):
        found = judge_evaluation(game, positions=4, nodes=200, plies=6)
        assert len(found.samples) == 4
        assert ("won" in str(found)) == (game.players == 2)


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(plies.PliesError, match="nim has no evaluation to judge"):
        judge_evaluation(plies.Nim())
    with pytest.raises(plies.Unsuitable, match="judging an evaluation"):
        judge_evaluation(plies.Goofspiel())
    with pytest.raises(plies.BadParameter, match="positions must be between 1 and 20,000, not 0"):
        judge_evaluation(GAME, positions=0)
    with pytest.raises(plies.PliesError, match="not human"):
        judge_evaluation(GAME, by="human")
    with pytest.raises(plies.PliesError, match="is not a number"):
        judged(lambda state, player: math.nan)


def test_ctrl_c_keeps_the_positions_so_far() -> None:
    def tell(result: Judgement) -> None:
        if len(result.samples) == 3:
            raise KeyboardInterrupt

    found = judge_evaluation(GAME, positions=50, tell=tell)
    assert found.stopped
    assert len(found.samples) == 3
    assert "3 of 50 positions" in str(found)
    assert "stopped by Ctrl-C" in str(found)


# -- What was learned.


def test_weights_and_networks_of_a_training_are_loaded(tmp_path: Path) -> None:
    training = WeightsTraining(GAME, games=20, seed=1)
    training.go(measured=False)
    training.save(tmp_path / "weights.npz")
    game, evaluate = load_evaluation(GAME, tmp_path / "weights.npz")
    assert evaluate is None
    assert list(game.weights) == training.weights != list(GAME.weights)  # type: ignore[attr-defined]
    with pytest.raises(plies.PliesError, match="has weights for TicTacToe"):
        load_evaluation(plies.ConnectFour(), tmp_path / "weights.npz")
    learner = NetworkTraining(GAME, games=5, hidden=3, seed=1)
    learner.go(measured=False)
    learner.save(tmp_path / "network.npz")
    game, evaluate = load_evaluation(GAME, tmp_path / "network.npz")
    assert evaluate is not None
    state = GAME.parse_position("15")
    assert evaluate(state, 0) == -evaluate(state, 1) != 0
    with pytest.raises(plies.PliesError, match="it has 1 inputs, not 20"):
        load_evaluation(plies.Othello(), tmp_path / "network.npz")


# -- The command.


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "tic-tac-toe", "X../.O./...", "--player", "o", "--actions"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("tic-tac-toe, X to move: EVAL for O\n")
    assert "open lines" in out
    assert run(["eval", "tic-tac-toe", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["terms"][0]["name"] == "open lines"
    assert run(["eval", "tic-tac-toe", "--player", "Z"]) == 2
    assert "--player must be 1 to 2 or one of X, O, not 'Z'" in capsys.readouterr().err


def test_the_command_judges(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["eval", "tic-tac-toe", "--judge", "5", "--evaluate", "rollouts:3", "--seed", "4"]) == 0
    assert "EVAL on 5 positions of random games, seed 4" in capsys.readouterr().out
    assert run(["eval", "tic-tac-toe", "--judge", "5", "--json", "--depth", "2"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (len(data["samples"]), data["planned"]) == (5, 5)
    own = tmp_path / "own.py"
    own.write_text("def evaluate(state, player):\n    return 0.125\n")
    assert run(["eval", "tic-tac-toe", "--evaluate", f"{own}:evaluate"]) == 0
    assert "+0.125" in capsys.readouterr().out
    assert run(["eval", "tic-tac-toe", "--judge", "5", "--actions"]) == 2
    assert run(["eval", "tic-tac-toe", "--evaluate", str(tmp_path / "none.npz")]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_an_evaluation_that_is_no_number_is_said_to_be_broken() -> None:
    class Bad(plies.Nim):
        def evaluate(self, state: Any, player: int) -> float:
            return float("nan")

    with pytest.raises(plies.BrokenRule, match=r"^evaluate\(\) for player 0 is nan in the state"):
        plies.explain_evaluation(Bad())
    assert "nan (depth)" in str(plies.trace(Bad(), algorithm="minimax", depth=1))
