"""Opponent models: players who follow a policy instead of choosing their best action.

To a player who knows it, an opponent with a policy is a chance node: `Modelled` makes such a game of any.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from plies import arrays
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, Policy, State
from plies.validation import MOST_ACTIONS, capped, refuse_simultaneous
from plies.wrapper import Wrapper


def uniform(game: Any, state: State) -> Iterator[tuple[Action, float]]:
    """The uniform policy: every action is equally likely."""
    count = 0
    for _ in game.actions(state):
        count += 1
        if count > MOST_ACTIONS:
            return  # without end, it seems: chance without an outcome, which a search reports
    for action in game.actions(state):
        yield action, 1 / count


def greedy(evaluate: Callable[[State, int], float] | None = None) -> Policy:
    """The greedy policy: an action after which an evaluation, by default the game's own, is best.

    Several such actions are equally likely.
    """
    if evaluate is None:
        return _greedy

    def policy(game: Any, state: State) -> Iterator[tuple[Action, float]]:
        mover = game.to_move(state)
        actions = list(capped(game, state, game.actions(state)))
        children = [game.result(state, action) for action in actions]
        worths = [
            game.utility(child, mover) if game.is_terminal(child) else evaluate(child, mover)
            for child in children
        ]
        most = max(worths, default=0)
        best = [action for action, worth in zip(actions, worths, strict=True) if worth == most]
        for action in best:
            yield action, 1 / len(best)

    return policy


def _greedy(game: Any, state: State) -> Iterator[tuple[Action, float]]:
    """The greedy policy by the game's own evaluation, in a form that compiles."""
    mover = game.to_move(state)
    best, count, seen = -math.inf, 0, 0
    for action in game.actions(state):
        seen += 1  # noqa: SIM113, `enumerate` does not compile here
        if seen > MOST_ACTIONS:
            return
        worth = _worth(game, game.result(state, action), mover)
        if worth > best:
            best, count = worth, 0
        if worth == best:
            count += 1
    for action in game.actions(state):
        if _worth(game, game.result(state, action), mover) == best:
            yield action, 1 / count


def _worth(game: Any, state: State, player: int) -> float:
    if game.is_terminal(state):
        return float(game.utility(state, player))
    return float(game.evaluate(state, player))


def action_value(game: Game, state: State, action: Action) -> float:
    """The evaluation of a state and an action, by the game's own rule or, in its absence, by what follows."""
    if game.has("evaluate_action"):
        return game.evaluate_action(state, action)
    return Game.evaluate_action(game, state, action)  # a wrapper's own rules decide, not those it wraps


POLICIES: Mapping[str, Callable[..., Policy]] = {"uniform": lambda: uniform, "greedy": greedy}
"""Policies for any game, by name; a game may bring more, in `Game.policies`."""


def policy_named(game: Game, name: str, *numbers: float) -> Policy:
    """The policy of that name, of the game or for any game, with its numbers."""
    known = {**POLICIES, **game.policies}
    if name not in known:
        raise BadParameter(f"{game.name} has no policy {name!r}; it has {', '.join(known)}")
    try:
        return known[name](*numbers)
    except TypeError:
        raise BadParameter(f"the policy {name} does not take {len(numbers)} numbers") from None


class Modelled(Wrapper):
    """A game in which some players follow a policy: where they move, there is a chance node.

    The others are players 0, 1, … in the order they had. It compiles if the game and the policy do; with
    different policies for different players it runs interpreted.
    """

    def __init__(self, game: Game, policies: Mapping[int, Policy]) -> None:
        """`policies` maps players to their policies, which are functions of a game and a state."""
        super().__init__(game)
        refuse_simultaneous(game, "a model of opponents")
        for player in policies:
            if player not in range(game.players):
                raise BadParameter(
                    f"a player of {game.name} must be between 0 and {game.players - 1}, not {player!r}"
                )
        chosen = [player for player in range(game.players) if player not in policies]
        if not policies or not chosen:
            raise BadParameter("at least one player must have a policy, and at least one must have none")
        self.models = dict(policies)
        self.players = len(chosen)
        self.total = None
        self.algorithm = None  # the game's own choice may refuse this one
        self.seats = arrays.integers(chosen)  # the number in the game of each player who chooses
        numbers = [chosen.index(player) if player in chosen else CHANCE for player in range(game.players)]
        self.numbers = arrays.integers(numbers)  # the number here of each player of the game
        one = len(set(policies.values())) == 1
        self.policy = staticmethod(next(iter(policies.values())) if one else _by_player(policies))

    def to_move(self, state: State) -> int:
        mover = self.game.to_move(state)
        if mover < 0 or mover >= self.game.players:
            return mover
        return int(self.numbers[mover])

    def actions(self, state: State) -> Iterable[Action]:
        if self.is_terminal(state) or self.game.to_move(state) < 0 or self.to_move(state) >= 0:
            for action in self.game.actions(state):
                yield action
        else:
            for action, _ in self.policy(self.game, state):
                yield action

    def chance(self, state: State) -> Iterable[tuple[Action, float]]:
        if self.game.to_move(state) < 0:
            for outcome, probability in self.game.chance(state):
                yield outcome, probability
        else:
            for action, probability in self.policy(self.game, state):
                yield action, probability

    def utility(self, state: State, player: int) -> float:
        return self.game.utility(state, int(self.seats[player]))

    def evaluate(self, state: State, player: int) -> float:
        return self.game.evaluate(state, int(self.seats[player]))

    def repetition_value(self, state: State, player: int) -> float:
        return self.game.repetition_value(state, int(self.seats[player]))

    def proved_bounds(self, state: State, alpha: float, beta: float) -> tuple[float, float]:
        return self.bounds  # the game's own are for players who play their best

    def symmetries(self, state: State) -> Iterable[State]:
        yield state  # a policy need not be symmetric

    def player_name(self, player: int) -> str:
        return "chance" if player == CHANCE else self.game.player_name(int(self.seats[player]))

    def __repr__(self) -> str:
        names = [f"{player}: {getattr(policy, '__name__', policy)}" for player, policy in self.models.items()]
        return f"Modelled({self.game!r}, {{{', '.join(names)}}})"


def _by_player(policies: Mapping[int, Policy]) -> Policy:
    """The policy that follows the policy of the player to move."""

    def policy(game: Any, state: State) -> Iterable[tuple[Action, float]]:
        return policies[game.to_move(state)](game, state)

    return policy
