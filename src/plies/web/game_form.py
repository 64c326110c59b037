"""A game and its parameters as the page's forms show them."""

from __future__ import annotations

import inspect
import re
from typing import Any

from plies.game import Game

HIDDEN = ("weights", "action_weights", "network")
"""Parameters that cannot be set on the page: they are for programs."""


def game_entry(name: str, cls: type[Game]) -> dict[str, Any]:
    """Name, title, rules and parameters of a game."""
    return {
        "name": name,
        "title": title(name),
        "rules": cls.rules or "This game has no description of its rules.",
        "parameters": [
            {"name": p.name, "kind": _kind(p), "default": _shown(p.default)}
            for p in inspect.signature(cls).parameters.values()
            if p.name not in HIDDEN and "Sequence[float]" not in str(p.annotation)
        ],
    }


def title(name: str) -> str:
    """The name of a game as a heading."""
    words = " ".join(word if word in ("to", "of", "and") else word.capitalize() for word in name.split("-"))
    return words[:1].upper() + words[1:]


def _kind(parameter: inspect.Parameter) -> str:
    """The kind of a parameter's form field."""
    default = parameter.default
    if isinstance(default, bool):
        return "yes or no"
    if isinstance(default, int | float):
        return "number"
    return "text"


def _shown(default: Any) -> str:
    """A default as a person would write it."""
    if default is None:
        return ""
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, tuple) and all(isinstance(item, int) for item in default):
        return ",".join(map(str, default))
    return str(default)


def as_text(parameters: dict[str, Any]) -> dict[str, str]:
    """The parameters of a record as a form shows them; those that are not given are left out."""
    written = {}
    for name, value in parameters.items():
        if value is not None and name not in HIDDEN:
            written[str(name)] = _shown(tuple(value) if isinstance(value, list) else value)
    return written


def without_style(svg: str) -> str:
    """A picture without its stylesheet, which the page loads as a file."""
    return re.sub("<style>.*?</style>", "", svg, count=1, flags=re.DOTALL)
