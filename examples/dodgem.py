"""Dodgem, by Colin Vout: two players drive their cars off the board, one to the right and one to the top."""

from typing import NamedTuple

import plies

RIGHT, UP, LEFT, DOWN = range(4)


class State(NamedTuple):
    right: int  # the cars of player 1, who drives to the right, one bit a cell, the lowest row first
    up: int  # those of player 2, who drives up
    player: int


class Dodgem(plies.Game):
    """Move a car ahead or to a side, onto a free cell; ahead from the last cell it leaves the board.

    Whoever has no cars left wins, and so does whoever cannot move.
    """

    cycles = True

    def __init__(self, size: int = 3):
        if not 2 <= size <= 5:
            raise plies.BadParameter(f"size must be from 2 to 5, not {size}")
        self.size = size

    def initial(self):
        n = self.size
        return State(sum(1 << row * n for row in range(1, n)), sum(1 << column for column in range(1, n)), 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        if state.right and state.up:
            full = state.right | state.up
            cars = state.right if state.player == 0 else state.up
            for cell in range(self.size * self.size):
                if cars >> cell & 1:
                    for way in range(4):
                        # Player 1 never drives left, player 2 never down.
                        if way != 2 + state.player and self.is_free(full, cell, way, state.player):
                            yield cell * 4 + way

    def is_free(self, full, cell, way, player):
        """Whether a car may drive on: to a free cell, or off the board at its goal."""
        n = self.size
        column, row = cell % n, cell // n
        if way == RIGHT and column == n - 1:
            return player == 0
        if way == UP and row == n - 1:
            return player == 1
        if (way == LEFT and column == 0) or (way == DOWN and row == 0):
            return False
        return not full >> self.ahead(cell, way) & 1

    def ahead(self, cell, way):
        if way == RIGHT:
            return cell + 1
        if way == UP:
            return cell + self.size
        return cell - 1 if way == LEFT else cell - self.size

    def result(self, state, action):
        n = self.size
        cell, way = action // 4, action % 4
        moved = 1 << cell
        leaves = (way == RIGHT and cell % n == n - 1) or (way == UP and cell // n == n - 1)
        if not leaves:
            moved |= 1 << self.ahead(cell, way)
        if state.player == 0:
            return State(state.right ^ moved, state.up, 1)
        return State(state.right, state.up ^ moved, 0)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        winner = 0 if state.right == 0 else 1 if state.up == 0 else state.player
        return 1 if player == winner else -1

    def notation(self, state, action):
        cell = action // 4
        return "abcde"[cell % self.size] + str(cell // self.size + 1) + "→↑←↓"[action % 4]


if __name__ == "__main__":
    game = Dodgem()
    database = plies.make_database(game)
    print(len(database), "positions; from the start:", database.probe(game.initial()))
    best, _ = database.actions(game.initial())[0]
    print("the first move that wins soonest:", game.notation(game.initial(), best))
