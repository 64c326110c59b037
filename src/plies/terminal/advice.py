"""Which search a game gets and why, and what would make it stronger, as `check` and `best` say it."""

from __future__ import annotations

from plies.engine.advice import chosen, evaluation_warnings, what_helps
from plies.engine.limit import DEFAULT, Limit
from plies.game import Game


def advice_text(game: Game, limit: Limit = DEFAULT) -> list[str]:
    """The search that suits a game, why, and what to do about it, a line each."""
    helps, warnings = what_helps(game, limit), evaluation_warnings(game)
    return [
        f"search: {chosen(game, limit)}",
        *([helps] if helps else []),
        *(f"warning: {one}" for one in warnings),
    ]
