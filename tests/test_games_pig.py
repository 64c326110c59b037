"""Pig: turns and dice, and optimal play against the equations of Neller and Presser."""

from __future__ import annotations

from fractions import Fraction

import pytest

from plies import CHANCE, BadParameter, BadPosition, Pig
from plies.games.pig import HOLD, ROLL, State

pytestmark = pytest.mark.plain


def test_a_turn() -> None:
    game = Pig()
    state = game.initial()
    for word, position in [
        ("roll", "0/0 1+0?"),
        ("4", "0/0 1+4"),
        ("roll", "0/0 1+4?"),
        ("6", "0/0 1+10"),
        ("hold", "10/0 2+0"),
        ("roll", "10/0 2+0?"),
        ("5", "10/0 2+5"),
        ("roll", "10/0 2+5?"),
        ("1", "10/0 1+0"),
    ]:
        state = game.play(state, game.parse_action(state, word))
        assert game.position(state) == position


def test_a_turn_begins_with_a_roll() -> None:
    game = Pig()
    assert list(game.actions(game.initial())) == [ROLL]
    assert list(game.actions(game.parse_position("0/0 1+4"))) == [ROLL, HOLD]


def test_the_die_is_fair() -> None:
    game = Pig()
    rolling = game.play(game.initial(), ROLL)
    assert game.to_move(rolling) == CHANCE
    assert list(game.chance(rolling)) == [(face, 1 / 6) for face in range(1, 7)]


def test_the_target_reached_within_a_turn_wins() -> None:
    game = Pig(target=20)
    state = game.parse_position("3/15 2+5")
    assert game.is_terminal(state)
    assert (game.utility(state, 0), game.utility(state, 1)) == (-1, 1)
    assert not game.is_terminal(game.parse_position("3/15 2+4"))


def chance_to_win(game: Pig, rounds: int) -> float:
    """The first player's chance under best play, by value iteration over the game's own rules."""
    states, new = set(), {game.initial()}
    while new:
        states |= new
        inner = (state for state in new if not game.is_terminal(state))
        new = {game.result(state, action) for state in inner for action in game.actions(state)} - states
    value: dict[State, float] = dict.fromkeys(states, 0.0)  # to player 0
    for _ in range(rounds):
        for state in states:
            if game.is_terminal(state):
                value[state] = game.utility(state, 0)
            elif game.to_move(state) == CHANCE:
                value[state] = sum(p * value[game.result(state, face)] for face, p in game.chance(state))
            else:
                best = max if game.to_move(state) == 0 else min
                value[state] = best(value[game.result(state, action)] for action in game.actions(state))
    return (value[game.initial()] + 1) / 2


def equations_of_neller_and_presser(target: int, rounds: int) -> float:
    """T. Neller, C. Presser, "Optimal Play of the Dice Game Pig", UMAP Journal 25 (2004).

    p[i, j, k]: the chance of the player to move, who has i points and k in this turn, against j.
    """
    p = {(i, j, k): 0.0 for i in range(target) for j in range(target) for k in range(target - i)}
    for _ in range(rounds):
        for i, j, k in p:
            roll = (1 - p[j, i, 0]) / 6
            for face in range(2, 7):
                roll += (1.0 if i + k + face >= target else p[i, j, k + face]) / 6
            p[i, j, k] = max(roll, 1 - p[j, i + k, 0])
    return p[0, 0, 0]


def test_whoever_begins_wins_six_sevenths_of_the_games_to_two() -> None:
    # Every throw but a 1 wins: p = 5/6 + 1/6 (1 - p).
    assert chance_to_win(Pig(target=2), 30) == pytest.approx(float(Fraction(6, 7)), abs=1e-12)


def test_optimal_play_to_eight() -> None:
    assert chance_to_win(Pig(target=8), 40) == pytest.approx(equations_of_neller_and_presser(8, 40), abs=1e-9)


def test_text_says_whose_turn_it_is() -> None:
    game = Pig(target=50)
    assert game.text(game.parse_position("10/32 2+6")) == "player 1: 10\nplayer 2: 32 + 6\ntarget: 50"
    assert game.text(game.parse_position("10/32 1+0?")).startswith("player 1: 10 + 0, the die is rolling\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("50/20 2+0", "a score of 50 in '50/20 2+0' is past the end: the target is 50"),
        ("40/20 1+16", "40 + 16 in '40/20 1+16' is past the end: the target is 50"),
        ("40/20 1+12?", "40 + 12 in '40/20 1+12?' is past the end: the target is 50"),
        ("0/1 1+0", "'0/1 1+0' has a 1, which no rolls add up to"),
        ("0/4 1+1", "'0/4 1+1' has a 1, which no rolls add up to"),
        ("roll 1 hold", "'hold' is not a legal move; legal moves: roll (reading 'roll 1 hold' as moves)"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        Pig(target=50).parse_position(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("target", [1, 0, -5])
def test_targets_that_make_no_game(target: int) -> None:
    with pytest.raises(BadParameter, match=f"2 or more, not {target}"):
        Pig(target)
