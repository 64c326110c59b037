"""OpenSpiel, both ways: our games judged by its tests and its own games, its games searched by us."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import plies
from plies.check import check_game
from plies.cli import run

pyspiel = pytest.importorskip("pyspiel", reason="this needs OpenSpiel: pip install open_spiel")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts  # noqa: E402
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy  # noqa: E402

from plies.interop.open_spiel import register  # noqa: E402

pytestmark = pytest.mark.plain

SMALLER: dict[str, dict[str, Any]] = {
    "go": {"size": 3},
    "gomoku": {"size": 5},
    "renju": {"size": 5},
    "pacman": {"limit": 10},
    "pig": {"target": 20},
    "quoridor": {"size": 3},
}
LONG = ("backgammon", "chess")
FITTING = [name for name in plies.game_names() if name not in LONG]


# -- Our games there.


@pytest.mark.parametrize("name", FITTING)
def test_open_spiel_finds_no_fault(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Its own simulation tests: legal actions, clones, serialization, observations, returns, utility sums."""
    loaded = pyspiel.load_game(register(name, **SMALLER.get(name, {})))
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
def test_open_spiel_finds_no_fault_in_long_games(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(register(name)), num_sims=2, serialize=True, verbose=False)


def test_games_that_do_not_fit_are_refused() -> None:
    with pytest.raises(plies.Unsuitable, match=r"^echo does not state how many move indices"):
        register("examples/echo.py:Echo")


def test_parameters_are_open_spiels() -> None:
    name = register("connect-four", width=5)
    assert name == "plies_connect_four"
    assert pyspiel.load_game(name).plies_game.width == 5
    other = pyspiel.load_game("plies_connect_four(width=4,height=4)")
    assert (other.plies_game.width, other.plies_game.height) == (4, 4)
    assert other.num_distinct_actions() == 4
    again = pickle.loads(pickle.dumps(other))
    assert (again.plies_game.width, str(again)) == (4, str(other))
    state = other.new_initial_state()
    state.apply_action(state.legal_actions()[1])
    assert str(pickle.loads(pickle.dumps(state))) == str(state) != str(other.new_initial_state())


def kalah(state: Any, index: int) -> int:
    return index + (1 if state.current_player() == 0 else 8)


def nim(state: Any, index: int) -> int:
    """The action of the same words: "pile:2, take:3;"."""
    heap, taken = divmod(index, 7)
    wanted = f"pile:{heap + 1}, take:{taken + 1};"
    return next(a for a in state.legal_actions() if state.action_to_string(a) == wanted)


