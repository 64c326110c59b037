"""Strategies where positions come up again: verified against brute force, kept in files, and played."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import graphs
import plies
from plies import Strategy, verify
from plies.book.verify import Replies
from test_cli import program
from test_probing import ladder

pytestmark = pytest.mark.plain

MU_TORERE = "examples/mu_torere.py:MuTorere"


class Named(graphs.TimelessRound):
    """A graph whose positions can be written."""

    compiled = False

    def position(self, state: graphs.Spot) -> str:
        return f"{state.node} {state.clock}"

    def parse_position(self, text: str) -> graphs.Spot:
        return graphs.Spot(*map(int, text.split()))


class Answers:
    """Some answer or other for each node."""

    def __init__(self, game: Any, state: Any, player: int, chance: random.Random) -> None:
        self.game, self.state, self.player, self.value = game, state, player, -1
        self.answers = {node: chance.random() for node in range(len(game.movers))}

    def action(self, state: Any) -> Any:
        actions = list(self.game.actions(state))
        return actions[int(self.answers[state.node] * len(actions))]


def worst_by_brute_force(game: Any, answers: Any, state: Any, path: frozenset[int]) -> tuple[float, int]:
    """The worst outcome along all paths that repeat nothing, and the longest of these."""
    if game.is_terminal(state):
        return float(game.utility(state, answers.player)), 0
    if state.node in path:
        return 0.0, 0
    mine = game.to_move(state) == answers.player
    actions = [answers.action(state)] if mine else list(game.actions(state))
    found = [
        worst_by_brute_force(game, answers, game.result(state, action), path | {state.node})
        for action in actions
    ]
    return min(utility for utility, _ in found), 1 + max(plies for _, plies in found)


def test_the_worst_outcome_on_random_graphs() -> None:
    endless = late = 0
    for seed in range(300):
        chance = random.Random(seed)
        game = graphs.random_graph(graphs.Round, chance, 8)
        answers = Answers(game, graphs.Spot(0, 0), chance.randrange(2), chance)
        worst, _ = worst_by_brute_force(game, answers, answers.state, frozenset())
        verdict = verify(game, answers, value=-2)
        assert verdict.utility == worst, seed
        endless += not verdict.utility and verdict.line != []
        clocked = graphs.random_graph(graphs.TimelessRound, chance, 6)
        start = graphs.Spot(0, chance.randint(1, int(clocked.full[0])))
        answers = Answers(clocked, start, chance.randrange(2), chance)
        worst, _ = worst_by_brute_force(clocked, answers, start, frozenset())
        replies = Replies(clocked, answers, answers.player, 100)
        found = replies.worst(start).utility
        assert found <= worst, seed  # no clock saves or costs it anything but a win
        late += found < worst
    assert endless > 20
    assert late > 0


@pytest.mark.parametrize("kind", [graphs.Round, Named])
def test_strategies_of_both_players_hold(kind: type[Any], tmp_path: Path) -> None:
    kept = 0
    for seed in range(40):
        game = graphs.random_graph(kind, random.Random(seed), 7)
        game.compiled = False
        solution = plies.solve(game)
        if not solution.solved:
            continue
        for player in (0, 1):
            strategy = solution.strategy(player)
            verdict = verify(game, strategy)
            assert verdict, (seed, verdict.reason)
            assert verdict.utility == strategy.value.utility
            if verdict.utility:
                assert verdict.plies == strategy.value.plies
            if kind is Named and len({*map(tuple, game.arrows.tolist())}) == len(game.arrows):
                file = tmp_path / "strategy.json"
                strategy.save(file)
                loaded = Strategy.load(file, game)
                assert loaded.value == strategy.value
                assert loaded.reached == verdict.positions
                kept += 1
    assert kind is graphs.Round or kept > 10


def test_a_win_must_not_go_round_in_circles() -> None:
    game = plies.game(MU_TORERE)
    database = plies.make_database(game)
    state = database.state(database.longest()[0])
    player, plies_to_win = game.to_move(state), 5
    strategy = plies.solve(game, state).strategy()
    assert (strategy.value.utility, strategy.value.plies) == (1, plies_to_win)
    assert verify(game, strategy)

    class Waiting(Strategy):
        """Takes the slowest way that wins, which need not end."""

        def action(self, here: Any) -> Any:
            return max(
                (entry.plies or 0, action)
                for action, entry in database.actions(here)
                if entry.utility == (1 if player == 0 else -1)
            )[1]

    verdict = verify(game, Waiting(game, state, player, strategy.value))
    if not verdict:
        assert verdict.utility == 0 or verdict.plies > plies_to_win


def test_a_clock_may_end_the_game_first() -> None:
    game = ladder(graphs.TimelessRound, 8)
    strategy = plies.solve(game, graphs.Spot(0, 6)).strategy()
    assert (str(strategy.value), verify(game, strategy).holds) == ("win in 5", True)
    verdict = verify(game, strategy, graphs.Spot(0, 3))
    assert (verdict.holds, verdict.utility) == (False, 0)
    assert verdict.reason == (
        "the claim is 1, but the outcome may be 0: the game may take 5 plies, and the clock leaves 3"
    )
    solution = plies.solve(game, graphs.Spot(0, 3))
    assert solution.reason == "the end is 5 plies away, and the clock leaves 3"
    with pytest.raises(plies.PliesError, match="the value is not known"):
        solution.strategy()


# -- In the program.


def test_solve_verify_and_play(tmp_path: Path) -> None:
    file = tmp_path / "strategy.json"
    done = program("solve", MU_TORERE, "--strategy", str(file))
    assert done.code == 0
    assert "value      draw, proved\n" in done.out
    answers = len(json.loads(file.read_text())["actions"])
    assert f"strategy   {answers} answers, in {file}\n" in done.out
    done = program("verify", MU_TORERE, str(file))
    assert done.code == 0
    assert "value      draw, against the best replies\n" in done.out
    assert f"answers    {answers}\n" in done.out
    facts = json.loads(program("verify", MU_TORERE, str(file), "--json").out)
    assert (facts["value"]["utility"], facts["answers"]) == (0, answers)
    assert facts["positions"] > answers
    done = program("verify", "nim", str(file))
    assert done.code == 2
    assert "is for MuTorere(), not for Nim" in done.error


def test_a_strategy_takes_a_seat(tmp_path: Path) -> None:
    file = tmp_path / "A Strategy, kept.json"
    program("solve", "nim", "heaps=1,2", "--strategy", str(file), "--memory", "1")
    for words in (f"strategy:'{file}',random", f'Strategy: "{file}",random'):
        done = program("play", "nim", "heaps=1,2", "--players", words, "--seed", "1", "--plain")
        assert done.code == 0, done.error
    done = program("play", "nim", "heaps=1,2", "--players", f"random,strategy:'{file}'", "--plain")
    assert "the strategy is for" in done.error
    done = program("play", "nim", "heaps=1,2", "--players", "strategy:/no/such,random")
    assert "'/no/such' cannot be read: No such file" in done.error
    done = program("play", "tic-tac-toe", "--players", f"strategy:'{file}',random")
    assert "not for TicTacToe()" in done.error


def test_a_refutation_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "strategy.json"
    plies.solve(plies.Nim((2, 1)), memory=1).strategy().save(file)
    content = json.loads(file.read_text())
    file.write_text(json.dumps({**content, "actions": ["1:2"]}))
    done = program("verify", "nim", str(file), "heaps=2,1")
    assert done.code == 2
    assert "it claims 1, but its outcome may be -1, as after 1:2 2:1" in done.error
