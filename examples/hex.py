"""Hex, and what makes Monte Carlo tree search strong in it: RAVE, and playouts that save bridges."""

from typing import NamedTuple

import numpy as np

import plies
from plies import bits

AROUND = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The six neighbours of a cell, in a circle: rows and columns further."""


class State(NamedTuple):
    first: int  # the stones of player 1, who connects top and bottom, one bit a cell
    second: int  # those of player 2, who connects left and right
    player: int


class Hex(plies.Game):
    """Place stones in turn; whoever connects their two sides of the board wins."""

    mcts_options = {"rave": 1000, "exploration": 0, "expansion_threshold": 5}

    def __init__(self, size: int = 7):
        if not 2 <= size <= 7:
            raise plies.BadParameter(f"size must be from 2 to 7, not {size}")
        self.size = size
        self.cells = size * size
        self.board = (1 << self.cells) - 1
        self.top = (1 << size) - 1
        self.bottom = self.top << self.cells - size
        self.left = sum(1 << row * size for row in range(size))
        self.right = self.left << size - 1
        self.ring = np.array([[self.beside(cell, way) for way in AROUND] for cell in range(self.cells)])

        rows, columns = np.divmod(np.arange(self.cells), size)
        self.from_centre = abs(2 * rows - size + 1) + abs(2 * columns - size + 1)

    def beside(self, cell, way):
        """The neighbour of a cell; beyond a side, -1 for that of player 1 and -2 for that of player 2."""
        row, column = cell // self.size + way[0], cell % self.size + way[1]
        if not 0 <= column < self.size:
            return -2
        return row * self.size + column if 0 <= row < self.size else -1

    def initial(self):
        return State(0, 0, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        if not self.is_terminal(state):
            empty = self.board & ~(state.first | state.second)
            while empty:
                yield bits.lowest(empty)
                empty &= empty - 1

    def result(self, state, action):
        if state.player == 0:
            return State(state.first | 1 << action, state.second, 1)
        return State(state.first, state.second | 1 << action, 0)

    def is_terminal(self, state):  # only who has just moved can have won
        if state.player == 1:
            return self.connected(state.first, self.top, self.bottom)
        return self.connected(state.second, self.left, self.right)

    def connected(self, stones, start, goal):
        """Whether stones connect two sides."""
        return self.joined(stones & start, stones) & goal != 0

    def joined(self, reached, stones):
        """Some cells, and all stones that are connected with them (flood fill)."""
        while True:
            more = self.beside_all(reached) & stones | reached
            if more == reached:
                return reached
            reached = more

    def beside_all(self, cells):
        """The neighbours of cells."""
        inner, outer = cells & ~self.right, cells & ~self.left
        more = cells << self.size | cells >> self.size | inner << 1 | outer >> 1
        return (more | outer << self.size - 1 | inner >> self.size - 1) & self.board

    def utility(self, state, player):
        return -1 if player == state.player else 1

    # -- What helps Monte Carlo tree search.

    def playout(self, state, random, last, before):
        """A cell that saves a bridge, if the last stone has intruded into one; else any."""
        cells = self.saving(state, last) if last >= 0 else 0
        if cells == 0:
            cells = self.board & ~(state.first | state.second)
        for _ in range(((random >> 32) * bits.popcount(cells)) >> 31):
            cells &= cells - 1
        return bits.lowest(cells)

    def saving(self, state, last):
        """The empty cells beside the last stone that connect two stones, or a stone and a side, around it."""
        mine = state.first if state.player == 0 else state.second
        side = -1 - state.player
        empty = self.board & ~(state.first | state.second)
        found = 0
        for i in range(6):
            a, b = int(self.ring[last, i]), int(self.ring[last, (i + 1) % 6])
            c = int(self.ring[last, (i + 2) % 6])
            joined = (a == side or (a >= 0 and mine >> a & 1)) and (c == side or (c >= 0 and mine >> c & 1))
            if b >= 0 and empty >> b & 1 and joined:
                found |= 1 << b
        return found

    # -- What helps a proof.

    def priority(self, state, action):
        """Move ordering: how many stones nearer to a connection than the opponent; then, near the centre."""
        after = self.result(state, action)
        lead = self.distance(after, after.player) - self.distance(after, state.player)
        return lead - self.from_centre[action] / 100

    def distance(self, state, player):
        """The fewest stones that connect a player's sides."""
        mine, theirs = (state.first, state.second) if player == 0 else (state.second, state.first)
        start, goal = (self.top, self.bottom) if player == 0 else (self.left, self.right)
        reached = self.joined(mine & start, mine)
        stones = 0
        while reached & goal == 0 and stones < self.cells:
            more = (self.beside_all(reached) | start) & ~theirs
            reached = self.joined(reached | more, mine)
            stones += 1
        return stones

    def proved_bounds(self, state, alpha, beta):
        """A chain of bridges from side to side wins, whoever is to move."""
        if self.is_linked(state, 1 - state.player):
            return -1.0, -1.0
        if self.is_linked(state, state.player):
            return 1.0, 1.0
        return -1.0, 1.0

    def is_linked(self, state, player):
        """Whether a player's stones, bridges included, connect their sides.

        No two bridges share a cell, so that any intrusion can be answered within its bridge.
        """
        mine = state.first if player == 0 else state.second
        free = self.board & ~(state.first | state.second)
        start, goal = (self.top, self.bottom) if player == 0 else (self.left, self.right)
        reached = mine & start
        looked = 0
        for cell in range(self.cells):  # bridges from the first side
            if mine & ~reached & 1 << cell:
                cells = self.to_side(cell, start, free)
                if cells:
                    free &= ~cells
                    reached |= 1 << cell
        while reached & ~looked:
            cell = bits.lowest(reached & ~looked)
            looked |= 1 << cell
            if goal >> cell & 1 or self.to_side(cell, goal, free):
                return True
            for i in range(6):
                one, two = int(self.ring[cell, i]), int(self.ring[cell, (i + 1) % 6])
                if one >= 0 and mine >> one & 1:
                    reached |= 1 << one
                if one >= 0 and two >= 0 and free >> one & 1 and free >> two & 1:
                    other = int(self.ring[one, (i + 1) % 6])  # the far end of the bridge
                    if other >= 0 and mine >> other & 1 and not reached >> other & 1:
                        free &= ~(1 << one | 1 << two)
                        reached |= 1 << other
        return False

    def to_side(self, cell, row, free):
        """The two free cells of a side beside a cell in the next row; 0 if they are not both free."""
        cells = 0
        for i in range(6):
            beside = int(self.ring[cell, i])
            if beside >= 0 and row >> beside & 1 and free >> beside & 1:
                cells |= 1 << beside
        return cells if bits.popcount(cells) == 2 and not row >> cell & 1 else 0

    # -- What people see.

    def notation(self, state, action):
        return "abcdefg"[action % self.size] + str(action // self.size + 1)

    def text(self, state):
        marks = ["X" if state.first >> i & 1 else "O" if state.second >> i & 1 else "." for i in range(49)]
        rows = [" " * row + " ".join(marks[row * self.size :][: self.size]) for row in range(self.size)]
        return "\n".join(rows)


if __name__ == "__main__":
    game = Hex(5)
    print(plies.check_game(game).ok)
    found = plies.search(game, algorithm="mcts", simulations=500, seed=1)
    print(f"{game.notation(found.state, found.action)}, {found.visits[found.action]} visits of {found.nodes}")
