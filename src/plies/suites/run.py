"""Searching the problems of a suite: which are solved, in how many nodes and how long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plies.engine.algorithms import engine_for
from plies.engine.alpha_beta import AlphaBeta
from plies.engine.driver import Search
from plies.engine.limit import Limit
from plies.engine.opening_book import NO
from plies.engine.solve import Solver
from plies.engine.value import Value
from plies.game import Action, Game
from plies.suites.formats import STONES, Problem
from plies.suites.pons import score


@dataclass(frozen=True)
class Attempt:
    """What a search made of a problem."""

    problem: Problem
    solved: bool
    move: str
    """The move it found; "" if none is known to be best."""
    value: str
    expected: str
    nodes: int
    seconds: float


def attempts(game: Game, problems: Sequence[Problem], limit: Limit | None = None) -> Iterator[Attempt]:
    """Search each problem within a limit; without one, where values are known, until the value is proved.

    The compiler is waited for before any clock runs.
    """
    if any(problem.score is None for problem in problems) or (limit and limit.depth is not None):
        engine = engine_for(game)
        if isinstance(engine, AlphaBeta):
            engine.book = None  # a suite tests the search
        engine.search(problems[0].state, Limit(depth=1))
        for problem in problems:
            engine.clear()
            yield _searched(game, engine, problem, limit or Limit(time=1))
    else:
        solver = Solver(game, distance=problems[0].counts == STONES, book=NO)
        solver.solve(problems[0].state, Limit(nodes=1))
        for problem in problems:
            yield _proved(game, solver, problem, limit or Limit())


def _searched(game: Game, engine: Search, problem: Problem, limit: Limit) -> Attempt:
    """A problem solved by its move, by a search that begins with an empty table."""
    found = engine.search(problem.state, limit)
    solved = _is_right(problem, found.action)
    return _attempt(game, problem, solved, found.action, found.value, found.nodes, found.seconds)


def _proved(game: Game, solver: Solver, problem: Problem, limit: Limit) -> Attempt:
    """A problem solved by its value, proved; a solver keeps what it has proved for the next ones."""
    solution = solver.solve(problem.state, limit)
    right = False
    if solution.solved:
        value = solution.value
        found = score(game, problem.state, value) if problem.counts == STONES else value.utility
        right = found == problem.score and (not problem.best or solution.action in problem.best)
    effort = (solution.nodes, solution.seconds)
    attempt = _attempt(game, problem, right, solution.action, solution.low, *effort)
    return attempt if solution.solved else replace(attempt, value=f"from {solution.low} to {solution.high}")


def _is_right(problem: Problem, action: Action) -> bool:
    return action in problem.best if problem.best else action not in problem.avoid


def _attempt(
    game: Game,
    problem: Problem,
    solved: bool,
    action: Action | None,
    value: Value,
    nodes: int,
    seconds: float,
) -> Attempt:
    state = problem.state
    move = "" if action is None else game.notation(state, action)
    wanted = " or ".join(game.notation(state, best) for best in problem.best)
    avoided = " or ".join(game.notation(state, bad) for bad in problem.avoid)
    parts = [
        wanted,
        f"not {avoided}" if avoided else "",
        "" if problem.score is None else f"{problem.score:+}",
    ]
    expected = " ".join(part for part in parts if part)
    return Attempt(problem, solved, move, str(value), expected, nodes, seconds)
