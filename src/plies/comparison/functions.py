"""Searches that are functions: how they are called, counted, and understood."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from numbers import Real
from typing import Any

from plies.book import Counts, TreeNode
from plies.errors import BadParameter
from plies.game import Action, Game, State
from plies.wrapper import Wrapper

GIVEN = ("game", "state", "depth")
"""What a search is given, by these names or in this order."""


class GaveUp(BaseException):
    """Raised at the limit of nodes; an `except Exception` of the search does not stop it."""


class LimitedCounts(Counts):
    """Counts, up to a limit of nodes."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def enter(self, action: Action, state: State, kind: str, window: Any = None) -> None:
        super().enter(action, state, kind, window)
        self.look()

    def leaf(self, action: Action, state: State, why: str, value: Any, relation: str = "=") -> Any:
        super().leaf(action, state, why, value)
        self.look()
        return value

    def add(self, node: TreeNode, kind: str, value: Any = None) -> None:
        super().add(node, kind, value)
        self.look()

    def look(self) -> None:
        """Give up beyond the limit."""
        if self.nodes > self.limit:
            raise GaveUp


class Counted(Wrapper):
    """A game that counts the positions which a search makes by `result`, and how deep they are."""

    def __init__(self, game: Game, state: State, counts: LimitedCounts) -> None:
        super().__init__(game)
        self.counts = counts
        self.counts.nodes = self.counts.stack = 1
        self._plies = {game.identity(state): 0}

    def __getattr__(self, name: str) -> Any:
        """What the game has beside its rules."""
        if name == "game":
            raise AttributeError(name)
        return getattr(self.game, name)

    def result(self, state: State, action: Action) -> State:
        child = self.game.result(state, action)
        ply = self._plies.get(self.game.identity(state), 0) + 1
        self._plies[self.game.identity(child)] = ply
        self.counts.nodes += 1
        self.counts.stack = max(self.counts.stack, ply + 1)
        self.counts.look()
        return child


def has_trace(search: Callable[..., Any]) -> bool:
    """Whether a search reports its steps."""
    return "trace" in inspect.signature(search).parameters


def arguments(
    search: Callable[..., Any], name: str, game: Game, state: State, depth: int | None, counts: Counts
) -> inspect.BoundArguments:
    """What a search is called with: as much of the game, the state and the depth as it takes."""
    signature = inspect.signature(search)
    parameters = signature.parameters
    values: dict[str, Any] = {"game": game, "state": state, "depth": depth}
    order = [key for key in GIVEN if key not in parameters]
    chosen: dict[str, Any] = {"trace": counts} if "trace" in parameters else {}
    for key, parameter in parameters.items():
        positional = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        needed = parameter.default is parameter.empty
        takes = key if key in GIVEN else order.pop(0) if positional and needed and order else ""
        if takes == "depth" and depth is None:  # to the end: a depth that never gets to 0
            if needed:
                chosen[key] = math.inf
        elif takes:
            chosen[key] = values[takes]
        elif (
            needed
            and key not in chosen
            and parameter.kind
            not in (
                parameter.VAR_POSITIONAL,
                parameter.VAR_KEYWORD,
            )
        ):
            raise BadParameter(f"{name}{signature} cannot be compared: a search takes game, state and depth")
    if not any(value is game for value in chosen.values()):
        raise BadParameter(f"{name}{signature} cannot be compared: it takes no game")
    bound = signature.bind_partial()
    bound.arguments = {key: chosen[key] for key in parameters if key in chosen}
    return bound


def decided(found: Any, name: str, game: Game, state: State) -> tuple[float, str]:
    """The value to the player to move, and the move, that a search returned."""
    action: Action = None
    value = found
    if hasattr(found, "value"):
        value, action = found.value, getattr(found, "action", None)
    elif isinstance(found, tuple | list) and len(found) == 2:
        value, action = found
    if isinstance(value, tuple):  # to each player
        value = value[max(game.to_move(state), 0)]
    if not isinstance(value, Real) and not hasattr(value, "__float__"):
        raise BadParameter(
            f"{name} returned {found!r:.60}; a search returns the value, or the value and the action"
        )
    if action is None:
        return float(value), ""
    if action not in list(game.actions(state)):
        raise BadParameter(f"{name} returned the action {action!r:.60}, which is not legal")
    return float(value), game.notation(state, action)
