"""Paranoid search: one player against a coalition of all the others (Sturtevant and Korf 2000)."""

from __future__ import annotations

from typing import Any

from plies.engine.alpha_beta import AlphaBeta
from plies.engine.delegating import Delegating
from plies.engine.driver import Search
from plies.engine.expectiminimax import Expectiminimax
from plies.engine.value import AT_LEAST, AT_MOST, Value
from plies.game import Game
from plies.needs import Needs
from plies.wrapper import Paranoid

PARANOID = "A proved value is what the player to move can make sure of, whatever the others do."
"""What a proof by paranoid search means."""


class ParanoidSearch(Delegating):
    """Searches a game as if all others were allied against the player to move: by alpha-beta or, with dice,
    expectiminimax, whose options it takes. A proved value is what that player can guarantee."""

    algorithm = "paranoid"
    label = "Paranoid"
    needs = Needs(opponents=True)

    def __init__(self, game: Game, *, memory: float = 64, **options: Any) -> None:
        super().__init__(game)
        self._options = {"memory": memory, **options}

    def _make(self, player: int) -> Search:
        kind = Expectiminimax if self.game.stochastic else AlphaBeta
        return kind(Paranoid(self.game, player), **self._options)

    def _proof(self, rests_on: str) -> str:
        return f"{rests_on} {PARANOID}".strip()

    def _translated(self, value: Value) -> Value:
        game, bound, proved, plies = self.game, value.bound, value.proved, value.plies
        if proved and not (game.players == 2 and game.constant_sum):
            proved = bound != AT_MOST  # the others need not be allied
            bound = AT_LEAST if proved else bound
            plies = None
        return Value.of(game, value.utility, proved, plies, bound, value.error)
