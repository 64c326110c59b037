"""Clobber, by Albert, Grossman, Nowakowski and Wolfe: take a stone beside yours; who cannot, loses."""

from typing import NamedTuple

import plies
from plies import bits


class State(NamedTuple):
    first: int  # the stones of player 1, one bit a cell, row by row
    second: int
    player: int


class Clobber(plies.Game):
    """A stone moves onto a stone of the other player beside it, and takes it."""

    def __init__(self, width: int = 6, height: int = 5):
        if min(width, height) < 2 or width * height > 60:
            raise plies.BadParameter(f"a board of {width}x{height} cells is too large or too small")
        self.width, self.height, self.cells = width, height, width * height
        self.plane_shape = (height, width)
        self.other_view = (1, 0, 3, 2)
        self.dark = sum(1 << cell for cell in range(self.cells) if (cell // width + cell % width) % 2)
        self.board = (1 << self.cells) - 1
        self.left = sum(1 << row * width for row in range(height))

    def initial(self):
        return State(self.dark, self.board & ~self.dark, 0)

    def to_move(self, state):
        return state.player

    def from_side(self, cells, way):
        """The cells beside some: to the right, to the left, above or below them."""
        if way == 0:
            return cells << 1 & self.board & ~self.left
        if way == 1:
            return (cells & ~self.left) >> 1
        return cells << self.width & self.board if way == 2 else cells >> self.width

    def actions(self, state):  # four times the cell, plus the way
        own, other = (state.first, state.second) if state.player == 0 else (state.second, state.first)
        for way in range(4):
            for cell in bits.indices(own & self.from_side(other, way ^ 1)):
                yield 4 * cell + way

    def result(self, state, action):
        start = 1 << action // 4
        goal = self.from_side(start, action % 4)
        if state.player == 0:
            return State(state.first & ~start | goal, state.second & ~goal, 1)
        return State(state.first & ~goal, state.second & ~start | goal, 0)

    def attackers(self, own, other):
        """The stones beside one of the other player's."""
        found = 0
        for way in range(4):
            found |= own & self.from_side(other, way)
        return found

    def is_terminal(self, state):
        return self.attackers(state.first, state.second) == 0

    def utility(self, state, player):
        return -1 if player == state.player else 1

    # -- What a network sees: the stones of both, and those that can still move.

    def planes(self, state, player):
        own, other = (state.first, state.second) if player == 0 else (state.second, state.first)
        return own, other, self.attackers(own, other), self.attackers(other, own)

    # -- What people see.

    def notation(self, state, action):
        start = action // 4
        goal = bits.lowest(self.from_side(1 << start, action % 4))
        return "".join(
            "abcdefghij"[cell % self.width] + str(cell // self.width + 1) for cell in (start, goal)
        )

    def text(self, state):
        cells = range(self.cells)
        marks = ["X" if state.first >> i & 1 else "O" if state.second >> i & 1 else "." for i in cells]
        return "\n".join(" ".join(marks[i : i + self.width]) for i in cells[:: self.width])


if __name__ == "__main__":
    game = Clobber(4, 3)
    print(plies.check_game(game).ok)
    print(f"4x3, for the first player: {plies.solve(game).value}")
