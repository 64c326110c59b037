"""Minimax: the value of a state if both players play their best, to the end or to a depth."""

from __future__ import annotations

from math import inf

from plies.book.decision import Cutoff, Decision, Evaluation, Line, algorithm, cutoff_test, hurried, start
from plies.book.recorder import Recorder
from plies.game import Action, Game, State
from plies.needs import VERSUS


@algorithm("minimax", VERSUS)
def minimax(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    cutoff: Cutoff | None = None,
    quick: float | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The minimax decision for a player, MAX: by default, the player to move.

    States are evaluated instead of searched at `depth` plies, and wherever `cutoff` of the state and its ply
    is true. With `quick`, the value of a win at ply n is `quick` - n, so that the quicker win and the slower
    loss are preferred.
    """
    state, player = start(game, state, player)
    cut_off = cutoff_test(depth, cutoff)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()

    def value(action: Action, state: State, ply: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            ended = hurried(game.utility(state, player), ply, quick, game.draw_value)
            return trace.leaf(action, state, "terminal", ended), ()
        if why := cut_off(state, ply):
            return trace.leaf(action, state, why, evaluate(state, player)), ()
        if game.to_move(state) == player:
            return max_value(action, state, ply)
        return min_value(action, state, ply)

    def max_value(action: Action, state: State, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "max")
        v, line = -inf, ()
        for a in game.actions(state):
            v2, line2 = value(a, game.result(state, a), ply + 1)
            if v2 > v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        return trace.leave(v), line

    def min_value(action: Action, state: State, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "min")
        v, line = +inf, ()
        for a in game.actions(state):
            v2, line2 = value(a, game.result(state, a), ply + 1)
            if v2 < v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        return trace.leave(v), line

    v, line = value(None, state, 0)
    return trace.finish("minimax", Decision(v, line))
