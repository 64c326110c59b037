"""Compiling in the background, so that a search need not wait: by another process, or else by a thread.

Another process compiles the games that it can import, and leaves the code in the disk cache: at low priority,
where a crash of the compiler is harmless, and to the end, even if this process ends before. A thread compiles
the others, such as those of a notebook or a script. The end of this process waits for it, or else a short
script would never find its code on disk; Ctrl-C ends the waiting.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import io
import pickle
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from plies.compiled import compile_times
from plies.compiled.workspace import Record, Workspace, record_type
from plies.errors import NotCompilable, PliesWarning
from plies.game import Game

if TYPE_CHECKING:
    from plies.compiled import Kernel

LONGEST = 300
"""The seconds after which another process is given up. Not tuned."""

CANNOT = 3
"""The exit code of a process that cannot import the game, or not the same one."""

MOMENT = 0.5
"""The seconds of waiting after which a person is told why, and between two such reports. Not tuned."""

_lock = threading.Lock()
_one_process = threading.Lock()  # many clients may search many games: they are compiled one after the other
_under_way: list[Compilation] = []
_threads: list[threading.Thread] = []


class Compilation:
    """The compilation of one kernel for one game."""

    def __init__(self, kernel: str, game: Game) -> None:
        self.game = game.name
        self.expected = compile_times.expected_seconds(kernel, type(game).__name__)
        """The seconds that it takes, about: as long as the last time, or else as other games took."""
        self.usable = False
        """Once done: whether there is machine code."""
        self.crashed = False
        """Once done: whether the compiler ended without an answer."""
        self._begun = time.monotonic()
        self._seconds: float | None = None
        self._over = threading.Event()
        self._callbacks: list[Callable[[], None]] = []
        with _lock:
            _under_way.append(self)

    @property
    def done(self) -> bool:
        """Whether it has ended, with or without machine code."""
        return self._over.is_set()

    @property
    def elapsed(self) -> float:
        """The seconds that it has taken."""
        return time.monotonic() - self._begun if self._seconds is None else self._seconds

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for its end, for some seconds at most; whether it has ended."""
        return self._over.wait(seconds)

    def then(self, callback: Callable[[], None]) -> None:
        """Call something at its end, in any thread; at once, if it has ended."""
        with _lock:
            waiting = not self.done
            if waiting:
                self._callbacks.append(callback)
        if not waiting:
            callback()

    def end(self) -> None:
        """Note that it has ended."""
        with _lock:
            if self.done:
                return
            self._seconds = self.elapsed
            self._over.set()
            _under_way.remove(self)
        for callback in self._callbacks:
            callback()

    def __str__(self) -> str:
        return f"compiling {self.game}: {self.elapsed:.0f} s of about {self.expected:.0f} s"


def under_way() -> list[Compilation]:
    """What is being compiled for this process, the first first."""
    with _lock:
        return list(_under_way)


