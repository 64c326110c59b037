"""Thinking on the opponent's time: what is expected, at the terminal and in matches; where it is refused."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import plies
from browser import wait_for
from plies.engine.pondering import after_expected_reply, too_few_cores, usable_cores
from plies.players import EnginePlayer, Human, Random, parse_player
from plies.terminal.pondering import Pondering, pondering_wanted
from programs import Terminal, interactive, piped

pytestmark = pytest.mark.plain


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch) -> Any:
    def have(count: int) -> None:
        monkeypatch.setattr("plies.engine.pondering.usable_cores", lambda: count)

    have(4)
    return have


def test_the_reply_that_is_expected_is_the_next_of_the_line() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("1")
    found = plies.search(game, state, depth=9)
    after = game.result(state, found.action)
    expected, history = after_expected_reply(game, found, after)
    assert expected == found.line[1]
    assert history is not None
    assert history.state == game.result(after, expected)
    assert after_expected_reply(game, found, state) == (None, None)  # another position


def test_nothing_is_expected_at_the_end_of_a_line_or_of_the_game_and_of_dice() -> None:
    game = plies.TicTacToe()
    winning = game.parse_position("1 4 2 5")
    found = plies.search(game, winning, depth=9)
    assert after_expected_reply(game, found, game.result(winning, found.action)) == (None, None)
    last = game.parse_position("1 2 3 5 4 6 8")  # two cells are left, and the second ends the game
    found = plies.search(game, last, depth=9)
    assert after_expected_reply(game, found, game.result(last, found.action)) == (None, None)
    pig = plies.Pig(target=10)
    state = pig.result(pig.initial(), pig.parse_action(pig.initial(), "roll"))
    while pig.to_move(state) < 0:
        state = pig.result(state, list(pig.actions(state))[-1])
    found = plies.search(pig, state, depth=2)
    assert after_expected_reply(pig, found, pig.result(state, found.action))[0] is None


def test_superko_forbids_what_a_line_may_hold() -> None:
    """A reply that the game so far does not allow is not expected."""
    game = plies.Go(size=3)
    state = game.initial()
    found = plies.search(game, state, simulations=50, seed=1)
    after = game.result(state, found.action)
    expected, history = after_expected_reply(game, found, after, [state])
    if expected is not None:
        assert history is not None
        assert list(history.previous)[:1] == [state]


def test_an_engine_ponders_until_it_moves_and_stays_right(cores: Any) -> None:
    game = plies.TicTacToe()
    player = EnginePlayer(depth=9)
    state = game.parse_position("1")
    assert player.ponder(game, state) is None  # it has not moved yet
    while not game.is_terminal(state):
        state = game.result(state, player.choose(game, state))
        if game.is_terminal(state):
            break
        expected = player.ponder(game, state)
        legal = list(game.actions(state))
        assert expected is None or expected in legal
        state = game.result(state, legal[0] if expected is None else expected)
    assert game.utility(state, 0) == 0  # nobody went wrong
    player.stop()
    wait_for(lambda: not any(thread.name == "plies-search" for thread in threading.enumerate()))


def test_a_forced_move_expects_nothing() -> None:
    game = plies.Tree([[[1, 2], [3, 4]]])
    player = EnginePlayer(depth=3)
    state = game.result(0, player.choose(game, 0))
    assert player.ponder(game, state) is None


# -- Whether it is wanted.


def test_cores_are_counted() -> None:
    assert usable_cores() >= 1
    assert too_few_cores(usable_cores()) == ""
    assert "needs 1000000 cores here" in too_few_cores(1_000_000)


def test_it_is_on_at_a_terminal_with_cores_to_spare_and_never_by_surprise(cores: Any) -> None:
    timed, deep = [Human(), EnginePlayer(1.0)], [Human(), EnginePlayer(depth=3)]
    assert pondering_wanted(timed, None, True)
    assert not pondering_wanted(timed, None, False)
    assert not pondering_wanted(deep, None, True)
    assert pondering_wanted(deep, True, False)
    assert not pondering_wanted(timed, False, True)
    assert not pondering_wanted([EnginePlayer(1.0)] * 2, None, True)
    with pytest.raises(plies.BadParameter, match="between a person and an engine"):
        pondering_wanted([Human(), Random()], True, True)
    with pytest.raises(plies.BadParameter, match="between a person and an engine"):
        pondering_wanted([EnginePlayer(), EnginePlayer()], True, True)
    cores(1)
    assert not pondering_wanted(timed, None, True)
    with pytest.raises(plies.PliesError, match="needs 2 cores here, and there is 1"):
        pondering_wanted(timed, True, True)
    cores(3)
    with pytest.raises(plies.PliesError, match="needs 4 cores here, and there are 3"):
        pondering_wanted([Human(), parse_player("engine:1:threads=3")], True, True)


def test_hits_are_counted() -> None:
    class Oracle(EnginePlayer):
        def ponder(self, game: plies.Game, state: Any, previous: Any = ()) -> int:
            return 7

    game = plies.TicTacToe()
    state = game.initial()
    pondering = Pondering(game, True)
    assert pondering.judged(state, 7) == ""
    for action, said in ((7, "Ponder hit: O expected that."), (3, "Ponder miss: O expected 7.")):
        pondering.begin(Oracle(), "O", state, ())
        assert pondering.expects(state) == "O thinks on your time, and expects 7."
        assert pondering.judged(state, action) == said
        pondering.stop()
    assert pondering.summary() == "Ponder hits: 1 of 2"
    assert pondering.expects(state) == "Nothing is expected here."
    with pytest.raises(plies.PliesError, match="nobody thinks on your time"):
        Pondering(game, False).expects(state)


needs_cores = pytest.mark.skipif(usable_cores() < 2, reason="there is one core")


@needs_cores
def test_the_program_says_whether_it_was_right() -> None:
    words = ("play", "tic-tac-toe", "--players", "human,engine:depth=9", "--ponder")
    done = piped(*words, lines="1\nexpects\n2\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "thinks on your time, and expects" in done.stdout
    assert "Ponder hit: O (engine) expected" in done.stdout or "Ponder miss: O (engine)" in done.stdout
    plain = piped(*words[:-1], lines="1\nexpects\n2\nquit\n")
    assert "Ponder" not in plain.stdout
    assert "nobody thinks on your time" in plain.stdout


@needs_cores
@interactive
def test_at_a_terminal_it_is_on_by_itself() -> None:
    with Terminal("play", "tic-tac-toe", "--players", "human,engine:5") as terminal:
        terminal.expect("1-9:")
        terminal.type("1")
        terminal.expect("1-9:")
        terminal.type("2")
        terminal.expect("Ponder ")
        terminal.expect("1-9:")
        terminal.type("quit")
        terminal.expect("Goodbye.")
        assert terminal.ends() == 0


# -- Matches.


def test_a_match_counts_hits_if_asked(cores: Any) -> None:
    game = plies.TicTacToe()
    told = plies.match(game, "engine:depth=9", "engine:depth=9", games=2, openings=2, ponder=True)
    assert told.draws + told.wins + told.losses == 2
    for hits, tries in told.ponder:
        assert 0 < hits <= tries  # the same engine expects what it would do itself, more often than not
    silent = plies.match(game, "engine:depth=9", "engine:depth=9", games=2, openings=2)
    assert silent.ponder == [(0, 0), (0, 0)]
    one_sided = plies.match(game, "random", "engine:depth=9", games=2, openings=0, ponder=True)
    assert one_sided.ponder[0] == (0, 0)
    assert one_sided.ponder[1][1] > 0
    wait_for(lambda: not any(thread.name == "plies-search" for thread in threading.enumerate()))


def test_a_match_refuses_where_nobody_can(cores: Any) -> None:
    with pytest.raises(plies.BadParameter, match="neither is an engine"):
        plies.match(plies.Nim(), "random", "reflex", ponder=True)
    cores(1)
    with pytest.raises(plies.PliesError, match="needs 2 cores here, and there is 1"):
        plies.match(plies.Nim(), "engine:depth=1", "random", ponder=True)
    cores(3)
    with pytest.raises(plies.PliesError, match="needs 4 cores here"):
        plies.match(plies.Nim(), "engine:depth=1:threads=2", "engine:depth=1:threads=2", ponder=True)
