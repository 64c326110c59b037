"""Players: anything that chooses an action, and the words by which people ask for one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from plies.book import ALGORITHMS, suited
from plies.engine import SIMULATE, Limit, MctsOptions, Searcher, algorithm_for, engine_for
from plies.engine.deepening import Expectiminimax
from plies.errors import BadParameter, IllegalMove, Unsuitable
from plies.game import CHANCE, Action, Game, State
from plies.history import legal_actions
from plies.models import POLICIES, Modelled, policy_named

LONGEST_THOUGHT = 86_400.0
"""The most seconds a player may think about one move: a day."""


PLAYERS = (
    "human, random[:seed], reflex[:seed], engine[:seconds], engine:depth=plies, engine:nodes=number, "
    "mcts[:seconds], mcts:simulations=number, flat (as mcts), expectimax:rounds[:policy], a policy such as "
    "greedy or one of the game's own, or an algorithm with its depth, such as minimax:4"
)
"""What people may write for a player."""


class Player(Protocol):
    """What a player is."""

    @property
    def name(self) -> str:
        """What people call the player."""

    def prepare(self, game: Game) -> None:
        """Get ready for a game, or raise `Unsuitable`."""

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The action to take in a state where a player is to move, after the game has been through others."""


class Human:
    """A person, who is asked."""

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input) -> None:
        self.ask = ask

    def prepare(self, game: Game) -> None:
        """A person plays any game."""

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
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

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        return self.generator.choice(legal_actions(game, state, previous))


class EnginePlayer:
    """The engine, which thinks for some seconds, or to a depth or a number of nodes; Ctrl-C makes it move.

    What it finds out in a game it remembers until the end of it. Which engine that is depends on the kind of
    game, unless an algorithm is named; one that draws lots may have a seed.
    """

    def __init__(
        self,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        algorithm: str | None = None,
        seed: int | None = None,
    ) -> None:
        if seconds is not None and not 0 < seconds <= LONGEST_THOUGHT:  # false for nan too
            raise BadParameter(
                f"the engine thinks for more than 0 and up to {LONGEST_THOUGHT:,.0f} seconds, not {seconds:g}"
            )
        self.limit = Limit(seconds, depth, nodes)
        if self.limit == Limit():
            self.limit = Limit(1.0)
        self.name = algorithm or "engine"
        self._algorithm = algorithm
        self._seed = seed
        self._engine: Searcher | None = None

    def prepare(self, game: Game) -> None:
        """Compile now, so that nobody waits for it in the middle of the game."""
        engine, state = self._ready(game), game.initial()
        if not game.is_terminal(state) and game.to_move(state) != CHANCE:
            engine.search(state, Limit(nodes=1) if self._simulates(game) else Limit(depth=1))

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The only action there is at once, else the best that is found within the limit."""
        legal = legal_actions(game, state, previous)
        if len(legal) == 1:
            return legal[0]
        return self._ready(game).search(state, self.limit, previous=previous).action

    def _ready(self, game: Game) -> Searcher:
        """The engine for a game, made on first use."""
        if self._engine is None or self._engine.game is not game:
            options: dict[str, Any] = {"seed": self._seed} if self._simulates(game) else {}
            if self._algorithm_for(game) == "mcts" and self.limit.time:
                options["options"] = MctsOptions(**{**game.mcts_options, "early": True})
            self._engine = engine_for(game, self._algorithm_for(game), **options)
        return self._engine

    def _algorithm_for(self, game: Game) -> str:
        return self._algorithm or algorithm_for(game, self.limit)

    def _simulates(self, game: Game) -> bool:
        """Whether the engine for a game draws lots."""
        return self._algorithm_for(game) in SIMULATE


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

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The algorithm's decision; interrupted, its decision at depth 1; without one, the first action.

        The books' algorithms do not look back: a decision that superko forbids is as good as none.
        """
        decide = ALGORITHMS[self.name]
        try:
            decision = decide(game, state, depth=self.depth)
        except KeyboardInterrupt:
            decision = decide(game, state, depth=1)
        legal = legal_actions(game, state, previous)
        return decision.line[0] if decision.line and decision.line[0] in legal else legal[0]


class Reflex:
    """Takes the action that looks best at first sight; of several, any.

    That is the one of the highest `priority`; in a game without priorities, the one that leads to the best
    utility or evaluation.
    """

    name = "reflex"

    def __init__(self, seed: int | None = None) -> None:
        self.generator = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """A reflex is there in any game."""

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        mover = game.to_move(state)

        def look(action: Action) -> float:
            if game.has("priority"):
                return game.priority(state, action)
            child = game.result(state, action)
            return game.utility(child, mover) if game.is_terminal(child) else game.evaluate(child, mover)

        legal = legal_actions(game, state, previous)
        looks = [look(action) for action in legal]
        return self.generator.choice(
            [action for action, worth in zip(legal, looks, strict=True) if worth == max(looks)]
        )


class ByPolicy:
    """Plays by a policy: draws from the probabilities that it gives."""

    def __init__(self, name: str, numbers: Sequence[float] = (), seed: int | None = None) -> None:
        self.name = name
        self.numbers = numbers
        self.generator = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """Refuse a game that has no such policy."""
        policy_named(game, self.name, *self.numbers)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        outcomes = dict(policy_named(game, self.name, *self.numbers)(game, state))
        return self.generator.choices(list(outcomes), list(outcomes.values()))[0]


