"""Code that travels: games and players as JSON, with the source text of the user's own files.

What comes with Plies or another installed package is named; a module in a file of its own is sent as text,
with those beside it that it imports. This is for machines of the same user, who runs their own code there.
"""

from __future__ import annotations

import ast
import atexit
import base64
import contextlib
import hashlib
import importlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from plies.compiled import disk_cache
from plies.compiled.source_fingerprint import VALUES, source_fingerprint
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Game, parameters_of

PLAIN = (str, int, float, bool, type(None))

PLAYED = VALUES | {"evaluate"}
"""The rules on which games between players of Plies depend."""


class Code:
    """Describes games, functions and values as JSON, and collects the files that they come from."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

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
        file = _own_file(module)
        if file is None:
            return {"module": module, "name": name}
        self._add(file)
        return {"module": module, "name": name, "file": file.name}

    def _add(self, file: Path) -> None:
        """Take in a file, and those beside it that it imports."""
        if file.name in self.files:
            return
        try:
            self.files[file.name] = source = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PliesError(f"{str(file)!r} cannot be read, and so not be sent: {error}") from None
        for node in ast.walk(ast.parse(source)):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for name in names:
                beside = file.with_name(f"{name.partition('.')[0]}.py")
                if beside.is_file():
                    self._add(beside)

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

    def __init__(self, files: dict[str, str]) -> None:
        self.folder = _unpacked(files) if files else None

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
            if module not in sys.modules and file is not None and self.folder is not None:
                _load(module, self.folder / file)
            return _found(importlib.import_module(module), data["name"])
        except (ImportError, AttributeError) as error:
            raise PliesError(f"another process cannot import what is worked on here: {error}") from None

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


def _own_file(module: str) -> Path | None:
    """The file of a module that is no part of a package and not installed; None for others."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if not file or "." in module or module in sys.stdlib_module_names:
        return None
    path = Path(file).resolve()
    if path.suffix != ".py" or path.name == "__init__.py":
        return None
    return None if {"site-packages", "dist-packages"} & set(path.parts) else path


def _unpacked(files: dict[str, str]) -> Path:
    """A folder with these files, the same one for the same files."""
    for name in files:
        if Path(name).name != name or not name.endswith(".py"):
            raise PliesError(f"a job brings a file of the name {name[:80]!r}, which is no name of a module")
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:32]
    try:
        folder = _folder(digest)
        for name, text in files.items():
            path, data = folder / name, text.encode()
            if not path.is_file() or path.read_bytes() != data:
                new = path.with_name(f"{name}.{os.getpid()}")
                new.write_bytes(data)
                new.replace(path)
    except OSError as error:
        raise PliesError(f"the files of a job cannot be kept: {error}") from None
    return folder


def _folder(digest: str) -> Path:
    """The folder for files of that digest in the cache or, where nothing can be kept, for this process."""
    root = disk_cache.folder()
    if root is not None and not disk_cache.trouble():
        with contextlib.suppress(OSError):
            folder = root / f"{disk_cache.SOURCES}{digest}"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.utime(folder)  # it counts as used
            return folder
    folder = Path(tempfile.mkdtemp(prefix="plies-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _load(module: str, path: Path) -> None:
    """Import a file under the name that it has where it comes from: compiled code is kept by it."""
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))  # so that it finds its neighbours
    spec = importlib.util.spec_from_file_location(module, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    sys.modules[module] = made = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(made)
    except BaseException as error:
        with contextlib.suppress(KeyError):
            del sys.modules[module]
        raise PliesError(f"{path.name} could not be run: {type(error).__name__}: {error}") from error
