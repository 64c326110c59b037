"""Needs: the games that an algorithm serves, written once, and read wherever one is chosen or refused."""

from __future__ import annotations

from dataclasses import dataclass

from plies.errors import Unsuitable
from plies.game import Game
from plies.validation import IN_TURN, checked_players


@dataclass(frozen=True)
class Needs:
    """What a game must be like for an algorithm to serve it."""

    players: int | None = None
    """How many players there must be; None: any number."""
    opponents: bool = False
    """Whether there must be more than one player."""
    alone_too: bool = False
    """Whether a game of one player will do as well."""
    zero_sum: bool = False
    """Whether utilities must have a constant sum, if there is more than one player."""
    deterministic: bool = False
    """Whether there must be no chance nodes."""
    acyclic: bool = False
    """Whether no position may occur twice."""
    hashable: bool = False
    """Whether states must be hashable."""
    simultaneous: bool = False
    """Whether there must be states in which all players move at once; otherwise there must be none."""

    def refusal(self, game: Game) -> str:
        """Why a game is not served, to follow the name of the algorithm; "" if it is."""
        name, players = type(game).__name__, checked_players(game)
        if game.simultaneous and not self.simultaneous:
            return IN_TURN.format(name)
        if self.simultaneous and not game.simultaneous:
            return f"is for games of simultaneous moves; in {name} players move in turn"
        if players == 1 and self.opponents:
            return f"needs an opponent; {name} has none"
        alone = players == 1 and self.alone_too
        if self.players is not None and players != self.players and not alone:
            count = "one player" if self.players == 1 else f"{self.players} players"
            return f"is for {count}; {name} has {players}"
        if self.zero_sum and not alone and not game.constant_sum:
            return f"is for zero-sum games; {name} is not one"
        if self.deterministic and game.stochastic:
            return f"is for games without chance; {name} has chance nodes"
        if self.acyclic and game.cycles:
            return f"is for games without cycles; {name} has them"
        return _unhashable(game) if self.hashable else ""

    def serve(self, game: Game) -> bool:
        """Whether a game is served."""
        return not self.refusal(game)

    def check(self, game: Game, algorithm: str) -> None:
        """Raise `Unsuitable`, in a sentence that names both, if a game is not served."""
        if reason := self.refusal(game):
            raise Unsuitable(f"{algorithm} {reason}")

    def __str__(self) -> str:
        """What is needed, as documents and help say it."""
        count = {None: "any number of players", 1: "one player", 2: "two players"}.get(self.players, "")
        words = [count or f"{self.players} players"]
        if self.alone_too:
            words[0] = f"one player or {words[0]}"
        if self.opponents:
            words[0] = "two players or more"
        words += ["zero-sum"] if self.zero_sum else []
        words += ["simultaneous moves"] if self.simultaneous else []
        words += ["no chance"] if self.deterministic else []
        words += ["no cycles"] if self.acyclic else []
        return ", ".join(words)


def _unhashable(game: Game) -> str:
    """Why states cannot be looked up, if they cannot."""
    try:
        hash(game.initial())
    except TypeError:
        return f"needs states that hash; {type(game).__name__}'s do not"
    return ""


ANY = Needs()
"""Serves every game in which players move in turn."""

VERSUS = Needs(players=2, zero_sum=True, deterministic=True)
"""Two players against each other, without chance: the games of minimax and alpha-beta."""
