"""Which search a game gets without being asked, and what `check` and `best` say about it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plies
from plies.engine import Limit, algorithm_for
from plies.engine.advice import chosen, evaluation_warnings, what_helps
from plies.engine.game_size import FEW_POSITIONS, is_small
from test_cli import program

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from echo import Echo
from hex import Hex

pytestmark = pytest.mark.plain
HEX = str(Path(__file__).parents[1] / "examples" / "hex.py") + ":Hex"


class Seeing(Hex):
    def evaluate(self, state: Any, player: int) -> float:
        return 0.01 * (state.first - state.second) / self.board * (1 - 2 * player)


class Blinking(Hex):
    """An evaluation that is the same everywhere."""

    def evaluate(self, state: Any, player: int) -> float:
        return 0.25 * (1 - 2 * player)


class Slow(Seeing):
    def evaluate(self, state: Any, player: int) -> float:
        time.sleep(0.001)
        return super().evaluate(state, player)


class Raising(Hex):
    def evaluate(self, state: Any, player: int) -> float:
        raise ValueError("broken on purpose")


class Dice(NamedTuple):
    turn: int
    points: int


class Rolling(plies.Game):
    """Each throws a die in turn, and may take or leave it."""

    def __init__(self, turns: int) -> None:
        self.turns = turns

    def initial(self) -> Dice:
        return Dice(0, 0)

    def to_move(self, state: Dice) -> int:
        return plies.CHANCE if state.turn % 2 == 0 else state.turn // 2 % 2

    def actions(self, state: Dice) -> Any:
        if state.turn < self.turns:
            yield from range(6 if state.turn % 2 == 0 else 2)

    def chance(self, state: Dice) -> Any:
        for face in range(6):
            yield face, 1 / 6

    def result(self, state: Dice, action: int) -> Dice:
        return Dice(state.turn + 1, (7 * state.points + action) % 1_000_003)

    def is_terminal(self, state: Dice) -> bool:
        return state.turn == self.turns

    def utility(self, state: Dice, player: int) -> int:
        return (1 - 2 * player) * (1 if state.points % 2 else -1)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (Hex(7), "mcts"),
        (Hex(3), "alpha-beta"),
        (Seeing(7), "alpha-beta"),
        (Echo(), "alpha-beta"),
        (Echo(300), "alpha-beta"),  # a tree of some 2 to the 150th, but few positions
        (Rolling(4), "expectiminimax"),
        (Rolling(40), "mcts"),
        (plies.Nim(), "alpha-beta"),
        (plies.Pirates(), "max-n"),
        (plies.Goofspiel(), "book:backward-induction"),
        (plies.PegSolitaire(), "depth-first"),
        (plies.Chess(), "alpha-beta"),
        (plies.Go(), "mcts"),
    ],
    ids=repr,
)
def test_without_an_evaluation_large_games_are_played_out(game, name):
    assert algorithm_for(game) == name
    assert algorithm_for(game, Limit(nodes=100)) == name


def test_a_depth_asks_for_a_search_that_has_one():
    assert algorithm_for(Hex(7), Limit(depth=2)) == "alpha-beta"
    assert "but there is no evaluate()" in chosen(Hex(7), Limit(depth=2))
    assert "evaluate(), or a limit of time" in what_helps(Hex(7), Limit(depth=2))


class Loop(plies.Game):
    """Two players walk round a circle for ever."""

    cycles = True

    def __init__(self, places: int) -> None:
        self.places = places

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> Any:
        yield 1
        yield 2

    def result(self, state: int, action: int) -> int:
        return (state + action) % self.places

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> int:
        return 0


def test_games_without_end_are_small_if_they_have_few_positions():
    assert is_small(Loop(FEW_POSITIONS))
    assert not is_small(Loop(FEW_POSITIONS + 1))


def test_broken_rules_are_left_to_the_search():
    class Broken(Hex):
        def actions(self, state: Any) -> Any:
            raise ValueError("broken on purpose")

    assert algorithm_for(Broken(7)) == "alpha-beta"


def test_what_is_said_of_a_choice():
    assert chosen(plies.Go()) == "Monte Carlo tree search, as the game says"
    assert chosen(plies.Chess()) == "Alpha-beta, the usual one for such a game"
    assert chosen(Echo()) == "Alpha-beta, as the game is small enough to be searched to its end"
    assert chosen(Hex(7)).startswith("Monte Carlo tree search, as there is no evaluate()")
    assert "playout" not in what_helps(Hex(7))
    assert "prior(); evaluate()" in what_helps(Hex(7))
    assert "playout() or pattern(); prior(); RAVE" in what_helps(Rolling(40))
    assert what_helps(plies.Go()) == what_helps(Echo()) == what_helps(Seeing()) == ""


def test_evaluations_that_do_not_help(monkeypatch):
    monkeypatch.setattr("plies.engine.advice.SECONDS", 60)
    assert evaluation_warnings(Seeing()) == evaluation_warnings(Hex()) == evaluation_warnings(Raising()) == []
    assert evaluation_warnings(plies.Goofspiel()) == []
    (never,) = evaluation_warnings(Blinking())
    assert never.startswith("evaluate() is 0.25 in all of ")
    (slow,) = evaluation_warnings(Slow())
    assert "of the time of the rules" in slow


def test_check_and_best_say_it(tmp_path):
    done = program("check", HEX, "--games", "2")
    assert "\n  search: Monte Carlo tree search, as there is no evaluate()" in done.out
    assert "\n  would make it stronger: prior()" in done.out
    done = program("best", HEX, "--nodes", "20")
    assert "\nsearch: Monte Carlo tree search" in done.out
    assert "search:" not in program("best", HEX, "--nodes", "20", "--algorithm", "mcts").out
    assert "search:" not in program("best", HEX, "--nodes", "20", "--json").out
    mine = tmp_path / "mine.py"
    mine.write_text(
        "import sys\n"
        f"sys.path.append({str(Path(HEX).parent)!r})\n"
        "from hex import Hex\n\n\n"
        "class Blinking(Hex):\n"
        "    def evaluate(self, state, player):\n"
        "        return 0\n"
    )
    for words in (
        ("check", f"{mine}:Blinking", "--games", "2"),
        ("best", f"{mine}:Blinking", "--depth", "1"),
    ):
        assert "warning: evaluate() is 0 in all of " in program(*words).out
