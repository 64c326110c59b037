"""Expectimax: the best action if all others play by a known policy, so that their moves are chance."""

from __future__ import annotations

from typing import Any

from plies.engine.delegating import Delegating
from plies.engine.driver import Search
from plies.engine.expectiminimax import Expectiminimax
from plies.engine.limit import Limit
from plies.engine.value import Value
from plies.game import Game
from plies.models import Modelled, policy_named
from plies.needs import Needs


class Expectimax(Delegating):
    """Searches a game as if all others played by a policy, by name and with its numbers.

    A depth counts rounds: a move of every player. A proof holds against that policy only, so for the game
    itself the value is an estimate.
    """

    algorithm = "expectimax"
    label = "Expectimax"
    needs = Needs(opponents=True)
    exact = False

    def __init__(
        self,
        game: Game,
        *,
        policy: str = "uniform",
        numbers: tuple[float, ...] = (),
        memory: float = 64,
        **options: Any,
    ) -> None:
        super().__init__(game)
        self._policy = policy_named(game, policy, *numbers)
        self._options = {"memory": memory, **options}

    def _make(self, player: int) -> Search:
        others = {other: self._policy for other in range(self.game.players) if other != player}
        return Expectiminimax(Modelled(self.game, others), **self._options)

    def _limit(self, limit: Limit) -> Limit:
        return Limit(limit.time, limit.depth and limit.depth * self.game.players, limit.nodes)

    def _translated(self, value: Value) -> Value:
        return Value.of(self.game, value.utility, bound=value.bound)
