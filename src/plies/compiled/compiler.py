"""Compilation by Numba: signatures, the disk cache, and errors in words."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import inspect
import logging
import os
import pickle
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import typeof
from numba.core.errors import NumbaError

from plies import bits, tuples
from plies.compiled import Kernel, disk_cache
from plies.compiled.diagnosis import diagnose
from plies.compiled.fingerprint import fingerprint
from plies.compiled.game_type import game_type
from plies.compiled.jit import jit_kernel
from plies.compiled.numba_internals import (
    UNRESOLVED,
    CodeCache,
    Unsettled,
    first_line,
    processor,
    settings,
    settling_late,
    use_cache,
)
from plies.errors import NotCompilable, PliesWarning
from plies.game import Game

log = logging.getLogger("plies")

_SOURCES = [
    path
    for path in (*sorted(Path(__file__).parent.glob("*.py")), Path(bits.__file__), Path(tuples.__file__))
    if path.is_file()
]
"""The compiler's own code: this package, and the modules whose functions it has compiled forms of."""


def versions(sources: Iterable[Path] = _SOURCES) -> str:
    """The versions that compiled code, or a refusal, depends on: of Python, the libraries and our
    compiler."""
    return fingerprint(
        sys.version,
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        [(path.name, path.read_bytes()) for path in sources],
    )[0]


_VERSIONS = versions()

SETTINGS = (
    *("BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES", "DEBUGINFO_DEFAULT", "DEBUG_NRT", "DISABLE_INTEL_SVML"),
    *("ENABLE_AVX", "EXTEND_VARIABLE_LIFETIMES", "LLVM_REFPRUNE_FLAGS", "LLVM_REFPRUNE_PASS"),
    *("LOOP_VECTORIZE", "OPT"),
)
"""Numba's settings that change the code it makes, or what it refuses."""


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
        return NotCompilable(f"{type(game).__name__} does not compile: {first_line(error)}")
    code, kernel_stable = fingerprint(
        kernel.function,
        _VERSIONS,
        [*processor(), *settings(SETTINGS)],
        name,
        repr(signature),
        str(_source(kernel)),
    )
    label = "-".join((*(_word(text) for text in (kernel.__name__, type(game).__name__)), code))
    keeps = bool(stable and kernel_stable and _SOURCES and _can_pickle(signature))
    if not keeps:
        return _made(kernel, game, signature, code, None, None)
    kept = disk_cache.load(label)
    with contextlib.nullcontext(False) if kept else disk_cache.claim(label) as waited:
        return _made(kernel, game, signature, code, label, disk_cache.load(label) if waited else kept)


def _made(
    kernel: Kernel,
    game: Game,
    signature: tuple[Any, ...],
    code: str,
    label: str | None,
    kept: disk_cache.Entry | None,
) -> Any:
    """A kernel's machine code, made from a kept entry or now, and kept under a label if there is one."""
    if kept and kept.kind == disk_cache.REFUSAL:
        files, _, sentence = kept.content.decode(errors="surrogatepass").partition("\n")
        if files == _files(game):  # or else the line that it names may have moved
            return NotCompilable(sentence)
    cache = CodeCache(
        signature,
        kept.content if kept and kept.kind == disk_cache.CODE else None,
        lambda reason: warnings.warn(f"{label} is compiled again: {reason}", PliesWarning, stacklevel=3),
    )
    try:
        machine = _compiled(kernel, game, signature, cache, code)
    except Exception as error:  # Numba raises errors of many kinds at what it cannot compile
        if _is_passing(error):
            reason = f"{first_line(error)}; the next call tries again"
            raise NotCompilable(f"{type(game).__name__} could not be compiled now: {reason}") from error
        refusal = diagnose(error, game, signature[0])
        if label and _is_refusal(error):
            content = f"{_files(game)}\n{refusal}".encode(errors="surrogatepass")
            _keep(label, disk_cache.Entry(disk_cache.REFUSAL, content))
        return refusal
    if label and machine.safe and cache.made:
        _keep(label, disk_cache.Entry(disk_cache.CODE, cache.made))
    return machine


def _keep(label: str, entry: disk_cache.Entry) -> None:
    """Store an entry, unless the compiler's own files have changed since this process read them."""
    try:
        unchanged = versions() == _VERSIONS
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


def _compiled(
    kernel: Kernel, game: Game, signature: tuple[Any, ...], cache: CodeCache, code: str
) -> CompiledKernel:
    """A kernel's machine code, kept or made now."""
    with _logged(kernel, game, cache), _collecting_later():
        dispatcher = _dispatcher(kernel, cache, code)
        # Called through its entry point: a dispatcher would take two classes of named tuples that agree
        # in their names and their fields' names for one.
        try:
            entry = dispatcher.compile(signature)
        except Unsettled:
            dispatcher = _dispatcher(kernel, cache, code)
            with settling_late():
                entry = dispatcher.compile(signature)
    loaded = bool(dispatcher.stats.cache_hits)
    return CompiledKernel(entry, loaded, loaded or is_safe_to_keep(dispatcher))


def is_safe_to_keep(dispatcher: Any) -> bool:
    """Whether no recursive call is left for the next process to resolve: it would crash when loaded."""
    return not any(UNRESOLVED in text for text in dispatcher.inspect_llvm().values())


def _dispatcher(kernel: Kernel, cache: CodeCache, suffix: str) -> Any:
    """The kernel as a Numba function with that cache."""
    dispatcher = jit_kernel(kernel, f"-{suffix}")
    use_cache(dispatcher, cache)
    return dispatcher


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


def _word(name: str) -> str:
    """A name as part of a file's name: anything can be the name of a class."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)[:60] or "_"


def _source(kernel: Kernel) -> str:
    return inspect.getsourcefile(kernel.function) or ""


def _files(game: Game) -> str:
    """A digest of the files that a game's class and its bases are written in."""
    digest = hashlib.sha256()
    for cls in type(game).__mro__:
        with contextlib.suppress(OSError, TypeError):  # a class of Python's own, or made at a prompt
            path = Path(inspect.getfile(cls))
            digest.update(os.fsencode(path) + path.read_bytes())
    return digest.hexdigest()


def _can_pickle(signature: tuple[Any, ...]) -> bool:
    try:
        pickle.dumps(signature)
    except (pickle.PicklingError, AttributeError, TypeError):  # a state class defined inside a function
        return False
    return True


@contextlib.contextmanager
def _logged(kernel: Kernel, game: Game, cache: CodeCache) -> Iterator[None]:
    """Log what is compiled, and how long it took."""
    if cache.code is not None:
        yield
        return
    start = time.perf_counter()
    log.info("compiling %s for %s, once …", kernel.__name__, type(game).__name__)
    try:
        yield
    finally:
        seconds = time.perf_counter() - start
        log.debug("compiled %s for %s in %.1f s", kernel.__name__, type(game).__name__, seconds)
