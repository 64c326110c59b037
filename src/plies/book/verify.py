"""Verifying strategies: every reply of the opponent is played, by the rules alone, without any search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from plies.errors import PliesError
from plies.game import Action, Game, State
from plies.needs import VERSUS

SLACK = 1e-6
"""The tolerance of a claim, relative to the greatest utility: solvers may round, though by less. Not
tuned."""


class Claim(Protocol):
    """A strategy, and the value it claims for its player from a state on."""

    @property
    def state(self) -> State:
        """Where the strategy begins."""

    @property
    def player(self) -> int:
        """Whose strategy it is."""

    @property
    def value(self) -> Any:
        """A number, or a value with the `plies` to the end of the game."""

    def action(self, state: State) -> Action:
        """Its action in a state with its player to move."""


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds, and the worst outcome."""

    holds: bool
    utility: float
    """The guaranteed utility: the worst outcome against any play."""
    plies: int
    """The plies to the worst outcome."""
    positions: int
    """The positions visited, terminal ones included."""
    line: list[Action]
    """The play that leads to the worst outcome; if the claim does not hold, its refutation."""
    reason: str = ""
    """Why the claim does not hold."""

    def __bool__(self) -> bool:
        return self.holds


class _Outcome(NamedTuple):
    """The worst outcome from a position on: the player's utility, the plies to it, and the action."""

    utility: float
    plies: int = 0
    action: Action = None
    fault: str = ""

    def rank(self, draw: float) -> tuple[float, float]:
        """Less is worse: a lower utility, then a win that comes later or a loss that comes sooner."""
        return self.utility, -self.plies if self.utility > draw else self.plies if self.utility < draw else 0


def verify(
    game: Game,
    strategy: Claim,
    state: State | None = None,
    *,
    player: int | None = None,
    value: Any = None,
    limit: int = 1_000_000,
) -> Verdict:
    """Play a strategy against every reply, up to a limit of positions: does it always get what it claims?

    State, player and value are by default the strategy's own. If strategies of both players hold, one for a
    value and one for what that leaves of the total, that is the value of the game.
    """
    VERSUS.check(game, "verifying a strategy")
    state = strategy.state if state is None else state
    player = strategy.player if player is None else player
    replies = _Replies(game, strategy, player, limit)
    try:
        worst = replies.worst(state)
    except RecursionError:
        raise PliesError("the game is too long for Python's recursion limit") from None
    reason = worst.fault or _shortfall(game, strategy.value if value is None else value, worst)
    return Verdict(not reason, worst.utility, worst.plies, len(replies.known), replies.line(state), reason)


class _Replies:
    """The positions that can be reached against a strategy."""

    def __init__(self, game: Game, strategy: Claim, player: int, limit: int) -> None:
        self.game, self.strategy, self.player, self.limit = game, strategy, player, limit
        self.known: dict[Any, _Outcome | None] = {}  # None: on the current path

    def worst(self, state: State) -> _Outcome:
        """The worst outcome from a position on."""
        name = _name(state)
        known = self.known.get(name)
        if known is not None:
            return known
        if name in self.known:
            raise PliesError("a position is repeated: strategies are verified in games without cycles")
        if len(self.known) >= self.limit:
            raise PliesError(f"more than {self.limit:,} positions can be reached: nothing was refuted so far")
        self.known[name] = None
        self.known[name] = found = self._played(state)
        return found

    def _played(self, state: State) -> _Outcome:
        if self.game.is_terminal(state):
            return _Outcome(float(self.game.utility(state, self.player)))
        actions = list(self.game.actions(state))
        if self.game.to_move(state) == self.player:
            try:
                answer = self.strategy.action(state)
            except PliesError as error:
                return _Outcome(-math.inf, fault=str(error))
            if answer not in actions:
                return _Outcome(-math.inf, fault=f"the strategy's answer {answer!r} is not a legal action")
            actions = [answer]
        outcomes = []
        for action in actions:
            after = self.worst(self.game.result(state, action))
            outcomes.append(after._replace(plies=after.plies + 1, action=action))
        return min(outcomes, key=lambda outcome: outcome.rank(self.game.draw_value))

    def line(self, state: State) -> list[Action]:
        """The actions that lead to the worst outcome."""
        actions: list[Action] = []
        while (outcome := self.known[_name(state)]) is not None and outcome.action is not None:
            actions.append(outcome.action)
            state = self.game.result(state, outcome.action)
        return actions


def _shortfall(game: Game, value: Any, worst: _Outcome) -> str:
    """How an outcome falls short of a claimed value, in words; empty if it does not."""
    claimed, plies = float(value), getattr(value, "plies", None)
    slack = SLACK * max(abs(bound) for bound in game.bounds)
    if worst.utility < claimed - slack:
        return f"the claim is {claimed:g}, but the outcome may be {worst.utility:g}"
    if plies is None or worst.utility > claimed + slack:
        return ""
    if worst.utility > game.draw_value and worst.plies > plies:
        return f"the claim is a win in {plies} plies, but it may take {worst.plies}"
    if worst.utility < game.draw_value and worst.plies < plies:
        return f"the claim is to last {plies} plies, but it may be only {worst.plies}"
    return ""


def _name(state: State) -> Any:
    """The state, with lists as tuples, for use as a dictionary key."""
    try:
        hash(state)
    except TypeError:
        if isinstance(state, list | tuple):
            return tuple(map(_name, state))
        raise PliesError(f"verifying needs states that can be hashed, not {type(state).__name__}") from None
    return state
