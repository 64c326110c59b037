"""Files that are written all or nothing."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plies.errors import PliesError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Any]:
    """A file that takes its place when it is complete; a full disk leaves nothing behind."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}-")
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