@pytest.mark.parametrize(
    ("ours", "parameters", "theirs", "translate"),
    [
        ("tic-tac-toe", {}, "tic_tac_toe", lambda _, index: index),
        ("connect-four", {}, "connect_four", lambda _, index: index),
        ("othello", {}, "othello", lambda _, index: index),
        ("kalah", {"seeds": 4}, "mancala", kalah),
        ("nim", {"heaps": (1, 3, 5, 7)}, "nim(is_misere=False)", nim),
        ("nim", {"heaps": (1, 3, 5, 7), "misere": True}, "nim(is_misere=True)", nim),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_games_are_the_same_as_open_spiels_own(
    ours: str, parameters: dict[str, Any], theirs: str, translate: Callable[[Any, int], int]
) -> None:
    """On random games: who is to move, which moves are legal, when it is over, who has won."""
    mine, other = pyspiel.load_game(register(ours, **parameters)), pyspiel.load_game(theirs)
    generator = random.Random(5)
    for _ in range(12):
        one, two = mine.new_initial_state(), other.new_initial_state()
        while not one.is_terminal():
            assert one.current_player() == two.current_player()
            actions = {translate(two, index): index for index in one.legal_actions()}
            assert sorted(actions) == two.legal_actions()
            chosen = generator.choice(sorted(actions))
            one.apply_action(actions[chosen])
            two.apply_action(chosen)
        assert two.is_terminal()
        assert np.sign(one.returns()).tolist() == np.sign(two.returns()).tolist()


def test_goofspiel_is_the_same_as_open_spiels_own() -> None:
    mine = pyspiel.load_game(register("goofspiel", cards=4, prizes="random"))
    other = pyspiel.load_game("goofspiel(num_cards=4,points_order=random,returns_type=point_difference)")
    generator = random.Random(7)
    for _ in range(10):
        one, two = mine.new_initial_state(), other.new_initial_state()
        while not two.is_terminal():
            if two.is_chance_node():
                outcomes = dict(two.chance_outcomes())
                prize = generator.choice(sorted(outcomes))
                two.apply_action(prize)
                if one.is_chance_node():  # the last prize is none of chance's here
                    names = {one.action_to_string(a): (a, chance) for a, chance in one.chance_outcomes()}
                    action, chance = names[str(prize + 1)]
                    assert (len(names), chance) == (len(outcomes), pytest.approx(outcomes[prize]))
                    one.apply_action(action)
                continue
            legal = [two.legal_actions(player) for player in range(2)]
            assert [one.legal_actions(player) for player in range(2)] == [[a + 1 for a in x] for x in legal]
            bids = [generator.choice(choices) for choices in legal]
            two.apply_actions(bids)
            one.apply_actions([bid + 1 for bid in bids])
        if not one.is_terminal():  # the last cards, which theirs plays by itself
            one.apply_actions([one.legal_actions(player)[0] for player in range(2)])
        assert one.returns() == [2 * share for share in two.returns()]  # theirs is less the mean of both


def test_its_algorithms_run_on_our_games() -> None:
    """CFR finds what the game is worth; the policy evaluation and MCTS agree."""
    game = pyspiel.load_game(register("nim", heaps=(1, 2)))  # the first player wins
    solver = cfr.CFRSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.exploitability(game, average) < 0.05
    values = expected_game_score.policy_value(game.new_initial_state(), [average] * 2)
    assert values == pytest.approx([1, -1], abs=0.1)
    assert plies.solve(plies.Nim((1, 2))).value.utility == 1
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 100, evaluator, solve=True, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    assert state.action_to_string(bot.step(state)) == "2:1"


def test_its_policies_are_evaluated_with_dice() -> None:
    game = pyspiel.load_game(register("tree", tree={"player": "chance", "children": [[1, 3], [5, 9]]}))
    uniform = UniformRandomPolicy(game)
    assert expected_game_score.policy_value(game.new_initial_state(), [uniform] * 2)[0] == pytest.approx(4.5)
    assert len(TabularPolicy(game).states) == 2


# -- Its games here.


def test_a_game_of_theirs_is_searched_and_proved() -> None:
    game = plies.game("openspiel:tic_tac_toe")
    assert [plies.perft(game, depth) for depth in (1, 2, 3, 4)] == [9, 72, 504, 3024]
    found = plies.search(game, game.parse_position("x(1,1) o(0,1)"), depth=7)
    assert (str(found.value), found.value.proved) == ("win in 5", True)
    piles = plies.game("openspiel:nim(pile_sizes=1;2;3,is_misere=False)")
    assert (plies.solve(piles).value.utility, plies.solve(plies.Nim((1, 2, 3))).value.utility) == (-1, -1)


def test_a_game_of_theirs_is_traced_and_shown() -> None:
    game = plies.game("openspiel:tic_tac_toe")
    state = game.parse_position("x(1,1) o(0,0) x(0,2) o(2,0) x(1,0) o(1,2)")
    traced = plies.trace(game, state, algorithm="minimax")
    assert traced.value == 0
    assert traced.to_json()
    assert game.text(state) == str(state.spiel)
    assert game.parse_position(game.position(state)) == state


def test_matrix_games_and_dice_of_theirs() -> None:
    found = plies.search(plies.game("openspiel:matrix_rps"))
    assert found.value.utility == 0
    catch = plies.game("openspiel:catch(rows=3,columns=2)")
    assert catch.stochastic
    assert catch.players == 1
    states = [catch.result(catch.initial(), outcome) for outcome, _ in catch.chance(catch.initial())]
    assert [plies.book.expectiminimax(catch, state).value for state in states] == [1, 1]


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim", "matrix_pd", "matching_pennies_3p", "catch"])
def test_check_game_finds_no_fault_in_theirs(name: str) -> None:
    assert not check_game(plies.game(f"openspiel:{name}"), games=2).problems


def test_there_and_back() -> None:
    """A game of ours, registered there, is the same game here."""
    ours = plies.ConnectFour(4, 4)
    back = plies.game(f"openspiel:{register(ours)}")
    assert [plies.perft(back, depth) for depth in range(1, 5)] == [
        plies.perft(ours, depth) for depth in range(1, 5)
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("kuhn_poker", "kuhn_poker of OpenSpiel has hidden information, and every rule of Plies sees the"),
        ("mfg_crowd_modelling", "mfg_crowd_modelling of OpenSpiel is a mean-field game"),
        ("stones_and_gems", "stones_and_gems of OpenSpiel draws by chance without saying how likely"),
        ("chezz", "OpenSpiel has no game 'chezz'"),
        ("go(board_size=x)", r"OpenSpiel cannot make 'go\(board_size=x\)': Wrong type for parameter"),
        ("", "a game of OpenSpiel is named by its game string, as in openspiel:hex"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(name: str, words: str) -> None:
    with pytest.raises(plies.PliesError, match=words):
        plies.game(f"openspiel:{name}")


def test_moves_that_cannot_be_read() -> None:
    game = plies.game("openspiel:tic_tac_toe")
    assert game.parse_action(game.initial(), " X (1, 1) ") == game.parse_action(game.initial(), "#4") == 4
    with pytest.raises(plies.IllegalMove, match="'#9' is not a legal move; legal moves: x"):
        game.parse_action(game.initial(), "#9")
    with pytest.raises(plies.BadPosition, match="reading '#4 #4' as moves"):
        game.parse_position("#4 #4")
    chess = plies.game("openspiel:chess")
    state = chess.parse_position("d4 e6 Nc3 Bb4 Bd2 Bxc3")
    for name in ("bxc3", "Bxc3"):
        assert chess.notation(state, chess.parse_action(state, name)) == name
    with pytest.raises(plies.IllegalMove, match="'BXC3' is more than one move; give its number: #"):
        chess.parse_action(state, "BXC3")


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["best", "openspiel:tic_tac_toe", "x(1,1) o(0,1)", "--depth", "5"]) == 0
    assert re.search(r"value +win in 5", capsys.readouterr().out)
    assert run(["perft", "openspiel:liars_dice", "2"]) != 0
    refused = capsys.readouterr().err
    assert refused.startswith("plies: liars_dice of OpenSpiel has hidden information")
    assert "Traceback" not in refused
