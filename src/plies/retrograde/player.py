"""A player who knows the value of every position, by a database or by value iteration."""

from __future__ import annotations

from collections.abc import Sequence

from plies.errors import Unsuitable
from plies.game import Action, Game, State
from plies.retrograde.database import Database
from plies.retrograde.folder import database_path, open_database
from plies.retrograde.make import make_database
from plies.retrograde.value_iteration import ExpectedValues, value_iteration


class Optimal:
    """Takes the best action, the quickest to win and the slowest to lose; every position is solved first.

    A database that was made before is used; else one is made, and not kept. Clocks and the past are left out
    of account, as in every database.
    """

    name = "optimal"

    def __init__(self) -> None:
        self._game: Game | None = None
        self._known: Database | ExpectedValues | None = None

    def prepare(self, game: Game) -> None:
        """Solve the game, or raise an error if that is impossible."""
        self._solve(game, None)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        known = self._solve(game, state)
        if isinstance(known, ExpectedValues):
            return known.best(state)
        return known.actions(state)[0][0]

    def _solve(self, game: Game, state: State | None) -> Database | ExpectedValues:
        """What is known of a game, and of a state of it."""
        if (
            self._known is None
            or self._game is not game
            or (state is not None and self._known.find(state) < 0)
        ):
            self._game = game
            roots = None if state is None else [state]
            if game.stochastic:
                self._known = value_iteration(game, roots=roots)
            elif roots is None and _is_kept(game):
                self._known = open_database(game)
            else:
                self._known = make_database(game, roots=roots)
        return self._known


def _is_kept(game: Game) -> bool:
    """Whether there is a database of all states of a game."""
    try:
        return database_path(game).exists()
    except Unsuitable:  # its rules have no fingerprint that others could compare
        return False
