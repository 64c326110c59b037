"""Book style: a class for the game, with states as tuples, and a class for each search."""

from dataclasses import dataclass
from typing import NamedTuple


class Position(NamedTuple):
    crosses: frozenset
    noughts: frozenset


ROWS = [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}]


class NoughtsAndCrosses:
    def initial(self):
        return Position(frozenset(), frozenset())

    def to_move(self, state):
        return len(state.crosses) - len(state.noughts)

    def actions(self, state):
        for cell in range(1, 10):
            if cell not in state.crosses and cell not in state.noughts:
                yield cell

    def result(self, state, action):
        if self.to_move(state) == 0:
            return state._replace(crosses=state.crosses | {action})
        return state._replace(noughts=state.noughts | {action})

    def is_terminal(self, state):
        full = len(state.crosses) + len(state.noughts) == 9
        return full or any(row <= marks for row in ROWS for marks in state)

    def utility(self, state, player):
        for row in ROWS:
            if row <= state[player]:
                return 1
            if row <= state[1 - player]:
                return -1
        return 0


@dataclass
class Search:
    game: object
    depth: float
    nodes: int = 0

    def leaf(self, state, left):
        self.nodes += 1
        if self.game.is_terminal(state):
            return self.game.utility(state, 0)
        return self.game.evaluate(state, 0) if left == 0 else None

    def children(self, state):
        return (self.game.result(state, action) for action in self.game.actions(state))


class Minimax(Search):
    def value(self, state, left):
        worth = self.leaf(state, left)
        if worth is not None:
            return worth
        values = [self.value(child, left - 1) for child in self.children(state)]
        return max(values) if self.game.to_move(state) == 0 else min(values)


class AlphaBeta(Search):
    def value(self, state, left, alpha, beta):
        worth = self.leaf(state, left)
        if worth is not None:
            return worth
        is_max = self.game.to_move(state) == 0
        best = None
        for child in self.children(state):
            value = self.value(child, left - 1, alpha, beta)
            if best is None or (value > best if is_max else value < best):
                best = value
            if is_max:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if best >= beta:
                break
        return best


def minimax(game, state, depth=float("inf")):
    return Minimax(game, depth).value(state, depth)


def alpha_beta(game, state, depth=float("inf"), alpha=float("-inf"), beta=float("inf")):
    return AlphaBeta(game, depth).value(state, depth, alpha, beta)
