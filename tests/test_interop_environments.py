"""PettingZoo and Gymnasium: games as environments, judged by the checkers of these libraries."""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import plies
from plies.check import check_game
from plies.games import backgammon_plays as plays
from plies.games import checkers_board
from plies.interop.indexed_play import IndexedPlay
from plies.interop.observations import Observer

gymnasium = pytest.importorskip("gymnasium", reason="environments need Gymnasium: pip install gymnasium")
pettingzoo = pytest.importorskip("pettingzoo", reason="environments need PettingZoo: pip install pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from plies.interop.gymnasium import Environment as GymEnvironment  # noqa: E402
from plies.interop.pettingzoo import env  # noqa: E402

pytestmark = pytest.mark.plain

REFUSED = {"tree"}
SMALLER: dict[str, dict[str, Any]] = {"go": {"size": 5}, "renju": {"size": 7}, "quoridor": {"size": 3}}
FITTING = [name for name in plies.game_names() if name not in REFUSED]


def test_which_games_are_refused_and_why() -> None:
    with pytest.raises(plies.Unsuitable, match=r"^unnumbered does not state how many move indices it has"):
        env(Unnumbered())
    with pytest.raises(plies.Unsuitable, match=r"^tree has nothing that a learner could observe"):
        GymEnvironment("tree")


@pytest.mark.parametrize("name", FITTING)
def test_pettingzoo_finds_no_fault(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation|We recommend|Agent's")
        warnings.filterwarnings("ignore", ".*pkg_resources.*")
        api_test(env(name, **SMALLER.get(name, {})), num_cycles=15)
    seed_test(lambda: env(name, **SMALLER.get(name, {})), num_cycles=10)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", FITTING)
@pytest.mark.filterwarnings("ignore:.*spec|.*infinity:UserWarning")
def test_gymnasium_finds_no_fault(name: str) -> None:
    last = plies.game(name).players - 1
    check_env(GymEnvironment(name, player=last, render_mode="ansi", **SMALLER.get(name, {})))


def test_gymnasium_makes_it_by_name() -> None:
    made = gymnasium.make("plies.interop.gymnasium:Plies-v0", game="connect-four", opponent="random:1")
    observation, info = made.reset(seed=1)
    assert observation.shape == (4, 7, 7)
    assert np.flatnonzero(info["action_mask"]).tolist() == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("name", FITTING)
def test_rewards_and_moves_are_those_of_the_game(name: str) -> None:
    """A random game, beside the same game played by `History`."""
    made = env(name, **SMALLER.get(name, {}))
    made.reset(seed=3)
    game, generator = made.game, random.Random(3)
    beside, chosen, total = plies.History(game, made.position), [], dict.fromkeys(made.possible_agents, 0.0)
    while made.agents and len(beside.actions) < 60:
        agent = made.agent_selection
        player = made.possible_agents.index(agent)
        observation, reward, over, _, _ = made.last()
        total[agent] += reward
        if over:
            made.step(None)
            continue
        at_once = game.to_move(beside.state) == plies.SIMULTANEOUS
        legal = list(game.choices(beside.state, player)) if at_once else beside.legal()
        by_index = {game.action_index(beside.state, action): action for action in legal}
        assert set(by_index) == set(np.flatnonzero(observation["action_mask"]).tolist())
        index = generator.choice(sorted(by_index))
        made.step(index)
        if at_once:
            chosen.append(by_index[index])
            if len(chosen) < game.players:
                continue
            by_index[index], chosen = tuple(chosen), []
        beside.play(by_index[index])
        while not beside.over and game.to_move(beside.state) == plies.CHANCE:
            one = [o for o in beside.legal() if game.result(beside.state, o) == made.position]
            beside.play(one[0])
        assert beside.state == made.position
    if beside.over:
        assert list(total.values()) == [beside.utility(player) for player in range(game.players)]


def test_every_play_of_backgammon_and_every_jump_of_checkers_has_an_index() -> None:
    for indices, count in ((checkers_board.indices(), 1426), (plays.indices(), 24_076)):
        assert sorted(indices.values()) == list(range(count))
    assert (plies.Checkers.move_indices, plies.Backgammon.move_indices) == (1426, 24_076)
    game = plies.Checkers()
    state = game.parse_position("W:WK4:B8,7,6,14,15,16,22,23,24")  # nine jumps, along nine paths
    assert max(jump >> 6 for jump in game.actions(state)).bit_length() == 19
    assert len(IndexedPlay(game, state).moves[1]) == len(list(game.actions(state))) == 9
    game = plies.Backgammon()
    state = game.parse_position("4HPwATDgc/ABMA X 11")
    assert len(IndexedPlay(game, state).moves[0]) == len(list(game.actions(state)))


def test_an_illegal_move_loses() -> None:
    made = env("tic-tac-toe")
    made.reset()
    made.step(4)
    made.step(4)
    assert made.terminations == {"player_0": True, "player_1": True}
    assert made.rewards == {"player_0": 0.0, "player_1": -1}
    alone = GymEnvironment("tic-tac-toe")
    _, info = alone.reset(seed=0)
    _, reward, terminated, truncated, _ = alone.step(0)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["action_mask"].tolist() == [1] * 9  # of the time before
    assert alone.step(0)[1:4] == (-1.0, True, False)


def test_nobody_sees_what_is_chosen_at_once() -> None:
    made = env("goofspiel", cards=3)
    made.reset()
    before = made.observe("player_1")["observation"]
    assert not made.observe("player_1")["action_mask"].any()
    made.step(3)
    assert made.agent_selection == "player_1"
    assert (made.observe("player_1")["observation"] == before).all()
    made.step(1)
    assert made.position.points == (3, 0)


def test_a_seat_without_a_move_is_refused() -> None:
    """The second of two pirates never votes: the captain is half of those alive."""
    with pytest.raises(plies.Unsuitable, match="player 1 of pirates has no move before the others end"):
        GymEnvironment("pirates", player=1, pirates=2, coins=1).reset(seed=1)


def test_the_opponent_can_be_any_player() -> None:
    """Alpha-beta to the end does not lose Tic-Tac-Toe to random moves."""
    made = GymEnvironment("tic-tac-toe", opponent="book:alpha-beta", player=1)
    generator, rewards = random.Random(1), []
    for game in range(2):
        _, info = made.reset(seed=game)
        over = False
        while not over:
            action = generator.choice(np.flatnonzero(info["action_mask"]).tolist())
            _, reward, over, _, info = made.step(action)
        rewards.append(reward)
    assert max(rewards) <= 0


def test_planes_are_the_bits_of_a_position() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("1 5 9")
    seen = Observer(game)(state, 1)
    assert seen.dtype == np.int8
    assert seen.tolist() == [[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0], [0, 0, 1]]]


@pytest.mark.parametrize("name", ["go", "quoridor"])
def test_planes_of_a_large_board(name: str) -> None:
    """Beyond the 63 bits of a word: the highest cell."""
    game = plies.game(name, size=19 if name == "go" else 9)
    state = game.parse_position("T19") if name == "go" else game.initial()
    seen = Observer(game)(state, 0)
    if name == "go":
        assert np.argwhere(seen[0]).tolist() == [[18, 18]]
    else:
        assert (np.argwhere(seen[0]).tolist(), np.argwhere(seen[1]).tolist()) == ([[0, 4]], [[8, 4]])
        assert seen[4].sum() == seen[5].sum() == 10


def test_without_planes_the_encoding_or_the_features_are_seen() -> None:
    game = plies.Pacman()
    state = game.initial()
    assert Observer(game)(state, 0).tolist() == pytest.approx(list(game.features(state)))
    assert Observer(game)(state, 1).tolist() == pytest.approx([-x for x in game.features(state)])


class Unnumbered(plies.TicTacToe):
    """It does not say how many indices there are."""

    move_indices = 0


class Colliding(plies.Nim):
    """Two actions of a state have the same index."""

    def move_index(self, state: Any, action: int) -> int:
        return 0


class Beyond(plies.Nim):
    """An index that is not below their number."""

    def move_index(self, state: Any, action: int) -> int:
        return super().move_index(state, action) + 1


class Changing(plies.Nim):
    """Not always as many planes."""

    def planes(self, state: Any, player: int) -> Any:
        return (1,) * (1 + state.player)


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        (Colliding(), "move_index() is the same for two actions of a state"),
        (Beyond(), "move_index() is not always below the 15 there are"),
        (Changing(), "planes() gives 2 planes, and 1 at first"),
    ],
)
def test_check_game_finds_what_learners_would_trip_over(game: plies.Game, problem: str) -> None:
    game.compiled = False
    assert problem in str(check_game(game, games=1))


