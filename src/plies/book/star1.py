"""Star1: expectiminimax with alpha-beta pruning, at chance nodes too (Ballard 1983)."""

from __future__ import annotations

from math import inf

from plies.book.bounded import within_bounds
from plies.book.decision import Decision, Evaluation, Line, algorithm, depth_bound, start
from plies.book.recorder import Recorder
from plies.game import CHANCE, Action, Game, State
from plies.needs import Needs


@algorithm("star1", Needs(players=2, alone_too=True, zero_sum=True), "Star1", label="Star1")
def star1(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of expectiminimax, with pruning.

    No outcome is worth less than the least utility of the game or more than the greatest, so the value of a
    chance node is bounded before all its outcomes are searched. Once both bounds are outside of the window,
    the others no longer matter; and each outcome has a window of its own, outside of which that is so.
    """
    state, player = start(game, state, player)
    bound = depth_bound(depth)
    low, high, utility, evaluate = within_bounds(game, evaluate)
    trace = trace or Recorder()

    def value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", utility(state, player)), ()
        if ply == bound:
            return trace.leaf(action, state, "depth", evaluate(state, player)), ()
        mover = game.to_move(state)
        if mover == CHANCE:
            return chance_value(action, state, alpha, beta, ply), ()
        if mover == player:
            return max_value(action, state, alpha, beta, ply)
        return min_value(action, state, alpha, beta, ply)

    def chance_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> float:
        trace.enter(action, state, "chance", (alpha, beta))
        v, rest = 0.0, 1.0  # the sum so far, and the probability of the outcomes to come
        outcomes = iter([(a, p) for a, p in game.chance(state) if p > 0])
        for a, p in outcomes:
            rest = max(0.0, rest - p)
            # What this outcome has to be worth if the others are as good, or as bad, as can be.
            alpha2, beta2 = (alpha - v - rest * high) / p, (beta - v - rest * low) / p
            v2, _ = value(a, game.result(state, a), alpha2, beta2, ply + 1)
            v += p * v2
            trace.update(a, v, (alpha, beta), (v + rest * low, v + rest * high))
            if v2 <= alpha2:
                v = min(v + rest * high, alpha)
                trace.cut("alpha", v, alpha, (a for a, _ in outcomes))
                break
            if v2 >= beta2:
                v = max(v + rest * low, beta)
                trace.cut("beta", v, beta, (a for a, _ in outcomes))
                break
        return trace.leave(v)

    def max_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "max", (alpha, beta))
        v, line = -inf, ()
        actions = iter(game.actions(state))
        for a in actions:
            v2, line2 = value(a, game.result(state, a), alpha, beta, ply + 1)
            if v2 > v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v, (max(alpha, v), beta))
            if v >= beta:
                trace.cut("beta", v, beta, actions)
                break
            alpha = max(alpha, v)
        return trace.leave(v), line

    def min_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "min", (alpha, beta))
        v, line = +inf, ()
        actions = iter(game.actions(state))
        for a in actions:
            v2, line2 = value(a, game.result(state, a), alpha, beta, ply + 1)
            if v2 < v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v, (alpha, min(beta, v)))
            if v <= alpha:
                trace.cut("alpha", v, alpha, actions)
                break
            beta = min(beta, v)
        return trace.leave(v), line

    v, line = value(None, state, -inf, +inf, 0)
    return trace.finish("star1", Decision(v, line))
