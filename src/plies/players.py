"""Players: anything that chooses an action, and the words by which people ask for one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from plies.book import ALGORITHMS
from plies.engine import search
from plies.errors import BadParameter, IllegalMove
from plies.game import Action, Game, State

LONGEST_THOUGHT = 86_400.0
"""The most seconds a player may think about one move: a day."""


class Player(Protocol):
    """What a player is."""

    @property
    def name(self) -> str:
        """What people call the player."""

    def prepare(self, game: Game) -> None:
        """Get ready for a game, or raise `Unsuitable`."""

    def choose(self, game: Game, state: State) -> Action:
        """The action to take in a state where a player is to move."""


class Human:
    """A person, who is asked."""

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input) -> None:
        self.ask = ask

    def prepare(self, game: Game) -> None:
        """A person plays any game."""

    def choose(self, game: Game, state: State) -> Action:
        """What the person answers, who is asked again until it is a legal move."""
        while True:
            try:
                return game.parse_action(state, self.ask(f"{question(game, state)} "))
            except IllegalMove as error:
                print(error)


class Random:
    """Takes any legal action, each as likely as the next."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self.generator = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """Chance plays any game."""

    def choose(self, game: Game, state: State) -> Action:
        return self.generator.choice(list(game.actions(state)))


class Engine:
    """The engine, which thinks for some seconds; Ctrl-C makes it move at once."""

    name = "engine"

    def __init__(self, seconds: float = 1.0) -> None:
        if not 0 < seconds <= LONGEST_THOUGHT:  # false for nan too
            raise BadParameter(
                f"the engine thinks for more than 0 and up to {LONGEST_THOUGHT:,.0f} seconds, not {seconds:g}"
            )
        self.seconds = seconds

    def prepare(self, game: Game) -> None:
        """Compile now, so that nobody waits for it in the middle of the game."""
        if not game.is_terminal(game.initial()):
            search(game, depth=1)

    def choose(self, game: Game, state: State) -> Action:
        """The only action there is at once, else the best that is found in time."""
        first, *others = game.actions(state)
        return search(game, state, time=self.seconds).action if others else first


class Algorithm:
    """An algorithm of the book, to a depth or to the end of the game."""

    def __init__(self, algorithm: str, depth: int | None = None) -> None:
        if algorithm not in ALGORITHMS:
            raise BadParameter(f"there is no algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
        if depth is not None and depth < 1:
            raise BadParameter(f"{algorithm} looks 1 ply ahead or more, not {depth}")
        self.name = algorithm
        self.depth = depth

    def prepare(self, game: Game) -> None:
        """Refuse a game that the algorithm cannot serve: at depth 0 it says so, or returns at once."""
        ALGORITHMS[self.name](game, depth=0)

    def choose(self, game: Game, state: State) -> Action:
        """The algorithm's decision; interrupted, its decision at depth 1; without one, the first action."""
        decide = ALGORITHMS[self.name]
        try:
            decision = decide(game, state, depth=self.depth)
        except KeyboardInterrupt:
            decision = decide(game, state, depth=1)
        return decision.line[0] if decision.line else next(iter(game.actions(state)))


def question(game: Game, state: State) -> str:
    """What a person is asked when it is their turn: "You are X: Choose number from 1-9:"."""
    return f"You are {game.player_name(game.to_move(state))}: {game.prompt}:"


def parse_player(text: str, seed: int | None = None) -> Player:
    """The player that a person wrote as "human", "random:7", "engine:0.5" or "minimax:4".

    The seed is for a random player who brings none.
    """
    name, colon, detail = (part.strip().lower() for part in text.partition(":"))
    try:
        if name == "human" and not colon:
            return Human()
        if name == "random":
            return Random(int(detail) if colon else seed)
        if name == "engine":
            return Engine(float(detail)) if colon else Engine()
        if name in ALGORITHMS:
            return Algorithm(name, int(detail) if colon else None)
    except BadParameter:
        raise
    except ValueError:
        kind = "number of seconds" if name == "engine" else "whole number"
        raise BadParameter(f"after {name}: comes a {kind}, not {detail[:40]!r}") from None
    raise BadParameter(
        f"there is no player {text.strip()[:40]!r}; a player is human, random[:seed], engine[:seconds], "
        f"or an algorithm with its depth, such as minimax:4: {', '.join(ALGORITHMS)}"
    )


def parse_players(text: str, game: Game, seed: int | None = None) -> list[Player]:
    """The players of a game, written with commas between; the engine takes the seats left over."""
    players = [parse_player(word, seed) for word in text.split(",")]
    if len(players) > game.players:
        raise BadParameter(f"{game.name} has {_count(game.players)}, not {len(players)}")
    players += [Engine() for _ in range(game.players - len(players))]
    for player in players:
        player.prepare(game)
    return players


def suited_algorithm(game: Game) -> str:
    """The algorithm of the book that a lecture would use for this kind of game."""
    if game.stochastic:
        return "expectiminimax"
    if game.players == 1:
        return "depth-first"
    return "alpha-beta" if game.players == 2 and game.zero_sum else "max-n"


def _count(players: int) -> str:
    return "1 player" if players == 1 else f"{players} players"
