"""Iterative deepening: alpha-beta to depth 1, 2, 3, …, each time with the best line so far first."""

from __future__ import annotations

from itertools import count
from math import inf

from plies.book.decision import Decision, Evaluation, Line, algorithm, depth_bound, start
from plies.book.recorder import ITERATIONS, Recorder
from plies.game import Action, Game, State
from plies.needs import VERSUS
from plies.validation import capped


@algorithm("iterative-deepening", VERSUS, label="iterative deepening")
def iterative_deepening(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of alpha-beta at the last of several depths: 1, 2, 3, … up to `depth`, or to the end.

    Each iteration searches the best line of the one before first: if that is still good, the window is
    narrow from the beginning. All but the last cost little, as trees grow by a factor with every ply.
    """
    state, player = start(game, state, player)
    last = depth_bound(depth)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()
    bound, cut_short = 0, False  # the depth of this iteration, and whether it was reached
    best: list[Action] = []  # the best line of the iteration before, as far as it was not followed yet

    def value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        nonlocal cut_short
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        if ply == bound:
            cut_short = True
            return trace.leaf(action, state, "depth", evaluate(state, player)), ()
        if game.to_move(state) == player:
            return max_value(action, state, alpha, beta, ply)
        return min_value(action, state, alpha, beta, ply)

    def ordered(state: State) -> list[Action]:
        actions = list(capped(game, state, game.actions(state)))
        if best:  # on the first way down
            first = best.pop(0)
            actions.sort(key=lambda a: bool(a != first))
            trace.order("line", actions)
        return actions

    def max_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "max", (alpha, beta))
        v, line = -inf, ()
        actions = iter(ordered(state))
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
        actions = iter(ordered(state))
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

    trace.enter(None, state, ITERATIONS)
    for bound in count(0 if last == 0 else 1):
        cut_short = False
        trace.iteration(bound)
        v, line = value(bound, state, -inf, +inf, 0)
        trace.update(bound, v)
        if bound == last or not cut_short:
            break
        best = list(line)
    return trace.finish("iterative-deepening", Decision(trace.leave(v), line))
