"""The table of rules: each rule of `plies.Game` that a kernel may call, its arguments and its kind.

Compiling, checking, explaining and wrapping a game all read this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Rule:
    """A rule of `plies.Game`."""

    name: str
    arguments: tuple[str, ...] = ("state",)
    """The names of its parameters, without `self`."""
    generator: bool = False
    """Whether it yields any number of items instead of returning one value."""
    optional: bool = True
    """Whether `Game` has a default that is right for every game."""
    dispensable: bool = False
    """Whether a search is correct, if slower, with that default: the rule is a heuristic. If such a rule does
    not compile, compiled searches use the default, with a warning."""


_PLAYER, _ACTION = ("state", "player"), ("state", "action")

RULES = (
    Rule("initial", (), optional=False),
    Rule("is_terminal", optional=False),
    Rule("to_move", optional=False),
    Rule("actions", generator=True, optional=False),
    Rule("result", _ACTION, optional=False),
    Rule("utility", _PLAYER, optional=False),
    Rule("chance", generator=True),
    Rule("choices", _PLAYER, generator=True),
    Rule("evaluate", _PLAYER),
    Rule("evaluate_action", _ACTION),
    Rule("identity"),
    Rule("key"),
    Rule("repetition_key"),
    Rule("plies_left"),
    Rule("repetition_value", _PLAYER),
    Rule("core"),
    Rule("stage"),
    Rule("index"),
    Rule("state_at", ("stage", "index")),
    Rule("earned"),
    Rule("points_and_rest", dispensable=True),
    Rule("features"),
    Rule("encode", ("state", "player", "into")),
    Rule("planes", _PLAYER),
    Rule("phase"),
    Rule("candidates", generator=True, dispensable=True),
    Rule("priority", _ACTION, dispensable=True),
    Rule("noisy", generator=True, dispensable=True),
    Rule("exchange", _ACTION, dispensable=True),
    Rule("is_quiet", dispensable=True),
    Rule("null_move", dispensable=True),
    Rule("symmetries", generator=True, dispensable=True),
    Rule("playout", ("state", "random", "last", "before"), dispensable=True),
    Rule("pattern", ("state", "action", "last"), dispensable=True),
    Rule("prior", ("state", "action", "last"), dispensable=True),
    Rule("move_index", _ACTION, dispensable=True),
    Rule("proved_bounds", ("state", "alpha", "beta"), dispensable=True),
)
"""Every rule that a kernel may call."""

FACTS = ("players", "total", "draw_value", "stochastic", "cycles", "superko", "exact_key", "forcing")
"""Every other attribute of a game that the engine's kernels may read."""

FORCING = frozenset({"candidates", "noisy", "is_quiet"})
"""Rules that are not dispensable in a `forcing` game: one replaced by its default would prove too much."""

UNSEARCHED = frozenset(
    {
        "features",
        "encode",
        "planes",
        "phase",
        "evaluate_action",
        "core",
        "stage",
        "index",
        "state_at",
        "earned",
    }
)
"""Rules that no search calls, except through others or with a network: those for learning, reflex agents and
databases."""


def noinline(rule: _Function) -> _Function:
    """Mark a long rule or helper to be compiled once and called, not inlined wherever it is used."""
    rule.noinline = True  # type: ignore[attr-defined]
    return rule
