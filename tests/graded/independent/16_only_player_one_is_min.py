"""Book style: MAX-VALUE and MIN-VALUE as AIMA prints them, inside of each search; fail-soft."""

import math


def minimax(game, state, depth=None):
    def value(s, ply):
        if game.is_terminal(s):
            return game.utility(s, 0)
        if ply == depth:
            return game.evaluate(s, 0)
        return min_value(s, ply) if game.to_move(s) == 1 else max_value(s, ply)

    def max_value(s, ply):
        v = -math.inf
        for a in game.actions(s):
            v = max(v, value(game.result(s, a), ply + 1))
        return v

    def min_value(s, ply):
        v = math.inf
        for a in game.actions(s):
            v = min(v, value(game.result(s, a), ply + 1))
        return v

    return value(state, 0)


def alpha_beta(game, state, alpha=-math.inf, beta=math.inf, depth=None):
    def value(s, low, high, ply):
        if game.is_terminal(s):
            return game.utility(s, 0)
        if ply == depth:
            return game.evaluate(s, 0)
        return max_value(s, low, high, ply) if game.to_move(s) == 0 else min_value(s, low, high, ply)

    def max_value(s, low, high, ply):
        v = -math.inf
        for a in game.actions(s):
            v = max(v, value(game.result(s, a), low, high, ply + 1))
            if v >= high:
                return v
            low = max(low, v)
        return v

    def min_value(s, low, high, ply):
        v = math.inf
        for a in game.actions(s):
            v = min(v, value(game.result(s, a), low, high, ply + 1))
            if v <= low:
                return v
            high = min(high, v)
        return v

    return value(state, alpha, beta, 0)


def expectiminimax(game, state, depth=None):
    def value(s, ply):
        if game.is_terminal(s):
            return game.utility(s, 0)
        if ply == depth:
            return game.evaluate(s, 0)
        if game.to_move(s) == -1:
            return chance_value(s, ply)
        values = [value(game.result(s, a), ply + 1) for a in game.actions(s)]
        return max(values) if game.to_move(s) == 0 else min(values)

    def chance_value(s, ply):
        total = 0.0
        for outcome, probability in game.chance(s):
            total += probability * value(game.result(s, outcome), ply + 1)
        return total

    return value(state, 0)
