"""Strategies: optimal wherever they are asked, kept in files, and verified by playing every reply."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from engine_games import TINY, Graph, PlainBush, Words, bushes, solved
from plies import Strategy, Value, verify
from plies.players import Player, Random

pytestmark = pytest.mark.plain  # small games, none of them compiled


def interpreted(game: Any) -> Any:
    """The same game, never compiled: these are too small for it to be worth it."""
    game.compiled = False
    return game


GAMES = [
    interpreted(plies.TicTacToe()),
    interpreted(plies.Nim((1, 2, 3))),
    interpreted(plies.Nim((3, 2), misere=True)),
    interpreted(plies.SumToTwo()),
    interpreted(plies.ConnectFour(3, 4)),
    interpreted(plies.Kalah(2, 2)),
    pytest.param(interpreted(plies.Othello(4)), marks=pytest.mark.long, id="Othello(4)"),
    Words(),
]


# -- Both players' strategies, verified, are a proof of the value.


@pytest.mark.parametrize("distance", [False, True])
@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.no_cover
def test_both_strategies_hold(game: plies.Game, distance: bool) -> None:
    solution = plies.solve(game, distance=distance, memory=1)
    mover = game.to_move(game.initial())
    for player in (0, 1):
        strategy = solution.strategy(player).complete()
        assert strategy.is_complete
        assert strategy.value.utility == (1 if player == mover else -1) * solution.value.utility
        verdict = verify(game, strategy)
        assert verdict, verdict.reason
        assert verdict.utility == strategy.value.utility
        assert verdict.positions > strategy.positions
        if distance and verdict.utility:
            assert verdict.plies == solution.value.plies


@given(game=bushes(PlainBush), distance=st.booleans())
def test_both_strategies_hold_in_random_trees(game: PlainBush, distance: bool) -> None:
    solution = plies.solve(game, distance=distance, memory=TINY)
    for player in (0, 1):
        verdict = verify(game, solution.strategy(player))
        assert verdict, verdict.reason
        assert verdict.utility == solution.strategy(player).value.utility


@pytest.mark.long
@pytest.mark.no_cover
def test_connect_four_on_a_small_board() -> None:
    game = plies.ConnectFour(4, 4)
    game.compiled = False
    strategy = plies.solve(game, memory=4).strategy()
    verdict = verify(game, strategy, limit=100_000)
    assert verdict, verdict.reason
    assert verdict.utility == 0


def test_a_strategy_profits_from_errors() -> None:
    """It is optimal wherever it is asked, not only where the opponent plays well."""
    game = interpreted(plies.Kalah(3, 1))
    strategy = plies.solve(game, memory=1).strategy(1)
    best = solved(game)
    chance = random.Random(1)
    gains = 0
    for _ in range(100):
        state, value = game.initial(), -best(game.initial())[0]
        while not game.is_terminal(state):
            mover = game.to_move(state)
            action = strategy.action(state) if mover == 1 else chance.choice(list(game.actions(state)))
            after = game.result(state, action)
            if game.is_terminal(after):
                now = game.utility(after, 1)
            else:
                now = best(after)[0] * (1 if game.to_move(after) == 1 else -1)
            assert now == value if mover == 1 else now >= value
            gains += now > value
            state, value = after, now
    assert gains > 0


def test_it_takes_a_seat_as_a_player() -> None:
    game = interpreted(plies.TicTacToe())
    strategy: Player = plies.solve(game, memory=1).strategy()
    opponent = Random(3)
    strategy.prepare(game)
    state = game.initial()
    while not game.is_terminal(state):
        player = strategy if game.to_move(state) == 0 else opponent
        state = game.play(state, player.choose(game, state))
    assert game.utility(state, 0) >= 0
    with pytest.raises(plies.PliesError, match=r"is for TicTacToe\(\), not for SumToTwo\(\)"):
        strategy.prepare(plies.SumToTwo())


def test_where_a_strategy_has_no_answer() -> None:
    game = interpreted(plies.TicTacToe())
    strategy = plies.solve(game, memory=1).strategy()
    with pytest.raises(plies.PliesError, match="is for X; it is the turn of O"):
        strategy.action(game.parse_position("5"))
    with pytest.raises(plies.PliesError, match="the game is over"):
        strategy.action(game.parse_position("XXX/OO./..."))
    strategy.complete()
    first = strategy.action(game.initial())
    other = next(action for action in game.actions(game.initial()) if action != first)
    reply = next(game.actions(game.result(game.initial(), other)))
    off = game.result(game.result(game.initial(), other), reply)
    with pytest.raises(plies.PliesError, match="the position cannot be reached against it"):
        strategy.action(off)


def test_limits() -> None:
    game = interpreted(plies.TicTacToe())
    solution = plies.solve(game, memory=1)
    needed = len(list(verified_positions(game, solution.strategy())))
    with pytest.raises(plies.PliesError, match=f"more than {needed - 1} positions can be reached"):
        solution.strategy().complete(needed - 1)
    assert solution.strategy().complete(needed).is_complete
    with pytest.raises(plies.BadParameter, match="there is no player 2"):
        solution.strategy(2)


def verified_positions(game: plies.Game, strategy: Strategy) -> set[Any]:
    """The positions, not yet over, that can be reached against a strategy."""
    found, waiting = set(), [strategy.state]
    while waiting:
        state = waiting.pop()
        if not game.is_terminal(state):
            found.add(state)
            mine = game.to_move(state) == strategy.player
            actions = [strategy.action(state)] if mine else game.actions(state)
            waiting += [game.result(state, action) for action in actions]
    return found


# -- The verifier finds what is wrong.


class Fixed:
    """A strategy that is not one of ours."""

    def __init__(self, game: plies.Game, player: int, value: Any, choice: Any) -> None:
        self.state, self.player, self.value = game.initial(), player, value
        self.choice = choice

    def action(self, state: Any) -> Any:
        return self.choice(state)


def replayed(game: plies.Game, line: list[Any]) -> Any:
    state = game.initial()
    for action in line:
        state = game.play(state, action)
    return state


def test_a_wrong_strategy_is_refuted() -> None:
    game = plies.TicTacToe()
    first = Fixed(game, 0, 0, lambda state: next(iter(game.actions(state))))
    verdict = verify(game, first)
    assert not verdict
    assert verdict.reason == "the claim is 0, but the outcome may be -1"
    state = replayed(game, verdict.line)
    assert game.is_terminal(state)
    assert game.utility(state, 0) == -1
    assert verify(game, first, value=-1)  # less is claimed, and that much it gets


def test_one_wrong_answer_among_right_ones() -> None:
    """Each single answer is replaced by each losing one; what follows is again played as well as can be."""
    game = interpreted(plies.Nim((1, 2, 2)))
    strategy = plies.solve(game, memory=1).strategy()
    assert strategy.value == Value(1, True)
    best = solved(game)
    wrong = [
        (state, action)
        for state in verified_positions(game, strategy)
        if game.to_move(state) == 0
        for action in game.actions(state)
        if not game.is_terminal(game.result(state, action)) and best(game.result(state, action))[0] > 0
    ]
    assert len(wrong) > 5
    for place, error in wrong:
        spoilt = Fixed(game, 0, 1, lambda s, at=place, a=error: a if s == at else strategy.action(s))
        verdict = verify(game, spoilt)
        assert not verdict
        assert game.utility(replayed(game, verdict.line), 0) == -1


def test_too_much_is_claimed() -> None:
    game = interpreted(plies.Kalah(2, 2))
    strategy = plies.solve(game, memory=1).strategy()
    assert strategy.value.utility == -2
    verdict = verify(game, strategy, value=-1)
    assert verdict.reason == "the claim is -1, but the outcome may be -2"
    assert game.utility(replayed(game, verdict.line), 0) == -2


def test_a_win_that_takes_longer_than_claimed() -> None:
    game = interpreted(plies.Nim((2, 1)))
    winner = plies.solve(game, distance=True, memory=1).strategy()
    assert winner.value == Value(1, True, 3)
    assert verify(game, winner)
    hasty = verify(game, winner, value=Value(1, True, 1))
    assert hasty.reason == "the claim is a win in 1 plies, but it may take 3"
    loser = plies.solve(game, distance=True, memory=1).strategy(1)
    assert verify(game, loser)
    stubborn = verify(game, loser, value=Value(-1, True, 5))
    assert stubborn.reason == "the claim is to last 5 plies, but it may be only 3"


class SharedNim(plies.Nim):
    """Nim for one point."""

    compiled = False
    total = 1
    bounds = (0, 1)

    def utility(self, state: Any, player: int) -> float:
        return (super().utility(state, player) + 1) / 2


def test_how_long_a_loss_lasts_where_it_is_worth_nothing() -> None:
    game = SharedNim((2, 1))
    loser = plies.solve(game, distance=True, memory=1).strategy(1)
    assert (loser.value.utility, loser.value.plies) == (0, 3)
    assert verify(game, loser)
    stubborn = verify(game, loser, value=Value.of(game, 0, True, 5))
    assert stubborn.reason == "the claim is to last 5 plies, but it may be only 3"


def test_answers_that_are_not_moves() -> None:
    game = plies.TicTacToe()
    verdict = verify(game, Fixed(game, 1, -1, lambda state: 1))
    assert verdict.reason == "the strategy's answer 1 is not a legal action"
    replayed(game, verdict.line)

    def silent(state: Any) -> Any:
        raise plies.PliesError("no idea")

    assert verify(game, Fixed(game, 1, -1, silent)).reason == "no idea"


def test_what_cannot_be_verified() -> None:
    game = plies.TicTacToe()
    first = Fixed(game, 0, -1, lambda state: next(iter(game.actions(state))))
    with pytest.raises(plies.PliesError, match="more than 10 positions can be reached"):
        verify(game, first, limit=10)
    ring = Graph([[1], [0]], [0, 1], [0, 0])
    ring.cycles = False
    with pytest.raises(
        plies.PliesError, match="a position is repeated, in a game that says it has no cycles"
    ):
        verify(ring, Fixed(ring, 0, 0, lambda state: 0))
    with pytest.raises(
        plies.Unsuitable, match="takes a repetition of the same state for a draw; in Go it is"
    ):
        verify(plies.Go(2), Fixed(plies.Go(2), 0, 0, None))
    with pytest.raises(plies.Unsuitable, match="verifying a strategy is for games without chance"):
        verify(plies.Pig(), Fixed(plies.Pig(), 0, 0, None))


def test_the_verifier_shares_nothing_with_the_solver() -> None:
    program = (
        "import sys, plies; plies.verify\n"
        "others = 'plies.engine', 'plies.compiled', 'numba'\n"
        "print(*(name for name in sys.modules if name.startswith(others)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


# -- Files.


@pytest.mark.long
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.no_cover
def test_a_file_keeps_the_strategy(game: plies.Game, player: int, tmp_path: Path) -> None:
    strategy = plies.solve(game, distance=True, memory=1).strategy(player)
    file = tmp_path / "strategy.json"
    strategy.save(file)
    loaded = Strategy.load(file, game)
    assert (loaded.player, loaded.value, loaded.state) == (player, strategy.value, strategy.state)
    assert loaded.is_complete
    assert loaded.positions == strategy.positions
    assert verify(game, loaded)
    again = tmp_path / "again.json"
    loaded.save(again)
    assert again.read_text() == file.read_text()


def test_a_file_from_another_position(tmp_path: Path) -> None:
    game = interpreted(plies.TicTacToe())
    state = game.parse_position("X.O/.X./..O")
    plies.solve(game, state, memory=1).strategy().save(tmp_path / "s.json")
    loaded = Strategy.load(tmp_path / "s.json", game)
    assert loaded.state == state
    assert verify(game, loaded)


def test_a_position_that_cannot_be_written(tmp_path: Path) -> None:
    game = Words()
    strategy = plies.solve(game, ["stay"], memory=1).strategy()
    with pytest.raises(plies.PliesError, match="words has no position strings of its own"):
        strategy.save(tmp_path / "s.json")


def test_moves_that_are_called_the_same(tmp_path: Path) -> None:
    class Mumbled(PlainBush):
        def notation(self, state: int, action: int) -> str:
            return "this"

    game = Mumbled([1, 3, 2], ("max", "min"))
    with pytest.raises(plies.PliesError, match="two moves are called 'this'"):
        plies.solve(game, memory=1).strategy().save(tmp_path / "s.json")


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a file of a strategy for Nim says."""
    file = tmp_path_factory.mktemp("strategy") / "nim.json"
    plies.solve(interpreted(plies.Nim((2, 1))), memory=1).strategy().save(file)
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def load(folder: Path, content: Any) -> Strategy:
    file = folder / "changed.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return Strategy.load(file, plies.Nim((2, 1)))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "plies strategy 2"}, "is not a strategy that this version"),
        ({"game": "Nim(heaps=(2, 1), misere=True)"}, "is for Nim.*misere=True.*, not for Nim.*misere=False"),
        ({"game": 3}, "of a wrong type"),
        ({"position": 3}, "of a wrong type"),
        ({"position": "9/9"}, "heap 1 of '9/9' has 9 matches"),
        ({"player": 2}, "of a wrong type"),
        ({"player": [0]}, "of a wrong type"),
        ({"value": 1}, "of a wrong type"),
        ({"value": {"utility": float("nan"), "plies": None}}, "of a wrong type"),
        ({"value": {"utility": 10**400, "plies": None}}, "of a wrong type"),
        ({"value": {"utility": 1, "plies": -1}}, "of a wrong type"),
        ({"actions": "1:1"}, "of a wrong type"),
        ({"actions": [1]}, "of a wrong type"),
        ({"actions": []}, "not complete: actions are missing"),
        ({"actions": ["9:9"]}, "broken: '9:9' is not a legal move"),
        ({"player": True}, "of a wrong type"),
        ({"player": 1.0}, "of a wrong type"),
        ({"value": {"utility": 2, "plies": None}}, "broken: it claims 2, but its outcome may be 1"),
        ({"value": {"utility": 1, "plies": 1}}, "broken: it claims to win in 1 plies, but it may take 3"),
    ],
    ids=str,
)
def test_broken_files(content: dict[str, Any], change: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(plies.PliesError, match=sentence):
        load(tmp_path, content | change)


def test_what_a_file_claims_is_no_proof(content: dict[str, Any], tmp_path: Path) -> None:
    modest = load(tmp_path, content | {"value": {"utility": -1, "plies": None}})
    assert modest.value == load(tmp_path, content).value == Value(1, True)
    losing = {"actions": ["1:2"], "value": {"utility": -1, "plies": 2}}  # the other takes what is left
    assert load(tmp_path, content | losing).value == Value(-1, True, 2)
    with pytest.raises(plies.PliesError, match="it claims to last 4 plies, but it may be only 2"):
        load(tmp_path, content | losing | {"value": {"utility": -1, "plies": 4}})


def test_positions_without_end(content: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    file.write_text(json.dumps(content))
    with pytest.raises(plies.PliesError, match="more than 2 positions can be reached"):
        Strategy.load(file, plies.Nim((2, 1)), limit=2)
    with pytest.raises(plies.PliesError, match="a strategy is for 2 players"):
        Strategy.load(file, plies.Pirates())
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
        with pytest.raises(plies.PliesError, match="cannot be read: it is not a file"):
            Strategy.load(tmp_path / "pipe.json", plies.Nim())


def test_other_files(content: dict[str, Any], tmp_path: Path) -> None:
    assert load(tmp_path, content).value.utility == 1
    with pytest.raises(plies.PliesError, match="more actions than positions"):
        load(tmp_path, content | {"actions": [*content["actions"], "1:1"]})
    for text in ("", "[]", "{", "null", "[" * 100_000, "\x00"):
        with pytest.raises(plies.PliesError, match="is not a strategy that this version"):
            load(tmp_path, text)
    with pytest.raises(plies.PliesError, match="cannot be read"):
        Strategy.load(tmp_path / "none.json", plies.Nim())
    with pytest.raises(plies.PliesError, match="cannot be read"):
        Strategy.load(tmp_path, plies.Nim())
    with pytest.raises(plies.PliesError, match="cannot be written"):
        plies.solve(interpreted(plies.Nim((1,))), memory=1).strategy().save(tmp_path / "no" / "file")


@settings(max_examples=200)
@given(data=st.data())
def test_a_damaged_file_is_refused_in_words_or_sound(
    content: dict[str, Any], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = json.dumps(content)
    place = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:place] + data.draw(st.text(max_size=3)) + text[place + data.draw(st.integers(0, 4)) :]
    file = tmp_path_factory.getbasetemp() / "damaged.json"
    file.write_bytes(damaged.encode("utf-8", "replace"))
    game = interpreted(plies.Nim((2, 1)))
    try:
        loaded = Strategy.load(file, game)
    except plies.PliesError:
        return
    assert verify(game, loaded)  # its answers are legal and complete, and get what it says
