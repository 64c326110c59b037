"""What compiled code depends on of a game: the attributes it may read, and the fingerprint of all these.

Compiled code sees nothing else of a game, so the fingerprint covers all it depends on.
"""

from __future__ import annotations

import dis
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
    """What the rules of a game, and possibly a kernel, can reach of it."""

    name: str
    """The fingerprint."""
    stable: bool
    """Whether the fingerprint is the same in other processes."""
    attributes: frozenset[str]
    """The attributes that code may read."""
    mentioned: frozenset[str]
    """Every name that the code mentions."""
    without: frozenset[str]
    """The rules that are replaced by the defaults of `Game`."""


@dataclass
class _Known:
    """The results of earlier walks over games of one class, valid while all that they read is unchanged."""

    snapshot: Snapshot
    mentioned: frozenset[str]
    computed: frozenset[str]
    """Attributes of the class whose values may change: properties and games. They are read every time."""
    dependencies: dict[str, Dependencies]


_known: dict[tuple[Any, ...], _Known] = {}
_by_name: dict[str, Dependencies] = {}


def dependencies_of(game: Game, names: frozenset[str], without: frozenset[str] = frozenset()) -> Dependencies:
    """What the attributes of these names can reach; the rules in `without` are replaced by `Game`'s."""
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
    """The dependencies of a fingerprint."""
    return _by_name[name]


def attribute_of(game: Game, name: str, without: frozenset[str] = frozenset()) -> Any:
    """The attribute that code finds: a function, a static or class method, or a value; or `MISSING`."""
    if name in without:
        return getattr(Game, name)
    member = _static(game, name)
    if name in vars(game):
        # A function of the game's own, not of its class, gets no `self`.
        return staticmethod(member) if isinstance(member, types.FunctionType) else member
    if member is MISSING or isinstance(member, types.FunctionType | staticmethod | classmethod):
        return member
    try:
        return getattr(game, name)
    except Exception:  # code cannot read a property that raises
        return MISSING


def optional_rules(game: Game) -> list[str]:
    """The rules that a game defines itself, known at compile time."""
    return [rule.name for rule in rules.RULES if game.has(rule.name)]


def attributes_read(walk: Walk) -> frozenset[str]:
    """The attributes that the functions of a walk read of their variable `game`."""
    found: set[str] = set()
    for called in walk.functions:
        for code in codes(called.__code__):
            if "game" not in (*code.co_varnames, *code.co_freevars, *code.co_cellvars, *code.co_names):
                continue
            for before, after in itertools.pairwise(dis.get_instructions(code)):
                loaded = (before.argval or ("",))[-1] if isinstance(before.argval, tuple) else before.argval
                if loaded == "game" and before.opname.startswith("LOAD_") and after.opname in _ATTRIBUTE:
                    found.add(after.argval)
    return frozenset(found)


_ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD")
"""Python's instructions that read an attribute."""


def _key(game: Game, known: _Known) -> str:
    """The differences between games of one class that their code can see, as a digest."""
    walk = Walk(constants_only=True)
    games = [game]
    for one in games:  # grows by nested games
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
    """Add an array of a game: its type only, as its contents are read at run time."""
    walk.note("array", array.dtype.descr, array.ndim, array.flags.c_contiguous, array.flags.aligned)


class _GameWalk(Walk):
    """A walk over a game and its nested games, to everything that the names in its code refer to."""

    def __init__(self, game: Game, names: Iterable[str], without: frozenset[str]) -> None:
        super().__init__(constants_only=True)
        self.computed: set[str] = set()
        self.attributes: dict[int, set[str]] = {}
        """By the id of each game: the attributes that code can read."""
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
        """Look up all new names in each game and module; False if there were none."""
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
            static = _static(game, name)
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
    """Whether an attribute is an array that kernels read at run time, not one made by a property."""
    return isinstance(_static(game, name), np.ndarray)


def _static(game: Game, name: str) -> Any:
    """An attribute as `inspect.getattr_static` finds it, but quicker; or `MISSING`."""
    member = next((vars(cls)[name] for cls in type(game).__mro__ if name in vars(cls)), MISSING)
    own = vars(game).get(name, MISSING)
    return member if own is MISSING or hasattr(type(member), "__set__") else own
