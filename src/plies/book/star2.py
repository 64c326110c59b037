"""Star2: Star1 that first probes one action after each outcome (Ballard 1983)."""

from __future__ import annotations

from itertools import islice
from math import inf

from plies.book.decision import Decision, Evaluation, algorithm, start
from plies.book.ordering import best_first
from plies.book.recorder import Recorder, Window
from plies.book.star import Outcomes, Star
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
    does, at most. So at a chance node one action after each outcome is searched first, the best by EVAL of
    what it leads to. Often that takes the node out of its window; if not, Star1 goes on with better bounds.
    """
    state, player = start(game, state, player)
    trace = trace or Recorder()
    star = Star(game, player, depth, evaluate, trace)

    def chance_value(action: Action, state: State, alpha: float, beta: float, ply: int) -> float:
        trace.enter(action, state, "chance", (alpha, beta))
        outcomes = [(a, p, game.result(state, a)) for a, p in game.chance(state) if p > 0]
        known = Outcomes([p for _, p, _ in outcomes], star.low, star.high)
        unseen = [a for a, _, _ in outcomes]
        for i, (a, _, after) in enumerate(outcomes):
            if worth_probing(after, ply + 1):
                unseen.remove(a)
                probe(i, a, after, known, known.window(i, alpha, beta), ply + 1)
                least, most = known.bounds
                trace.update(a, 0.0, (alpha, beta), (least, most))
                if most <= alpha or least >= beta:
                    kind, v, limit = ("alpha", most, alpha) if most <= alpha else ("beta", least, beta)
                    trace.cut(kind, v, limit, unseen)
                    return trace.leave(v)
        v = 0.0  # the sum so far
        for i, (a, p, after) in enumerate(outcomes):  # as Star1
            alpha2, beta2 = known.window(i, alpha, beta)
            v2, _ = star.value(a, after, *known.narrowed(i, alpha2, beta2), ply + 1)
            v += p * v2
            known.least[i] = v2 if v2 > alpha2 else known.least[i]
            known.most[i] = v2 if v2 < beta2 else known.most[i]
            least, most = known.bounds
            trace.update(a, v, (alpha, beta), (least, most))
            if v2 <= alpha2 or v2 >= beta2:
                kind, limit = ("alpha", alpha) if v2 <= alpha2 else ("beta", beta)
                v = min(most, alpha) if v2 <= alpha2 else max(least, beta)
                trace.cut(kind, v, limit, [a for a, _, _ in outcomes[i + 1 :] if a in unseen])
                break
        return trace.leave(v)

    def worth_probing(state: State, ply: int) -> bool:
        if ply == star.bound or game.is_terminal(state) or game.to_move(state) == CHANCE:
            return False
        return len(list(islice(game.actions(state), 2))) > 1  # or the probe would be the search

    def probe(i: int, action: Action, state: State, known: Outcomes, window: Window, ply: int) -> None:
        """Search one action after an outcome; others may be better, so the window is half open."""
        maximising = game.to_move(state) == player
        window = (-inf, window[1]) if maximising else (window[0], +inf)
        trace.enter(action, state, "max" if maximising else "min", window)
        first, *others = best_first(game, state, player, star.evaluate, trace)
        v, _ = star.value(first, game.result(state, first), *window, ply + 1)
        trace.update(first, v, window)
        trace.cut("probe", v, v, others)
        (known.least if maximising else known.most)[i] = trace.leave(v)

    star.chance_value = chance_value
    v, line = star.value(None, state, -inf, +inf, 0)
    return trace.finish("star2", Decision(v, line))
