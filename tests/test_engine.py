"""The engine on games that are not like chess: what it must survive, and what it says of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import plies
from engine_games import (
    TINY,
    Graph,
    PlainBush,
    Stretch,
    Words,
    book_value,
    corridor,
    forced,
    played_out,
    preference,
    random_graph,
    random_options,
    solved,
)
from plies.compiled import interpreting
from plies.engine import AlphaBeta, Limit, Options, SearchResult, Value, runner, worker
from plies.engine.value import AT_LEAST, AT_MOST, EXACT

compiling = pytest.mark.skipif(interpreting(), reason="compilation is switched off")


# -- Turns that do not alternate.


@pytest.mark.costly
def test_extra_turns_are_taken():
    """MAX moves twice: the second time makes good what the first seemed to lose."""
    game = plies.Tree({"children": [1, {"player": "max", "children": [-5, 7]}]})
    assert AlphaBeta(game, memory=TINY).search(0).line == [1, 1]


@pytest.mark.costly
@pytest.mark.parametrize("memory", [TINY, 1])
def test_one_player_moves_on_and_on(memory):
    game = Stretch()
    value, distance = solved(game)(game.initial())
    found = AlphaBeta(game, memory=memory).search(limit=Limit(depth=40))
    assert (found.value.utility, found.value.proved) == (value, True)
    assert found.value.plies in (distance, 0)  # 0 if it is a draw


@pytest.mark.costly
def test_a_forced_pass():
    game = plies.Othello(size=4)
    state, chance = game.initial(), random.Random(1)
    while list(game.actions(state)) != [game.passing]:
        state = game.initial() if game.is_terminal(state) else state
        state = game.result(state, chance.choice(list(game.actions(state))))
        state = game.initial() if game.is_terminal(state) else state
    found = AlphaBeta(game, memory=TINY).search(state, Limit(depth=20))
    assert found.action == game.passing
    assert found.scores[game.passing] == found.value
    assert (found.value.utility, found.value.plies) == solved(game)(state)


def test_one_legal_action_is_valued_all_the_same():
    game = plies.Tree([[3, [-2, 5]]])
    found = AlphaBeta(game, memory=TINY).search(0)
    assert found.action == 0
    assert found.value == Value(3.0, True, 2)


# -- What a game may be worth.


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 0.1, 1, 64, 1e6])
def test_a_win_is_found_at_once_in_any_unit(unit):
    game = PlainBush([[3, 12, 8], 14, [14, 5, 2]]).scaled(unit)
    found = AlphaBeta(game, memory=TINY).search(0, Limit(depth=1))
    assert found.action == 1
    assert found.value.proved
    assert found.value.plies == 1
    assert found.value.utility == pytest.approx(14 * unit, rel=1e-6)


def test_whole_numbers_come_out_exactly():
    for unit in (1, 64, 100_000):
        game = PlainBush([[3, 12, 8], [2, 4, 6], [14, 5, 2]]).scaled(unit)
        assert AlphaBeta(game, memory=TINY).search(0).value == Value(3.0 * unit, True, 2)


def test_a_game_that_always_ends_in_a_draw_is_one():
    game = PlainBush([[0, 0], [[0, 0], 0]])
    assert AlphaBeta(game, memory=TINY).search(0, Limit(depth=1)).value == Value(0.0)
    assert AlphaBeta(game, memory=TINY).search(0).value == Value(0.0, True, 0)


def test_an_estimate_never_passes_for_a_win():
    """However sure EVAL is, only the end of the game proves anything."""
    sure = {"player": "min", "evaluate": 9, "children": [[9, 9], {"player": "min", "children": [-9]}]}
    game = PlainBush({"player": "max", "children": [sure, 1]})
    first, second, *_ = list(AlphaBeta(game, memory=TINY, options=Options(quiescence=False)).analyse(0))[1:]
    assert first.action == 0
    assert 8.999 < first.value.utility < 9
    assert not first.value.proved
    assert not second.value.proved


# -- Games that do not compile.


def test_lists_for_states_and_words_for_actions():
    game = Words()
    engine = AlphaBeta(game, memory=0.01)
    assert not engine.runners[0].compiled
    found = engine.search([], Limit(depth=9))
    assert found.value.proved
    assert found.value.utility == book_value(game, [], 0, None)
    assert found.action in game.actions([])


@compiling
def test_a_game_that_insists_on_machine_code_says_why_there_is_none():
    class Insistent(Words):
        compiled = True

    with pytest.raises(plies.NotCompilable, match="Insistent"):
        AlphaBeta(Insistent())


@compiling
def test_interpreted_and_compiled_searches_visit_the_same_nodes():
    class Plain(plies.TicTacToe):
        compiled = False

    limit = Limit(depth=5)
    machine = AlphaBeta(plies.TicTacToe(), memory=0.01)
    plain = AlphaBeta(Plain(), memory=0.01)
    assert machine.runners[0].compiled
    assert not plain.runners[0].compiled
    assert told(machine.search(limit=limit)) == told(plain.search(limit=limit))


def told(found: SearchResult) -> Any:
    """All that a search found but the time it took, and whether by machine code."""
    return {name: value for name, value in vars(found).items() if name not in ("compiled", "seconds", "game")}


# -- Very many actions.


class Place(NamedTuple):
    ply: int
    number: int


class Wide(plies.Game):
    """So many actions at each ply; then the game is over, with a payoff for each way it went."""

    bounds = (-3, 3)

    def __init__(self, widths: list[int], payoffs: list[int]) -> None:
        self.widths, self.payoffs = np.array(widths), np.array(payoffs)

    def initial(self) -> Place:
        return Place(0, 0)

    def to_move(self, state: Place) -> int:
        return state.ply % 2

    def actions(self, state: Place) -> Iterator[int]:
        if state.ply < len(self.widths):
            for action in range(self.widths[state.ply]):
                yield action

    def result(self, state: Place, action: int) -> Place:
        return Place(state.ply + 1, state.number * int(self.widths[state.ply]) + action)

    def is_terminal(self, state: Place) -> bool:
        return state.ply == len(self.widths)

    def utility(self, state: Place, player: int) -> int:
        payoff = int(self.payoffs[state.number])
        return payoff if player == 0 else -payoff


def wide(widths: list[int], seed: int = 0) -> Wide:
    size = int(np.prod(widths))
    return Wide(widths, np.random.default_rng(seed).integers(-3, 4, size).tolist())


@pytest.mark.parametrize("widths", [[1100, 3], [1, 3, 1030]], ids=str)
@pytest.mark.no_cover
@pytest.mark.costly
def test_more_actions_than_the_table_has_room_for(widths):
    game = wide(widths)
    expected = solved(game)(game.initial())
    for memory in (TINY, 1):
        for null_window in (True, False):
            found = AlphaBeta(game, memory=memory, options=Options(null_window=null_window)).search(
                limit=Limit(depth=9)
            )
            assert found.value.proved
            assert found.value.utility == expected[0]
            assert preference((found.value.utility, found.value.plies or 0)) == preference(expected)


class Funnel(plies.Game):
    """Two ways to a state with 1,100 actions, of which the last one wins, after some more plies."""

    compiled = False

    def __init__(self, more: int) -> None:
        self.more = more

    def initial(self) -> Any:
        return 0, 0

    def to_move(self, state: Any) -> int:
        return int(state[0]) % 2

    def actions(self, state: Any) -> Any:
        return range({0: 2, 2: 1100}.get(state[0], 1))

    def result(self, state: Any, action: int) -> Any:
        ply = state[0] + 1
        return ply, 0 if ply == 2 else max(action, state[1])

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] == 3 + self.more)

    def utility(self, state: Any, player: int) -> int:
        return (1 if state[1] == 1099 else -1) * (1 - 2 * player)


@pytest.mark.plain
@pytest.mark.parametrize("more", [0, 1])
def test_the_table_keeps_scores_whole_where_the_best_action_does_not_fit(more):
    found = AlphaBeta(Funnel(more)).search(limit=Limit(depth=9), lines=2)
    assert list(found.scores.values()) == [Value(1, True, 3 + more)] * 2


@compiling  # interpreted, picking one of so many over and over takes minutes
@pytest.mark.costly
def test_more_actions_than_the_stack_first_holds():
    game = wide([2, worker.STACK + 100])
    engine = AlphaBeta(game, memory=0.1)
    assert len(engine.runners[0].work.actions) == worker.STACK
    found = engine.search(limit=Limit(depth=9))
    assert found.value.proved
    assert found.value.utility == solved(game)(game.initial())[0]
    assert len(engine.runners[0].work.actions) == 2 * worker.STACK


@pytest.mark.parametrize("game", [plies.TicTacToe(), Words()], ids=repr)
def test_a_stack_that_grows_in_the_middle_of_a_search_changes_nothing(game, monkeypatch):
    limit = Limit(depth=4)
    usual = AlphaBeta(game, memory=0.01, options=Options(history=False, killers=False)).search(limit=limit)
    monkeypatch.setattr(worker, "STACK", 4)
    engine = AlphaBeta(game, memory=0.01, options=Options(history=False, killers=False))
    found = engine.search(limit=limit)
    assert len(engine.runners[0].work.actions) > 4
    assert (found.action, found.value, found.depth) == (usual.action, usual.value, usual.depth)


# -- Very long games.


@pytest.mark.long
@pytest.mark.no_cover
def test_a_game_of_hundreds_of_plies_is_proved():
    length = 150 if interpreting() else 400
    found = AlphaBeta(corridor(length), memory=0.1).search(0, Limit(depth=2000))
    assert found.value == Value(2.0, True, length)


@pytest.mark.parametrize("kind", [Graph, type("PlainGraph", (Graph,), {"compiled": False})])
def test_a_game_longer_than_the_stack_is_deep(kind, monkeypatch):
    """The search ends with an estimate, and the end is seen when it comes near."""
    monkeypatch.setattr(runner, "LAST_PLY", 300)
    game = corridor(100)
    game.__class__ = kind
    engine = AlphaBeta(game, memory=0.1)
    last = int(engine.runners[0].run.last_ply)
    assert last == (300 if engine.runners[0].compiled else 30)
    found = engine.search(0, Limit(depth=10_000))
    assert found.value.proved == (last > 100)
    state = 0
    while not game.is_terminal(state):
        found = engine.search(state, Limit(depth=5))
        state = game.result(state, found.action)
    assert found.value == Value(2.0 if game.to_move(99) == 0 else -2.0, True, 1)


# -- Positions that come up again.


def check_graph(found: SearchResult, game: Graph, state: int, values: list[tuple[int, int]]) -> None:
    """Whether nothing is called proved but what a player can really force, of an action from here on."""
    sign = 1 if game.to_move(state) == 0 else -1
    for action, said in {None: found.value, **found.scores}.items():
        if said.proved:
            value, distance = values[state]
            if action is not None:
                value, distance = played_out(game, game.result(state, action), frozenset([state]))
                distance += 1
            value *= sign
            if said.bound == EXACT:
                assert said.utility == value, (state, action, said, value)
                if abs(value) == 2 and said.plies is not None:
                    assert said.plies == distance
            else:
                assert value <= said.utility if said.bound == AT_MOST else value >= said.utility


@pytest.mark.costly
@pytest.mark.parametrize("memory", [TINY, 0.1])
def test_nothing_wrong_is_proved_where_positions_come_up_again(memory):
    chance = random.Random(f"graphs {memory}")
    proofs = 0
    for _ in range(15 if interpreting() else 250):
        game = random_graph(chance, chance.randint(3, 9))
        values = forced(game)
        engine = AlphaBeta(
            game, memory=memory, threads=chance.choice([1, 1, 2]), options=random_options(chance)
        )
        for state in range(len(game.movers)):  # one engine for all: what it remembers comes from other paths
            if not game.is_terminal(state):
                for found in engine.analyse(state, Limit(depth=9)):
                    check_graph(found, game, state, values)
                proofs += found.value.proved
    assert proofs


@pytest.mark.parametrize("table", [False, True])
@pytest.mark.costly
def test_what_can_be_forced_is_found_where_positions_come_up_again(table):
    """As soon as the search looks as far ahead as it takes; a table hides none of these wins and losses."""
    chance = random.Random("forced")
    for _ in range(10 if interpreting() else 150):
        game = random_graph(chance, chance.randint(3, 8))
        values = forced(game)
        for state in range(len(game.movers)):
            value, distance = values[state]
            if not game.is_terminal(state) and abs(value) == 2:
                engine = AlphaBeta(game, memory=0.01, options=random_options(chance, table=table))
                found = engine.search(state, Limit(depth=distance))
                mine = value if game.to_move(state) == 0 else -value
                assert found.value == Value(mine, True, distance)


def test_going_round_is_a_draw():
    """Player 0 would lose by going on, and player 1 cannot but let them come back."""
    game = Graph([[1, 2], [0], []], [0, 1, 0], [0, 0, -2])
    found = AlphaBeta(game, memory=0.1).search(0, Limit(depth=8))
    assert found.action == 0
    assert (found.value.utility, found.value.proved) == (0, True)


def test_the_past_counts():
    """What the game has been through is a draw if it comes up again: better than to lose."""
    game = Graph([[1, 2], [], [3], []], [0, 0, 1, 0], [0, -1, 0, -2])
    engine = AlphaBeta(game, memory=0.1)
    assert engine.search(0, Limit(depth=4)).action == 0
    again = engine.search(0, Limit(depth=4), previous=[2])
    assert again.action == 1
    assert again.value.utility == 0
    assert engine.search(0, Limit(depth=4), previous=[3]).action == 0


def test_the_past_is_kept_when_the_stack_grows(monkeypatch):
    monkeypatch.setattr(worker, "STACK", 1)
    test_the_past_counts()


# -- What a person may ask of it.


def test_bounds_of_scores_are_marked():
    found = AlphaBeta(plies.Tree(), memory=TINY).search(0)
    assert found.scores[0] == found.value == Value(3.0, True, 2)
    assert {found.scores[1].bound, found.scores[2].bound} == {AT_MOST}
    assert AT_LEAST not in {score.bound for score in found.scores.values()}


def test_every_action_on_request():
    found = AlphaBeta(plies.Tree(), memory=TINY).search(0, lines=3)
    assert {action: score.utility for action, score in found.scores.items()} == {0: 3, 1: 2, 2: 2}
    assert {score.bound for score in found.scores.values()} == {EXACT}
    assert sorted(line[0] for line in found.lines) == [0, 1, 2]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: AlphaBeta(plies.TicTacToe(), memory=0), "megabytes"),
        (lambda: AlphaBeta(plies.TicTacToe(), threads=0), "threads"),
        (lambda: AlphaBeta(plies.Pig()), "chance"),
        (lambda: AlphaBeta(plies.Tree([(1, 2), (3, 4)])), "zero-sum"),
        (lambda: AlphaBeta(plies.Tree(), memory=TINY).search(0, lines=0), "line"),
        (lambda: AlphaBeta(plies.Tree(), memory=TINY).search(5), "over"),
        (lambda: AlphaBeta(plies.Tree(), memory=TINY).ponder(5), "over"),
        (lambda: Limit(time=0), "time"),
        (lambda: Limit(depth=-1), "depth"),
        (lambda: Limit(nodes=0), "nodes"),
        (lambda: Options(driver="scout"), "scout"),
        (lambda: Options(beam=-1), "beam"),
        (lambda: Options(threats=-1), "threats"),
    ],
)
def test_what_cannot_be_is_refused_in_words(wrong, words):
    with pytest.raises(plies.PliesError, match=words):
        wrong()


def test_a_rule_that_fails_is_told_to_the_one_who_asked():
    class Broken(Words):
        def utility(self, state: Any, player: int) -> int:
            raise ZeroDivisionError("in a rule")

    engine = AlphaBeta(Broken(), memory=TINY)
    for _ in range(2):
        with pytest.raises(plies.BrokenRule, match="raised ZeroDivisionError: in a rule in the state"):
            engine.search([], Limit(depth=9))


# -- What a game may say about searching it.


class Stairs(plies.Game):
    """Up a stair at a time; every state is estimated by its number, and one of them is not quiet."""

    bounds = (-9, 9)

    def __init__(self, loud: int) -> None:
        self.loud = np.array([loud])  # data, so that one compilation serves all

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        if state < 8:
            yield 1

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state == 8

    def utility(self, state, player):
        return 0

    def evaluate(self, state, player):
        return state if player == 0 else -state

    def is_quiet(self, state):
        return state != self.loud[0]


@pytest.mark.costly
@pytest.mark.parametrize(("loud", "depth", "seen"), [(9, 1, 1), (1, 1, 2), (9, 3, 3), (3, 3, 4), (2, 1, 1)])
def test_a_state_that_is_not_quiet_is_looked_at_a_ply_further(loud, depth, seen):
    game = Stairs(loud)
    assert AlphaBeta(game, memory=0.01).search(limit=Limit(depth=depth)).value.utility == seen
    still = Options(quiescence=False)
    assert AlphaBeta(game, memory=0.01, options=still).search(limit=Limit(depth=depth)).value.utility == depth


@pytest.mark.plain
def test_a_game_says_which_refinements_suit_it():
    game = Stairs(9)
    assert AlphaBeta(game).options == Options()
    game.refinements = {"reductions": True, "null_move": True}
    assert AlphaBeta(game).options == Options(reductions=True, null_move=True)
    assert AlphaBeta(game, options=Options()).options == Options()


def test_what_is_forgotten_is_searched_again():
    game = plies.TicTacToe()
    engine = AlphaBeta(game, memory=0.5)
    first = engine.search(limit=Limit(depth=6)).nodes
    assert engine.search(limit=Limit(depth=6)).nodes < first
    engine.clear()
    assert engine.search(limit=Limit(depth=6)).nodes == first
