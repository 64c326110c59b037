"""Left to choose, nothing picks an algorithm that refuses the game: every kind of game there is."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import NamedTuple

import pytest

import plies
from plies import book
from plies.book.algorithms import ALGORITHMS, needs_of
from plies.engine import algorithm_for, engine_for
from plies.models import Modelled, uniform
from test_cli import program

pytestmark = pytest.mark.plain

PLAYERS, CHANCE, TOTALS = (1, 2, 3), (False, True), (0, 1, None)
KINDS = list(itertools.product(PLAYERS, CHANCE, TOTALS))
names = pytest.mark.parametrize(("players", "chance", "total"), KINDS)


class Where(NamedTuple):
    """What was chosen and thrown so far, as a number of two digits a ply, and how many plies that were."""

    code: int
    ply: int


class Rounds(plies.Game):
    """Everybody in turn says 0 or 1, twice; after each move a coin falls, where there is chance."""

    with_chance = False

    def initial(self) -> Where:
        return Where(0, 0)

    def to_move(self, state: Where) -> int:
        if self.stochastic:
            return plies.CHANCE if state.ply % 2 else state.ply // 2 % self.players
        return state.ply % self.players

    def actions(self, state: Where) -> list[int]:
        return [] if self.is_terminal(state) else [0, 1]

    def result(self, state: Where, action: int) -> Where:
        return Where(state.code * 2 + action, state.ply + 1)

    def is_terminal(self, state: Where) -> bool:
        return state.ply >= self.players * (4 if self.stochastic else 2)

    def utility(self, state: Where, player: int) -> float:
        won = state.code % 5 % self.players == player
        if self.players == 1:
            return {0: 0, 1: 1}.get(self.total, state.code % 3)
        if self.total is None:
            return (state.code * (player + 1)) % 7 / 7
        return self.total / self.players + (1 - 1 / self.players if won else -1 / self.players)


class Coins(Rounds):
    """The same with coins."""

    def chance(self, state: Where) -> list[tuple[int, float]]:
        return [(0, 0.25), (1, 0.75)]


def kind_of(players: int, chance: bool, total: float | None) -> plies.Game:
    game = Coins() if chance else Rounds()
    game.players, game.total, game.bounds = players, total, (-2, 3)
    game.compiled = False
    return game


@names
def test_the_games_are_what_they_are_said_to_be(players: int, chance: bool, total: float | None) -> None:
    report = plies.check_game(kind_of(players, chance, total), games=20)
    assert not report.problems, report


@names
def test_the_library(players: int, chance: bool, total: float | None) -> None:
    game = kind_of(players, chance, total)
    for name in book.suited(game):
        ALGORITHMS[name](game)
    assert book.trace(game, limit=100_000).nodes > 1
    assert plies.search(game, depth=2).depth == 2 or players == 1
    assert plies.search(game, nodes=500).nodes > 0
    engine_for(game, algorithm_for(game)).search()
    found = plies.compare(game, depth=4)
    assert len(found.rows) >= 2
    assert all(row.finished for row in found.rows)


def test_what_is_picked_is_what_a_lecture_would_use() -> None:
    def picked(players: int, chance: bool, total: float | None) -> str:
        return book.suited(kind_of(players, chance, total))[0]

    assert picked(1, False, 0) == "depth-first"
    assert picked(2, False, 0) == picked(2, False, 1) == "alpha-beta"
    assert picked(1, True, 0) == picked(2, True, 0) == picked(2, True, 1) == "expectiminimax"
    assert picked(2, False, None) == picked(2, True, None) == picked(3, False, 0) == "max-n"
    assert picked(3, True, None) == picked(3, True, 0) == "max-n"


@pytest.mark.parametrize("algorithm", ["paranoid", "alpha-beta", "max-n"])
def test_a_games_own_choice_is_not_that_of_what_is_made_of_it(algorithm: str) -> None:
    game = kind_of(2, False, 0)
    game.algorithm = algorithm
    assert plies.search(game, depth=2).depth >= 1
    assert plies.search(Modelled(game, {1: uniform}), depth=2).algorithm == "expectiminimax"
    assert plies.search(game, algorithm="paranoid", depth=2).algorithm == "paranoid"


def test_states_that_do_not_hash_are_no_puzzle_for_depth_first_search() -> None:
    class Listed(plies.Game):
        players, total = 1, None

        def initial(self) -> list[int]:
            return []

        def to_move(self, state: list[int]) -> int:
            return 0

        def actions(self, state: list[int]) -> list[int]:
            return [0, 1] if len(state) < 2 else []

        def result(self, state: list[int], action: int) -> list[int]:
            return [*state, action]

        def is_terminal(self, state: list[int]) -> bool:
            return len(state) == 2

        def utility(self, state: list[int], player: int) -> float:
            return sum(state) - 1

    game = Listed()
    assert not needs_of("depth-first").serve(game)
    assert book.trace(game).value == 1


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All kinds of games in a file, each a class."""
    path = tmp_path_factory.mktemp("games") / "kinds.py"
    source = Path(__file__).read_text(encoding="utf-8")
    start, end = source.index("class Where"), source.index("def kind_of")
    text = f"import plies\nfrom typing import NamedTuple\n\n{source[start:end]}"
    for players, chance, total in KINDS:
        text += (
            f"class {named(players, chance, total)}({'Coins' if chance else 'Rounds'}):\n"
            f"    players, total, bounds, compiled = {players}, {total}, (-2, 3), False\n\n"
        )
    path.write_text(text, encoding="utf-8")
    return path


def named(players: int, chance: bool, total: float | None) -> str:
    return f"G{players}{'c' if chance else 'd'}{total}"


@names
def test_the_commands(players: int, chance: bool, total: float | None, file: Path) -> None:
    game = f"{file}:{named(players, chance, total)}"
    for words in (
        ("trace", game, "--depth", "3"),
        ("compare", game, "--depth", "3"),
        ("play", game, "--players", ",".join(["engine:0.01"] * players), "--seed", "1"),
        ("play", game, "--players", ",".join(["engine:depth=1"] * players), "--seed", "1"),
        ("watch", game, "--players", "engine:nodes=100", "--seed", "1"),
        ("best", game, "--time", "0.01"),
        ("best", game, "--depth", "2", "--lines", "2"),
    ):
        done = program(*words)
        assert (done.code, done.error) == (0, ""), (words, done.error)
    data = json.loads(program("best", game, "--nodes", "100", "--json").out)
    assert data["action"] in ("0", "1")
