"""Where machine code is kept between processes: a folder for each kernel and game, named by fingerprint."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

KEPT_DAYS = 60
"""Machine code that has not been used for so long is deleted."""


def folder() -> Path | None:
    """The folder that holds all machine code, or None where nothing can be written."""
    root = os.environ.get("PLIES_CACHE_DIR")
    path = Path(root) if root else _user_cache() / "plies"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return path if os.access(path, os.W_OK) else None


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


def find(name: str) -> Path | None:
    """The folder of that name, if it has been kept; it counts as used now."""
    root = folder()
    if root is None or not (root / name).is_dir():
        return None
    os.utime(root / name)
    return root / name


def staging() -> Path:
    """A new folder to write machine code into, before it is known to be fit to keep."""
    return Path(tempfile.mkdtemp(prefix="staging-", dir=folder()))


def keep(staged: Path, name: str) -> None:
    """Move a folder from staging to its name, at once and whole; the first to come stays."""
    root = folder()
    if root is not None and staged.exists():
        with contextlib.suppress(OSError):  # another process kept the same one first
            staged.rename(root / name)
        _forget_old(root)
    discard(staged)


def discard(staged: Path) -> None:
    """Remove a folder that is not to be kept."""
    shutil.rmtree(staged, ignore_errors=True)


def _forget_old(root: Path) -> None:
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for path in root.iterdir():
        if path.is_dir() and path.stat().st_mtime < oldest:
            discard(path)
