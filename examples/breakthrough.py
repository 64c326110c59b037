"""Breakthrough, by Dan Troyka: be the first to get a pawn to the other side of the board."""

from typing import NamedTuple

import plies


class State(NamedTuple):
    up: int  # the pawns of player 1, who moves up, one bit a cell, the lowest row first
    down: int  # those of player 2, who moves down
    player: int


class Breakthrough(plies.Game):
    """Move a pawn ahead, straight or diagonally, onto a free cell; diagonally it may capture."""

    def __init__(self, size: int = 6):
        if not 3 <= size <= 7:
            raise plies.BadParameter(f"size must be from 3 to 7, not {size}")
        self.size = size
        self.plane_shape = (size, size)

    def initial(self):
        rows = (1 << 2 * self.size) - 1
        return State(rows, rows << self.size * (self.size - 2), 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        n = self.size
        own, other = (state.up, state.down) if state.player == 0 else (state.down, state.up)
        for cell in range(0 if self.is_terminal(state) else n * n):
            if own >> cell & 1:
                for way in range(3):  # to the left, ahead, to the right
                    target = self.ahead(cell, way, state.player)
                    if 0 <= cell % n + way - 1 < n and not (own | (other if way == 1 else 0)) >> target & 1:
                        yield cell * 3 + way

    def ahead(self, cell, way, player):
        return cell + way - 1 + (self.size if player == 0 else -self.size)

    def result(self, state, action):
        cell, way = action // 3, action % 3
        target = 1 << self.ahead(cell, way, state.player)
        if state.player == 0:
            return State(state.up ^ 1 << cell | target, state.down & ~target, 1)
        return State(state.up & ~target, state.down ^ 1 << cell | target, 0)

    def is_terminal(self, state):
        return self.utility(state, 0) != 0

    def utility(self, state, player):
        row = (1 << self.size) - 1
        if state.down == 0 or state.up & row << self.size * (self.size - 1):
            return 1 if player == 0 else -1
        return (1 if player == 1 else -1) if state.up == 0 or state.down & row else 0

    def planes(self, state, player):
        """The pawns of the player, who moves up in this view, and those of the opponent."""
        return (state.up, state.down) if player == 0 else (self.turned(state.down), self.turned(state.up))

    def turned(self, pawns):
        n, found = self.size, 0
        for row in range(n):
            found |= (pawns >> row * n & (1 << n) - 1) << (n - 1 - row) * n
        return found

    def notation(self, state, action):
        cell, n = action // 3, self.size
        target = self.ahead(cell, action % 3, state.player)
        return f"{'abcdefg'[cell % n]}{cell // n + 1}{'abcdefg'[target % n]}{target // n + 1}"


if __name__ == "__main__":
    print(plies.check_game(Breakthrough()))
