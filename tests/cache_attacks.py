"""What both tests of the compile cache need: a cache of their own, and what may be done to its files."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plies.compiled import disk_cache
from plies.errors import PliesWarning

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
NOBODY = 65534
"""Another user."""


@pytest.fixture(name="cache")
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own, whose every warning is an error."""
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(disk_cache, "_warned", set())
    with warnings.catch_warnings():
        warnings.simplefilter("error", PliesWarning)
        yield tmp_path / "cache"


def file_of(cache: Path) -> Path:
    """The one entry in a cache."""
    (path,) = (path for path in cache.iterdir() if path.suffix != disk_cache.SECONDS)
    return path


def _link(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")
    path.symlink_to(path.parent.parent / "elsewhere")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "file").touch()


FOREIGN: dict[str, Callable[[Path], None]] = {
    "others can write to it": lambda path: path.chmod(0o602),
    "its group can write to it": lambda path: path.chmod(0o660),
    "it is a link": _link,
    "it is a pipe": _pipe,
    "it is a folder": _folder,
}


def at_once(program: str, *arguments: tuple[str, ...]) -> list[str]:
    """What processes of one program print that run at the same time, each with arguments of its own."""
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", textwrap.dedent(program), *given],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for given in arguments
    ]
    outputs = [process.communicate()[0] for process in running]
    for process, output in zip(running, outputs, strict=True):
        assert process.returncode == 0, output
    return outputs
