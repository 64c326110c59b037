"""Random games, ply for ply, as OpenSpiel plays them: an implementation that this project did not write."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import plies
from plies import CHANCE, Game

pytestmark = pytest.mark.plain

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel, the referee, is not installed")


class Refereed(NamedTuple):
    """A game, OpenSpiel's name for it, and how an action is numbered there."""

    game: Game
    theirs: str
    number: Callable[[Any, int], int]
    games: int


NIM = plies.Nim((3, 4, 5))
OTHELLO = plies.Othello()


def nim_number(state: Any, action: int) -> int:
    heap, matches = map(int, NIM.notation(state, action).split(":"))
    return (matches - 1) * 3 + heap - 1


GAMES = [
    Refereed(plies.TicTacToe(), "tic_tac_toe", lambda state, cell: cell - 1, 500),
    Refereed(plies.ConnectFour(), "connect_four", lambda state, column: column, 300),
    Refereed(plies.ConnectFour(5, 4), "connect_four(rows=4,columns=5)", lambda state, column: column, 300),
    Refereed(OTHELLO, "othello", lambda state, cell: cell, 150),
    Refereed(plies.Kalah(), "mancala", lambda state, house: house + 1 + 7 * state.player, 300),
    Refereed(NIM, "nim(pile_sizes=3;4;5,is_misere=False)", nim_number, 100),
    Refereed(plies.Nim((3, 4, 5), misere=True), "nim(pile_sizes=3;4;5,is_misere=True)", nim_number, 100),
]


@pytest.mark.parametrize("refereed", GAMES, ids=lambda refereed: refereed.theirs)
def test_random_games_as_openspiel_plays_them(refereed: Refereed) -> None:
    game = refereed.game
    theirs = pyspiel.load_game(refereed.theirs)
    for seed in range(refereed.games):
        generator = random.Random(seed)
        state, other = game.initial(), theirs.new_initial_state()
        while not game.is_terminal(state):
            assert not other.is_terminal(), (seed, game.position(state))
            assert game.to_move(state) == other.current_player(), (seed, game.position(state))
            actions = list(game.actions(state))
            numbers = [refereed.number(state, action) for action in actions]
            assert sorted(numbers) == sorted(other.legal_actions()), (seed, game.position(state))
            choice = generator.randrange(len(actions))
            state = game.result(state, actions[choice])
            other.apply_action(numbers[choice])
        assert other.is_terminal(), (seed, game.position(state))
        utility = game.utility(state, 0)
        assert (utility > 0) - (utility < 0) == other.returns()[0], (seed, game.position(state))


def test_othello_has_the_discs_that_openspiel_has() -> None:
    """The score as well, which OpenSpiel tells only in its picture of the board."""
    game = plies.Othello(empties_to_winner=False)
    theirs = pyspiel.load_game("othello")
    for seed in range(20):
        generator = random.Random(seed)
        state, other = game.initial(), theirs.new_initial_state()
        while not game.is_terminal(state):
            action = generator.choice(list(game.actions(state)))
            state = game.result(state, action)
            other.apply_action(action)
        rows = [line[2:17] for line in str(other).splitlines() if line[:1].isdigit()]
        picture = "".join(rows).replace(" ", "")
        assert len(picture) == 64
        assert game.utility(state, 0) == picture.count("x") - picture.count("o")


def test_pig_as_openspiel_plays_it() -> None:
    """There a player may hold before the first roll, and a game is won by holding."""
    game = plies.Pig(target=30)
    theirs = pyspiel.load_game("pig(winscore=30,horizon=100000)")
    for seed in range(100):
        generator = random.Random(seed)
        state, other = game.initial(), theirs.new_initial_state()
        while not game.is_terminal(state):
            rolling = game.to_move(state) == CHANCE
            assert rolling == other.is_chance_node()
            if not rolling:
                assert game.to_move(state) == other.current_player()
            action = generator.choice(list(game.actions(state)))
            word = game.notation(state, action)
            number = {"roll": 0, "hold": 1}[word] if not rolling else action - 1
            state = game.result(state, action)
            assert number in other.legal_actions()
            other.apply_action(number)
        if not other.is_terminal():
            other.apply_action(1)
        assert other.is_terminal()
        assert [game.utility(state, 0), game.utility(state, 1)] == other.returns()
