"""Solving: values that are proved, bounds that are true, and what is refused."""

from __future__ import annotations

import functools
import io
import random
import threading
from collections.abc import Iterator
from dataclasses import Field
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphs
import plies
from engine_games import (
    INEXACT,
    TINY,
    Bush,
    Graph,
    PlainBush,
    Stretch,
    Words,
    bushes,
    inexact_value,
    options,
    solved,
)
from oracles import oracle, oracle_path
from plies.compiled import interpreting
from plies.engine import Limit, Options, Value, null_windows
from plies.engine.solve import Solution, Solver, solve

long = pytest.mark.long


def interpreted(game: Any) -> Any:
    """The same game, never compiled."""
    game.compiled = False
    return game


def worth(solution: Solution) -> tuple[float, int]:
    """The value and the plies to it; a draw may take as long as it likes."""
    value = solution.value
    return value.utility, (value.plies or 0) if value.utility else 0


def brute_force(game: plies.Game, state: Any) -> tuple[float, int]:
    utility, distance = solved(game)(state)
    return utility, distance if utility else 0


# -- The value is that of brute force.


@pytest.mark.parametrize("kind", [Bush, PlainBush])
@given(data=st.data())
def test_random_trees(kind: type[Bush], data: st.DataObject) -> None:
    game = data.draw(bushes(kind))
    distance = data.draw(st.booleans())
    memory = data.draw(st.sampled_from([TINY, 0.01]))
    solver = Solver(game, distance=distance, memory=memory, options=data.draw(options()))
    for state in range(len(game.mover)):
        if not game.is_terminal(state):
            utility, plies_left = brute_force(game, state)
            found = solver.solve(state)
            assert worth(found) == (utility, plies_left if distance else 0)
            after = game.result(state, found.action)
            mover = game.to_move(state)
            kept = game.utility(after, mover) if game.is_terminal(after) else brute_force(game, after)[0]
            same = game.is_terminal(after) or game.to_move(after) == mover
            assert (kept if same else -kept) == utility


@pytest.mark.parametrize("memory", [TINY, 1])
@pytest.mark.parametrize(
    "game",
    [
        plies.TicTacToe(),
        interpreted(plies.TicTacToe()),
        interpreted(plies.SumToTwo()),
        interpreted(plies.Nim((1, 2, 3))),
        interpreted(plies.Nim((2, 2, 1), misere=True)),
        interpreted(plies.Kalah(2, 2)),
        interpreted(plies.Kalah(3, 1, empty_capture=True)),
        interpreted(Stretch()),
    ],
    ids=lambda game: f"{game!r} {'interpreted' if getattr(game, 'compiled', 0) is False else ''}",
)
@pytest.mark.no_cover
def test_small_games_with_their_distances(game: plies.Game, memory: float) -> None:
    state = game.initial()
    assert worth(solve(game, distance=True, memory=memory)) == brute_force(game, state)
    assert worth(solve(game, memory=memory)) == (brute_force(game, state)[0], 0)


def test_a_game_of_lists_and_words() -> None:
    """Its states cannot be hashed by Python, and brute force goes through them one by one."""
    game = Words()

    def best(state: Any) -> float:
        children = [game.result(state, action) for action in game.actions(state)]
        mover = game.to_move(state)
        values = [game.utility(c, 0) if game.is_terminal(c) else best(c) for c in children]
        return max(values) if mover == 0 else min(values)

    assert solve(game, memory=1).value.utility == best(game.initial())


@pytest.mark.parametrize("misere", [False, True])
def test_nim_is_as_its_theory_says(misere: bool) -> None:
    game = interpreted(plies.Nim((3, 2, 2), misere))
    solver = Solver(game, memory=1)
    for sizes in ((a, b, c) for a in range(4) for b in range(3) for c in range(3) if a + b + c):
        state = type(game.initial())(sum(size << i * game.digit for i, size in enumerate(sizes)), 0)
        nim_sum = sizes[0] ^ sizes[1] ^ sizes[2]
        wins = (nim_sum == 0) if misere and max(sizes) == 1 else nim_sum != 0
        assert solver.solve(state).value.utility == (1 if wins else -1), sizes


# -- Values that others have published.


