"""What was once proved and false, or brought Python down, by alpha-beta and solving, with its class.

Random graphs do the same at large: test_proofs.py.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import graphs
import plies
from engine_games import TINY, Graph, Words
from plies import bits
from plies.compiled import interpreting
from plies.engine import AlphaBeta, Limit, Options
from plies.engine.proof_number import ProofNumberSearch
from plies.engine.solve import Solver
from plies.registry import game_class
from plies.rules import RULES, Rule
from plies.wrapper import FACTS, Wrapper

Echo: Any = game_class(str(Path(__file__).parents[1] / "examples" / "echo.py"))


# -- Utilities that scores cannot tell apart.


class Wide(Echo):
    """A game of wins and losses whose bounds say next to nothing."""

    bounds = (-1e7, 1e7)


@pytest.mark.plain
def test_bounds_that_say_next_to_nothing() -> None:
    assert plies.solve(Wide(21), memory=1).value.utility == 1
    assert plies.search(Wide(21), depth=30).value.utility == 1


@pytest.mark.parametrize(
    ("tree", "value", "action"),
    [
        ([[1e300, 1], [5, 7]], 5, 1),
        ([[1e9, 1e9 + 1], [1e9 + 0.5, 1e9 + 7]], 1e9 + 0.5, 1),
        ([[0.1, 0.2], [0.3, 0.4]], 0.3, 1),
        ([[1e-300, 2e-300], [3e-300, 4]], 3e-300, 1),
        ([[5e-324, 1], [0, 1]], 5e-324, 0),
        ([[0.1, np.nextafter(0.1, 1)], [np.nextafter(0.1, 1), 0.5]], np.nextafter(0.1, 1), 1),
        ([[np.nextafter(1e12, 0)], [1e12], [-1e12]], 1e12, 1),
        ([[-1e12, 1e12], [np.nextafter(-1e12, 0), 1e12]], np.nextafter(-1e12, 0), 1),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_utility_is_the_game_s_own(tree: Any, value: float, action: int, threads: int) -> None:
    game = plies.Tree(tree)
    found = AlphaBeta(game, memory=TINY, threads=threads).search(0, Limit(depth=9))
    assert (found.value.utility, found.value.proved, found.action) == (value, True, action)
    solution = plies.solve(game, memory=1)  # a table that is cleared for each position
    assert (solution.value.utility, solution.action) == (value, action)


def test_one_engine_goes_from_coarse_utilities_to_others() -> None:
    game = plies.Tree([[[1e300, 1], [5, 7]], [[1, 2], [1, 3]]])
    engine = AlphaBeta(game)
    for node, value in ((1, -7), (2, -2), (1, -7), (0, 7)):
        assert engine.search(node, Limit(depth=9)).value.utility == value


# -- A constant sum other than zero.


class Halves(plies.TicTacToe):
    """A win is worth 1, a loss 0, and a draw a half, as a lecture has it."""

    total = 1
    bounds = (0, 1)

    def utility(self, state: Any, player: int) -> float:
        return 0.5 + 0.5 * super().utility(state, player)

    def evaluate(self, state: Any, player: int) -> float:
        return 0.5


@pytest.mark.plain
@pytest.mark.parametrize("moves", ["", "5 2", "1 4 2 5", "1 2 9", "5 1 9 3"])
@pytest.mark.long
def test_a_draw_is_worth_a_half(moves: str) -> None:
    whole, halves = plies.TicTacToe(), Halves()
    state = whole.parse_position(moves)
    expected = plies.search(whole, state, depth=9).value
    for said in (
        plies.search(halves, state, depth=9).value,
        plies.solve(halves, state, distance=True).value,
        plies.solve(halves, state, algorithm="proof-number").value,
    ):
        assert (said.utility, said.proved) == (0.5 + 0.5 * expected.utility, True)
        assert str(said).split(" in ")[0] == str(expected).split(" in ")[0]


def test_utilities_that_do_not_sum_to_the_total_are_told() -> None:
    class Greedy(Echo):
        def utility(self, state: Any, player: int) -> float:
            return 1

    assert "does not sum to 0" in str(plies.check_game(Greedy(5), games=3))


@pytest.mark.plain
@pytest.mark.parametrize(
    "bounds", [(1, -1), (float("nan"), 1), (0, float("inf")), ("a", "b"), (1,), (1, 2, 3), None]
)
def test_bounds_are_two_numbers_in_order(bounds: Any) -> None:
    game = Echo(5)
    game.bounds = bounds
    told = r"the bounds of Echo are .*: give two finite numbers"
    for solve in (plies.search, plies.solve):
        with pytest.raises(plies.BadParameter, match=told):
            solve(game)
    assert re.search(told, str(plies.check_game(game)))


def test_bounds_that_cross_raise() -> None:
    low, high = plies.Value(0.5, True), plies.Value(0.25, True)
    with pytest.raises(plies.PliesError, match="the bounds of the value cross"):
        plies.Solution(0, low, high, None, 0, 0.0)


def test_a_tree_that_is_nearly_zero_sum_is_not() -> None:
    assert not plies.Tree([(1e-10, 2e-10), (1, -1)]).constant_sum
    assert plies.Tree([(0.25, 0.75), (1, 0)]).total == 1
    assert plies.Tree([(0.3, 0.7), (0.1, 0.9)]).total == 1


# -- Keys, clocks, pasts.


class Spot(NamedTuple):
    place: int
    player: int


class Collides(plies.Game):
    """Made so that two states have one key: the first action wins at once, the second loses."""

    compiled = False

    def initial(self) -> Spot:
        return Spot(0, 0)

    def to_move(self, state: Spot) -> int:
        return state.player

    def actions(self, state: Spot) -> Iterator[int]:
        if state.place < 4:
            yield 0
            yield 1

    def result(self, state: Spot, action: int) -> Spot:
        return Spot(2 * state.place + 1 + action, 1 - state.player)

    def is_terminal(self, state: Spot) -> bool:
        return state.place > 2

    def utility(self, state: Spot, player: int) -> float:
        lead = 1 if state.place >= 5 else -1
        return lead if player == 0 else -lead

    def key(self, state: Spot) -> int:
        return 7 if state.place in (1, 2) else bits.hash64(state)


def test_a_made_collision_of_keys_proves_nothing_false() -> None:
    game = Collides()
    assert plies.search(game, depth=9).value.utility == 1
    assert plies.solve(game).value.utility == 1
    assert plies.solve(game, algorithm="proof-number").value.utility == 1


def test_the_verification_key_is_not_a_function_of_the_key() -> None:
    """Of states whose keys agree in 16 bits, the verification keys agree in no more than by chance."""
    chance = random.Random(1)
    seen: dict[int, int] = {}
    pairs = alike = 0
    for _ in range(60_000):
        state = (chance.getrandbits(60), chance.getrandbits(3))
        place, check = bits.hash64(state) & 0xFFFFFF, bits.check64(state)
        if place in seen:
            pairs += 1
            alike += (seen[place] ^ check) & 0xFF == 0
        seen[place] = check
    assert pairs > 80
    assert alike <= 8


@pytest.mark.costly
@pytest.mark.parametrize("order", [(98, 0), (0, 98), (98, 0, 98, 96, 0)])
def test_a_clock_does_not_leak_into_proofs_at_another(order: tuple[int, ...]) -> None:
    game = plies.Chess()
    engine = AlphaBeta(game, options=Options())
    for clock in order:
        state = game.parse_position(f"7k/8/5K2/8/8/8/8/R7 w - - {clock} 80")
        value = engine.search(state, Limit(depth=4 if interpreting() else 7)).value
        if clock == 0:
            assert (str(value), value.proved) == ("win in 3", True)
        elif value.proved:
            assert value.utility == (0 if clock == 98 else 1)


@pytest.mark.costly
def test_a_draw_by_the_clock_is_proved_at_that_clock() -> None:
    game = plies.Chess()
    state = game.parse_position("7k/8/5K2/8/8/8/8/R7 w - - 98 80")
    assert str(AlphaBeta(game, options=Options()).search(state, Limit(depth=4)).value) == "draw"


@pytest.mark.skipif(not interpreting(), reason="an interpreted search will do, and compiles nothing")
@pytest.mark.parametrize(
    "options", [Options(), Options(null_window=False)], ids=["null window", "full window"]
)
def test_a_draw_by_the_clock_is_no_estimate_at_another_clock(options: Options) -> None:
    """Player 0 is ahead all the way. What a table keeps makes no difference to what is estimated."""
    arrows = [[node + 1, node + 2] for node in range(18)] + [[], []]
    game = spots(graphs.Clock, arrows, [0] * 20, range(20), [node % 2 for node in range(20)])
    game.estimates[:] = 0.5, -0.5
    engine, without = AlphaBeta(game, memory=0.01, options=options), replace(options, table=False)
    for clock, value in ((2, 0), (9, 0.5)):
        root = graphs.Spot(0, clock)
        found = engine.search(root, Limit(depth=4)).value.utility
        assert found == AlphaBeta(game, options=without).search(root, Limit(depth=4)).value.utility == value


def test_a_win_by_way_of_the_root_is_none_after_an_action() -> None:
    """From state 0, player 0 wins by 1, 2 and 3. From 2, back to 1, there is a draw: 2 has been."""
    arrows, movers = [[1], [2, 4], [1, 3], [], []], [1, 0, 0, 0, 0]
    game = Graph(arrows, movers, [0, 0, 0, 2, 0])
    game.compiled = False
    engine = AlphaBeta(game, memory=1)
    assert str(engine.search(0, Limit(depth=6)).value) == "loss by 2 in 3"
    found = engine.search(2, Limit(depth=6), lines=2)
    assert {action: str(value) for action, value in found.scores.items()} == {1: "win by 2 in 1", 0: "draw"}


def test_another_past_is_another_question() -> None:
    """The only way to win leads through a position that may not come up again."""
    game = Graph([[1, 2], [3], [3], []], [0, 1, 0, 0], [0, 0, 0, 2])
    engine = AlphaBeta(game)
    assert engine.search(0, Limit(depth=9)).value.utility == 2
    blocked = engine.search(0, Limit(depth=9), previous=[1, 2])
    assert (blocked.value.utility, blocked.value.proved) == (0, True)
    assert engine.search(0, Limit(depth=9), previous=[1]).action == 1
    assert engine.search(0, Limit(depth=9)).value.utility == 2


def spots(kind: type[graphs.Graph], arrows: Any, payoffs: Any, places: Any, movers: Any) -> Any:
    """A graph on which every action is noisy and who repeats a position has lost, if that is player 0."""
    count = len(arrows)
    return kind(
        arrows=np.array([[*ends, -1, -1, -1][: graphs.WIDTH] for ends in arrows]),
        movers=np.array(movers),
        payoffs=np.array([(worth, -worth) for worth in payoffs], float),
        estimates=np.zeros((count, 2)),
        repeats=np.array([(-1.0, 1.0)] * count),
        urgency=np.ones((count, graphs.WIDTH)),
        calm=np.ones(count, bool),
        skips=np.zeros(count, int),
        mirror=np.arange(count),
        places=np.array(places),
        resets=np.zeros((count, graphs.WIDTH), bool),
        full=np.array([0]),
    )


def hurried(kind: type[graphs.Graph], count: int) -> Any:
    """Player 0 has one move, with which the clock starts again or does not; player 1 needs `count` more."""
    arrows = [[1, 1], *([number + 1] for number in range(1, count)), []]
    game = spots(kind, arrows, [0] * count + [-1], range(count + 1), [0] + [1] * count)
    game.compiled = False
    game.full[0] = count
    game.resets[0, 0] = True
    return game


def test_a_win_at_one_clock_is_none_at_another_whether_or_not_it_is_counted() -> None:
    game = hurried(graphs.Clock, 4)
    for distance in (False, True):
        solution = Solver(game, distance=distance, memory=1).solve(graphs.Spot(0, 3))
        assert (str(solution.value), solution.action) == ("draw", 1)


def test_a_repetition_wins_only_while_the_clock_is_running() -> None:
    game = hurried(graphs.ClockCycle, 4)
    engine = AlphaBeta(game, memory=1, options=Options(quiescence=False))
    found = engine.search(graphs.Spot(0, 3), Limit(depth=6), lines=2, previous=[graphs.Spot(3, 4)])
    assert {action: str(value) for action, value in found.scores.items()} == {1: "draw", 0: "loss"}


def check_proofs(game: Any) -> None:
    """Whether what is proved at each depth is what brute force says."""
    root, worth = game.initial(), graphs.reference(game)
    for depth in range(1, 5):
        found = AlphaBeta(game, memory=TINY).search(root, Limit(depth=depth), lines=9)
        for action, value in found.scores.items():
            if value.proved:
                assert value.utility == worth(game.result(root, action), (root,))[0][0], (depth, action)
    assert found.value.proved


@pytest.mark.skipif(not interpreting(), reason="an interpreted search will do, and compiles nothing")
@pytest.mark.parametrize("kind", [graphs.Cycle, graphs.Superko])
def test_who_moves_twice_does_not_win_by_way_of_a_position_that_has_been(kind: Any) -> None:
    """From 0 to 1 and back to 0, and then to the win: each action by player 0, and each noisy."""
    check_proofs(spots(kind, [[1, 2], [0], []], [0, 0, 1], [0, 1, 2], [0, 0, 0]))


@pytest.mark.skipif(not interpreting(), reason="an interpreted search will do, and compiles nothing")
def test_superko_forbids_an_end_that_brings_back_a_position() -> None:
    """From 1, player 1 would win at 2, which looks like 0; what is left is worth 0.5 to player 0."""
    check_proofs(
        spots(
            graphs.Superko, [[1, 4], [2, 3], [], [], []], [0, 0, -1, 0.5, 0], [0, 1, 0, 3, 4], [0, 1, 0, 0, 0]
        )
    )


@pytest.mark.parametrize(
    "size", [pytest.param((2, 1), marks=pytest.mark.plain), pytest.param((2, 2), marks=pytest.mark.costly)]
)
def test_go_is_the_same_with_and_without_a_table(size: tuple[int, int]) -> None:
    columns, rows = size
    game = plies.Go(size=columns, rows=rows, komi=-1, margin=True)
    chance = random.Random(4)
    for _ in range(3 if interpreting() else 20):
        history = plies.History(game)
        for _ in range(chance.randrange(5)):
            if not history.over:
                history.play(chance.choice(history.legal()))
        if history.over:
            continue
        with_table, without = (
            AlphaBeta(game, options=Options(table=table)).search(
                history.state, Limit(depth=4), previous=history.previous
            )
            for table in (True, False)
        )
        if with_table.value.proved and without.value.proved:
            assert with_table.value.utility == without.value.utility


# -- What was left out proves nothing.


@pytest.mark.plain
def test_a_beam_proves_no_loss() -> None:
    found = AlphaBeta(plies.Tree([[-1], [-1], [1]]), options=Options(beam=2)).search(0, Limit(depth=2))
    assert not (found.value.proved and found.value.utility < 0)


@pytest.mark.costly
def test_a_beam_still_proves_a_win() -> None:
    found = AlphaBeta(plies.Tree([[1], [-1], [1]]), options=Options(beam=2)).search(0, Limit(depth=2))
    assert str(found.value) == "win"  # a quicker one might have been left out


@pytest.mark.costly
def test_a_beam_takes_the_root_moves_that_look_best() -> None:
    looks = [{"evaluate": look, "children": [worth]} for look, worth in ((0, 2), (5, 3), (1, 4))]
    narrow = AlphaBeta(plies.Tree(looks), options=Options(beam=1, child_order=True))
    assert narrow.search(0, Limit(depth=2)).action == 1


# -- All that was asked for.


def test_every_line_is_exact_or_the_limit_was_reached() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("1 4 2 5")
    found = AlphaBeta(game).search(state, Limit(depth=9), lines=5)
    said = {action: str(value) for action, value in found.scores.items()}
    assert said == {3: "win in 1", 6: "draw", 7: "loss in 2", 8: "loss in 2", 9: "loss in 2"}
    assert all(value.proved and value.bound == "=" for value in found.scores.values())


def test_the_search_is_the_last_of_its_infos_with_all_it_counted() -> None:
    game = plies.ConnectFour(width=5, height=4)
    *_, last = AlphaBeta(game).analyse(limit=Limit(nodes=777))
    found = AlphaBeta(game).search(limit=Limit(nodes=777))
    assert (last.nodes, last.value, last.action) == (found.nodes, found.value, found.action)
    assert last.nodes == 777


class Loud(plies.Tree):
    """A tree in which node 4 is not quiet, so that the search looks a ply further there."""

    def noisy(self, state: int) -> Iterator[int]:
        for action in range(0):
            yield action

    def is_quiet(self, state: int) -> bool:
        return state != 4


@pytest.mark.plain
@pytest.mark.parametrize(("bias", "action"), [(0.0, 0), (5.0, 1), (-5.0, 0)])
def test_a_bias_changes_the_decision(bias: float, action: int) -> None:
    """One line is judged two plies from the root, the other three, where the root's player has just moved."""
    even = [{"evaluate": 2, "children": [9]}]
    odd = [[{"evaluate": 1, "children": [-9]}]]
    found = AlphaBeta(Loud([even, odd]), options=Options(bias=bias)).search(0, Limit(depth=2))
    assert (found.action, found.value.utility) == (action, max(2, 1 + bias))


