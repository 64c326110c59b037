"""What machine code depends on, as the name of an entry in the disk cache, found without Numba."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import inspect
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np

from plies import bits, tuples
from plies.compiled import disk_cache
from plies.compiled.fingerprint import fingerprint
from plies.compiled.loader import LoadedKernel, load
from plies.errors import NotCompilable
from plies.game import Game

if TYPE_CHECKING:
    from plies.compiled import Kernel
    from plies.compiled.dependencies import Dependencies

SETTINGS = {
    "BOUNDSCHECK": "None",
    "CPU_NAME": "None",
    "CPU_FEATURES": "None",
    "DEBUGINFO_DEFAULT": "0",
    "DEBUG_NRT": "0",
    "DISABLE_INTEL_SVML": "False",
    "ENABLE_AVX": "True",
    "EXTEND_VARIABLE_LIFETIMES": "0",
    "LLVM_REFPRUNE_FLAGS": "all",
    "LLVM_REFPRUNE_PASS": "1",
    "LOOP_VECTORIZE": "1",
    "OPT": "_OptLevel(3)",
}
"""Numba's settings that change the code it makes, or what it refuses, as they are if nobody sets them."""

SOURCES = [
    path
    for path in (*sorted(Path(__file__).parent.glob("*.py")), Path(bits.__file__), Path(tuples.__file__))
    if path.is_file()
]
"""The compiler's own code: this package, and the modules whose functions it has compiled forms of."""

_NUMBA_FILE = ".numba_config.yaml"  # settings that Numba reads from the working directory


class Label(NamedTuple):
    """The name of an entry of the disk cache."""

    game: str
    """The fingerprint of the game, as the kernel sees it."""
    code: str
    """The fingerprint of all that the machine code depends on."""
    name: str
    stable: bool
    """Whether the fingerprint is the same in other processes, so that the entry can be kept."""


def label_of(kernel: Kernel, game: Game, dependencies: Dependencies, kinds: tuple[Any, ...]) -> Label:
    """The label of a kernel's machine code for a game and arguments of these kinds."""
    source = kernel.function.__code__.co_filename
    code, stable = fingerprint(
        kernel.function, versions(), _processor(), changed_settings(), dependencies.name, kinds, source
    )
    words = map(disk_cache.word, (kernel.__name__, type(game).__name__))
    keeps = bool(stable and dependencies.stable and SOURCES)
    return Label(dependencies.name, code, "-".join((*words, code)), keeps)


@functools.cache
def versions() -> str:
    """The versions that code, or a refusal, depends on: of Python, the libraries and our compiler."""
    return versions_now()


def versions_now(sources: Iterable[Path] = SOURCES) -> str:
    """The same as the files are now: a new version may have been installed since."""
    return fingerprint(
        sys.version,
        importlib.metadata.version("numba"),
        importlib.metadata.version("llvmlite"),
        np.__version__,
        [(path.name, path.read_bytes()) for path in sources],
    )[0]


@functools.cache
def _processor() -> list[str]:
    """The processor that code is compiled for, if no setting names another."""
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # a processor that LLVM cannot ask
        features = ""
    return [llvm.get_process_triple(), llvm.get_host_cpu_name(), features]


def changed_settings() -> list[tuple[str, str]]:
    """Numba's settings that are not as in `SETTINGS`, by the environment, a file or other users of it."""
    given = any(f"NUMBA_{name}" in os.environ for name in SETTINGS) or os.path.exists(_NUMBA_FILE)
    if not given and "numba" not in sys.modules:
        return []
    from numba import config

    found = ((name, str(getattr(config, name, None))) for name in SETTINGS)
    return [(name, value) for name, value in found if value != SETTINGS[name]]


# -- Entries of the disk cache.


def from_disk(label: Label, game: Game) -> LoadedKernel | NotCompilable | disk_cache.Entry | None:
    """A kernel, or why it does not compile, from the disk; or an entry that only Numba can load; or None."""
    entry = disk_cache.load(label.name) if label.stable else None
    if entry is None or entry.kind == disk_cache.CODE:
        return entry
    if entry.kind == disk_cache.OBJECT:
        return load(entry.content, label.code)
    files, _, sentence = entry.content.decode(errors="surrogatepass").partition("\n")
    return NotCompilable(sentence) if files == files_of(game) else None  # or else its line may have moved


def files_of(game: Game) -> str:
    """A digest of the files that a game's class and its bases are written in."""
    digest = hashlib.sha256()
    for cls in type(game).__mro__:
        with contextlib.suppress(OSError, TypeError):  # a class of Python's own, or made at a prompt
            path = Path(inspect.getfile(cls))
            digest.update(os.fsencode(path) + path.read_bytes())
    return digest.hexdigest()
