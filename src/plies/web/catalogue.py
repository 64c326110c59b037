"""The games of the page: those installed, and those from the files that the server was started with.

No message can name a file or code: a game goes by its name here, and a parameter is a number, a yes or no, or
a text that cannot be the name of a file.
"""

from __future__ import annotations

import inspect
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plies.errors import BadParameter, PliesError, UnknownGame
from plies.game import Game
from plies.network import Learned, load_network
from plies.protocols.player import ExternalPlayer
from plies.registry import game as make_game
from plies.registry import game_class, game_names, parse_parameters
from plies.web.game_form import HIDDEN, game_entry
from plies.web.levels import NO_PROGRAMS

KEPT = 64
"""The most games, with their parameters, that are kept ready. Not tuned."""

MOST_COMPILED = 64
"""The most games, with their parameters, that are ever compiled, which bounds the machine code in memory; any
more are searched interpreted. Not tuned."""

LARGEST_NUMBER = 100_000
"""The largest number of a parameter: a larger board or heap could take all memory. Not tuned."""


class Catalogue:
    """Games by name, made once and kept while they are in use."""

    def __init__(
        self, files: Sequence[str] = (), programs: Mapping[str, ExternalPlayer] = NO_PROGRAMS
    ) -> None:
        """Games of files join those installed; `programs` are players for the latter, by name. A file .npz is
        a network for the searches of its game."""
        self.programs = programs
        self._classes: dict[str, type[Game]] = {}
        for name in game_names():
            try:
                self._classes[name] = game_class(name)
            except PliesError:  # a broken installation of one game must not hide the others
                continue
        self.files = list(files)
        self.file_games = [self._add(file) for file in files if not file.endswith(".npz")]
        self.networks = {file: load_network(file) for file in files if file.endswith(".npz")}
        for file, network in self.networks.items():
            self._check_network(file, network)
        self._games: OrderedDict[tuple[Any, ...], Game] = OrderedDict()
        self._compiled: set[tuple[Any, ...]] = set()
        self._lock = threading.Lock()

    def _add(self, file: str) -> str:
        """Add the game of a file under its own name, or the next free one."""
        cls = game_class(file)
        if any(p.default is p.empty for p in inspect.signature(cls).parameters.values()):
            raise BadParameter(f"{file} cannot be shown: every parameter of the game needs a default")
        name = cls().name
        count = 2
        while name in self._classes:
            name, count = f"{cls().name}-{count}", count + 1
        self._classes[name] = cls
        return name

    def _check_network(self, file: str, network: Learned) -> None:
        """Refuse a network that is for none of the games."""
        name, parameters = network.about.get("game"), network.about.get("parameters")
        if name not in self._classes or not isinstance(parameters, dict):
            raise BadParameter(f"{file!r} is a network for no game that is served: it says {name!r:.40}")
        try:
            game = self._classes[name](**parameters)
        except (TypeError, ValueError) as error:
            raise BadParameter(f"{file!r} is a network for {name} with other parameters: {error}") from None
        network.check(game)

    def _with_network(self, game: Game) -> Game:
        """A game, with the network that fits it, if there is one."""
        for file, network in self.networks.items():
            if network.fits(game):
                game.network_file = str(Path(file).absolute())
        return game

    @property
    def names(self) -> list[str]:
        """The names of all games, those from files first."""
        return [*self.file_games, *(name for name in self._classes if name not in self.file_games)]

    def summary(self) -> list[dict[str, Any]]:
        """Name, title, rules and parameters of every game, and whether it is `own`: from a file."""
        own = set(self.file_games)
        return [game_entry(name, self._classes[name]) | {"own": name in own} for name in self.names]

    def game(self, name: str, parameters: Sequence[tuple[str, str]] = ()) -> Game:
        """The game of that name with these parameters; the same object while it is in use."""
        key = (name, tuple(sorted(parameters)))
        with self._lock:
            if key in self._games:
                self._games.move_to_end(key)
                return self._games[key]
        game = self._made(name, parameters)
        with self._lock:
            game = self._games.setdefault(key, game)
            while len(self._games) > KEPT:
                self._games.popitem(last=False)
        return game

    def searched(self, name: str, parameters: Sequence[tuple[str, str]] = ()) -> Game:
        """The game for a search: interpreted, once `MOST_COMPILED` others have been compiled."""
        game, key = self.game(name, parameters), (name, tuple(sorted(parameters)))
        with self._lock:
            if len(self._compiled) < MOST_COMPILED:
                self._compiled.add(key)
            elif key not in self._compiled:
                game.compiled = False
        return game

    def _made(self, name: str, parameters: Sequence[tuple[str, str]]) -> Game:
        if name not in self._classes:
            raise UnknownGame(f"there is no game {name[:40]!r}")
        cls = self._classes[name]
        for parameter, _ in parameters:
            if parameter in HIDDEN:
                raise BadParameter(f"{parameter} cannot be set on the page")
        values = parse_parameters(cls, [f"{parameter}={text}" for parameter, text in parameters])
        for parameter, value in values.items():
            _check(parameter, value, inspect.signature(cls).parameters[parameter].default)
        if self._classes[name] is not _installed(name):
            try:
                return self._with_network(cls(**values))
            except (TypeError, ValueError) as error:
                raise BadParameter(f"{name} does not take these parameters: {error}") from None
        return self._with_network(make_game(name, **values))


def _installed(name: str) -> type[Game] | None:
    return game_class(name) if name in game_names() else None


def _check(name: str, value: Any, default: Any) -> None:
    """Refuse numbers that are too large, and texts that could name a file."""
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, int | float) and not abs(number) <= LARGEST_NUMBER:
            raise BadParameter(f"{name} must be at most {LARGEST_NUMBER:,} on the page")
    if not isinstance(value, str) or value.lstrip()[:1] in ("[", "{"):
        return
    if not (default is None or isinstance(default, str)):
        raise BadParameter(f"{name} must be JSON on the page, such as [[3, 12, 8], [2, 4, 6]]")
    lone = "" if "\n" in value else "."  # a drawing of several lines may hold dots
    if any(sign in value for sign in f"/\\:~\0{lone}"):
        raise BadParameter(f"{name} must be a word or a drawing: the page reads no files")
