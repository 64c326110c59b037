"""Mu Torere, a game of the Maori: positions come up again, so it is solved by retrograde analysis."""

from typing import NamedTuple

import plies

CENTRE = 8


class State(NamedTuple):
    first: int  # the counters of player 1, one bit a point: 0 to 7 around the star, 8 in the centre
    second: int  # those of player 2
    player: int


class MuTorere(plies.Game):
    """Move a counter to the empty point beside it: along the star, or between star and centre.

    Into the centre only a counter may move that stands beside one of the opponent's. Whoever cannot move
    loses.
    """

    cycles = True

    def initial(self):
        return State(0b1111, 0b11110000, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        mine, theirs = (state.first, state.second) if state.player == 0 else (state.second, state.first)
        full = mine | theirs
        for point in range(9):
            if mine >> point & 1:
                if point == CENTRE:
                    for target in range(8):
                        if not full >> target & 1:
                            yield point * 9 + target
                else:
                    left, right = (point + 7) % 8, (point + 1) % 8
                    if not full >> left & 1:
                        yield point * 9 + left
                    if not full >> right & 1:
                        yield point * 9 + right
                    if not full >> CENTRE & 1 and (theirs >> left | theirs >> right) & 1:
                        yield point * 9 + CENTRE

    def result(self, state, action):
        moved = 1 << action // 9 | 1 << action % 9
        if state.player == 0:
            return State(state.first ^ moved, state.second, 1)
        return State(state.first, state.second ^ moved, 0)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.player else 1

    def symmetries(self, state):
        for turn in range(8):
            yield State(self.turned(state.first, turn), self.turned(state.second, turn), state.player)
            first, second = self.mirrored(state.first), self.mirrored(state.second)
            yield State(self.turned(first, turn), self.turned(second, turn), state.player)

    def turned(self, counters, turn):
        star = counters & 255
        return (star << turn | star >> 8 - turn) & 255 | counters & 256

    def mirrored(self, counters):
        image = counters & 256
        for point in range(8):
            if counters >> point & 1:
                image |= 1 << 7 - point
        return image

    def notation(self, state, action):
        return f"{action // 9}-{action % 9}"

    def text(self, state):
        marks = ["X" if state.first >> i & 1 else "O" if state.second >> i & 1 else "." for i in range(9)]
        return "{0} {1} {2}\n{7} {8} {3}\n{6} {5} {4}".format(*marks)


if __name__ == "__main__":
    game = MuTorere()
    database = plies.make_database(game)
    print(len(database), "positions that are not symmetric, of", len(plies.make_database(game, fold=False)))
    print("from the start:", database.probe(game.initial()))
    longest = database.longest()[0]
    print("the longest win:", database.entry(longest).plies, "plies")
    print("verified:", plies.verify_database(database).holds)