@pytest.mark.parametrize(
    "board",
    [
        "4x4",
        "5x4",
        *(pytest.param(board, marks=long) for board in ("6x4", "7x4", "4x5", "5x5", "6x5", "5x6")),
    ],
)
def test_connect_four_boards(board: str) -> None:
    width, height = map(int, board.split("x"))
    expected = {"first": 1, "draw": 0, "second": -1}[
        oracle("connect4/board_values.json")["boards"][board]["value"]
    ]
    if interpreting() and board != "4x4":
        pytest.skip("takes minutes interpreted")
    game = plies.ConnectFour(width, height)
    if board == "4x4":
        game.compiled = False  # not worth it
    assert solve(game, memory=64).value == Value(expected, True)


@pytest.mark.parametrize(
    ("name", "rows", "rows_interpreted"),
    [
        ("L3_R1", 1000, 200),
        ("L2_R1", 200, 5),
        pytest.param("L2_R2", 1000, 0, marks=long),
        ("L1_R1", 50, 0),
    ],
)
@pytest.mark.no_cover
def test_connect_four_scores(name: str, rows: int, rows_interpreted: int) -> None:
    """A score counts the stones the winner has left, the last one included."""
    if interpreting() and not rows_interpreted:
        pytest.skip("takes minutes interpreted")
    game = plies.ConnectFour()
    solver = Solver(game, distance=True, memory=16)
    lines = oracle_path(f"connect4/pons_Test_{name}.txt").read_text().splitlines()
    for line in lines[: rows_interpreted if interpreting() else rows]:
        moves, score = line.split()
        value = solver.solve(game.parse_position(moves)).value
        left = (42 - (len(moves) + (value.plies or 0))) // 2 + 1
        assert value.utility * left == int(score), line


@pytest.mark.parametrize("rule", ["rule_irving_empty_capture", "rule_standard_nonempty_capture"])
def test_small_kalah(rule: str) -> None:
    for key, expected in oracle("mancala/kalah.json")[rule]["own_solver"].items():
        houses, seeds = map(int, key.split(","))
        if houses * seeds <= 8:
            game = interpreted(plies.Kalah(houses, seeds, "irving" in rule))
            assert solve(game, memory=1).value == Value(expected, True), key


@pytest.mark.parametrize(
    ("houses", "seeds"),
    [(4, 4), *(pytest.param(*size, marks=long) for size in ((3, 6), (4, 3), (5, 3), (6, 2), (6, 3), (4, 5)))],
)
@pytest.mark.costly
def test_larger_kalah(houses: int, seeds: int) -> None:
    if interpreting():
        pytest.skip("takes minutes interpreted")
    values = oracle("mancala/kalah.json")["rule_standard_nonempty_capture"]["own_solver"]
    solution = solve(plies.Kalah(houses, seeds), memory=64)
    assert solution.value.utility == values[f"{houses},{seeds}"]


@pytest.mark.parametrize(
    ("empties_to_winner", "name"), [(True, "value_if_empties_to_winner"), (False, "value_black_minus_white")]
)
def test_othello_4x4(empties_to_winner: bool, name: str) -> None:
    game = interpreted(plies.Othello(4, empties_to_winner))
    assert solve(game, memory=1).value.utility == oracle("othello/perft_and_small_boards.json")["4x4"][name]


@pytest.mark.parametrize("row", range(19))
def test_othello_endgames(row: int) -> None:
    if interpreting():
        pytest.skip("takes minutes interpreted")
    line = oracle_path("othello/fforum-1-19.obf").read_text().splitlines()[row]
    game = plies.Othello()
    state = game.parse_position(line)
    moves = dict(part.strip().lower().split(":") for part in line.split(";")[1:] if part.strip())
    solution = solve(game, state, memory=64)
    best = max(map(int, moves.values()))
    assert solution.value.utility == best
    assert int(moves[game.notation(state, solution.action)]) == best


# -- Bounds, when there is a limit.