def test_broken_indices_are_not_played() -> None:
    with pytest.raises(plies.BrokenRule, match=r"move_index\(\) of 2 is 0, that of another action, too"):
        IndexedPlay(Colliding())
    with pytest.raises(plies.BrokenRule, match=r"is 15, not below 15"):
        IndexedPlay(Beyond())
    with pytest.raises(plies.BrokenRule, match="gives 2 planes, and not 1 as at first"):
        Observer(Changing())(Changing().initial()._replace(player=1), 0)


def test_chance_is_drawn_by_its_probabilities() -> None:
    leaves = {"player": "chance", "probabilities": [0.25, 0.5, 0.0, 0.25], "children": [1, 2, 3, 4]}
    for drawn, leaf in ((0.0, 1), (0.24, 1), (0.25, 2), (0.74, 2), (0.75, 4), (1.0, 4)):
        play = IndexedPlay(plies.Tree({"tree": leaves, "levels": ["max", "min"]}))
        play.let_chance_decide(lambda drawn=drawn: drawn)
        assert play.utilities() == [leaf, -leaf]


class Endless(plies.Game):
    """Nothing ever happens."""

    move_indices = 1
    plane_shape = (1,)
    players = 1
    total = None

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Iterator[int]:
        yield 0

    def result(self, state: int, action: int) -> int:
        return state

    def is_terminal(self, state: int) -> bool:
        return False

    def planes(self, state: int, player: int) -> tuple[int]:
        return (1,)


