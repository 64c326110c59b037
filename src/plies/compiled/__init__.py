"""How kernels become machine code, and when they don't.

A kernel is one Python function over `game` and `state`, such as `for action in game.actions(state): …`. For a
game that compiles it runs as machine code, kept on disk for the next process; for any other game the same
function runs interpreted. Numba is imported when the first kernel is compiled, not before.
"""

from __future__ import annotations

import os
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from plies.compiled.fingerprint import Methods, fingerprint
from plies.compiled.workspace import Workspace
from plies.errors import NotCompilable
from plies.game import Game

RULES = (
    *("initial", "to_move", "actions", "result", "is_terminal", "utility", "chance"),
    *("evaluate", "features", "inputs"),
    *(
        "plausible",
        "noisy",
        "quiet",
        "skipped",
        "priority",
        "rollout",
        "code",
        "identity",
        "key",
        "repetition_key",
        "plies_left",
        "repeated",
        "symmetries",
    ),
    *("players", "total", "draw_value", "stochastic", "cycles", "forcing"),
)
"""What a kernel may ask of a game."""

_lock = threading.RLock()  # Numba's compiler is entered by one thread at a time
_fingerprints: dict[tuple[Any, ...], tuple[str, bool]] = {}


def interpreting() -> bool:
    """Whether compilation is switched off for this whole process, as it is to measure coverage."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def fingerprint_of(game: Game) -> tuple[str, bool]:
    """The name of a game's rules and parameters, and whether other processes know it by the same name.

    Two games with one fingerprint share machine code. Code is walked once in a process for each class and
    set of parameters; parameters are looked at every time.
    """
    key = _token(game)
    if key not in _fingerprints:
        _fingerprints[key] = fingerprint(type(game).__qualname__, Methods(game, RULES))
    return _fingerprints[key]


def _token(value: Any) -> Any:
    """What tells an attribute from another value of it, as far as machine code goes."""
    if isinstance(value, Game):
        return type(value), *((name, _token(attribute)) for name, attribute in vars(value).items())
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return type(value), value


class Kernel:
    """A function `f(game, state, …)` written once: compiled for a game that allows it, else interpreted."""

    is_kernel = True

    def __init__(self, function: Callable[..., Any]) -> None:
        assert isinstance(function, types.FunctionType)
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self._interpreted: types.FunctionType | None = None
        self._compiled: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def __call__(self, game: Game, *args: Any) -> Any:
        """Run for this game: as machine code if it compiles, or else interpreted, unless the game insists."""
        return self.best_for(game, *args)(game, *args)

    def best_for(self, game: Game, *args: Any) -> Callable[..., Any]:
        """The function that `__call__` runs for a game and arguments of these types."""
        if game.compiled is False or interpreting():
            return self.interpreted
        try:
            return self.compiled_for(game, *args)
        except NotCompilable:
            if game.compiled:
                raise
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

    def compiled_for(self, game: Game, *args: Any) -> Callable[..., Any]:
        """The kernel as machine code for a game and arguments of these types, or raise `NotCompilable`."""
        name, stable = fingerprint_of(game)
        key = (name, *map(_kind, args))
        if key not in self._compiled:
            with _lock:
                if key not in self._compiled:
                    self._compiled[key] = self._compile(game, name, stable, args)
        compiled = self._compiled[key]
        if isinstance(compiled, NotCompilable):
            raise compiled
        return compiled

    def _compile(self, game: Game, name: str, stable: bool, args: tuple[Any, ...]) -> Any:
        from plies.compiled import compiler

        return compiler.compile_kernel(self, game, name, stable, args)

    def _kernels(self) -> dict[str, Kernel]:
        """The kernels that this one calls, by the names it calls them."""
        scope = self.function.__globals__
        found = {name: scope.get(name) for name in self.function.__code__.co_names}
        return {name: value for name, value in found.items() if isinstance(value, Kernel)}

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}>"


def kernel(function: Callable[..., Any]) -> Kernel:
    """Make a function over `game` and `state` a kernel."""
    return Kernel(function)


def copied(function: types.FunctionType, scope: dict[str, Any]) -> types.FunctionType:
    """A function whose globals are those of the scope."""
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__ = function.__qualname__
    copy.__module__ = function.__module__
    copy.__doc__ = function.__doc__
    return copy


def _kind(value: Any) -> Any:
    """What of an argument decides which machine code serves it."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.c_contiguous, value.flags.writeable
    if isinstance(value, Workspace):
        return value.layout
    if isinstance(value, tuple):
        return type(value), *map(_kind, value)
    return type(value)
