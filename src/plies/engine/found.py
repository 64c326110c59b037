"""What a search found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from plies.engine.value import Value
from plies.game import Action, Game, State


@dataclass(frozen=True)
class Found:
    """What a search found at the greatest depth it completed: the best action and what it rests on."""

    action: Action
    value: Value
    line: list[Action]
    """The principal variation: the action, the best reply, and so on, as far as known."""
    depth: int
    nodes: int
    """Positions that were visited; in Monte Carlo tree search, simulations."""
    seconds: float
    hits: int = 0
    """Positions that the transposition table settled."""
    cuts: int = 0
    """Positions in which a cut-off came …"""
    first_cuts: int = 0
    """… and came with the first action tried."""
    scores: dict[Action, Value] = field(default_factory=dict)
    """What each action is worth: exact, or marked as a bound."""
    visits: dict[Action, int] = field(default_factory=dict)
    """In Monte Carlo tree search: how many simulations tried each action."""
    lines: list[list[Action]] = field(default_factory=list)
    """The best lines, as many as were asked for."""
    algorithm: str = "alpha-beta"
    game: Game | None = field(default=None, repr=False, compare=False)
    state: State = field(default=None, repr=False, compare=False)
    """The game and the position that were searched, by which a notebook shows what was found."""

    @property
    def speed(self) -> float:
        """Nodes per second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def __str__(self) -> str:
        effort = f"depth {self.depth}, {self.nodes:,} nodes, {self.speed:,.0f} nodes/s"
        return f"{self.action} ({self.value}), {effort}"


def value_text(value: Value, unit: float = 1) -> str:
    """A value with the words that keep what is proved apart from what is estimated.

    Estimates are counted in the unit of a game, such as pawns.
    """
    if value.proved:
        return str(value)
    return f"{Value(value.utility / unit, bound=value.bound)} (estimate)"


def line_text(game: Game, state: State, actions: Iterable[Action]) -> list[str]:
    """Actions, one after the other, in notation."""
    names = []
    for action in actions:
        names.append(game.notation(state, action))
        state = game.result(state, action)
    return names
