"""Search as people ask for it: a game, a position, a limit; out comes an action and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from plies.engine import puzzle
from plies.engine.deepening import Expectiminimax, MaxN
from plies.engine.engine import Engine
from plies.engine.found import Found
from plies.engine.limit import DEFAULT, Limit
from plies.engine.monte_carlo import MonteCarlo, Simulations
from plies.errors import BadParameter, PliesError
from plies.game import Game, State
from plies.wrapper import Paranoid

SIMULATE = ("mcts", "flat")
"""The engines that play random games: their measure is simulations, not plies."""


class Searcher(Protocol):
    """What the engines have in common."""

    game: Game

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, past: Sequence[State] = ()
    ) -> Found:
        """The best action, and what else was found out about the position."""

    def infos(
        self, state: State | None = None, limit: Limit | None = None, *, past: Sequence[State] = ()
    ) -> Iterator[Found]:
        """What has been found so far, every so often, until the search ends."""

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""


def search(
    game: Game,
    state: State | None = None,
    *,
    algorithm: str | None = None,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
    lines: int = 1,
    past: Sequence[State] = (),
    **options: Any,
) -> Found:
    """The best action for the player to move, by the algorithm that serves this kind of game, or another.

    Two players against each other: alpha-beta, iteratively deepened, with an exact value for each of the
    best `lines` actions. One player alone: depth-first search for the best end. Dice: expectiminimax. Any
    other game: max^n. A game may choose another, as go does. Besides these, `algorithm` may be "paranoid",
    "mcts" (Monte Carlo tree search) or "flat" (random games alone), for which `simulations` is a limit.
    Without a limit the search takes a second, compiling not counted. Ctrl-C ends it with the best action so
    far. `past` are the states the game has been through, where it matters if they come up again. `options`
    are for the engine, such as `seed`.
    """
    limit = Limit(time, depth, nodes or simulations)
    if limit == Limit():
        limit = DEFAULT
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        raise PliesError("there is nothing to search: the game is over")
    engine = engine_for(game, algorithm or algorithm_for(game, limit), **options)
    if lines > 1 and isinstance(engine, Engine | Expectiminimax | MaxN):
        return engine.search(state, limit, lines=lines, past=past)
    return engine.search(state, limit, past=past)


def infos(
    game: Game,
    state: State | None = None,
    *,
    algorithm: str | None = None,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    past: Sequence[State] = (),
    **options: Any,
) -> Iterator[Found]:
    """What `search` finds, as it goes on: after each depth, or every so many simulations; the last is it."""
    limit = Limit(time, depth, nodes)
    limit = DEFAULT if limit == Limit() else limit
    if game.is_terminal(game.initial() if state is None else state):
        raise PliesError("there is nothing to search: the game is over")
    engine = engine_for(game, algorithm or algorithm_for(game, limit), **options)
    if lines > 1 and isinstance(engine, Engine | Expectiminimax | MaxN):
        return engine.infos(state, limit, lines=lines, past=past)
    return engine.infos(state, limit, past=past)


def engine_for(game: Game, algorithm: str | None = None, **options: Any) -> Searcher:
    """The engine that goes by a name, or the one that serves this kind of game, made for one game."""
    if algorithm is None:
        algorithm = algorithm_for(game)
    if algorithm not in ENGINES:
        raise BadParameter(f"no engine is called {algorithm!r}; there are {', '.join(ENGINES)}")
    try:
        return ENGINES[algorithm](game, **options)
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise
        raise BadParameter(f"{algorithm} does not take all of: {', '.join(options)}") from None


def algorithm_for(game: Game, limit: Limit = DEFAULT) -> str:
    """The name of the algorithm that serves a game: its own choice, unless plies are to be counted and that
    algorithm does not count them; else the one for its kind of game."""
    if game.algorithm and not (game.algorithm in SIMULATE and limit.time is limit.nodes is None):
        return game.algorithm
    if game.players == 2 and game.zero_sum and not game.stochastic:
        return "alpha-beta"
    if game.players == 1 and not game.stochastic:
        return "depth-first"
    if game.players == 1 or (game.players == 2 and game.zero_sum):
        return "expectiminimax"
    return "max-n"


class DepthFirst:
    """Searches a puzzle of one player for its best end."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._dives: puzzle.Dives | None = None

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, past: Sequence[State] = ()
    ) -> Found:
        """The best end that can be reached, as far as the limit goes."""
        state = self.game.initial() if state is None else state
        self._dives = puzzle.Dives(self.game, limit or DEFAULT)
        return self._dives.search(state)

    def infos(
        self, state: State | None = None, limit: Limit | None = None, *, past: Sequence[State] = ()
    ) -> Iterator[Found]:
        """What `search` finds, once it is over."""
        yield self.search(state, limit, past=past)

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""
        if self._dives is not None:
            self._dives.stop()


class ParanoidEngine:
    """Searches a game of many players as if all others were against whoever is to move."""

    def __init__(self, game: Game, **options: Any) -> None:
        self.game = game
        self._options = options
        self._engines: dict[int, Searcher] = {}
        self._at_work: Searcher | None = None

    def _engine(self, player: int) -> Searcher:
        """The engine for one player, made on first use, with a memory of its own."""
        if player not in self._engines:
            game = Paranoid(self.game, player)
            self._engines[player] = engine_for(game, **self._options)
        self._at_work = self._engines[player]
        return self._at_work

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, past: Sequence[State] = ()
    ) -> Found:
        """The best action if all others are against the player to move."""
        *_, found = self.infos(state, limit, past=past)
        return found

    def infos(
        self, state: State | None = None, limit: Limit | None = None, *, past: Sequence[State] = ()
    ) -> Iterator[Found]:
        """What has been found after each completed depth."""
        state = self.game.initial() if state is None else state
        player = self.game.to_move(state) if not self.game.is_terminal(state) else 0
        for found in self._engine(max(player, 0)).infos(state, limit, past=past):
            yield Found(**{**vars(found), "algorithm": "paranoid", "game": self.game})

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""
        if self._at_work is not None:
            self._at_work.stop()


def _flat(game: Game, **options: Any) -> MonteCarlo:
    return MonteCarlo(game, options=Simulations(flat=True, solver=False), **options)


ENGINES: dict[str, Callable[..., Searcher]] = {
    "alpha-beta": Engine,
    "expectiminimax": Expectiminimax,
    "max-n": MaxN,
    "paranoid": ParanoidEngine,
    "depth-first": DepthFirst,
    "mcts": MonteCarlo,
    "flat": _flat,
}
"""The engines by the names of their algorithms."""
