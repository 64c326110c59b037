"""Echo, a game of one's own: the rules, a check of them, and a search."""

from typing import NamedTuple

import plies


class State(NamedTuple):
    matches: int  # still on the table
    last: int  # how many the opponent has just taken
    player: int  # whose turn it is


class Echo(plies.Game):
    """Take 1, 2 or 3 matches, but never as many as your opponent just did; whoever cannot move loses."""

    def __init__(self, matches: int = 21):
        self.matches = matches

    def initial(self):
        return State(self.matches, 0, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        for taken in range(1, 4):
            if taken <= state.matches and taken != state.last:
                yield taken

    def result(self, state, action):
        return State(state.matches - action, action, 1 - state.player)

    def is_terminal(self, state):
        return state.matches == 0 or (state.matches == 1 and state.last == 1)

    def utility(self, state, player):
        return -1 if player == state.player else 1


if __name__ == "__main__":
    print(plies.check_game(Echo()).ok)
    found = plies.search(Echo(), time=10)
    print(f"take {found.action}: {found.value}")
    print("lost from the start:", [n for n in range(1, 18) if plies.book.alpha_beta(Echo(n)).value < 0])
