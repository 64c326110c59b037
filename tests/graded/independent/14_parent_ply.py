"""Book style: minimax without recursion, on a stack of its own."""


def minimax(game, state, depth=None):
    answer = []
    stack = [[state, iter(game.actions(state)) if inner(game, state, 0, depth) else None, [], 0]]
    while stack:
        here, actions, values, ply = stack[-1]
        if actions is None:
            stack.pop()
            worth = game.utility if game.is_terminal(here) else game.evaluate
            hand_up(stack, answer, worth(here, 0))
            continue
        action = next(actions, None)
        if action is None:
            stack.pop()
            hand_up(stack, answer, max(values) if game.to_move(here) == 0 else min(values))
            continue
        below = game.result(here, action)
        more = iter(game.actions(below)) if inner(game, below, ply, depth) else None
        stack.append([below, more, [], ply + 1])
    return answer[0]


def inner(game, state, ply, depth):
    return not game.is_terminal(state) and ply != depth


def hand_up(stack, answer, value):
    (stack[-1][2] if stack else answer).append(value)
