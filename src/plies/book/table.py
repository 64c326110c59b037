"""The transposition table of the book: as many entries as it is given, and a scheme for who has to go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plies import bits
from plies.book.decision import Line
from plies.errors import BadParameter
from plies.game import Game, State

SCHEMES = ("always", "depth-preferred", "two-tier")
"""What may be done where two positions want one place (Breuker, Uiterwijk and van den Herik 1994)."""


@dataclass(frozen=True)
class Entry:
    """What a search found out about a position."""

    value: float
    relation: str
    """That of the exact value to this one: "=", or "<=" or ">=" if branches were cut."""
    depth: float
    """The plies to which the position was searched; infinite if to the end of the game."""
    line: Line
    """The line of play from there."""
    ply: int = 0
    """Where the position was: of two that were searched to the end, the one nearer the root took longer."""

    def suffices(self, alpha: float, beta: float) -> bool:
        """Whether it says enough for a search in this window: exact, or a bound outside of it."""
        if self.relation == "<=":
            return self.value <= alpha
        return self.value >= beta if self.relation == ">=" else True


class Table:
    """A transposition table: at most `size` entries, or any number of them.

    With two tiers, each place has an entry for the position that was searched deepest, and another for the
    one that was searched last.
    """

    def __init__(self, game: Game, size: int | None, replacement: str) -> None:
        if replacement not in SCHEMES:
            raise BadParameter(f"replacement must be one of {', '.join(SCHEMES)}, not {replacement!r}")
        tiers = 2 if replacement == "two-tier" else 1
        if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < tiers):
            raise BadParameter(f"size must be {tiers} or more entries, or none for no limit, not {size!r}")
        self.game = game
        self.places = None if size is None else size // tiers
        self.prefer_deep = replacement != "always"
        self.two_tier = replacement == "two-tier"
        self.first: dict[Any, tuple[Any, Entry]] = {}
        """By place, a position and its entry."""
        self.second: dict[Any, tuple[Any, Entry]] = {}

    def look_up(self, state: State) -> Entry | None:
        """The entry of a position, if it is still there."""
        name, place = self._found(state)
        for tier in (self.first, self.second):
            if place in tier and tier[place][0] == name:
                return tier[place][1]
        return None

    def store(self, state: State, entry: Entry) -> None:
        """Store the entry of a position, unless another one is to be kept in its place."""
        name, place = self._found(state)
        held = self.first.get(place)
        deep = held is None or (entry.depth, -entry.ply) >= (held[1].depth, -held[1].ply)
        if held is None or held[0] == name or deep or not self.prefer_deep:
            if self.two_tier and held is not None and held[0] != name:
                self.second[place] = held
            self.first[place] = name, entry
        elif self.two_tier:
            self.second[place] = name, entry

    def _found(self, state: State) -> tuple[Any, Any]:
        """A position by name, and its place. Where a clock runs, states are one only if it agrees."""
        name = state if self.game.has("plies_left") else self.game.identity(state)
        return name, name if self.places is None else bits.mix(self.game.key(state)) % self.places
