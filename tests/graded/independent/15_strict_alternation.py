"""Book style: negamax, the value is that of the side to move; MAX is on one side, all others on the other."""

INFINITY = float("inf")


def side(game, state):
    return 1 if game.to_move(state) == 0 else -1


def minimax(game, state, depth=-1):
    def negamax(s, left, colour):
        if game.is_terminal(s):
            return colour * game.utility(s, 0)
        if left == 0:
            return colour * game.evaluate(s, 0)
        best = -INFINITY
        for a in game.actions(s):
            v = -negamax(game.result(s, a), left - 1, -colour)
            if v > best:
                best = v
        return best

    return side(game, state) * negamax(state, depth, side(game, state))


def alpha_beta(game, state, depth=-1, alpha=-INFINITY, beta=INFINITY):
    def negamax(s, left, low, high, colour):
        if game.is_terminal(s):
            return colour * game.utility(s, 0)
        if left == 0:
            return colour * game.evaluate(s, 0)
        best = -INFINITY
        for a in game.actions(s):
            v = -negamax(game.result(s, a), left - 1, -high, -low, -colour)
            if v > best:
                best = v
            if best > low:
                low = best
            if low >= high:
                break
        return best

    if side(game, state) == 1:
        return negamax(state, depth, alpha, beta, 1)
    return -negamax(state, depth, -beta, -alpha, -1)
