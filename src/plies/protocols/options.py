"""The options of an engine that speaks UCI: memory, threads, lines, and the parameters of the game."""

from __future__ import annotations

import inspect
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from plies.errors import BadParameter, PliesError
from plies.game import Game, parameters_of
from plies.levels import has_levels, levels_of
from plies.protocols.connection import Connection
from plies.registry import parse_parameters

MOST_MEMORY = 1 << 16
"""The most megabytes of Hash that are offered. Not tuned."""

MOST_THREADS = 256
"""The most threads: those of the driver, which is not imported before `uciok`. A test compares them."""

MOST_LINES = 500
"""The most lines that MultiPV offers, as in other engines."""


class Options:
    """The options, as they are set."""

    def __init__(self, game: Game, level: int | None = None) -> None:
        self.game = game
        self.level = checked_level(game, level)
        self.memory, self.threads, self.lines, self.wdl = 64, 1, 1, False
        parameters = inspect.signature(type(game)).parameters
        self.parameters = {name.lower(): name for name in parameters}

    def described(self) -> list[str]:
        """The options as UCI announces them."""
        own = inspect.signature(type(self.game)).parameters
        return [
            f"option name Hash type spin default {self.memory} min 1 max {MOST_MEMORY}",
            f"option name Threads type spin default {self.threads} min 1 max {MOST_THREADS}",
            f"option name MultiPV type spin default {self.lines} min 1 max {MOST_LINES}",
            *self._levels(),
            "option name Ponder type check default false",
            f"option name UCI_ShowWDL type check default {str(self.wdl).lower()}",
            "option name UCI_AnalyseMode type check default false",
            "option name Clear Hash type button",
            "option name Debug Log File type string default <empty>",
            *(_described(name, getattr(self.game, name, None), own[name].default) for name in own),
        ]

    def _levels(self) -> list[str]:
        """The level, in the words of other engines."""
        if not has_levels(self.game):
            return []
        most = len(levels_of(self.game).all)
        return [f"option name Skill Level type spin default {self.level or most} min 1 max {most}"]

    def set(self, name: str, value: str, connection: Connection) -> str:
        """Set an option; what has to follow: "engine" for a new one, "clear" to clear it, or nothing."""
        key = name.lower()
        if key == "hash":
            self.memory = _whole(name, value, MOST_MEMORY)
            return "engine"
        if key == "threads":
            self.threads = _whole(name, value, MOST_THREADS)
            return "engine"
        if key == "skill level" and has_levels(self.game):
            self.level = checked_level(self.game, _whole(name, value, len(levels_of(self.game).all)))
            return "engine"
        if key == "multipv":
            self.lines = _whole(name, value, MOST_LINES)
        elif key == "uci_showwdl":
            self.wdl = _truth(name, value)
        elif key in ("ponder", "uci_analysemode"):
            _truth(name, value)  # what they say makes no difference here
        elif key == "clear hash":
            return "clear"
        elif key == "debug log file":
            connection.log_to(Path(value) if value and value != "<empty>" else None)
        elif key in self.parameters:
            self.game = with_parameter(self.game, self.parameters[key], value)
            return "engine"
        else:
            raise BadParameter(f"there is no option {name[:40]!r}")
        return ""


def checked_level(game: Game, level: int | None) -> int | None:
    """A level of the game; None for the highest, which is the engine without limits but the client's."""
    if level is None or levels_of(game).level(level).nodes is None:
        return None
    return level


def version_number() -> str:
    """The version of Plies; "" if it is not installed."""
    try:
        return version("plies")
    except PackageNotFoundError:
        return ""


def with_parameter(game: Game, name: str, value: str) -> Game:
    """A game like this one, except for one parameter, given as a person writes it."""
    cls = type(game)
    return remade(game, **parse_parameters(cls, [f"{name}={value}"]))


def remade(game: Game, **changed: Any) -> Game:
    """A game like this one with other parameters."""
    try:
        return type(game)(**{**parameters_of(game), **changed})
    except PliesError:
        raise
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        raise BadParameter(f"{game.name} cannot be made with {changed}: {str(error)[:200]}") from None


def _described(name: str, value: Any, default: Any) -> str:
    """A parameter of the game as UCI announces an option."""
    if isinstance(default, bool):
        return f"option name {name} type check default {str(bool(value)).lower()}"
    shown = "" if value is None or hasattr(value, "tolist") else value
    text = ",".join(map(str, shown)) if isinstance(shown, tuple | list) else str(shown)
    return f"option name {name} type string default {' '.join(text.split()) or '<empty>'}"


def _whole(name: str, value: str, most: int) -> int:
    if value.isascii() and value.isdigit() and len(value) < 10 and 1 <= int(value) <= most:
        return int(value)
    raise BadParameter(f"{name} must be a whole number from 1 to {most}, not {value[:40]!r}")


def _truth(name: str, value: str) -> bool:
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise BadParameter(f"{name} must be true or false, not {value[:40]!r}")
