"""What tells the work that a file was begun with from the work that is asked for, in a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from plies.errors import PliesError

MOST, LONGEST = 3, 80
"""The most differences that are told, and the most characters of each side. Not tuned."""

ADVICE = "go on with the settings it was begun with, or name another file"


def begun_otherwise(
    path: Path | str, kept: Mapping[str, Any], asked: Mapping[str, Any], advice: str = ADVICE
) -> PliesError:
    """The error for a file whose settings are not those asked for."""
    found = [f"{name} {_shown(there)}, not {_shown(here)}" for name, there, here in differences(kept, asked)]
    more = f"; {len(found) - MOST} more differ" if len(found) > MOST else ""
    return PliesError(f"{str(path)!r} was begun with {'; '.join(found[:MOST])}{more}: {advice}")


def differences(kept: Mapping[str, Any], asked: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """Each setting that differs, by name, as it is in a file and as it is asked for; None where it is not."""
    return list(_walk("", kept, asked))


def _walk(name: str, kept: Any, asked: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(kept, Mapping) and isinstance(asked, Mapping):
        for key in {**asked, **kept}:
            one = name if key in ("tuple", "list", "array") else str(key)  # forms of values: see `Code`
            yield from _walk(one, kept.get(key), asked.get(key))
    elif kept != asked:
        yield name, kept, asked


def _shown(value: Any) -> str:
    """A setting in a few words, on one line."""
    text = _words(value)
    text = text if text.isprintable() else repr(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _words(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and "words" in value:  # a player
        return str(value["words"])
    if isinstance(value, list) and value and all(isinstance(one, str | Mapping) for one in value):
        return ", ".join(map(_words, value))
    return json.dumps(value)
