"""The part of compiling that speaks Numba: signatures, the disk cache, and errors in words."""

from __future__ import annotations

import contextlib
import gc
import inspect
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from numba import typeof
from numba.core.errors import NumbaError

from plies.compiled import Kernel, store
from plies.compiled.explain import explain
from plies.compiled.fingerprint import fingerprint
from plies.compiled.game_type import game_type
from plies.compiled.helpers import compiled_kernel
from plies.compiled.recursion import Unsettled, settled_return_types
from plies.errors import NotCompilable
from plies.game import Game

# A generator of actions must be inlined wherever a kernel loops over it: left to LLVM's own threshold of 225,
# whether it is depends on the order of some set, and the kernel is twice as slow where it is not.
llvmlite.binding.set_option("plies", "-inline-threshold=500")

_HERE = Path(__file__).parent

_VERSIONS = fingerprint(
    sys.version,
    numba.__version__,
    llvmlite.__version__,
    np.__version__,
    sorted((path.name, path.read_bytes()) for path in _HERE.glob("*.py")),
)[0]
"""What machine code depends on besides the game and the kernel."""

_REASON = "does-not-compile.txt"
"""Holds, in place of machine code, why there is none."""

UNRESOLVED = "numba.unresolved"
"""Stands in the intermediate code of a recursive function that would crash when loaded from disk."""


def compile_kernel(kernel: Kernel, game: Game, name: str, stable: bool, args: tuple[Any, ...]) -> Any:
    """A kernel's machine code for a game and argument types, from disk or made now; or `NotCompilable`."""
    try:
        typ = game_type(game, name)
        signature = (typ, *map(typeof, args))
        if typ.state != signature[1]:
            return NotCompilable(
                f"{type(game).__name__} does not compile: a state is {signature[1]}, initial() is {typ.state}"
            )
    except (NumbaError, ValueError, OverflowError) as error:
        return NotCompilable(f"{type(game).__name__} does not compile: {_first_line(error)}")
    code, kernel_stable = fingerprint(kernel.function, _VERSIONS, name, repr(signature), str(_source(kernel)))
    label = f"{kernel.__name__}-{type(game).__name__}-{code}"
    if not (stable and kernel_stable and _can_pickle(signature) and store.folder()):
        return _compiled(kernel, game, signature, None, code)
    kept = store.find(label)
    if kept and (kept / _REASON).exists():
        return NotCompilable((kept / _REASON).read_text(encoding="utf-8"))
    if kept:
        return _compiled(kernel, game, signature, kept, code)
    staged = store.staging()
    compiled = _compiled(kernel, game, signature, staged, code)
    if isinstance(compiled, NotCompilable):
        (staged / _REASON).write_text(str(compiled), encoding="utf-8")
    elif not compiled.safe:
        store.discard(staged)
    store.keep(staged, label)
    return compiled


@dataclass(frozen=True)
class Machine:
    """A kernel's machine code for one game and one set of argument types."""

    entry: Callable[..., Any]
    loaded: bool
    """Whether it came from the disk."""
    safe: bool
    """Whether it can be loaded in another process without crashing it."""

    def __call__(self, *args: Any) -> Any:
        return self.entry(*args)


def _compiled(
    kernel: Kernel, game: Game, signature: tuple[Any, ...], cache: Path | None, code: str
) -> Machine | NotCompilable:
    """A kernel's machine code, from its folder in the cache or else made now and put there."""
    try:
        with (
            _announced(kernel, game, cache),
            _setting("SLP_VECTORIZE", 1),  # bitboards gain by it
            _collecting_later(),
        ):
            dispatcher = _dispatcher(kernel, cache, code)
            # Called through its entry point: a dispatcher would take two classes of named tuples that agree
            # in their names and their fields' names for one.
            try:
                with settled_return_types():
                    entry = dispatcher.compile(signature)
            except Unsettled:
                dispatcher = _dispatcher(kernel, cache, code)
                entry = dispatcher.compile(signature)
    except Exception as error:  # Numba raises errors of many kinds at what it cannot compile
        return explain(error, game, signature[0])
    loaded = bool(dispatcher.stats.cache_hits)
    return Machine(entry, loaded, loaded or is_safe_to_keep(dispatcher))


def is_safe_to_keep(dispatcher: Any) -> bool:
    """Whether no recursion of a function is left for the next process to resolve, and crash."""
    return not any(UNRESOLVED in text for text in dispatcher.inspect_llvm().values())


def _dispatcher(kernel: Kernel, cache: Path | None, suffix: str) -> Any:
    """The kernel as a Numba function whose disk cache is that folder."""
    dispatcher = compiled_kernel(kernel, f"-{suffix}")
    if cache is not None:
        with _setting("CACHE_DIR", str(cache)):
            dispatcher.enable_caching()
    return dispatcher


@contextlib.contextmanager
def _setting(name: str, value: Any) -> Iterator[None]:
    """Change one of Numba's settings for a while."""
    before = getattr(numba.config, name)
    setattr(numba.config, name, value)
    try:
        yield
    finally:
        setattr(numba.config, name, before)


@contextlib.contextmanager
def _collecting_later() -> Iterator[None]:
    """Look for no garbage meanwhile: Numba makes millions of small objects, and nearly all are needed."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _source(kernel: Kernel) -> str:
    return inspect.getsourcefile(kernel.function) or ""


def _can_pickle(signature: tuple[Any, ...]) -> bool:
    try:
        pickle.dumps(signature)
    except (pickle.PicklingError, AttributeError, TypeError):  # a state class defined inside a function
        return False
    return True


@contextlib.contextmanager
def _announced(kernel: Kernel, game: Game, cache: Path | None) -> Iterator[None]:
    """Tell a person at a terminal why they wait."""
    if not sys.stderr.isatty() or (cache and any(cache.iterdir())):
        yield
        return
    start = time.perf_counter()
    print(
        f"plies: compiling {kernel.__name__} for {type(game).__name__}, once …",
        end=" ",
        file=sys.stderr,
        flush=True,
    )
    try:
        yield
    finally:
        print(f"{time.perf_counter() - start:.1f} s", file=sys.stderr)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
