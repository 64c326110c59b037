"""A matrix game as text and as plain data: the solution, and the steps of dominance."""

from __future__ import annotations

from typing import Any

from plies.matrix import MatrixGame
from plies.matrix.game import MOST_EXACT
from plies.matrix.numbers import shown


def matrix_text(game: MatrixGame) -> str:
    """The table, value, strategies and saddle points, and which strategies dominance takes away in turn."""
    steps = [str(step) for step in game.dominance(weak=True)] if _small(game) else ["not looked for"]
    width = max(map(len, game.facts()))
    lines = [
        f"{'dominance':{width}}  {(steps or ['none'])[0]}",
        *(f"{'':{width}}  {step}" for step in steps[1:]),
    ]
    return "\n".join([str(game), *lines])


def matrix_data(game: MatrixGame) -> dict[str, Any]:
    """The same, for programs."""
    steps = [
        {
            "player": step.player,
            "name": step.name,
            "by": {name: shown(weight) for name, weight in step.by.items()},
            "strict": step.strict,
        }
        for step in (game.dominance(weak=True) if _small(game) else ())
    ]
    return {**game.to_dict(), "dominance": steps}


def _small(game: MatrixGame) -> bool:
    return len(game.rows) * len(game.rows[0]) <= MOST_EXACT
