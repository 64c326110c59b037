"""Small games in which positions come up again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import plies
from plies import bits


class Walk(NamedTuple):
    place: int
    player: int
    passes: int


class Ring(plies.Game):
    """A token on a ring: the players take turns to move it a step either way, or from place 1 to the goal.

    The first player wins at the goal. Nothing else ever ends the game but its history.
    """

    cycles = True
    player_names = ("A", "B")

    def __init__(
        self, size: int = 4, repetitions: int = 3, superko: bool = False, passing: bool = False
    ) -> None:
        self.size = size
        self.repetitions = repetitions
        self.superko = superko
        self.passing = passing

    def initial(self) -> Walk:
        return Walk(0, 0, 0)

    def to_move(self, state: Walk) -> int:
        return state.player

    def actions(self, state: Walk) -> Iterator[int]:
        if not self.is_terminal(state):
            yield 1
            yield -1
            if state.place == 1:
                yield 0
            if self.passing:
                yield 2

    def result(self, state: Walk, action: int) -> Walk:
        if action == 2:
            return Walk(state.place, 1 - state.player, state.passes + 1)
        place = self.size if action == 0 else (state.place + action) % self.size
        return Walk(place, 1 - state.player, 0)

    def is_terminal(self, state: Walk) -> bool:
        return state.place == self.size or state.passes == 2

    def utility(self, state: Walk, player: int) -> int:
        if state.passes == 2:
            return 0
        return 1 if player == 0 else -1

    def key(self, state: Walk) -> int:
        return bits.hash64(state.place) if self.superko else bits.hash64((state.place, state.player))

    def repetition_value(self, state: Walk, player: int) -> float:
        """A draw; under superko, a loss for the player who moved here."""
        if not self.superko:
            return 0.0
        return 1.0 if player == state.player else -1.0

    def notation(self, state: Walk, action: int) -> str:
        return {1: "on", -1: "back", 0: "goal", 2: "pass"}[action]

    def move_squares(self, state: Walk, action: int) -> Sequence[str]:
        return () if action == 2 else (self.notation(state, action),)

    def position(self, state: Walk) -> str:
        return f"{state.place} {'AB'[state.player]} {state.passes}"

    def parse_position(self, text: str) -> Walk:
        place, player, passes = text.split()
        return Walk(int(place), "AB".index(player), int(passes))
