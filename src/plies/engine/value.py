"""The value of a position: proved or estimated, exact or a bound."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from plies.game import Game

EXACT, AT_LEAST, AT_MOST = "=", ">=", "<="
"""What a value is: exact, a lower bound, or an upper bound."""

UNITS = 8.0
"""The lead, in units such as pawns, that practically wins a game. Not tuned."""

NARROW = 4.0
"""The range of utilities up to which they only say who wins; beyond, games are won by margins. Not tuned."""

LEAD = 4.0
"""Where games are won by margins, the greatest one divided by this practically wins. Not tuned."""


@dataclass(frozen=True)
class Value:
    """A position's value to the player to move, as a utility.

    If proved, it is the value of the game, which ends in `plies` if both sides play their best. Values are
    ordered by preference: of two equal wins the quicker comes first, of two equal losses the slower.
    """

    utility: float
    proved: bool = False
    plies: int | None = None
    """The plies to the end of the game, if they are proved too."""
    bound: str = EXACT
    """Whether the value is exact ("="), a lower bound (">=") or an upper bound ("<=")."""
    error: float | None = None
    """The standard error of an estimate that is a mean of playouts."""
    draw: float | None = 0.0
    """The utility of a draw; None where there is no winning or losing, only payoffs."""
    players: int = 2
    mean: bool = False
    """Whether this is an average over the mixed strategies of players who move at once."""

    @classmethod
    def of(
        cls,
        game: Game,
        utility: float,
        proved: bool = False,
        plies: int | None = None,
        bound: str = EXACT,
        error: float | None = None,
    ) -> Value:
        """A value in a game, which decides whether it reads as a win, a solution or a payoff."""
        draw = game.draw_value if game.constant_sum and game.players == 2 else None
        return cls(utility, proved, plies, bound, error, draw, game.players)

    @property
    def lead(self) -> float:
        """The utility beyond that of a draw."""
        return self.utility - (self.draw or 0.0)

    @property
    def _rank(self) -> tuple[float, float]:
        plies = self.plies if self.proved and self.plies is not None else 0
        return self.utility, -plies if self.lead > 0 else plies if self.lead < 0 else 0

    # Values may rank equally without being equal: a proved draw and an estimate of 0.

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
        return replace(self, utility=2 * (self.draw or 0.0) - self.utility, bound=turned[self.bound])

    def __float__(self) -> float:
        return float(self.utility)

    def winning_chance(self, scale: float = 1.0) -> float:
        """The value as a probability of winning, from 0 to 1; a lead of `scale` is 95 %. Not tuned."""
        if self.proved and not self.mean:
            return 1.0 if self.lead > 0 else 0.0 if self.lead < 0 else 0.5
        return 0.5 + 0.5 * math.tanh(1.5 * self.lead / scale)  # the logistic function, without overflow

    def to_dict(self) -> dict[str, Any]:
        """The value as JSON, with its bound and whether it is proved."""
        given = {"utility": self.utility, "bound": self.bound, "proved": self.proved, "plies": self.plies}
        if self.error is not None:
            given["error"] = self.error
        return {**given, "text": str(self)}

    def __str__(self) -> str:
        words = self._words()
        return words if self.bound == EXACT else f"{self.bound} {words}"

    def _words(self) -> str:
        if self.mean and self.proved:
            return f"{self.utility:.6g} on average"
        if not self.proved:
            return f"{self.utility:+.3g}" + ("" if self.error is None else f" ± {self.error:.1g}")
        if self.players == 1:
            return self._solved()
        if self.draw is None:
            return f"payoff {self.utility:g}"
        if self.lead == 0:
            return "draw"
        words = "win" if self.lead > 0 else "loss"
        if abs(self.lead) != (self.draw or 1):
            words += f" by {abs(self.utility):g}" if self.draw == 0 else f", worth {self.utility:g}"
        return words if not self.plies else f"{words} in {self.plies}"

    def _solved(self) -> str:
        """A proved value of a puzzle in words; where every move costs 1, the number of moves."""
        if self.plies is not None and self.utility == -self.plies:
            return f"solved in {_moves(self.plies)}"
        words = "solved" if self.utility == 1 else f"at best {self.utility:g}"
        return words if self.plies is None else f"{words} in {_moves(self.plies)}"


def decisive_lead(game: Game) -> float:
    """The lead, as utility, that practically wins: `UNITS` of the game's units, such as pawns."""
    if game.unit != 1:
        return UNITS * game.unit
    draw = game.draw_value if game.constant_sum and game.players == 2 else 0.0
    largest = max(abs(bound - draw) for bound in game.bounds) or 1.0
    return largest if largest <= NARROW else largest / LEAD


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"
