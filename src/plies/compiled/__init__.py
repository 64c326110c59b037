"""Kernels: functions of a game and a state, as machine code or interpreted.

A kernel is one Python function over `game` and `state`, such as `for action in game.actions(state): …`. For a
game that compiles it runs as machine code, kept on disk for the next process; for any other game the same
function runs interpreted. Numba is imported when the first kernel is compiled, not before.
"""

from __future__ import annotations

import os
import threading
import types
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from plies import rules
from plies.compiled.dependencies import Dependencies, attributes_read, dependencies_of
from plies.compiled.fingerprint import Snapshot, Walk
from plies.compiled.workspace import Record, Workspace
from plies.errors import NotCompilable, PliesWarning
from plies.game import Game

if TYPE_CHECKING:
    from plies.compiled.background import Compilation
    from plies.compiled.label import Label

RULES = (*(rule.name for rule in rules.RULES), *rules.FACTS)
"""The rules and facts of a game that the engine's kernels may read."""

_lock = threading.RLock()  # Numba's compiler is entered by one thread at a time
_preparing = threading.Lock()
_RULES = frozenset(RULES)


def interpreting() -> bool:
    """Whether compilation is switched off for the whole process, as for coverage."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def fingerprint_of(game: Game) -> tuple[str, bool]:
    """The fingerprint of a game's rules and parameters, and whether it is the same in other processes.

    Two games with the same fingerprint share machine code.
    """
    dependencies = dependencies_of(game, _RULES)
    return dependencies.name, dependencies.stable


class Kernel:
    """A function `f(game, state, …)` written once: compiled for a game that allows it, else interpreted."""

    is_kernel = True

    def __init__(self, function: Callable[..., Any], rule: str | None = None) -> None:
        assert isinstance(function, types.FunctionType)
        self.function = function
        self.rule = rule
        """The rule that this kernel tests, if it is there to test one."""
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self._interpreted: types.FunctionType | None = None
        self._compiled: dict[tuple[Any, ...], Callable[..., Any] | NotCompilable] = {}
        self._settled: set[tuple[Any, ...]] = set()
        self._compilations: dict[tuple[Any, ...], Compilation] = {}
        self._labels: dict[tuple[Any, ...], Label] = {}
        self._code = ""
        self._reads: frozenset[str] = frozenset()
        self._snapshot: Snapshot | None = None

    def __call__(self, game: Game, *args: Any) -> Any:
        """Run for this game: as machine code if it compiles, else interpreted, unless `compiled` is True."""
        return self.best_for(game, *args)(game, *args)

    def best_for(self, game: Game, *args: Any, off: frozenset[str] = frozenset()) -> Callable[..., Any]:
        """The function that `__call__` runs for a game and arguments of these types.

        Fields of records named in `off` are 0 at every call: what they switch on is not compiled.
        """
        if game.compiled is False or interpreting():
            return self.interpreted
        try:
            return self.compiled_for(game, *args, off=off)
        except NotCompilable as reason:
            if game.compiled:
                raise
            _warn(game, f"{reason}; all of {type(game).__name__} runs interpreted, a hundred times slower")
            return self.interpreted

    @property
    def interpreted(self) -> Callable[..., Any]:
        """The kernel as plain Python, the kernels it calls included."""
        if self._interpreted is None:
            scope = dict(self.function.__globals__)
            self._interpreted = copied(self.function, scope)
            for name, other in self._kernels().items():
                scope[name] = self._interpreted if other is self else other.interpreted
        return self._interpreted

    def is_ready(self, game: Game, *args: Any, off: frozenset[str] = frozenset()) -> bool:
        """Whether `best_for` need not compile: its answer is in memory, on disk, or interpreted.

        This does without Numba.
        """
        if game.compiled is False or interpreting():
            return True
        if self._key(self._dependencies(game), args, off) in self._settled:
            return True
        from plies.compiled import disk_cache

        if not disk_cache.has_any(self.__name__, type(game).__name__):  # a label takes LLVM to find out
            return False
        label = self._label(game, self._dependencies(game), args, off)
        return label.stable and disk_cache.has(label.name)

    def prepare(self, game: Game, *args: Any, off: frozenset[str] = frozenset()) -> Compilation:
        """Begin to compile for a game and arguments of these types in the background, unless that is under
        way; if the compiler has crashed, it is not tried again."""
        from plies.compiled import background

        dependencies = self._dependencies(game)
        key = self._key(dependencies, args, off)
        with _preparing:
            known = self._compilations.get(key)
            if known is None or (known.done and not known.crashed):
                known = background.begin(self, game, background.sample(args), off)
                self._compilations[key] = known
        return known

    def identity(self, game: Game, *args: Any, off: frozenset[str] = frozenset()) -> tuple[str, bool]:
        """What tells this kernel's code, for a game and arguments of these types, from other code of the same
        compiler; and whether it is the same in other processes."""
        dependencies = self._dependencies(game)
        kinds = repr([_kind(arg) for arg in args])
        return f"{self._code} {dependencies.name} {sorted(off)} {kinds}", dependencies.stable

    def _label(
        self, game: Game, dependencies: Dependencies, args: tuple[Any, ...], off: frozenset[str]
    ) -> Label:
        from plies.compiled.label import changed_settings, label_of

        key = (*self._key(dependencies, args, off), type(game), *changed_settings())
        if key not in self._labels:
            self._labels[key] = label_of(self, game, dependencies, (off, *map(_kind, args)))
        return self._labels[key]

    def compiled_for(self, game: Game, *args: Any, off: frozenset[str] = frozenset()) -> Callable[..., Any]:
        """The kernel as machine code for a game and arguments of these types, or raise `NotCompilable`.

        A heuristic rule that does not compile is left out, with a warning; then `off` is ignored, since other
        heuristics may take its place.
        """
        dependencies = self._dependencies(game)
        key = self._key(dependencies, args, off)
        if key in self._settled or self.rule is not None:
            return self._made_for(dependencies, game, args, off)
        from plies.compiled import background

        with background.noted(self, game, args, off):
            try:
                return self._made_for(dependencies, game, args, off)
            finally:
                if key in self._compiled:  # or else it could not be compiled now
                    self._settled.add(key)

    def _made_for(
        self, dependencies: Dependencies, game: Game, args: tuple[Any, ...], off: frozenset[str]
    ) -> Callable[..., Any]:
        found = self._compiled_with(dependencies, game, args, off)
        if isinstance(found, NotCompilable) and self.rule is None and (left_out := omitted(game)):
            found = self._compiled_with(self._dependencies(game, frozenset(left_out)), game, args)
            if not isinstance(found, NotCompilable):
                for rule, reason in left_out.items():
                    if game.compiled:
                        raise reason
                    _warn(game, f"{reason}; searches do without {rule}()")
        if isinstance(found, NotCompilable):
            raise found
        return found

    def _dependencies(self, game: Game, without: frozenset[str] = frozenset()) -> Dependencies:
        """What this kernel depends on of a game without some of its rules."""
        if self._snapshot is None or not self._snapshot.holds():
            self._look()
        return dependencies_of(game, _RULES | self._reads, without)

    def _key(self, dependencies: Dependencies, args: tuple[Any, ...], off: frozenset[str]) -> tuple[Any, ...]:
        return (self._code, dependencies.name, off, *map(_kind, args))

    def _compiled_with(
        self,
        dependencies: Dependencies,
        game: Game,
        args: tuple[Any, ...],
        off: frozenset[str] = frozenset(),
    ) -> Callable[..., Any] | NotCompilable:
        """The machine code for a game of which it depends on this, or why there is none."""
        key = self._key(dependencies, args, off)
        if key not in self._compiled:
            with _lock:
                if key not in self._compiled:
                    self._compiled[key] = self._compile(game, dependencies, args, off)
        return self._compiled[key]

    def _look(self) -> None:
        """Note the current code of this kernel, and what it reads of a game."""
        walk = Walk(constants_only=True)
        walk.add(self.function)
        self._code, self._reads, self._snapshot = walk.name(), attributes_read(walk), walk.snapshot

    def _compile(
        self, game: Game, dependencies: Dependencies, args: tuple[Any, ...], off: frozenset[str]
    ) -> Any:
        from plies.compiled import disk_cache
        from plies.compiled.label import from_disk

        label = self._label(game, dependencies, args, off)
        kept = from_disk(label, game)
        if not isinstance(kept, disk_cache.Entry | None):
            return kept
        from plies.compiled import compiler

        token = rule_tried.set(self.rule)
        try:
            return compiler.compile_kernel(self, game, label, args, off, kept)
        finally:
            rule_tried.reset(token)

    def _kernels(self) -> dict[str, Kernel]:
        """The kernels that this one calls, by the names it calls them."""
        scope = self.function.__globals__
        found = {name: scope.get(name) for name in self.function.__code__.co_names}
        return {name: value for name, value in found.items() if isinstance(value, Kernel)}

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}>"


def kernel(function: Callable[..., Any]) -> Kernel:
    """Make a function of `game` and `state` a kernel.

    It must read the game's rules and attributes by the name `game`; its machine code depends on each of them.
    """
    return Kernel(function)


def omitted(game: Game) -> dict[str, NotCompilable]:
    """The rules of a game that compiled code leaves out, each with the reason why it does not compile.

    There are none if a rule that cannot be omitted does not compile: then the whole game runs interpreted.
    """
    name = fingerprint_of(game)[0]
    if name not in _omitted:
        from plies.compiled import rule_kernels

        with _lock:
            _omitted[name] = rule_kernels.omitted(game)
    return _omitted[name]


def usable(game: Game, rule: str) -> bool:
    """Whether a game defines an optional rule that kernels can use, compiled or interpreted as they run.

    To be called after `Kernel.best_for`.
    """
    if not game.has(rule):
        return False
    return not _omitted or rule not in _omitted.get(fingerprint_of(game)[0], {})


_omitted: dict[str, dict[str, NotCompilable]] = {}
rule_tried: ContextVar[str | None] = ContextVar("rule_tried", default=None)
"""The rule that is compiled by itself as a test, so that no other rule is blamed."""

_warned: set[tuple[type, str]] = set()


def _warn(game: Game, words: str) -> None:
    """Warn, once, that a game is slower than it could be."""
    if (type(game), words) not in _warned:
        _warned.add((type(game), words))
        hint = "`plies check` explains it, and `compiled = False` in the class ends this warning"
        warnings.warn(f"{words} ({hint})", PliesWarning, stacklevel=3)


def copied(
    function: types.FunctionType, scope: dict[str, Any], closure: tuple[types.CellType, ...] | None = None
) -> types.FunctionType:
    """A function whose globals are those of the scope, with another closure if one is given."""
    cells = function.__closure__ if closure is None or not function.__closure__ else closure
    copy = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    copy.__module__ = function.__module__
    copy.__doc__ = function.__doc__
    copy.__annotations__ = function.__annotations__
    return copy


def _kind(value: Any) -> Any:
    """The part of an argument on which machine code depends: its type."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.c_contiguous, value.flags.writeable
    if isinstance(value, Workspace):
        return value.layout
    if isinstance(value, tuple):
        return type(value), *map(_kind, value)
    if isinstance(value, Game):
        return fingerprint_of(value)
    if isinstance(value, Record):
        return value.kind
    return type(value)
