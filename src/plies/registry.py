"""Games by name: those installed by any package, and those in a user's own file."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

from plies.errors import BadParameter, PliesError, UnknownGame
from plies.gallery import PREFIX, example
from plies.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "plies.games"
"""The entry-point group by which a package offers its games."""

OPEN_SPIEL = "openspiel:"
"""The prefix of the games of OpenSpiel, as in "openspiel:hex" (`plies.games.open_spiel`)."""


def game_names() -> list[str]:
    """The names of all games installed, of this package and of others."""
    return sorted(_installed())


def game(name: str, **parameters: Any) -> Game:
    """The game of that name ("connect-four") or in that file ("my_game.py:MyGame"), with its parameters.

    "slides:aima" is a tree of the gallery (`plies.gallery`), "openspiel:hex" a game of OpenSpiel.
    """
    cls = game_class(name)
    if name.startswith(OPEN_SPIEL):
        parameters = {"game_string": name.removeprefix(OPEN_SPIEL), **parameters}
    if name.startswith(PREFIX):
        named = example(name)
        if named.position:
            raise BadParameter(f"{name} is a position of {named.game}, {named.position}: begin there")
        parameters = {**named.parameters, **parameters}
    allowed = inspect.signature(cls).parameters
    for parameter in parameters:
        if parameter not in allowed:
            takes = f"it takes {', '.join(allowed)}" if allowed else "it takes none"
            raise BadParameter(f"{name} has no parameter {parameter!r}; {takes}")
    try:
        return cls(**parameters)
    except PliesError:
        raise
    except (TypeError, ValueError) as error:
        raise BadParameter(f"{name} cannot be made with {parameters}: {error}") from error


def game_class(name: str) -> type[Game]:
    """The class behind a name ("connect-four", "slides:aima") or a place ("my_game.py:MyGame")."""
    if name.startswith(PREFIX):
        name = example(name).game
    if name.startswith(OPEN_SPIEL):
        name = "open-spiel"
    if name.endswith(".py"):
        return _class_in_file(Path(name), "")
    path, _, class_name = name.rpartition(":")
    if path.endswith(".py"):
        return _class_in_file(Path(path), class_name)
    if own := own_game(name):
        return own
    installed = _installed()
    if name not in installed:
        raise UnknownGame(
            f"there is no game {name!r}; there are {', '.join(sorted(installed))}, "
            "or give a file of your own as path/to/file.py:ClassName"
        )
    try:
        found = installed[name].load()
    except Exception as error:
        raise UnknownGame(
            f"{name!r} is installed as {installed[name].value}, which cannot be loaded: {_described(error)}"
        ) from error
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise UnknownGame(f"{name!r} is installed as {installed[name].value}, which is not a plies.Game")
    return found


def function(place: str) -> Callable[..., Any]:
    """The function at a place such as "my_search.py:minimax"."""
    path, _, name = place.strip().rpartition(":")
    if not path.endswith(".py"):
        raise BadParameter(f"a function is given as FILE.py:NAME, not {place.strip()[:80]!r}")
    if not Path(path).is_file():
        raise BadParameter(f"there is no file {path!r}")
    module = load_file(Path(path).resolve())
    found: Callable[..., Any] | None = getattr(module, name, None)
    if found is None or not callable(found):
        own = sorted(key for key, value in vars(module).items() if inspect.isfunction(value))
        raise BadParameter(f"{path} has no function {name!r}; it has {', '.join(own) or 'none'}")
    return found


def parse_parameters(cls: type[Game], words: list[str]) -> dict[str, Any]:
    """Parameters that a person wrote as `width=5`, each read as the type of the parameter's default."""
    allowed = inspect.signature(cls).parameters
    parameters: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or name not in allowed:
            takes = ", ".join(f"{p.name}={_shown(p)}" for p in allowed.values()) or "none"
            raise BadParameter(f"{word!r} is not a parameter of {cls.__name__}; it takes {takes}")
        parameters[name] = _read(text, allowed[name])
    return parameters


def _shown(parameter: inspect.Parameter) -> str:
    """The default as a person would write it."""
    default = parameter.default
    if default is parameter.empty or default is None:
        return "…"
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)


def _read(text: str, parameter: inspect.Parameter) -> Any:
    """A word as the type of the default it replaces, or of the annotation if that is None; tuples are
    comma-separated whole numbers."""
    default, said = parameter.default, str(parameter.annotation)
    kind = "whole numbers with commas between"
    try:
        if isinstance(default, bool):
            kind = "yes or no"
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[
                text.lower()
            ]
        if isinstance(default, int | float):
            kind = "a number" if isinstance(default, float) else "a whole number"
            return type(default)(text)
        if default is None and said in ("int | None", "typing.Optional[int]"):
            kind = "a whole number"
            return int(text)
        if default is None and said in ("float | None", "typing.Optional[float]"):
            kind = "a number"
            return float(text)
        if isinstance(default, tuple):
            return tuple(int(item) for item in text.split(","))
        if default is None and "Sequence[float]" in said:
            kind = "numbers with commas between"
            return tuple(float(item) for item in text.split(","))
    except (ValueError, KeyError):
        raise BadParameter(f"{parameter.name} must be {kind}, not {text!r}") from None
    return text


def own_game(name: str) -> type[Game] | None:
    """The class of a game that comes with Plies, found without reading what else is installed."""
    module = f"plies.games.{name.replace('-', '_')}"
    if not name.replace("-", "").isidentifier() or importlib.util.find_spec(module) is None:
        return None
    try:
        found = getattr(importlib.import_module(module), name.title().replace("-", ""), None)
    except ImportError:  # a module for another library, which is not there
        return None
    return found if isinstance(found, type) and issubclass(found, Game) else None


def _installed() -> dict[str, EntryPoint]:
    """The entry points of all installed games, read once: that takes a thirtieth of a second."""
    return _found_on(tuple(sys.path))


@functools.lru_cache(maxsize=1)
def _found_on(path: tuple[str, ...]) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # whose import takes as long again

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _class_in_file(path: Path, class_name: str) -> type[Game]:
    if not path.is_file():
        raise UnknownGame(f"there is no file {str(path)!r}")
    module = load_file(path.resolve())
    classes = {
        member.__name__: member
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, Game) and member.__module__ == module.__name__
    }
    if not classes:
        raise UnknownGame(f"{path} defines no subclass of plies.Game")
    if not class_name and len(classes) == 1:
        return next(iter(classes.values()))
    if class_name not in classes:
        given = f"{path} has no game {class_name!r}" if class_name else f"{path} has several games"
        raise UnknownGame(f"{given}; name one of {', '.join(f'{path}:{name}' for name in sorted(classes))}")
    return classes[class_name]


def loaded_files() -> list[str]:
    """The files that were imported by `load_file`."""
    files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
    return [
        file
        for name, file in files.items()
        if file and re.search("_[0-9a-f]{8}$", name) and name == _module_name(Path(file))
    ]


def _module_name(path: Path) -> str:
    """A name without points, which would be those of packages."""
    return f"{path.stem.replace('.', '_')}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"


def load_file(path: Path) -> Any:
    """Import a file under a name of its own that stays the same from one process to the next."""
    name = _module_name(path)
    if name in sys.modules:
        return sys.modules[name]
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # so that the file can import its neighbours, as a script can
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnknownGame(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
        where = f", line {lines[-1]}," if lines else ""
        raise UnknownGame(f"{path}{where} could not be run: {_described(error)}") from error
    return module


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
