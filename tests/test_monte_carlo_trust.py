"""Monte Carlo tree search: what it proves is true, what a rule does is told, and threads may share it."""

from __future__ import annotations

import math
import random
import sys
import threading
import time
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from engine_games import Graph, random_graph
from plies import book
from plies.compiled import interpreting
from plies.engine import Limit, MctsOptions, MonteCarlo, faults
from plies.engine.driver import Job
from plies.engine.monte_carlo import _chosen, _Count
from plies.engine.search_tree import LOOKED_AT, WIDEST
from plies.errors import BrokenRule
from plies.games.go_position import stones_of
from plies.games.tree import Tree
from strategies import nodes

pytestmark = [] if interpreting() else [pytest.mark.long]  # many small games, each to be compiled

FEW = 100 if interpreting() else 1000


# -- Rules at fault.

MOVER, NAN, INFINITE, BEYOND, SUM, ESTIMATE, NONE, ENDLESS, NEGATIVE, SHORT, RAISES = range(1, 12)


class Walk(NamedTuple):
    turn: int
    coin: int


class Faulty(plies.Game):
    """Twelve turns, a coin in every third; from one of them on, a rule is broken."""

    def __init__(self, fault: int, turn: int) -> None:
        self.broken = np.array([fault, turn])  # in an array, so that all share one machine code

    def has_fault(self, fault: int, turn: int) -> bool:
        return self.broken[0] == fault and turn >= self.broken[1]

    def initial(self) -> Walk:
        return Walk(0, 0)

    def to_move(self, state: Walk) -> int:
        if self.has_fault(MOVER, state.turn):
            return 2
        return -1 if state.turn % 3 == 2 else state.turn % 2

    def actions(self, state: Walk) -> Any:
        if not self.has_fault(NONE, state.turn):
            yield 0
            yield 1
            while self.has_fault(ENDLESS, state.turn):
                yield 2

    def chance(self, state: Walk) -> Any:
        yield 0, -0.5 if self.has_fault(NEGATIVE, state.turn) else 0.5
        yield 1, 1.5 if self.has_fault(NEGATIVE, state.turn) else 0.4
        yield 2, 0.0 if self.has_fault(NEGATIVE, state.turn) or self.has_fault(SHORT, state.turn) else 0.1

    def result(self, state: Walk, action: int) -> Walk:
        if self.has_fault(RAISES, state.turn):
            raise ValueError("no such place")
        return Walk(state.turn + 1, (state.coin + action) % 3)

    def is_terminal(self, state: Walk) -> bool:
        return state.turn >= 12

    def utility(self, state: Walk, player: int) -> float:
        worth = state.coin - 1.0
        if self.has_fault(NAN, 0):
            worth = np.nan
        if self.has_fault(INFINITE, 0):
            worth = np.inf
        if self.has_fault(BEYOND, 0):
            worth *= 1.25
        if self.has_fault(SUM, 0):
            return 0.5
        return worth if player == 0 else -worth

    def evaluate(self, state: Walk, player: int) -> float:
        return 2.0 if self.has_fault(ESTIMATE, state.turn) else 0.0


RULES = {
    MOVER: "to_move",
    NAN: "utility",
    INFINITE: "utility",
    BEYOND: "utility",
    SUM: "utility",
    ESTIMATE: "evaluate",
    NONE: "actions",
    ENDLESS: "actions",
    NEGATIVE: "chance",
    SHORT: "chance",
    RAISES: "result",
}


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize("fault", RULES)
def test_a_rule_at_fault_is_named(fault, compiled):
    """At the root, further down the tree, and in playouts that no tree reaches."""
    if interpreting() and compiled is None:
        pytest.skip("nothing is compiled in this run")
    turns = {NONE: (0, 3, 10), ENDLESS: (10,) if compiled is False else (0, 3, 10), ESTIMATE: (0,)}
    for turn in (0,) if RULES[fault] == "utility" else turns.get(fault, (0, 2, 11)):
        for options in ({}, {"expansion_threshold": 1000, "rave": 10}):
            options = {**options, "evaluation": 0.5} if fault == ESTIMATE else options
            game = Faulty(fault, turn)
            game.compiled = compiled
            engine = MonteCarlo(game, seed=1, memory=1, options=MctsOptions(**options))
            assert engine.runners[0].compiled is (compiled is None)
            with pytest.raises(BrokenRule, match=rf"Faulty\.{RULES[fault]}, .*test_monte_carlo_trust"):
                engine.search(limit=Limit(nodes=FEW))
            game.broken[0] = 0  # mended, it is searched anew
            assert engine.search(limit=Limit(nodes=10)).nodes == 10


