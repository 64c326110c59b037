"""Marks in the cache folder: what has been compiled, to be found without Numba, and the seconds it took.

A mark promises nothing: if the code it stands for is gone, whoever needs it compiles it again.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import statistics
import sys
from pathlib import Path

from plies.compiled import disk_cache

ROUGHLY = 10.0
"""The seconds to compile where nothing has been compiled yet: the games of Plies take from 6 to 15."""

TICK = 0.1
"""The seconds by which the clock of a file system may be behind. Not tuned."""

_SOURCES = sorted(Path(__file__).parent.glob("*.py"))


def mark_name(kernel: str, game: str, *parts: object) -> str:
    """The name of the mark of a kernel and a game; the parts are what their code depends on, besides the
    compiler."""
    libraries = [importlib.util.find_spec(name) for name in ("numba", "llvmlite", "numpy")]
    files = [*(Path(spec.origin) for spec in libraries if spec and spec.origin), *_SOURCES]
    versions = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files if path.is_file()]
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    digest = hashlib.sha256(repr((sys.version, versions, settings, parts)).encode(errors="surrogatepass"))
    return f"{_words(kernel, game)}-{digest.hexdigest()[:20]}"


def is_marked(name: str) -> bool:
    """Whether there is a mark of that name, which counts as used now."""
    path = _path(name)
    if path is None or _seconds(path) is None:
        return False
    with contextlib.suppress(OSError):  # on a disk that cannot be written to
        os.utime(path)
    return True


def is_kept(name: str, since: float) -> bool:
    """Whether the cache has an entry of the kernel and the game of a mark that was written or used since."""
    return any(_changed(path) > since - TICK for path in _files(f"{name.rpartition('-')[0]}-*.plies"))


def set_mark(name: str, seconds: float) -> None:
    """Mark code as compiled, in so many seconds."""
    path = _path(name)
    if path is None:
        return
    try:
        path.write_text(f"{seconds:.2f}\n")
    except OSError:  # a full disk, or no folder: then there is no code either
        with contextlib.suppress(OSError):
            path.unlink()


def expected_seconds(kernel: str, game: str) -> float:
    """The seconds that it takes to compile a kernel for a game, about.

    As long as the last time, before the game or Plies was changed; or as the same kernel takes for other
    games, in the middle; or else `ROUGHLY`.
    """
    own = sorted(_files(f"{_words(kernel, game)}-*{disk_cache.MARK}"), key=_changed)[-1:]
    for marks in (own, _files(f"{_words(kernel)}-*{disk_cache.MARK}")):
        if known := [seconds for path in marks if (seconds := _seconds(path)) is not None]:
            return statistics.median(known)
    return ROUGHLY


def _path(name: str) -> Path | None:
    root = disk_cache.folder()
    return None if root is None or disk_cache.trouble() else root / f"{name}{disk_cache.MARK}"


def _files(pattern: str) -> list[Path]:
    """The files of the cache whose names fit a pattern."""
    root = disk_cache.folder()
    try:
        return sorted(root.glob(pattern)) if root else []
    except OSError:
        return []


def _seconds(path: Path) -> float | None:
    """The seconds that a mark tells; None if there is none, or a damaged one."""
    try:
        found = re.fullmatch(r"(\d{1,6}\.\d\d)\n", path.read_text(errors="replace"))
    except OSError:
        return None
    return float(found[1]) if found else None


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # just removed
        return 0.0


def _words(*names: str) -> str:
    """Names as part of a file's name."""
    return "-".join(re.sub(r"\W", "_", name, flags=re.ASCII)[:60] or "_" for name in names)
