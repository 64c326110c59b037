"""The registry: every algorithm is everywhere, and refuses what it says it refuses, for every game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plies
from plies import Unsuitable, book
from plies.book.algorithms import about
from plies.comparison import NAMES
from plies.engine import ALGORITHMS, Limit, algorithm, algorithm_for, algorithms_for, engine_for
from plies.engine.value import EXACT
from plies.players import PLAYERS, parse_player
from plies.web.learn import random_tree
from plies.web.levels import kind_named, kinds

pytestmark = pytest.mark.plain

DOCS = Path(__file__).parent.parent / "docs"


class Coins(plies.Game):
    """Players in turn take one of two coins; a game of any number of players, with a sum or without."""

    bounds = (0, 4)

    def __init__(self, players: int, total: float | None, cycles: bool = False) -> None:
        self.players, self.total, self.cycles = players, total, cycles  # type: ignore[misc]
        self.compiled = False  # type: ignore[misc]

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: tuple[int, int]) -> int:
        return state[0] % self.players

    def actions(self, state: tuple[int, int]) -> Iterator[int]:
        if not self.is_terminal(state):
            yield 1
            yield 2

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return state[0] + 1, state[1] + action

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 2

    def utility(self, state: tuple[int, int], player: int) -> float:
        first = state[1] % 2
        if self.total is None:
            return float(first + player)
        return float(first if player == 0 else (self.total - first) / (self.players - 1))


class Tossed(Coins):
    def to_move(self, state: tuple[int, int]) -> int:
        return plies.CHANCE if state[0] == 1 else super().to_move(state)

    def chance(self, state: tuple[int, int]) -> Iterator[tuple[int, float]]:
        yield 1, 0.5
        yield 2, 0.5


KINDS: dict[str, Any] = {
    f"{kind.__name__} {players} {total} {cycles}": kind(players, total, cycles)
    for kind in (Coins, Tossed)
    for players in (1, 2, 3)
    for total in (1, None)
    for cycles in (False, True)
    if players > 1 or total is None
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_it_serves_what_it_says_and_refuses_the_rest(name: str) -> None:
    one = ALGORITHMS[name]
    limit = Limit(depth=2) if "depth" in one.limits else Limit(nodes=20)
    for kind, game in KINDS.items():
        if one.needs.serve(game):
            found = engine_for(game, name).search(limit=limit)
            assert (found.action in (1, 2), found.algorithm) == (True, name), kind
        else:
            assert one.needs.refusal(game).split(";")[0] in refusal(game, name), kind


def refusal(game: plies.Game, name: str) -> str:
    """The words in which an algorithm refuses a game; "" if it serves it."""
    try:
        engine_for(game, name)
    except Unsuitable as error:
        return str(error)
    return ""


TREES: dict[str, plies.Tree] = {
    " ".join(map(str, (seed, *levels))): random_tree(seed, 2, len(levels), list(levels))
    for seed in range(5)
    for levels in (
        ("max", "min", "max", "min"),
        ("max", "max", "min", "max"),
        ("max", "chance", "min", "chance"),
        ("max", "max", "max"),
        (0, 1, 2, 0),
    )
}


@pytest.mark.parametrize("name", [name for name, one in ALGORITHMS.items() if one.exact])
def test_what_it_proves_is_what_the_book_finds(name: str) -> None:
    """By max^n, which serves any game; what is a bound for the player to move is one of that value."""
    one = ALGORITHMS[name]
    limit = Limit(depth=9) if "depth" in one.limits else Limit(nodes=500)
    for tree, game in TREES.items():
        if not one.needs.serve(game):
            continue
        value = engine_for(interpreted(game), name).search(limit=limit).value
        assert value.proved or "depth" not in one.limits, tree
        if value.proved:
            true = book.max_n(game).value[0]
            right = value.utility == pytest.approx(true) if value.bound == EXACT else value.utility <= true
            assert right, f"{tree}: {value}, not {true}"


def test_a_wrong_value_would_be_noticed() -> None:
    """The test above compares numbers that differ from tree to tree."""
    assert len({book.max_n(game).value[0] for game in TREES.values()}) > 10


def interpreted(game: Any) -> Any:
    """The same game, never compiled: there are many."""
    game.compiled = False
    return game


@pytest.mark.parametrize("name", plies.game_names())
def test_every_installed_game_has_an_engine_that_serves_it(name: str) -> None:
    game = plies.game(name)
    served = [one.name for one in algorithms_for(game)]
    assert served[0] == algorithm_for(game)
    if game.simultaneous:
        assert served == ["book:backward-induction"]
    else:
        assert {"mcts", "flat", "max-n"} <= set(served)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_offers_what_serves_a_game(kind: str) -> None:
    game = KINDS[kind]
    offered = {one.name for one in kinds(game)} | {algorithm_for(game)}
    served = {one.name for one in algorithms_for(game)}
    missing = {"max-n"} if game.players == 1 else set()
    assert served - missing <= offered
    for name in served - missing - {algorithm_for(game)}:
        assert kind_named(game, name).make(game).algorithm == name


@pytest.mark.parametrize("name", ALGORITHMS)
def test_it_is_a_player_and_can_be_compared(name: str) -> None:
    assert parse_player(name).name == name
    assert name in PLAYERS
    assert name in NAMES
    assert algorithm(name).label
    assert algorithm(name).summary.endswith(".")


def test_the_book_is_in_it_under_names_of_its_own() -> None:
    assert {name for name, one in ALGORITHMS.items() if one.book} == {
        f"book:{name}" for name in book.ALGORITHMS if about(name).chooses
    }
    assert not about("and-or").chooses  # it looks for a plan
    for name in book.ALGORITHMS:
        assert parse_player(f"book:{name}:2").name == f"book:{name}"


def test_engine_means_what_suits_the_game() -> None:
    game = plies.TicTacToe()
    assert plies.search(game, algorithm="engine", depth=2).algorithm == "alpha-beta"
    assert engine_for(game, "engine").algorithm == "alpha-beta"
    assert plies.search(game, algorithm="book:alpha-beta", depth=2).algorithm == "book:alpha-beta"


@pytest.mark.parametrize("name", ["", "alphabeta", "book:", "book:bob", "ALPHA-BETA", None, 3])
def test_no_such_algorithm(name: Any) -> None:
    with pytest.raises(plies.BadParameter, match="there is no algorithm"):
        algorithm(name)


def test_the_book_and_the_engine_agree_under_their_names() -> None:
    game = plies.Nim(heaps=(2, 3))
    values = {
        name: plies.search(game, algorithm=name, depth=6).value for name in ("alpha-beta", "book:minimax")
    }
    assert all(value.proved for value in values.values())
    assert values["alpha-beta"].utility == values["book:minimax"].utility == 1