NOTED = {MOVER: faults.MOVER, NONE: faults.ACTIONS, NEGATIVE: faults.CHANCES, SHORT: faults.CHANCES}


@pytest.mark.parametrize("fault", NOTED)
def test_the_tree_itself_notes_a_fault_below_the_root(fault):
    """It need not come to a playout: machine code would read and write beyond its arrays before that."""
    game = Faulty(fault, 3 if fault == NONE else 2)
    game.compiled = False
    engine = MonteCarlo(game, seed=1, memory=1, options=MctsOptions(evaluation=1))
    with pytest.raises(BrokenRule, match=rf"Faulty\.{RULES[fault]}, "):
        engine.search(limit=Limit(nodes=FEW))
    assert engine.runners[0].run.fault == NOTED[fault]


class Crowd(plies.Game):
    """One move, and then twenty thousand, of which those beyond the first 16,384 pay."""

    players = 1
    total = None
    bounds = (0, 1)

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Any:
        for action in range(1 if state == 0 else 20_000):
            yield action + 1

    def result(self, state: int, action: int) -> int:
        return 1 if state == 0 else action + 1

    def is_terminal(self, state: int) -> bool:
        return state > 1

    def utility(self, state: int, player: int) -> float:
        return 1.0 if state - 1 > 1 << 14 else 0.0


