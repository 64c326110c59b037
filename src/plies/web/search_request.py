"""A search that a client requests, not yet started."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from plies.engine import Limit, Search, SearchResult
from plies.engine.result import drawn
from plies.game import Game, State
from plies.web.levels import PlayerKind
from plies.web.position import Position
from plies.web.protocol import PositionSpec
from plies.web.serialize import search_info


@dataclass(frozen=True)
class SearchRequest:
    """The position, the algorithm and the limit of a search."""

    spec: PositionSpec
    game: Game
    state: State
    previous: Sequence[State]
    kind: PlayerKind
    limit: Limit
    lines: int = 1
    for_move: bool = False
    """Whether its move is to be played."""
    chooser: int | None = None
    """Where all choose at once: the player whose choice is wanted."""
    seed: int = 0
    """For what is drawn from a mixed strategy."""

    @classmethod
    def at(cls, position: Position, game: Game, kind: PlayerKind, limit: Limit, **more: Any) -> SearchRequest:
        """The search of a position; `game` is the one to search, which may have to be interpreted."""
        state, previous = position.state, position.history.previous
        return cls(position.spec, game, state, previous, kind, limit, **more)

    @property
    def key(self) -> tuple[Any, ...]:
        """Requests with the same key can share a searcher."""
        return self.spec.game, self.spec.parameters, self.kind.name, self.game.compiled is False

    def make(self) -> Search:
        """Make a searcher for it."""
        return self.kind.make(self.game)

    def info(self, found: SearchResult, effort: tuple[int, float]) -> dict[str, Any]:
        """The result, as the page shows it."""
        info = search_info(self.game, self.state, found, effort)
        return info if self.chooser is None else {**info, "choice": self._choice(self.chooser, found)}

    def _choice(self, player: int, found: SearchResult) -> str:
        """The choice of a player, drawn from the mixed strategy that was found."""
        if found.matrix is None:  # by a player who does not search
            choice = found.action[player]
        else:
            found = replace(found, game=self.game, state=self.state)
            choice = drawn(found, player, random.Random(self.seed))
        return self.game.choice_notation(self.state, player, choice)
