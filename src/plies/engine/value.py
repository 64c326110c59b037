"""What a search found a position to be worth: proved or estimated, exact or a bound."""

from __future__ import annotations

import math
from dataclasses import dataclass

EXACT, AT_LEAST, AT_MOST = "=", ">=", "<="


@dataclass(frozen=True)
class Value:
    """A position's worth to the player to move, in units of utility.

    Proved, it is the value of the game, which ends in `plies` if both sides play their best. Values are
    ordered by what a player prefers: of two equal wins the quicker, of two equal losses the slower.
    """

    utility: float
    proved: bool = False
    plies: int | None = None
    bound: str = EXACT
    """Whether this is the worth itself ("="), or the worth is at least (">=") or at most ("<=") this."""

    @property
    def _rank(self) -> tuple[float, float]:
        plies = self.plies if self.proved and self.plies is not None else 0
        return self.utility, -plies if self.utility > 0 else plies if self.utility < 0 else 0

    # Values may rank alike without being equal: a proved draw and an estimate of 0.

    def __lt__(self, other: Value) -> bool:
        return self._rank < other._rank

    def __le__(self, other: Value) -> bool:
        return self._rank <= other._rank

    def __gt__(self, other: Value) -> bool:
        return self._rank > other._rank

    def __ge__(self, other: Value) -> bool:
        return self._rank >= other._rank

    def __neg__(self) -> Value:
        turned = {EXACT: EXACT, AT_LEAST: AT_MOST, AT_MOST: AT_LEAST}
        return Value(0.0 - self.utility, self.proved, self.plies, turned[self.bound])

    def __float__(self) -> float:
        return float(self.utility)

    def winning_chance(self, scale: float = 1.0) -> float:
        """The worth as a chance from 0 to 1 that the game is won; `scale` is the utility of an even lead."""
        if self.proved:
            return 1.0 if self.utility > 0 else 0.0 if self.utility < 0 else 0.5
        return 0.5 + 0.5 * math.tanh(1.5 * self.utility / scale)  # the logistic function, without overflow

    def __str__(self) -> str:
        words = self._words()
        return words if self.bound == EXACT else f"{self.bound} {words}"

    def _words(self) -> str:
        if not self.proved:
            return f"{self.utility:+.3g}"
        if self.utility == 0:
            return "draw"
        words = "win" if self.utility > 0 else "loss"
        if abs(self.utility) != 1:
            words += f" by {abs(self.utility):g}"
        return words if not self.plies else f"{words} in {self.plies}"
