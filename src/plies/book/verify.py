"""Verifying strategies: every reply of the opponent is played, by the rules alone, without any search.

Where positions may come up again, play that never ends is a draw: the opponent chooses the worst of that and
of all ends that can be reached.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from plies.errors import PliesError, Unsuitable
from plies.game import Action, Game, State
from plies.needs import VERSUS

SLACK = 1e-6
"""The tolerance of a claim, relative to the greatest utility: solvers may round, though by less. Not
tuned."""


REPORT = 1_000
"""The positions between two reports. Not tuned: some hundredths of a second."""


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
    """The play that leads to the worst outcome, or to a position that it has been through; if the claim does
    not hold, its refutation."""
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
    progress: Callable[[int], None] | None = None,
) -> Verdict:
    """Play a strategy against every reply, up to a limit of positions: does it always get what it claims?

    State, player and value are by default the strategy's own. If strategies of both players hold, one for a
    value and one for what that leaves of the total, that is the value of the game. A clock is left out of
    account, as `Game.core` does, unless it might end the game before the strategy does. `progress` is called
    with the positions so far, now and then.
    """
    check_verifiable(game)
    state = strategy.state if state is None else state
    player = strategy.player if player is None else player
    replies = Replies(game, strategy, player, limit, progress)
    worst = replies.worst(state)
    claimed = strategy.value if value is None else value
    reason = worst.fault or _shortfall(game, claimed, worst)
    reason += replies.late if reason else ""
    return Verdict(not reason, worst.utility, worst.plies, len(replies.nodes), replies.line(state), reason)


def check_verifiable(game: Game) -> None:
    """Raise an error, in a sentence, for a game whose strategies cannot be verified."""
    VERSUS.check(game, "verifying a strategy")
    if game.superko or (game.cycles and (game.has("repetition_value") or game.has("repetition_key"))):
        raise Unsuitable(
            "verifying a strategy takes a repetition of the same state for a draw; in "
            f"{type(game).__name__} it is something else"
        )


def bare(game: Game, state: State) -> State:
    """A state without its clock, if there is one that the game can leave out."""
    return game.core(state) if game.has("core") and game.has("plies_left") else state


@dataclass
class _Node:
    """A position, what may be played there, and the worst outcome from there on, once it is known."""

    actions: list[tuple[Action, _Node]] = field(default_factory=list)
    before: list[_Node] = field(default_factory=list)
    """The positions that lead here, once for each action."""
    open: int = 0
    """The actions behind which the worst outcome is not known."""
    outcome: _Outcome | None = None
    longest: int = 0
    """The most plies to an end, if there is always one."""


class Replies:
    """The positions that can be reached against a strategy."""

    def __init__(
        self,
        game: Game,
        strategy: Claim,
        player: int,
        limit: int,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.game, self.strategy, self.player, self.limit = game, strategy, player, limit
        self.progress = progress
        self.nodes: dict[Any, _Node] = {}
        self.late = ""
        """Why a win may come too late, in words."""

    def worst(self, state: State) -> _Outcome:
        """The worst outcome from a position on."""
        root = self._reach(state)
        self._settle()
        if root.outcome is None:
            if not self.game.cycles:
                raise PliesError("a position is repeated, in a game that says it has no cycles")
            self._settle_endless()
        found = root.outcome
        assert found is not None
        draw = self.game.draw_value
        timed = self.game.has("plies_left") and found.utility > draw
        if timed and root.longest > (left := self.game.plies_left(state)):
            self.late = f": the game may take {root.longest} plies, and the clock leaves {left}"
            return _Outcome(draw, left, found.action)
        return found

    def _reach(self, state: State) -> _Node:
        """Find all positions, and what leads from each to which."""
        state = bare(self.game, state)
        root = self.nodes[_name(state)] = _Node()
        waiting = [(state, root)]
        while waiting:
            state, node = waiting.pop()
            for action in self._played(state, node):
                child = bare(self.game, self.game.result(state, action))
                name = _name(child)
                if name not in self.nodes:
                    if len(self.nodes) >= self.limit:
                        raise PliesError(
                            f"more than {self.limit:,} positions can be reached: nothing was refuted so far"
                        )
                    self.nodes[name] = _Node()
                    if self.progress and len(self.nodes) % REPORT == 0:
                        self.progress(len(self.nodes))
                    waiting.append((child, self.nodes[name]))
                node.actions.append((action, self.nodes[name]))
                self.nodes[name].before.append(node)
            node.open = len(node.actions)
        return root

    def _played(self, state: State, node: _Node) -> list[Action]:
        """What may be played in a position; nothing where the game is over, or the strategy has no answer."""
        if self.game.is_terminal(state):
            node.outcome = _Outcome(float(self.game.utility(state, self.player)))
            return []
        actions = list(self.game.actions(state))
        if self.game.to_move(state) != self.player:
            return actions
        try:
            answer = self.strategy.action(state)
        except PliesError as error:
            node.outcome = _Outcome(-math.inf, fault=str(error))
            return []
        if answer not in actions:
            node.outcome = _Outcome(
                -math.inf, fault=f"the strategy's answer {answer!r} is not a legal action"
            )
            return []
        return [answer]

    def _backed_up(self, node: _Node) -> _Outcome:
        """The worst of the outcomes behind a node that are known."""
        draw = self.game.draw_value
        known = [
            child.outcome._replace(plies=child.outcome.plies + 1, action=action)
            for action, child in node.actions
            if child.outcome is not None
        ]
        return min(known, key=lambda outcome: outcome.rank(draw))

    def _settle(self) -> None:
        """Find the worst outcomes where play always ends, from the ends backwards."""
        ready = deque(node for node in self.nodes.values() if node.outcome is not None)
        while ready:
            node = ready.popleft()
            for parent in node.before:
                parent.open -= 1
                parent.longest = max(parent.longest, node.longest + 1)
                if parent.open == 0:
                    parent.outcome = self._backed_up(parent)
                    ready.append(parent)

    def _settle_endless(self) -> None:
        """Find the worst outcomes where play need not end: a draw, unless something worse can be reached."""
        draw = self.game.draw_value
        endless = [node for node in self.nodes.values() if node.outcome is None]
        loose = set(map(id, endless))
        for node in endless:
            on = next(action for action, child in node.actions if id(child) in loose)
            node.outcome = _Outcome(draw, action=on)
        changing = deque(endless)
        while changing:
            node = changing.popleft()
            found = self._backed_up(node)
            assert node.outcome is not None
            if found.utility < draw and found.rank(draw) < node.outcome.rank(draw):
                node.outcome = found
                changing.extend(parent for parent in node.before if id(parent) in loose)

    def line(self, state: State) -> list[Action]:
        """The actions that lead to the worst outcome, or to a position that they have been through."""
        actions: list[Action] = []
        state = bare(self.game, state)
        met: set[Any] = set()
        while (name := _name(state)) not in met:
            met.add(name)
            outcome = self.nodes[name].outcome
            if outcome is None or not self.nodes[name].actions:
                break
            actions.append(outcome.action)
            state = bare(self.game, self.game.result(state, outcome.action))
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
