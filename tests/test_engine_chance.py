"""The engines for dice and for many players: the book's values, whatever is left out."""

from __future__ import annotations

import math
import random
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import book, search
from plies.engine import Expectiminimax, Limit, MaxN, Options, engine_for
from plies.games.tree import Tree
from plies.wrapper import Paranoid
from strategies import NUMBERS, nodes

FLOATS = NUMBERS | st.floats(-5, 5, allow_subnormal=False)
"""Leaves that sum up to other numbers in another order."""

TINY = 1e-9
"""Megabytes, for the smallest table there is, in which everything collides."""


class Orchard(Tree):
    """A tree with dice and an order to try actions in that says nothing.

    Trees that are drawn without any count as having some, or they would have a machine code of their own.
    """

    def __init__(self, *given):
        super().__init__(*given)
        self.stochastic = True

    def priority(self, state, action):
        return (state * 7 + action * 5) % 4 / 2


class PlainOrchard(Orchard):
    """The same, never compiled."""

    compiled = False


def dice_trees(kind=Orchard, movers=("max", "min", "chance"), leaves=FLOATS):
    levels = tuple(name for name in movers if name != "chance")
    return nodes(movers, leaves).map(lambda node: kind(node, levels))


def share_trees(players, zero_sum=False):
    """Trees with dice for several players; payoffs and estimates that sum to zero if they should."""
    numbers = st.tuples(*[NUMBERS if zero_sum else FLOATS] * players)
    leaves = numbers.map(lambda given: (*given[:-1], -sum(given[:-1]))) if zero_sum else numbers
    movers = (*range(players), "chance")

    def tree(node):
        made = Tree(_estimated(node, players), tuple(range(players)))
        if not zero_sum:
            made.total = None  # a sum that leaves have by chance would have a machine code of its own
        return made

    return nodes(movers, leaves).map(tree)


def _estimated(node, players):
    """The estimates of `nodes` are single numbers: here a player's gain is shared among the others."""
    if not isinstance(node, dict):
        return node
    first = node["evaluate"]
    estimates = [first, -first] + [0] * (players - 2)
    children = [_estimated(child, players) for child in node["children"]]
    return {**node, "evaluate": estimates, "children": children}


OPTIONS = st.builds(
    Options,
    table=st.booleans(),
    star1=st.booleans(),
    star2=st.booleans(),
    priority=st.booleans(),
    child_order=st.booleans(),
    candidates=st.booleans(),
)


@given(dice_trees(), OPTIONS, st.none() | st.integers(1, 4), st.sampled_from([TINY, 0.01]))
def test_expectiminimax_is_the_books(tree, options, depth, memory):
    if tree.to_move(0) == plies.CHANCE:
        tree = Orchard({"player": "max", "children": [{"player": "chance", "children": [3, 1]}, 2]})
    engine = Expectiminimax(tree, options=options, memory=memory)
    found = engine.search(limit=Limit(depth=depth) if depth else Limit(depth=20))
    check_scores(tree, found, depth or 20)
    assert found.value.proved or depth is not None


def check_scores(tree, found, depth):
    """Values are the book's to the last bit, bounds are bounds, and the action is a best one."""
    player = tree.to_move(0)
    assert found.value.utility == book.expectiminimax(tree, player=player, depth=depth).value
    for action, value in found.scores.items():
        right = book.expectiminimax(tree, tree.result(0, action), player=player, depth=depth - 1).value
        assert value.utility == right if value.bound == "=" else value.utility >= right
    assert found.scores[found.action].utility == found.value.utility
    assert found.scores[found.action].bound == "="


@given(
    dice_trees(),
    OPTIONS,
    st.lists(st.tuples(st.floats(-5, 5), st.floats(0, 3)), min_size=1, max_size=8),
    st.integers(1, 5),
    st.sampled_from([TINY, 0.01]),
)
def test_values_beyond_a_window_are_bounds(tree, options, windows, depth, memory):
    # With one table for all windows, so that what is remembered is a bound too.
    engine = Expectiminimax(tree, options=options, memory=memory)
    for viewer in (0, 1):
        right = book.expectiminimax(tree, player=viewer, depth=depth).value
        check_windows(engine, viewer, depth, right, [*windows, (right, 0.5), (right, 0.0)])


def test_a_window_of_one_value_leaves_the_right_bound():
    # MIN stops at 0, its first action, which is no lower bound: the second is worth -1.
    tree = Orchard({"player": "max", "children": [0, 1]})
    engine = Expectiminimax(tree, options=Options(priority=False, child_order=False))
    check_windows(engine, 1, 1, -1.0, [(0.0, 0.0), (-1.0, 0.5)])


