"""History: what was played, and the rules that look back at it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import plies
from cyclic_games import Ring, Walk
from plies.history import History

pytestmark = pytest.mark.plain


def played(game: plies.Game, *moves: str) -> History:
    history = History(game)
    for move in moves:
        history.play(game.parse_action(history.state, move))
    return history


# -- Any game.


def test_a_game_without_cycles_is_played_to_its_end() -> None:
    history = played(plies.TicTacToe(), *"14253")
    assert history.over
    assert history.reason == ""
    assert (history.utility(0), history.utility(1)) == (1, -1)
    assert history.legal() == []
    assert history.previous == history.states[:-1]
    assert len(history.states) == 6
    assert history.states[0] == plies.TicTacToe().initial()
    with pytest.raises(plies.IllegalMove, match="9 cannot be played: the game is over"):
        history.play(9)


def test_an_illegal_move_changes_nothing() -> None:
    history = played(plies.TicTacToe(), "5")
    before = list(history.states)
    with pytest.raises(plies.IllegalMove, match="5 is not a legal move; legal moves: 1, 2, 3, 4, 6"):
        history.play(5)
    assert history.states == before
    assert history.legal() == [1, 2, 3, 4, 6, 7, 8, 9]
    with pytest.raises(plies.PliesError, match="the game is not over"):
        history.utility(0)


def test_a_game_begins_where_it_is_told() -> None:
    game = plies.TicTacToe()
    start = game.parse_position("XX.OO....")
    history = History(game, start)
    assert history.state == start
    assert history.actions == []


def test_undo_and_redo() -> None:
    history = played(plies.TicTacToe(), *"159")
    states, actions = list(history.states), list(history.actions)
    assert [history.undo(), history.undo()] == actions[:0:-1]
    assert history.states == states[:2]
    assert history.undone
    assert [history.redo(), history.redo()] == actions[1:]
    assert (history.states, history.actions) == (states, actions)
    with pytest.raises(plies.PliesError, match="there is nothing to redo"):
        history.redo()
    history.undo()
    history.play(2)  # another way than before
    assert not history.undone
    for _ in range(3):
        history.undo()
    with pytest.raises(plies.PliesError, match="there is no move to take back"):
        history.undo()


def test_jumps_and_branches() -> None:
    history = played(plies.TicTacToe(), *"159")
    first = list(history.actions)
    history.jump(1)
    assert (history.actions, history.line) == (first[:1], first)
    history.play(first[1])  # the same move as before: what followed is still there
    assert (history.line, history.branches) == (first, [])
    history.undo()
    history.play(2)  # another one: the old line is a branch now
    other = list(history.actions)
    assert (history.line, history.branches, history.undone) == (other, [first], False)
    history.switch(0)
    assert (history.actions, history.branches) == (first, [other])
    assert history.states == played(plies.TicTacToe(), *"159").states
    history.jump(0)
    history.switch(0)
    assert (history.actions, history.branches) == (other, [first])
    for number in (-1, 3):
        with pytest.raises(plies.PliesError, match="the move must be between 0 and 2, not"):
            history.jump(number)
    with pytest.raises(plies.PliesError, match="there is no branch 1"):
        history.switch(1)
    history.undo()
    history.clear()
    assert (history.line, history.branches) == (other[:1], [])


def test_outcomes_of_chance_are_played_and_checked() -> None:
    game = plies.Pig()
    history = played(game, "roll")
    assert game.to_move(history.state) == plies.CHANCE
    assert history.legal() == [outcome for outcome, _ in game.chance(history.state)]
    with pytest.raises(plies.IllegalMove, match="roll is not an outcome of chance here"):
        history.play(7)
    history.play(history.legal()[3])
    assert len(history.states) == 3


# -- Positions that come up again.


@pytest.mark.parametrize(("repetitions", "word"), [(2, "second"), (3, "third"), (4, "fourth"), (6, "6th")])
def test_a_position_that_stands_for_the_last_time_ends_the_game(repetitions: int, word: str) -> None:
    history = History(Ring(repetitions=repetitions))
    for _ in range(repetitions - 1):
        assert not history.over
        history.play(1)
        assert not history.over
        history.play(-1)
    assert history.over
    assert history.reason == f"the position occurs for the {word} time"
    assert history.legal() == []
    assert (history.utility(0), history.utility(1)) == (0, 0)
    with pytest.raises(plies.IllegalMove, match=f"on cannot be played: the position occurs for the {word} t"):
        history.play(1)
    history.undo()
    assert not history.over
    history.redo()
    assert history.over


def test_with_another_player_to_move_it_is_another_position() -> None:
    """A ring of three: once around brings the token back, and the other player to move."""
    history = played(Ring(size=3, repetitions=2), "on", "on", "on")
    assert history.state.place == history.states[0].place
    assert not history.over
    for _ in range(3):
        assert not history.over
        history.play(1)
    assert history.reason == "the position occurs for the second time"


def test_the_past_is_what_came_before() -> None:
    history = played(Ring(), "on", "on")
    assert list(history.previous) == [Walk(0, 0, 0), Walk(1, 1, 0)]
    assert history.state == Walk(2, 0, 0)


def test_a_repetition_of_a_terminal_state_is_no_repetition() -> None:
    history = played(Ring(repetitions=2), "on", "goal")
    assert history.over
    assert history.reason == ""
    assert history.utility(0) == 1


# -- Superko.


def test_superko_forbids_what_would_bring_back_a_position() -> None:
    history = played(Ring(superko=True, size=5), "on", "on")
    assert history.legal() == [1]
    with pytest.raises(plies.IllegalMove, match="back would repeat an earlier position"):
        history.play(-1)
    assert history.state.place == 2
    history.play(1)
    assert not history.over


def test_a_player_whom_superko_leaves_no_move_gets_what_a_repetition_is_worth() -> None:
    history = played(Ring(superko=True, size=3), "on", "on")
    assert history.over  # both ways lead back
    assert history.reason == "every move would repeat an earlier position"
    assert history.legal() == []
    assert (history.utility(0), history.utility(1)) == (-1, 1)


def test_passes_never_offend() -> None:
    history = played(Ring(superko=True, size=3, passing=True), "on", "on")
    assert history.legal() == [2]
    history.play(2)
    assert history.legal() == [2]
    history.play(2)
    assert history.over
    assert history.reason == ""
    assert history.utility(0) == 0


def test_histories_agree_with_plain_counting() -> None:
    """Against the words of the rules, in random games with moves taken back."""
    generator = random.Random(1)
    for number in range(200):
        size, repetitions = generator.randint(3, 6), generator.randint(2, 4)
        game = Ring(size, repetitions, superko=number % 2 == 1)
        history = History(game)
        for _ in range(60):
            places = [state.place for state in history.states]
            if game.superko:
                legal = [
                    action
                    for action in game.actions(history.state)
                    if game.result(history.state, action).place not in places
                ]
                assert history.legal() == legal
            else:
                stood = Counter((state.place, state.player) for state in history.states)
                last = (history.state.place, history.state.player)
                again = stood[last] >= game.repetitions
                assert history.over == (again or game.is_terminal(history.state))
            if history.actions and generator.random() < 0.2:
                history.undo()
            elif not history.over:
                history.play(generator.choice(history.legal()))
