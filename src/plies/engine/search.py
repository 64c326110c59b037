"""Search as people ask for it: a game, a position, a limit; out comes an action and what it is worth."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from plies.engine import depth_first
from plies.engine.alpha_beta import AlphaBeta
from plies.engine.background import Turns
from plies.engine.deepening import Expectiminimax, MaxN
from plies.engine.limit import DEFAULT, Limit
from plies.engine.monte_carlo import MctsOptions, MonteCarlo
from plies.engine.result import SearchResult
from plies.engine.root import blamed, checked_lines, root_actions
from plies.engine.value import AT_LEAST, AT_MOST, Value
from plies.errors import BadParameter, PliesError
from plies.game import Game, State
from plies.validation import refuse_arrays
from plies.wrapper import Paranoid

SIMULATE = ("mcts", "flat")
"""The engines that play random games: their measure is simulations, not plies."""


class Searcher(Protocol):
    """What the engines have in common."""

    game: Game

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> SearchResult:
        """The best action, and what else was found out about the position."""

    def analyse(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> Iterator[SearchResult]:
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
    previous: Sequence[State] = (),
    **options: Any,
) -> SearchResult:
    """The best action for the player to move, by the algorithm that serves this kind of game, or another.

    Two players against each other: alpha-beta, iteratively deepened, with an exact value for each of the
    best `lines` actions. One player alone: depth-first search for the best end. Dice: expectiminimax. Any
    other game: max^n. A game may choose another, as go does. Besides these, `algorithm` may be "paranoid",
    "mcts" (Monte Carlo tree search) or "flat" (playouts only), which `simulations` limits.
    Without a limit the search takes a second, not counting compilation. Ctrl-C ends it with the best action
    so far. `previous` are the states the game has been through, where repetitions matter. `options` are
    passed to the engine, such as `seed`.
    """
    given = _asked(game, state, algorithm, (time, depth, nodes, simulations), lines, previous, options)
    engine, state, limit, more = given
    found: SearchResult = engine.search(state, limit, previous=previous, **more)
    return found


def analyse(
    game: Game,
    state: State | None = None,
    *,
    algorithm: str | None = None,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
    lines: int = 1,
    previous: Sequence[State] = (),
    **options: Any,
) -> Iterator[SearchResult]:
    """What `search` finds, as it goes on: after each depth, or every so many simulations; the last is it."""
    given = _asked(game, state, algorithm, (time, depth, nodes, simulations), lines, previous, options)
    engine, state, limit, more = given
    found: Iterator[SearchResult] = engine.analyse(state, limit, previous=previous, **more)
    return found


def _asked(
    game: Game,
    state: State | None,
    algorithm: str | None,
    limits: tuple[float | None, int | None, int | None, int | None],
    lines: int,
    previous: Sequence[State],
    options: dict[str, Any],
) -> tuple[Any, State, Limit, dict[str, Any]]:
    """What a search was asked for: the engine, the position, the limit, and lines where it tells several."""
    if not isinstance(game, Game):
        raise BadParameter(f"a search needs a game, such as plies.TicTacToe(), not {game!r}")
    checked_lines(lines)
    if not isinstance(previous, Sequence) or isinstance(previous, str):
        raise BadParameter(f"the past is a list of states, not {previous!r}")
    time, depth, nodes, simulations = limits
    if nodes is not None and simulations is not None:
        raise BadParameter("nodes and simulations are one limit: give only one of them")
    limit = Limit(time, depth, nodes if simulations is None else simulations)
    if limit == Limit():
        limit = DEFAULT
    with blamed(game, state):
        state = game.initial() if state is None else state
        refuse_arrays(game, state)
        if game.is_terminal(state):
            raise PliesError("there is nothing to search: the game is over")
    engine = engine_for(game, algorithm or algorithm_for(game, limit), **options)
    return engine, state, limit, {"lines": lines} if isinstance(engine, LINED) else {}


def engine_for(game: Game, algorithm: str | None = None, **options: Any) -> Searcher:
    """The engine that goes by a name, or the one that serves this kind of game, made for one game."""
    if algorithm is None:
        algorithm = algorithm_for(game)
    if not isinstance(algorithm, str) or algorithm not in ENGINES:
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
    if game.players == 2 and game.constant_sum and not game.stochastic:
        return "alpha-beta"
    if game.players == 1 and not game.stochastic:
        return "depth-first"
    if game.players == 1 or (game.players == 2 and game.constant_sum):
        return "expectiminimax"
    return "max-n"


class DepthFirst:
    """Searches a puzzle of one player for its best end. Threads that share it are served in turn."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._turns = Turns()

    def search(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> SearchResult:
        """The best end that can be reached, as far as the limit goes: one line, however many are wanted."""
        *_, found = self.analyse(state, limit, lines=lines, previous=previous)
        return found

    def analyse(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> Iterator[SearchResult]:
        """What `search` finds, once it is over."""
        checked_lines(lines)
        with blamed(self.game, state):
            state = self.game.initial() if state is None else state
        dives = depth_first.DepthFirst(self.game, limit or DEFAULT)
        with self._turns.turn(dives.stop):
            found = dives.search(state, previous)
        yield found

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""
        self._turns.stop()


class ParanoidEngine:
    """Searches a game of many players as if all others were against whoever is to move.

    What is proved so is, in the game itself, what that player can make sure of. Threads that share an engine
    are served in turn.
    """

    def __init__(self, game: Game, **options: Any) -> None:
        self.game = game
        self._options = options
        self._engines: dict[int, Any] = {}
        self._making = threading.Lock()

    def _engine(self, player: int) -> Any:
        """The engine for one player, made on first use, with a memory and turns of its own."""
        with self._making:
            if player not in self._engines:
                self._engines[player] = engine_for(Paranoid(self.game, player), **self._options)
            return self._engines[player]

    def search(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> SearchResult:
        """The best action if all others are against the player to move."""
        *_, found = self.analyse(state, limit, lines=lines, previous=previous)
        return found

    def analyse(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> Iterator[SearchResult]:
        """What has been found after each completed depth."""
        checked_lines(lines)
        with blamed(self.game, state):
            state = self.game.initial() if state is None else state
            root_actions(self.game, state, previous)
            engine = self._engine(self.game.to_move(state))
        more = {"lines": lines} if isinstance(engine, LINED) else {}
        for found in engine.analyse(state, limit, previous=previous, **more):
            yield replace(
                found,
                algorithm="paranoid",
                game=self.game,
                value=self._value(found.value),
                scores={action: self._value(value) for action, value in found.scores.items()},
                rests_on=f"{found.rests_on} {PARANOID}".strip(),
            )

    def _value(self, value: Value) -> Value:
        """What a value of the game of one against all others says about the game itself."""
        game, bound, proved, plies = self.game, value.bound, value.proved, value.plies
        if proved and not (game.players == 2 and game.constant_sum):
            proved = bound != AT_MOST  # the others may well be kinder
            bound = AT_LEAST if proved else bound
            plies = None
        return Value.of(game, value.utility, proved, plies, bound, value.error)

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""
        with self._making:
            engines = list(self._engines.values())
        for engine in engines:
            engine.stop()


PARANOID = "A proved value is what the player to move can make sure of, whatever the others do."
"""What a proof of the paranoid search means."""

LINED = (AlphaBeta, Expectiminimax, MaxN, DepthFirst, ParanoidEngine)
"""The engines that may be asked for the values of several actions."""


def _flat(game: Game, **options: Any) -> MonteCarlo:
    return MonteCarlo(game, options=MctsOptions(flat=True, solver=False), **options)


ENGINES: dict[str, Callable[..., Searcher]] = {
    "alpha-beta": AlphaBeta,
    "expectiminimax": Expectiminimax,
    "max-n": MaxN,
    "paranoid": ParanoidEngine,
    "depth-first": DepthFirst,
    "mcts": MonteCarlo,
    "flat": _flat,
}
"""The engines by the names of their algorithms."""
