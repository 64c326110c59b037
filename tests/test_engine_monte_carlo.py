"""Monte Carlo tree search: it converges, proves, remembers, keeps within its memory, and repeats itself."""

from __future__ import annotations

import math
import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphs
import plies
from plies import bits, book, search
from plies.compiled import interpreting
from plies.engine import Limit, MctsOptions, MonteCarlo, SearchResult, Value
from plies.engine.job import Job
from plies.engine.kernels.backup import learn_elsewhere
from plies.engine.kernels.playout import remember
from plies.engine.kernels.selection import select
from plies.engine.kernels.uct import below, came_before, fraction, position, random_bits
from plies.games.tree import Tree
from strategies import nodes, trees

GAMES = [plies.TicTacToe(), plies.Pig(target=20)]
FEW = 300 if interpreting() else 3000


def by_simulations(game, number, state=None, seed=1, **options):
    threads = options.pop("threads", 1)
    memory = options.pop("memory", 16)
    engine = MonteCarlo(game, seed=seed, threads=threads, memory=memory, options=MctsOptions(**options))
    return engine.search(state, Limit(nodes=number))


def nested(depth):
    """A tree of so many plies in which there is nothing to win."""
    return [nested(depth - 1), nested(depth - 1)] if depth else 0


# -- What it finds.


@pytest.mark.skipif(interpreting(), reason="takes fifty thousand simulations")
def test_it_proves_that_tic_tac_toe_is_a_draw():
    found = by_simulations(plies.TicTacToe(), 200_000)
    assert found.value.proved
    assert found.value.utility == 0
    assert all(value.proved and value.utility == 0 for value in found.scores.values())


def test_it_proves_a_win_at_once():
    game = plies.TicTacToe()
    state = game.parse_position("1 4 2 5")
    found = by_simulations(game, 2000, state)
    assert (found.action, found.value.proved, found.value.utility) == (3, True, 1)
    assert found.nodes < 2000  # it stopped when it knew


@pytest.mark.parametrize("place", range(3))
def test_who_can_win_at_once_need_not_try_anything_else(place):
    """Min wins by an action; what else there is would take hundreds of simulations."""
    deep = nested(9)
    children = [deep, deep]
    tree = Tree([[*children[:place], -5, *children[place:]], 0, [-1, 5]])
    found = by_simulations(tree, 30)
    assert (found.action, found.value.proved, found.value.utility) == (1, True, book.minimax(tree).value)
    assert found.scores[0] == Value(-5, True)


def test_what_is_tried_is_worth_no_less_than_what_is_proved():
    """Max could have 3 after the first action at once. What is left to try there brings nothing, but max is
    not made to take it: on average, the action is worth what the book says."""
    nothing = nested(9)
    tree = Tree({"player": "max", "children": [{"player": "max", "children": [3, nothing]}, [10, nothing]]})
    found = by_simulations(tree, 200, early=False)
    right = book.minimax(tree, tree.result(0, 0), player=0).value
    assert not found.scores[0].proved
    assert found.scores[0].utility == pytest.approx(right, abs=0.1)


def selected(means, visits, *, has=(), rave=0.0, threads=1, low=0.0, **arrays):
    """The child that is selected, of two with these means after these visits."""
    game = SimpleNamespace(has=has.__contains__)
    run = SimpleNamespace(
        exploration=0.0,
        rave=float(rave),
        priors=0,
        virtual=1,
        threads=threads,
        low=low,
        best=1.0,
        unit=1 / (1 - low),
    )
    work = SimpleNamespace(
        first=np.array([1]),
        siblings=np.array([0, 2]),
        visits=np.array([sum(visits), *visits]),
        sums=np.array([0, *(mean * count for mean, count in zip(means, visits, strict=True))]),
        proved=np.zeros(3, int),
        known=np.zeros(1, int),
        **{name: np.array([0, *values]) for name, values in arrays.items()},
    )
    return select(game, 0, 0, 0, run, work)


