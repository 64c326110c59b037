"""The program of a process that compiles one kernel for one game, for the disk cache: see `background`.

Its input comes from `background` alone, as a pickle.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import signal
import sys
import warnings
from pathlib import Path

from plies.compiled import Kernel
from plies.compiled.background import CANNOT, LONGEST
from plies.errors import NotCompilable
from plies.registry import load_file

NICE = 10
"""The priority is lower by this: whoever waits searches meanwhile. Not tuned."""


def compile_for(request: bytes) -> int:
    """Compile what is requested; the exit code."""
    path, files, module, name, identity, given = pickle.loads(request)
    sys.path[:] = path
    try:
        for file in files:
            load_file(Path(file))
        kernel: Kernel = getattr(importlib.import_module(module), name)
        game, args, off = pickle.loads(given)
        if kernel.identity(game, *args, off=off)[0] != identity:  # it was changed since it was imported
            return CANNOT
    except Exception:  # whatever a module does when it is imported once more
        return CANNOT
    with contextlib.suppress(NotCompilable):  # the refusal is kept on disk, or found again
        kernel.compiled_for(game, *args, off=off)
    return 0


def main() -> None:
    """Compile what is requested on standard input."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    if hasattr(signal, "alarm"):  # in case that the process which waits for it has ended
        signal.alarm(LONGEST)
    warnings.simplefilter("ignore")
    sys.exit(compile_for(sys.stdin.buffer.read()))


if __name__ == "__main__":
    main()
