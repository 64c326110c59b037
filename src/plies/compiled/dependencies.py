"""What compiled code can reach of a game: the attributes it may read, and the fingerprint of all that.

Compiled code sees of a game what is listed here and nothing else, so the fingerprint has all it depends on.
"""

from __future__ import annotations

import dis
import inspect
import itertools
import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plies import rules
from plies.compiled.fingerprint import MISSING, Snapshot, Walk, codes
from plies.game import Game


@dataclass(frozen=True)
class Dependencies:
    """What the rules of a game, and perhaps a kernel, can reach of it."""

    name: str
    """The fingerprint."""
    stable: bool
    """Whether other processes know it by the same name."""
    attributes: frozenset[str]
    """The attributes that code may read."""
    mentioned: frozenset[str]
    """Every name that the code mentions."""
    without: frozenset[str]
    """The rules for which `Game` has to stand in."""


@dataclass
class _Known:
    """What earlier walks over games of one class have found, while all that they have read still stands."""

    snapshot: Snapshot
    mentioned: frozenset[str]
    computed: frozenset[str]
    """Attributes of the class whose values may change: properties, and games. They are read every time."""
    dependencies: dict[str, Dependencies]


_known: dict[tuple[Any, ...], _Known] = {}
_by_name: dict[str, Dependencies] = {}


def dependencies_of(game: Game, names: frozenset[str], without: frozenset[str] = frozenset()) -> Dependencies:
    """What the attributes of these names can reach; for the rules in `without`, `Game` stands in."""
    place = type(game), names, without
    known = _known.get(place)
    if known is not None and not known.snapshot.holds():
        known = None
    if known is not None and (found := known.dependencies.get(_key(game, known))):
        return found
    walk = _GameWalk(game, names, without)
    dependencies = Dependencies(
        walk.name(), walk.stable, frozenset(walk.attributes[id(game)]), frozenset(walk.mentioned), without
    )
    if known is None or not dependencies.mentioned <= known.mentioned or not walk.computed <= known.computed:
        known = _known[place] = _Known(Snapshot(), dependencies.mentioned, frozenset(walk.computed), {})
    known.snapshot.merge(walk.snapshot)
    known.dependencies[_key(game, known)] = dependencies
    _by_name[dependencies.name] = dependencies
    return dependencies


def dependencies_named(name: str) -> Dependencies:
    """The dependencies that a fingerprint was made of."""
    return _by_name[name]


def attribute_of(game: Game, name: str, without: frozenset[str] = frozenset()) -> Any:
    """What code finds under a name: a function, a static or class method, or a value; or `MISSING`."""
    if name in without:
        return getattr(Game, name)
    member = inspect.getattr_static(game, name, MISSING)
    if name in vars(game):
        # A function of the game's own, not of its class, gets no `self`.
        return staticmethod(member) if isinstance(member, types.FunctionType) else member
    if member is MISSING or isinstance(member, types.FunctionType | staticmethod | classmethod):
        return member
    try:
        return getattr(game, name)
    except Exception:  # a property that raises is none that code can read
        return MISSING


def optional_rules(game: Game) -> list[str]:
    """The rules that a game gives itself, which is known when code is compiled."""
    return [rule.name for rule in rules.RULES if game.has(rule.name)]


def attributes_read(walk: Walk) -> frozenset[str]:
    """What the functions of a walk, a kernel and those it calls, ask of what they call `game`."""
    found: set[str] = set()
    for called in walk.functions:
        for code in codes(called.__code__):
            for before, after in itertools.pairwise(dis.get_instructions(code)):
                loaded = (before.argval or ("",))[-1] if isinstance(before.argval, tuple) else before.argval
                if loaded == "game" and before.opname.startswith("LOAD_") and after.opname in _ATTRIBUTE:
                    found.add(after.argval)
    return frozenset(found)


_ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD")


def _key(game: Game, known: _Known) -> str:
    """What tells two games of one class apart, as far as their code can see."""
    walk = Walk(constants_only=True)
    games = [game]
    for one in games:  # grows: the games that this one is made of
        walk.note("game", id(type(one)), optional_rules(one))
        given = vars(one)
        for name in sorted((known.mentioned & given.keys()) | known.computed):
            value = given[name] if name in given else attribute_of(one, name)
            walk.note("attribute", name, value is MISSING)
            if isinstance(value, Game):
                if not any(value is other for other in games):
                    games.append(value)
                walk.note("game", [value is other for other in games].index(True))
            elif isinstance(value, np.ndarray) and name in given:
                _add_array(walk, value)
            elif value is not MISSING:
                walk.add(value)
    return walk.name()


def _add_array(walk: Walk, array: np.ndarray[Any, Any]) -> None:
    """Add an array of a game: its contents are handed in at run time."""
    walk.note("array", array.dtype.descr, array.ndim, array.flags.c_contiguous, array.flags.aligned)


class _GameWalk(Walk):
    """A walk over a game, and over the games it is made of, to all that the names it mentions lead to."""

    def __init__(self, game: Game, names: Iterable[str], without: frozenset[str]) -> None:
        super().__init__(constants_only=True)
        self.computed: set[str] = set()
        self.attributes: dict[int, set[str]] = {}
        """By the id of each game: what code can read of it."""
        self._games: list[Game] = []
        self._without = without
        self._asked: set[tuple[int, str]] = set()
        self.mentioned |= set(names)
        self._enter(game)
        while self._step():
            pass

    def _enter(self, game: Game) -> None:
        self.note("game", type(game).__module__, type(game).__qualname__, optional_rules(game))
        if id(game) in self.attributes:
            return self.note("again", list(self.attributes).index(id(game)))
        self.attributes[id(game)] = set()
        self._games.append(game)
        for cls in type(game).__mro__[:-1]:
            self.snapshot.cls(cls)
        return None

    def _step(self) -> bool:
        """Ask each game and module for the names that it has not been asked for; False if there were none."""
        asked = len(self._asked)
        names = sorted(self.mentioned)
        for game in list(self._games):
            for name in names:
                if (id(game), name) not in self._asked and not name.startswith("__"):
                    self._asked.add((id(game), name))
                    self._ask(game, name)
        for module in list(self.modules):
            for name in names:
                if (id(module), name) not in self._asked:
                    self._asked.add((id(module), name))
                    self.attribute(module, name, None)
        return len(self._asked) > asked

    def _ask(self, game: Game, name: str) -> None:
        member = attribute_of(game, name, self._without if game is self._games[0] else frozenset())
        if name not in vars(game):
            static = inspect.getattr_static(game, name, None)
            plain = isinstance(static, types.FunctionType | staticmethod | classmethod)
            if isinstance(static, Game) or (not plain and hasattr(type(static), "__get__")):
                self.computed.add(name)
        if member is MISSING:
            return
        self.note("member", name)
        self.attributes[id(game)].add(name)
        if isinstance(member, Game):
            self._enter(member)
        elif isinstance(member, np.ndarray) and is_array_of(game, name):
            _add_array(self, member)
        else:
            self.add(member)


def is_array_of(game: Game, name: str) -> bool:
    """Whether an attribute is an array that kernels read at run time, not one that a property makes."""
    return isinstance(inspect.getattr_static(game, name, None), np.ndarray)
