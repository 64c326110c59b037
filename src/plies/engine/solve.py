"""Solving: the exact value of a position, proved to the end of the game, and a strategy that attains it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from plies.book.algorithms import AT_ONCE
from plies.engine import faults
from plies.engine.algorithms import engine_for
from plies.engine.depth_first import DepthFirst
from plies.engine.job import Job
from plies.engine.limit import Limit
from plies.engine.opening_book import YES, BookRoot, chosen_book, known_score, root_in_book
from plies.engine.options import Options
from plies.engine.probing import prober_for
from plies.engine.proof_number import ProofNumberSearch
from plies.engine.retrograde import (
    check_memory,
    refuse_options,
    solve_by_retrograde,
    solve_by_value_iteration,
)
from plies.engine.root import blamed
from plies.engine.runner import INFINITY, Code
from plies.engine.solution import Solution, SolverBase, check_going_on
from plies.engine.value import Value
from plies.engine.worker import Rescaled, Worker
from plies.errors import BadParameter
from plies.game import Action, Game, State
from plies.retrograde.checkpoint import Checkpoint
from plies.retrograde.database import Database
from plies.validation import capped

FOREVER = 1 << 20
"""A depth beyond any game's: LAST_PLY is 2000."""

SOON = 1 << 16
"""The nodes of a first try at a proof, before it takes all its memory and estimates the score. Not tuned."""

LOOK = 1 << 18
"""The nodes, about, of that estimate. Not tuned."""

STEPS = 8
"""The most null windows of MTD(f) that follow the estimate, before bisection. Not tuned."""

ALPHA_BETA, PROOF_NUMBER = "alpha-beta", "proof-number"
RETROGRADE, VALUE_ITERATION = "retrograde", "value-iteration"
"""The algorithms that solve a position."""

ALGORITHMS = (ALPHA_BETA, PROOF_NUMBER, RETROGRADE, VALUE_ITERATION)

PROGRESS = 79
"""The columns of the progress line: one less than those of a terminal by default, 80."""