def test_after_as_many_visits_as_rave_says_what_is_known_elsewhere_weighs_half():
    """Of two actions that were tried as often, one did well elsewhere: it counts as the mean of both."""
    for rave in (10, 50, 400):
        for other, chosen in ((0.49, 1), (0.51, 2)):
            often = 1_000_000
            elsewhere = {"rave_visits": [often, 0], "rave_sums": [0.8 * often, 0]}
            assert selected([0.2, other], [rave, rave], rave=rave, **elsewhere) == chosen
            few = {"rave_visits": [rave, 0], "rave_sums": [0.8 * rave, 0]}  # then they weigh a third
            assert selected([0.2, other - 0.1], [rave, rave], rave=rave, **few) == chosen


def test_prior_games_count_as_visits_in_selection():
    """Four games, three of them won, and one that was lost: three of five."""
    priors = {"prior_visits": [4.0, 0.0], "prior_sums": [3.0, 0.0]}
    for other, chosen in ((0.59, 1), (0.61, 2)):
        assert selected([0.0, other], [1, 1], has=("prior",), **priors) == chosen
    assert selected([0.0, 0.1], [1, 1], has=(), **priors) == 2  # a game without the rule


def test_simulations_under_way_count_as_lost_to_other_threads():
    """A mean of 0.5 after four visits is one of 0.2 with two more that count -0.4."""
    pending = {"pending": [2, -3]}
    for other, chosen in ((0.19, 1), (0.21, 2)):
        assert selected([0.5, other], [4, 4], threads=2, low=-0.4, **pending) == chosen
        assert selected([0.5, other], [4, 4], threads=1, low=-0.4, **pending) == 1


def test_rave_credits_what_its_player_took_first_and_later():
    """The players take 1, 2, 1, 3 and 2 in turn; seen from plies 0 to 4, what counts for whom?"""
    run = SimpleNamespace(simulations=5)
    for earlier in (0, 1):  # what an earlier simulation noted does not count
        taken, taken_at = np.full(4, earlier), np.zeros(4, int)
        for ply, code in enumerate([1, 2, 1, 3, 2]):
            work = SimpleNamespace(taken=taken, taken_at=taken_at)
            remember(code, ply % 2, ply, run, work)
        credited = []
        for ply in range(5):
            work = SimpleNamespace(
                taken=taken,
                taken_at=taken_at,
                payoffs=np.array([1.0, -1.0]),
                first=np.array([1]),
                siblings=np.array([0, 4, 0, 0, 0]),
                move_indices=np.array([0, 0, 1, 2, 3]),
                rave_visits=np.zeros(5),
                rave_sums=np.zeros(5),
            )
            learn_elsewhere(0, ply % 2, ply, run, work)
            assert (work.rave_sums == work.rave_visits * (1 - 2 * (ply % 2))).all()
            credited.append([int(code) for code in work.move_indices[work.rave_visits > 0]])
        assert credited == [[1], [2, 3], [], [3], []]


