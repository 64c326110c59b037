"""The page's protocol: JSON messages over one WebSocket, each read and checked before anything is done.

A request is an object with an `id`, a `type` and the fields of that type; the types are in `messages`. Each
reply has the same `id`: any number of `info` and `note`, then one `result` or `error`. Whatever is unknown,
missing, too large or of another kind is an error of one sentence.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from plies.errors import PliesError
from plies.web.fields import LONGEST_NAME, BadMessage, Field, list_of, object_of, text

LARGEST_MESSAGE = 1 << 16
"""The most bytes of a message. Not tuned."""

MOST_MOVES = 2_000
"""The most moves of a game on the page. Not tuned."""

POSITION_FIELDS = {
    "game": text(600),
    "parameters": object_of(text(60), text(4_000), 20, default={}),
    "position": text(2_000, default=""),
    "moves": list_of(text(200), MOST_MOVES, default=[]),
}
"""How a message names a position: the fields of `PositionSpec`."""

LATER = object()
"""Stands for a result that comes later: that of a search, or of a page that leaves a shared game."""

LONGEST_SENTENCE = 1_000
"""The most characters of an error. Not tuned."""


@dataclass(frozen=True)
class PositionSpec:
    """A position as a message names it: the game, its parameters, where it began, and the moves since."""

    game: str
    parameters: tuple[tuple[str, str], ...] = ()
    position: str = ""
    moves: tuple[str, ...] = ()

    def after(self, move: str) -> PositionSpec:
        """The position after one more move."""
        return replace(self, moves=(*self.moves, move))


@dataclass(frozen=True)
class MessageType:
    """One type of message: an entry of the protocol."""

    name: str
    handler: Callable[..., Any]
    """Takes a `Context` and the fields; returns the result, or a `SearchRequest` that will give it."""
    fields: Mapping[str, Field] = field(default_factory=dict)
    position: bool | None = False
    """Whether it concerns a position, which `POSITION_FIELDS` then name; None: it may, if it names a game."""
    search: str = ""
    """What it does to the client's search: starts one ("move", "analysis", "ponder"), ends it ("stop")
    or makes it answer now ("hurry")."""
    phase: str = "answer"
    """Which of `processes.DEADLINES` it has where a process of its own works on it."""
    shared: bool = False
    """Whether it is about a shared game: its handler is a coroutine that takes a `SharedContext`."""
    isolated: Callable[[Message], bool] = lambda message: False
    """Whether a message may take so long that a process of its own must work on it."""


@dataclass(frozen=True)
class Message:
    """A message that has been read."""

    id: int
    type: MessageType
    position: PositionSpec | None
    fields: Mapping[str, Any]


Handler = TypeVar("Handler", bound=Callable[..., Any])


class Protocol:
    """All types of messages, by name."""

    def __init__(self) -> None:
        self.types: dict[str, MessageType] = {}

    def message(
        self, fields: Mapping[str, Field] | None = None, **settings: Any
    ) -> Callable[[Handler], Handler]:
        """Add the type that a handler is named for; the settings are those of `MessageType`."""

        def add(handler: Handler) -> Handler:
            name, given = handler.__name__, dict(fields or {})
            _, *taken = inspect.signature(handler).parameters
            if taken != list(given):
                raise TypeError(f"the handler of {name} takes {taken}, but the message has {list(given)}")
            if name in self.types:
                raise TypeError(f"the message {name} has two handlers")
            self.types[name] = MessageType(name, handler, given, **settings)
            return handler

        return add

    def read(self, data: str | bytes) -> Message:
        """Read a message, or raise `BadMessage`."""
        if len(data) > LARGEST_MESSAGE:
            raise BadMessage(f"a message may have at most {LARGEST_MESSAGE:,} bytes")
        try:
            members = json.loads(data, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            members = None
        if not isinstance(members, dict):
            raise BadMessage("a message must be a JSON object")
        id_ = members.pop("id", None)
        if isinstance(id_, bool) or not isinstance(id_, int) or not 0 <= id_ < 1 << 53:
            raise BadMessage("a message must have an id, a whole number from 0")
        try:
            return self._read(id_, members)
        except Exception as error:  # whatever a reader makes of a value
            raise BadMessage(error_sentence(error), id_) from None

    def _read(self, id_: int, members: dict[str, Any]) -> Message:
        name = members.pop("type", None)
        if not isinstance(name, str) or name not in self.types:
            raise BadMessage(f"type must be one of {', '.join(self.types)}")
        type_ = self.types[name]
        named = type_.position or (type_.position is None and "game" in members)
        position = _read_position(members) if named else None
        values = {key: one.take(key, members) for key, one in type_.fields.items()}
        if members:
            raise BadMessage(f"{name} has no field {min(members)[:LONGEST_NAME]!r}")
        return Message(id_, type_, position, values)


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _read_position(members: dict[str, Any]) -> PositionSpec:
    given = {name: one.take(name, members) for name, one in POSITION_FIELDS.items()}
    parameters = tuple(sorted(given["parameters"].items()))
    return PositionSpec(given["game"], parameters, given["position"], tuple(given["moves"]))


def error_sentence(error: Exception) -> str:
    """The sentence for a client about an error: one line, of a limited length."""
    if isinstance(error, RecursionError):
        return "that is nested too deeply"
    sentence = str(error) if isinstance(error, PliesError) else f"{type(error).__name__}: {error}"
    return " ".join(sentence.split())[:LONGEST_SENTENCE]
