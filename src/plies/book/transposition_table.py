"""Alpha-beta with a transposition table: positions that were searched before are looked up."""

from __future__ import annotations

from math import inf

from plies.book.decision import Decision, Evaluation, Line, algorithm, depth_bound, start
from plies.book.recorder import Recorder
from plies.book.table import Entry, Table
from plies.game import Action, Game, State
from plies.needs import Needs


@algorithm(
    "transposition-table",
    Needs(players=2, zero_sum=True, deterministic=True, hashable=True),
    "alpha-beta with a transposition table",
    label="transposition table",
)
def transposition_table(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    size: int | None = None,
    replacement: str = "always",
    trace: Recorder | None = None,
) -> Decision[float]:
    """The decision of alpha-beta, with a table of the positions searched so far.

    Different orders of moves lead to the same position. Its value is stored with the depth to which it was
    searched, and as a bound if branches were cut; it is looked up wherever that is enough. The table has
    `size` entries, or room for all of them. Where two positions want one place, the `replacement` scheme
    decides: "always" the new one; "depth-preferred", the one searched deeper; "two-tier", one place of each.
    """
    state, player = start(game, state, player)
    bound = depth_bound(depth)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()
    table = Table(game, size, replacement)

    def value(action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", game.utility(state, player)), ()
        if ply == bound:
            return trace.leaf(action, state, "depth", evaluate(state, player)), ()
        known = table.look_up(state)
        if known and known.depth >= bound - ply and known.suffices(alpha, beta):
            return trace.leaf(action, state, "table", known.value, known.relation), known.line
        search = max_value if game.to_move(state) == player else min_value
        v, line = search(action, state, alpha, beta, ply)
        relation = "<=" if v <= alpha else ">=" if v >= beta else "="
        table.store(state, Entry(v, relation, bound - ply, line, ply))
        return v, line

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
    return trace.finish("transposition-table", Decision(v, line))
