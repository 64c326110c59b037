"""Games made of other games: rule for rule the same, but for the rules that a subclass changes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from plies.errors import BadParameter
from plies.game import Game, State
from plies.game_heuristics import Heuristics
from plies.game_presentation import Presentation
from plies.game_rules import Rules
from plies.rules import RULES, Rule
from plies.validation import checked_bounds

FACTS = tuple(name for part in (Rules, Heuristics, Presentation) for name in inspect.get_annotations(part))
"""The facts of a game, such as `players`, which a wrapper takes over from the game it wraps."""


class Wrapper(Game):
    """Another game, rule for rule. It compiles if the other one does."""

    def __init__(self, game: Game) -> None:
        self.game = game
        for fact in FACTS:
            setattr(self, fact, getattr(game, fact))

    def has(self, rule: str) -> bool:
        """Whether this game, or the one it wraps, defines an optional rule."""
        return getattr(type(self), rule) is not getattr(Wrapper, rule) or self.game.has(rule)

    @property
    def stochastic(self) -> bool:
        return type(self).chance is not Wrapper.chance or self.game.stochastic

    @property
    def encoding_size(self) -> int:
        return self.game.encoding_size

    @property
    def name(self) -> str:
        return self.game.name


def _forwarding(rule: Rule) -> Callable[..., Any]:
    """The method of `Wrapper` that calls the same rule of the wrapped game.

    It is made from source text, as `collections.namedtuple` makes its methods: Numba has to see the names of
    the rule and its arguments in the bytecode, where a closure over `getattr` would hide them.
    """
    given = ", ".join(rule.arguments)
    call = f"self.game.{rule.name}({given})"
    body = f"for item in {call}: yield item" if rule.generator else f"return {call}"
    scope: dict[str, Any] = {"__name__": __name__}
    source = f"def {rule.name}(self, {given}):\n {body}"
    exec(compile(source, f"<Wrapper.{rule.name}>", "exec"), scope)
    method: Callable[..., Any] = scope[rule.name]
    method.__qualname__ = f"Wrapper.{rule.name}"
    wrapped = getattr(Game, rule.name)
    method.__doc__, method.__annotations__ = wrapped.__doc__, dict(wrapped.__annotations__)
    return method


def _presenting(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of `Wrapper` that calls the same method of the wrapped game; it is never compiled."""

    @functools.wraps(method)
    def call(self: Wrapper, *arguments: Any) -> Any:
        return getattr(self.game, method.__name__)(*arguments)

    return call


for _rule in RULES:
    setattr(Wrapper, _rule.name, _forwarding(_rule))
for _name, _method in inspect.getmembers(Presentation, inspect.isfunction):
    if _name in vars(Presentation) and not _name.startswith("_"):
        setattr(Wrapper, _name, _presenting(_method))


class Paranoid(Wrapper):
    """The paranoid reduction (Sturtevant and Korf 2000): one player against a coalition of all the others.

    That player is player 0 here and the coalition player 1, which minimises player 0's utility: a zero-sum
    game for two, which alpha-beta can search.
    """

    def __init__(self, game: Game, player: int = 0) -> None:
        super().__init__(game)
        if not 0 <= player < game.players:
            raise BadParameter(
                f"player must be between 0 and {game.players - 1} in {type(game).__name__}, not {player}"
            )
        self.player = np.array([player])  # run-time data: one machine code serves every player
        most = max(map(abs, checked_bounds(game)))
        self.players, self.total, self.bounds = 2, 0, (-most, most)
        self.algorithm = None  # the other game's own choice may refuse two players, or lead back here

    def to_move(self, state: State) -> int:
        mover = self.game.to_move(state)
        if mover < 0 or mover >= self.game.players:
            return mover
        return 0 if mover == self.player[0] else 1

    def utility(self, state: State, player: int) -> float:
        utility = self.game.utility(state, self.player[0])
        return utility if player == 0 else -utility

    def evaluate(self, state: State, player: int) -> float:
        value = self.game.evaluate(state, self.player[0])
        return value if player == 0 else -value

    def repetition_value(self, state: State, player: int) -> float:
        value = self.game.repetition_value(state, self.player[0])
        return value if player == 0 else -value

    def player_name(self, player: int) -> str:
        return self.game.player_name(int(self.player[0])) if player == 0 else "the others"
