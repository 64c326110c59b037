"""Positions to judge an evaluation on: one of each of many games, played at random or by a player."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.errors import PliesError
from plies.game import CHANCE, Action, Game, State
from plies.history import History
from plies.players import Player, parse_player
from plies.simple_players import Human
from plies.validation import outcomes_in

OPENING = 4
"""The random moves with which games of a player begin, so that they differ; as in `match`. Not tuned."""

ATTEMPTS = 100
"""The games in a row without a decision after which none is expected. Not tuned."""


class Met(NamedTuple):
    """A position in which a player has to decide."""

    state: State
    previous: Sequence[State]
    """The states before it, where repetitions matter."""
    ply: int


def positions(game: Game, start: State | None, *, by: str, seed: int, plies: int) -> Iterator[Met]:
    """Positions without end: the last of a game of a random number of plies, from 0 to `plies`.

    A game that is over before has one of its positions chosen. Each is of a game of its own, because those of
    one game are alike. `by` are the words for the player of all sides.
    """
    parsed = parse_player(by, seed, game)
    if isinstance(parsed, Human):
        raise PliesError("positions are sampled from games of players that are not human")
    parsed.prepare(game)
    failures = 0
    for number in range(1 << 62):
        rng = random.Random(f"{seed} position {number}")
        player = parse_player(by, rng.getrandbits(32), game)
        history = History(game, start)
        length = rng.randint(0, plies)
        while not history.over and len(history.actions) < length:
            history.play(_next(history, rng, None if len(history.actions) < OPENING else player))
        states = history.states
        decisions = [
            place
            for place in range(len(states))
            if not game.is_terminal(states[place]) and game.to_move(states[place]) != CHANCE
        ]
        if history.over:
            decisions = [place for place in decisions if place < len(states) - 1]
        else:
            decisions = decisions[-1:]
        failures = 0 if decisions else failures + 1
        if failures == ATTEMPTS:
            raise PliesError(f"{game.name} has hardly any position with a decision to judge")
        if decisions:
            place = rng.choice(decisions)
            yield Met(states[place], states[:place] if game.cycles else (), place)


def _next(history: History, rng: random.Random, player: Player | None) -> Action:
    game, state = history.game, history.state
    if game.to_move(state) == CHANCE:
        outcomes, chances = zip(*outcomes_in(game, state), strict=True)
        return rng.choices(outcomes, chances)[0]
    if player is None:
        return rng.choice(history.legal())
    return player.choose(game, state, history.previous)
