"""The fingerprint of code: it changes whenever anything that the code can reach does.

Functions are followed through their globals, closures, modules and methods down to bytecode and values, so a
changed helper in another file counts and a changed comment does not.
"""

from __future__ import annotations

import enum
import hashlib
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from plies.game import Game

LIBRARIES = {"numpy", "numba", "llvmlite", *sys.stdlib_module_names}
"""Modules that are told by name: their versions are part of every fingerprint."""


def fingerprint(*things: Any) -> tuple[str, bool]:
    """A digest of everything the things can reach, and whether it will be the same in another process."""
    walk = _Walk()
    for thing in things:
        walk.add(thing)
    return walk.digest.hexdigest()[:20], walk.stable


class Methods:
    """Stands for the methods and attributes of an object that its functions of these names can reach."""

    def __init__(self, owner: Any, names: Iterable[str]) -> None:
        self.owner = owner
        self.names = names


class _Walk:
    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.stable = True
        self._seen: dict[Any, int] = {}
        self._alive: list[Any] = []  # an id is only good while its object lives

    def note(self, *words: object) -> None:
        self.digest.update("\x1f".join(map(str, words)).encode() + b"\x1e")

    def add(self, thing: Any, names: frozenset[str] = frozenset()) -> None:
        """Add a value; of a module, only what goes by one of the names is taken."""
        if isinstance(thing, type(None) | type(...) | bool | int | float | complex | str | bytes):
            return self.note(type(thing).__name__, repr(thing))
        if isinstance(thing, self._SHARED):
            if id(thing) in self._seen:
                return self.note("again", self._seen[id(thing)])
            self._seen[id(thing)] = len(self._seen)
            self._alive.append(thing)
        for kind, method in self._KINDS:
            if isinstance(thing, kind):
                return method(self, thing, names)
        if hasattr(thing, "py_func"):  # a function that Numba has compiled
            return self.add(thing.py_func)
        if hasattr(thing, "function") and hasattr(thing, "is_kernel"):
            return self.add(thing.function)
        self.stable = False  # an object whose meaning we cannot tell: good for this process only
        return self.note("object", type(thing).__qualname__, id(thing))

    def _code(self, code: types.CodeType, names: frozenset[str]) -> None:
        self.note("code", code.co_name, code.co_code.hex(), code.co_names, code.co_varnames)
        self.note(code.co_freevars, code.co_cellvars, code.co_argcount, code.co_kwonlyargcount, code.co_flags)
        for constant in code.co_consts:
            self.add(constant)

    def _function(self, function: types.FunctionType, names: frozenset[str]) -> None:
        self.note("function", function.__module__, function.__qualname__)
        self.add(function.__code__)
        self.add(function.__defaults__)
        self.add(function.__kwdefaults__)
        used = _names(function.__code__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.note("cell", name)
            try:
                self.add(cell.cell_contents, used)
            except ValueError:  # a cell not filled yet
                self.note("empty")
        for name in sorted(used & function.__globals__.keys()):
            self.note("global", name)
            self.add(function.__globals__[name], used)

    def _module(self, module: types.ModuleType, names: frozenset[str]) -> None:
        self.note("module", module.__name__)
        if module.__name__.partition(".")[0] in LIBRARIES or (id(module), names) in self._seen:
            return
        self._seen[id(module), names] = len(self._seen)  # another function may use other names of it
        for name in sorted(names & vars(module).keys()):
            self.note("attribute", name)
            self.add(vars(module)[name], names)

    def _class(self, cls: type, names: frozenset[str]) -> None:
        self.note("class", cls.__module__, cls.__qualname__)
        if cls.__module__.partition(".")[0] in LIBRARIES:
            return
        for base in cls.__bases__:
            self.add(base)
        self.note(getattr(cls, "__annotations__", {}))
        for name, member in sorted(vars(cls).items()):
            field = inspect.isdatadescriptor(member) and not isinstance(member, property)
            inherited = getattr(member, "__module__", cls.__module__) != cls.__module__
            if not (name.startswith("__") or name == "_abc_impl" or field or inherited):
                self.note("member", name)
                self.add(member)

    def _methods(self, methods: Methods, names: frozenset[str]) -> None:
        """Follow `self.name` from method to method."""
        done: set[str] = set()
        todo = set(methods.names)
        mentioned = set(methods.names)
        games: list[Game] = []
        while todo:
            name = min(todo)
            todo.remove(name)
            done.add(name)
            member = inspect.getattr_static(methods.owner, name, None)
            self.note("method", name)
            if isinstance(member, property):
                self.add(getattr(methods.owner, name))
                continue
            function = member.__func__ if isinstance(member, staticmethod | classmethod) else member
            if isinstance(function, np.ndarray):
                self.note("array", function.dtype, function.ndim)  # its contents are handed in at run time
            elif isinstance(function, Game):
                games.append(function)
            else:
                self.add(function)
            if isinstance(function, types.FunctionType):
                mentioned |= _names(function.__code__)
                todo |= {name for name in mentioned if hasattr(methods.owner, name)} - done
        for game in games:  # one that this one is made of
            self.note("game", type(game).__qualname__)
            self.add(Methods(game, [name for name in mentioned if hasattr(game, name)]))

    def _sequence(self, items: Any, names: frozenset[str]) -> None:
        self.note(type(items).__qualname__, len(items))
        for item in items:
            self.add(item)

    def _set(self, items: Any, names: frozenset[str]) -> None:
        self.note("set", *sorted(map(repr, items)))

    def _dict(self, items: dict[Any, Any], names: frozenset[str]) -> None:
        self.note("dict", len(items))
        for key, value in items.items():
            self.add(key)
            self.add(value)

    def _array(self, array: np.ndarray[Any, Any], names: frozenset[str]) -> None:
        self.note("array", array.dtype, array.shape)
        self.digest.update(np.ascontiguousarray(array).tobytes())

    def _scalar(self, scalar: np.generic, names: frozenset[str]) -> None:
        self.note("scalar", scalar.dtype, scalar.item())

    def _enum(self, member: enum.Enum, names: frozenset[str]) -> None:
        self.note("enum", type(member).__qualname__, member.name)
        self.add(member.value)

    def _wrapped(self, wrapper: Any, names: frozenset[str]) -> None:
        self.add(wrapper.fget if isinstance(wrapper, property) else wrapper.__func__)

    def _builtin(self, function: Any, names: frozenset[str]) -> None:
        self.note("builtin", getattr(function, "__module__", "numpy"), function.__name__)

    # What may refer to itself. Equal constants may be one object in one process and two in the next.
    _SHARED = (types.FunctionType, type, list, dict, Methods)

    _KINDS: tuple[tuple[Any, Callable[..., None]], ...] = (
        (Methods, _methods),
        (types.CodeType, _code),
        (types.FunctionType, _function),
        (types.ModuleType, _module),
        (type, _class),
        (enum.Enum, _enum),
        (tuple | list, _sequence),
        (set | frozenset, _set),
        (dict, _dict),
        (np.ndarray, _array),
        (np.generic, _scalar),
        (property | staticmethod | classmethod, _wrapped),
        (types.BuiltinFunctionType | np.ufunc, _builtin),
    )


def _names(code: types.CodeType) -> frozenset[str]:
    """Every global or attribute name that code mentions, nested functions included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return frozenset(names)
