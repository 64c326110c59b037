"""A real game with an evaluation that errs: how often is the decision wrong, by the depth of the search?"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence

from plies.book.alpha_beta import alpha_beta
from plies.book.decision import recursive
from plies.errors import BadParameter, PliesError
from plies.game import Game, State
from plies.needs import Needs
from plies.pathology.measured import ErrorsByDepth, Share

LIMIT = 200_000
"""The most states of a game, whose values are computed first, some ten thousand a second. Not tuned."""

RAREST = 1_000
"""The random games per decision wanted after which the experiment gives up. Not tuned."""


def noisy_evaluation(
    game: Game,
    *,
    sigma: float,
    depths: Sequence[int] = (1, 2, 3, 4),
    decisions: int = 200,
    seed: int = 0,
    limit: int = LIMIT,
) -> ErrorsByDepth:
    """How often alpha-beta decides wrongly if EVAL is the true value of a state plus an error, by depth.

    The error of each state is drawn again for each decision, from a normal distribution with standard
    deviation `sigma`; ends of the game are not estimated. Decisions are met in random games; counted are
    those that matter, where one action is worth less than another, and wrong is one that is worth less than
    the best. The game must be small enough to be solved first.
    """
    Needs(players=2, zero_sum=True, deterministic=True, acyclic=True, hashable=True).check(
        game, "the experiment"
    )
    if not 0 <= sigma < float("inf"):
        raise BadParameter(f"sigma must be 0 or more, and finite, not {sigma!r}")
    if not depths or not all(isinstance(depth, int) and depth >= 1 for depth in depths):
        raise BadParameter(f"depths must be whole numbers from 1, not {depths!r}")
    if decisions < 1:
        raise BadParameter(f"decisions must be 1 or more, not {decisions}")
    rng = random.Random(seed)
    truth = _Truth(game, limit)
    estimates: dict[Hashable, float] = {}

    def evaluate(state: State, player: int) -> float:
        if state not in estimates:
            estimates[state] = truth.value(state) + rng.gauss(0, sigma)
        return estimates[state] if player == 0 else game.total - estimates[state]  # type: ignore[operator]

    wrong = dict.fromkeys(sorted(depths), 0)
    for state in _positions(game, truth, rng, decisions):
        estimates.clear()  # or decisions would share errors, and be fewer than they seem
        best = truth.value(state)
        for depth in wrong:
            chosen = alpha_beta(game, state, depth=depth, evaluate=evaluate).action
            wrong[depth] += truth.value(game.result(state, chosen)) != best
    title = f"{game.name}, error of EVAL {sigma:g}: {decisions:,} decisions, seed {seed}"
    return ErrorsByDepth(title, {depth: Share(count, decisions) for depth, count in wrong.items()})


class _Truth:
    """The values of all states that are met, to player 0."""

    def __init__(self, game: Game, limit: int) -> None:
        self.game, self.limit = game, limit
        self.values: dict[Hashable, float] = {}

    def value(self, state: State) -> float:
        return _solved(self.game, state, self.values, self.limit)

    def matters(self, state: State) -> bool:
        """Whether one action is better than another."""
        return len({self.value(self.game.result(state, action)) for action in self.game.actions(state)}) > 1


@recursive
def _solved(game: Game, state: State, values: dict[Hashable, float], limit: int) -> float:
    def value(state: State) -> float:
        if state in values:
            return values[state]
        if len(values) >= limit:
            raise PliesError(
                f"{game.name} has more than {limit:,} states: choose a smaller game, or a higher limit"
            )
        if game.is_terminal(state):
            values[state] = game.utility(state, 0)
        else:
            below = [value(game.result(state, action)) for action in game.actions(state)]
            values[state] = max(below) if game.to_move(state) == 0 else min(below)
        return values[state]

    return value(state)


def _positions(game: Game, truth: _Truth, rng: random.Random, count: int) -> list[State]:
    """Positions of random games in which the decision matters, one of each game."""
    found: list[State] = []
    for _ in range(RAREST * count):
        path = [game.initial()]
        while not game.is_terminal(path[-1]):
            path.append(game.result(path[-1], rng.choice(list(game.actions(path[-1])))))
        critical = [state for state in path[:-1] if truth.matters(state)]
        if critical:
            found.append(rng.choice(critical))
        if len(found) == count:
            return found
    raise PliesError(f"in random games of {game.name} hardly any decision matters")
