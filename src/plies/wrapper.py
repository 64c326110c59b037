"""Games made of other games: rule for rule the same, but for the rules that a subclass changes."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from plies import arrays
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.game_heuristics import Heuristics
from plies.game_presentation import Presentation
from plies.game_rules import Rules
from plies.rules import RULES, Rule
from plies.validation import checked_bounds, refuse_simultaneous

FACTS = tuple(name for part in (Rules, Heuristics, Presentation) for name in inspect.get_annotations(part))
"""The facts of a game, such as `players`, which a wrapper takes over from the game it wraps."""


class Wrapper(Game):
    """Another game, rule for rule. It compiles if the other one does."""

    def __init__(self, game: Game) -> None:
        self.game = game
        for fact in FACTS:
            setattr(self, fact, getattr(game, fact))
        self.network_file = ""  # that of the other game need not fit

    def has(self, rule: str) -> bool:
        """Whether this game, or the one it wraps, defines an optional rule."""
        return getattr(type(self), rule) is not getattr(Wrapper, rule) or self.game.has(rule)

    @property
    def stochastic(self) -> bool:
        return type(self).chance is not Wrapper.chance or self.game.stochastic

    @property
    def encoding_size(self) -> int:
        return self.game.encoding_size

    def action_index(self, state: State, action: Action) -> int:
        return self.game.action_index(state, action)

    def roots(self, ending: str) -> Iterable[State]:
        return self.game.roots(ending)

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
        refuse_simultaneous(game, "the paranoid reduction")
        if not 0 <= player < game.players:
            raise BadParameter(
                f"player must be between 0 and {game.players - 1} in {type(game).__name__}, not {player}"
            )
        self.player = arrays.integers([player])  # run-time data: one machine code serves every player
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

    def proved_bounds(self, state: State, alpha: float, beta: float) -> tuple[float, float]:
        return self.bounds  # the game's own hold for players who want something else

    def points_and_rest(self, state: State) -> tuple[float, Any]:
        return 0.0, self.game.identity(state)  # the game's own points are of other players

    def player_name(self, player: int) -> str:
        return self.game.player_name(int(self.player[0])) if player == 0 else "the others"


class Folded(Wrapper):
    """A game without moves that are reflections or rotations of each other: one stands for all.

    Every position keeps its value. The empty Tic-Tac-Toe board has three moves then, a corner, an edge and
    the centre, and its tree fits on a slide.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        refuse_simultaneous(game, "folding by symmetry")
        self.compiled = False  # it uses a set of states, and is for pictures

    def actions(self, state: State) -> Iterable[Action]:
        for action, _ in self.orbits(state):
            yield action

    def orbits(self, state: State) -> list[tuple[Action, int]]:
        """One action of each set of symmetric ones, the first, and how many it stands for."""
        if self.game.to_move(state) == CHANCE:
            return [(outcome, 1) for outcome, _ in self.game.chance(state)]
        counts: dict[State, int] = {}
        actions: list[Action] = []
        for action in self.game.actions(state):
            child = self.game.result(state, action)
            same = next((other for other in self.game.symmetries(child) if other in counts), None)
            if same is None:
                actions.append(action)
                counts[child] = 0
            counts[child if same is None else same] += 1
        return list(zip(actions, counts.values(), strict=True))

    def candidates(self, state: State) -> Iterable[Action]:
        yield from self.actions(state)

    def __repr__(self) -> str:
        return f"Folded({self.game!r})"


UtilityFunction = Callable[[float], float]
"""The utility of a payoff: greater for a greater payoff."""


class WithUtility(Wrapper):
    """A game whose players do not want the payoff itself, but the utility it has for them.

    The expected utility of von Neumann and Morgenstern (1944). Whatever the utility function, as long as more
    is better, the same actions are best in a game without chance: payoffs are ordinal there. With dice only a
    positive linear function changes nothing: a concave one, such as `math.sqrt`, makes a player averse to
    risk, a convex one fond of it.

    It compiles if the game and the function do, and all players have the same function.
    """

    def __init__(self, game: Game, utility: UtilityFunction | Mapping[int, UtilityFunction]) -> None:
        """`utility` is a function of a payoff, for all players, or for each player who has one by number."""
        super().__init__(game)
        functions = (
            dict(utility) if isinstance(utility, Mapping) else dict.fromkeys(range(game.players), utility)
        )
        for player in functions:
            if player not in range(game.players):
                raise BadParameter(f"{game.name} has players 0 to {game.players - 1}, not {player!r}")
        low, high = checked_bounds(game)
        given = [functions.get(player, _payoff_itself) for player in range(game.players)]
        ends = [(_checked(function, low), _checked(function, high)) for function in given]
        if any(worst > best for worst, best in ends):
            raise BadParameter(f"a utility function must not fall: more is better, from {low:g} to {high:g}")
        self.bounds = min(worst for worst, _ in ends), max(best for _, best in ends)
        self.total = None
        self.algorithm = None  # what serves the game may refuse this one
        self.functions = given
        one = len(set(given)) == 1
        self.worth = staticmethod(_same(given[0]) if one else _by_player(given))

    def utility(self, state: State, player: int) -> float:
        return self.worth(self.game.utility(state, player), player)

    def evaluate(self, state: State, player: int) -> float:
        return self.worth(self.game.evaluate(state, player), player)

    def repetition_value(self, state: State, player: int) -> float:
        return self.worth(self.game.repetition_value(state, player), player)

    def proved_bounds(self, state: State, alpha: float, beta: float) -> tuple[float, float]:
        return self.bounds  # the game's own are of payoffs

    def points_and_rest(self, state: State) -> tuple[float, Any]:
        return 0.0, self.game.identity(state)  # the utilities of points do not add up

    def candidates(self, state: State) -> Iterable[Action]:
        for action in self.game.actions(state):  # the best by payoff need not be among the best by utility
            yield action

    def symmetries(self, state: State) -> Iterable[State]:
        yield state  # a symmetry may exchange players, who differ here

    def __repr__(self) -> str:
        names = [getattr(function, "__name__", repr(function)) for function in self.functions]
        shown = (
            names[0] if len(set(names)) == 1 else f"{{{', '.join(f'{i}: {n}' for i, n in enumerate(names))}}}"
        )
        return f"WithUtility({self.game!r}, {shown})"


def _payoff_itself(payoff: float) -> float:
    return payoff


def _same(function: UtilityFunction) -> Callable[[float, int], float]:
    """One utility function for every player."""

    def worth(payoff: float, player: int) -> float:
        return function(payoff)

    return worth


def _by_player(functions: list[UtilityFunction]) -> Callable[[float, int], float]:
    """The utility function of each player."""

    def worth(payoff: float, player: int) -> float:
        return functions[player](payoff)

    return worth


def _checked(function: UtilityFunction, payoff: float) -> float:
    """The utility of the least or the greatest payoff, or an error."""
    try:
        utility = float(function(payoff))
    except (ArithmeticError, TypeError, ValueError) as error:
        raise BadParameter(f"the utility function cannot be used on the payoff {payoff:g}: {error}") from None
    if not math.isfinite(utility):
        raise BadParameter(f"the utility of the payoff {payoff:g} must be finite, not {utility}")
    return utility
