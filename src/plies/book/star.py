"""What Star1 and Star2 share: alpha-beta at the nodes of players, and bounds of the values of outcomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from plies.book.decision import Evaluation, Line, depth_bound
from plies.book.recorder import Recorder, Window
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.validation import checked_bounds

ChanceValue = Callable[[Action, State, float, float, int], float]
"""The value of a chance node: of the action that led there, the state, alpha, beta and the ply."""


class Star:
    """Alpha-beta, where what happens at chance nodes is `chance_value`."""

    chance_value: ChanceValue

    def __init__(
        self, game: Game, player: int, depth: int | None, evaluate: Evaluation | None, trace: Recorder
    ) -> None:
        self.game, self.player, self.bound, self.trace = game, player, depth_bound(depth), trace
        self.evaluate = evaluate or game.evaluate
        self.low, self.high = checked_bounds(game)

    def value(self, action: Action, state: State, alpha: float, beta: float, ply: int) -> tuple[float, Line]:
        """The value of a state, and the line of play up to the next roll of the dice."""
        if self.game.is_terminal(state):
            return self._leaf(action, state, "terminal", self.game.utility(state, self.player)), ()
        if ply == self.bound:
            return self._leaf(action, state, "depth", self.evaluate(state, self.player)), ()
        mover = self.game.to_move(state)
        if mover == CHANCE:
            return self.chance_value(action, state, alpha, beta, ply), ()
        if mover == self.player:
            return self.max_value(action, state, alpha, beta, ply)
        return self.min_value(action, state, alpha, beta, ply)

    def max_value(
        self, action: Action, state: State, alpha: float, beta: float, ply: int
    ) -> tuple[float, Line]:
        """The value of a state where MAX moves, as in alpha-beta."""
        self.trace.enter(action, state, "max", (alpha, beta))
        v, line = -inf, ()
        actions = iter(self.game.actions(state))
        for a in actions:
            v2, line2 = self.value(a, self.game.result(state, a), alpha, beta, ply + 1)
            if v2 > v or not line:
                v, line = v2, (a, *line2)
                self.trace.update(a, v, (max(alpha, v), beta))
            if v >= beta:
                self.trace.cut("beta", v, beta, actions)
                break
            alpha = max(alpha, v)
        return self.trace.leave(v), line

    def min_value(
        self, action: Action, state: State, alpha: float, beta: float, ply: int
    ) -> tuple[float, Line]:
        """The value of a state where MIN moves, as in alpha-beta."""
        self.trace.enter(action, state, "min", (alpha, beta))
        v, line = +inf, ()
        actions = iter(self.game.actions(state))
        for a in actions:
            v2, line2 = self.value(a, self.game.result(state, a), alpha, beta, ply + 1)
            if v2 < v or not line:
                v, line = v2, (a, *line2)
                self.trace.update(a, v, (alpha, min(beta, v)))
            if v <= alpha:
                self.trace.cut("alpha", v, alpha, actions)
                break
            beta = min(beta, v)
        return self.trace.leave(v), line

    def _leaf(self, action: Action, state: State, why: str, value: float) -> float:
        """A leaf, whose value must lie within the bounds of the game: the pruning relies on them."""
        if not self.low <= value <= self.high:
            name = "a utility" if why == "terminal" else "EVAL"
            raise BadParameter(
                f"{name} is {value:g}; to prune at chance nodes it must be within the bounds of "
                f"{type(self.game).__name__}, {self.low:g} to {self.high:g}"
            )
        return self.trace.leaf(action, state, why, value)


class Outcomes:
    """What the outcomes of a chance node are worth at least and at most."""

    def __init__(self, probabilities: Sequence[float], low: float, high: float) -> None:
        self.probabilities, self.low, self.high = probabilities, low, high
        self.least = [low] * len(probabilities)
        self.most = [high] * len(probabilities)

    @property
    def bounds(self) -> Window:
        """The least and the most that their expected value can be."""
        least = sum(p * v for p, v in zip(self.probabilities, self.least, strict=True))
        return least, sum(p * v for p, v in zip(self.probabilities, self.most, strict=True))

    def window(self, i: int, alpha: float, beta: float) -> Window:
        """What an outcome has to be worth if the others are as good, or as bad, as can be."""
        (least, most), p = self.bounds, self.probabilities[i]
        return (alpha - most) / p + self.most[i], (beta - least) / p + self.least[i]

    def narrowed(self, i: int, alpha: float, beta: float) -> Window:
        """The part of an outcome's window that a probe has left: it is worth no less, or no more."""
        least, most = self.least[i], self.most[i]
        return max(alpha, least) if least > self.low else alpha, min(beta, most) if most < self.high else beta
