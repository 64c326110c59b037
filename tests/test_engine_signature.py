"""The signature of the engine: with one thread, the same nodes every time, in any process.

A change of the search that is meant to be one changes the numbers below; to print the new ones:
    python tests/test_engine_signature.py
"""

from __future__ import annotations

import pytest

import plies
from engine_games import Words, corridor
from plies.engine import AlphaBeta, Limit, Options

POSITIONS: list[tuple[plies.Game, str, int, Options]] = [
    # game, position, depth, refinements
    (plies.TicTacToe(), "", 6, Options()),
    (plies.TicTacToe(), "51", 9, Options(driver="mtd(f)", symmetry=True)),
    (plies.ConnectFour(width=5, height=4), "", 8, Options()),
    (plies.ConnectFour(width=5, height=4), "3321", 9, Options(child_order=True, candidates=False)),
    (plies.Othello(size=6), "", 6, Options()),
    (plies.Kalah(2, 2), "", 30, Options()),
    (plies.Nim(heaps=(2, 3, 3)), "", 20, Options(killers=True)),
    (corridor(60), "", 80, Options()),
    (Words(), "", 5, Options()),
]

GOLDEN = [661, 438, 4462, 3514, 240, 102, 619, 3657, 120]


COMPILED = (0, 2)
"""Positions whose machine code other tests need, too; that of the others is for long tests."""


def nodes(number: int) -> int:
    """How many nodes the search of a position takes, with a table small enough to overflow."""
    game, moves, depth, options = POSITIONS[number]
    engine = AlphaBeta(game, memory=0.02, options=options)
    return engine.search(game.parse_position(moves), Limit(depth=depth)).nodes


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "number",
    [
        number if number in COMPILED else pytest.param(number, marks=pytest.mark.costly)
        for number in range(len(POSITIONS))
    ],
)
def test_the_signature(number):
    assert nodes(number) == GOLDEN[number]


@pytest.mark.plain
@pytest.mark.no_cover
def test_an_earlier_search_leaves_no_trace():
    for game, moves, depth, options in POSITIONS[:2]:
        state = game.parse_position(moves)
        counts = []
        for distraction in (1, 3, 7):
            AlphaBeta(game, memory=0.5, threads=distraction % 2 + 1).search(state, Limit(depth=distraction))
            found = AlphaBeta(game, memory=0.02, options=options).search(state, Limit(depth=depth))
            counts.append(
                (found.nodes, found.hits, found.cuts, found.first_cuts, str(found.value), found.line)
            )
        assert counts[0] == counts[1] == counts[2]


if __name__ == "__main__":
    print(f"GOLDEN = {[nodes(number) for number in range(len(POSITIONS))]}")
