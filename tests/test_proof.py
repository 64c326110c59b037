"""Proof-number search: who wins is who wins by brute force, and what is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphs
import plies
from engine_games import TINY, Bush, PlainBush, bushes, solved
from oracles import oracle
from plies.compiled import interpreting
from plies.engine import Limit, Value
from plies.engine.kernels.proof_number import NEVER, TASKS, numbers
from plies.engine.proof_number import ProofNumberSearch
from plies.engine.solve import solve

ENDS = st.sampled_from([-1, -1, 0, 1, 1])


class ForcingBush(Bush):
    """A tree where in some positions nobody can stop."""

    forcing = True

    def is_quiet(self, state: int) -> bool:
        return state % 3 != 0

    def noisy(self, state: int) -> Iterator[int]:
        for action in range(self.child_count[state]):
            if state % 3 == 0 or (state + action) % 2 == 0:
                yield action

    def null_move(self, state: int) -> int:
        """Any other position: it is asked for a hint, not for a proof."""
        return (state * 5 + 3) % len(self.mover)


class PlainForcingBush(ForcingBush):
    """The same, never compiled."""

    compiled = False


class NumberedBush(PlainBush):
    """A tree whose positions have the plainest keys there are, some of which differ in one bit."""

    exact_key = True

    def key(self, state: int) -> int:
        return state


@pytest.mark.plain
def test_the_numbers_of_a_node() -> None:
    """By hand, for the player to move and for the other; what is not proved is never NEVER."""
    run = SimpleNamespace(threads=1)
    work = SimpleNamespace(proof=[3, 0, 2], disproof=[4, NEVER, 1])
    assert numbers(0, 3, True, run, work) == (0, 2, NEVER, 2, 1)
    assert numbers(0, 3, False, run, work) == (1, 4, 4, 1, 2)
    work = SimpleNamespace(proof=[NEVER - 1, NEVER - 1], disproof=[1, 1])
    assert numbers(0, 2, False, run, work) == (1, 1, NEVER - 1, 1, 0)


@pytest.mark.plain
def test_a_thread_keeps_away_from_what_another_searches() -> None:
    """It counts as harder by a half when a child is chosen, and as what it is in the numbers of the node."""
    run = SimpleNamespace(threads=2)
    work = SimpleNamespace(proof=[4, 6, 9], disproof=[1, 1, 1], keys=[5, 6, 7], tasks=[0] * (TASKS + 1))
    assert numbers(0, 3, True, run, work) == (4, 6, 3, 2, 0)
    work.tasks[5] = 5
    assert numbers(0, 3, True, run, work) == (4, 7, 3, 2, 1)
    work.tasks[5] = 5 + TASKS + 1  # another position in the same slot
    assert numbers(0, 3, True, run, work) == (4, 6, 3, 2, 0)


def graph(arrows: list[list[int]], movers: list[int], wins: list[int]) -> Any:
    """A graph with cycles in which some ends are won by player 0, and all others drawn."""
    rows = [[*row, -1, -1, -1][: graphs.WIDTH] for row in arrows]
    payoffs = np.array([[1.0, -1.0] if node in wins else [0.0, 0.0] for node in range(len(rows))])
    facts = {"estimates": payoffs * 0, "mirror": np.arange(len(rows)), "full": np.array([0])}
    game = graphs.Round(arrows=np.array(rows), movers=np.array(movers), payoffs=payoffs, **facts)
    game.compiled = False
    return game


@pytest.mark.plain
def test_a_repetition_is_a_draw_on_its_path_only() -> None:
    """After 1, node 2 leads back there, and no win is left; by way of 7 it leads to 1, which is won."""
    game = graph([[1, 7], [2, 3], [1], [4], [], [], [], [2, 5, 6]], [1, 0, 0, 1, 0, 0, 0, 0], [4])
    assert ProofNumberSearch(game, memory=1).solve().value.utility == -1
    assert ProofNumberSearch(graph([[1], [0]], [0, 1], []), memory=1).solve().value.utility == 0


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "threads"), [("dodgem.py:Dodgem", 1), ("dodgem.py:Dodgem", 2), ("mu_torere.py:MuTorere", 1)]
)
@pytest.mark.long
def test_small_games_with_cycles(name: str, threads: int) -> None:
    """Against a database, in positions after random moves; a draw by repetition may be out of reach."""
    game = plies.game(f"{Path(__file__).parents[1]}/examples/{name}")
    game.compiled = False
    database, chance = plies.make_database(game), random.Random(name)
    wins = 0
    for _ in range(8):
        state = game.initial()
        for _ in range(chance.randrange(12)):
            after = game.result(state, chance.choice(list(game.actions(state))))
            state = state if game.is_terminal(after) else after
        prover = ProofNumberSearch(game, memory=1, threads=threads)
        found = prover.solve(state, Limit(nodes=400) if threads == 1 else Limit(time=0.3))
        truth = database.probe(state)
        assert truth is not None
        value = truth.utility if game.to_move(state) == 0 else -truth.utility
        assert found.low.utility <= value <= found.high.utility
        if found.low.utility > 0:  # and the action wins, without coming back
            wins += 1
            answer = database.probe(game.result(state, found.action))
            assert answer is None or (answer.utility > 0) == (game.to_move(state) == 0)
            with pytest.raises(plies.PliesError, match="no strategy where positions may come up again"):
                found.strategy()
    assert wins or "torere" in name


@pytest.mark.parametrize(
    "kind",
    [
        *(Bush, PlainBush, PlainForcingBush, NumberedBush),
        pytest.param(ForcingBush, marks=pytest.mark.costly),
    ],
)
@given(data=st.data())
def test_random_trees(kind: type[Bush], data: st.DataObject) -> None:
    game = data.draw(bushes(kind, leaves=ENDS))
    game.estimates = np.clip(game.estimates, -1, 1)
    game.bounds = (-1, 1)
    prover = ProofNumberSearch(game, memory=data.draw(st.sampled_from([TINY, 0.01])))
    for state in range(len(game.mover)):
        if not game.is_terminal(state):
            utility = solved(game)(state)[0]
            found = prover.solve(state)
            assert found.value == Value(utility, True)
            after, mover = game.result(state, found.action), game.to_move(state)
            if game.is_terminal(after):
                assert game.utility(after, mover) == utility
            else:
                assert solved(game)(after)[0] * (1 if game.to_move(after) == mover else -1) == utility


@pytest.mark.costly
def test_positions_of_tic_tac_toe() -> None:
    game = plies.TicTacToe()
    prover, value = ProofNumberSearch(game, memory=1), solved(game)
    waiting, seen = [game.initial()], set()
    while waiting:
        state = waiting.pop()
        if state in seen or game.is_terminal(state):
            continue
        seen.add(state)
        if len(seen) % 7 == 0:
            assert prover.solve(state).value.utility == value(state)[0]
        waiting += [game.result(state, action) for action in game.actions(state)]
    assert len(seen) == 4520  # of the 5,478 positions, those where the game goes on


@pytest.mark.parametrize(
    "board", ["4x4", *(pytest.param(board, marks=pytest.mark.plain) for board in ("5x4", "4x5"))]
)
@pytest.mark.costly
def test_connect_four_boards(board: str) -> None:
    if interpreting():
        pytest.skip("takes minutes interpreted")
    width, height = map(int, board.split("x"))
    value = oracle("connect4/board_values.json")["boards"][board]["value"]
    found = solve(plies.ConnectFour(width, height), memory=64, algorithm="proof-number")
    assert found.value == Value({"first": 1, "draw": 0, "second": -1}[value], True)


@pytest.mark.parametrize("sizes", [(1, 2, 3), (3, 2, 2), (1, 1, 1)])
def test_a_strategy_wins_whatever_the_other_does(sizes: tuple[int, ...]) -> None:
    game = plies.Nim(sizes)
    game.compiled = False
    found = solve(game, algorithm="proof-number", memory=1)
    winner = 0 if found.value.utility == 1 else 1
    strategy = found.strategy(winner).complete()
    waiting = [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            assert game.utility(state, winner) == 1
        elif game.to_move(state) == winner:
            waiting.append(game.play(state, strategy.action(state)))
        else:
            waiting += [game.result(state, action) for action in game.actions(state)]


# -- Limits, and what is refused.


def test_a_limit_leaves_bounds() -> None:
    game = plies.ConnectFour()
    game.compiled = False
    found = ProofNumberSearch(game, memory=1).solve(limit=Limit(nodes=50))
    assert not found.solved
    assert (found.low.utility, found.high.utility) == (-1, 1)
    assert found.reason == "the limit of 50 nodes was reached"
    assert found.nodes >= 50


def test_a_stack_that_is_full_is_made_larger() -> None:
    game = plies.TicTacToe()
    game.compiled = False
    prover = ProofNumberSearch(game, memory=1)
    work = prover.runners[0].work
    for name in prover.runners[0].stacked:
        setattr(work, name, getattr(work, name)[:4])
    assert prover.solve().value == Value(0, True)
    assert len(work.actions) > 4


def test_a_game_that_is_too_long() -> None:
    found = ProofNumberSearch(Endless(), memory=1).solve()
    assert not found.solved
    assert found.reason == "some lines of play are longer than the 200 plies that are searched"


class Endless(plies.Game):
    """Counting, up to no end."""

    compiled = False

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> tuple[int, ...]:
        return (1,)

    def result(self, state: int, action: int) -> int:
        return state + action

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> int:
        return 0


def test_what_is_forgotten_is_proved_again() -> None:
    game = plies.TicTacToe()
    game.compiled = False
    prover = ProofNumberSearch(game, memory=1)
    first = prover.solve().nodes
    assert prover.solve().nodes < first
    prover.clear()
    assert prover.solve().nodes == first


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (
            plies.Othello(),
            "proof-number search is for games that are won, lost or drawn, with bounds of -1 and 1; "
            "those of Othello are -64 and 64",
        ),
        (
            plies.Go(size=2),
            "proof-number search is for games in which a position that is repeated is a draw; Go has "
            "repetition_value",
        ),
        (plies.PegSolitaire(), "proof-number search is for 2 players; PegSolitaire has 1"),
        (plies.Pig(), "proof-number search is for games without chance; Pig has chance nodes"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_games_it_is_not_for(game: plies.Game, sentence: str) -> None:
    with pytest.raises(plies.Unsuitable) as caught:
        solve(game, algorithm="proof-number")
    assert str(caught.value) == sentence


def test_an_end_that_is_neither_won_nor_lost_nor_drawn() -> None:
    low, high = ({"player": "min", "evaluate": 0, "children": ends} for ends in ([0.5, 0.5], [-1, 1]))
    game: Any = PlainBush({"player": "max", "evaluate": 0, "children": [low, high]}, ("max", "min"))
    game.bounds = (-1, 1)
    prover = ProofNumberSearch(game, memory=1)
    for _ in range(3):  # and what rests on it is not taken for proved later
        with pytest.raises(plies.Unsuitable, match=r"a terminal state of PlainBush has utility 0\.5"):
            prover.solve()


def test_parameters_that_are_refused() -> None:
    refusal = "must be one of alpha-beta, proof-number, retrograde, value-iteration, not 'magic'"
    with pytest.raises(plies.BadParameter, match=refusal):
        solve(plies.TicTacToe(), algorithm="magic")
    with pytest.raises(plies.BadParameter, match="finds who wins, not how soon"):
        solve(plies.TicTacToe(), algorithm="proof-number", distance=True)
