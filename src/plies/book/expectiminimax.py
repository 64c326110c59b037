"""Expectiminimax: minimax with chance nodes, whose value is the expected value of their outcomes."""

from __future__ import annotations

from math import inf

from plies.book.decision import Cutoff, Decision, Evaluation, Line, algorithm, cutoff_test, depth_bound, start
from plies.book.recorder import Recorder
from plies.game import CHANCE, Action, Game, State
from plies.needs import Needs


@algorithm("expectiminimax", Needs(players=2, alone_too=True, zero_sum=True))
def expectiminimax(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    rounds: int | None = None,
    evaluate: Evaluation | None = None,
    cutoff: Cutoff | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of best expected value for a player, MAX, against the dice only or against MIN as well.

    In `depth`, a roll of the dice is a ply. `rounds` bounds the moves of MAX instead, each with all moves
    that follow it: so opponents modelled by chance count as in `opponents`. The line ends at the next roll of
    the dice.
    """
    state, player = start(game, state, player)
    cut_off, last_round = cutoff_test(depth, cutoff), depth_bound(rounds)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()

    def value(action: Action, state: State, ply: int, rounds: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        mover = game.to_move(state)
        why = "depth" if mover == player and rounds == last_round else cut_off(state, ply)
        if why:
            return trace.leaf(action, state, why, evaluate(state, player)), ()
        if mover == CHANCE:
            return chance_value(action, state, ply, rounds)
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

    def chance_value(action: Action, state: State, ply: int, rounds: int) -> tuple[float, Line]:
        trace.enter(action, state, "chance")
        v = 0.0
        for a, probability in game.chance(state):
            v2, _ = value(a, game.result(state, a), ply + 1, rounds)
            v += probability * v2
            trace.update(a, v)
        return trace.leave(v), ()

    v, line = value(None, state, 0, 0)
    return trace.finish("expectiminimax", Decision(v, line))
