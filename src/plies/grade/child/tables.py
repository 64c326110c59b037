"""Games by tables, which note the leaves that a search looks at; and all positions of Tic-Tac-Toe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

MOST_NOTED = 400_000
"""The leaves that are noted: more than minimax meets in Tic-Tac-Toe."""


class BrokenUse(Exception):
    """A rule was called where it has no answer."""


class TableGame:
    """A game whose states are numbers, with the six rules, `chance` and `evaluate`; MAX is player 0."""

    def __init__(
        self,
        movers: list[int],
        children: list[list[int]],
        values: list[float],
        names: list[list[Any]] | None = None,
        probabilities: list[list[float]] | None = None,
        players: int = 2,
    ) -> None:
        self.players = players
        self.movers, self.children, self.values = movers, children, values
        self.names = names or [[f"a{i + 1}" for i in range(len(below))] for below in children]
        self.probabilities = probabilities or [[] for _ in children]
        self.solved: dict[int, float] = {}
        """States that count as ends of the game, with their values."""
        self.leaves: list[int] = []
        """The states that were evaluated, in order; one that is asked for twice in a row is there once."""
        self.evaluations = 0

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.movers[state]

    def actions(self, state: int) -> list[Any]:
        return [] if self.is_terminal(state) else list(self.names[state])

    def result(self, state: int, action: Any) -> int:
        try:
            return self.children[state][self.names[state].index(action)]
        except ValueError:
            raise BrokenUse(f"result() was asked for {action!r}, which is no action of the state") from None

    def is_terminal(self, state: int) -> bool:
        return not self.children[state] or state in self.solved

    def utility(self, state: int, player: int = 0) -> float:
        if not self.is_terminal(state):
            raise BrokenUse("utility() was asked for a state in which the game is not over")
        return self._worth(state, player)

    def evaluate(self, state: int, player: int = 0) -> float:
        return self._worth(state, player)

    def chance(self, state: int) -> list[tuple[Any, float]]:
        return list(zip(self.names[state], self.probabilities[state], strict=True))

    def _worth(self, state: int, player: int) -> float:
        self.evaluations += 1
        if len(self.leaves) < MOST_NOTED and (not self.leaves or self.leaves[-1] != state):
            self.leaves.append(state)
        value = self.solved.get(state, self.values[state])
        return value if player == 0 else -value


def positions() -> list[str]:
    """All 5,478 positions of Tic-Tac-Toe as nine characters each, those with fewer marks first."""
    found = ["." * 9]
    seen = set(found)
    for position in found:  # which grows on the way
        for _, below in moves(position):
            if below not in seen:
                seen.add(below)
                found.append(below)
    return found


def moves(position: str) -> Iterator[tuple[int, str]]:
    """The moves of a position, by cells 1 to 9, and what they lead to."""
    if winner(position):
        return
    mark = "XO"[(9 - position.count(".")) % 2]
    for cell in range(9):
        if position[cell] == ".":
            yield cell + 1, position[:cell] + mark + position[cell + 1 :]


def winner(position: str) -> str:
    """Who has three in a row, "X" or "O", or "" for nobody."""
    for a, b, c in LINES:
        if position[a] != "." and position[a] == position[b] == position[c]:
            return position[a]
    return ""


def tic_tac_toe() -> TableGame:
    """Tic-Tac-Toe, the number of a state being its place among all positions."""
    all_positions = positions()
    numbers = {position: i for i, position in enumerate(all_positions)}
    below = [list(moves(position)) for position in all_positions]
    worth = {"X": 1, "O": -1, "": 0}
    return TableGame(
        [(9 - position.count(".")) % 2 for position in all_positions],
        [[numbers[child] for _, child in some] for some in below],
        [worth[winner(position)] for position in all_positions],
        [[f"c{cell}" for cell, _ in some] for some in below],
    )