def check_windows(engine, viewer, depth, right, windows):
    """What the kernel finds is exact within a window, and a bound outside."""
    run = engine.runner.run
    run.limit, run.least, run.most = 1 << 60, engine.low - 1e-6, engine.high + 1e-6
    run.viewer = viewer
    for centre, width in windows:
        alpha, beta = centre - width, centre + width
        found = float(engine.runner.call(0, 0, alpha, beta, depth, 1))
        assert not run.fault
        if alpha < found < beta:
            assert found == right
        elif not alpha == found == beta:  # which would be either bound
            assert right <= found if found <= alpha else right >= found


@pytest.mark.parametrize("star1", [False, True])
def test_bounds_of_star2_are_tight_and_true(star1):
    # Shortly below the dice, where what is tried first is the value or near it.
    cuts = 0
    for seed in range(300):
        chance = random.Random(seed)
        mover, other = chance.choice([("max", "min"), ("min", "max")])
        deep = chance.random() < 0.5

        def leaf(chance=chance, other=other, deep=deep):
            if not deep:
                return chance.uniform(-5, 5)
            return {"player": other, "children": [chance.uniform(-5, 5), chance.uniform(-5, 5)]}

        outcomes = [
            {"player": mover, "children": [leaf() for _ in range(chance.choice([1, 1, 2]))]}
            for _ in range(chance.randint(1, 3))
        ]
        tree = Orchard({"player": "chance", "children": outcomes}, ("max", "min"))
        options = Options(star1=star1, table=chance.random() < 0.5, priority=False)
        engine = Expectiminimax(tree, options=options, memory=TINY)
        for viewer in (0, 1):
            right = book.expectiminimax(tree, player=viewer).value
            near = [(right + lead, 1e-3) for lead in (-1, -0.2, -0.01, 0.01, 0.2, 1)]
            check_windows(engine, viewer, 3, right, near)
        cuts += int(engine.runner.run.star2_cuts)
    assert cuts > 500


@given(dice_trees(), OPTIONS)
@pytest.mark.costly
def test_one_engine_serves_both_players_of_a_game_of_constant_sum(tree, options):
    if tree.to_move(0) == plies.CHANCE:
        return
    node = tree.payoffs.reshape(-1, 2)
    node[:, 1] = 1 - node[:, 0]  # a win of 1 and a loss of 0, say
    tree.estimates.reshape(-1, 2)[:, 1] = 1 - tree.estimates.reshape(-1, 2)[:, 0]
    tree.total = 1
    tree.bounds = (-5.0, 6.0)
    engine = Expectiminimax(tree, options=options, memory=0.01)
    for state in range(len(tree.mover)):
        if not tree.is_terminal(state) and tree.to_move(state) != plies.CHANCE:
            found = engine.search(state, Limit(depth=20))
            assert found.value.utility == book.expectiminimax(tree, state).value
            assert found.value.proved
            assert found.value.draw == 0.5


@given(dice_trees(PlainOrchard), OPTIONS)
def test_interpreted_it_counts_the_same(tree, options):
    if tree.to_move(0) == plies.CHANCE or plies.compiled.interpreting():
        return
    counted = []
    for kind in (tree, Orchard(tree.to_json())):
        engine = Expectiminimax(kind, options=options, memory=0.01)
        found = engine.search(limit=Limit(depth=5))
        counted.append((found.value, found.action, found.nodes, found.cuts, found.hits, found.line))
    assert counted[0] == counted[1]


@given(dice_trees(PlainOrchard, movers=("max", "chance")))
def test_one_player_against_the_dice(tree):
    if tree.to_move(0) == plies.CHANCE:
        return
    found = Expectiminimax(tree).search(limit=Limit(depth=20))
    assert found.value.utility == book.expectiminimax(tree).value
    assert found.value.proved


def test_star_pruning_leaves_out_what_cannot_matter():
    tree = Orchard({"player": "max", "children": [_dice(3, 3), _dice(-9, 9), _dice(9, -9)]}, ("max", "min"))
    tree.bounds = (-9, 10)
    nodes = {}
    for name, switches in {
        "plain": {"star1": False, "star2": False},
        "star1": {"star2": False},
        "star2": {},
    }.items():
        options = Options(table=False, **switches)
        nodes[name] = Expectiminimax(tree, options=options).search(limit=Limit(depth=9)).nodes
    assert nodes["star2"] < nodes["star1"] < nodes["plain"]


def _dice(*values):
    children = [{"player": "min", "children": [value, value + 1, value]} for value in values]
    return {"player": "chance", "children": children}


