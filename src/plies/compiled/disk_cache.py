"""The disk cache of compiled code: one file for each kernel and game, named by fingerprint.

To load an entry is to run it, so nothing is loaded from a folder or file that others can write to, nor from a
file with a wrong checksum. If anything fails here, the code is just compiled again.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from plies.errors import PliesWarning

try:
    import fcntl
except ImportError:  # Windows, where processes that start together each compile for themselves
    fcntl = None  # type: ignore[assignment]

KEPT_DAYS = 60
"""Entries that have not been used for this long are deleted. Not tuned."""

STAGING_HOURS = 1
"""Staging files of this age were left by a process that died: writing an entry takes milliseconds."""

LONGEST_CLAIM = 300.0
"""The seconds after which a process compiles what another one has claimed: it may be stopped, or starved."""

GLANCE = 0.05
"""The seconds between two attempts to take over a claim. Not tuned."""

CODE, OBJECT, REFUSAL = "code", "object", "refusal"
"""The kinds of entries: code as Numba pickles it, object code for `loader.py`, or why there is none."""

SECONDS = ".seconds"
"""The suffix of files that say how long compiling took: see `compile_times`."""

SOURCES = "sources-"
"""How folders with the files of a job are called: see `plies.work.code`."""

_SUFFIX = ".plies"
_STAGING = "staging-"
# Earlier versions kept a folder for each kernel and game.
_OURS = re.compile(
    r"\w+-\w+-[0-9a-f]{20}(\.plies)?|\w+-\w+\.seconds|staging-[a-z0-9_]{8}|sources-[0-9a-f]{32}", re.ASCII
)

_FORMAT = b"plies compile cache 1"
_LONGEST_HEADER = 200  # the format, a kind and a digest take about 100 bytes

# Errors of `open` that show that a file is no entry: a symbolic link, a socket, a file that must not be read.
# Others, such as too many open files, say nothing about the entry.
_FOREIGN = (errno.ELOOP, errno.EMLINK, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENXIO)

_warned: set[str] = set()


class Entry(NamedTuple):
    """The file of one kernel and game."""

    kind: str
    """`CODE`, `OBJECT` or `REFUSAL`."""
    content: bytes


class Contents(NamedTuple):
    """The contents of the cache."""

    entries: int
    size: int
    """In bytes, with all other files of ours."""


# -- The folder.


def folder() -> Path | None:
    """The folder of the cache, which need not exist; None if there is no place for one."""
    given = os.environ.get("PLIES_CACHE_DIR")
    if given:
        return Path(given).absolute()
    if sys.platform == "win32":
        user = _absolute("LOCALAPPDATA") or _home("AppData", "Local")
    elif sys.platform == "darwin":
        user = _home("Library", "Caches")
    else:
        user = _absolute("XDG_CACHE_HOME") or _home(".cache")
    return user / "plies" if user else None


def _absolute(variable: str) -> Path | None:
    """The folder in an environment variable; relative ones are ignored, as the XDG specification demands."""
    path = Path(os.environ.get(variable, ""))
    return path if path.is_absolute() else None


def _home(*parts: str) -> Path | None:
    if os.environ.get("HOME") == "":  # Python would take it for the root of the file system
        return None
    try:
        home = Path.home()
    except RuntimeError:  # neither the environment nor the system has one
        return None
    return home.joinpath(*parts) if home.is_absolute() else None


def trouble() -> str | None:
    """Why the cache cannot be used, found without writing to it; None if it can."""
    root = folder()
    if root is None:
        return "there is no home folder"
    try:
        info = root.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"{root}: {error.strerror}"
    if not stat.S_ISDIR(info.st_mode):
        return f"{root} is not a folder"
    distrust = _distrust(info)
    return f"{root} {distrust}" if distrust else None


def _distrust(info: os.stat_result) -> str | None:
    """Why others may have written to a file or folder, if they may.

    Windows has no such owners and modes. There the folder is trusted: by default it is in the user's own
    folder for application data, which is closed to others.
    """
    if sys.platform == "win32":
        return None
    if info.st_uid != os.geteuid():
        return "belongs to another user"
    if info.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written to by others (chmod go-w would change that)"
    return None


# -- Loading and saving.


def load(name: str) -> Entry | None:
    """The entry of that name, which counts as used now; a damaged or foreign one is deleted."""
    root = _trusted()
    if root is None:
        return None
    path = root / f"{name}{_SUFFIX}"
    try:
        entry = _read(path, name)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in _FOREIGN:
            _remove(path)
        return None
    if entry is None:
        _remove(path)
        return None
    with contextlib.suppress(OSError):  # it may be read from a disk that cannot be written to
        os.utime(path)
    return entry


def has(name: str) -> bool:
    """Whether there is an entry of that name, which may turn out to be damaged."""
    root = folder()
    return root is not None and (root / f"{name}{_SUFFIX}").is_file() and trouble() is None


def has_any(kernel: str, game: str) -> bool:
    """Whether there is an entry for a kernel of that name and a game of a class of that name."""
    root = folder()
    try:
        return root is not None and any(root.glob(f"{word(kernel)}-{word(game)}-*{_SUFFIX}"))
    except OSError:
        return False


def word(name: str) -> str:
    """A name as part of a file's name: anything can be the name of a class."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)[:60] or "_"


