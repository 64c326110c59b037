"""Puzzles: what depth-first search proves, what a limit leaves open, and games that do not compile."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import plies
import test_proofs
from plies import BadParameter, BrokenRule, Limit, PegSolitaire, PliesError, Unsuitable, bits
from plies.compiled import interpreting
from plies.engine import depth_first, engine_for
from plies.engine.depth_first import DepthFirst


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


def best_end(game: Maze, most: int = 10**9, walls: tuple[int, ...] = ()) -> tuple[int | None, int]:
    """The best end that can be reached in so many moves and in how few that is; None if none can."""
    distance, level = {0: 0}, [0]
    while level:  # breadth first
        place = level.pop(0)
        for room in game.doors[place] if distance[place] < most else ():
            if room not in distance and room not in walls:
                distance[room] = distance[place] + 1
                level.append(room)
    ends = [(game.worth[room], -plies) for room, plies in distance.items() if not game.doors[room]]
    worth, plies = max(ends, default=(None, 0))
    return worth, -plies


def told(worth: int, distance: int) -> int | None:
    """The distance that is told: none where going round in circles is worth no less and may be quicker."""
    return distance if worth > -3 or distance == 1 else None


@pytest.mark.plain
@pytest.mark.parametrize("kind", [Maze, Words])
@pytest.mark.parametrize("seed", range(25))
def test_the_best_end_is_found_and_reached(seed: int, kind: type[Maze]) -> None:
    game = maze(seed, kind)
    game.compiled = False
    found = DepthFirst(game).search(game.initial(), Limit())
    best, distance = best_end(game)
    if best is None:
        assert found.value == plies.Value.of(game, -3.0)  # not proved: there is no end to reach
        return
    assert found.value == plies.Value.of(game, best, True, told(best, distance))
    check_line(game, found)


def check_line(game: Maze, found: plies.SearchResult) -> None:
    state = game.initial()
    for action in found.line:
        state = game.play(state, action)
    assert game.is_terminal(state)
    assert game.utility(state, 0) == found.value.utility


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(40))
def test_within_a_depth(seed: int) -> None:
    game = maze(seed, rooms=20)
    game.compiled = False
    for depth in range(1, 7):
        found = plies.search(game, depth=depth)
        best, distance = best_end(game, depth)
        if best is None:
            assert found.value == plies.Value.of(game, -3.0)
            continue
        assert found.value.utility == best
        assert len(found.line) == distance or not found.value.proved
        assert not found.value.proved or best == best_end(game)[0]
        check_line(game, found)


def test_a_long_way_round_is_not_the_distance() -> None:
    # Depth first, the way is to room 59 and to the end from there; the end is next door.
    doors = tuple((room + 1, 60) if room == 0 else (room + 1,) for room in range(60))
    game = Maze((*doors, ()), (0,) * 60 + (3,))
    game.compiled = False
    found = plies.search(game)
    assert str(found.value) == "at best 3 in 1 move"
    assert found.line == [60]
    # Depth first, the end is 3 moves away; within 2, it is 2 moves away; and it is next door.
    game = Maze(((1, 3), (2, 3), (3,), ()), (0, 0, 0, 3))
    game.compiled = False
    assert plies.search(game).line == [3]


class Rounds(Maze):
    """A maze in which to come back to a room is worth something."""

    def repetition_value(self, state: Walk, player: int) -> int:
        return self.worth[state.place]


@pytest.mark.plain
@pytest.mark.parametrize(("back", "distance"), [(2, 3), (3, None)])
def test_no_distance_where_a_repetition_may_be_worth_as_much(back: int, distance: int | None) -> None:
    # To come back to room 1 takes 2 moves, to the end 3.
    game = Rounds(((1,), (1, 2), (3,), ()), (-3, back, -3, 3))
    game.compiled = False
    assert plies.search(game).value == plies.Value.of(game, 3, True, distance)
    assert plies.search(game, Walk(1), previous=[Walk(2)]).value.plies is None  # the end is behind a wall
    assert plies.search(game, Walk(2), previous=[Walk(1)]).value == plies.Value.of(game, 3, True, 1)


@pytest.mark.plain
def test_no_distance_where_finding_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth_first, "PATIENCE", 16)
    game = maze(3, rooms=400)
    game.compiled = False
    values = [plies.search(maze(seed, rooms=400)).value for seed in range(8)]
    assert all(value.proved for value in values)
    assert any(value.plies is None for value in values)
    for seed, value in enumerate(values):
        assert value.plies in (None, best_end(maze(seed, rooms=400))[1])


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(25))
def test_what_the_game_has_been_through_ends_it(seed: int) -> None:
    game = maze(seed)
    game.compiled = False
    previous = [place for place in random.Random(seed).sample(range(1, 14), 3) if game.doors[place]]
    engine = engine_for(game)
    for walls in ((), tuple(previous), ()):
        found = engine.search(previous=[Walk(place) for place in walls])
        best, distance = best_end(game, walls=walls)
        if best is not None:
            assert found.value == plies.Value.of(game, best, True, told(best, distance))
    game.repetitions = 3
    assert engine.search(previous=[Walk(place) for place in previous]).value == found.value


class Alike(Maze):
    """Rooms that the key takes for one another."""

    def key(self, state: Walk) -> int:
        return state.place % 3 + 1

    def repetition_key(self, state: Walk) -> int:
        return state.place


class Turned(Maze):
    """Rooms that come in pairs, mirrored: 2 and 3 are the same, 4 and 5, …."""

    def symmetries(self, state: Walk) -> Iterator[Walk]:
        yield state
        yield Walk(state.place ^ 1)


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(25))
def test_keys_that_agree_are_verified(seed: int) -> None:
    game = maze(seed, Alike)
    game.compiled = False
    found = plies.search(game)
    best, distance = best_end(game)
    if best is not None and found.value.proved:
        assert found.value.utility == best
        assert found.value.plies in (None, distance)


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(25))
def test_symmetric_positions_are_one(seed: int) -> None:
    plain = maze(seed, rooms=12)
    doors = tuple(tuple(2 * door for door in plain.doors[room // 2]) for room in range(24))
    worth = tuple(plain.worth[room // 2] for room in range(24))
    game = Turned(doors, worth)
    game.compiled = False
    found = plies.search(game)
    best, distance = best_end(plain)
    if best is not None:
        assert found.value == plies.Value.of(game, best, True, told(best, distance))


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
    assert nothing.value == plies.Value.of(game, -33.0)


def test_a_depth_that_is_too_small_and_one_that_is_enough() -> None:
    game = PegSolitaire("triangle")
    short = plies.search(game, depth=12)
    assert not short.value.proved
    assert str(plies.search(game, depth=13).value) == "solved in 13 moves"


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
    with pytest.raises(PliesError, match="only the solution of a solver has a strategy"):
        solution.strategy()
    game = PegSolitaire("triangle")
    with pytest.raises(PliesError, match="there is nothing to solve: the game is over"):
        plies.solve(game, game.parse_position("o/../.../..../....."))


@pytest.mark.skipif(interpreting(), reason="nothing is compiled")
def test_games_that_must_compile_and_do_not_say_so() -> None:
    game = maze(3, Words)
    game.compiled = True
    with pytest.raises(plies.NotCompilable):
        DepthFirst(game).search(game.initial(), Limit())


def test_an_error_in_a_rule_reaches_whoever_asked() -> None:
    class Broken(Maze):
        def result(self, state: Walk, action: Any) -> Walk:
            raise ValueError("no way")

    game = Broken(((1,), ()), (0, 0))
    game.compiled = False
    with pytest.raises(BrokenRule, match=r"raised ValueError: no way in the state .*test_engine_puzzle.py"):
        plies.search(game)
    assert not [thread for thread in threading.enumerate() if thread.name == "plies-search"]


class Faulty(plies.Game):
    """A puzzle, one rule of which may be at fault at its third ply."""

    players = 1
    total = None

    def __init__(self, fault: str = "none") -> None:
        self.fault = np.array([FAULTS.index(fault)])  # an array: one machine code for all of them

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 1 if state == 2 and self.fault[0] == 1 else 0

    def actions(self, state: int) -> Iterator[int]:
        if not (state == 2 and self.fault[0] == 2):
            yield 1
            yield 2
        if state == 2 and self.fault[0] == 3:
            while True:
                yield 1

    def result(self, state: int, action: int) -> int:
        if state == 2 and self.fault[0] == 4:
            raise ValueError("no way")
        return state + action

    def is_terminal(self, state: int) -> bool:
        return state >= 9

    def utility(self, state: int, player: int) -> float:
        if state == 9 and self.fault[0] == 5:
            return np.nan
        if state == 9 and self.fault[0] == 6:
            return 2.0
        if state == 9 and self.fault[0] == 7:
            return -np.inf
        return 0.5

    def key(self, state: int) -> int:
        if state == 2 and self.fault[0] == 8:
            raise KeyError(0)
        return bits.hash64(state)


class PlainFaulty(Faulty):
    """The same, never compiled."""

    compiled = False


FAULTS = [
    *("none", "mover", "no action", "no end", "raises"),
    *("utility nan", "utility 2", "utility inf", "key"),
]
SAID = {"mover": "to_move", "no": "action", "raises": "no way", "utility": "utility", "key": "key"}


@pytest.mark.parametrize("kind", [Faulty, PlainFaulty])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.costly
def test_a_rule_at_fault_is_named(fault: str, kind: type[Faulty]) -> None:
    game = kind(fault)
    engine = engine_for(game)
    if fault != "none":
        with pytest.raises(BrokenRule, match=SAID[fault.split()[0]]) as told:
            engine.search(limit=Limit(time=60))
        assert "test_engine_puzzle.py" in str(told.value)
    game.fault[0] = 0
    assert str(engine.search().value) == "at best 0.5 in 5 moves"


def test_bounds_and_states_that_are_none() -> None:
    game = maze(3)
    game.bounds = (-float("inf"), float("inf"))
    with pytest.raises(BadParameter, match="give two finite numbers"):
        plies.search(game)

    class Board(Faulty):
        def initial(self) -> Any:
            return (0, np.zeros(3))

    with pytest.raises(BrokenRule, match="NumPy array"):
        plies.search(Board())


def test_threads_are_served_in_turn() -> None:
    game = maze(3)
    game.compiled = False
    engine = engine_for(game)
    right = engine.search().value
    found: list[plies.Value] = []
    threads = [threading.Thread(target=lambda: found.append(engine.search().value)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [right] * 4
    proved, shortest = (info.value for info in engine.analyse())  # first the best end, then the way there
    assert (proved.utility, proved.plies, shortest) == (right.utility, None, right)


def test_a_search_can_be_stopped() -> None:
    engine = engine_for(PegSolitaire("german", start="a4", goal="a4"))
    found: list[plies.SearchResult] = []
    thread = threading.Thread(target=lambda: found.append(engine.search(limit=Limit(time=600))))
    thread.start()
    while thread.is_alive():
        engine.stop()
        thread.join(0.05)
    assert found[0].seconds < 300


def test_it_is_for_one_player() -> None:
    with pytest.raises(Unsuitable, match="depth-first search is for one player; TicTacToe has 2"):
        DepthFirst(plies.TicTacToe()).search(plies.TicTacToe().initial(), Limit())
    with pytest.raises(BadParameter):
        plies.search(PegSolitaire(), time=-1)


@pytest.mark.plain
def test_a_position_may_have_been_there_and_its_image_not() -> None:
    """From 0 by 5 and 3, the image of 0, to 2, where the game has been: a repetition, and the best end."""
    case = next(case for case in test_proofs.CASES if case.name == "puzzle-CyclePuzzle")
    assert test_proofs.examine(case, 40001489)["proved"] > 0
