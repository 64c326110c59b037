"""Players that do not search: people, and those who move at random, by a reflex or by a policy."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from plies.errors import IllegalMove
from plies.game import Action, Game, State
from plies.history import legal_actions
from plies.models import action_value, policy_named
from plies.validation import refuse_simultaneous


class Human:
    """A person, who is prompted for moves."""

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input) -> None:
        self.ask = ask

    def prepare(self, game: Game) -> None:
        """A person plays any game."""

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The person's move; they are asked again until it is legal."""
        while True:
            try:
                return game.parse_action(state, self.ask(f"{question(game, state)} "))
            except IllegalMove as error:
                print(error)

    def choose_at_once(self, game: Game, state: State, player: int) -> Action:
        """What the person answers, who is asked again until it is a legal choice."""
        while True:
            try:
                return game.parse_choice(state, player, self.ask(f"{question(game, state, player)} "))
            except IllegalMove as error:
                print(error)


class Random:
    """Takes a random legal action, all equally likely."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self.generator = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """Random moves suit any game."""

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        return self.generator.choice(legal_actions(game, state, previous))

    def choose_at_once(self, game: Game, state: State, player: int) -> Action:
        return self.generator.choice(list(game.choices(state, player)))


class Reflex:
    """A reflex agent: takes the action with the best `evaluate_action`, without search; of equals, a random
    one.

    In a game that does not define that rule, it is the action after which utility or evaluation is best.
    """

    name = "reflex"

    def __init__(self, seed: int | None = None) -> None:
        self.generator = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """A reflex suits any game in which players move in turn."""
        refuse_simultaneous(game, self.name)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        legal = legal_actions(game, state, previous)
        values = [action_value(game, state, action) for action in legal]
        return self.generator.choice(
            [action for action, value in zip(legal, values, strict=True) if value == max(values)]
        )


class ByPolicy:
    """Plays by a policy: samples from its probabilities."""

    def __init__(self, name: str, numbers: Sequence[float] = (), seed: int | None = None) -> None:
        self.name = name
        self.numbers = numbers
        self.generator = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """Raise an error if the game has no such policy."""
        refuse_simultaneous(game, f"the policy {self.name}")
        policy_named(game, self.name, *self.numbers)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        outcomes = dict(policy_named(game, self.name, *self.numbers)(game, state))
        return self.generator.choices(list(outcomes), list(outcomes.values()))[0]


def question(game: Game, state: State, player: int | None = None) -> str:
    """The prompt for a person's move: "You are X: Choose number from 1-9:"."""
    return f"You are {game.player_name(game.to_move(state) if player is None else player)}: {game.prompt}:"
