"""Max^n: any number of players, each maximising their own payoff (Luckhardt and Irani 1986)."""

from __future__ import annotations

from plies.book.decision import (
    Cutoff,
    Decision,
    Evaluation,
    Line,
    algorithm,
    cutoff_test,
    player_to_move,
    start,
)
from plies.book.recorder import Recorder
from plies.game import CHANCE, Action, Game, State

Payoffs = tuple[float, ...]


@algorithm("max-n", label="max^n")
def max_n(
    game: Game,
    state: State | None = None,
    *,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    cutoff: Cutoff | None = None,
    trace: Recorder | None = None,
) -> Decision[Payoffs]:
    """The decision of the player to move, and its payoff to each player, zero-sum or not.

    Of actions that pay the player to move the same, the first is taken. At a chance node, each player gets
    the expected payoff, and the line ends.
    """
    state, _ = start(game, state, None)
    cut_off = cutoff_test(depth, cutoff)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()

    def value(action: Action, state: State, ply: int) -> tuple[Payoffs, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", for_each_player(game.utility, state)), ()
        if why := cut_off(state, ply):
            return trace.leaf(action, state, why, for_each_player(evaluate, state)), ()
        if game.to_move(state) == CHANCE:
            return chance_value(action, state, ply)
        return max_value(action, state, player_to_move(game, state), ply)

    def max_value(action: Action, state: State, mover: int, ply: int) -> tuple[Payoffs, Line]:
        trace.enter(action, state, "player")
        v: Payoffs = ()
        line: Line = ()
        for a in game.actions(state):
            v2, line2 = value(a, game.result(state, a), ply + 1)
            if not line or v2[mover] > v[mover]:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        return trace.leave(v), line

    def chance_value(action: Action, state: State, ply: int) -> tuple[Payoffs, Line]:
        trace.enter(action, state, "chance")
        v: Payoffs = (0.0,) * game.players
        for a, probability in game.chance(state):
            v2, _ = value(a, game.result(state, a), ply + 1)
            v = tuple(x + probability * x2 for x, x2 in zip(v, v2, strict=True))
            trace.update(a, v)
        return trace.leave(v), ()

    def for_each_player(worth: Evaluation, state: State) -> Payoffs:
        return tuple(worth(state, player) for player in range(game.players))

    v, line = value(None, state, 0)
    return trace.finish("max-n", Decision(v, line))
