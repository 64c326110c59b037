"""The pirates' gold: max^n finds the known answer, which has a formula."""

from __future__ import annotations

import itertools
from math import comb

import pytest

from plies import BadParameter, BadPosition, Pirates, book, check_game
from plies.games.pirates import AYE, NO, State

pytestmark = pytest.mark.plain


def known(pirates: int, coins: int) -> list[int]:
    """The shares that the first captain proposes: a coin to the third, fifth, … pirate, the rest to himself.

    It is the only answer for up to 2 * coins + 1 pirates: Ian Stewart, "A Puzzle for Pirates", Scientific
    American, May 1999.
    """
    shares = [0] * pirates
    for pirate in range(2, pirates, 2):
        shares[pirate] = 1
    shares[0] = coins - sum(shares)
    return shares


@pytest.mark.parametrize(
    ("pirates", "coins"),
    [(1, 5), (2, 1), (2, 100), (3, 1), (3, 20), (4, 2), (4, 5), (5, 2), (5, 3)],
)
@pytest.mark.no_cover
def test_max_n_finds_the_known_answer(pirates: int, coins: int) -> None:
    game = Pirates(pirates, coins)
    shares = known(pirates, coins)
    decision = book.max_n(game)
    assert decision.value == tuple(share * pirates for share in shares)
    assert game.notation(game.initial(), decision.action) == "/".join(map(str, shares))


@pytest.mark.no_cover
@pytest.mark.long
def test_a_hundred_coins_for_three() -> None:
    decision = book.max_n(Pirates(3, 100))
    assert decision.value == (297, 0, 3)


def test_with_too_few_coins_a_captain_is_drowned_and_the_next_is_spared() -> None:
    """With one coin, 3, 4 and 6 pirates spare their captain and 5 do not: those that are 2 and a power of
    2."""
    survives = [book.max_n(Pirates(pirates, 1)).value[0] >= 0 for pirates in range(1, 7)]
    assert survives == [True, True, True, True, False, True]
    assert book.max_n(Pirates(5, 1)).value == (-1, 1, 6, 1, 1)  # a drowned captain is a pleasure worth 1


def test_who_is_offered_no_more_than_they_get_anyway_wants_to_see_a_drowning() -> None:
    game = Pirates(3, 4)
    for offer, vote in ((0, AYE), (1, AYE)):  # for pirate 3, who gets nothing once there are two
        state = game.play(game.initial(), game.parse_action(game.initial(), f"{4 - offer}/0/{offer}"))
        state = game.play(state, NO)
        assert game.to_move(state) == 2
        assert book.max_n(game, state).action == (NO if offer == 0 else vote)


def test_proposals_are_all_there_are() -> None:
    for pirates, coins in ((1, 7), (2, 7), (3, 5), (5, 3)):
        game = Pirates(pirates, coins)
        every = {c for c in itertools.product(range(coins + 1), repeat=pirates) if sum(c) == coins}
        proposed = [
            tuple(int(word) for word in game.notation(game.initial(), a).split("/"))
            for a in game.actions(game.initial())
        ]
        assert len(proposed) == len(every) == comb(coins + pirates - 1, pirates - 1)
        assert set(proposed) == every


def test_a_vote_ends_once_it_is_decided() -> None:
    game = Pirates(5, 2)
    state = game.parse_position("2/0/0/0/0 no no")
    assert (state.ayes, state.noes, state.captain) == (1, 2, 0)
    assert game.play(state, NO) == State(1, -1, 1, 0, 0)  # three of five against it
    passed = game.play(game.play(state, AYE), AYE)
    assert game.is_terminal(passed)  # three of five for it
    assert [game.utility(passed, player) for player in range(5)] == [10, 0, 0, 0, 0]


@pytest.mark.parametrize("pirates", range(2, 7))
def test_a_proposal_passes_if_at_least_half_are_for_it(pirates: int) -> None:
    """However the crew votes: once it is decided, it is as if all had voted."""
    game = Pirates(pirates, 1)
    for votes in itertools.product((NO, AYE), repeat=pirates - 1):
        state = game.play(game.initial(), -2)  # the coin to the captain
        for vote in votes:
            if state.captain == 0 and not game.is_terminal(state):
                state = game.play(state, vote)
        ayes = 1 + votes.count(AYE)
        assert (state.captain == 0 and game.is_terminal(state)) == (2 * ayes >= pirates)


def test_a_captain_alone_or_with_one_other_needs_nobody() -> None:
    game = Pirates(3, 4)
    state = game.parse_position("1")
    assert game.is_terminal(game.play(state, game.parse_action(state, "4/0")))
    assert game.utility(game.parse_position("1 4/0 1:0"), 1) == 4 * 3 + 1
    assert game.utility(game.parse_position("1 4/0 1:0"), 0) == -1


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("3", "at most 2 of 3 pirates can be drowned, not 3"),
        ("0 4/0 1:0", "not a share for each of 3 pirates"),
        ("0 4//0 1:0", "not a share for each of 3 pirates"),
        ("0 4/1/0 1:0", "sum to 5, and there are 4"),
        ("0 4/0/0 0:1", "cannot stand at 0:1"),
        ("0 4/0/0 3:0", "cannot stand at 3:0"),
        ("0 4/0/0 1:2", "cannot stand at 1:2"),
        ("1 4/0 1:1", "cannot stand at 1:1"),
        ("1 4/0 2:0", "cannot stand at 2:0"),
    ],
)
def test_positions_that_cannot_be(position: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        Pirates(3, 4).parse_position(position)


def test_parameters() -> None:
    for parameters, why in (
        ((0, 4), "pirates"),
        ((16, 4), "pirates"),
        ((3, 0), "coins"),
        ((9, 100), "62 bits"),
    ):
        with pytest.raises(BadParameter, match=why):
            Pirates(*parameters)


def test_the_picture_shows_shares_and_the_crown() -> None:
    game = Pirates(3, 4)
    scene = game.scene(game.parse_position("1 3/1 1:0"))
    assert [(piece.player, piece.look, piece.text) for piece in scene.pieces[:4]] == [
        (1, "king", "2"),
        (None, "seeds", "3"),
        (2, "disc", "3"),
        (None, "seeds", "1"),
    ]
    assert game.move_squares(game.initial(), game.parse_action(game.initial(), "3/0/1")) == (
        "pirate 1",
        "pirate 1",
        "pirate 1",
        "pirate 3",
    )


@pytest.mark.parametrize("game", [Pirates(), Pirates(1, 3), Pirates(5, 2)], ids=repr)
@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
def test_the_rules_hold_together(game: Pirates) -> None:
    assert check_game(game, games=20).ok
