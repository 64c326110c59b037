"""One client's session: it answers messages about positions, and remembers the last one."""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from plies.web.catalogue import Catalogue
from plies.web.position import Position
from plies.web.protocol import Message


@dataclass
class Context:
    """What a handler works with, in addition to the fields of its message."""

    catalogue: Catalogue
    rng: random.Random
    at: Position | None = None

    @property
    def position(self) -> Position:
        """The position that the message names."""
        assert self.at is not None, "the type of the message says that it has no position"
        return self.at


class Session:
    """Answers the messages of one client, one at a time."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._position: Position | None = None

    def answer(self, message: Message, rng: random.Random) -> Generator[None, None, Any]:
        """The result, or the `SearchRequest` that will give it. Yields wherever others may be served."""
        context = Context(self.catalogue, rng)
        if message.position is not None:
            last, self._position = self._position, None  # one that fails is not used again
            context.at = yield from Position.build(message.position, self.catalogue, last)
            yield
        result = message.type.handler(context, **message.fields)
        self._position = context.at or self._position
        return result
