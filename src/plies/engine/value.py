"""What a search found a position to be worth: proved, or estimated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering


@total_ordering
@dataclass(frozen=True)
class Value:
    """A position's worth to the player to move, in units of utility.

    Proved, it is the exact value of the game, which ends in `plies` if both sides play their best.
    Values are ordered by what a player prefers: of two equal wins the quicker, of two losses the slower.
    """

    utility: float
    proved: bool = False
    plies: int | None = None

    @property
    def _rank(self) -> tuple[float, float]:
        plies = self.plies if self.proved and self.plies is not None else 0
        return self.utility, -plies if self.utility > 0 else plies if self.utility < 0 else 0

    def __lt__(self, other: Value) -> bool:
        return self._rank < other._rank

    def __neg__(self) -> Value:
        return Value(-self.utility, self.proved, self.plies)

    def __float__(self) -> float:
        return float(self.utility)

    def __str__(self) -> str:
        if not self.proved:
            return f"{self.utility:+.3g}"
        if self.utility == 0:
            return "draw"
        words = "win" if self.utility > 0 else "loss"
        if abs(self.utility) != 1:
            words += f" by {abs(self.utility):g}"
        return words if self.plies is None else f"{words} in {self.plies}"