class Told(plies.Game):
    """Four numbers in turn, 1 or 2; it notes what playouts and priors are told."""

    compiled = False

    def __init__(self):
        self.playouts, self.priors = set(), set()

    def initial(self):
        return ()

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return (1, 2) if len(state) < 6 else ()

    def result(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        return len(state) == 6

    def utility(self, state, player):
        return (1 if sum(state) % 2 else -1) * (1 - 2 * player)

    def playout(self, state, random, last, before):
        self.playouts.add((state, last, before))
        return 1 + random % 2

    def prior(self, state, action, last):
        self.priors.add((state, action, last))
        return (3.0, 1.0) if action == 2 else (0.0, 0.0)


class Weighted(plies.Game):
    """Three numbers, of which playouts take 3 more often than others, and the last one again most often."""

    players = 1
    total = None
    bounds = (0, 9999)

    def __init__(self):
        self.pattern_weights = np.array([1.0, 3.0, 12.0])

    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        if state < 1000:
            for number in range(1, 4):
                yield number

    def result(self, state, action):
        return 10 * state + action

    def is_terminal(self, state):
        return state >= 1000

    def utility(self, state, player):
        return state

    def pattern(self, state, action, last):
        if action == last:
            return 2
        return 1 if action == 3 else 0


@pytest.mark.costly
def test_playouts_take_actions_by_the_weights_of_their_patterns():
    """After 1, the weights of 1, 2 and 3 are 12, 1 and 3."""
    game = Weighted()
    number = 10 * FEW
    engine = MonteCarlo(game, seed=1, options=MctsOptions(flat=True, solver=False))
    found = engine.search(1, Limit(nodes=number))
    assert found.nodes == number
    means = {}  # of what the number is worth after 1 and then 1, 2 or 3
    for second in (1, 2, 3):
        after = {third: 12.0 if third == second else 3.0 if third == 3 else 1.0 for third in (1, 2, 3)}
        total = sum(after.values())
        value = 0.0
        for third, weight in after.items():
            last = {fourth: 12.0 if fourth == third else 3.0 if fourth == 3 else 1.0 for fourth in (1, 2, 3)}
            expected = sum(fourth * w for fourth, w in last.items()) / sum(last.values())
            value += weight / total * (1000 + 100 * second + 10 * third + expected)
        means[second] = value
    for action, value in found.scores.items():
        assert value.utility == pytest.approx(means[action], abs=5 * value.error)
    assert found.scores[1].error < 1


@pytest.mark.costly
def test_a_pattern_without_a_weight_is_told():
    for weights in ([1.0, 3.0], [1.0, 0.0, 12.0], [1.0, 3.0, math.inf], [1.0, math.nan, 1.0]):
        game = Weighted()
        game.pattern_weights = np.array(weights)
        with pytest.raises(plies.BrokenRule, match="pattern"):
            MonteCarlo(game, seed=1, options=MctsOptions(flat=True)).search(1, Limit(nodes=50))


@pytest.mark.parametrize("known", range(3))
def test_playouts_and_priors_are_told_the_last_actions(known):
    """As many as the game has had, or those that are known."""
    game, state = Told(), (1, 2, 1)
    previous = [(), (1,), (1, 2)][3 - known :]
    engine = MonteCarlo(game, seed=1, options=MctsOptions(solver=False))
    engine.search(state, Limit(nodes=50), previous=previous)
    told = [-1] * (3 - known) + list(state[3 - known :])
    for at, last, before in game.playouts:
        assert (before, last) == tuple([*told, *at[3:]][-2:])
    assert {len(at) for at, _, _ in game.playouts} == {4, 5}
    for at, _, last in game.priors:
        assert last == [*told, *at[3:]][-1]
    assert {len(at) for at, _, _ in game.priors} == {3, 4, 5}
    work = engine.tree.work
    assert list(work.prior_visits[1:3]) == [0, 4]
    assert list(work.prior_sums[1:3]) == [0, 3 - 1]
    game.playouts.clear()
    MonteCarlo(game, seed=1, options=MctsOptions(policy=False, virtual=False)).search(state, Limit(nodes=50))
    assert not game.playouts


def test_positions_that_came_before_are_those_that_superko_forbids():
    """As the history of the game has it: to stay, which is a pass, is allowed, and to come back is not."""
    chance, kinds = random.Random(1), Counter()
    for _ in range(30):
        arrows = np.array([chance.sample(range(5), graphs.WIDTH) for _ in range(5)])
        movers = np.array([chance.randrange(2) for _ in range(5)])
        game = graphs.Superko(arrows=arrows, movers=movers, places=np.arange(5), full=np.array([0]))
        history = plies.History(game)
        for _ in range(6):
            legal, state = history.legal(), history.state
            path = np.array([position(game, one, 0, 1) for one in history.states])
            run, work = SimpleNamespace(previous=len(path) - 1, superko=1), SimpleNamespace(path=path)
            for action in game.actions(state):
                here = position(game, game.result(state, action), 0, 1)
                assert came_before(here, 1, run, work) == (action not in legal)
                kinds[here == path[-1], action in legal] += 1
            if legal:
                history.play(chance.choice(legal))
    assert set(kinds) == {(True, True), (False, True), (False, False)}


def test_an_action_that_ends_the_game_is_seen_however_unlikely_it_seems():
    """In random games of go, who passes has lost; but after a pass by black, a pass wins for white."""
    game = plies.Go(size=5, komi=7.5)
    game.compiled = False
    state = game.parse_position("pass")
    found = plies.MonteCarlo(game, seed=1).search(state, plies.Limit(nodes=5))
    assert game.notation(state, found.action) == "pass"
    assert found.value == plies.Value(1, True)


@given(trees(), st.booleans())
def test_what_it_proves_is_so(tree, flat):
    found = by_simulations(tree, 500, flat=flat)
    right = book.minimax(tree)
    if found.value.proved:
        assert found.value.utility == right.value
        assert book.minimax(tree, tree.result(0, found.action), player=tree.to_move(0)).value == right.value
    for action, value in found.scores.items():
        if value.proved:
            exact = book.minimax(tree, tree.result(0, action), player=tree.to_move(0)).value
            assert value.utility == exact


def test_small_trees_are_proved():
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    found = by_simulations(tree, 500)
    assert found.value.proved
    assert (found.action, found.value.utility) == (0, 3)


@given(nodes(("max", "min", "chance")))
@pytest.mark.costly
def test_dice_are_averaged_in_proofs(node):
    tree = Tree(node, ("max", "min"))
    if tree.to_move(0) == plies.CHANCE:
        return
    found = by_simulations(tree, 1000)
    if found.value.proved:
        assert found.value.utility == pytest.approx(book.expectiminimax(tree).value, abs=1e-9)


@pytest.mark.costly
def test_it_converges_to_the_expected_value():
    # One player, dice, no proof: the mean comes close to what the best play is worth.
    tree = Tree(
        {
            "player": "max",
            "children": [
                {"player": "chance", "probabilities": [0.3, 0.7], "children": [10, [[1, 4], [3, 6]]]},
                {"player": "chance", "children": [4, 5]},
            ],
        },
        ("max", "min"),
    )
    right = book.expectiminimax(tree, player=0)
    found = by_simulations(tree, 4 * FEW, solver=False)
    assert found.action == right.line[0]
    assert found.value.utility == pytest.approx(right.value, abs=0.2)


@pytest.mark.skipif(interpreting(), reason="takes thousands of simulations")
def test_the_error_falls_as_simulations_grow():
    # Tic-Tac-Toe with X in a corner and O beside it is won; the mean climbs towards that as the tree grows.
    game = plies.TicTacToe()
    state = game.parse_position("1 2")
    right = book.minimax(game, state).value
    errors = [
        abs(right - by_simulations(game, number, state, solver=False).value.utility)
        for number in (FEW // 30, FEW // 3, 3 * FEW)
    ]
    assert errors[0] > errors[2]
    assert errors[2] < 0.3


@pytest.mark.costly
def test_several_players_each_look_after_themselves():
    tree = Tree([[(1, 9, 0), (5, 2, 0)], [(3, 3, 3), (2, 1, 9)]], (0, 1, 2))
    right = book.max_n(tree)
    found = by_simulations(tree, FEW)
    assert found.action == right.line[0]
    assert not found.value.proved  # a proof is for two against each other
    assert found.line[: len(right.line)] == list(right.line)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize(
    "options",
    [
        {"rave": 100},
        {"priors": True},
        {"evaluation": 0.5},
        {"evaluation": 1},
        {"widening": 1},
        {"expansion_threshold": 5},
        {"policy": False},
        {"flat": True},
    ],
    ids=str,
)
def test_every_option_finds_a_good_move(game, options):
    if game.name == "pig":  # whoever holds at 14 leaves the other, at 19, a sure win but for a 1
        state, wanted = game.parse_position("2/18 1+12"), {7}
    else:
        state, wanted = game.parse_position("1 5 2"), {3}
    found = by_simulations(game, 1000 if "flat" in options else FEW // 3, state, **options)
    assert found.action in wanted
    assert sum(found.visits.values()) == found.nodes or found.value.proved
    assert set(found.scores) <= set(game.actions(state))


# -- How it goes about it.


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_seed_gives_the_same_answer(game):
    one, two = (by_simulations(game, FEW // 3, seed=7, rave=50) for _ in range(2))
    assert (one.action, one.visits, one.value, one.line) == (two.action, two.visits, two.value, two.line)
    other = by_simulations(game, FEW // 3, seed=8, rave=50)
    assert (other.visits, other.value) != (one.visits, one.value)


def test_interpreted_and_compiled_agree():
    if interpreting():
        pytest.skip("nothing is compiled in this run")
    for game in GAMES:
        plain = type(game)(**({"target": 20} if game.name == "pig" else {}))
        plain.compiled = False
        one, two = (by_simulations(one, 200, seed=3, rave=20, expansion_threshold=2) for one in (game, plain))
        assert (one.visits, one.line) == (two.visits, two.line)
        assert one.value.utility == pytest.approx(two.value.utility)


def test_memory_is_bounded():
    game = plies.TicTacToe()
    engine = MonteCarlo(game, memory=0.01, seed=1)
    found = engine.search(limit=Limit(nodes=2000))
    tree = engine.runners[0]
    assert int(tree.run.filled) <= tree.room == int(0.01 * 2**20) // 45
    assert found.nodes == 2000
    assert sum(found.visits.values()) == 2000
    smallest = MonteCarlo(game, memory=1e-9, seed=1).search(limit=Limit(nodes=50))
    assert smallest.action in list(game.actions(game.initial()))


def test_the_tree_is_kept_between_moves():
    game = plies.TicTacToe()
    engine = MonteCarlo(game, seed=1, options=MctsOptions(solver=False))
    found = engine.search(limit=Limit(nodes=FEW))
    tree = engine.runners[0]
    state = game.initial()
    for action in found.line[:2]:
        state = game.result(state, action)
    place, way = tree._find(state)
    assert place
    assert way == [game.initial(), game.result(game.initial(), found.line[0])]
    below_it = visits_below(tree, place)
    engine.search(state, Limit(nodes=1))
    after = visits_below(tree, 0)
    assert len(after) >= len(below_it) > 10
    assert sum(after.values()) - sum(below_it.values()) in range(1, 12)  # one simulation more on the path
    engine.clear()
    engine.search(state, Limit(nodes=1))
    assert int(tree.work.visits[0]) == 1


def visits_below(tree, node, path=()):
    """The visits of the positions below a node, by the actions that lead there."""
    found = {path: int(tree.work.visits[node])}
    first = int(tree.work.first[node])
    for place, action in enumerate(tree.actions_of(node), first):
        if tree.work.visits[place]:
            found |= visits_below(tree, place, (*path, action))
    return found


def test_infos_limits_and_stopping():
    game = plies.TicTacToe()
    engine = MonteCarlo(game, seed=1, options=MctsOptions(solver=False), threads=2)
    results = list(engine.analyse(limit=Limit(nodes=FEW)))
    assert [info.nodes for info in results] == sorted(info.nodes for info in results)
    assert results[-1].nodes == FEW
    assert len(results) > 3
    stream = engine.analyse(limit=Limit(time=60))
    first = next(stream)
    engine.stop()
    *_, last = first, *stream
    assert sum(last.visits.values()) == last.nodes + FEW  # with those of the search before
    assert search(game, algorithm="mcts", simulations=100, seed=1).nodes == 100
    assert search(game, algorithm="flat", simulations=90, seed=1).visits == dict.fromkeys(range(1, 10), 10)


@pytest.mark.costly
@pytest.mark.parametrize("threads", [1, 2])
def test_the_whole_time_is_used_unless_all_is_proved(threads):
    game = plies.Go(size=5)
    engine = MonteCarlo(game, seed=1, threads=threads)
    state = game.initial()
    for _ in range(3):  # the kept tree makes no difference
        found = engine.search(state, Limit(time=0.2))
        assert found.seconds >= 0.2 or found.value.proved
        state = game.result(state, found.action)


def test_it_ends_early_once_no_other_action_can_be_visited_as_often():
    """One action wins at once: what is left of the limit could not bring any other to the top."""
    game = plies.TicTacToe()
    state = game.parse_position("XX.OO....")
    options = {"solver": False, "exploration": 0.1}
    whole, early = (
        MonteCarlo(game, seed=1, options=MctsOptions(**options, early=early)).search(state, Limit(nodes=4000))
        for early in (False, True)
    )
    assert whole.nodes == 4000
    assert whole.action == early.action
    first, second = sorted(early.visits.values())[-1:-3:-1]
    assert 4000 > early.nodes > 4000 - (first - second)


def test_nothing_is_decided_before_each_action_had_its_turn():
    """One simulation in all the time there is, as on a crowded machine, makes nobody sure of anything."""
    game = plies.TicTacToe()
    state, actions = game.initial(), list(game.actions(game.initial()))
    engine = MonteCarlo(game, seed=1, options=MctsOptions(early=True))
    job = Job(game, state, actions, Limit(time=0.5))
    engine._begin(job)
    visits = dict.fromkeys(actions, 0) | {4: 1}
    for count, decided in ((1, False), (9, True)):
        found = SearchResult(4, Value(0.0), [4], 1, count, 0.5, visits=visits)
        assert engine._decided(job, found) is decided


def test_what_it_refuses():
    pig = plies.Pig(target=20)
    with pytest.raises(plies.PliesError, match="chance is to move"):
        search(pig, pig.parse_position("0/0 1+0?"), algorithm="mcts")
    for name, bad in {"exploration": -1, "evaluation": 2, "expansion_threshold": 0, "rave": math.nan}.items():
        with pytest.raises(plies.BadParameter, match=name):
            MctsOptions(**{name: bad})
    with pytest.raises(plies.BadParameter, match="threads"):
        MonteCarlo(pig, threads=0)
    over = plies.TicTacToe()
    with pytest.raises(plies.PliesError, match="over"):
        MonteCarlo(over).search(over.parse_position("1 4 2 5 3"))


class Walk(plies.Game):
    """To and fro on a line of five, to whose ends there is a way but no need: positions come up again."""

    cycles = True
    compiled = False

    def initial(self):
        return (2, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return (-1, 1)

    def result(self, state, action):
        return (state[0] + action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] in (0, 4)

    def utility(self, state, player):
        return 1 if (state[0] == 4) == (player == 0) else -1


def test_positions_that_come_up_again_end_a_simulation():
    game = Walk()
    found = by_simulations(game, 400)
    assert found.action == 1
    assert found.value.utility < 1


# -- Random numbers.


def test_the_generator_is_splitmix():
    # Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, seed 1234567.
    class Run:
        random = 1234567

    raw = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    run = Run()
    run.random = bits.signed(1234567 - bits.GOLDEN)  # `mix` adds the step itself
    assert [random_bits(run) for _ in raw] == [number >> 1 for number in raw]


def test_numbers_are_spread_evenly():
    class Run:
        random = 42

    run, faces = Run(), 6
    number = 20_000
    counts = np.zeros(faces)
    for _ in range(number):
        counts[below(faces, run)] += 1
    chi_square = float(((counts - number / faces) ** 2 / (number / faces)).sum())
    assert chi_square < 20.5  # one seed in a thousand would be worse
    fractions = [fraction(run) for _ in range(2000)]
    assert all(0 <= one < 1 for one in fractions)
    assert sum(fractions) / 2000 == pytest.approx(0.5, abs=0.03)


@pytest.mark.costly
def test_chance_falls_as_the_game_says():
    dice = {"player": "chance", "probabilities": [0.1, 0.2, 0.7], "children": [[[1, 2]], [[3, 1]], [[2, 2]]]}
    tree = Tree({"player": "max", "children": [dice]}, ("max", "min"))
    engine = MonteCarlo(tree, seed=5, options=MctsOptions(solver=False))
    number = 6 * FEW
    engine.search(limit=Limit(nodes=number))
    work = engine.runners[0].work
    first = int(work.first[1])
    share = work.visits[first : first + 3] / work.visits[1]
    expected = np.array([0.1, 0.2, 0.7])
    spread = np.sqrt(expected * (1 - expected) / number)
    assert (abs(share - expected) < 4 * spread + 2 / number).all()
