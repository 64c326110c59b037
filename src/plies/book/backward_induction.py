"""Backward induction over matrix games: what a game is worth in which both players choose at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

from plies.book.decision import Cutoff, Decision, Evaluation, Line, algorithm, cutoff_test, depth_bound, start
from plies.book.recorder import Recorder
from plies.game import CHANCE, SIMULTANEOUS, Action, Game, State
from plies.matrix import MatrixGame
from plies.matrix.game import MOST_EXACT
from plies.matrix.numbers import Number, payoff
from plies.needs import Needs

LARGEST_DENOMINATOR = 10**6
"""Probabilities are taken for the fractions of up to this denominator that they are written for, such as 1/3,
if those sum to 1 and are as near as rounding allows. Not tuned."""

ROUNDING = 1e-15
"""How far a probability may be from such a fraction: a rounding or two of floating point."""

Solved = tuple[Number, Line, MatrixGame | None]
"""The value of a state, an action, and the matrix game where both choose at once."""


@algorithm(
    "backward-induction",
    Needs(players=2, zero_sum=True, acyclic=True, hashable=True, simultaneous=True),
    "backward induction",
)
def backward_induction(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Evaluation | None = None,
    cutoff: Cutoff | None = None,
    trace: Recorder | None = None,
) -> Decision[Number]:
    """The value to a player, MAX, and optimal mixed strategies, from the end of the game backwards.

    Where both choose at once, the values of what may follow are a matrix game, with a row for each choice of
    MAX and a column for each of MIN; its value is that of the state (Shapley 1953). Values are fractions.
    The action is what each player plays most often; the `matrix` of the decision has the mixtures.
    """
    state, player = start(game, state, player)
    cut_off, bound = cutoff_test(depth, cutoff), depth_bound(depth)
    evaluate, trace = evaluate or game.evaluate, trace or Recorder()
    known: dict[tuple[Hashable, float], Number] = {}

    def value(action: Action, state: State, ply: int) -> Number:
        if game.is_terminal(state):
            return trace.leaf(action, state, "terminal", _exact(game.utility(state, player)))
        if why := cut_off(state, ply):
            return trace.leaf(action, state, why, _exact(evaluate(state, player)))
        same = game.identity(state), ply if cutoff else bound - ply
        if same in known:
            return trace.leaf(action, state, "known", known[same])
        known[same], _, _ = solved(action, state, ply)
        return known[same]

    def solved(action: Action, state: State, ply: int) -> Solved:
        mover = game.to_move(state)
        if mover == SIMULTANEOUS:
            return matrix_value(action, state, ply)
        if mover == CHANCE:
            return chance_value(action, state, ply)
        return best_value(action, state, ply, "max" if mover == player else "min")

    def matrix_value(action: Action, state: State, ply: int) -> Solved:
        trace.enter(action, state, "matrix")
        mine, theirs = list(game.choices(state, player)), list(game.choices(state, 1 - player))
        rows = tuple(
            tuple(value(a, game.result(state, a), ply + 1) for a in (_joint(i, j, player) for j in theirs))
            for i in mine
        )
        matrix = MatrixGame(
            rows,  # type: ignore[arg-type]  # in a matrix too large to be solved exactly, floats are enough
            tuple(game.choice_notation(state, player, i) for i in mine),
            tuple(game.choice_notation(state, 1 - player, j) for j in theirs),
            exact=len(mine) * len(theirs) <= MOST_EXACT,
        )
        i, j = _likeliest(mine, matrix.row_strategy), _likeliest(theirs, matrix.column_strategy)
        return trace.leave(matrix.value), (_joint(i, j, player),), matrix

    def best_value(action: Action, state: State, ply: int, kind: str) -> Solved:
        trace.enter(action, state, kind)
        best: Number | None = None
        line: Line = ()
        for a in game.actions(state):
            v = value(a, game.result(state, a), ply + 1)
            if best is None or (v > best if kind == "max" else v < best):
                best, line = v, (a,)
                trace.update(a, v)
        assert best is not None, "a state that is not terminal has an action"
        return trace.leave(best), line, None

    def chance_value(action: Action, state: State, ply: int) -> Solved:
        trace.enter(action, state, "chance")
        v: Number = Fraction(0)
        for a, probability in fractions(game.chance(state)):
            v += probability * value(a, game.result(state, a), ply + 1)
            trace.update(a, v)
        return trace.leave(v), (), None

    if game.is_terminal(state) or cut_off(state, 0):
        return trace.finish("backward-induction", Decision(value(None, state, 0)))
    v, line, matrix = solved(None, state, 0)
    return trace.finish("backward-induction", Decision(v, line, matrix=matrix))


def fractions(outcomes: Iterable[tuple[Action, float]]) -> list[tuple[Action, Fraction]]:
    """Outcomes of chance with the fractions that their probabilities stand for: 0.1666… is 1/6."""
    given = list(outcomes)
    simple = [Fraction(probability).limit_denominator(LARGEST_DENOMINATOR) for _, probability in given]
    near = all(abs(float(share) - p) <= ROUNDING for (_, p), share in zip(given, simple, strict=True))
    if sum(simple) != 1 or not near:
        simple = [Fraction(probability) for _, probability in given]
    return [(action, share) for (action, _), share in zip(given, simple, strict=True)]


def _exact(number: float) -> Fraction:
    return payoff(number, "a utility")


def _joint(mine: Action, theirs: Action, player: int) -> tuple[Action, Action]:
    return (mine, theirs) if player == 0 else (theirs, mine)


def _likeliest(choices: list[Action], strategy: tuple[Number, ...]) -> Action:
    return choices[max(range(len(choices)), key=lambda number: strategy[number])]
