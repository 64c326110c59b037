"""How many seconds kernels took to compile, noted in the cache folder: what to expect the next time."""

from __future__ import annotations

import contextlib
import re
import statistics
from pathlib import Path

from plies.compiled import disk_cache

ROUGHLY = 5.0
"""The seconds that are expected where nothing has been compiled yet. Not tuned."""


def expected_seconds(kernel: str, game: str) -> float:
    """The seconds that it takes to compile a kernel for a game, about.

    As many as the last time, before the game or Plies was changed; or the median of other games; or else
    `ROUGHLY`.
    """
    for pattern in (_name(kernel, game), f"{disk_cache.word(kernel)}-*{disk_cache.SECONDS}"):
        if known := [seconds for path in _files(pattern) if (seconds := _read(path)) is not None]:
            return statistics.median(known)
    return ROUGHLY


def note_seconds(kernel: str, game: str, seconds: float) -> None:
    """Note how many seconds a kernel took, if there is a cache."""
    root = disk_cache.folder()
    if root is None or disk_cache.trouble():
        return
    path = root / _name(kernel, game)
    try:
        path.write_text(f"{seconds:.2f}\n")
    except OSError:  # there is no folder, or no room
        with contextlib.suppress(OSError):
            path.unlink()


def _files(pattern: str) -> list[Path]:
    root = disk_cache.folder()
    try:
        return list(root.glob(pattern)) if root else []
    except OSError:
        return []


def _read(path: Path) -> float | None:
    """The seconds in a file; None if it is damaged, or gone."""
    try:
        found = re.fullmatch(r"\d{1,6}\.\d\d\n", path.read_text(errors="replace"))
    except OSError:
        return None
    return float(found[0]) if found else None


def _name(kernel: str, game: str) -> str:
    return f"{disk_cache.word(kernel)}-{disk_cache.word(game)}{disk_cache.SECONDS}"
