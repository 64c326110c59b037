"""Playouts and priors of Go: what they capture, save, fit and avoid, against boards walked cell by cell."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import plies
from plies.games.go_patterns import pattern_table
from plies.games.go_playouts import (
    CAPTURE,
    CAPTURE_ONE,
    EVEN,
    NEAR,
    NEARBY,
    NEAREST,
    OPEN,
    OWN_EYE,
    PATTERN,
    PRIORS,
    SELF_ATARI,
)
from plies.games.wide_bitboard import first, is_empty, rest

pytestmark = pytest.mark.plain
GAMES = {size: plies.Go(size=size) for size in (5, 9, 13, 19)}


def at_random(game: plies.Go, chance: random.Random, plies_: int) -> tuple[Any, list[int]]:
    """A position after random moves, and these."""
    state, moves = game.initial(), []
    for _ in range(plies_):
        moves.append(chance.choice([action for action in game.actions(state) if action != game.passing]))
        state = game.result(state, moves[-1])
    return state, moves


def cells_of(x: Any) -> list[int]:
    found = []
    while not is_empty(x):
        found.append(first(x))
        x = rest(x)
    return found


def stone_at(game: plies.Go, state: Any, column: int, row: int) -> str:
    """X of the player to move, O of the other, . empty, # beyond the edge."""
    if not (0 <= column < game.size and 0 <= row < game.height):
        return "#"
    mine, theirs = game.sides(state)
    cell = row * game.size + column
    return "X" if cell in cells_of(mine) else "O" if cell in cells_of(theirs) else "."


