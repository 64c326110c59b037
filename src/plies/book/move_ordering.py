"""Alpha-beta with move ordering: what looks best by EVAL is searched first, so that more is pruned."""

from __future__ import annotations

from math import inf

from plies.book.decision import Decision, Evaluation, Line, algorithm, depth_bound, start
from plies.book.ordering import best_first
from plies.book.recorder import Recorder
from plies.game import Action, Game, State
from plies.needs import VERSUS


@algorithm("move-ordering", VERSUS, label="move ordering by EVAL")
def move_ordering(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of alpha-beta, with the actions of every position in the order of their EVAL.

    Whenever a position is expanded, EVAL is applied to what each action leads to: MAX tries the highest
    first, MIN the lowest. The value is that of alpha-beta, and of equal actions another may be chosen.
    """
    state, player = start(game, state, player)
    bound = depth_bound(depth)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()

    def value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        if ply == bound:
            return trace.leaf(action, state, "depth", evaluate(state, player)), ()
        if game.to_move(state) == player:
            return max_value(action, state, alpha, beta, ply)
        return min_value(action, state, alpha, beta, ply)

    def max_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "max", (alpha, beta))
        v, line = -inf, ()
        actions = iter(best_first(game, state, player, evaluate, trace))  # the highest EVAL first
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
        actions = iter(best_first(game, state, player, evaluate, trace))  # the lowest EVAL first
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
    return trace.finish("move-ordering", Decision(v, line))