@given(game=bushes(PlainBush), nodes=st.integers(1, 60), distance=st.booleans())
def test_bounds_are_true(game: PlainBush, nodes: int, distance: bool) -> None:
    solver = Solver(game, distance=distance, memory=TINY)
    utility, plies_left = brute_force(game, 0)
    true = Value(utility, True, plies_left if distance else None)
    found = solver.solve(limit=Limit(nodes=nodes))
    assert found.low <= true <= found.high
    assert found.solved or found.reason == f"the limit of {nodes} nodes was reached"
    if found.action is not None:
        after = game.result(0, found.action)
        mover = game.to_move(0)
        kept = game.utility(after, mover) if game.is_terminal(after) else brute_force(game, after)[0]
        same = game.is_terminal(after) or game.to_move(after) == mover
        assert (kept if same else -kept) >= found.low.utility
    assert worth(solver.solve()) == (utility, plies_left if distance else 0)  # it goes on where it was


@pytest.fixture
def hard() -> Solver:
    """A game that nobody proves in seconds."""
    return Solver(plies.ConnectFour(), memory=4)


def test_a_limit_of_time(hard: Solver) -> None:
    found = hard.solve(limit=Limit(time=0.05))
    assert not found.solved
    assert found.reason == "the limit of 0.05 seconds was reached"
    assert (found.low, found.high) == (Value(-1, True), Value(1, True))
    with pytest.raises(
        plies.PliesError, match=r"not known: from loss to win; the limit of 0\.05 seconds was"
    ):
        found.value  # noqa: B018
    with pytest.raises(plies.PliesError, match="not known"):
        found.strategy()


def test_ctrl_c_keeps_the_bounds(hard: Solver) -> None:
    def interrupt(so_far: Solution) -> None:
        assert not so_far.solved
        raise KeyboardInterrupt

    found = hard.solve(progress=interrupt)
    assert found.reason == "it was interrupted"
    assert found.low < found.high
    assert found.nodes > 0


def test_another_thread_may_stop_it(hard: Solver) -> None:
    timer = threading.Timer(0.1, hard.stop)
    timer.start()
    found = hard.solve()
    timer.join()
    assert found.reason == "it was stopped"
    assert not found.solved


def test_progress_on_a_terminal_leaves_no_trace() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with mock.patch("sys.stderr", Terminal()) as screen:
        solve(plies.ConnectFour(), time=1.2, memory=4)
    shown = screen.getvalue()
    assert "\rplies: from loss to win, " in shown
    assert shown.endswith(f"\r{' ' * 79}\r")
    with mock.patch("sys.stderr", io.StringIO()) as pipe:
        solve(plies.ConnectFour(), time=1.2, memory=4)
    assert pipe.getvalue() == ""


@pytest.mark.no_cover
@pytest.mark.long
def test_the_same_proof_every_time() -> None:
    game = interpreted(plies.ConnectFour(4, 4))
    first, second = (solve(game, memory=0.1, distance=True) for _ in range(2))
    assert (first.nodes, first.action, first.value) == (second.nodes, second.action, second.value)


# -- Games that are longer than the search.


class Left(NamedTuple):
    left: int
    player: int


class Countdown(plies.Game):
    """Players count down by turns; the last to speak wins. The estimate is always wrong."""

    def initial(self) -> Left:
        return Left(3, 0)

    def to_move(self, state: Left) -> int:
        return state.player

    def actions(self, state: Left) -> Iterator[int]:
        if state.left > 0:
            yield 1

    def result(self, state: Left, action: int) -> Left:
        return Left(state.left - action, 1 - state.player)

    def is_terminal(self, state: Left) -> bool:
        return state.left == 0

    def utility(self, state: Left, player: int) -> int:
        return -1 if player == state.player else 1

    def evaluate(self, state: Left, player: int) -> float:
        return (0.9 if player == state.player else -0.9) * (1 - 2 * (state.left % 2))


@pytest.mark.parametrize("game", [Countdown(), interpreted(Countdown())], ids=["compiled", "interpreted"])
@pytest.mark.no_cover
@pytest.mark.costly
def test_a_long_game_is_proved_to_its_end_or_not_at_all(game: Countdown) -> None:
    solver = Solver(game, distance=True, memory=1)
    last = int(solver.runners[0].run.last_ply)
    for left in (1, 190, last - 1, last):
        assert worth(solver.solve(Left(left, 0))) == (1 if left % 2 else -1, left)
    for left in (last + 1, last + 2, 3 * last, last + 1):
        found = solver.solve(Left(left, 0))
        assert not found.solved
        assert found.reason == f"some lines of play are longer than the {last:,} plies that are searched"
        assert (found.low.utility, found.high.utility) == (-1, 1)


