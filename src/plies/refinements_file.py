"""Refinements that `plies tune` has found, read from the file that it wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from plies.errors import PliesError


def tuned(path: str | Path) -> dict[str, Any]:
    """The `refinements` of a game, from a file of `plies tune`: options by name."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PliesError(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', error)}") from None
    if not isinstance(data, dict) or not all(
        isinstance(value, int | float | str | list) for value in data.values()
    ):
        raise PliesError(f"{str(path)!r} does not hold the refinements of a game")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
