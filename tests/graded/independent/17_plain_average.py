"""Book style: lists of children made first, answers are pairs of a value and an action."""


def children(game, state):
    return [(action, game.result(state, action)) for action in game.actions(state)]


def minimax(game, state, depth=99):
    if game.is_terminal(state):
        return game.utility(state, 0), None
    if depth == 0:
        return game.evaluate(state, 0), None
    pairs = [(minimax(game, child, depth - 1)[0], action) for action, child in children(game, state)]
    values = [value for value, _ in pairs]
    return pairs[values.index(max(values) if game.to_move(state) == 0 else min(values))]


def expectiminimax(game, state, depth=99):
    if game.is_terminal(state):
        return game.utility(state, 0), None
    if depth == 0:
        return game.evaluate(state, 0), None
    if game.to_move(state) < 0:
        outcomes = dict(game.chance(state))
        values = [expectiminimax(game, game.result(state, a), depth - 1)[0] for a in outcomes]
        return sum(values) / len(values), None
    pairs = [(expectiminimax(game, child, depth - 1)[0], action) for action, child in children(game, state)]
    values = [value for value, _ in pairs]
    return pairs[values.index(max(values) if game.to_move(state) == 0 else min(values))]


def best_action(game, state, depth=99):
    return minimax(game, state, depth)[1]