def test_an_endless_game_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.interop.pettingzoo.LONGEST_GAME", 5)
    monkeypatch.setattr("plies.interop.gymnasium.LONGEST_GAME", 5)
    made, alone = env(Endless()), GymEnvironment(Endless())
    made.reset()
    alone.reset()
    for step in range(5):
        assert made.truncations == {"player_0": False}
        made.step(0)
        assert alone.step(0)[2:4] == (False, step == 4)
    assert made.truncations == {"player_0": True}


def test_what_is_asked_wrongly() -> None:
    with pytest.raises(plies.BadParameter, match="render_mode must be None or ansi, not 'human'"):
        env("nim", render_mode="human")
    with pytest.raises(plies.BadParameter, match="player must be between 0 and 1, not 2"):
        GymEnvironment("nim", player=2)
    with pytest.raises(plies.BadParameter, match="heaps is for games given by name"):
        env(plies.Nim(), heaps=(1, 2))


@pytest.mark.parametrize(
    ("module", "library"),
    [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("open_spiel", "pyspiel")],
)
def test_without_the_library_it_says_what_to_install(
    module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"plies.interop.{module}", raising=False)
    with pytest.raises(plies.PliesError, match=rf"need it: pip install 'plies\[{module}\]'$"):
        importlib.import_module(f"plies.interop.{module}")
    if module == "open_spiel":
        with pytest.raises(plies.PliesError, match=r"need it: pip install 'plies\[open_spiel\]'$"):
            plies.game("openspiel:hex")


def test_plies_imports_none_of_them() -> None:
    program = "import sys, plies; print({'gymnasium', 'pettingzoo', 'pyspiel'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_positions_are_rendered_as_text() -> None:
    made = env("nim", "ansi")
    made.reset()
    assert made.render() == made.game.text(made.position)
