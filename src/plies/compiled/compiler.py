"""Compilation by Numba: signatures, the disk cache, and errors in words."""

from __future__ import annotations

import contextlib
import gc
import logging
import pickle
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from numba import typeof
from numba.core.errors import NumbaError

from plies.compiled import Kernel, disk_cache
from plies.compiled.call_types import remembered
from plies.compiled.diagnosis import diagnose
from plies.compiled.entry import Entry, Undescribed, described, undefined_symbols
from plies.compiled.game_type import game_type
from plies.compiled.jit import jit_kernel
from plies.compiled.label import Label, files_of, from_disk, versions, versions_now
from plies.compiled.loader import OWN_CODE, LoadedKernel, can_link, entry_name, load, packed
from plies.compiled.numba_codegen import UNRESOLVED, entered_by, entry_point, object_code, return_type
from plies.compiled.numba_internals import (
    CodeCache,
    Unsettled,
    first_line,
    settling_late,
    use_cache,
    without,
)
from plies.errors import NotCompilable, PliesWarning
from plies.game import Game

log = logging.getLogger("plies")


def compile_kernel(
    kernel: Kernel,
    game: Game,
    label: Label,
    args: tuple[Any, ...],
    off: frozenset[str],
    kept: disk_cache.Entry | None,
) -> Any:
    """A kernel's machine code for a game and argument types, made now; or `NotCompilable`.

    `off` are fields of records that are 0 at every call, and `kept` is an entry of the disk cache that only
    Numba can load.
    """
    try:
        typ = game_type(game, label.game)
        signature = (typ, *(without(typeof(arg), off) for arg in args))
        if typ.state != signature[1]:
            return NotCompilable(
                f"{type(game).__name__} does not compile: a state is {signature[1]}, initial() is {typ.state}"
            )
    except (NumbaError, ValueError, OverflowError) as error:
        return NotCompilable(f"{type(game).__name__} does not compile: {first_line(error)}")
    if not label.stable or kept:
        return _made(kernel, game, args, signature, label, kept)
    with disk_cache.claim(label.name) as waited:
        found = from_disk(label, game) if waited else None
        if isinstance(found, LoadedKernel | NotCompilable):
            return found
        return _made(kernel, game, args, signature, label, found)


def _made(
    kernel: Kernel,
    game: Game,
    args: tuple[Any, ...],
    signature: tuple[Any, ...],
    label: Label,
    kept: disk_cache.Entry | None,
) -> Any:
    """A kernel's machine code, made from a kept entry or now, and kept if its label is stable."""
    machine: Any
    try:
        with _logged(kernel, game, kept is None), _collecting_later():
            # What a rule alone returns is seldom a number: see `rule_kernels.py`.
            own = OWN_CODE and kept is None and kernel.rule is None
            content = _object(kernel, (game, *args), signature, label) if own else None
            if content is None:
                machine, entry = _in_numbas_way(kernel, signature, label, kept)
            else:
                machine = load(content, label.code, loaded=False)
                entry = disk_cache.Entry(disk_cache.OBJECT, content)
    except Exception as error:  # Numba raises errors of many kinds at what it cannot compile
        if _is_passing(error):
            reason = f"{first_line(error)}; the next call tries again"
            raise NotCompilable(f"{type(game).__name__} could not be compiled now: {reason}") from error
        machine = diagnose(error, game, signature[0])
        content = f"{files_of(game)}\n{machine}".encode(errors="surrogatepass")
        entry = disk_cache.Entry(disk_cache.REFUSAL, content) if _is_refusal(error) else None
    if label.stable and entry:
        _keep(label.name, entry)
    return machine


# -- Our own way: object code with an entry, for the loader.


def _object(kernel: Kernel, args: tuple[Any, ...], signature: tuple[Any, ...], label: Label) -> bytes | None:
    """The contents of an entry of the disk cache; None if the loader cannot serve this kernel."""
    entry = Entry(f"{kernel.function.__qualname__}-{label.code}", entry_name(label.code))
    try:
        arguments = [described(typ, arg) for typ, arg in zip(signature, args, strict=True)]
        with entered_by(entry):
            dispatcher = _dispatched(kernel, signature, label)
        result = described(return_type(dispatcher))
    except Undescribed:
        return None
    code = object_code(dispatcher)
    calls = [] if code is None else undefined_symbols(code)
    if code is None or not can_link(calls):
        return None
    return packed({"entry": entry.name, "arguments": arguments, "result": result, "calls": calls}, code)