# -- Refused.


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (plies.Tree([[(1, 2, 3)]], (0, 1, 2)), "solving by search is for 2 players; Tree has 3"),
        (plies.Tree([[(1, 2), (2, 2)]], (0, 1)), "solving by search is for zero-sum games; Tree is not one"),
    ],
    ids=["three", "sum"],
)
def test_games_that_search_cannot_solve(game: plies.Game, sentence: str) -> None:
    with pytest.raises(plies.Unsuitable) as raised:
        solve(game)
    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("game", "algorithm", "sentence"),
    [
        (plies.Pig(), "alpha-beta", "solving by search is for games without chance; Pig has chance nodes"),
        (plies.Pig(), "retrograde", "retrograde analysis is for games without chance; Pig has chance nodes"),
        (
            Graph([[0]], [0], [0]),
            "alpha-beta",
            "solving by search is for games without cycles; Graph has them",
        ),
        (plies.Nim(), "value-iteration", "value iteration is for games with chance nodes; Nim has none"),
    ],
)
def test_algorithms_that_do_not_suit_a_game(game: plies.Game, algorithm: str, sentence: str) -> None:
    with pytest.raises(plies.Unsuitable) as raised:
        plies.solve(game, algorithm=algorithm)
    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ({"memory": 0}, "the memory is a number of megabytes, above 0"),
        ({"memory": float("nan")}, "the memory is a number of megabytes, above 0"),
        ({"time": 0}, "the limit time must be above 0"),
        ({"nodes": -1}, "the limit nodes must be above 0"),
        ({"state": plies.Nim().parse_position("0/0/0 1")}, "there is nothing to solve: the game is over"),
    ],
)
def test_what_makes_no_sense(what: dict[str, Any], sentence: str) -> None:
    with pytest.raises(plies.PliesError, match=sentence):
        solve(interpreted(plies.Nim()), **what)


@pytest.mark.parametrize("one", INEXACT, ids=lambda one: one.name)
def test_nothing_is_left_out_of_a_proof(one: Field[Any]) -> None:
    with pytest.raises(plies.BadParameter, match=f"no inexact options.* switch off {one.name}"):
        Solver(plies.Nim(), options=Options(**{one.name: inexact_value(one, 2)}))


def test_a_proof_has_no_depth() -> None:
    with pytest.raises(plies.BadParameter, match="not its depth"):
        Solver(interpreted(plies.Nim()), memory=1).solve(limit=Limit(depth=3))


def test_no_room_for_the_table() -> None:
    with (
        mock.patch("plies.engine.table.np.zeros", side_effect=MemoryError),
        pytest.raises(plies.PliesError, match=r"not enough memory for a table of 0\.5 megabytes"),
    ):
        solve(plies.Nim(), memory=0.5)


@pytest.mark.plain
@pytest.mark.parametrize("distance", [False, True])
def test_a_proof_that_outgrows_its_table_goes_on_with_a_larger_one(distance: bool) -> None:
    """With second keys, which begin anew, and without."""
    for exact in (True, False):
        game = interpreted(plies.ConnectFour(width=4, height=3))
        game.exact_key = exact
        with mock.patch("plies.engine.table.FIRST", 0.001), mock.patch("plies.engine.null_windows.SOON", 64):
            solver = Solver(game, memory=2, distance=distance)
            solution = solver.solve()
        assert solver.runners[0].large
        assert solver.runners[0].table.nbytes > 2**20
        assert solution.value == Solver(game, memory=2, distance=distance).solve().value


def test_a_larger_table_is_no_excuse_to_go_beyond_the_limit() -> None:
    with mock.patch("plies.engine.table.FIRST", 0.001):
        solver = Solver(plies.ConnectFour(), memory=2)
        solution = solver.solve(limit=Limit(nodes=50))
        assert solution.nodes == 50
        assert not solver.runners[0].large
        solution = solver.solve(limit=Limit(nodes=1000))
    assert solution.nodes == 1000
    assert not solution.solved


