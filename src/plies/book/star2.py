"""Star2: Star1 that first probes one action after each outcome (Ballard 1983)."""

from __future__ import annotations

from math import inf

from plies.book.bounded import within_bounds
from plies.book.decision import Decision, Evaluation, Line, algorithm, depth_bound, start
from plies.book.recorder import Recorder, Window
from plies.game import CHANCE, Action, Game, State
from plies.needs import Needs


@algorithm("star2", Needs(players=2, alone_too=True, zero_sum=True), "Star2", label="Star2")
def star2(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of expectiminimax, with pruning by probes.

    If MAX moves after an outcome, any one of their actions shows what the outcome is worth at least; if MIN
    does, at most. So at a chance node one action after each outcome is searched first, the first in the
    game's order. Often that takes the node out of its window; if not, Star1 goes on with better bounds.
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
        outcomes = [(a, p, game.result(state, a)) for a, p in game.chance(state) if p > 0]
        names = [a for a, _, _ in outcomes]
        least, most = [low] * len(outcomes), [high] * len(outcomes)  # what each outcome may be worth

        def expected(values: list[float]) -> float:
            return sum(p * v for (_, p, _), v in zip(outcomes, values, strict=True))

        def window(i: int, p: float) -> tuple[float, float]:
            """What an outcome has to be worth if the others are as good, or as bad, as can be."""
            return (alpha - expected(most)) / p + most[i], (beta - expected(least)) / p + least[i]

        for i, (a, p, after) in enumerate(outcomes):  # the probes
            if not worth_probing(after, ply + 1):
                continue
            alpha2, beta2 = window(i, p)
            if game.to_move(after) == player:
                least[i] = max(low, probe(a, after, "max", (-inf, beta2), ply + 1))
            else:
                most[i] = min(high, probe(a, after, "min", (alpha2, +inf), ply + 1))
            trace.update(a, 0.0, (alpha, beta), (expected(least), expected(most)))
            if expected(most) <= alpha:
                trace.cut("alpha", expected(most), alpha, names)
                return trace.leave(expected(most))
            if expected(least) >= beta:
                trace.cut("beta", expected(least), beta, names)
                return trace.leave(expected(least))

        v = 0.0  # the sum so far
        for i, (a, p, after) in enumerate(outcomes):  # as Star1
            alpha2, beta2 = window(i, p)
            v2, _ = value(a, after, alpha2, beta2, ply + 1)
            v += p * v2
            if v2 > alpha2:
                least[i] = v2
            if v2 < beta2:
                most[i] = v2
            trace.update(a, v, (alpha, beta), (expected(least), expected(most)))
            if v2 <= alpha2:
                v = min(expected(most), alpha)
                trace.cut("alpha", v, alpha, names[i + 1 :])
                break
            if v2 >= beta2:
                v = max(expected(least), beta)
                trace.cut("beta", v, beta, names[i + 1 :])
                break
        return trace.leave(v)

    def worth_probing(state: State, ply: int) -> bool:
        if ply == bound or game.is_terminal(state) or game.to_move(state) == CHANCE:
            return False
        return len(list(game.actions(state))) > 1  # or the probe would be the search

    def probe(action: Action, state: State, kind: str, window: Window, ply: int) -> float:
        trace.enter(action, state, kind, window)
        first, *others = game.actions(state)
        v, _ = value(first, game.result(state, first), *window, ply + 1)
        trace.update(first, v, window)
        trace.cut("probe", v, v, others)
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
    return trace.finish("star2", Decision(v, line))