def test_playouts_choose_among_all_actions_however_many():
    number = 20 * FEW
    found = MonteCarlo(Crowd(), seed=1, options=MctsOptions(flat=True, solver=False)).search(
        limit=Limit(nodes=number // 20 if interpreting() else number)
    )
    share = 1 - 2**14 / 20_000
    assert found.value.utility == pytest.approx(share, abs=5 * math.sqrt(share / found.nodes))


class Arrays(plies.TicTacToe):
    """A maker's slip: the board is an array."""

    def initial(self) -> Any:
        return np.zeros(9, np.int64)


def test_what_no_search_can_work_with_is_refused_in_a_sentence():
    with pytest.raises(BrokenRule, match="NumPy array"):
        MonteCarlo(Arrays())
    with pytest.raises(BrokenRule, match="NumPy array"):
        MonteCarlo(plies.TicTacToe(), memory=1).search(np.zeros(9, np.int64))
    for bounds in ((-math.inf, math.inf), (1, -1), (math.nan, 1), (-2 * WIDEST, 1)):
        game = plies.TicTacToe()
        game.bounds = bounds
        with pytest.raises(plies.BadParameter, match="bounds of TicTacToe"):
            MonteCarlo(game)
    for players in (0, -1):
        game = plies.TicTacToe()
        game.players = players
        with pytest.raises(plies.BadParameter, match="must be between 1 and 1,000"):
            MonteCarlo(game)
    for name in ("exploration", "rave", "evaluation", "expansion_threshold"):
        with pytest.raises(plies.BadParameter, match=f"{name} must be a number"):
            MctsOptions(**{name: "1"})


def plain(*given: Any) -> Tree:
    """A tree that is searched interpreted."""
    tree = Tree(*given)
    tree.compiled = False
    return tree


def test_utilities_far_apart_and_close_together():
    found = MonteCarlo(plain([[1e280, 1], [5, 7]]), seed=1).search(limit=Limit(nodes=100))
    assert (found.action, found.value.utility, found.value.proved) == (1, 5, True)
    close = plain([[1e9, 1e9 + 1], [1e9 + 0.5, 1e9 + 7]])
    found = MonteCarlo(close, seed=1).search(limit=Limit(nodes=100))
    assert (found.action, found.value.utility, found.value.proved) == (1, 1e9 + 0.5, True)
    game = plain([{"player": "chance", "children": [1e9, 1e9 + 1]}], ("max", "min"))
    found = MonteCarlo(game, seed=1, options=MctsOptions(solver=False)).search(limit=Limit(nodes=400))
    assert found.value.error == pytest.approx(0.5 / 20, rel=0.1)


# -- Proofs.


class Circle(Graph):
    """A graph in which a position that comes up again is worth something to player 0, and ends the game."""

    def __init__(self, graph: Graph, worth: int) -> None:
        self.width, self.arrows, self.movers, self.payoffs = (
            *(graph.width, graph.arrows, graph.movers, graph.payoffs),
        )
        self.worth = np.array([worth])

    def repetition_value(self, state: int, player: int) -> float:
        return float(self.worth[0] if player == 0 else -self.worth[0])


class LongCircle(Circle):
    """Only the third time a position stands ends the game."""

    repetitions = 3


class NoCircle(Circle):
    """A move that brings back a position is not allowed."""

    superko = True


def truth(game: Circle, state: int, previous: list[int]) -> float:
    """What a state is worth to player 0, by the rules of `History`, path by path."""
    history = plies.History(game, state, previous)
    if history.over:
        return history.utility(0)
    values = [truth(game, game.result(state, action), [*previous, state]) for action in history.legal()]
    return max(values) if game.to_move(state) == 0 else min(values)


@pytest.fixture
def restless():
    """Interpreted threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("kind", [Circle, LongCircle, NoCircle])
@pytest.mark.usefixtures("restless")
def test_no_proof_rests_on_a_repetition_or_on_another_past(kind, threads):
    """A kept tree is asked about one state after another, each with a past of its own."""
    chance = random.Random(kind.__name__)
    proofs = 0
    for _ in range(10 if interpreting() else 150):
        size = chance.randint(3, 5 if kind is LongCircle else 6)
        graph = random_graph(chance, size, most=2)
        for place in range(0, 4 * size, 4):  # nobody stays: under superko that would be a pass, for ever
            ends = [end for end in graph.arrows[place : place + 4] if end not in (-1, place // 4)]
            graph.arrows[place : place + 4] = (ends + [-1] * 4)[:4]
        game = kind(graph, chance.choice([-2, -1, 0, 1, 2]))
        engine = MonteCarlo(game, memory=0.1, seed=1, threads=threads)
        state, previous = 0, []
        for _ in range(6):
            history = plies.History(game, state, previous)
            if not history.over:
                found = engine.search(state, Limit(nodes=60), previous=previous)
                sign = 1 if game.to_move(state) == 0 else -1
                for action, value in found.scores.items():
                    if value.proved:
                        exact = truth(game, game.result(state, action), [*previous, state])
                        assert value.utility == sign * exact
                if found.value.proved:
                    proofs += 1
                    assert found.value.utility == sign * truth(game, state, previous)
            if chance.random() < 0.5 and not history.over:  # play on
                previous = [*previous, state]
                state = game.result(state, chance.choice(history.legal()))
            else:
                previous = chance.sample(range(size), chance.randint(0, size - 1))
                state = chance.choice([s for s in range(size) if s not in previous])
    assert proofs > (10 if interpreting() else 100)


@pytest.mark.usefixtures("restless")
def test_threads_that_share_a_tree_prove_nothing_false():
    chance = random.Random(5)

    def grown(depth: int) -> Any:
        if depth == 0 or chance.random() < 0.2:
            return chance.randint(-3, 3)
        return [grown(depth - 1) for _ in range(chance.randint(1, 3))]

    proofs = 0
    for number in range(15 if interpreting() else 200):
        tree = Tree([grown(4) for _ in range(3)])
        options = MctsOptions(rave=10 * (number % 2))
        engine = MonteCarlo(tree, seed=number, memory=0.1, threads=2 + number % 3, options=options)
        found = engine.search(limit=Limit(nodes=600))
        for action, value in found.scores.items():
            if value.proved:
                proofs += 1
                exact = book.minimax(tree, tree.result(0, action), player=tree.to_move(0)).value
                assert value.utility == exact
        if found.value.proved:
            assert found.value.utility == book.minimax(tree).value
    assert proofs > (10 if interpreting() else 150)


class Announced:
    """An array that says when it is written to."""

    def __init__(self, array: Any, seen: Any) -> None:
        self.array, self.seen = array, seen

    def __getitem__(self, place: int) -> Any:
        return self.array[place]

    def __setitem__(self, place: int, value: int) -> None:
        self.seen(place, value)
        self.array[place] = value


def test_what_other_threads_may_read_is_written_before_they_are_told():
    """Children are whole before their parent shows them, and a value is there before it is called proved."""
    game = plain([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    engine = MonteCarlo(game, seed=1, memory=0.1)
    engine._begin(Job(game, 0, [0, 1, 2], Limit(nodes=100)))
    work, told = engine.tree.work, {"first": 0, "proved": 0}

    def shown(node: int, first: int) -> None:
        if first:
            told["first"] += 1
            assert int(work.siblings[first]) == 3
            assert list(work.first.array[first : first + 3]) == [0, 0, 0]
            assert list(work.actions[first : first + 3]) == [0, 1, 2]

    def proved(node: int, value: int) -> None:
        if value:
            told["proved"] += 1
            assert not np.isnan(work.exact[node]).any()

    work.exact[:] = np.nan
    work.siblings[2:] = 99
    work.first, work.proved = Announced(work.first, shown), Announced(work.proved, proved)
    engine.tree.grow(100)
    assert told["first"] == 3
    assert told["proved"] == 9 + 3 + 1


def test_what_threads_count_together_is_what_each_has_counted():
    """However threads took turns, the visits of the root's actions are exact, and a kept tree goes on so."""
    game = plies.TicTacToe()
    engine = MonteCarlo(game, seed=1, threads=2, options=MctsOptions(solver=False, rave=50))
    for number in (1, 2, 3):
        found = engine.search(limit=Limit(nodes=FEW))
        assert sum(found.visits.values()) == number * found.nodes == number * FEW
        assert int(engine.tree.work.visits[0]) == number * FEW
        assert all(-1 <= value.utility <= 1 for value in found.scores.values())
    parts = [(int(one.run.filled), int(one.run.space)) for one in engine.runners]
    assert 1 < parts[0][0] <= parts[0][1] <= parts[1][0] <= parts[1][1] <= engine.tree.room


def test_threads_begin_anew_behind_the_nodes_of_a_kept_tree():
    """A second search of the same position: what the other thread has added is not given out again."""
    game = plies.TicTacToe()
    engine = MonteCarlo(game, seed=1, threads=2, memory=0.2)
    job = Job(game, game.initial(), list(game.actions(game.initial())), Limit(nodes=100))
    for _ in range(3):
        engine._begin(job)
        tree, nodes, waiting = engine.tree, [0], [(0, job.state)]
        while waiting:
            node, state = waiting.pop()
            children = tree.children_of(node)
            nodes += children
            if children:
                assert tree.actions_of(node) == list(game.actions(state))
            waiting += zip(children, (game.result(state, one) for one in tree.actions_of(node)), strict=True)
        assert len(set(nodes)) == len(nodes)
        assert max(nodes) < min(int(runner.run.filled) for runner in engine.runners)
        for runner in engine.runners:
            runner.grow(50)


def test_visits_that_threads_have_lost_are_put_right():
    """As if two threads had counted at one time, and one of them in vain."""
    game = plies.TicTacToe()
    engine = MonteCarlo(game, seed=1, threads=2, options=MctsOptions(solver=False))
    job = Job(game, game.initial(), list(game.actions(game.initial())), Limit(nodes=100))
    engine._begin(job)
    for runner in engine.runners:
        runner.grow(50)
    work, before = engine.tree.work, engine._result(job)
    sums = work.sums[1:10].copy()
    work.visits[0:4] -= 2
    work.sums[2] += 5
    after = engine._result(job)
    assert (after.visits, after.scores) == (before.visits, before.scores)
    engine._earlier.settle(engine.runners)
    assert work.visits[0] == sum(before.visits.values()) == 100
    assert list(work.visits[1:10]) == list(before.visits.values())
    assert list(work.sums[1:10]) == pytest.approx(list(sums))


def test_a_win_by_a_position_that_has_been_is_no_win_any_more():
    """0 -> 1 -> 2, a win for player 0; were 1 in the past, the game would end there, worth nothing."""
    graph = Graph([[1], [2, 0], []], [0, 0, 0], [0, 0, 2])
    engine = MonteCarlo(Circle(graph, -1), seed=1)
    assert engine.search(0, Limit(nodes=50)).value == plies.Value(2, True)
    again = engine.search(0, Limit(nodes=50), previous=[1])
    assert again.value.utility == -1
    assert not again.value.proved
    assert engine.search(0, Limit(nodes=50)).value == plies.Value(2, True)


class Handing(plies.Game):
    """One hands over the turn, and the other loses. What stands on the board stays the same."""

    cycles = True
    compiled = False

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state

    def actions(self, state: int) -> Any:
        return [0]

    def result(self, state: int, action: int) -> int:
        return state + 1

    def is_terminal(self, state: int) -> bool:
        return state == 2

    def utility(self, state: int, player: int) -> int:
        return 1 if player == 0 else -1

    def repetition_key(self, state: int) -> int:
        return 7


def test_a_position_with_another_player_to_move_is_another():
    found = MonteCarlo(Handing(), seed=1).search(limit=Limit(nodes=20))
    assert found.value == plies.Value(1, True)


def test_a_long_past_counts_as_a_whole():
    graph = Graph([[1], [2, 0], []], [0, 0, 0], [0, 0, 2])
    engine = MonteCarlo(Circle(graph, -1), seed=1)
    assert not engine.search(0, Limit(nodes=50), previous=[1] + [2] * 5000).value.proved


@given(nodes(("max", "min", "chance")), st.sampled_from([0.1, 0.7, 1.0]))
def test_proved_values_are_the_books_to_the_last_bit(node, factor):
    """Utilities of player 1 are what is left of a total, and not exactly its difference."""
    tree = Tree(node, ("max", "min"))
    if tree.to_move(0) == plies.CHANCE:
        return
    own = tree.payoffs.reshape(-1, 2)[:, 0] * factor / 3
    payoffs = np.stack([own, 1 - own], axis=1)
    tree.payoffs = payoffs.reshape(tree.payoffs.shape)
    tree.compiled = False  # so many totals and bounds
    tree.total, tree.bounds = 1.0, (float(payoffs.min()), float(payoffs.max()))
    found = MonteCarlo(tree, seed=1).search(limit=Limit(nodes=300))
    player = tree.to_move(0)
    for action, value in found.scores.items():
        if value.proved:
            child = tree.result(0, action)
            assert value.utility == book.expectiminimax(tree, child, player=player).value
    if found.value.proved:
        assert found.value.utility == book.expectiminimax(tree, player=player).value


def test_outcomes_that_cannot_happen_need_no_proof():
    dice = {"player": "chance", "probabilities": [0.0, 1.0, 0.0], "children": [[[1, 2]], 3, [[4, 5]]]}
    tree = Tree({"player": "max", "children": [dice, 2]}, ("max", "min"))
    found = MonteCarlo(tree, seed=1).search(limit=Limit(nodes=100))
    assert (found.action, found.value.utility, found.value.proved) == (0, 3, True)
    assert found.rests_on


# -- Values and choices.


def test_the_standard_error_is_that_of_the_mean():
    """A coin: of many searches, the means are spread as each of them says; threads count together."""
    game = Tree([{"player": "chance", "children": [-1, 1]}], ("max", "min"))
    options = MctsOptions(solver=False)
    found = [
        MonteCarlo(game, seed=seed, options=options, threads=1 + seed % 2).search(limit=Limit(nodes=400))
        for seed in range(10 if interpreting() else 60)
    ]
    errors = [one.value.error for one in found]
    assert errors == pytest.approx([0.05] * len(errors), rel=0.05)
    spread = np.std([one.value.utility for one in found])
    assert spread == pytest.approx(0.05, rel=0.5 if interpreting() else 0.3)
    assert " ± 0.05" in str(found[0].value)
    assert found[0].scores[0].error == found[0].value.error
    once = MonteCarlo(game, seed=1, options=options).search(limit=Limit(nodes=1))
    assert once.value.error is None


def test_the_choice_is_told_everywhere():
    chance = random.Random(3)
    game = plies.TicTacToe()
    engine = MonteCarlo(game, seed=1, memory=1)
    for _ in range(10):
        history = plies.History(game)
        for _ in range(chance.randint(0, 5)):
            history.play(chance.choice(history.legal()))
            if history.over:
                history.undo()
        found = engine.search(history.state, Limit(nodes=chance.choice([30, FEW])))
        assert found.action == found.line[0] == found.lines[0][0] == next(iter(found.scores))
        if not any(value.proved for value in found.scores.values()):
            assert found.visits[found.action] == max(found.visits.values())
        assert found.to_dict()["action"] == next(iter(found.to_dict()["scores"]))


def counted(visits: int, mean: float, proved: bool = False) -> _Count:
    count = _Count()
    count.visits, count.sum, count.proved, count.exact = visits, visits * mean, proved, mean
    return count


@pytest.mark.plain
@pytest.mark.parametrize(
    ("counts", "chosen"),
    [
        ([counted(9, 0.1), counted(8, 0.9)], 0),  # the most visited
        ([counted(8, 0.1), counted(8, 0.9)], 1),  # of equals, the better
        ([counted(90, 0.9), counted(1, 1, True)], 1),  # a proved win
        ([counted(90, -0.2), counted(1, 0, True)], 1),  # a proved draw, if no better is in sight
        ([counted(90, 0.2), counted(1, 0, True)], 0),
        ([counted(90, -1, True), counted(3, -1)], 1),  # no proved loss while there is another
        ([counted(9, -1, True), counted(3, -0.5, True)], 1),
    ],
)
def test_the_choice(counts, chosen):
    assert _chosen(dict(enumerate(counts)), (-1, 1)) == chosen


def test_search_is_the_last_of_the_stream():
    game = plies.TicTacToe()
    *_, last = MonteCarlo(game, seed=5).analyse(limit=Limit(nodes=FEW))
    found = MonteCarlo(game, seed=5).search(limit=Limit(nodes=FEW))
    assert (last.action, last.visits, last.nodes, last.scores) == (
        *(found.action, found.visits, found.nodes, found.scores),
    )
    assert sum(found.visits.values()) == found.nodes == FEW


# -- Trees that are kept.


class Counting(plies.TicTacToe):
    compiled = False
    calls = 0

    def result(self, state: Any, action: int) -> Any:
        Counting.calls += 1
        return super().result(state, action)


def test_little_is_spent_on_looking_for_a_new_root():
    game = Counting()
    engine = MonteCarlo(game, seed=1, options=MctsOptions(solver=False))
    engine.search(limit=Limit(nodes=800))
    strange = game.parse_position("1 2 3 4 5 6")  # further away than a tree is looked through
    Counting.calls = 0
    assert engine.runners[0]._find(strange) is None
    assert 0 < Counting.calls <= LOOKED_AT
    near = game.parse_position("5 1")
    node, way = engine.runners[0]._find(near)
    assert len(way) == 2
    assert engine.runners[0].work.visits[node] > 0


# -- Threads.


def test_threads_that_share_an_engine_are_served_in_turn():
    game = plies.TicTacToe()
    engine = MonteCarlo(game, seed=1, memory=4)
    texts = ["1 5 2", "1 2", "5 1 9", "1 9", "1 5 9", "2 1"]
    wrong: list[Any] = []

    def ask(text: str) -> None:
        state = game.parse_position(text)
        try:
            for _ in range(3):
                found = engine.search(state, Limit(nodes=4 * FEW))
                if found.state != state or found.action not in list(game.actions(state)):
                    wrong.append(found)
                if found.value.proved and found.value.utility != book.minimax(game, state).value:
                    wrong.append(found)
                if not found.value.proved and found.nodes != 4 * FEW:
                    wrong.append(found)
        except BaseException as error:  # told by the assertion below
            wrong.append(error)

    threads = [threading.Thread(target=ask, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_stream_left_half_way_is_ended_by_its_own_threads_next_search():
    engine = MonteCarlo(plies.TicTacToe(), seed=1, memory=4, options=MctsOptions(solver=False))
    stream = engine.analyse(limit=Limit(time=60))
    first = next(stream)
    start = time.perf_counter()
    assert engine.search(limit=Limit(nodes=50)).nodes == 50
    assert time.perf_counter() - start < 30
    rest = list(stream)  # what it had to say, and no more
    assert all(info.nodes >= first.nodes for info in rest)
    assert engine.search(limit=Limit(nodes=20)).nodes == 20


def test_other_threads_wait_for_a_stream_until_it_is_closed():
    engine = MonteCarlo(plies.TicTacToe(), seed=1, memory=4, options=MctsOptions(solver=False))
    stream = engine.analyse(limit=Limit(time=60))
    next(stream)
    found: list[Any] = []
    other = threading.Thread(target=lambda: found.append(engine.search(limit=Limit(nodes=50))))
    other.start()
    other.join(0.3)
    assert other.is_alive()
    del stream  # as good as closed
    other.join(30)
    assert found[0].nodes == 50


def test_stop_ends_the_search_of_another_thread():
    options = MctsOptions(solver=False)
    engine = MonteCarlo(plies.TicTacToe(), seed=1, memory=4, threads=2, options=options)
    timer = threading.Timer(0.3, engine.stop)
    timer.start()
    assert engine.search(limit=Limit(time=60)).nodes > 0
    timer.join()
    assert engine.search(limit=Limit(nodes=50)).nodes == 50


# -- Go's playouts.


def test_playouts_of_go_know_self_atari():
    """Against groups walked cell by cell, in positions that playouts come through."""
    game = plies.Go(size=5)
    chance = random.Random(1)
    seen = 0
    for _ in range(4 if interpreting() else 20):
        state = game.initial()
        for _ in range(40):
            if game.is_terminal(state):
                break
            for action in game.actions(state):
                if action != game.passing:
                    assert game.self_atari(state, action) == plainly_in_atari(game, state, action)
                    seen += plainly_in_atari(game, state, action)
            state = game.result(state, game.playout(state, chance.getrandbits(63), -1, -1))
    assert seen > 100


def plainly_in_atari(game: plies.Go, state: Any, cell: int) -> bool:
    """Whether a move takes nothing and its group then has one liberty."""
    after = game.result(state, cell)
    boards = [stones_of(game, one).replace("/", "") for one in (state, after)]
    other = "OX"[state.player]
    if boards[0].count(other) != boards[1].count(other):
        return False
    cells = {(i % 5, 4 - i // 5): stone for i, stone in enumerate(boards[1])}
    start = (cell % 5, cell // 5)
    group, liberties, left = {start}, set(), [start]
    while left:
        x, y = left.pop()
        for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if cells.get(near) == ".":
                liberties.add(near)
            elif cells.get(near) == cells[start] and near not in group:
                group.add(near)
                left.append(near)
    return len(liberties) == 1