# -- By way of all states.


class Place(NamedTuple):
    steps: int
    clock: int
    player: int


class March(plies.Game):
    """The first player steps on or back, the second waits; three steps win, unless time is up."""

    cycles = True

    def __init__(self, clock: int = 10) -> None:
        self.clock = clock

    def initial(self) -> Place:
        return Place(0, self.clock, 0)

    def to_move(self, state: Place) -> int:
        return state.player

    def actions(self, state: Place) -> Iterator[int]:
        if not self.is_terminal(state):
            if state.player == 1:
                yield 0
            else:
                yield 1
                if state.steps > 0:
                    yield -1

    def result(self, state: Place, action: int) -> Place:
        return Place(state.steps + action, state.clock - 1, 1 - state.player)

    def is_terminal(self, state: Place) -> bool:
        return state.steps == 3 or state.clock == 0

    def utility(self, state: Place, player: int) -> int:
        return 0 if state.steps < 3 else 1 if player == 0 else -1

    def core(self, state: Place) -> Place:
        return Place(state.steps, self.clock, state.player)

    def plies_left(self, state: Place) -> int:
        return state.clock


@pytest.mark.plain
@pytest.mark.parametrize("clock", range(1, 12))
def test_a_win_that_the_clock_may_end_before_is_a_bound(clock: int) -> None:
    game = March()
    solution = plies.solve(game, Place(0, clock, 0))
    truth = plies.book.minimax(game, Place(0, clock, 0)).value
    assert solution.low.utility <= truth <= solution.high.utility
    if clock >= 5:
        assert (solution.value.utility, solution.value.plies, solution.action) == (1, 5, 1)
    else:
        assert not solution.solved
        assert solution.reason == f"the end is 5 plies away, and the clock leaves {clock}"
        assert (solution.low.utility, solution.high.utility) == (0, 1)


@pytest.mark.plain
def test_random_graphs_with_cycles_are_solved_as_brute_force_does() -> None:
    """Where a repetition is a draw, and there is no past."""
    chance = random.Random(11)
    for _ in range(30):
        game = graphs.random_graph(graphs.Round, chance, 9)
        if game.is_terminal(game.initial()):
            continue
        solution = plies.solve(game, memory=10)
        mover = game.to_move(game.initial())
        utilities, plies_left = graphs.reference(game)(game.initial())
        assert solution.value.utility == utilities[mover]
        if utilities[mover] != 0:
            assert solution.value.plies == plies_left


# -- Points, and threads.


def boxes(**parameters: int) -> Any:
    game = plies.game(f"{Path(__file__).parents[1]}/examples/dots_and_boxes.py:DotsAndBoxes", **parameters)
    game.compiled = False
    return game


@pytest.mark.plain
@pytest.mark.parametrize(("width", "height", "value"), [(1, 1, -1), (2, 1, 0), (3, 1, -1), (2, 2, 2)])
def test_one_entry_for_all_scores(width: int, height: int, value: int) -> None:
    """By brute force over the lines alone, and with fewer nodes but on the smallest boards."""
    game = boxes(width=width, height=height)
    found = [Solver(game, options=Options(points=points)).solve() for points in (False, True)]
    assert [one.value.utility for one in found] == [value, value]
    assert width < 2 or height < 2 or found[1].nodes < found[0].nodes

    @functools.cache
    def gain(lines: int) -> int:
        gains = []
        for line in range(game.lines):
            if not lines >> line & 1:
                after = game.result(type(game.initial())(lines, 0, 0), line)
                gains.append(after.margin + gain(after.lines) * (1 if after.player == 0 else -1))
        return max(gains, default=0)

    assert gain(0) == value


@pytest.mark.plain
@pytest.mark.long
def test_another_thread_searches_the_windows_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(null_windows, "SOON", 10)
    solver = Solver(boxes(width=2, height=2), threads=2)
    assert solver.solve().value.utility == 2
    assert all(worker.run.nodes > 0 for worker in solver.runners)
    with pytest.raises(plies.BadParameter, match="threads must be between 1 and 256, not 0"):
        solve(plies.TicTacToe(), threads=0)
