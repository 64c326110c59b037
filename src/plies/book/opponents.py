"""Minimax against several opponents, who all minimise MAX's value."""

from __future__ import annotations

from math import inf

from plies.book.decision import Decision, Evaluation, Line, algorithm, depth_bound, start
from plies.book.recorder import Recorder
from plies.game import Action, Game, State
from plies.needs import Needs


@algorithm(
    "opponents",
    Needs(opponents=True, deterministic=True),
    "minimax against several opponents",
    label="all against MAX",
)
def opponents(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The minimax decision for a player, MAX, when every other player minimises MAX's value.

    `depth` counts rounds: a move of MAX and a move of every opponent are one ply.
    """
    state, player = start(game, state, player)
    bound = depth_bound(depth)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()

    def value(action: Action, state: State, rounds: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        if game.to_move(state) != player:
            return min_value(action, state, rounds)
        if rounds == bound:
            return trace.leaf(action, state, "depth", evaluate(state, player)), ()
        return max_value(action, state, rounds + 1)  # MAX's move begins a round

    def max_value(action: Action, state: State, rounds: int) -> tuple[float, Line]:
        trace.enter(action, state, "max")
        v, line = -inf, ()
        for a in game.actions(state):
            v2, line2 = value(a, game.result(state, a), rounds)
            if v2 > v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        return trace.leave(v), line

    def min_value(action: Action, state: State, rounds: int) -> tuple[float, Line]:
        trace.enter(action, state, "min")
        v, line = +inf, ()
        for a in game.actions(state):
            v2, line2 = value(a, game.result(state, a), rounds)
            if v2 < v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        return trace.leave(v), line

    v, line = value(None, state, 0)
    return trace.finish("opponents", Decision(v, line))