class Solver(SolverBase):
    """Solves positions of one game by alpha-beta, and remembers its proofs.

    With `distance`, the value includes the plies to the end of the game if both play their best. `memory` is
    the size of the table in megabytes, and `database` what is probed, as by `AlphaBeta`. `book` is as there,
    too, but must be one of proved positions.
    """

    algorithm = ALPHA_BETA
    label = "Alpha-beta"
    subject = "solving by search"

    def __init__(
        self,
        game: Game,
        *,
        distance: bool = False,
        memory: float = 256,
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
        self._memory = memory
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        given = (self.game, self.first, self.options, self._memory)
        self.worker = Worker(*given, prefer_quick=self.distance, code=code, prober=self.prober)
        self.runners = [self.worker]

    def _clear(self) -> None:
        self.worker.clear()

    def _get_ready(self, job: Job) -> None:
        """Ask the book first: for what it knows, nothing need be compiled."""
        asked = self.book if job.limit.nodes is None else None
        with blamed(self.game, job.state):
            self._known = root_in_book(asked, self.game, job.state, list(self.game.actions(job.state)))
        if not self._is_known():
            super()._get_ready(job)

    def _is_known(self) -> bool:
        """Whether the book has the value and, if asked for, the plies."""
        value = None if self._known is None else self._known.value
        return value is not None and (not self.distance or value.lead == 0 or value.plies is not None)

    def _begin(self, job: Job) -> None:
        self._proof = _Proof(self, job, {} if self._known is None else self._known.scores)

    def _explore(self, job: Job) -> Iterator[None]:
        if not self._is_known():
            self._proof.prove()
        yield

    def _result(self, job: Job) -> Solution:
        known = self._known
        if known is None:
            return self._proof.solution()
        if not self._is_known() or known.value is None:
            return replace(self._proof.solution(), book=known.rests_on)
        value = known.value if self.distance else replace(known.value, plies=None)
        return Solution(
            job.state, value, value, known.action, 0, job.seconds, solver=self, book=known.rests_on
        )


class _Stopped(Exception):
    """Raised within a proof to end it."""


class _NotSoon(Exception):
    """Raised within a proof whose first try takes too long."""


class _TooDeep(Exception):
    """Raised where a proof would rest on an estimate."""


class _Proof:
    """Null windows that converge on the value of one position, over all actions at the root."""

    def __init__(self, solver: Solver, job: Job, known: dict[Action, Value]) -> None:
        self.solver, self.job, self.known = solver, job, known
        self.game, self.state, self.limit = job.game, job.state, job.limit
        self.worker, self.run = solver.worker, solver.worker.run
        self.player = job.player
        self.actions = self._ordered()
        if solver.prober:
            solver.prober.set_out(job.state, ())
        self.worker.begin(job.state)
        self.reason = ""
        """Why it ended early, if known."""
        self.low, self.high = int(self.run.worst), int(self.run.best)
        self.action: Action | None = None
        self.hurried = True  # during the first try
        self.finished = False

    def _ordered(self) -> list[Action]:
        """The actions in the kernel's order."""
        options, game = self.solver.options, self.game
        with blamed(game, self.state):
            actions = list(
                capped(
                    game, self.state, (game.candidates if options.candidates else game.actions)(self.state)
                )
            )
            if not actions:
                raise faults.broken(game, self.state, faults.ACTIONS)
            if options.priority and game.has("priority"):
                actions.sort(key=lambda action: -game.priority(self.state, action))
        return actions

    def prove(self) -> None:
        """Prove the value, until done or a limit is reached."""
        try:
            while self._proved_anew():
                self.low, self.high = int(self.run.worst), int(self.run.best)
                self.action, self.hurried = None, True
            self.finished = True
        except _Stopped:
            if self.limit.nodes is not None and self.run.nodes >= self.limit.nodes:
                self.reason = f"the limit of {self.limit.nodes:,} nodes was reached"
        except _TooDeep:
            plies = int(self.run.last_ply)
            clock = ", or were searched at another clock" if self.game.has("plies_left") else ""
            self.reason = f"some lines of play are longer than the {plies:,} plies that are searched{clock}"

    def _proved_anew(self) -> bool:
        """Prove the value; whether scores were rescaled, so that it must be done again."""
        try:
            self._prove()
        except Rescaled:
            return True
        if self.worker.utility(self.low, self.player) is not None:
            return False
        self.worker.zoom(self.low, self.player)
        return True

    def solution(self) -> Solution:
        """The solution so far."""
        solved = self.low == self.high
        action = self.actions[0] if solved and self.action is None else self.action  # all lose: take any
        low, high = self._value(self.low, self.game.bounds[0]), self._value(self.high, self.game.bounds[1])
        reason = "" if solved else self.reason
        return Solution(
            self.state, low, high, action, int(self.run.nodes), self.job.seconds, reason, self.solver
        )

    def _prove(self) -> None:
        """Find the winner first; if that takes long and utilities are more than -1, 0 and 1, start from a
        guess."""
        try:
            self._find_winner()
        except _NotSoon:
            self.hurried = False
            self.worker.enlarge_table()
            if self.game.bounds != (-1, 1) and self.game.has("evaluate"):
                self._follow(self._look())
            self._find_winner()
        self.hurried = False
        self._halve()

    def _look(self) -> int:
        """Iterative deepening for a first guess at the score, which also orders the actions."""
        enough, best = int(self.run.nodes) + LOOK, 0
        for depth in range(int(self.run.last_ply)):
            scores: dict[Action, int] = {}
            best = -INFINITY
            for action in self.actions:
                child = self.game.result(self.state, action)
                scores[action] = self._searched(action, child, best, INFINITY, depth)
                best = max(best, scores[action])
            self.actions.sort(key=lambda action: -scores[action])
            if self.run.nodes >= enough:
                break
        return best

    def _find_winner(self) -> None:
        if self.low < 1 and self.high > -1:
            self._narrow(-1, 1)

    def _follow(self, guess: int) -> None:
        """MTD(f) from a guess, for a few steps (Plaat et al. 1996)."""
        for _ in range(STEPS):
            if self.low < self.high:
                guess = min(max(guess, self.low + 1), self.high)
                self._narrow(guess - 1, guess)
                guess = self.low + 1 if self.low >= guess else self.high

    def _halve(self) -> None:
        """Bisect what is left between the bounds by null windows (C*, Coplan 1982)."""
        while self.low < self.high:
            beta = self.low + (self.high - self.low + 1) // 2
            self._narrow(beta - 1, beta)

    def _narrow(self, alpha: int, beta: int) -> None:
        """Search a window, and tighten the bounds of the score."""
        best = -INFINITY
        for action in list(self.actions):
            child = self.game.result(self.state, action)
            score = self._score(action, child, max(alpha, best), beta)
            if score > best:
                best = score
                if score > alpha:
                    self.low, self.action = max(self.low, score), action
                    self.actions.remove(action)
                    self.actions.insert(0, action)
            if best >= beta:
                return
        self.high = min(self.high, best)

    def _score(self, action: Action, child: State, alpha: int, beta: int) -> int:
        """The exact score of the state after an action at the root, by the book or by search."""
        if (known := known_score(self.known.get(action), self.run)) is not None:
            return known
        inexact = int(self.run.inexact)
        score = self._searched(action, child, alpha, beta, FOREVER)
        if self.run.inexact != inexact:
            raise _TooDeep
        return score

    def _searched(self, action: Action, child: State, alpha: int, beta: int, depth: int) -> int:
        most = self.limit.nodes or INFINITY
        self.run.limit = min(most, SOON) if self.hurried else most
        score = self.worker.score(action, child, self.player, alpha, beta, depth, 1)
        if self.worker.stopped or (self.run.stop and self.run.nodes >= most):
            raise _Stopped
        if self.run.stop:
            self.run.stop = 0
            raise _NotSoon
        return score

    def _value(self, score: int, bound: float) -> Value:
        """The value of a bound of the score; while that is unknown, a bound of all utilities."""
        utility = self.worker.utility(score, self.player) if self.finished or not self.run.coarse else None
        if utility is None:
            return Value.of(self.game, bound, True)
        plies = self.worker.distance(score, utility) if self.solver.distance else None
        return Value.of(self.game, utility, True, plies)


def solve(
    game: Game,
    state: State | None = None,
    *,
    distance: bool = False,
    time: float | None = None,
    nodes: int | None = None,
    memory: float = 256,
    algorithm: str | None = None,
    options: Options | None = None,
    book: str = YES,
    checkpoint: Checkpoint | None = None,
) -> Solution:
    """The exact value of a position, with an optimal action; or bounds, if a limit or Ctrl-C comes first.

    With `distance`, also the plies to the end if both play their best, which take longer to prove. Where
    players move at once, the value is found by backward induction over matrix games; elsewhere the algorithm
    is "alpha-beta", which takes `options`; "retrograde", from the values of all states, where positions may
    come up again; "value-iteration", where there are dice; or, if asked for, "proof-number", which proves
    only who wins by force. `memory` is in megabytes; `book`, for alpha-beta, is as for `Solver`, and
    `checkpoint`, for all ways but search, is where it keeps what it has found until it is done.
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
    if options is not None and (algorithm == PROOF_NUMBER or game.simultaneous or game.players == 1):
        raise BadParameter("options are for solving by alpha-beta, a game of two players in turn")
    if game.simultaneous and algorithm != PROOF_NUMBER and not distance:
        return _solved_at_once(game, game.initial() if state is None else state, limit)
    if game.players == 1 and not game.stochastic and algorithm != PROOF_NUMBER:
        return _puzzle_solved(game, game.initial() if state is None else state, limit)
    solver: SolverBase
    if algorithm == ALPHA_BETA:
        solver = Solver(game, distance=distance, memory=memory, options=options, book=book)
    elif distance:
        raise BadParameter("proof-number search finds who wins, not how soon: leave out the distance")
    else:
        solver = ProofNumberSearch(game, memory=memory)
    if not sys.stderr.isatty():
        return solver.solve(state, limit)
    try:
        return solver.solve(state, limit, lambda so_far: _show(f"plies: {so_far} …"))
    finally:
        _show("")


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
