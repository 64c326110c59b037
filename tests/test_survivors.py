"""What a planted fault showed that no other test looked at (tests/planted)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphs
import plies
from engine_games import random_state
from plies import bits, book
from plies.learn import NetworkTraining, WeightsTraining
from plies.learn.td import preferred
from plies.learn.td_leaf import FADING, leaf
from strategies import nodes


class Windows(book.Recorder):
    """Keeps the windows of the nodes on the path, and looks at each."""

    def __init__(self) -> None:
        self.path: list[Any] = []

    def enter(self, action: Any, state: Any, kind: str, window: Any = None) -> None:
        if self.path:
            assert self.path[-1][0] <= window[0]
            assert window[1] <= self.path[-1][1]
        self.path.append(window)

    def leave(self, value: Any) -> Any:
        self.path.pop()
        return value


@pytest.mark.plain
@given(nodes())
def test_the_window_of_a_node_lies_within_that_of_its_parent(node: Any) -> None:
    tree = plies.Tree(node, ("max", "min"))
    book.alpha_beta(tree, trace=Windows())
    book.paranoid(tree, trace=Windows())


class Detour(NamedTuple):
    way: int
    ply: int


class EndedByPassing(plies.Game):
    """Way 1 is a draw, way 2 wins after seven plies; a null move ends the game, won by who passes."""

    def initial(self) -> Detour:
        return Detour(0, 0)

    def to_move(self, state: Detour) -> int:
        return state.ply % 2

    def actions(self, state: Detour) -> Iterator[int]:
        yield 1
        if state.way == 0:
            yield 2

    def result(self, state: Detour, action: int) -> Detour:
        return Detour(state.way or action, state.ply + 1)

    def is_terminal(self, state: Detour) -> bool:
        return state.way == 3 or state.ply == 7

    def utility(self, state: Detour, player: int) -> float:
        if state.way == 3:
            return 1 if player != state.ply % 2 else -1
        return 0 if state.way == 1 else 1 - 2 * player

    def evaluate(self, state: Detour, player: int) -> float:
        return 0.0

    def null_move(self, state: Detour) -> Detour:
        return Detour(3, state.ply + 1)


@pytest.mark.plain
def test_a_null_move_that_ends_the_game_says_nothing() -> None:
    engine = plies.AlphaBeta(EndedByPassing(), memory=0.01, options=plies.Options(null_move=True))
    assert str(engine.search(limit=plies.Limit(depth=7)).value) == "win in 7"


@pytest.mark.plain
def test_plausible_columns_are_those_that_the_rules_tell() -> None:
    """The winning ones; or those that stop a four; or those that let nobody win at once; or else all."""
    game, chance = plies.ConnectFour(width=5, height=5), random.Random(0)

    def wins(state: Any, column: int) -> bool:
        after = game.result(state, column)
        return game.is_terminal(after) and game.utility(after, game.to_move(state)) > 0

    kinds = set()
    for _ in range(400):
        state = random_state(game, chance.randrange(8, 22), chance)
        columns = list(game.actions(state))
        passed = state._replace(mine=state.mine ^ state.filled, ply=state.ply + 1)  # the other moves twice
        safe = []
        for column in columns:
            after = game.result(state, column)
            if game.is_terminal(after) or not any(wins(after, reply) for reply in game.actions(after)):
                safe.append(column)
        wanted = [column for column in columns if wins(state, column)]
        kind = "wins"
        if not wanted:
            wanted, kind = [column for column in columns if wins(passed, column)], "stops"
        if not wanted:
            wanted, kind = safe, "safe" if len(safe) < len(columns) else "any"
        assert list(game.candidates(state)) == (wanted or columns)
        kinds.add(kind)
    assert kinds == {"wins", "stops", "safe", "any"}


@pytest.mark.plain
def test_who_is_stuck_takes_the_best_of_what_a_repetition_is_worth() -> None:
    """Under superko, where both moves would bring back a position."""
    arrows = np.array([[1, 2, -1], [0, -1, -1], [0, -1, -1]])
    worth = np.array([[0.0, 0.0], [-0.5, 0.5], [0.5, -0.5]])
    game = graphs.Superko(
        arrows=arrows, movers=np.array([0, 1, 1]), repeats=worth, places=np.arange(3), full=np.array([0])
    )
    history = plies.History(game, graphs.Spot(0, 0), [graphs.Spot(1, 0), graphs.Spot(2, 0)])
    assert history.over
    assert [history.utility(player) for player in (0, 1)] == [0.5, -0.5]


NUMBERS = st.integers(-(1 << 63), (1 << 63) - 1)


@pytest.mark.plain
@given(st.lists(NUMBERS, min_size=1, max_size=6), st.data())
def test_the_verification_key_tells_tuples_apart_that_differ_in_one_item(items: list[int], data: Any) -> None:
    place = data.draw(st.integers(0, len(items) - 1))
    other = [*items[:place], data.draw(NUMBERS.filter(lambda x: x != items[place])), *items[place + 1 :]]
    assert bits.check64(tuple(items)) != bits.check64(tuple(other))
    assert bits.check64(tuple(items)) != bits.check64((*items, 0))
    assert bits.check64(tuple(items)) != bits.hash64(tuple(items))


class Chain(plies.Game):
    """One action everywhere, so that what is learned depends on nothing else; players do not alternate."""

    movers = (0, 0, 1, 0, 1, 1, 0)
    numbers = (0.0, 0.7, -0.4, 0.9, 0.3, -0.8, 0.5, 0.0)
    feature_names = ("number", "square")

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.movers[state]

    def actions(self, state: int) -> Any:
        if state < len(self.movers):
            yield 0

    def result(self, state: int, action: int) -> int:
        return state + 1

    def is_terminal(self, state: int) -> bool:
        return state == len(self.movers)

    def utility(self, state: int, player: int) -> float:
        return 1.0 if player == 0 else -1.0

    def features(self, state: int) -> tuple[float, float]:
        return self.numbers[state], self.numbers[state] ** 2


@pytest.mark.plain
def test_temporal_differences_are_those_of_one_point_of_view() -> None:
    """TD(lambda) as the books have it, all values those of player 0, gradients by differences."""
    game, rate, decay = Chain(), 0.3, 0.8
    training = NetworkTraining(game, games=2, hidden=2, rate=rate, lambda_=decay, seed=1)
    names = ("inward", "biases", "outward")
    sizes = [getattr(training.work, name).size for name in names]
    weights = np.concatenate([getattr(training.work, name).ravel() for name in names]).astype(float)

    def value(weights: Any, state: int) -> float:
        """What a state is worth to player 0, as the player who moved there sees it."""
        sign = 1 if game.movers[state - 1] == 0 else -1
        inward, biases, outward = np.split(weights, np.cumsum(sizes)[:-1])
        hidden = sign * np.array(game.features(state)) @ inward.reshape(2, 2) + biases
        return float(sign * np.tanh(hidden / (1 + abs(hidden)) @ outward[:2] + outward[2]))

    for _ in range(2):
        eligibility, known = np.zeros_like(weights), None
        for state in range(1, len(game.movers) + 1):
            over = game.is_terminal(state)
            target = game.utility(state, 0) if over else value(weights, state)
            if known is not None:
                weights = weights + rate * (target - known) * eligibility
            if not over:
                known = value(weights, state)
                steps = 1e-6 * np.eye(len(weights))
                gradient = [(value(weights + d, state) - value(weights - d, state)) / 2e-6 for d in steps]
                eligibility = decay * eligibility + np.array(gradient)
    training.go()
    learned = np.concatenate([getattr(training.work, name).ravel() for name in names])
    assert np.allclose(learned, weights, atol=1e-5)


@pytest.mark.plain
def test_contests_are_played_from_both_seats() -> None:
    """Player 0 always wins a chain: who has either seat by turns comes out even."""
    training = NetworkTraining(Chain(), games=1, hidden=2)
    for mean, _ in training.measure(games=10).points.values():
        assert mean == 0


@pytest.mark.plain
def test_random_moves_are_as_frequent_as_asked_for() -> None:
    """A network that wants the highest number gets another in half of the random moves."""
    tree = plies.Tree({"player": "max", "children": [1, -1]}, ("max", "min"))
    run = SimpleNamespace(most=1.0, draw=0.0, random_moves=0.2, random=1)
    others = sum(preferred(tree, 0, 0, run, SimpleNamespace())[0] != 0 for _ in range(3000))
    assert 0.07 < others / 3000 < 0.13


class ShareChain(Chain):
    """The same, in points: who wins has one, who loses none, and a draw is worth a half to each."""

    total = 1
    bounds = (0, 1)
    points = 1.0

    def utility(self, state: int, player: int) -> float:
        return self.points if player == 0 else 1 - self.points


@pytest.mark.plain
@pytest.mark.parametrize("random_moves", [0, 1])
def test_a_win_is_worth_one_to_a_network_and_a_draw_nothing(random_moves: int) -> None:
    """However the game counts points, and whether or not the move is a random one."""
    game = ShareChain()
    training = NetworkTraining(game, games=1, hidden=2, random_moves=random_moves)
    last = len(game.movers) - 1
    for game.points, value in ((1.0, 1), (0.5, 0), (0.0, -1)):
        for player, sign in ((0, 1), (1, -1)):
            assert preferred(game, last, player, training.run, training.work) == (0, sign * value)


@pytest.mark.plain
def test_leaves_are_those_of_plain_minimax() -> None:
    """The value of a state, by the weights, and the features of the leaf that it comes from."""
    game, chance = plies.TicTacToe(), random.Random(5)
    training = WeightsTraining(game, games=1, depth=3)
    work, run = training.work, training.run
    work.weights[:] = 0.21

    def plain(state: Any, depth: int) -> float:
        if game.is_terminal(state):
            return game.utility(state, 0)
        if depth == 0:
            tempo = 1 if game.to_move(state) == 0 else -1
            return float(np.tanh(np.array([*game.features(state), tempo]) @ work.weights))
        choose = max if game.to_move(state) == 0 else min
        return choose(plain(game.result(state, action), depth - 1) for action in game.actions(state))

    for _ in range(60):
        state, depth = random_state(game, chance.randrange(6), chance), chance.randint(1, 3)
        found = leaf.interpreted(game, state, -2.0, 2.0, depth, 0, run, work)
        assert found == pytest.approx(plain(state, depth))
        if not work.final[0]:
            assert np.tanh(work.rows[0] @ work.weights) == pytest.approx(found)


@pytest.mark.plain
def test_td_leaf_is_the_books_formula() -> None:
    """After each game, weights move along the sum of differences times eligibilities, scaled by its size."""
    game, rate, decay = Chain(), 0.3, 0.8
    training = WeightsTraining(game, games=4, rate=rate, lambda_=decay, random_moves=0, opening=0)
    weights, squares = np.zeros(3), np.zeros(3)
    for _ in range(4):
        gradient, eligibility, before = np.zeros(3), np.zeros(3), 0.0
        for state in range(1, len(game.movers) + 1):
            over = game.is_terminal(state)
            row = np.array([*game.features(state), 0 if over else (1, -1)[game.to_move(state)]])
            value = game.utility(state, 0) if over else np.tanh(row @ weights)
            gradient += (value - before) * eligibility
            eligibility = decay * eligibility + (0 if over else (1 - value**2) * row)
            before = value
        squares = FADING * squares + (1 - FADING) * gradient**2
        weights = weights + rate * gradient / np.sqrt(squares)
    training.go()
    assert np.allclose(training.work.weights, weights)


class Layers(plies.Game):
    """Each ply leads to the next layer, so that a position comes up again at one depth. Threats force."""

    bounds = (-9, 9)
    forcing = True
    compiled = False
    depth, width = 10, 5

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        cells = [(layer, place) for layer in range(self.depth + 1) for place in range(self.width)]
        self.ways = {cell: chance.sample(range(self.width), chance.choice([2, 3, 3])) for cell in cells}
        self.movers = {cell: chance.randrange(2) for cell in cells}
        self.worth = {cell: chance.randint(-7, 7) for cell in cells}
        self.calm = {cell: chance.random() < 0.8 for cell in cells}

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: Any) -> int:
        return self.movers[state]

    def actions(self, state: Any) -> Any:
        return self.ways[state]

    def result(self, state: Any, action: int) -> tuple[int, int]:
        return state[0] + 1, action

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] == self.depth)

    def utility(self, state: Any, player: int) -> int:
        return self.worth[state] if player == 0 else -self.worth[state]

    def evaluate(self, state: Any, player: int) -> int:
        return self.utility(state, player)

    def noisy(self, state: Any) -> Any:
        return self.ways[state][:2] if self.calm[state] else self.ways[state]

    def is_quiet(self, state: Any) -> bool:
        return self.calm[state]


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(25))
def test_threats_that_lead_to_the_same_position_are_worth_the_same(seed: int) -> None:
    """Quiescence in a forcing game remembers what it has seen, and finds what it would find without that."""
    game = Layers(seed)

    def worth(state: Any, depth: int) -> int:
        """What a state is worth to player 0."""
        if game.is_terminal(state):
            return game.utility(state, 0)
        ways = game.actions(state) if depth > 0 else game.noisy(state)
        values = [worth(game.result(state, action), depth - 1) for action in ways]
        if depth <= 0 and game.is_quiet(state):
            values.append(game.evaluate(state, 0))
        return max(values) if game.to_move(state) == 0 else min(values)

    sign = 1 if game.to_move(game.initial()) == 0 else -1
    engine = plies.AlphaBeta(game, memory=1, options=plies.Options(threats=9, extensions=False))
    for found in engine.analyse(limit=plies.Limit(depth=4)):
        if found.depth:
            assert sign * found.value.utility == worth(game.initial(), found.depth)
