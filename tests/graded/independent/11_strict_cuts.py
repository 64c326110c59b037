"""Book style: alpha-beta that returns alpha or beta where a value is outside of them; answers are pairs."""


def alpha_beta(game, state, depth=1000, alpha=float("-inf"), beta=float("inf")):
    if game.is_terminal(state):
        return None, game.utility(state, 0)
    if depth <= 0:
        return None, game.evaluate(state, 0)
    best = None
    if game.to_move(state) == 0:
        for action in game.actions(state):
            _, value = alpha_beta(game, game.result(state, action), depth - 1, alpha, beta)
            if value > alpha:
                alpha, best = value, action
            if alpha > beta:
                return best, beta
        return best, alpha
    for action in game.actions(state):
        _, value = alpha_beta(game, game.result(state, action), depth - 1, alpha, beta)
        if value < beta:
            beta, best = value, action
        if beta < alpha:
            return best, alpha
    return best, beta
