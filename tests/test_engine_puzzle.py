"""Puzzles: what depth-first search proves, what a limit leaves open, and games that do not compile."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import plies
from plies import BadParameter, Limit, PegSolitaire, PliesError, Unsuitable
from plies.compiled import interpreting
from plies.engine import puzzle


class Walk(NamedTuple):
    place: int


class Maze(plies.Game):
    """A walk through rooms, back and forth and in circles; an end may be good, better or best."""

    players = 1
    total = None
    cycles = True
    bounds = (-3, 3)

    def __init__(self, doors: tuple[tuple[int, ...], ...], worth: tuple[int, ...]) -> None:
        self.doors = doors
        self.worth = worth

    def initial(self) -> Walk:
        return Walk(0)

    def to_move(self, state: Walk) -> int:
        return 0

    def actions(self, state: Walk) -> Iterator[Any]:
        for room in self.doors[state.place]:
            yield room

    def result(self, state: Walk, action: Any) -> Walk:
        return Walk(action)

    def is_terminal(self, state: Walk) -> bool:
        return len(self.doors[state.place]) == 0

    def utility(self, state: Walk, player: int) -> int:
        return self.worth[state.place]


class Words(Maze):
    """The same, with doors that have names: it does not compile."""

    def actions(self, state: Walk) -> Iterator[Any]:
        for room in self.doors[state.place]:
            yield f"to {room}"

    def result(self, state: Walk, action: Any) -> Walk:
        return Walk(int(action.split()[1]))


def maze(seed: int, kind: type[Maze] = Maze, rooms: int = 14) -> Maze:
    choice = random.Random(seed)
    doors = [
        tuple(choice.sample(range(rooms), choice.choice([0, 1, 2, 3]) if room else 3))
        for room in range(rooms)
    ]
    return kind(tuple(doors), tuple(choice.randint(-3, 3) for _ in range(rooms)))


def best_end(game: Maze) -> int | None:
    """The best end that can be reached; None if none can."""
    seen, level = {0}, [0]
    while level:
        for room in game.doors[level.pop()]:
            if room not in seen:
                seen.add(room)
                level.append(room)
    return max((game.worth[room] for room in seen if not game.doors[room]), default=None)


@pytest.mark.parametrize("kind", [Maze, Words])
@pytest.mark.parametrize("seed", range(25))
def test_the_best_end_is_found_and_reached(seed: int, kind: type[Maze]) -> None:
    game = maze(seed, kind)
    game.compiled = False
    found = puzzle.search(game, game.initial(), Limit())
    best = best_end(game)
    if best is None:
        assert found.value == plies.Value(-3.0)  # not proved: there is no end to reach
        return
    assert found.value.proved
    assert found.value.utility == best
    state = game.initial()
    for action in found.line:
        state = game.play(state, action)
    assert game.is_terminal(state)
    assert game.utility(state, 0) == best


def test_limits_leave_a_lower_bound() -> None:
    game = PegSolitaire()
    found = plies.search(game, nodes=100)
    assert found.nodes == 100
    assert not found.value.proved
    assert str(found.value).startswith(">= -")
    state = game.initial()
    for action in found.line:
        state = game.play(state, action)
    assert game.utility(state, 0) == found.value.utility
    nothing = plies.search(game, nodes=5)
    assert nothing.line == [nothing.action]
    assert nothing.value == plies.Value(-33.0)


def test_a_depth_that_is_too_small_and_one_that_is_enough() -> None:
    game = PegSolitaire("triangle")
    short = plies.search(game, depth=12)
    assert not short.value.proved
    assert str(plies.search(game, depth=13).value) == "win in 13"


def test_time_is_kept() -> None:
    found = plies.search(PegSolitaire("german", start="a4", goal="a4"), time=0.2)
    assert found.seconds < 5


def test_solutions_are_exact_or_bounds() -> None:
    solution = plies.solve(PegSolitaire("triangle"))
    assert solution.solved
    assert solution.value.utility == 1
    bounds = plies.solve(PegSolitaire(), nodes=100)
    assert not bounds.solved
    assert (bounds.low.utility < 0, bounds.high.utility) == (True, 1)
    assert bounds.reason == "a limit was reached"
    with pytest.raises(PliesError, match="a strategy comes from the solution that a solver gave"):
        solution.strategy()
    game = PegSolitaire("triangle")
    with pytest.raises(PliesError, match="there is nothing to solve: the game is over"):
        plies.solve(game, game.parse_position("o/../.../..../....."))


@pytest.mark.skipif(interpreting(), reason="nothing is compiled")
def test_games_that_must_compile_and_do_not_say_so() -> None:
    game = maze(3, Words)
    game.compiled = True
    with pytest.raises(plies.NotCompilable):
        puzzle.search(game, game.initial(), Limit())


def test_an_error_in_a_rule_reaches_whoever_asked() -> None:
    class Broken(Maze):
        def result(self, state: Walk, action: Any) -> Walk:
            raise ValueError("no way")

    game = Broken(((1,), ()), (0, 0))
    game.compiled = False
    with pytest.raises(ValueError, match="no way"):
        plies.search(game)
    assert not [thread for thread in threading.enumerate() if thread.name == "plies-puzzle"]


def test_it_is_for_one_player() -> None:
    with pytest.raises(Unsuitable, match="depth-first search is for one player; TicTacToe has 2"):
        puzzle.search(plies.TicTacToe(), plies.TicTacToe().initial(), Limit())
    with pytest.raises(BadParameter):
        plies.search(PegSolitaire(), time=-1)
