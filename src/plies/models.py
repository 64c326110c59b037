"""Opponent models: players who do not choose their best action but play by a policy, which may be any.

To a player who knows it, an opponent with a policy is like dice: `Modelled` makes such a game of any game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, Policy, State
from plies.wrapper import Wrapper


def uniform(game: Any, state: State) -> Iterator[tuple[Action, float]]:
    """Any action, each as likely as the next."""
    count = 0
    for _ in game.actions(state):
        count += 1
    for action in game.actions(state):
        yield action, 1 / count


def greedy(evaluate: Callable[[State, int], float] | None = None) -> Policy:
    """The action after which an evaluation, the game's own unless given, is best; the best ones equally
    likely."""
    if evaluate is None:
        return _greedy

    def policy(game: Any, state: State) -> Iterator[tuple[Action, float]]:
        mover = game.to_move(state)
        children = [(action, game.result(state, action)) for action in game.actions(state)]
        worths = [
            game.utility(child, mover) if game.is_terminal(child) else evaluate(child, mover)
            for _, child in children
        ]
        best = [action for (action, _), worth in zip(children, worths, strict=True) if worth == max(worths)]
        for action in best:
            yield action, 1 / len(best)

    return policy


def _greedy(game: Any, state: State) -> Iterator[tuple[Action, float]]:
    """The same with the game's own evaluation, in a form that compiles."""
    mover = game.to_move(state)
    best, count = -math.inf, 0
    for action in game.actions(state):
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


POLICIES: Mapping[str, Callable[..., Policy]] = {"uniform": lambda: uniform, "greedy": greedy}
"""Policies for any game, by name; a game may know more: see `Game.policies`."""


def policy_named(game: Game, name: str, *numbers: float) -> Policy:
    """The policy of that name, one of the game's own or for any game, made with some numbers."""
    known = {**POLICIES, **game.policies}
    if name not in known:
        raise BadParameter(f"{game.name} has no policy {name!r}; it has {', '.join(known)}")
    try:
        return known[name](*numbers)
    except TypeError:
        raise BadParameter(f"the policy {name} does not take {len(numbers)} numbers") from None


class Modelled(Wrapper):
    """A game in which some players play by a policy: where they move, chance does.

    The others, who choose, are players 0, 1, … in the order they had. It compiles if the game and the policy
    do; with different policies for different players it runs interpreted.
    """

    def __init__(self, game: Game, policies: Mapping[int, Policy]) -> None:
        """`policies` gives, for each player who has one, the policy: a function of a game and a state."""
        super().__init__(game)
        for player in policies:
            if player not in range(game.players):
                raise BadParameter(f"{game.name} has players 0 to {game.players - 1}, not {player!r}")
        chosen = [player for player in range(game.players) if player not in policies]
        if not policies or not chosen:
            raise BadParameter("a model is of at least one player, and leaves at least one who chooses")
        self.models = dict(policies)
        self.players = len(chosen)
        self.total = None
        self.algorithm = None  # what serves the game may refuse this one
        self.seats = np.array(chosen)  # what number each player who chooses has in the game
        numbers = [chosen.index(player) if player in chosen else CHANCE for player in range(game.players)]
        self.numbers = np.array(numbers)  # and what number each player of the game has here
        one = len(set(policies.values())) == 1
        self.policy = staticmethod(next(iter(policies.values())) if one else _by_player(policies))

    def to_move(self, state: State) -> int:
        mover = self.game.to_move(state)
        return int(self.numbers[mover]) if mover >= 0 else CHANCE

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

    def symmetries(self, state: State) -> Iterable[State]:
        yield state  # a policy need not be symmetric

    def player_name(self, player: int) -> str:
        return "chance" if player == CHANCE else self.game.player_name(int(self.seats[player]))

    def __repr__(self) -> str:
        names = [f"{player}: {getattr(policy, '__name__', policy)}" for player, policy in self.models.items()]
        return f"Modelled({self.game!r}, {{{', '.join(names)}}})"


def _by_player(policies: Mapping[int, Policy]) -> Policy:
    """The policy of whoever is to move."""

    def policy(game: Any, state: State) -> Iterable[tuple[Action, float]]:
        return policies[game.to_move(state)](game, state)

    return policy
