"""What a page may ask for: every message is looked at here before anything is done about it.

A message is a JSON object with an `id`, a word `do` that says what is wanted, and the fields that belong to
it. Whatever is unknown, missing, too long or of another type is refused in a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plies.errors import PliesError

LARGEST = 1 << 16
"""The most bytes of a message."""

MOST_MOVES = 2_000
LONGEST_MOVE = 200
LONGEST_POSITION = 2_000
MOST_PARAMETERS = 20
LONGEST_PARAMETER = 4_000
LONGEST_WORD = 60
MOST_LINES = 2_000
LONGEST_SEARCH = 60.0
"""Seconds that one analysis may search, whatever else limits it."""

DEEPEST = 1_000
MOST_NODES = 10**12


class BadMessage(PliesError):
    """A message that is not understood, with the id to answer to, if there is one."""

    def __init__(self, sentence: str, number: int | None = None) -> None:
        super().__init__(sentence)
        self.number = number


@dataclass(frozen=True)
class PositionSpec:
    """A position of a game, as a page tells it: the game, where it began, and the moves since."""

    game: str
    parameters: tuple[tuple[str, str], ...] = ()
    position: str = ""
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Message:
    """A message that is well formed."""

    number: int
    do: str
    place: PositionSpec | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


Reader = Callable[[str, Any], Any]


def read(text: str | bytes) -> Message:
    """The message that a text stands for, or raise `BadMessage`."""
    if len(text) > LARGEST:
        raise BadMessage(f"a message has at most {LARGEST:,} bytes")
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadMessage("a message is a JSON object") from None
    if not isinstance(data, dict):
        raise BadMessage("a message is a JSON object")
    number = data.pop("id", None)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << 53:
        raise BadMessage("a message has an id, a whole number from 0")
    try:
        return _read(number, data)
    except BadMessage as error:
        raise BadMessage(str(error), number) from None


def _read(number: int, data: dict[str, Any]) -> Message:
    do = data.pop("do", None)
    if not isinstance(do, str) or do not in REQUESTS:
        raise BadMessage(f"do is one of {', '.join(REQUESTS)}")
    if do == "learn":  # which looks at its request itself
        return Message(number, do, None, data)
    wanted, placed = REQUESTS[do]
    place = _place(data) if placed else None
    if unknown := sorted(data.keys() - wanted.keys()):
        raise BadMessage(f"{do} has no field {unknown[0][:LONGEST_WORD]!r}")
    details = {name: reader(name, data.get(name)) for name, reader in wanted.items()}
    return Message(number, do, place, details)


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


# -- Fields.


def _place(data: dict[str, Any]) -> PositionSpec:
    """The fields that say where a game stands, taken out of a message."""
    game = _text(LONGEST_WORD * 10)("game", data.pop("game", None))
    given = data.pop("parameters", {})
    if not isinstance(given, dict) or len(given) > MOST_PARAMETERS:
        raise BadMessage(f"parameters is an object of at most {MOST_PARAMETERS}")
    word, value = _text(LONGEST_WORD), _text(LONGEST_PARAMETER)
    parameters = tuple((word("parameters", name), value(name, text)) for name, text in sorted(given.items()))
    position = _text(LONGEST_POSITION)("position", data.pop("position", ""))
    moves = data.pop("moves", [])
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise BadMessage(f"moves is a list of at most {MOST_MOVES:,}")
    return PositionSpec(
        game, parameters, position, tuple(_text(LONGEST_MOVE)("a move", move) for move in moves)
    )


def _text(longest: int) -> Callable[[str, Any], str]:
    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise BadMessage(f"{name[:LONGEST_WORD]} is text of at most {longest:,} characters")
        return value

    return read


def _or_default(reader: Reader, default: Any) -> Reader:
    return lambda name, value: default if value is None else reader(name, value)


def _number(least: float, most: float, whole: bool) -> Reader:
    def read(name: str, value: Any) -> Any:
        kinds = int if whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
            kind = "a whole number" if whole else "a number"
            raise BadMessage(f"{name} is {kind} from {least:g} to {most:g}")
        return value

    return read


_word = _text(LONGEST_WORD)

REQUESTS: dict[str, tuple[dict[str, Reader], bool]] = {
    "games": ({}, False),
    "game": ({}, True),
    "view": ({}, True),
    "chance": ({}, True),
    "move": ({"player": _word, "level": _or_default(_word, "")}, True),
    "analyse": (
        {
            "algorithm": _or_default(_word, ""),
            "lines": _or_default(_number(1, MOST_LINES, True), 1),
            "seconds": _or_default(_number(0.01, LONGEST_SEARCH, False), LONGEST_SEARCH),
            "depth": _or_default(_number(1, DEEPEST, True), None),
            "nodes": _or_default(_number(1, MOST_NODES, True), None),
        },
        True,
    ),
    "stop": ({}, False),
    "write": ({"format": _word}, True),
    "read": ({"text": _text(LARGEST)}, False),
    "learn": ({}, False),
}
"""What can be asked for: the fields of each request, and whether it is about a place in a game."""
