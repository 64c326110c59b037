"""Roll-outs as EVAL: their mean, their error, their repeatability, and where they are given."""

from __future__ import annotations

import math
import random

import pytest

import plies
from plies.book.rollouts import evaluation_of, playout, rollout_evaluation
from plies.cli import run
from plies.players import parse_player

pytestmark = pytest.mark.plain


def expected(game: plies.Game, state: object, player: int) -> float:
    """What uniformly random play gives a player, by brute force."""
    if game.is_terminal(state):
        return game.utility(state, player)
    children = [expected(game, game.result(state, action), player) for action in game.actions(state)]
    return sum(children) / len(children)


@pytest.mark.parametrize("position", ["X.O/OXX/..O", "XO./.X./..O", "X../.O./..X"])
def test_the_mean_tends_to_what_random_play_expects(position: str) -> None:
    game = plies.TicTacToe()
    state = game.parse_position(position)
    evaluate = rollout_evaluation(game, playouts=2_000, seed=4)
    for player in (0, 1):
        assert abs(evaluate(state, player) - expected(game, state, player)) < 4 / math.sqrt(2_000)


def test_it_depends_on_seed_and_state_alone_and_sums_to_zero() -> None:
    game = plies.TicTacToe()
    states = [game.parse_position(moves) for moves in ("1", "15", "159", "1593")]
    one, same = (rollout_evaluation(game, playouts=5, seed=7) for _ in range(2))
    other = rollout_evaluation(game, playouts=5, seed=8)
    values = [one(state, 0) for state in states]
    assert values == [same(state, 0) for state in reversed(states)][::-1]
    assert values == [-one(state, 1) for state in states]
    assert values != [other(state, 0) for state in states]


def test_minimax_and_alpha_beta_agree_with_rollouts_at_the_cut_off() -> None:
    game = plies.TicTacToe()
    evaluate = rollout_evaluation(game, playouts=3)
    for moves in ("1", "15", "152"):
        state = game.parse_position(moves)
        full = plies.book.minimax(game, state, depth=2, evaluate=evaluate)
        assert plies.book.alpha_beta(game, state, depth=2, evaluate=evaluate).value == full.value
        assert plies.book.minimax(game, state, depth=2, evaluate="rollouts:3").value == full.value
    own = plies.book.minimax(game, state, depth=2).value
    assert own != full.value


def test_dice_and_any_number_of_players_are_played_out() -> None:
    pig = plies.Pig(target=10)
    evaluate = rollout_evaluation(pig, playouts=50)
    ahead, behind = (pig.parse_position(text) for text in ("9/0 1+2", "0/9 1+2"))
    assert evaluate(ahead, 0) > evaluate(behind, 0)
    assert evaluate(ahead, 0) == -evaluate(ahead, 1)
    pirates = plies.Pirates(pirates=3, coins=2)
    found = plies.book.max_n(pirates, depth=1, evaluate="rollouts:4").value
    assert len(found) == 3


def test_a_game_s_own_playouts_are_played_and_long_ones_are_cut_short() -> None:
    class Straight(plies.SumToTwo):
        def playout(self, state, random, last, before):  # type: ignore[no-untyped-def]
            return max(self.actions(state))

    game = Straight()
    state = game.initial()
    evaluate = rollout_evaluation(game, playouts=3)
    while not game.is_terminal(state):
        straight = evaluate(state, 0)
        state = game.result(state, max(game.actions(state)))
    assert straight == evaluate(game.initial(), 0) == game.utility(state, 0)
    chess = plies.Chess()
    queens = chess.parse_position("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1")
    assert playout(chess, queens, 0, random.Random(1), 1) > 0.1  # by the game's own evaluation


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("luck", "there is no evaluation 'luck'; there is rollouts"),
        ("rollouts:many", "after rollouts: comes a number of playouts, not 'many'"),
        ("rollouts:0", "playouts must be a whole number from 1 on, not 0"),
    ],
)
def test_words_that_name_no_evaluation(text: str, why: str) -> None:
    with pytest.raises(plies.BadParameter, match=why):
        evaluation_of(plies.TicTacToe(), text)


def test_words_give_them_to_traces_and_players(capsys: pytest.CaptureFixture[str]) -> None:
    game = plies.TicTacToe()
    state = game.parse_position("152")
    found = plies.book.minimax(game, state, depth=1, evaluate="rollouts:3", player=0)
    words = ["tic-tac-toe", "1 5 2", "--depth", "1", "--algorithm", "minimax", "--json"]
    assert run(["trace", *words, "--option", "evaluate=rollouts:3"]) == 0
    assert f'"value": {found.value}' in capsys.readouterr().out
    player = parse_player("book:alpha-beta:1:evaluate=Rollouts:3")
    assert player.choose(game, state) in list(game.actions(state))
    assert run(["trace", *words, "--option", "evaluate=rollouts:none"]) == 2
    assert "comes a number of playouts" in capsys.readouterr().err


def test_players_who_move_at_once_are_refused() -> None:
    with pytest.raises(plies.Unsuitable, match="an evaluation by playouts"):
        rollout_evaluation(plies.Goofspiel())