def test_pig_at_any_depth():
    game = plies.Pig(target=20)
    state = game.parse_position("8/12 1+5")
    engine = Expectiminimax(game)
    for depth in range(1, 7):
        found = engine.search(state, Limit(depth=depth))
        assert found.value.utility == book.expectiminimax(game, state, depth=depth).value
        assert found.depth == depth
    assert found.line[0] == found.action
    assert found.scores[found.action] == found.value
    both = engine.search(state, Limit(depth=5), lines=2)
    for action, value in both.scores.items():
        after = book.expectiminimax(game, game.result(state, action), player=0, depth=4)
        assert value.bound == "="
        assert value.utility == after.value


def test_limits_and_stopping():
    game = plies.Pig(target=20)
    found = search(game, nodes=500)
    assert found.nodes <= 501
    assert found.algorithm == "expectiminimax"
    results = list(Expectiminimax(game).analyse(limit=Limit(depth=3)))
    assert [info.depth for info in results] == [0, 1, 2, 3]
    engine = Expectiminimax(game)
    stream = engine.analyse(limit=Limit(time=60))
    first = next(stream)
    engine.stop()
    *_, last = first, *stream
    assert last.action in list(game.actions(game.initial()))


def test_the_last_info_has_the_final_counters():
    game = plies.Pig(target=20)
    for engine in (Expectiminimax(game), MaxN(game)):
        *_, before, last = engine.analyse(limit=Limit(nodes=700))
        assert last.nodes == engine.runner.run.nodes == 700 > before.nodes
        assert last.depth == before.depth
        again = engine.search(limit=Limit(nodes=700))
        assert (again.nodes, again.cuts) == (engine.runner.run.nodes, engine.runner.run.cuts)


def test_lines_go_on_until_all_of_them_are_exact():
    tree = Orchard({"player": "max", "children": [_dice(3, 3), _dice(-1, 1), [_dice(2, 2)], 1]})
    for engine in (Expectiminimax(tree), MaxN(tree)):
        found = engine.search(limit=Limit(depth=30), lines=3)
        exact = [value.utility for value in found.scores.values() if value.bound == "=" and value.proved]
        assert sorted(exact, reverse=True)[:3] == [3, 2, 1]
        assert len(found.lines) == 3
        assert found.value.proved


PIG = plies.Pig(target=20)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (PIG, "expectiminimax"),
        (PIG, "max-n"),
        pytest.param(plies.Tree(), "paranoid", marks=pytest.mark.costly),
    ],
)
def test_threads_are_served_in_turn(game, name):
    engine = engine_for(game, name)
    states = [PIG.parse_position(f"{i}/12 1+5") for i in range(2, 8)] if game is PIG else [0, 1, 2, 3]
    right = [engine.search(state, Limit(depth=5)).value for state in states]
    found = {}

    def ask(i):
        found[i] = engine.search(states[i % len(states)], Limit(depth=5)).value

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[i] for i in range(12)] == [right[i % len(states)] for i in range(12)]


@pytest.mark.parametrize("kind", [Expectiminimax, MaxN])
def test_a_stream_that_is_left_gives_way(kind):
    game = plies.Pig(target=20)
    engine = kind(game)
    stream = engine.analyse(limit=Limit(time=600))
    next(stream)
    found = engine.search(limit=Limit(depth=2))  # by the same thread: the stream ends
    assert found.depth == 2
    assert len(list(stream)) < 100
    other = engine.analyse(limit=Limit(time=600))
    next(other)
    other.close()
    answers = []
    thread = threading.Thread(target=lambda: answers.append(engine.search(limit=Limit(depth=2))))
    thread.start()
    thread.join(60)
    assert answers[0].value == found.value


def test_what_it_refuses():
    game = plies.Pig(target=20)
    with pytest.raises(plies.PliesError, match="chance is to move"):
        search(game, game.parse_position("0/0 1+0?"), depth=1)
    with pytest.raises(plies.Unsuitable, match="2 players"):
        Expectiminimax(Tree([[(1, 2, 3)]], (0, 1, 2)))
    with pytest.raises(plies.BadParameter, match="lines must be 1 or more"):
        Expectiminimax(game).search(lines=0)
    with pytest.raises(plies.BadParameter, match="there is no algorithm"):
        search(game, algorithm="magic")
    with pytest.raises(plies.BadParameter, match="does not take"):
        search(game, algorithm="max-n", seed=3)
    with pytest.raises(plies.BadParameter, match="options are given as"):
        search(game, options={"star1": False})
    with pytest.raises(plies.BadParameter, match="whole number, not '3'"):
        search(game, lines="3")
    with pytest.raises(plies.BadParameter, match="one limit"):
        search(game, nodes=3, simulations=4)
    with pytest.raises(plies.BadParameter, match="list of states"):
        search(game, previous=3)
    with pytest.raises(plies.BadParameter, match="needs a game"):
        search("pig")