@contextlib.contextmanager
def watched(show: Callable[[str], None]) -> Iterator[None]:
    """Within this context, call `show` with how far the compiler is, twice a second while it is at work, and
    with "" when it no longer is; from another thread."""
    ended = threading.Event()

    def watch() -> None:
        shown = False
        while not ended.wait(MOMENT):
            now = under_way()
            if now or shown:
                show(str(now[0]) if now else "")
            shown = bool(now)

    thread = threading.Thread(target=watch, name="plies-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextlib.contextmanager
def noted(kernel: Kernel, game: Game, args: tuple[Any, ...], off: frozenset[str]) -> Iterator[None]:
    """List what is compiled within this context as under way, and note how long it takes."""
    if kernel.is_ready(game, *args, off=off):
        yield
        return
    compilation = Compilation(kernel.__name__, game)
    try:
        yield
    finally:
        compilation.end()
    # Not after a failure or Ctrl-C: the next time would be expected to end as soon.
    compile_times.note_seconds(kernel.__name__, type(game).__name__, compilation.elapsed)


def begin(kernel: Kernel, game: Game, args: tuple[Any, ...], off: frozenset[str]) -> Compilation:
    """Begin to compile a kernel for a game and arguments of these types."""
    compilation = Compilation(kernel.__name__, game)
    request = _request(kernel, game, args, off)

    def load() -> None:
        """Load what another process has compiled, or compile."""
        _threads.append(threading.current_thread())
        try:
            compilation.usable = kernel.best_for(game, *args, off=off) is not kernel.interpreted
        finally:
            _threads.remove(threading.current_thread())

    def wait_for_process() -> None:
        assert request is not None
        code = _by_process(request)
        if code == CANNOT:
            _start(compilation, load, waited_for=True).join()
        elif code == 0:
            load()
        else:
            compilation.crashed = True
            words = f"the compiler ended with code {code}; {type(game).__name__} runs interpreted"
            warnings.warn(f"{words}, a hundred times slower", PliesWarning, stacklevel=2)

    if request is None:
        _start(compilation, load, waited_for=True)
    else:
        _start(compilation, wait_for_process, waited_for=False)
    return compilation


def _start(compilation: Compilation, work: Callable[[], None], waited_for: bool) -> threading.Thread:
    """Work in a thread, for which the end of the process waits or not, to the end of a compilation."""

    def run() -> None:
        try:
            work()
        except NotCompilable as error:  # for want of memory or files
            warnings.warn(f"{error}", PliesWarning, stacklevel=2)
        except SystemExit:  # by `_leave`
            pass
        finally:
            compilation.end()

    thread = threading.Thread(target=run, name="plies-compiler", daemon=not waited_for)
    thread.start()
    if waited_for:
        threading.Thread(target=_explain, args=(compilation,), name="plies-watch", daemon=True).start()
    return thread


def _explain(compilation: Compilation) -> None:
    """Tell a person why the program does not end."""
    threading.main_thread().join()
    if not compilation.wait(MOMENT) and sys.stderr is not None and sys.stderr.isatty():
        print(f"plies: {compilation}, for the next time (Ctrl-C: leave it)", file=sys.stderr)


@atexit.register
def _leave() -> None:
    """End what still runs: LLVM must not be at work when the process ends."""
    for thread in list(_threads):
        while thread.is_alive() and thread.ident is not None:
            ending = ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(*ending)
            thread.join(0.1)


# -- Another process.


class _Pickler(pickle.Pickler):
    """Pickles records by the names and types of their numbers."""

    def reducer_override(self, thing: Any) -> Any:
        return (_record, (thing.kind,)) if isinstance(thing, Record) else NotImplemented


def _record(kind: np.dtype[Any]) -> Record:
    return record_type(kind)()


def _request(kernel: Kernel, game: Game, args: tuple[Any, ...], off: frozenset[str]) -> bytes | None:
    """What another process needs to compile; None if it cannot import the game, or not for the cache."""
    from plies.registry import loaded_files

    (identity, stable), given = kernel.identity(game, *args, off=off), io.BytesIO()
    try:
        _Pickler(given).dump((game, args, off))
        if not stable or b"__main__" in given.getvalue():  # of a notebook, a prompt or a script
            return None
        place = kernel.function.__module__, kernel.__name__
        return pickle.dumps((sys.path, loaded_files(), *place, identity, given.getvalue()))
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError):  # such as a class in a function
        return None


def _by_process(request: bytes) -> int:
    """Compile in another process, one at a time; its exit code."""
    with _one_process:
        return _run_process(request)


def _run_process(request: bytes) -> int:
    import subprocess
    import tempfile

    try:
        with tempfile.TemporaryFile() as given:  # unlike a pipe, it is there when this process has ended
            given.write(request)
            given.seek(0)
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "plies.compiled.child"],
                stdin=given,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is not for it
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),  # Windows has no `nice`
            )
    except OSError:  # no room for the file, or for another process
        return CANNOT
    try:
        return process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def sample(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments of the same types, but with empty arrays."""
    return tuple(
        Workspace(**{name: np.empty((0,) * array.ndim, array.dtype) for name, array in vars(arg).items()})
        if isinstance(arg, Workspace)
        else arg
        for arg in args
    )
