"""The result of a search."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from plies.engine.value import EXACT, Value
from plies.errors import PliesError
from plies.game import Action, Game, State
from plies.matrix import MatrixGame


@dataclass(frozen=True)
class SearchResult:
    """The best action, its value and what else a search found, at the greatest depth it completed."""

    action: Action
    value: Value
    line: list[Action]
    """The principal variation: the action, the best reply, and so on."""
    depth: int
    nodes: int
    """The positions visited; in Monte Carlo tree search, the simulations."""
    seconds: float
    hits: int = 0
    """The positions settled by the transposition table."""
    cuts: int = 0
    """The positions with a cut-off."""
    first_cuts: int = 0
    """The positions with a cut-off by the first action tried."""
    scores: dict[Action, Value] = field(default_factory=dict)
    """The value of each action: exact, or marked as a bound."""
    visits: dict[Action, int] = field(default_factory=dict)
    """In Monte Carlo tree search: the visits of each action."""
    lines: list[list[Action]] = field(default_factory=list)
    """The best lines, as many as requested; each begins with the best action or with one that has a score."""
    algorithm: str = "alpha-beta"
    rests_on: str = ""
    """What a proof of this search rests on, in a sentence: see docs/what-proved-means.md."""
    database: str = ""
    """What a database says of the position, and why that is no proof, if it is none."""
    book: str = ""
    """What it takes from an opening book, in a sentence."""
    matrix: MatrixGame | None = None
    """Where all move at once: the matrix game of the position, by payoffs to the first player."""
    game: Game | None = field(default=None, repr=False, compare=False)
    state: State = field(default=None, repr=False, compare=False)
    """The game and the position searched, for a notebook to show the result."""
    compiled: bool = field(default=False, compare=False)
    """Whether it was found by machine code: not if the search ended before the game was compiled."""

    @property
    def speed(self) -> float:
        """Nodes per second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def settles(self, lines: int = 1) -> bool:
        """Whether the value is proved, and so are the exact values of that many actions."""
        exact = sum(value.proved and value.bound == EXACT for value in self.scores.values())
        return self.value.proved and exact >= min(lines, len(self.scores))

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON, with actions in notation."""
        game, state = self.game, self.state
        if game is None:
            raise PliesError("a result without a game cannot be written")
        mixed = {} if self.matrix is None else {"matrix": self.matrix.to_dict()}
        return {
            "action": game.notation(state, self.action),
            "value": self.value.to_dict(),
            "line": line_text(game, state, self.line),
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "compiled": self.compiled,
            "algorithm": self.algorithm,
            "rests_on": self.rests_on,
            **({"database": self.database} if self.database else {}),
            "book": self.book,
            "scores": {
                game.notation(state, action): value.to_dict() for action, value in self.scores.items()
            },
            "visits": {game.notation(state, action): count for action, count in self.visits.items()},
            "lines": [line_text(game, state, line) for line in self.lines],
            **mixed,
        }

    def __str__(self) -> str:
        effort = f"depth {self.depth}, {self.nodes:,} nodes, {self.speed:,.0f} nodes/s"
        return f"{self.action} ({self.value}), {effort}"


def mixed_strategies(found: SearchResult) -> list[dict[Action, float]]:
    """Where all move at once: how likely each player is to make each choice, in an optimal mixed strategy."""
    game, matrix = found.game, found.matrix
    if game is None or matrix is None:
        raise PliesError("there are mixed strategies only where players move at once")
    weights = (matrix.row_strategy, matrix.column_strategy)
    return [
        dict(zip(game.choices(found.state, player), map(float, chances), strict=True))
        for player, chances in enumerate(weights)
    ]


def drawn(found: SearchResult, player: int, generator: random.Random) -> Action:
    """A choice, where all choose at once, drawn from the mixed strategy of a player."""
    chances = mixed_strategies(found)[player]
    return generator.choices(list(chances), list(chances.values()))[0]


def value_text(value: Value, unit: float = 1) -> str:
    """A value in words, marked if it is an estimate; estimates are in units of the game, such as pawns."""
    if value.proved:
        return str(value)
    error = None if value.error is None else value.error / unit
    return f"{replace(value, utility=value.utility / unit, error=error)} (estimate)"


def line_text(game: Game, state: State, actions: Iterable[Action]) -> list[str]:
    """Actions, one after the other, in notation."""
    names = []
    for action in actions:
        names.append(game.notation(state, action))
        state = game.result(state, action)
    return names


def rests_on(game: Game) -> str:
    """What a proof by a table of positions rests on, for `SearchResult.rests_on`."""
    if game.exact_key:
        return "Positions are identified by an exact key."
    return (
        "Positions are identified by a key and an independent verification key: two that differ agree in "
        "both with odds of at most 2^-47."
    )