@pytest.mark.parametrize("bounds", [(-math.inf, math.inf), (math.nan, 1), (1, -1), "ab"])
def test_bounds_that_are_none_are_refused(bounds):
    game = plies.Pig(target=10)
    game.bounds = bounds
    for kind in (Expectiminimax, MaxN):
        with pytest.raises(plies.BadParameter, match="give two finite numbers"):
            kind(game)


@pytest.mark.parametrize("size", [1e-300, 1e9, 1e300, 1e308])
def test_tiny_and_huge_utilities(size):
    tree = Orchard({"player": "max", "children": [_dice(0.75, -1), _dice(-0.5, 0.5), _dice(-1, 1)]})
    tree.payoffs[:] = tree.payoffs * (size / 2)
    tree.estimates[:] = 0
    tree.bounds = (-size, size)
    for kind in (Expectiminimax, MaxN):
        found = kind(tree).search(limit=Limit(depth=9))
        assert found.value.utility == book.expectiminimax(tree).value
        assert found.value.proved


# -- Many players.


@given(share_trees(3), st.integers(1, 5))
@pytest.mark.costly
def test_max_n_is_the_books(tree, depth):
    if tree.to_move(0) == plies.CHANCE:
        return
    player = tree.to_move(0)
    found = MaxN(tree).search(limit=Limit(depth=depth))
    right = book.max_n(tree, depth=depth)
    assert found.value.utility == right.value[player]
    after = book.max_n(tree, tree.result(0, found.action), depth=depth - 1)
    assert after.value[player] == right.value[player]
    assert str(found.value).startswith(("payoff", "+", "-"))


@given(share_trees(3, zero_sum=True), st.integers(1, 5))
@pytest.mark.costly
def test_shallow_pruning_changes_nothing(tree, depth):
    if tree.to_move(0) == plies.CHANCE:
        return
    assert tree.zero_sum
    right = book.max_n(tree, depth=depth)
    for pruning in (True, False):
        found = MaxN(tree, pruning=pruning).search(limit=Limit(depth=depth))
        assert found.value.utility == right.value[tree.to_move(0)]


def test_shallow_pruning_of_many_small_trees_changes_nothing():
    cuts = 0
    for seed in range(400):
        chance = random.Random(seed)

        def node(depth, chance=chance):
            if depth == 0:
                first, second = chance.randint(-2, 2), chance.randint(-2, 2)
                return first, second, -first - second
            return [node(depth - 1) for _ in range(chance.randint(1, 3))]

        tree = Tree(node(3), chance.choice([(0, 1, 2), (0, 1, 1), (2, 0, 1)]))
        engine = MaxN(tree)
        found = engine.search(limit=Limit(depth=4))
        assert found.value.utility == book.max_n(tree).value[tree.to_move(0)]
        cuts += found.cuts
    assert cuts > 100


def test_max_n_without_dice_takes_the_first_of_equals():
    tree = Tree([[(1, 2, 3), (1, 5, 6)], [(1, 9, 9)]], (0, 1, 2))
    found = MaxN(tree).search(limit=Limit(depth=5))
    assert found.line == list(book.max_n(tree).line) == [0, 1]
    assert found.value.proved
    assert search(tree, depth=5).algorithm == "max-n"


def test_shallow_pruning_prunes():
    # The second reply need not be looked at: 9 of 10 to player 1 leaves player 0 less than the 4 they have.
    tree = Tree([[(4, 3, -7)], [(0, 9, -9), (9, 0, -9)]], (0, 1, 2))
    tree.bounds = (-9, 9)
    nodes = [MaxN(tree, pruning=pruning).search(limit=Limit(depth=9)).nodes for pruning in (True, False)]
    assert nodes == [6, 7]


@given(nodes((0, 1, 2), st.tuples(*[NUMBERS] * 3)))
def test_paranoid_is_minimax_against_several_opponents(node):
    tree = Tree(node, (0, 1, 2))
    tree.compiled = False  # that such games compile is shown with the models
    player = tree.to_move(0)
    found = engine_for(tree, "paranoid").search(limit=Limit(depth=20))
    assert found.value.utility == book.opponents(tree, player=player).value
    assert found.algorithm == "paranoid"


def test_the_paranoid_reduction_is_a_game_of_two():
    tree = Tree([[(4, 3, -7)], [(0, 9, -9), (9, 0, -9)]], (0, 1, 2))
    game = Paranoid(tree, 1)
    assert (game.players, game.zero_sum, game.stochastic) == (2, True, False)
    assert [game.to_move(0), game.to_move(1)] == [1, 0]
    leaf = game.result(1, 0)
    assert (game.utility(leaf, 0), game.utility(leaf, 1)) == (3, -3)
    assert game.player_name(1) == "the others"
    with pytest.raises(plies.BadParameter, match="between 0 and 2 in Tree, not 3"):
        Paranoid(tree, 3)
