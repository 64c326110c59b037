"""Three Men's Morris: place three men, then move them; positions come up again."""

from typing import NamedTuple

import numpy as np

import plies

ROWS = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
"""The three rows, three columns and two diagonals of nine cells."""


class State(NamedTuple):
    mine: int  # the men of the player to move, one bit a cell
    theirs: int
    player: int
    left: int  # men that are still to be placed


class ThreeMensMorris(plies.Game):
    """Three men in a row win. Once all are placed, a man moves to a free cell beside it, or to any.

    The centre is beside all cells. Whoever cannot move loses.
    """

    cycles = True

    def __init__(self, anywhere: bool = False):
        self.anywhere = anywhere
        self.beside = np.array([sum(1 << b for b in range(9) if self.adjacent(a, b)) for a in range(9)])

    def adjacent(self, a, b):
        return a != b and (4 in (a, b) or abs(a % 3 - b % 3) + abs(a // 3 - b // 3) == 1)

    def initial(self):
        return State(0, 0, 0, 6)

    def to_move(self, state):
        return state.player

    def has_row(self, men):
        for row in ROWS:  # noqa: SIM110 - `any` does not compile
            if men & row == row:
                return True
        return False

    def actions(self, state):
        if not self.has_row(state.theirs):
            free = 0o777 & ~(state.mine | state.theirs)
            for cell in range(9):
                if state.left and free >> cell & 1:
                    yield 81 + cell
                elif not state.left and state.mine >> cell & 1:
                    targets = free if self.anywhere else free & int(self.beside[cell])
                    for target in range(9):
                        if targets >> target & 1:
                            yield cell * 9 + target

    def result(self, state, action):
        if action >= 81:
            placed = state.mine | 1 << action - 81
            return State(state.theirs, placed, 1 - state.player, state.left - 1)
        moved = 1 << action // 9 | 1 << action % 9
        return State(state.theirs, state.mine ^ moved, 1 - state.player, 0)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.player else 1

    def notation(self, state, action):
        cells = "abcdefghi"
        return cells[action - 81] if action >= 81 else cells[action // 9] + cells[action % 9]


if __name__ == "__main__":
    for game in (ThreeMensMorris(), ThreeMensMorris(anywhere=True)):
        database = plies.make_database(game)
        print(game, len(database), "positions; from the start:", database.probe(game.initial()))
