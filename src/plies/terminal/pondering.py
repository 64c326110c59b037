"""Thinking on a person's time: what the engine expects meanwhile, and how often it is right."""

from __future__ import annotations

from collections.abc import Sequence

from plies.engine.pondering import too_few_cores
from plies.errors import BadParameter, PliesError
from plies.game import Action, Game, State
from plies.players import EnginePlayer, Player
from plies.simple_players import Human


class Pondering:
    """Lets engines ponder while a person thinks, and counts how often the reply was the one expected."""

    def __init__(self, game: Game, enabled: bool) -> None:
        self.game, self.enabled = game, enabled
        self.hits = self.tries = 0
        self._player: EnginePlayer | None = None
        self._label = ""
        self._expected: Action = None

    def begin(self, player: Player, label: str, state: State, previous: Sequence[State]) -> None:
        """The player has moved, and a person is to reply."""
        if self.enabled and isinstance(player, EnginePlayer):
            self._expected = player.ponder(self.game, state, previous)
            self._player = None if self._expected is None else player
            self._label = label

    def stop(self) -> None:
        """The position is another."""
        if self._player is not None:
            self._player.stop()
        self._player = None

    def expects(self, state: State) -> str:
        """What is expected, in a sentence."""
        if not self.enabled:
            raise PliesError("nobody thinks on your time; see plies play --ponder")
        if self._player is None:
            return "Nothing is expected here."
        return f"{self._label} thinks on your time, and expects {self.game.notation(state, self._expected)}."

    def judged(self, state: State, action: Action) -> str:
        """Whether a person's move was expected, in a sentence; "" if nothing was."""
        if self._player is None:
            return ""
        self.tries += 1
        if action == self._expected:
            self.hits += 1
            return f"Ponder hit: {self._label} expected that."
        return f"Ponder miss: {self._label} expected {self.game.notation(state, self._expected)}."

    def summary(self) -> str:
        """How often it was right."""
        return f"Ponder hits: {self.hits} of {self.tries}"


def pondering_wanted(players: Sequence[Player], asked: bool | None, at_terminal: bool) -> bool:
    """Whether engines think on people's time: if that is asked for, or at a terminal with cores to spare.

    By itself only an engine with a time limit does: others would no longer play the same game again.
    """
    engines = [player for player in players if isinstance(player, EnginePlayer)]
    people = any(isinstance(player, Human) for player in players)
    refusal = too_few_cores(1 + max((engine.threads for engine in engines), default=1))
    if asked is None:
        timed = engines and all(engine.limit.time is not None for engine in engines)
        return bool(at_terminal and people and timed and not refusal)
    if asked and refusal:
        raise PliesError(refusal)
    if asked and not (engines and people):
        raise BadParameter("--ponder is for games between a person and an engine")
    return asked
