"""Minimax on a random subtree: at each position, only a random sample of the actions is searched."""

from __future__ import annotations

import random
from math import inf

from plies.book.decision import Cutoff, Decision, Evaluation, Line, algorithm, cutoff_test, start
from plies.book.ordering import Width, width_rule
from plies.book.recorder import Recorder
from plies.game import Action, Game, State
from plies.needs import VERSUS
from plies.validation import capped


@algorithm("sampled", VERSUS, "minimax over a random part of the tree", exact=False)
def sampled(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    width: Width = 2,
    seed: int | None = 0,
    evaluate: Evaluation | None = None,
    cutoff: Cutoff | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The minimax decision for a player, MAX, in a random subtree.

    At each position `width` actions are sampled uniformly; if there are no more, all are searched. With b
    actions everywhere and m plies it visits width^m leaves instead of b^m. The value is exact for the
    subtree, and may be too high or too low for the whole tree: with width 1, it is that of one playout. The
    same seed samples the same subtree; None, another one each time. `width` may be a number; several, one
    for each ply; or a function of ply and state.
    """
    state, player = start(game, state, player)
    cut_off = cutoff_test(depth, cutoff)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()
    generator = random.Random(seed)
    most = width_rule(width)

    def drawn(state: State, ply: int) -> tuple[list[Action], list[Action]]:
        """The actions to search, and the others, both in the order of the game."""
        actions = list(capped(game, state, game.actions(state)))
        chosen = set(generator.sample(range(len(actions)), min(most(ply, state), len(actions))))
        looked_at = [action for i, action in enumerate(actions) if i in chosen]
        return looked_at, [action for i, action in enumerate(actions) if i not in chosen]

    def value(action: Action, state: State, ply: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        if why := cut_off(state, ply):
            return trace.leaf(action, state, why, evaluate(state, player)), ()
        if game.to_move(state) == player:
            return max_value(action, state, ply)
        return min_value(action, state, ply)

    def max_value(action: Action, state: State, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "max")
        v, line = -inf, ()
        looked_at, left_out = drawn(state, ply)
        for a in looked_at:
            v2, line2 = value(a, game.result(state, a), ply + 1)
            if v2 > v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        trace.cut("lot", v, v, left_out)
        return trace.leave(v), line

    def min_value(action: Action, state: State, ply: int) -> tuple[float, Line]:
        trace.enter(action, state, "min")
        v, line = +inf, ()
        looked_at, left_out = drawn(state, ply)
        for a in looked_at:
            v2, line2 = value(a, game.result(state, a), ply + 1)
            if v2 < v or not line:
                v, line = v2, (a, *line2)
                trace.update(a, v)
        trace.cut("lot", v, v, left_out)
        return trace.leave(v), line

    v, line = value(None, state, 0)
    return trace.finish("sampled", Decision(v, line))
