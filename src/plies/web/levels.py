"""Who may play besides people, and how well: the algorithms that suit a game, each with its levels."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from plies.book import ALGORITHMS
from plies.engine import Limit, Searcher, SearchResult, Value, engine_for
from plies.engine.deepening import Expectiminimax
from plies.engine.search import algorithm_for
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Game, State
from plies.history import legal_actions
from plies.models import POLICIES, Modelled, policy_named
from plies.players import ByPolicy, Player, Random, Reflex
from plies.web.by_the_book import ByTheBook

MEMORY = 16.0
"""The megabytes that a searcher may take for its table or its tree."""

LONGEST_MOVE = 10.0
"""Seconds that a player may search for a move, whatever its level."""


AT_ONCE = Limit(LONGEST_MOVE)
"""For players who need no limit."""


@dataclass(frozen=True)
class Level:
    """How far a player looks, and how often it slips: makes any move instead of the one it found."""

    name: str
    label: str
    limit: Limit = AT_ONCE
    slip: float = 0.0


SHORT = 2.0
"""Seconds for the levels that go by depth or simulations, where a game is slow."""

TIMES = (
    Level("4", "4 · ¼ second", Limit(0.25)),
    Level("5", "5 · 1 second", Limit(1.0)),
    Level("6", "6 · 5 seconds", Limit(5.0)),
)
ENGINE = (
    Level("1", "1 · beginner", Limit(SHORT, depth=1), 0.4),
    Level("2", "2 · casual", Limit(SHORT, depth=2), 0.15),
    Level("3", "3 · 4 plies", Limit(SHORT, depth=4)),
    *TIMES,
)
DICE = (
    Level("1", "1 · beginner", Limit(SHORT, depth=1), 0.4),
    Level("2", "2 · casual", Limit(SHORT, depth=1), 0.1),
    Level("3", "3 · 2 plies", Limit(SHORT, depth=2)),
    *TIMES,
)
TREES = (
    Level("1", "1 · beginner", Limit(SHORT, nodes=30), 0.2),
    Level("2", "2 · casual", Limit(SHORT, nodes=150), 0.05),
    Level("3", "3 · 1,000 games", Limit(SHORT, nodes=1_000)),
    *TIMES,
)
LEVELS = {"expectiminimax": DICE, "mcts": TREES, "depth-first": TIMES}
"""The levels of the engine that suits a game, where they are not ENGINE."""

SIMULATIONS = (
    Level("100", "100 simulations", Limit(LONGEST_MOVE, nodes=100)),
    Level("1000", "1,000 simulations", Limit(LONGEST_MOVE, nodes=1_000)),
    Level("10000", "10,000 simulations", Limit(LONGEST_MOVE, nodes=10_000)),
    Level("1s", "1 second", Limit(1.0)),
    Level("5s", "5 seconds", Limit(5.0)),
)
DEPTHS = tuple(
    Level(str(depth), f"depth {depth}", Limit(LONGEST_MOVE, depth=depth)) for depth in (1, 2, 3, 4, 6)
)
ROUNDS = (
    Level("1", "one round ahead", Limit(LONGEST_MOVE, depth=1)),
    Level("2", "two rounds ahead", Limit(LONGEST_MOVE, depth=2)),
)
ONLY = (Level("", "as it is"),)


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player: its name in a message, what people read, and the levels it has."""

    name: str
    label: str
    levels: tuple[Level, ...]
    make: Callable[[Game, int], Searcher]
    """Of a game and the player who is to move."""
    algorithm: str = ""
    """What it is called where algorithms are chosen, if that is another name."""
    group: str = "Engine"
    """Under which heading it stands in a list."""
    analyses: bool = True
    """Whether it can say what a position is worth, or only make moves."""
    compiles: bool = True
    """Whether its searches run as machine code, where the game allows it."""

    def level(self, name: str) -> Level:
        """The level of that name, the middle one if there is no name."""
        if not name:
            return self.levels[len(self.levels) // 2]
        for level in self.levels:
            if level.name == name:
                return level
        raise BadParameter(f"{self.label} has no level {name[:20]!r}")

    def default(self) -> str:
        """The level that is chosen at first."""
        return self.level("").name


def kinds(game: Game) -> list[PlayerKind]:
    """The kinds of players that suit a game, the engine first."""
    suited = algorithm_for(game)
    found = [
        PlayerKind("engine", "Engine", LEVELS.get(suited, ENGINE), _engine(suited), ENGINE_NAMES[suited])
    ]
    for name in _engines(game):
        levels = SIMULATIONS if name in ("mcts", "flat") else LEVELS.get(name, ENGINE)
        found.append(PlayerKind(name, ENGINE_NAMES[name], levels, _engine(name)))
    if game.players > 1:
        found.append(PlayerKind("expectimax", "Expectimax", ROUNDS, _expectimax))
    for name in _lectures(game):
        book = PlayerKind(
            f"book:{name}", f"{name} of the book", DEPTHS, _book(name), group="Book", compiles=False
        )
        found.append(book)
    simple: dict[str, tuple[str, Callable[[], Player]]] = {
        "reflex": ("Reflex", Reflex),
        **{
            name: (f"{name} policy", partial(ByPolicy, name))
            for name in sorted({*POLICIES, *game.policies} - {"uniform"})
        },
        "random": ("Random", Random),
    }
    for name, (label, make) in simple.items():
        found.append(
            PlayerKind(name, label, ONLY, _simple(make), group="Simple", analyses=False, compiles=False)
        )
    return found


def kind_named(game: Game, name: str) -> PlayerKind:
    """The kind of player that goes by a name in a message; "" is the engine."""
    for kind in kinds(game):
        if kind.name == (name or "engine"):
            return kind
    raise BadParameter(f"{game.name} has no player {name[:40]!r}")


ENGINE_NAMES = {
    "alpha-beta": "Alpha-beta",
    "expectiminimax": "Expectiminimax",
    "max-n": "Max-n",
    "paranoid": "Paranoid",
    "depth-first": "Depth-first",
    "mcts": "Monte Carlo tree search",
    "flat": "Flat Monte Carlo",
}


def _engines(game: Game) -> list[str]:
    """The engines that suit a game besides the one that suits it best."""
    versus = game.players == 2 and game.constant_sum
    suits = {
        "alpha-beta": versus and not game.stochastic,
        "expectiminimax": versus or game.players == 1,
        "max-n": game.players > 1,
        "paranoid": game.players > 2,
        "mcts": True,
        "flat": True,
    }
    return [name for name, suited in suits.items() if suited and name != algorithm_for(game)]


def _lectures(game: Game) -> list[str]:
    """The algorithms of the book that suit a game and choose among all its actions."""
    found = []
    for name in ALGORITHMS:
        if name in ("sampled", "and-or", "depth-first"):
            continue
        try:
            ALGORITHMS[name](game, depth=0)
        except PliesError:
            continue
        found.append(name)
    return found


# -- How they are made.


def _engine(algorithm: str) -> Callable[[Game, int], Searcher]:
    if algorithm == "depth-first":
        return lambda game, _: _Longer(game, engine_for(game, algorithm))
    options: dict[str, Any] = {} if algorithm in ("max-n", "depth-first") else {"memory": MEMORY}
    return lambda game, _: engine_for(game, algorithm, **options)


def _book(algorithm: str) -> Callable[[Game, int], Searcher]:
    return lambda game, _: ByTheBook(game, algorithm)


def _expectimax(game: Game, player: int) -> Searcher:
    """Expectiminimax over the game in which all others play at random."""
    policy = policy_named(game, "uniform")
    others = {other: policy for other in range(game.players) if other != player}
    return _Seen(game, Expectiminimax(Modelled(game, others), memory=MEMORY))


class _Longer:
    """A searcher that tells nothing before its end, asked for longer and longer so that it does."""

    def __init__(self, game: Game, engine: Searcher) -> None:
        self.game, self.engine = game, engine
        self.stopped = False

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> SearchResult:
        *_, found = self.analyse(state, limit, previous=previous)
        return found

    def analyse(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> Iterator[SearchResult]:
        self.stopped = False
        limit = limit or AT_ONCE
        left, share = limit.time or LONGEST_MOVE, 0.25
        while left > 0 and not self.stopped:
            found = self.engine.search(
                state, Limit(min(left, share), limit.depth, limit.nodes), previous=previous
            )
            yield found
            if found.value.proved or found.seconds < min(left, share) / 2:  # nothing more is to be found
                return
            left, share = left - found.seconds, 2 * share

    def stop(self) -> None:
        self.stopped = True
        self.engine.stop()


def _simple(make: Callable[[], Player]) -> Callable[[Game, int], Searcher]:
    return lambda game, _: _Simple(game, make())


class _Seen:
    """The search of a game as one player sees it, told in terms of the game itself.

    What it proves holds against players who move at random: about the game itself it is an estimate.
    """

    def __init__(self, game: Game, engine: Expectiminimax) -> None:
        self.game, self.engine = game, engine

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> SearchResult:
        *_, found = self.analyse(state, limit, previous=previous)
        return found

    def analyse(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> Iterator[SearchResult]:
        limit = limit or Limit(1.0)
        rounds = limit.depth and limit.depth * self.game.players
        deeper = Limit(limit.time, rounds, limit.nodes)
        for found in self.engine.analyse(state, deeper, lines=lines, previous=previous):
            scores = {action: self._estimate(value) for action, value in found.scores.items()}
            yield replace(found, value=self._estimate(found.value), scores=scores, game=self.game)

    def _estimate(self, value: Value) -> Value:
        return Value.of(self.game, value.utility, bound=value.bound)

    def stop(self) -> None:
        self.engine.stop()


class _Simple:
    """A player that decides at once, as a searcher."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        player.prepare(game)

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> SearchResult:
        action = self.player.choose(self.game, state, previous)
        return SearchResult(action, Value(0.0), [action], 0, 1, 0.0, algorithm=self.player.name)

    def analyse(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> Iterator[SearchResult]:
        yield self.search(state, limit, previous=previous)

    def stop(self) -> None:
        """It has decided before anybody can say so."""


def slipped(level: Level, game: Game, state: State, previous: Sequence[State], rng: random.Random) -> Any:
    """Any legal action, as often as the level slips; else None."""
    if game.to_move(state) != CHANCE and rng.random() < level.slip:
        return rng.choice(legal_actions(game, state, previous))
    return None
