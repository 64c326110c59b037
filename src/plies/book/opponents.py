"""Minimax against several opponents, who all minimise MAX's value."""

from __future__ import annotations

from math import inf

from plies.book.decision import Cutoff, Decision, Evaluation, Line, algorithm, cutoff_test, depth_bound, start
from plies.book.recorder import Recorder
from plies.game import Action, Game, State
from plies.needs import Needs


@algorithm(
    "opponents",
    Needs(opponents=True, deterministic=True),
    "minimax against several opponents",
    label="all against MAX",
    rounds=True,
)
def opponents(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    cutoff: Cutoff | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The minimax decision for a player, MAX, when every other player minimises MAX's value.

    `depth` counts rounds: a move of MAX and a move of every opponent are one ply.
    """
    state, player = start(game, state, player)
    cut_off, last_round = cutoff_test(None, cutoff), depth_bound(depth)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()

    def value(action: Action, state: State, ply: int, rounds: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        mover = game.to_move(state)
        why = "depth" if mover == player and rounds == last_round else cut_off(state, ply)
        if why:
            return trace.leaf(action, state, why, evaluate(state, player)), ()
        if mover == player:
            return max_value(action, state, ply, rounds + 1)  # MAX's move begins a round
        return min_value(action, state, ply, rounds)

    def max_value(action: Action, state: State, ply: int, rounds: int) -> tuple[float, Line]:
        trace.enter(action, state, "max")
        v, line = -inf, ()
        for a in game.actions(state):
            v2, line2 = value(a, game.result(state, a), ply + 1, rounds)
            if v2 > v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        return trace.leave(v), line

    def min_value(action: Action, state: State, ply: int, rounds: int) -> tuple[float, Line]:
        trace.enter(action, state, "min")
        v, line = +inf, ()
        for a in game.actions(state):
            v2, line2 = value(a, game.result(state, a), ply + 1, rounds)
            if v2 < v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        return trace.leave(v), line

    v, line = value(None, state, 0, 0)
    return trace.finish("opponents", Decision(v, line))