def _dispatched(
    kernel: Kernel, signature: tuple[Any, ...], label: Label, cache: CodeCache | None = None
) -> Any:
    """A kernel as a function of Numba's, compiled."""
    dispatcher = _dispatcher(kernel, label, cache)
    try:
        with remembered():
            dispatcher.compile(signature)
    except Unsettled:
        dispatcher = _dispatcher(kernel, label, cache)
        with settling_late():
            dispatcher.compile(signature)
    return dispatcher


def _dispatcher(kernel: Kernel, label: Label, cache: CodeCache | None) -> Any:
    dispatcher = jit_kernel(kernel, f"-{label.code}")
    if cache is not None:
        use_cache(dispatcher, cache)
    return dispatcher


# -- Numba's own way.


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel's machine code for one game and one set of argument types."""

    entry: Callable[..., Any]
    loaded: bool
    """Whether it came from the disk."""
    safe: bool
    """Whether it can be loaded in another process without crashing it."""

    def __call__(self, *args: Any) -> Any:
        return self.entry(*args)


def _in_numbas_way(
    kernel: Kernel, signature: tuple[Any, ...], label: Label, kept: disk_cache.Entry | None
) -> tuple[CompiledKernel, disk_cache.Entry | None]:
    """A kernel's machine code, from an entry or made now, and the entry to keep."""
    cache = CodeCache(
        signature,
        kept.content if kept and kept.kind == disk_cache.CODE else None,
        lambda reason: warnings.warn(f"{label.name} is compiled again: {reason}", PliesWarning, stacklevel=3),
        keeps=label.stable and _can_pickle(signature),
    )
    dispatcher = _dispatched(kernel, signature, label, cache)
    loaded = bool(dispatcher.stats.cache_hits)
    # Called through its entry point: a dispatcher would take two classes of named tuples that agree
    # in their names and their fields' names for one.
    machine = CompiledKernel(
        entry_point(dispatcher, signature), loaded, loaded or is_safe_to_keep(dispatcher)
    )
    keep = machine.safe and cache.made
    return machine, disk_cache.Entry(disk_cache.CODE, cache.made) if keep and cache.made else None


def is_safe_to_keep(dispatcher: Any) -> bool:
    """Whether no recursive call is left for the next process to resolve: it would crash when loaded."""
    return not any(UNRESOLVED in text for text in dispatcher.inspect_llvm().values())


# -- The disk cache.


def _keep(label: str, entry: disk_cache.Entry) -> None:
    """Store an entry, unless the compiler's own files have changed since this process read them."""
    try:
        unchanged = versions_now() == versions()
    except OSError:  # a new version is just being installed
        return
    if unchanged:
        disk_cache.save(label, entry)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and its causes."""
    while error is not None:
        yield error
        error = error.__cause__


def _is_passing(error: BaseException) -> bool:
    """Whether compiling failed for lack of memory or files: it may work another time."""
    return any(isinstance(cause, MemoryError | OSError) for cause in _causes(error))


def _is_refusal(error: BaseException) -> bool:
    """Whether the compiler refused the code, as it will every time."""
    return all(isinstance(cause, NumbaError | NotImplementedError) for cause in _causes(error))


@contextlib.contextmanager
def _collecting_later() -> Iterator[None]:
    """Collect no garbage meanwhile: Numba makes millions of small objects, and nearly all are needed."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _can_pickle(signature: tuple[Any, ...]) -> bool:
    try:
        pickle.dumps(signature)
    except (pickle.PicklingError, AttributeError, TypeError):  # a state class defined inside a function
        return False
    return True


@contextlib.contextmanager
def _logged(kernel: Kernel, game: Game, compiling: bool) -> Iterator[None]:
    """Log what is compiled, and how long it took."""
    if not compiling:
        yield
        return
    start = time.perf_counter()
    log.info("compiling %s for %s, once …", kernel.__name__, type(game).__name__)
    try:
        yield
    finally:
        seconds = time.perf_counter() - start
        log.debug("compiled %s for %s in %.1f s", kernel.__name__, type(game).__name__, seconds)
