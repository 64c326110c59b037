"""The scores of Connect Four positions as in the test sets of Pascal Pons (2015)."""

from __future__ import annotations

from plies.engine.value import Value
from plies.game import Game, State


def score(game: Game, state: State, value: Value) -> int:
    """The stones that the winner has left at the end, the last one counted; negative if the mover loses."""
    if value.lead == 0:
        return 0
    assert value.plies is not None
    cells: int = game.width * game.height  # type: ignore[attr-defined]
    stones: int = state.ply + value.plies
    left = (cells + 2 - stones) // 2
    return left if value.lead > 0 else -left
