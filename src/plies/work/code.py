"""Code that travels: games and players as JSON, with the source text of the user's own files.

What comes with Plies or another installed package is named; the user's own modules are sent as text (see
`sources.py`). This is for machines of the same user, who runs their own code there.
"""

from __future__ import annotations

import base64
import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

import numpy as np

from plies.compiled.source_fingerprint import VALUES, source_fingerprint
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Game, parameters_of
from plies.work.sources import Folder, Sources, own_source

PLAIN = (str, int, float, bool, type(None))

PLAYED = VALUES | {"evaluate"}
"""The rules on which games between players of Plies depend."""


class Code:
    """Describes games, functions and values as JSON, and collects the files that they come from."""

    def __init__(self) -> None:
        self.sources = Sources()

    def game(self, game: Game) -> dict[str, Any]:
        """A game, as its class and what it is made with."""
        given = {name: self._value(value) for name, value in parameters_of(game).items()}
        return {"class": self.thing(type(game)), "parameters": given, "rules": rules_of(game)}

    def maker(self, maker: Callable[..., Any]) -> dict[str, Any]:
        """What makes players: a function or, with what it is made with, an instance of a dataclass."""
        if not is_dataclass(maker):
            return self.thing(maker)
        given = {field.name: self._value(getattr(maker, field.name)) for field in fields(maker)}
        return {"class": self.thing(type(maker)), "parameters": given}

    def thing(self, thing: type | Callable[..., Any]) -> dict[str, str]:
        """A class or a function, as its name, its module and the file of that, if it travels."""
        module, name = str(thing.__module__), getattr(thing, "__qualname__", "")
        if module == "__main__":
            raise BadParameter(
                "several processes need a game and players that can be imported: move them from the main "
                "program to a file of their own, or play with jobs=1"
            )
        if not name or _found(sys.modules.get(module), name) is not thing:
            raise BadParameter(
                f"several processes need a game and players that can be copied: {name or thing!r} is no "
                f"class or function of the module {module}"
            )
        source = own_source(module)
        if source is None:
            return {"module": module, "name": name}
        self.sources.add(*source)
        return {"module": module, "name": name, "file": source[1]}

    def _value(self, value: Any) -> Any:
        if isinstance(value, PLAIN):
            return value
        if isinstance(value, Game):
            return {"game": self.game(value)}
        if isinstance(value, tuple | list) and type(value) in (tuple, list):
            return {type(value).__name__: [self._value(item) for item in value]}
        if type(value) is dict and all(isinstance(key, str) for key in value):
            return {"dict": {key: self._value(item) for key, item in value.items()}}
        if isinstance(value, np.generic):
            return self._value(value.item())
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return {"array": array_text(value)}
        raise BadParameter(
            f"several processes need a game and players that can be copied: a parameter of the game is of "
            f"{type(value).__name__}, which has no form as text"
        )


class Loader:
    """Makes games and functions again, of what `Code` has described."""

    def __init__(self, files: Mapping[str, str], places: Mapping[str, str] = MappingProxyType({})) -> None:
        self.folder = Folder.of(files, places)

    def game(self, data: dict[str, Any]) -> Game:
        """The game of its description."""
        made: Game = self._made(data)
        if (rules := rules_of(made)) != data["rules"]:
            raise PliesError(
                f"another process has other rules of {made.name}, {rules} and not {data['rules']}: "
                "install the same version everywhere"
            )
        return made

    def maker(self, data: dict[str, Any]) -> Callable[..., Any]:
        """What makes players, of its description."""
        made: Callable[..., Any] = self._made(data) if "class" in data else self.thing(data)
        return made

    def _made(self, data: dict[str, Any]) -> Any:
        given = {name: self._value(value) for name, value in data["parameters"].items()}
        return self.thing(data["class"])(**given)

    def thing(self, data: dict[str, str]) -> Any:
        """The class or function of its description."""
        module, file = data["module"], data.get("file")
        try:
            if module not in sys.modules and file is not None:
                self.folder.load(module, file)
            if (found := _found(importlib.import_module(module), data["name"])) is None:
                raise ImportError(f"{module} has no {data['name']}")
        except ImportError as error:
            raise PliesError(f"another process cannot import what is worked on here: {error}") from None
        return found

    def _value(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        (form, content), *_ = value.items()
        if form == "game":
            return self.game(content)
        if form == "dict":
            return {key: self._value(item) for key, item in content.items()}
        if form == "array":
            return array_of(content)
        return {"tuple": tuple, "list": list}[form](map(self._value, content))


def rules_of(game: Game) -> str:
    """A digest of the rules and the evaluation of a game, by their source; "unknown" where they are not in
    Python alone, as those of OpenSpiel."""
    try:
        return source_fingerprint(game, PLAYED)
    except Unsuitable:
        return "unknown"


def made_by(game: Game) -> dict[str, str]:
    """What a file must have in common with those who go on with it, besides their settings: the rules of the
    game, and the version of Plies."""
    return {"rules": rules_of(game), "Plies": version("plies")}


def array_text(array: np.ndarray[Any, Any]) -> list[Any]:
    """An array as JSON, exactly."""
    data = np.ascontiguousarray(array)
    return [data.dtype.str, list(data.shape), base64.b64encode(data.tobytes()).decode()]


def array_of(data: list[Any]) -> np.ndarray[Any, Any]:
    """The array of its JSON."""
    kind, shape, text = data
    return np.frombuffer(base64.b64decode(text), np.dtype(kind)).reshape(shape).copy()


def _found(module: Any, name: str) -> Any:
    """What a module has under a name; None if nothing."""
    found = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return found