# -- Engines that threads share.


@pytest.mark.parametrize(
    "kind", [AlphaBeta, Solver, pytest.param(ProofNumberSearch, marks=pytest.mark.costly)]
)
def test_threads_that_share_an_engine_are_served_in_turn(kind: Any) -> None:
    game = plies.TicTacToe()
    states = [game.parse_position(moves) for moves in ("5 1", "1 2 9", "5 1 9 3", "1 4 2 5")]

    def ask(engine: Any, state: Any) -> Any:
        return engine.search(state, Limit(depth=9)).value if kind is AlphaBeta else engine.solve(state).value

    alone = [ask(kind(game), state) for state in states]
    shared = kind(game)
    answers: dict[int, Any] = {}

    def caller(number: int) -> None:
        answers[number] = ask(shared, states[number % len(states)])

    threads = [threading.Thread(target=caller, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, answer in answers.items():
        assert (answer.utility, answer.proved) == (
            alone[number % len(states)].utility,
            alone[number % len(states)].proved,
        )
    assert len(answers) == 8


def test_a_stream_that_was_left_gives_way_to_the_next_search() -> None:
    engine = AlphaBeta(plies.TicTacToe())
    stream = engine.analyse(limit=Limit(depth=9))
    next(stream)
    assert engine.search(limit=Limit(depth=9)).value.proved
    assert all(found.depth < 9 for found in stream)  # what it had by then
    assert engine.search(limit=Limit(depth=9)).value.proved


# -- Rules that are broken.


class Counted(Echo):
    """Players numbered 1 and 2."""

    def to_move(self, state: Any) -> int:
        return 1 + state.player


class Board(NamedTuple):
    cells: np.ndarray
    player: int


class Arrays(Words):
    """A state that holds an array."""

    def initial(self) -> Any:
        return Board(np.zeros(9, int), 0)


@pytest.mark.plain
@pytest.mark.parametrize("solve", [plies.search, plies.solve], ids=["search", "solve"])
def test_players_who_are_not_there_are_named(solve: Any) -> None:
    with pytest.raises(plies.BrokenRule, match=r"to_move\(\) is [12], and not from 0 to 1, in the state"):
        solve(Counted())


@pytest.mark.parametrize("solve", [plies.search, plies.solve], ids=["search", "solve"])
def test_arrays_in_states_are_refused(solve: Any) -> None:
    with pytest.raises(plies.BrokenRule, match="field 'cells' of a state of Arrays is a NumPy array"):
        solve(Arrays())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_game_made_of_another_asks_it(rule: Rule) -> None:
    asked = []

    class Inner(plies.Game):
        pass

    def method(self: Any, *arguments: Any) -> Any:
        asked.append(arguments)
        return ["answer"]

    setattr(Inner, rule.name, method)
    answer = getattr(Wrapper(Inner()), rule.name)(*rule.arguments)
    assert list(answer) == ["answer"]
    assert asked == [rule.arguments]


def test_a_game_made_of_another_looks_like_it() -> None:
    game = plies.Chess()
    made, state = Wrapper(game), game.initial()
    assert made.name == "chess"
    assert made.player_name(1) == "Black"
    assert made.notation(state, game.parse_action(state, "Nf3")) == "Nf3"
    assert made.parse_position("1. e4") == game.parse_position("1. e4")
    assert (made.text(state), made.scene(state), made.position(state)) == (
        *(game.text(state), game.scene(state)),
        game.position(state),
    )
    assert made.has("move_squares")
    assert not Wrapper(Counted()).has("move_squares")


def test_a_rule_of_the_game_inside_is_blamed() -> None:
    class Broken(plies.TicTacToe):
        def result(self, state: Any, action: int) -> Any:
            raise ZeroDivisionError("oh")

    class Outer(Wrapper):
        def result(self, state: Any, action: int) -> Any:
            return self.game.result(state, action)

    for game in (Wrapper(Broken()), Outer(Wrapper(Broken()))):
        with pytest.raises(
            plies.BrokenRule,
            match=r"result\(\) raised ZeroDivisionError: oh .*\(Broken\.result, .*test_trust",
        ):
            plies.book.minimax(game, depth=1)


def test_a_game_made_of_another_has_all_its_facts() -> None:
    game = plies.Chess()
    game.unit, game.rules, game.prompt = 3.5, "words", "Well?"
    made = Wrapper(game)
    own = (
        *("algorithm", "stochastic", "simultaneous", "constant_sum", "zero_sum", "draw_value"),
        *("encoding_size", "name"),
    )
    known = {
        name
        for name in dir(plies.Game)
        if not callable(getattr(plies.Game, name)) and not name.startswith("_") and name not in own
    }
    assert known <= set(FACTS), "a fact that Wrapper does not take over"
    for name in known:
        assert getattr(made, name) == getattr(game, name), name
    for name in ("chess", "goofspiel"):
        assert Wrapper(plies.game(name)).simultaneous == (name == "goofspiel")


class Told(plies.Game):
    """A move by X, then one by O; the value is known before the second, and is on no step of scores."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> Iterator[int]:
        if state < 2:
            yield 0

    def result(self, state: int, action: int) -> int:
        return state + 1

    def is_terminal(self, state: int) -> bool:
        return state == 2

    def utility(self, state: int, player: int) -> float:
        return 0.1 if player == 0 else -0.1

    def proved_bounds(self, state: int, alpha: float, beta: float) -> tuple[float, float]:
        value = 0.1 if state == 0 else -0.1
        return value, value


@pytest.mark.plain
def test_a_bound_between_two_scores_is_no_score() -> None:
    assert plies.solve(Told(), memory=1).value.utility == 0.1
    assert plies.search(Told(), depth=5).value.utility == 0.1


class Close(plies.Game):
    """X chooses between moves of O to utilities that share a step of scores, and one to a known draw."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return min(state, 1)

    def actions(self, state: int) -> Iterator[int]:
        yield 0
        if state != 2:
            yield 1

    def result(self, state: int, action: int) -> int:
        return 1 + action if state == 0 else 2 * state + 1 + action

    def is_terminal(self, state: int) -> bool:
        return state > 2

    def utility(self, state: int, player: int) -> float:
        worth = 0.0 if state == 5 else 0.25 if state == 3 else 0.25 + 2.0**-54
        return worth if player == 0 else -worth

    def proved_bounds(self, state: int, alpha: float, beta: float) -> tuple[float, float]:
        return (0.0, 0.0) if state == 2 else (-1.0, 1.0)


@pytest.mark.plain
def test_bounds_are_no_scores_where_scores_are_spread() -> None:
    for found in (plies.solve(Close(), memory=1), plies.search(Close(), depth=5)):
        assert found.value.utility == 0.25
        assert found.action == 0
