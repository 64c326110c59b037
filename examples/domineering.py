"""Domineering, by Göran Andersson: two players put dominoes on a board, one upright and one level."""

from typing import NamedTuple

import plies
from plies import bits


class State(NamedTuple):
    filled: int  # one bit a cell, row by row; columns are one apart, and rows width + 1
    player: int


class Domineering(plies.Game):
    """Player 1 puts dominoes upright, player 2 level; whoever cannot move loses."""

    def __init__(self, width: int = 7, height: int = 7):
        if min(width, height) < 1 or (width + 1) * height > 63:
            raise plies.BadParameter(f"a board of {width}x{height} cells does not fit in 63 bits")
        self.width = width
        self.height = height
        row = (1 << width) - 1
        self.board = sum(row << (width + 1) * number for number in range(height))

    def initial(self):
        return State(0, 0)

    def to_move(self, state):
        return state.player

    def places(self, filled, player):
        """The cells where a player may put the lower or left half of a domino."""
        free = self.board & ~filled
        return free & (free >> (self.width + 1 if player == 0 else 1))

    def actions(self, state):
        places = self.places(state.filled, state.player)
        while places:
            yield bits.lowest(places)
            places &= places - 1

    def result(self, state, action):
        domino = (1 << self.width + 1 | 1 if state.player == 0 else 3) << action
        return State(state.filled | domino, 1 - state.player)

    def is_terminal(self, state):
        return self.places(state.filled, state.player) == 0

    def utility(self, state, player):
        return -1 if player == state.player else 1

    # -- What helps a search.

    def priority(self, state, action):
        """Move ordering: leave many places to yourself, and few to the other."""
        filled = self.result(state, action).filled
        mine, theirs = self.places(filled, state.player), self.places(filled, 1 - state.player)
        return bits.popcount(mine) - bits.popcount(theirs)


if __name__ == "__main__":
    for size in range(2, 6):
        print(f"{size}x{size}, for the first player: {plies.solve(Domineering(size, size)).value}")
