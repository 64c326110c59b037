"""Answers to what a client asks about a place in a game; a search is not made here, only made out."""

from __future__ import annotations

import random
from collections.abc import Generator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from plies import records
from plies.engine import Limit, Search, SearchResult
from plies.errors import PliesError
from plies.game import CHANCE, Game
from plies.web import serialize
from plies.web.catalogue import Catalogue, as_text
from plies.web.levels import SHORT, PlayerKind, kind_named, slipped
from plies.web.messages import Message
from plies.web.position import Position


@dataclass(frozen=True)
class SearchRequest:
    """A search that a client wants: of what, by whom, how far, and whether for a move or an analysis."""

    table: Position
    game: Game
    kind: PlayerKind
    limit: Limit
    lines: int
    moving: bool

    @property
    def key(self) -> tuple[Any, ...]:
        """What searches have in common that one searcher can serve."""
        place, mover = self.table.place, self.table.mover or 0
        plain = ("plain",) if self.game.compiled is False else ()
        return (
            place.game,
            place.parameters,
            self.kind.name,
            mover if self.kind.name == "expectimax" else -1,
            *plain,
        )

    @property
    def short(self) -> bool:
        """Whether it is over before a compiler has begun."""
        return self.moving and self.limit.time == SHORT

    def make(self) -> Search:
        """A searcher for it."""
        return self.kind.make(self.game)

    @property
    def compiles(self) -> bool:
        """Whether it may need the compiler."""
        return self.kind.compiles and self.game.compiled is not False

    def plain(self) -> SearchRequest:
        """The same search, interpreted."""
        game = copy(self.game)
        game.compiled = False
        return replace(self, game=game)

    def shown(self, found: SearchResult, effort: tuple[int, float]) -> dict[str, Any]:
        """What was found as the page shows it."""
        return serialize.search_info(self.game, self.table.state, found, effort)


class Session:
    """Answers one client, and remembers the last place it asked about."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.table: Position | None = None

    def answer(
        self, message: Message, rng: random.Random
    ) -> Generator[None, None, dict[str, Any] | SearchRequest]:
        """The answer, or the search that will give it. Yields wherever others may be served in between."""
        assert message.place is not None
        if message.do == "game":
            game = self.catalogue.game(message.place.game, message.place.parameters)
            return {"game": serialize.game_details(game, message.place, self.catalogue)}
        last, self.table = self.table, None  # a table that fails is not used again
        table = yield from Position.build(message.place, self.catalogue, last)
        self.table = table
        yield
        if message.do == "view":
            return {"view": table.view()}
        if message.do == "chance":
            return {"move": table.outcome(rng)}
        if message.do == "write":
            return {"text": table.record(message.details["format"])}
        return self._wish(message, table, rng)

    def _wish(self, message: Message, table: Position, rng: random.Random) -> dict[str, Any] | SearchRequest:
        if table.mover is None:
            raise PliesError("there is nothing to search: the game is over")
        if table.mover == CHANCE:
            raise PliesError("there is nothing to search: it is for chance to move")
        details, game, place = message.details, table.game, table.place
        moving = message.do == "move"
        kind = kind_named(game, details["player"] if moving else details["algorithm"])
        legal = table.history.legal()
        if moving:
            level = kind.level(details["level"])
            slip = slipped(level, game, table.state, table.history.previous, rng)
            if len(legal) == 1 or slip is not None:
                return {"move": game.notation(table.state, legal[0] if len(legal) == 1 else slip)}
            limit, lines = level.limit, 1
        else:
            if not kind.analyses:
                raise PliesError(f"{kind.label} says nothing about a position")
            limit = Limit(float(details["seconds"]), details["depth"], details["nodes"])
            lines = min(details["lines"], len(legal))
        searched = self.catalogue.searched(place.game, place.parameters)
        return SearchRequest(table, searched, kind, limit, lines, moving)


def read_record(text: str) -> dict[str, Any]:
    """The place that a record tells."""
    told = records.read(text)
    return {
        "game": told.game,
        "parameters": as_text(told.parameters),
        "position": told.position,
        "moves": told.moves,
    }
