"""Players: anything that chooses an action, and the words by which people ask for one."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import plies.engine
from plies.book import ALGORITHMS
from plies.engine import Found, Limit, search
from plies.errors import BadParameter, IllegalMove
from plies.game import Action, Game, State
from plies.history import legal_actions

LONGEST_THOUGHT = 86_400.0
"""The most seconds a player may think about one move: a day."""


PLAYERS = (
    "human, random[:seed], engine[:seconds], engine:depth=plies, engine:nodes=number, or an algorithm "
    "with its depth, such as minimax:4"
)
"""What people may write for a player."""


class Player(Protocol):
    """What a player is."""

    @property
    def name(self) -> str:
        """What people call the player."""

    def prepare(self, game: Game) -> None:
        """Get ready for a game, or raise `Unsuitable`."""

    def choose(self, game: Game, state: State, past: Sequence[State] = ()) -> Action:
        """The action to take in a state where a player is to move, after the game has been through others."""


class Human:
    """A person, who is asked."""

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input) -> None:
        self.ask = ask

    def prepare(self, game: Game) -> None:
        """A person plays any game."""

    def choose(self, game: Game, state: State, past: Sequence[State] = ()) -> Action:
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

    def choose(self, game: Game, state: State, past: Sequence[State] = ()) -> Action:
        return self.generator.choice(legal_actions(game, state, past))


class Engine:
    """The engine, which thinks for some seconds, or to a depth or a number of nodes; Ctrl-C makes it move.

    What it finds out in a game it remembers until the end of it.
    """

    name = "engine"

    def __init__(
        self, seconds: float | None = None, depth: int | None = None, nodes: int | None = None
    ) -> None:
        if seconds is not None and not 0 < seconds <= LONGEST_THOUGHT:  # false for nan too
            raise BadParameter(
                f"the engine thinks for more than 0 and up to {LONGEST_THOUGHT:,.0f} seconds, not {seconds:g}"
            )
        self.limit = Limit(seconds, depth, nodes)
        if self.limit == Limit():
            self.limit = Limit(1.0)
        self._engine: plies.engine.Engine | None = None

    def prepare(self, game: Game) -> None:
        """Compile now, so that nobody waits for it in the middle of the game."""
        if not game.is_terminal(game.initial()):
            self._search(game, game.initial(), Limit(depth=1), ())

    def choose(self, game: Game, state: State, past: Sequence[State] = ()) -> Action:
        """The only action there is at once, else the best that is found within the limit."""
        legal = legal_actions(game, state, past)
        if len(legal) == 1:
            return legal[0]
        return self._search(game, state, self.limit, past).action

    def _search(self, game: Game, state: State, limit: Limit, past: Sequence[State]) -> Found:
        if game.players != 2 or not game.zero_sum or game.stochastic:
            return search(game, state, time=limit.time, depth=limit.depth, nodes=limit.nodes)
        if self._engine is None or self._engine.game is not game:
            self._engine = plies.engine.Engine(game)
        return self._engine.search(state, limit, past=past)


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

    def choose(self, game: Game, state: State, past: Sequence[State] = ()) -> Action:
        """The algorithm's decision; interrupted, its decision at depth 1; without one, the first action.

        The books' algorithms do not look back: a decision that superko forbids is as good as none.
        """
        decide = ALGORITHMS[self.name]
        try:
            decision = decide(game, state, depth=self.depth)
        except KeyboardInterrupt:
            decision = decide(game, state, depth=1)
        legal = legal_actions(game, state, past)
        return decision.line[0] if decision.line and decision.line[0] in legal else legal[0]


@dataclass
class Interrupts:
    """Whether Ctrl-C was typed."""

    noticed: bool = False
    ignored: bool = False
    """Set where it should mean nothing any more."""


@contextmanager
def noticing_interrupts() -> Iterator[Interrupts]:
    """Remember that Ctrl-C was typed, for a player who is made to move by it does not tell."""
    interrupts = Interrupts()

    def notice(*_: object) -> None:
        if not interrupts.ignored:
            interrupts.noticed = True
            raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, notice)
    except ValueError:  # not in the main thread, which no Ctrl-C reaches
        yield interrupts
        return
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


def question(game: Game, state: State) -> str:
    """What a person is asked when it is their turn: "You are X: Choose number from 1-9:"."""
    return f"You are {game.player_name(game.to_move(state))}: {game.prompt}:"


def parse_player(text: str, seed: int | None = None) -> Player:
    """The player that a person wrote as "human", "random:7", "engine:0.5", "engine:depth=4" or "minimax:4".

    The seed is for a random player who brings none.
    """
    name, colon, detail = (part.strip().lower() for part in text.partition(":"))
    try:
        if name == "human" and not colon:
            return Human()
        if name == "random":
            return Random(int(detail) if colon else seed)
        if name == "engine":
            return _engine(detail) if colon else Engine()
        if name in ALGORITHMS:
            return Algorithm(name, int(detail) if colon else None)
    except BadParameter:
        raise
    except ValueError:
        kind = (
            "number of seconds, or depth= or nodes= and a whole number,"
            if name == "engine"
            else "whole number,"
        )
        raise BadParameter(f"after {name}: comes a {kind} not {detail[:40]!r}") from None
    raise BadParameter(
        f"there is no player {text.strip()[:40]!r}; a player is {PLAYERS}: {', '.join(ALGORITHMS)}"
    )


def _engine(detail: str) -> Engine:
    """The engine with the limit that stands after its colon."""
    kind, equals, number = (part.strip() for part in detail.partition("="))
    if not equals:
        return Engine(seconds=float(detail))
    if kind not in ("depth", "nodes"):
        raise ValueError
    return Engine(**{kind: int(number)})


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
