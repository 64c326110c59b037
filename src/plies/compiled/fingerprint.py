"""The fingerprint of code: it changes whenever anything that the code depends on changes.

Functions are followed through their globals, closures, modules and methods down to bytecode and values, so a
changed helper in another file counts, and a changed comment does not.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import os
import sys
import types
from collections.abc import Callable, Iterator
from itertools import repeat
from operator import attrgetter, is_, itemgetter
from typing import Any

import numpy as np

LIBRARIES = {"numpy", "numba", "llvmlite", *sys.stdlib_module_names}
"""Modules that are identified by name: their versions are part of every fingerprint."""

_STANDARD, _CACHED = os.path.dirname(os.__file__), functools._lru_cache_wrapper

# Members of a class that say nothing about its code: where and how it was written, and what Python adds.
_NOT_CODE = {
    *(
        "__dict__",
        "__weakref__",
        "__doc__",
        "__module__",
        "__slotnames__",  # which `copy` and `pickle` note on a class
        "__annotations__",
        "__annotate__",
        "__orig_bases__",
    ),
    *("__firstlineno__", "__static_attributes__", "__parameters__", "__annotate_func__", "__qualname__"),
    *("__annotations_cache__", "__abstractmethods__", "_abc_impl"),
}

_strangers: list[Any] = []  # objects identified by id, which is valid only while they live


def fingerprint(*things: Any) -> tuple[str, bool]:
    """A digest of everything that the things depend on, and whether it is the same in other processes."""
    walk = Walk()
    for thing in things:
        walk.add(thing)
    return walk.name(), walk.stable


def is_library(module: str | None) -> bool:
    """Whether a module is identified by name. A user's own file may have the name of a standard module."""
    top = (module or "").partition(".")[0]
    if top not in LIBRARIES or top not in sys.modules:
        return False
    file = getattr(sys.modules[top], "__file__", None)
    return file is None or top not in sys.stdlib_module_names or _is_standard(file)


def is_library_function(function: types.FunctionType) -> bool:
    """Whether a function is identified by name: it is, by module and by file, of a library."""
    if not is_library(function.__module__):
        return False
    file = function.__code__.co_filename
    home = getattr(sys.modules[function.__module__.partition(".")[0]], "__file__", None) or _STANDARD
    return file.startswith(("<frozen", os.path.dirname(home))) or _is_standard(file)


def _is_standard(file: str) -> bool:
    return file.startswith(_STANDARD) and "site-packages" not in file


class Snapshot:
    """What a walk has read, and whether it is unchanged: a rule may be patched, a global reassigned."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[Any, dict[str, Any]]] = {}
        self._functions: dict[int, tuple[Any, ...]] = {}
        self._classes: dict[int, tuple[Any, ...]] = {}
        self._arrays: dict[int, tuple[Any, Any]] = {}

    def look(self, namespace: Any, name: str) -> Any:
        """Read a name, or `MISSING`."""
        value = namespace.get(name, MISSING)
        self._names.setdefault(id(namespace), (namespace, {}))[1][name] = value
        return value

    def function(self, function: types.FunctionType) -> None:
        cells = tuple(map(_contents, function.__closure__ or ()))
        self._functions[id(function)] = function, *(getattr(function, name) for name in _PARTS), cells

    def cls(self, cls: type) -> None:
        self._classes[id(cls)] = cls, cls.__bases__, _members(cls)

    def array(self, array: np.ndarray[Any, Any]) -> None:
        if array.flags.writeable or array.base is not None:
            self._arrays[id(array)] = array, (array.dtype, array.shape, array.tobytes())

    def merge(self, other: Snapshot) -> None:
        """Add what another snapshot has."""
        for namespace, names in other._names.values():
            self._names.setdefault(id(namespace), (namespace, {}))[1].update(names)
        self._functions |= other._functions
        self._classes |= other._classes
        self._arrays |= other._arrays

    def holds(self) -> bool:
        """Whether nothing has changed; quick, as every new search asks."""
        return (
            all(
                all(map(is_, map(namespace.get, names, repeat(MISSING)), names.values()))
                for namespace, names in self._names.values()
            )
            and self._functions_hold()
            and all(
                cls.__bases__ == bases and _same(_members(cls), before)
                for cls, bases, before in self._classes.values()
            )
            and all(
                (array.dtype, array.shape, array.tobytes()) == before
                for array, before in self._arrays.values()
            )
        )

    def _functions_hold(self) -> bool:
        parts = self._functions.values()
        functions = list(map(itemgetter(0), parts))
        return all(
            all(map(is_, map(attrgetter(name), functions), map(itemgetter(place), parts)))
            for place, name in enumerate(_PARTS, 1)
        ) and all(
            _same(tuple(cells), tuple(map(_contents, function.__closure__)))
            for function, *_, cells in parts
            if cells
        )


def _members(cls: type) -> tuple[Any, ...]:
    """Names and members of a class, but for what Python adds when an object is first copied or pickled."""
    kept = {name: member for name, member in vars(cls).items() if name != "__slotnames__"}
    return (*kept, *kept.values())


MISSING = object()
"""Stands for an attribute or a global that does not exist."""


_PARTS = ("__code__", "__defaults__", "__kwdefaults__")
"""The parts of a function that can be changed, besides the contents of its closure."""


def _contents(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return MISSING


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two tuples hold the same objects: equal ones, such as 1 and True, are not enough."""
    return len(one) == len(other) and all(map(is_, one, other))