@pytest.mark.parametrize("size", GAMES)
def test_neighbourhoods_are_those_of_the_board(size):
    game, chance = GAMES[size], random.Random(size)
    state, _ = at_random(game, chance, size * size // 2)
    mine, theirs = game.sides(state)
    corners = [0, size - 1, size * size - size, size * size - 1]
    for cell in [*corners, 1, size, *chance.sample(range(size * size), 15)]:
        row, column = divmod(cell, size)
        around = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
        stones = [stone_at(game, state, column + x, row + y) for y, x in around]
        number = sum((stone in "X#") << bit | (stone in "O#") << 8 + bit for bit, stone in enumerate(stones))
        assert game.neighbourhood(cell, mine, theirs) == number


def numbered(drawn: str) -> int:
    """The number of a drawing of three rows."""
    around = [mark for i, mark in enumerate(drawn.replace(" ", "")) if i != 4]
    return sum((mark in "X#") << bit | (mark in "O#") << 8 + bit for bit, mark in enumerate(around))


def test_patterns_are_those_that_are_drawn():
    table = pattern_table()
    for drawn in ("XOX ... ...", "XO. ... ...", "X.. O.. ###", "XO. O.. ...", "OX. ..O ..."):
        assert table[numbered(drawn)], drawn
    for drawn in ("... ... ...", "XXX ... ...", "OOO O.O OOO", "... ... ###", "XXX X.X XXX", "X.. ... ..."):
        assert not table[numbered(drawn)], drawn
    assert 0.05 < table.mean() < 0.5


def test_patterns_are_the_same_turned_reflected_and_with_colours_exchanged():
    table = pattern_table()
    chance = random.Random(1)
    for _ in range(300):
        marks = [chance.choice("XO..") for _ in range(9)]
        if chance.random() < 0.3:
            marks[6:] = "###"
        here = table[numbered("".join(marks))]
        turned = [marks[3 * (2 - i % 3) + i // 3] for i in range(9)]
        reflected = [marks[3 * (i // 3) + 2 - i % 3] for i in range(9)]
        swapped = [{"X": "O", "O": "X"}.get(mark, mark) for mark in marks]
        assert here == table[numbered("".join(turned))]
        assert here == table[numbered("".join(reflected))]
        assert here == table[numbered("".join(swapped))]


@pytest.mark.parametrize("size", [5, 9, 19])
def test_playouts_are_legal_and_come_to_an_end(size):
    game, chance = GAMES[size], random.Random(size)
    state, last, before, number = game.initial(), -1, -1, 0
    while not game.is_terminal(state):
        action = game.playout(state, chance.getrandbits(63), last, before)
        assert action in list(game.actions(state))
        state, last, before, number = game.result(state, action), action, last, number + 1
        assert number < 6 * size * size
    assert number > size * size // 2


def drawn(game: plies.Go, state: Any, last: str, before: str = "", tries: int = 300) -> Counter[str]:
    """How often playouts take which point."""
    chance = random.Random(3)
    moves = [game.cell(point) if point else -1 for point in (last, before)]
    return Counter(
        game.notation(state, game.playout(state, chance.getrandbits(63), *moves)) for _ in range(tries)
    )


def test_what_the_last_moves_put_in_atari_is_captured_or_saved():
    game = GAMES[5]
    state = game.parse_position("...../..O../.OXO./...../..... B")  # black's last liberty is C2
    near, far = drawn(game, state, "D3"), drawn(game, state, "A5", "A1")
    assert near["C2"] > 250
    assert far["C2"] < 100
    assert drawn(game, state, "A1", "B3")["C2"] > 250
    state = state._replace(player=1)
    assert drawn(game, state, "C3")["C2"] > 250  # white captures there
    state = game.parse_position("...../...../...../OO.../X.O.. B")  # no escape: B1 would be atari again
    assert drawn(game, state, "A2")["B1"] < 30


@pytest.mark.parametrize(("second", "saves"), [("OO...", False), ("O....", True)])
def test_a_way_out_into_atari_saves_nothing(second, saves):
    game = GAMES[5]
    state = game.parse_position(f"...../...../...../{second}/X.... B")  # after B1, C1 is free, or B2 as well
    assert (game.cell("B1") in cells_of(game.urgent(state, game.board))) == saves


def test_playouts_avoid_self_atari_and_their_own_eyes():
    game = GAMES[5]
    state = game.parse_position(
        "XXXXX/XX.X./XXXXX/OOOOO/.O.O. B"
    )  # both have two eyes; C4 and E4 are black's
    counts = drawn(game, state, "", tries=50)
    assert set(counts) == {"pass"}
    state = game.parse_position(".O.../O..../...../...../..... B")  # A5 has no liberty, B4 and others have
    assert drawn(game, state, "A4")["A5"] == 0


def prior(rows: str, player: str, point: str, last: str = "") -> tuple[float, float]:
    """The prior of a point on a board of nine lines, of which the first few are given."""
    game = GAMES[9]
    board = (rows.split("/") if rows else []) + ["........."] * 9
    state = game.parse_position(f"{'/'.join(board[:9])} {player}")
    won, lost = game.prior(state, game.cell(point), game.cell(last) if last else -1)
    return float(won), float(lost)


def test_priors_count_what_a_move_is_worth():
    even, one, more = PRIORS[EVEN], PRIORS[CAPTURE_ONE], PRIORS[CAPTURE]
    stone = "........./....O..../...OXO..."  # E7 has one liberty, E6
    for player in "BW":
        assert even + one <= prior(stone, player, "E6")[0] < even + more
    stones = "XO......./X......../O........"  # A9 and A8 have one, B8
    assert prior(stones, "W", "B8")[0] >= even + more
    assert prior(stones, "B", "B8")[0] >= even + more
    assert prior("X......../X......../O........", "W", "B9")[0] == even  # takes nothing
    assert prior(".X......./XX.......", "B", "A9")[1] >= even + PRIORS[OWN_EYE]
    assert prior(".O......./........./O........", "B", "A9")[1] >= even + PRIORS[SELF_ATARI]
    fits, does_not = prior("........./..XOX....", "B", "D7"), prior("........./..XXX....", "B", "D7")
    assert fits[0] == does_not[0] + PRIORS[PATTERN]


def test_priors_count_where_a_move_is():
    even, open_ = PRIORS[EVEN], PRIORS[OPEN]
    assert prior("", "B", "C3") == (even + open_, even)
    assert prior("", "B", "C2") == prior("", "B", "A1") == (even, even + open_)
    assert prior("", "B", "E5") == (even, even)
    near = [prior("", "B", "E5", point)[0] - even for point in ("E6", "F6", "E7", "F7", "H5")]
    assert near == [PRIORS[NEAREST], PRIORS[NEAR], PRIORS[NEARBY], PRIORS[NEARBY], 0]
    game = GAMES[9]
    assert game.prior(game.initial(), game.passing, -1) == (even, even + PRIORS[SELF_ATARI])


def test_prior_games_may_be_changed_without_compiling():
    game = plies.Go(size=5)
    before = game.prior(game.initial(), 12, -1)
    game.prior_games = 2 * game.prior_games
    assert game.prior(game.initial(), 12, -1) == tuple(2 * np.array(before))
