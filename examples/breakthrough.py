"""Breakthrough, by Dan Troyka: pawns that race to the other side; `planes` let a network learn to play it."""

from typing import NamedTuple

import plies
from plies import bits


class State(NamedTuple):
    first: int  # pawns that move up, one bit a cell, row by row from the bottom
    second: int
    player: int


class Breakthrough(plies.Game):
    """A pawn moves a cell ahead, straight or diagonally, and captures diagonally; who gets across wins."""

    def __init__(self, size: int = 6):
        if not 5 <= size <= 7:
            raise plies.BadParameter(f"size must be from 5 to 7, not {size}")
        self.size, self.cells = size, size * size
        self.plane_shape = (size, size)
        self.rows = (1 << 2 * size) - 1
        self.far = (1 << size) - 1
        self.move_indices = 3 * self.cells

    def initial(self):
        return State(self.rows, self.rows << self.cells - 2 * self.size, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):  # three times the cell, plus 0 for left, 1 for straight, 2 for right
        own, other = (state.first, state.second) if state.player == 0 else (state.second, state.first)
        for pawn in bits.indices(0 if self.is_terminal(state) else own):
            for way in range(3):
                if 0 <= pawn % self.size + way - 1 < self.size:
                    goal = 1 << self.goal(pawn, way, state.player)
                    if not own & goal and not (way == 1 and other & goal):
                        yield 3 * pawn + way

    def goal(self, pawn, way, player):
        return pawn + way - 1 + (self.size if player == 0 else -self.size)

    def result(self, state, action):
        pawn, way = action // 3, action % 3
        goal, start = 1 << self.goal(pawn, way, state.player), 1 << pawn
        if state.player == 0:
            return State(state.first & ~start | goal, state.second & ~goal, 1)
        return State(state.first & ~goal, state.second & ~start | goal, 0)

    def is_terminal(self, state):
        home = self.far << self.cells - self.size
        across = state.first & home or state.second & self.far
        return across != 0 or state.first == 0 or state.second == 0

    def utility(self, state, player):
        return -1 if player == state.player else 1

    # -- What a network sees: one's own pawns, then the other's, on a board that is turned for player 2.

    def planes(self, state, player):
        if player == 0:
            return state.first, state.second
        return bits.reverse(state.second, self.cells), bits.reverse(state.first, self.cells)

    # -- What people see.

    def notation(self, state, action):
        pawn, goal = action // 3, self.goal(action // 3, action % 3, state.player)
        return "".join("abcdefg"[cell % self.size] + str(cell // self.size + 1) for cell in (pawn, goal))

    def text(self, state):
        cells = range(self.cells)
        marks = ["X" if state.first >> i & 1 else "O" if state.second >> i & 1 else "." for i in cells]
        return "\n".join(" ".join(marks[i : i + self.size]) for i in reversed(cells[:: self.size]))


if __name__ == "__main__":
    game = Breakthrough()
    print(plies.check_game(game).ok)
    print(game.text(game.initial()))
