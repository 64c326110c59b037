"""Book style: searches that remember in a dictionary what they have found."""

from math import inf


def minimax(game, state, depth=inf):
    table = {}

    def value(s, left):
        if (s, left) not in table:
            if game.is_terminal(s):
                table[s, left] = game.utility(s, 0)
            elif left == 0:
                table[s, left] = game.evaluate(s, 0)
            else:
                choose = max if game.to_move(s) == 0 else min
                table[s, left] = choose(value(game.result(s, a), left - 1) for a in game.actions(s))
        return table[s, left]

    return value(state, depth)


def alpha_beta(game, state, depth=inf, alpha=-inf, beta=inf):
    return search(game, state, depth, alpha, beta, {})


def search(game, state, depth, alpha, beta, table):
    low, high = table.get((state, depth), (-inf, inf))
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    first, last = alpha, beta
    if game.is_terminal(state):
        best = game.utility(state, 0)
        first, last = -inf, inf
    elif depth == 0:
        best = game.evaluate(state, 0)
        first, last = -inf, inf
    elif game.to_move(state) == 0:
        best = -inf
        for a in game.actions(state):
            best = max(best, search(game, game.result(state, a), depth - 1, alpha, beta, table))
            if best >= beta:
                break
            alpha = max(alpha, best)
    else:
        best = inf
        for a in game.actions(state):
            best = min(best, search(game, game.result(state, a), depth - 1, alpha, beta, table))
            if best < alpha:
                break
            beta = min(beta, best)
    if best > first:
        low = best
    if best < last:
        high = best
    table[state, depth] = (low, high)
    return best
