"""Solving: the exact value of a position, proved to the end of the game, and a strategy that attains it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from plies.book.algorithms import AT_ONCE
from plies.engine import table as tables
from plies.engine.algorithms import engine_for
from plies.engine.depth_first import DepthFirst
from plies.engine.driver import checked_threads
from plies.engine.job import Job
from plies.engine.kernels.pvs import TASKS
from plies.engine.limit import Limit
from plies.engine.null_windows import Proof
from plies.engine.opening_book import YES, BookRoot, chosen_book, root_in_book
from plies.engine.options import Options
from plies.engine.probing import prober_for
from plies.engine.proof_number import ProofNumberSearch
from plies.engine.retrograde import (
    check_memory,
    ending_for,
    ending_made,
    refuse_options,
    solve_by_retrograde,
    solve_by_value_iteration,
)
from plies.engine.root import blamed
from plies.engine.runner import Code
from plies.engine.solution import Solution, SolverBase, check_going_on
from plies.engine.value import Value
from plies.engine.worker import Worker
from plies.errors import BadParameter
from plies.game import Game, State
from plies.history import legal_actions
from plies.retrograde.checkpoint import Checkpoint
from plies.retrograde.database import Database

ALPHA_BETA, PROOF_NUMBER = "alpha-beta", "proof-number"
RETROGRADE, VALUE_ITERATION = "retrograde", "value-iteration"
"""The algorithms that solve a position."""

ALGORITHMS = (ALPHA_BETA, PROOF_NUMBER, RETROGRADE, VALUE_ITERATION)

SHORT = 1 << 23
"""The nodes from which on a search is long, so that the database of an ending is made: some seconds, about as
long as that takes. Not tuned."""

PROGRESS = 79
"""The columns of the progress line: one less than those of a terminal by default, 80."""


class Solver(SolverBase):
    """Solves positions of one game by alpha-beta, and remembers its proofs.

    With `distance`, the value includes the plies to the end of the game if both play their best. `memory` is
    the size of the table in megabytes, which `threads` share, and `database` what is probed, as by
    `AlphaBeta`. `book` is as there, too, but must be one of proved positions.
    """

    algorithm = ALPHA_BETA
    label = "Alpha-beta"
    subject = "solving by search"
    runners: list[Worker]

    def __init__(
        self,
        game: Game,
        *,
        distance: bool = False,
        memory: float = 256,
        threads: int = 1,
        options: Options | None = None,
        database: Database | bool = True,
        book: str = YES,
    ) -> None:
        super().__init__(game)
        self.prober = prober_for(game, database, plies=distance)
        self.book = chosen_book(game, book)
        if self.book is not None and not self.book.proved:
            raise BadParameter("a proof cannot rest on a book of searched positions")
        self._known: BookRoot | None = None
        options = options or Options()
        if options.inexact:
            raise BadParameter(f"a proof allows no inexact options: switch off {', '.join(options.inexact)}")
        self.distance = distance
        self.options = options
        self._memory, self._threads = memory, checked_threads(threads)
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        count, memory = self._threads, self._memory
        shared = tables.new(memory) if count > 1 else None
        tasks = np.zeros(TASKS + 1, np.int64) if count > 1 else None
        given = (self.game, self.first, self.options, memory, shared, tasks, self.distance, code, self.prober)
        self.runners = [Worker(*given) for _ in range(count)]
        for runner in self.runners:
            runner.to_the_end = True

    def _clear(self) -> None:
        self.runners[0].clear()

    def _get_ready(self, job: Job) -> None:
        """Ask the book first: for what it knows, nothing need be compiled."""
        asked = self.book if job.limit.nodes is None else None
        with blamed(self.game, job.state):
            self._known = root_in_book(asked, self.game, job.state, legal_actions(self.game, job.state))
        if not self._is_known():
            super()._get_ready(job)

    def _is_known(self) -> bool:
        """Whether the book has the value and, if asked for, the plies."""
        value = None if self._known is None else self._known.value
        return value is not None and (not self.distance or value.lead == 0 or value.plies is not None)

    def _begin(self, job: Job) -> None:
        if self.prober:
            self.prober.set_out(job.state, ())
        known = {} if self._known is None else self._known.scores
        self._proof = Proof(job, self.runners, self.options, known, self.distance)

    def _explore(self, job: Job) -> Iterator[None]:
        if not self._is_known():
            self._proof.prove(lambda: self._stop_others(job))
        yield

    def _assist(self, job: Job, runner: Worker) -> None:
        if not self._is_known():
            self._proof.help(runner)

    def _result(self, job: Job) -> Solution:
        known = self._known
        if known is None:
            return self._proof.solution(self)
        if not self._is_known() or known.value is None:
            return replace(self._proof.solution(self), book=known.rests_on)
        value = known.value if self.distance else replace(known.value, plies=None)
        return Solution(
            job.state, value, value, known.action, 0, job.seconds, solver=self, book=known.rests_on
        )


def solve(
    game: Game,
    state: State | None = None,
    *,
    distance: bool = False,
    time: float | None = None,
    nodes: int | None = None,
    memory: float = 256,
    algorithm: str | None = None,
    threads: int | None = None,
    options: Options | None = None,
    book: str = YES,
    checkpoint: Checkpoint | None = None,
) -> Solution:
    """The exact value of a position, with an optimal action; or bounds, if a limit or Ctrl-C comes first.

    With `distance`, also the plies to the end if both play their best, which take longer to prove. Where
    players move at once, the value is found by backward induction over matrix games; elsewhere the algorithm
    is "alpha-beta", which takes `options`; "retrograde", from the values of all states, where positions may
    come up again; "value-iteration", where there are dice; or, if asked for, "proof-number", which proves
    only who wins by force. A search that takes long goes on with a database of an ending, which it makes, if
    the game knows one (`endings_after`), none was made before, and no plies or limit of nodes are asked for.
    `memory` is in megabytes, and there are two `threads` if there are two cores;
    `book`, for alpha-beta, is as for `Solver`, and `checkpoint`, for all ways but search, is where it keeps
    what it has found until it is done.
    """
    algorithm = algorithm_for(game) if algorithm is None else algorithm
    if algorithm not in ALGORITHMS:
        raise BadParameter(f"the algorithm must be one of {', '.join(ALGORITHMS)}, not {algorithm!r}")
    limit = Limit(time=time, nodes=nodes)
    if algorithm in (RETROGRADE, VALUE_ITERATION):
        refuse_options(options=options)
        check_memory(memory)
        given = (game, game.initial() if state is None else state, limit, memory, _show)
        try:
            if algorithm == VALUE_ITERATION:
                return solve_by_value_iteration(*given, checkpoint)
            return solve_by_retrograde(*given, checkpoint)
        finally:
            if sys.stderr.isatty():
                _show("")
    threads = min(2, os.cpu_count() or 1) if threads is None else checked_threads(threads)
    if options is not None and (algorithm == PROOF_NUMBER or game.simultaneous or game.players == 1):
        raise BadParameter("options are for solving by alpha-beta, a game of two players in turn")
    if game.simultaneous and algorithm != PROOF_NUMBER and not distance:
        return _solved_at_once(game, game.initial() if state is None else state, limit)
    if game.players == 1 and not game.stochastic and algorithm != PROOF_NUMBER:
        return _puzzle_solved(game, game.initial() if state is None else state, limit)
    solver: SolverBase
    if algorithm == ALPHA_BETA:
        made: dict[str, Any] = {"memory": memory, "threads": threads, "options": options, "book": book}
        solver = Solver(game, distance=distance, **made)
        start = game.initial() if state is None else state
        if nodes is None and not distance and (ending := ending_for(game, start)):
            return _solved_with_ending(solver, start, ending, limit, made)
    elif distance:
        raise BadParameter("proof-number search finds who wins, not how soon: leave out the distance")
    else:
        solver = ProofNumberSearch(game, memory=memory, threads=threads)
    return _shown(solver, state, limit)


def _shown(solver: SolverBase, state: State | None, limit: Limit) -> Solution:
    """The solution of a position, with progress at a terminal."""
    if not sys.stderr.isatty():
        return solver.solve(state, limit)
    try:
        return solver.solve(state, limit, lambda so_far: _show(f"plies: {so_far} …"))
    finally:
        _show("")


def _solved_with_ending(
    solver: Solver, state: State, ending: str, limit: Limit, given: dict[str, Any]
) -> Solution:
    """The solution of a position; if it takes long, with a database of an ending, which is made then."""
    begun = perf_counter()
    first = _shown(solver, state, Limit(time=limit.time, nodes=SHORT))
    if first.solved or first.nodes < SHORT:
        return first
    made = ending_made(solver.game, ending, limit, begun, given["threads"], _show)
    seconds = perf_counter() - begun
    left = None if limit.time is None else limit.time - seconds
    if left is not None and left <= 0:
        made = f"the limit of {limit.time:g} seconds was reached"
    if isinstance(made, str):
        return replace(first, reason=made, seconds=seconds)
    if made is not None:
        solver = Solver(solver.game, database=made, **given)
    found = _shown(solver, state, Limit(time=left))
    nodes, seconds = first.nodes + found.nodes, perf_counter() - begun
    found = replace(found, nodes=nodes, seconds=seconds)
    if found.solved:
        return found
    if limit.time is not None and seconds >= limit.time:
        found = replace(found, reason=f"the limit of {limit.time:g} seconds was reached")
    closer = min(found, first, key=lambda one: one.high.utility - one.low.utility)
    return replace(found, low=closer.low, high=closer.high, action=closer.action)


def algorithm_for(game: Game) -> str:
    """The algorithm that suits a game: search, unless positions may come up again or there are dice."""
    in_turn = game.players == 2 and game.constant_sum and not game.simultaneous
    if in_turn and game.stochastic:
        return VALUE_ITERATION
    return RETROGRADE if in_turn and game.cycles and not game.superko else ALPHA_BETA


def _puzzle_solved(game: Game, state: State, limit: Limit) -> Solution:
    """The solution of a puzzle, by depth-first search."""
    check_going_on(game, state)
    found = DepthFirst(game).search(state, limit)
    if found.value.proved:
        return Solution(state, found.value, found.value, found.action, found.nodes, found.seconds)
    low, high = Value.of(game, found.value.utility, True), Value.of(game, game.bounds[1], True)
    return Solution(state, low, high, found.action, found.nodes, found.seconds, "a limit was reached")


def _solved_at_once(game: Game, state: State, limit: Limit) -> Solution:
    """The value of a game of simultaneous moves, by backward induction."""
    check_going_on(game, state)
    found = engine_for(game, f"book:{AT_ONCE}").search(state, limit)
    effort = (found.action, found.nodes, found.seconds)
    if found.value.proved:
        return Solution(state, found.value, found.value, *effort, matrix=found.matrix)
    low, high = (Value.of(game, bound, True) for bound in game.bounds)
    return Solution(state, low, high, None, *effort[1:], "a limit was reached")


def _show(text: str) -> None:
    """Overwrite the current line of the terminal, and leave the cursor at its beginning."""
    print(f"\r{text[:PROGRESS]:{PROGRESS}}\r", end="", file=sys.stderr, flush=True)
