"""Book style: one recursive function for each search, a state is a string."""

from math import inf

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    def initial(self):
        return "." * 9

    def to_move(self, state):
        return (9 - state.count(".")) % 2

    def actions(self, state):
        if self.is_terminal(state):
            return []
        return [cell for cell in range(1, 10) if state[cell - 1] == "."]

    def result(self, state, action):
        mark = "XO"[self.to_move(state)]
        return state[: action - 1] + mark + state[action:]

    def is_terminal(self, state):
        return self.won(state, "X") or self.won(state, "O") or "." not in state

    def utility(self, state, player):
        if self.won(state, "XO"[player]):
            return 1
        return -1 if self.won(state, "OX"[player]) else 0

    def evaluate(self, state, player):
        mine, theirs = "XO"[player], "OX"[player]
        lead = 0
        for line in LINES:
            marks = [state[cell] for cell in line]
            lead += (theirs not in marks) - (mine not in marks)
        return lead / 10

    def won(self, state, mark):
        return any(all(state[cell] == mark for cell in line) for line in LINES)


def minimax(game, state, depth=inf):
    if game.is_terminal(state):
        return game.utility(state, 0)
    if depth == 0:
        return game.evaluate(state, 0)
    if game.to_move(state) == 0:
        value = -inf
        for action in game.actions(state):
            value = max(value, minimax(game, game.result(state, action), depth - 1))
    else:
        value = inf
        for action in game.actions(state):
            value = min(value, minimax(game, game.result(state, action), depth - 1))
    return value


def alpha_beta(game, state, depth=inf, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, 0)
    if depth == 0:
        return game.evaluate(state, 0)
    if game.to_move(state) == 0:
        value = -inf
        for action in game.actions(state):
            value = max(value, alpha_beta(game, game.result(state, action), depth - 1, alpha, beta))
            if value >= beta:
                return value
            alpha = max(alpha, value)
    else:
        value = inf
        for action in game.actions(state):
            value = min(value, alpha_beta(game, game.result(state, action), depth - 1, alpha, beta))
            if value <= alpha:
                return value
            beta = min(beta, value)
    return value


def expectiminimax(game, state, depth=inf):
    if game.is_terminal(state):
        return game.utility(state, 0)
    if depth == 0:
        return game.evaluate(state, 0)
    mover = game.to_move(state)
    if mover == -1:
        return sum(p * expectiminimax(game, game.result(state, a), depth - 1) for a, p in game.chance(state))
    best = max if mover == 0 else min
    return best(expectiminimax(game, game.result(state, a), depth - 1) for a in game.actions(state))


def best_action(game, state, depth=inf):
    choose = max if game.to_move(state) == 0 else min
    return choose(game.actions(state), key=lambda a: minimax(game, game.result(state, a), depth))
