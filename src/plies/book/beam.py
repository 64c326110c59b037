"""Beam search: forward pruning, which searches only the actions that look best by EVAL."""

from __future__ import annotations

from math import inf

from plies.book.decision import Decision, Evaluation, Line, algorithm, depth_bound, start
from plies.book.ordering import Width, best_first, width_rule
from plies.book.recorder import Recorder
from plies.game import Action, Game, State
from plies.needs import VERSUS


@algorithm("beam", VERSUS, "beam search", label="forward pruning", exact=False)
def beam(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    width: Width = 2,
    evaluate: Evaluation | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of alpha-beta in the part of the tree that the `width` best actions of each position make.

    What looks best by EVAL of what an action leads to is searched, the rest is pruned forward: not because it
    cannot matter, as by alpha-beta, but because it looks bad. With b actions everywhere and m plies that
    leaves width^m leaves of b^m, and a decision that may be wrong. `width` may be a number; several, one for
    each ply; or a function of ply and state.
    """
    state, player = start(game, state, player)
    bound = depth_bound(depth)
    evaluate = evaluate or game.evaluate
    searched = width_rule(width)
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
        ordered, most = best_first(game, state, player, evaluate, trace), searched(ply, state)
        trace.cut("forward", v, most, ordered[most:])
        actions = iter(ordered[:most])  # the highest EVAL first
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
        ordered, most = best_first(game, state, player, evaluate, trace), searched(ply, state)
        trace.cut("forward", v, most, ordered[most:])
        actions = iter(ordered[:most])  # the lowest EVAL first
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
    return trace.finish("beam", Decision(v, line))
