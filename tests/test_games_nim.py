"""Nim against Bouton's theorem, normal and misère, and against published counts."""

from __future__ import annotations

from functools import cache, reduce
from itertools import combinations_with_replacement
from operator import xor

import pytest

from plies import BadParameter, BadPosition, IllegalMove, Nim
from plies.games.nim import State

SMALL_HEAPS = [heaps for n in (1, 2, 3) for heaps in combinations_with_replacement(range(1, 6), n)]
SMALL_HEAPS += [(1, 1, 1, 1), (1, 1, 2, 2), (1, 2, 3, 4), (2, 2, 2, 2)]


def first_player_wins(game: Nim) -> bool:
    @cache
    def value(state: State) -> int:
        """What the state is worth to the player to move."""
        player = game.to_move(state)
        if game.is_terminal(state):
            return game.utility(state, player)
        return max(-value(game.result(state, action)) for action in game.actions(state))

    return value(game.initial()) == 1


@pytest.mark.plain
@pytest.mark.parametrize("heaps", SMALL_HEAPS, ids=str)
def test_boutons_theorem(heaps: tuple[int, ...]) -> None:
    # C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901/02).
    nim_sum = reduce(xor, heaps)
    assert first_player_wins(Nim(heaps)) == (nim_sum != 0)
    if max(heaps) > 1:
        assert first_player_wins(Nim(heaps, misere=True)) == (nim_sum != 0)
    else:
        assert first_player_wins(Nim(heaps, misere=True)) == (len(heaps) % 2 == 0)


def test_perft_as_openspiel_counts_it() -> None:
    game = Nim(heaps=(1, 3, 5, 7), misere=True)
    level = [game.initial()]
    counts = []
    for _ in range(4):
        level = [
            game.result(state, action)
            for state in level
            if not game.is_terminal(state)
            for action in game.actions(state)
        ]
        counts.append(len(level))
    assert counts == [16, 206, 2116, 17338]


def test_misere_exchanges_winner_and_loser() -> None:
    end = Nim(heaps=(1,)).play(Nim(heaps=(1,)).initial(), 1)
    assert Nim(heaps=(1,)).utility(end, 0) == 1
    assert Nim(heaps=(1,), misere=True).utility(end, 0) == -1


@pytest.mark.parametrize("text", ["2:3", " 2 : 3", "2 3", "take 3 from heap 2", "3 from 2", "Take 3 From 2"])
def test_ways_to_write_an_action(text: str) -> None:
    game = Nim()
    after = game.play(game.initial(), game.parse_action(game.initial(), text))
    assert game.position(after) == "3/1/5 2"


@pytest.mark.parametrize("text", ["2:5", "4:1", "1:0", "0:1", "23", "2", "take heap 2", "2:-1", ""])
def test_actions_that_are_not(text: str) -> None:
    with pytest.raises(IllegalMove, match=r"is not a legal move; legal moves: 1:1, 1:2, 1:3, 2:1, "):
        Nim().parse_action(Nim().initial(), text)


def test_text_shows_the_heaps() -> None:
    assert Nim().text(Nim().parse_position("3/0/2 2")) == "heap 1: ||| 3\nheap 2:  0\nheap 3: || 2"


@pytest.mark.parametrize("text", ["3/2/5 2", "3,2,5 2", "2:2"])
def test_ways_to_write_a_position(text: str) -> None:
    assert Nim().position(Nim().parse_position(text)) == "3/2/5 2"


def test_player_one_moves_where_nothing_is_said() -> None:
    assert Nim().parse_position("3/2/4") == Nim().parse_position("3/2/4 1")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3/4", "'3/4' has 2 heaps; this game has 3"),
        ("3/4/9 2", "heap 3 of '3/4/9 2' has 9 matches; it starts with 5"),
        ("3/1/5 3", "the player to move in '3/1/5 3' must be 1 or 2, not 3"),
        ("3/4/5 2", "in '3/4/5 2' player 1 is to move, not player 2"),
        ("3/4/4 1", "in '3/4/4 1' player 2 is to move, not player 1"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        Nim().parse_position(text)
    assert str(caught.value) == sentence


def test_the_position_strings_are_exactly_the_reachable_states() -> None:
    game = Nim(heaps=(1, 2, 3))
    reachable, new = set(), {game.initial()}
    while new:
        reachable |= new
        new = {game.result(state, action) for state in new for action in game.actions(state)}
    read = set()
    for a, b, c, player in (
        (a, b, c, p) for a in range(3) for b in range(4) for c in range(5) for p in (1, 2)
    ):
        try:
            read.add(game.parse_position(f"{a}/{b}/{c} {player}"))
        except BadPosition:
            continue
    assert read == reachable


@pytest.mark.parametrize("heaps", [(), (0,), (3, 0), (-1,), (2.5,), ("3",), (1,) * 64, (2**40, 2**40)])
def test_heaps_that_cannot_be(heaps: tuple[int, ...]) -> None:
    with pytest.raises(BadParameter):
        Nim(heaps)