class Walk:
    """A walk over values and code, which collects a digest, the names in the code, and a snapshot."""

    def __init__(self, constants_only: bool = False) -> None:
        self.constants_only = constants_only
        """Whether to ignore the contents of lists, dicts and sets: they cannot be constants of compiled code,
        and a rule that does not compile may use one as a cache."""
        self.stable = True
        self.mentioned: set[str] = set()
        """Every name of an attribute that code may read, also by `getattr` with a string."""
        self.modules: list[types.ModuleType] = []
        """Modules that were met as values, so that any code may read any name it mentions of them."""
        self.functions: list[types.FunctionType] = []
        """The functions that were met."""
        self.snapshot = Snapshot()
        self._digest = hashlib.sha256()
        self._seen: dict[Any, int] = {}
        self._alive: list[Any] = []  # an id is only valid while its object lives

    def name(self) -> str:
        """The digest so far."""
        return self._digest.hexdigest()[:20]

    def note(self, *words: object) -> None:
        self._digest.update("\x1f".join(map(str, words)).encode("utf-8", "surrogatepass") + b"\x1e")

    def add(self, thing: Any, names: frozenset[str] | None = None) -> None:
        """Add a value; of a module, its attributes of these names, or of any name that is mentioned
        anywhere."""
        kind = type(thing)
        if kind in (type(None), type(...), type(NotImplemented), bool, int, float, complex, str, bytes):
            if kind is str:
                self.mentioned.add(thing)
            return self.note(kind.__name__, repr(thing))
        if isinstance(thing, self._SHARED):
            if id(thing) in self._seen:
                return self.note("again", self._seen[id(thing)])
            self._seen[id(thing)] = len(self._seen)
            self._alive.append(thing)
        for kinds, method in self._KINDS:
            if isinstance(thing, kinds):
                return method(self, thing, names)
        if hasattr(thing, "py_func"):  # a function that Numba has compiled
            self.note("compiled", sorted(getattr(thing, "targetoptions", {}).items()))
            return self.add(thing.py_func)
        if hasattr(thing, "function") and hasattr(thing, "is_kernel"):
            return self.add(thing.function)
        self.stable = False  # an object of unknown meaning: valid in this process only
        _strangers.append(thing)
        return self.note("object", kind.__qualname__, id(thing))

    def _code(self, code: types.CodeType, names: frozenset[str] | None) -> None:
        self.mentioned |= set(code.co_names)
        self.note("code", code.co_name, code.co_code.hex(), code.co_names, code.co_varnames)
        self.note(code.co_freevars, code.co_cellvars, code.co_argcount, code.co_posonlyargcount)
        self.note(code.co_kwonlyargcount, code.co_flags, code.co_exceptiontable.hex())
        for constant in code.co_consts:
            self.add(constant)

    def _function(self, function: types.FunctionType, names: frozenset[str] | None) -> None:
        self.note(
            "function", function.__module__, function.__qualname__, getattr(function, "noinline", False)
        )
        if is_library_function(function):
            return
        self.snapshot.function(function)
        self.functions.append(function)
        used = _names(function.__code__)
        self.add(function.__code__)
        for defaults in (function.__defaults__, function.__kwdefaults__):
            self.add(tuple(defaults.items()) if isinstance(defaults, dict) else defaults, used)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.note("cell", name)
            contents = _contents(cell)
            if contents is not MISSING:
                self.add(contents, used)
        for name in sorted(used):
            value = self.snapshot.look(function.__globals__, name)
            if value is not MISSING:
                self.note("global", name)
                self.add(value, used)

    def _module(self, module: types.ModuleType, names: frozenset[str] | None) -> None:
        self.note("module", module.__name__)
        if is_library(module.__name__):
            return
        if names is None:
            self.modules.append(module)
        elif (id(module), names) not in self._seen:
            self._seen[id(module), names] = len(self._seen)  # another function may use other names of it
            self._alive.append(module)
            for name in sorted(names):
                self.attribute(module, name, names)

    def attribute(self, module: types.ModuleType, name: str, names: frozenset[str] | None) -> None:
        """Add an attribute of a module, if it has it."""
        value = self.snapshot.look(vars(module), name)
        if value is MISSING and "__getattr__" in vars(module) and not name.startswith("__"):
            value = getattr(module, name, MISSING)  # loaded on first use
        if value is not MISSING:
            self.note("attribute", name)
            self.add(value, names)

    def _class(self, cls: type, names: frozenset[str] | None) -> None:
        self.note("class", cls.__module__, cls.__qualname__)
        if is_library(cls.__module__):
            return
        self.snapshot.cls(cls)
        for base in cls.__bases__:
            self.add(base)
        for name, member in sorted(vars(cls).items()):
            hidden = issubclass(cls, enum.Enum) and name.startswith("_")  # tables of the members
            if not hidden and name not in _NOT_CODE and not _is_made_by_python(name, member):
                self.note("member", name)
                self.add(member)

    def _sequence(self, items: Any, names: frozenset[str] | None) -> None:
        if self.constants_only and isinstance(items, list):
            return self.note("list")
        self.note(type(items).__qualname__, len(items))
        if type(items) not in (tuple, list):
            self.add(type(items))
        for item in items:
            self.add(item, names)
        return None

    def _set(self, items: Any, names: frozenset[str] | None) -> None:
        if self.constants_only and isinstance(items, set):
            return self.note("set")
        self.note(type(items).__qualname__, len(items))
        for item in sorted(items, key=repr):
            self.add(item)
        return None

    def _dict(self, items: dict[Any, Any], names: frozenset[str] | None) -> None:
        if self.constants_only:
            return self.note("dict")
        self.note("dict", len(items))
        for key, value in items.items():
            self.add(key)
            self.add(value, names)
        return None

    def _array(self, array: np.ndarray[Any, Any], names: frozenset[str] | None) -> None:
        self.note("array", array.dtype.descr, array.shape, array.flags.c_contiguous, array.flags.f_contiguous)
        if array.dtype.hasobject:
            return self.add(array.tolist())
        self.snapshot.array(array)
        self._digest.update(np.ascontiguousarray(array).tobytes())
        return None

    def _scalar(self, scalar: np.generic, names: frozenset[str] | None) -> None:
        self.note("scalar", scalar.dtype.descr, repr(scalar.item()))

    def _enum(self, member: enum.Enum, names: frozenset[str] | None) -> None:
        self.note("enum", member.name)
        self.add(type(member))
        self.add(member.value)

    def _number(self, value: Any, names: frozenset[str] | None) -> None:
        """Add a number or string of a user's own class."""
        base = next(kind for kind in (int, float, complex, str, bytes) if isinstance(value, kind))
        self.note("of class")
        self.add(type(value))
        self.add(base(value))

    def _wrapped(self, wrapper: Any, names: frozenset[str] | None) -> None:
        self.note(type(wrapper).__name__)
        if isinstance(wrapper, property):
            self.add((wrapper.fget, wrapper.fset, wrapper.fdel))
        else:
            self.add(getattr(wrapper, "__func__", None) or wrapper.__wrapped__)  # the latter of a cache
        if isinstance(wrapper, types.MethodType):
            self.add(wrapper.__self__)

    def _partial(self, partial: functools.partial[Any], names: frozenset[str] | None) -> None:
        self.note("partial")
        for part in (partial.func, partial.args, dict(partial.keywords)):
            self.add(part)

    def _builtin(self, function: Any, names: frozenset[str] | None) -> None:
        self.note("builtin", getattr(function, "__module__", "numpy"), function.__name__)
        holder = getattr(function, "__self__", None)
        if not isinstance(holder, types.ModuleType | None):  # a method of some object
            self.add(holder)

    def _told(self, thing: Any, names: frozenset[str] | None) -> None:
        self.note(type(thing).__name__, repr(thing))

    # Types that may refer to themselves. Equal constants may be one object in one process and two in the
    # next.
    _SHARED = (types.FunctionType, type, list, dict)

    _KINDS: tuple[tuple[Any, Callable[..., None]], ...] = (
        (types.CodeType, _code),
        (types.FunctionType, _function),
        (types.ModuleType, _module),
        (type, _class),
        (enum.Enum, _enum),
        (tuple | list, _sequence),
        (set | frozenset, _set),
        (dict | types.MappingProxyType, _dict),
        (np.ndarray, _array),
        (np.generic, _scalar),
        (int | float | complex | str | bytes, _number),
        (property | staticmethod | classmethod | types.MethodType | _CACHED, _wrapped),
        (functools.partial, _partial),
        (types.BuiltinFunctionType | np.ufunc, _builtin),
        (range | slice | np.dtype, _told),
    )


def _is_made_by_python(name: str, member: Any) -> bool:
    """Whether a member of a class was made by a NamedTuple, a slot or an enum, and is no code of its own."""
    function = getattr(member, "__func__", member)
    if isinstance(function, types.FunctionType):
        made = name == "__new__" and function.__code__.co_filename.startswith("<")  # of a NamedTuple
        return made or is_library_function(function)
    if isinstance(member, property | staticmethod | classmethod | functools.cached_property):
        return False
    return hasattr(type(member), "__get__") and hasattr(type(member), "__set__")


def _names(code: types.CodeType) -> frozenset[str]:
    """Every global or attribute name in code, with nested functions."""
    return frozenset(name for inner in codes(code) for name in inner.co_names)


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Code and the code of the functions nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)
