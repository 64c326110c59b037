"""Quiescence search: at the depth bound, alpha-beta goes on with noisy actions until all is quiet."""

from __future__ import annotations

from math import inf

from plies.book.decision import Decision, Evaluation, Line, algorithm, depth_bound, start
from plies.book.recorder import STAND_PAT, Recorder
from plies.game import Action, Game, State
from plies.needs import VERSUS
from plies.validation import capped


@algorithm("quiescence", VERSUS, "quiescence search", label="quiescence search")
def quiescence(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    bias: float = 0.0,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of alpha-beta, with noisy actions, such as captures, searched beyond the depth bound.

    There, whoever is to move plays an action that the game calls `noisy`, or stands pat: stops, and takes
    EVAL. If the game is `forcing` and the position not quiet, as in check, there is no standing pat. Lines
    then end at odd and even depths, and one that ends with a move of the root's player looks better to them:
    `bias` is added to their EVAL at an odd distance from the root, and is negative to make up for that.
    """
    state, player = start(game, state, player)
    bound = depth_bound(depth)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()
    biased = bias if game.is_terminal(state) or game.to_move(state) == player else -bias

    def evaluation(state: State, ply: int) -> float:
        return evaluate(state, player) + (biased if ply % 2 else 0)

    def actions_at(state: State, ply: int) -> list[Action]:
        if ply < bound:
            return list(capped(game, state, game.actions(state)))
        noisy = list(capped(game, state, game.noisy(state), "noisy"))
        trace.cut("quiet", 0, 0, [a for a in capped(game, state, game.actions(state)) if a not in noisy])
        return noisy if game.forcing and not game.is_quiet(state) else [STAND_PAT, *noisy]

    def value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        if ply >= bound and not any(True for _ in game.noisy(state)):
            return trace.leaf(action, state, "depth", evaluation(state, ply)), ()
        if game.to_move(state) == player:
            return max_value(action, state, alpha, beta, ply)
        return min_value(action, state, alpha, beta, ply)

    def after(a: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        if a is STAND_PAT:
            return trace.leaf(a, state, "stand-pat", evaluation(state, ply)), ()
        v, line = value(a, game.result(state, a), alpha, beta, ply + 1)
        return v, (a, *line)

    def max_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "max", (alpha, beta))
        v, line = -inf, None
        actions = iter(actions_at(state, ply))
        for a in actions:
            v2, line2 = after(a, state, alpha, beta, ply)
            if v2 > v or line is None:
                v, line = v2, line2
                trace.update(a, v, (max(alpha, v), beta))
            if v >= beta:
                trace.cut("beta", v, beta, actions)
                break
            alpha = max(alpha, v)
        return trace.leave(v), line or ()

    def min_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "min", (alpha, beta))
        v, line = +inf, None
        actions = iter(actions_at(state, ply))
        for a in actions:
            v2, line2 = after(a, state, alpha, beta, ply)
            if v2 < v or line is None:
                v, line = v2, line2
                trace.update(a, v, (alpha, min(beta, v)))
            if v <= alpha:
                trace.cut("alpha", v, alpha, actions)
                break
            beta = min(beta, v)
        return trace.leave(v), line or ()

    v, line = value(None, state, -inf, +inf, 0)
    return trace.finish("quiescence", Decision(v, line))
