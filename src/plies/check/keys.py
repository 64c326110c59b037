"""Two states with one key must agree in all that a transposition table stores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plies.check.values import frozen
from plies.game import Game, State

Ask = Callable[..., Any]
"""Calls a rule by name, with its arguments."""


class Keys:
    """The states met so far, by key."""

    def __init__(self, game: Game, ask: Ask) -> None:
        self.game = game
        self.ask = ask
        self._first: dict[Any, tuple[Any, State]] = {}
        self._known: dict[Any, tuple[Any, ...]] = {}

    def difference(self, state: State) -> str:
        """What is wrong with the key of a state, as a sentence; "" if nothing is."""
        key = self.ask("key", state)
        same = frozen(state)
        first = self._first.setdefault(key, (same, state))
        if first[0] == same:
            return ""
        if key not in self._known:
            self._known[key] = self._future(first[1])
        what = self._compare(self._known[key], self._future(state))
        return f"two different states have the key {key}: {first[1]} and {state}: {what}" if what else ""

    def _future(self, state: State) -> tuple[Any, ...]:
        """What follows a state, one ply deep: the clock, the mover, the results."""
        clock = self.ask("plies_left", state) if self.game.has("plies_left") else None
        if self.ask("is_terminal", state):
            return clock, None, self._payoff(state)
        children = {}
        for action in self.ask("actions", state):
            child = self.ask("result", state, action)
            over = self.ask("is_terminal", child)
            children[frozen(action)] = over, self._payoff(child) if over else self.ask("key", child)
        return clock, self.ask("to_move", state), children

    def _payoff(self, state: State) -> Any:
        return frozen([self.ask("utility", state, player) for player in range(self.game.players)])

    def _compare(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> str:
        clocks = one[0] != other[0]
        if (one[1] is None) != (other[1] is None):
            return "" if clocks else "only one of them is terminal"
        if one[1] is None:
            return "" if one[2] == other[2] else f"their utilities are {one[2]} and {other[2]}"
        if one[1] != other[1]:
            return f"player {one[1]} is to move in one, {other[1]} in the other"
        if one[2].keys() != other[2].keys():
            return "they have different actions"
        for action, (over, worth) in one[2].items():
            over_there, worth_there = other[2][action]
            if (over, worth) != (over_there, worth_there) and not (clocks and over != over_there):
                return f"the action {action} leads to different states"
        return ""
