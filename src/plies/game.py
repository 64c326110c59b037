"""`Game`: rules, heuristics and presentation, which an author writes as one class."""

from __future__ import annotations

import inspect
import json
from typing import Any

from plies.errors import BadParameter, IllegalMove
from plies.game_heuristics import Heuristics, Policy
from plies.game_presentation import Presentation
from plies.game_rules import CHANCE, SIMULTANEOUS, Action, State
from plies.validation import capped

__all__ = ["CHANCE", "SIMULTANEOUS", "Action", "Game", "Policy", "State", "parameters_of", "rule_parameters"]


class Game(Heuristics, Presentation):
    """A game as the books define it. Subclass it and write the six rules.

    Players are numbered 0, 1, 2, …. A rule never changes the state it is given. Every other rule is optional:
    a search uses it if it is defined (`has`), and pays nothing if not.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if isinstance(cls.__dict__.get("zero_sum"), bool):
            raise BadParameter(
                f"{cls.__name__} sets zero_sum: give the sum of all utilities instead, "
                "`total = 0` (zero-sum, the default) or `total = None` (no constant sum)"
            )
        if "choices" in cls.__dict__ and cls.compiled is None:
            cls.compiled = False  # nothing that is compiled serves games of simultaneous moves

    @property
    def stochastic(self) -> bool:
        """Whether there are chance nodes."""
        return self.has("chance")

    @property
    def simultaneous(self) -> bool:
        return self.has("choices")

    def has(self, rule: str) -> bool:
        """Whether this game defines an optional rule."""
        return getattr(type(self), rule) is not getattr(Game, rule)

    def play(self, state: State, action: Action) -> State:
        """The state after an action, checked: an illegal action raises `IllegalMove`."""
        if self.is_terminal(state):
            raise IllegalMove(f"{self.described(state, action)} cannot be played: the game is over")
        if action not in list(capped(self, state, self.actions(state))):
            raise IllegalMove(
                f"{self.described(state, action)} is not a legal move; {self.legal_moves(state)}"
            )
        return self.result(state, action)

    def __repr__(self) -> str:
        given = {name: _plain(value) for name, value in parameters_of(self).items()}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def parameters_of(game: Game) -> dict[str, Any]:
    """The arguments that make this game again; weights and other arrays only where they are not default."""
    signature = inspect.signature(type(game)).parameters
    found = {name: getattr(game, name) for name in signature if hasattr(game, name)}
    arrays = [name for name in found if hasattr(found[name], "tolist") and signature[name].default is None]
    if arrays and all(
        name in found or signature[name].default is not inspect.Parameter.empty for name in signature
    ):
        plain = type(game)(**{name: value for name, value in found.items() if name not in arrays})
        for name in arrays:
            if _plain(getattr(plain, name)) == _plain(found[name]):
                del found[name]
    return found


def rule_parameters(game: Game) -> Any:
    """The parameters as JSON gives them back, without weights: with other weights it is the same game."""
    found = {name: getattr(game, name, None) for name in inspect.signature(type(game)).parameters}
    rules = {
        name: value for name, value in found.items() if hasattr(game, name) and not hasattr(value, "tolist")
    }
    return json.loads(json.dumps(rules, default=str))


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value