def save(name: str, entry: Entry) -> None:
    """Store an entry, atomically; one of that name by another process is replaced."""
    root = folder()
    try:
        if root is not None:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if root is not None and _trusted():
            _write(root, name, entry)
            _forget_old()
    except OSError as error:
        _warn(f"{root}: {error.strerror}")


@contextlib.contextmanager
def claim(name: str) -> Iterator[bool]:
    """Claim the making of an entry, so that processes that start together compile it once.

    While another process has the claim, this one waits. Yields whether it did: the entry may be there now.
    The system gives up the claim of a process that dies.
    """
    descriptor = None
    with contextlib.suppress(OSError):  # a cache that cannot be written to: `save` will say so
        descriptor = _open_claim(name)
    if descriptor is None:
        yield False
        return
    try:
        yield _wait_for(descriptor)
    finally:
        with contextlib.suppress(OSError):
            _claim_path(name).unlink()
        with contextlib.suppress(OSError):  # closing does not unlock while a fork of this process has it open
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _claim_path(name: str) -> Path:
    """The file that is locked to claim an entry, a staging file."""
    return Path(folder() or "") / f"{_STAGING}{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _open_claim(name: str) -> int | None:
    root = folder()
    if root is None or fcntl is None or trouble():
        return None
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(_claim_path(name), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)


def _wait_for(descriptor: int) -> bool:
    """Lock a file; whether another process had it locked."""
    begun = time.monotonic()
    waited = False
    while time.monotonic() - begun < LONGEST_CLAIM:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            waited = True
            time.sleep(GLANCE)
        except OSError:  # a file system without locks
            break
    return waited


def _trusted() -> Path | None:
    """The folder of the cache if it can be used; if not, None and a warning."""
    reason = trouble()
    if reason:
        _warn(reason)
        return None
    return folder()


def _read(path: Path, name: str) -> Entry | None:
    """The entry in a file, or None if it was not stored under this name or may not be our own."""
    # Owner and bytes are those of one open file, so it cannot be swapped after the check. It is opened
    # non-blocking, in case there is a pipe in its place.
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    descriptor = os.open(path, flags)
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or _distrust(info):
            return None
        with open(descriptor, "rb", closefd=False) as file:
            header, content = file.readline(_LONGEST_HEADER), file.read()
    finally:
        os.close(descriptor)
    for kind in (CODE, OBJECT, REFUSAL):
        entry = Entry(kind, content)
        if header == _header(name, entry):
            return entry
    return None


def _header(name: str, entry: Entry) -> bytes:
    """The first line of an entry's file, unique to it."""
    digest = hashlib.sha256(f"{name}\n{entry.kind}\n".encode() + entry.content).hexdigest()
    return b"%s %s %s\n" % (_FORMAT, entry.kind.encode(), digest.encode())


def _write(root: Path, name: str, entry: Entry) -> None:
    """Write an entry to a staging file, sync it to disk, and then rename it."""
    path = root / f"{name}{_SUFFIX}"
    descriptor, staged = tempfile.mkstemp(prefix=_STAGING, dir=root)  # for its owner only
    try:
        with open(descriptor, "wb") as file:
            file.write(_header(name, entry))
            file.write(entry.content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.replace(staged, path)
        except FileNotFoundError:  # the cache has just been cleared
            return
        except PermissionError:
            if not path.exists():  # Windows replaces no file that another process is reading
                raise
    finally:
        with contextlib.suppress(FileNotFoundError):  # it was renamed
            os.unlink(staged)
    _sync_folder(root)


def _sync_folder(root: Path) -> None:
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # some file systems cannot; the file is complete anyway
        descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# -- Contents and removal.


def contents() -> Contents:
    """The number of entries, and their size."""
    paths = _ours()
    return Contents(
        sum(not path.name.startswith((_STAGING, SOURCES)) and path.suffix != SECONDS for path in paths),
        sum(_size(path) for path in paths),
    )


def clear() -> int:
    """Remove all entries and staging files, and nothing else; the number that could not be removed."""
    return sum(not _remove(path) for path in _ours())


def _ours() -> list[Path]:
    """The files of the cache in its folder, which may hold files of other programs as well."""
    root = folder()
    try:
        names = sorted(os.listdir(root)) if root else []
    except OSError:
        return []
    return [root / name for name in names if root and _OURS.fullmatch(name)]


def _size(path: Path) -> int:
    """The size of a file, or of all files in a folder; links are not followed."""
    try:
        info = path.lstat()
        if stat.S_ISDIR(info.st_mode):
            return sum(_size(inner) for inner in path.iterdir())
    except OSError:  # another process has just removed it
        return 0
    return info.st_size


def _forget_old() -> None:
    now = time.time()
    for path in _ours():
        hours = STAGING_HOURS if path.name.startswith(_STAGING) else KEPT_DAYS * 24
        with contextlib.suppress(OSError):  # another process has just removed it
            if path.lstat().st_mtime < now - hours * 3600:
                _remove(path)


def _remove(path: Path) -> bool:
    """Remove a file, a link or a folder, if that is allowed; whether it is gone."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
    return not os.path.lexists(path)


def _warn(reason: str) -> None:
    """Warn, once in a process, that compiled code is not kept, and why."""
    if reason not in _warned:
        _warned.add(reason)
        warnings.warn(
            f"compiled code is not kept on disk: {reason}; PLIES_CACHE_DIR can name another folder",
            PliesWarning,
            stacklevel=3,
        )
