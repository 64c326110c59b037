"""Chopsticks: fingers of two hands, which go round and round until a player has none left."""

from typing import NamedTuple

import plies


class State(NamedTuple):
    more: int  # the fingers of the fuller hand of the player to move
    less: int
    their_more: int  # and of the opponent
    their_less: int
    player: int


class Chopsticks(plies.Game):
    """Tap a hand of the opponent with one of yours, which adds its fingers to theirs, or split your own anew.

    A hand with five fingers or more is out, with none. Whoever has lost both hands loses. A split must change
    your hands, and may bring back one that is out.
    """

    cycles = True

    def initial(self):
        return State(1, 1, 1, 1, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        """Taps are 0 to 3: with the fuller hand, or 2 for the other; on the fuller one, or 1 for the other.

        A split is 4 plus the fingers of the emptier hand afterwards.
        """
        if not self.is_terminal(state):
            if state.their_more:
                yield 0
            if state.their_less:
                yield 1
            if state.less and state.less != state.more:
                if state.their_more:
                    yield 2
                if state.their_less:
                    yield 3
            fingers = state.more + state.less
            for less in range(fingers // 2 + 1):
                if less != state.less and fingers - less < 5:
                    yield 4 + less

    def result(self, state, action):
        if action >= 4:
            less = action - 4
            return State(
                state.their_more, state.their_less, state.more + state.less - less, less, 1 - state.player
            )
        tapping = state.more if action < 2 else state.less
        tapped = (state.their_less if action % 2 else state.their_more) + tapping
        other = state.their_more if action % 2 else state.their_less
        if tapped >= 5:
            tapped = 0
        return State(max(tapped, other), min(tapped, other), state.more, state.less, 1 - state.player)

    def is_terminal(self, state):
        return state.more == 0

    def utility(self, state, player):
        return -1 if player == state.player else 1

    def notation(self, state, action):
        if action >= 4:
            return f"split{state.more + state.less - (action - 4)}:{action - 4}"
        hands = (state.more, state.less), (state.their_more, state.their_less)
        return f"{hands[0][action // 2]}on{hands[1][action % 2]}"


if __name__ == "__main__":
    game = Chopsticks()
    database = plies.make_database(game)
    print(len(database), "positions; from the start:", database.probe(game.initial()))
    won, drawn, lost = database.counts()
    print(f"player 1 wins {won}, player 2 wins {lost}, {drawn} go on for ever")