class Expectimax:
    """Takes the action of the best expected value if all others play by a policy, some rounds ahead.

    A round is a move of everybody.
    """

    name = "expectimax"

    def __init__(self, rounds: int = 2, policy: str = "uniform", numbers: Sequence[float] = ()) -> None:
        if rounds < 1:
            raise BadParameter(f"expectimax looks 1 round ahead or more, not {rounds}")
        self.rounds = rounds
        self.policy, self.numbers = policy, numbers
        self._game: Game | None = None
        self._engines: dict[int, Expectiminimax] = {}

    def prepare(self, game: Game) -> None:
        """Refuse a game without opponents, or without the policy; compile now, so that nobody waits for
        it."""
        if game.players < 2:
            raise Unsuitable(f"expectimax needs opponents; {type(game).__name__} has none")
        state = game.initial()
        if not game.is_terminal(state) and game.to_move(state) != CHANCE:
            self._engine(game, game.to_move(state)).search(state, Limit(depth=1))
        else:
            self._engine(game, 0)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The only action there is at once, else the decision of expectiminimax; Ctrl-C makes it move."""
        legal = legal_actions(game, state, previous)
        if len(legal) == 1:
            return legal[0]
        engine = self._engine(game, game.to_move(state))
        return engine.search(state, Limit(depth=self.rounds * game.players), previous=previous).action

    def _engine(self, game: Game, player: int) -> Expectiminimax:
        """The engine for the game as a player sees it, made on first use."""
        if self._game is not game:
            self._game = game
            self._engines = {}
        if player not in self._engines:
            policy = policy_named(game, self.policy, *self.numbers)
            others = {other: policy for other in range(game.players) if other != player}
            self._engines[player] = Expectiminimax(Modelled(game, others))
        return self._engines[player]


def question(game: Game, state: State) -> str:
    """What a person is asked when it is their turn: "You are X: Choose number from 1-9:"."""
    return f"You are {game.player_name(game.to_move(state))}: {game.prompt}:"


def parse_player(text: str, seed: int | None = None, game: Game | None = None) -> Player:
    """The player that a person wrote as "human", "random:7", "engine:0.5", "engine:depth=4" or "minimax:4".

    The seed is for a player who draws lots and brings none. A game may know policies of its own.
    """
    name, colon, detail = (part.strip().lower() for part in text.partition(":"))
    try:
        if name == "human" and not colon:
            return Human()
        if name == "random":
            return Random(int(detail) if colon else seed)
        if name == "engine":
            return _engine(detail, seed) if colon else EnginePlayer(seed=seed)
        if name in SIMULATE:
            return _simulations(name, detail, seed)
        if name == "reflex":
            return Reflex(int(detail) if colon else seed)
        if name == "expectimax":
            return _expectimax(detail) if colon else Expectimax()
        if name in ALGORITHMS:
            return Algorithm(name, int(detail) if colon else None)
        if name in {*POLICIES, *(game.policies if game else ())}:
            return ByPolicy(name, [float(word) for word in detail.split(":")] if colon else (), seed)
    except BadParameter:
        raise
    except ValueError:
        kind = KINDS.get(name, "whole number," if name in ALGORITHMS else "number,")
        raise BadParameter(f"after {name}: comes a {kind} not {detail[:40]!r}") from None
    raise BadParameter(
        f"there is no player {text.strip()[:40]!r}; a player is {PLAYERS}: {', '.join(ALGORITHMS)}"
    )


KINDS = {
    "engine": "number of seconds, or depth= or nodes= and a whole number,",
    "expectimax": "number of rounds, and where wanted a policy with its numbers,",
    "flat": "number of seconds, or simulations= and a whole number,",
    "mcts": "number of seconds, or simulations= and a whole number,",
    "random": "whole number,",
    "reflex": "whole number,",
}
"""What comes after the names of some players."""


def _expectimax(detail: str) -> Expectimax:
    """Expectimax with the rounds and the policy that stand after its colon."""
    rounds, policy, *numbers = [*detail.split(":"), ""] if ":" not in detail else detail.split(":")
    return Expectimax(int(rounds), policy.strip() or "uniform", [float(number) for number in numbers])


def _engine(detail: str, seed: int | None) -> EnginePlayer:
    """The engine with the limit that stands after its colon."""
    kind, equals, number = (part.strip() for part in detail.partition("="))
    if not equals:
        return EnginePlayer(seconds=float(detail), seed=seed)
    if kind not in ("depth", "nodes"):
        raise ValueError
    return EnginePlayer(depth=int(number)) if kind == "depth" else EnginePlayer(nodes=int(number), seed=seed)


def _simulations(name: str, detail: str, seed: int | None) -> EnginePlayer:
    """A Monte Carlo search with the limit that stands after its colon."""
    kind, equals, number = (part.strip() for part in detail.partition("="))
    if not equals:
        return EnginePlayer(seconds=float(detail) if detail else None, algorithm=name, seed=seed)
    if kind != "simulations":
        raise ValueError
    return EnginePlayer(nodes=int(number), algorithm=name, seed=seed)


def parse_players(text: str, game: Game, seed: int | None = None) -> list[Player]:
    """The players of a game, written with commas between; the engine takes the seats left over.

    With a seed, each player who draws lots has one of their own.
    """
    words = text.split(",")
    seeds = [None if seed is None else seed + seat for seat in range(len(words))]
    players = [parse_player(word, own, game) for word, own in zip(words, seeds, strict=True)]
    if len(players) > game.players:
        raise BadParameter(f"{game.name} has {_count(game.players)}, not {len(players)}")
    players += [EnginePlayer() for _ in range(game.players - len(players))]
    for player in players:
        player.prepare(game)
    return players


def suited_algorithm(game: Game) -> str:
    """The algorithm of the book that a lecture would use for this kind of game."""
    return suited(game)[0]


def _count(players: int) -> str:
    return "1 player" if players == 1 else f"{players} players"
