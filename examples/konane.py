"""Konane, Hawaiian checkers: jump over the opponent's stones, which are removed; who cannot, loses."""

from typing import NamedTuple

import plies
from plies import bits


class State(NamedTuple):
    stones: int  # those left, one bit a cell; players have those of even and of odd cells, as of a chessboard
    player: int


class Konane(plies.Game):
    """Jump straight over a stone of the opponent's to a free cell, and on in that direction if you like."""

    def __init__(self, size: int = 6):
        if size not in (4, 6):
            raise plies.BadParameter(f"size must be 4 or 6, not {size}")
        self.size = size
        self.plane_shape = (size, size)
        self.even = sum(1 << cell for cell in range(size * size) if (cell // size + cell) % 2 == 0)

    def initial(self):
        middle = self.size * self.size // 2 + self.size // 2
        return State((1 << self.size * self.size) - 1 & ~(3 << middle - 1), 0)

    def to_move(self, state):
        return state.player

    def own(self, state, player):
        return state.stones & (self.even if player == 0 else ~self.even)

    def beyond(self, cell, way, jumps):
        """The cell after some jumps to the left, to the right, down or up; -1 if it is off the board."""
        n = self.size
        column = cell % n + (2 * jumps if way == 1 else -2 * jumps if way == 0 else 0)
        row = cell // n + (2 * jumps if way == 3 else -2 * jumps if way == 2 else 0)
        return row * n + column if 0 <= column < n and 0 <= row < n else -1

    def actions(self, state):  # eight times the cell, plus twice the direction, plus 1 for a second jump
        for cell in bits.indices(self.own(state, state.player)):
            for way in range(4):
                for jumps in range(1, 3):
                    goal, last = self.beyond(cell, way, jumps), self.beyond(cell, way, jumps - 1)
                    if goal < 0 or state.stones >> goal & 1 or not state.stones >> (goal + last) // 2 & 1:
                        break
                    yield cell * 8 + way * 2 + jumps - 1

    def result(self, state, action):
        cell, way = action // 8, action % 8 // 2
        stones = state.stones & ~(1 << cell)
        for jumps in range(1, action % 2 + 2):
            goal, last = self.beyond(cell, way, jumps), self.beyond(cell, way, jumps - 1)
            stones &= ~(1 << (goal + last) // 2)
        return State(stones | 1 << self.beyond(cell, way, action % 2 + 1), 1 - state.player)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.player else 1

    # -- What a network sees: the stones of both, and those of each that can jump; turned for player 2.

    def planes(self, state, player):
        own, other = self.own(state, player), self.own(state, 1 - player)
        mine, yours = self.movable(State(state.stones, player)), self.movable(State(state.stones, 1 - player))
        if player == 0:
            return own, other, mine, yours
        return self.turned(own), self.turned(other), self.turned(mine), self.turned(yours)

    def movable(self, state):
        found = 0
        for action in self.actions(state):
            found |= 1 << action // 8
        return found

    def turned(self, stones):
        """Upside down, which makes even cells odd."""
        n, found = self.size, 0
        for row in range(n):
            found |= (stones >> row * n & (1 << n) - 1) << (n - 1 - row) * n
        return found

    def notation(self, state, action):
        cell, goal = action // 8, self.beyond(action // 8, action % 8 // 2, action % 2 + 1)
        return "-".join("abcdef"[one % self.size] + str(one // self.size + 1) for one in (cell, goal))


if __name__ == "__main__":
    game = Konane()
    print(plies.check_game(game).ok)
    print([game.notation(game.initial(), action) for action in game.actions(game.initial())])
