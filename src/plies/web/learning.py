"""What the Learn page asks for."""

from __future__ import annotations

from typing import Any

from plies.errors import PliesError


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request of the Learn page, or raise `PliesError`."""
    raise PliesError("there are no lessons yet")
