"""Star1: expectiminimax with alpha-beta pruning, at chance nodes too (Ballard 1983)."""

from __future__ import annotations

from math import inf

from plies.book.decision import Decision, Evaluation, algorithm, start
from plies.book.recorder import Recorder
from plies.book.star import Star
from plies.game import Action, Game, State
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
    chance node is bounded before all its outcomes are searched. Once these bounds are outside of the window,
    the other outcomes no longer matter; and each outcome has a window of its own, outside of which that is
    so. MAX and MIN search and prune as in alpha-beta.
    """
    state, player = start(game, state, player)
    trace = trace or Recorder()
    star = Star(game, player, depth, evaluate, trace)
    value, low, high = star.value, star.low, star.high

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

    star.chance_value = chance_value
    v, line = value(None, state, -inf, +inf, 0)
    return trace.finish("star1", Decision(v, line))
