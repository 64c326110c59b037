"""Calls of a student's functions, whose parameters have names of their own; and their answers."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

UNBOUNDED = 64
"""A depth that is deeper than any tree here, for those who want a number."""

DEEP_ENOUGH = 20
"""A default from here on counts as no bound."""

FLAGS = ("maximizing", "maximising", "is_max", "ismax")


NOTHING = "it returned None, not a number"


class CannotCall(Exception):
    """A function wants something that is not known here."""


class Search:
    """A search function: `search(game, state)`, perhaps with a depth and a window."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.parameters = inspect.signature(function).parameters
        lower = {name.lower(): name for name in self.parameters}
        self.depth = next((lower[name] for name in lower if "depth" in name or name == "limit"), None)
        self.alpha, self.beta = lower.get("alpha"), lower.get("beta")

    @property
    def takes(self) -> list[str]:
        """What it takes beside a game and a state."""
        return [name for name in ("depth", "alpha", "beta") if getattr(self, name)]

    def call(
        self, game: Any, state: Any, depth: int | None, alpha: float = -math.inf, beta: float = math.inf
    ) -> Any:
        """Call it with what it asks for."""
        given: dict[str, Any] = {}
        places: list[str] = []
        for name, parameter in self.parameters.items():
            if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                continue
            has_default = parameter.default is not parameter.empty
            if name == self.depth:
                if depth is not None or not has_default or not _unbounded(parameter.default):
                    given[name] = UNBOUNDED if depth is None else depth
            elif name in (self.alpha, self.beta):
                bound = alpha if name == self.alpha else beta
                if math.isfinite(bound) or not has_default:
                    given[name] = bound
            elif any(flag in name.lower() for flag in FLAGS):
                given[name] = game.to_move(state) == 0
            elif has_default:
                continue
            elif name.lower() in ("player", "agent", "index"):
                given[name] = 0
            else:
                places.append(name)
        return self.function(**given, **_game_and_state(places, game, state))


def _unbounded(default: Any) -> bool:
    """Whether a default of the depth is no bound: None, infinity, a large number, or a negative one."""
    return default is None or (isinstance(default, int | float) and (default >= DEEP_ENOUGH or default < 0))


def _game_and_state(names: list[str], game: Any, state: Any) -> dict[str, Any]:
    """The two arguments that every search has, in either order."""
    if len(names) != 2:
        extra = ", ".join(names[2:])
        raise CannotCall(
            f"it wants {len(names)} arguments without a default, not a game and a state"
            + (f": what is {extra}?" if extra else "")
        )
    first, second = names
    if first.lower() in ("state", "node", "position") or second.lower() in ("game", "problem"):
        return {first: state, second: game}
    return {first: game, second: state}


def number(answer: Any) -> float:
    """The value in an answer: a number, a pair of a value and an action, or an object with a value."""
    if isinstance(answer, tuple | list):
        numbers = [item for item in answer if _is_number(item)]
        if len(numbers) == 1:
            return float(numbers[0])
        raise CannotCall(f"it returned {_shown(answer)}, in which there is not just one number")
    if answer is None:
        raise CannotCall(NOTHING)
    answer = getattr(answer, "value", answer)
    if not _is_number(answer):
        raise CannotCall(f"it returned {_shown(answer)}, not a number")
    return float(answer)


def action(answer: Any) -> str:
    """The action in an answer: itself, or in a pair with a value."""
    if isinstance(answer, tuple | list):
        names = [item for item in answer if isinstance(item, str)]
        answer = names[0] if len(names) == 1 else answer
    if not isinstance(answer, str):
        raise CannotCall(f"it returned {_shown(answer)}, which is none of the actions")
    return answer


def _is_number(item: Any) -> bool:
    return not isinstance(item, bool | str) and hasattr(item, "__float__")


def _shown(answer: Any) -> str:
    text = repr(answer)
    return text if len(text) <= 60 else f"{text[:59]}…"
