"""Alpha-beta: minimax that prunes what cannot change its decision (Knuth and Moore 1975)."""

from __future__ import annotations

from math import inf

from plies.book.decision import Cutoff, Decision, Evaluation, Line, algorithm, cutoff_test, hurried, start
from plies.book.recorder import Recorder
from plies.errors import BadParameter
from plies.game import Action, Game, State
from plies.needs import VERSUS


@algorithm("alpha-beta", VERSUS)
def alpha_beta(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    cutoff: Cutoff | None = None,
    alpha: float = -inf,
    beta: float = +inf,
    fail_hard: bool = False,
    cut_on_equal: bool = True,
    quick: float | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The minimax decision for a player, MAX, with alpha-beta pruning.

    The value is exact if it lies between `alpha` and `beta`. A value up to alpha is an upper bound of the
    exact one, a value from beta a lower bound: fail-soft, a bound as close as what was searched allows;
    with `fail_hard`, alpha or beta itself. `depth`, `cutoff` and `quick` are those of minimax. With
    `cut_on_equal`, a value that equals the bound cuts as well, as in AIMA; without, as in CS188, it does not.
    """
    if not alpha < beta:
        raise BadParameter(f"alpha must be below beta, not {alpha} and {beta}")
    state, player = start(game, state, player)
    cut_off = cutoff_test(depth, cutoff)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()

    def value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            ended = hurried(game.utility(state, player), ply, quick, game.draw_value)
            return trace.leaf(action, state, "terminal", ended), ()
        if why := cut_off(state, ply):
            return trace.leaf(action, state, why, evaluate(state, player)), ()
        if game.to_move(state) == player:
            return max_value(action, state, alpha, beta, ply)
        return min_value(action, state, alpha, beta, ply)

    def max_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "max", (alpha, beta))
        v, line = (alpha if fail_hard else -inf), ()
        actions = iter(game.actions(state))
        for a in actions:
            v2, line2 = value(a, game.result(state, a), alpha, beta, ply + 1)
            if v2 > v or not line:
                line = (a, *line2)
            if v2 > v:
                v = v2
                trace.update(a, v, (max(alpha, v), beta))
            if v > beta or (v == beta and cut_on_equal):
                trace.cut("beta", v, beta, actions)
                break
            alpha = max(alpha, v)
        return trace.leave(min(v, beta) if fail_hard else v), line

    def min_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "min", (alpha, beta))
        v, line = (beta if fail_hard else +inf), ()
        actions = iter(game.actions(state))
        for a in actions:
            v2, line2 = value(a, game.result(state, a), alpha, beta, ply + 1)
            if v2 < v or not line:
                line = (a, *line2)
            if v2 < v:
                v = v2
                trace.update(a, v, (alpha, min(beta, v)))
            if v < alpha or (v == alpha and cut_on_equal):
                trace.cut("alpha", v, alpha, actions)
                break
            beta = min(beta, v)
        return trace.leave(max(v, alpha) if fail_hard else v), line

    v, line = value(None, state, alpha, beta, 0)
    return trace.finish("alpha-beta", Decision(v, line))
