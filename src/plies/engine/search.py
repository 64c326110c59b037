"""`search` and `analyse`: from a game, a position and a limit to the best action and its value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from plies.engine.algorithms import ENGINE, algorithm_for, engine_for
from plies.engine.driver import Search
from plies.engine.limit import DEFAULT, Limit
from plies.engine.networks import YES
from plies.engine.result import SearchResult
from plies.engine.root import blamed, checked_lines
from plies.errors import BadParameter, PliesError
from plies.game import Game, State
from plies.validation import refuse_arrays


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
    """The best action for the player to move, by the algorithm that suits the game, or another.

    Two players against each other: alpha-beta with iterative deepening, and an exact value for each of the
    best `lines` actions. One player: depth-first search for the best end. Dice: expectiminimax. Any other
    game: max^n. A game that has no evaluation, and is too large to be searched to its end: Monte Carlo tree
    search. A game may choose another, as go does. `algorithm` may be any of `plies.ALGORITHMS`:
    "paranoid", "mcts" (Monte Carlo tree search, limited by `simulations`), "book:minimax" and so on.
    Without a limit the search takes a second. It begins interpreted if the game is not compiled yet; one that
    is limited by depth, nodes or simulations alone waits for the compiler. Ctrl-C ends it with the best
    action so far. `previous` are the states of the game so far, where repetitions matter. `options`, such as
    `seed`, are passed to the engine.
    """
    given = _asked(game, state, algorithm, (time, depth, nodes, simulations), lines, previous, options)
    engine, state, limit = given
    return engine.search(state, limit, lines=lines, previous=previous)


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
    """The results of `search` as they improve, after each depth or batch of simulations; the last is
    final."""
    given = _asked(game, state, algorithm, (time, depth, nodes, simulations), lines, previous, options)
    engine, state, limit = given
    return engine.analyse(state, limit, lines=lines, previous=previous)


def _asked(
    game: Game,
    state: State | None,
    algorithm: str | None,
    limits: tuple[float | None, int | None, int | None, int | None],
    lines: int,
    previous: Sequence[State],
    options: dict[str, Any],
) -> tuple[Search, State, Limit]:
    """The request, checked: the search, the position and the limit."""
    if not isinstance(game, Game):
        raise BadParameter(f"a search needs a game, such as plies.TicTacToe(), not {game!r}")
    checked_lines(lines)
    if not isinstance(previous, Sequence) or isinstance(previous, str):
        raise BadParameter(f"previous is a list of states, not {previous!r}")
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
    suited = algorithm in (None, ENGINE)
    name = algorithm_for(game, limit, options.get("network", YES)) if suited else algorithm
    return engine_for(game, name, **options), state, limit
