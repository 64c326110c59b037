"""The rules that kernels call, in one table: what each is given and gives, and whether it can be left out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule of `plies.Game`."""

    name: str
    arguments: tuple[str, ...] = ("state",)
    """What it is given, besides the game."""
    many: bool = False
    """Whether it gives any number of things, one after the other."""
    optional: bool = True
    """Whether `Game` has a form of it that is right for every game."""
    spare: bool = False
    """Whether that form serves as well, if more slowly: the rule says where to look first, not what is so."""


_PLAYER, _ACTION = ("state", "player"), ("state", "action")

RULES = (
    Rule("initial", (), optional=False),
    Rule("is_terminal", optional=False),
    Rule("to_move", optional=False),
    Rule("actions", many=True, optional=False),
    Rule("result", _ACTION, optional=False),
    Rule("utility", _PLAYER, optional=False),
    Rule("chance", many=True),
    Rule("evaluate", _PLAYER),
    Rule("identity"),
    Rule("key"),
    Rule("repetition_key"),
    Rule("plies_left"),
    Rule("repetition_value", _PLAYER),
    Rule("features"),
    Rule("encode", ("state", "player", "into")),
    Rule("candidates", many=True, spare=True),
    Rule("priority", _ACTION, spare=True),
    Rule("noisy", many=True, spare=True),
    Rule("is_quiet", spare=True),
    Rule("null_move", spare=True),
    Rule("symmetries", many=True, spare=True),
    Rule("playout", ("state", "random"), spare=True),
    Rule("move_index", _ACTION, spare=True),
)
"""Every rule that a kernel may call."""

FACTS = ("players", "total", "draw_value", "stochastic", "cycles", "superko", "exact_key", "forcing")
"""Every other attribute of a game that the engine's kernels may read."""

FORCING = frozenset({"candidates", "noisy", "is_quiet"})
"""Rules that belong together where a game is `forcing`: without one of them, too much would be proved."""
