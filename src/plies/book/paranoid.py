"""Alpha-beta against several opponents, who all minimise MAX's value (Sturtevant and Korf 2000)."""

from __future__ import annotations

from math import inf

from plies.book.decision import Cutoff, Decision, Evaluation, Line, algorithm, cutoff_test, depth_bound, start
from plies.book.recorder import Recorder
from plies.game import Action, Game, State
from plies.needs import Needs


@algorithm(
    "paranoid",
    Needs(opponents=True, deterministic=True),
    "the paranoid search",
    label="all against MAX, with pruning",
    rounds=True,
)
def paranoid(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    cutoff: Cutoff | None = None,
    cut_on_equal: bool = True,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of `opponents`, with alpha-beta pruning: MIN nodes that follow each other share a window.

    `depth` counts rounds: a move of MAX and a move of every opponent are one ply. `cut_on_equal` is that of
    alpha-beta.
    """
    state, player = start(game, state, player)
    cut_off, last_round = cutoff_test(None, cutoff), depth_bound(depth)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()

    def value(
        action: Action, state: State, alpha: float, beta: float, ply: int, rounds: int
    ) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        mover = game.to_move(state)
        why = "depth" if mover == player and rounds == last_round else cut_off(state, ply)
        if why:
            return trace.leaf(action, state, why, evaluate(state, player)), ()
        if mover == player:
            return max_value(action, state, alpha, beta, ply, rounds + 1)  # MAX's move begins a round
        return min_value(action, state, alpha, beta, ply, rounds)

    def max_value(
        action: Action, state: State, alpha: float, beta: float, ply: int, rounds: int
    ) -> tuple[float, Line]:
        trace.enter(action, state, "max", (alpha, beta))
        v, line = -inf, ()
        actions = iter(game.actions(state))
        for a in actions:
            v2, line2 = value(a, game.result(state, a), alpha, beta, ply + 1, rounds)
            if v2 > v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v, (max(alpha, v), beta))
            if v > beta or (v == beta and cut_on_equal):
                trace.cut("beta", v, beta, actions)
                break
            alpha = max(alpha, v)
        return trace.leave(v), line

    def min_value(
        action: Action, state: State, alpha: float, beta: float, ply: int, rounds: int
    ) -> tuple[float, Line]:
        trace.enter(action, state, "min", (alpha, beta))
        v, line = +inf, ()
        actions = iter(game.actions(state))
        for a in actions:
            v2, line2 = value(a, game.result(state, a), alpha, beta, ply + 1, rounds)
            if v2 < v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v, (alpha, min(beta, v)))
            if v < alpha or (v == alpha and cut_on_equal):
                trace.cut("alpha", v, alpha, actions)
                break
            beta = min(beta, v)
        return trace.leave(v), line

    v, line = value(None, state, -inf, +inf, 0, 0)
    return trace.finish("paranoid", Decision(v, line))
