"""Solving: the exact value of a position, proved to the end of the game, and a strategy that attains it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from plies.engine import faults
from plies.engine.depth_first import DepthFirst
from plies.engine.driver import Job
from plies.engine.limit import Limit
from plies.engine.options import Options
from plies.engine.proof_number import ProofNumberSearch
from plies.engine.root import blamed
from plies.engine.runner import INFINITY
from plies.engine.solution import Solution, SolverBase
from plies.engine.value import Value
from plies.engine.worker import Rescaled, Worker
from plies.errors import BadParameter, PliesError
from plies.game import Action, Game, State
from plies.validation import capped

FOREVER = 1 << 20
"""A depth that no game reaches."""

SOON = 1 << 16
"""How many nodes a proof may take before it takes all its memory, and a look at where to begin …"""

LOOK = 1 << 18
"""… of about so many nodes."""

STEPS = 8
"""How often the score that a search came to, asking for more or less, is where the next one begins."""

ALPHA_BETA, PROOF_NUMBER = "alpha-beta", "proof-number"
"""The algorithms that solve a position."""

PROGRESS = 79
"""How many columns of a terminal the line of progress takes."""


class Solver(SolverBase):
    """Solves positions of one game, and remembers between them what it has proved.

    With `distance`, the value says how soon the game ends if both play their best. `memory` is the size of
    the table in megabytes.
    """

    algorithm = ALPHA_BETA
    label = "Alpha-beta"
    subject = "solving by search"

    def __init__(
        self, game: Game, *, distance: bool = False, memory: float = 256, options: Options | None = None
    ) -> None:
        super().__init__(game)
        options = options or Options()
        if options.inexact:
            raise BadParameter(f"a proof searches every action to the end: no {', '.join(options.inexact)}")
        self.distance = distance
        self.options = options
        self.worker = Worker(game, self.first, options, memory, prefer_quick=distance)
        self.runners = [self.worker]

    def _clear(self) -> None:
        self.worker.clear()

    def _begin(self, job: Job) -> None:
        self._proof = _Proof(self, job)

    def _explore(self, job: Job) -> Iterator[None]:
        self._proof.prove()
        yield

    def _result(self, job: Job) -> Solution:
        return self._proof.solution()


class _Stopped(Exception):
    """Raised within a proof to end it."""


class _NotSoon(Exception):
    """Raised within a proof that takes longer than a first try may."""


class _TooDeep(Exception):
    """Raised where a proof would rest on an estimate."""


class _Proof:
    """Windows that close in on the value of one position, with the root's actions each searched in turn."""

    def __init__(self, solver: Solver, job: Job) -> None:
        self.solver, self.job = solver, job
        self.game, self.state, self.limit = job.game, job.state, job.limit
        self.worker, self.run = solver.worker, solver.worker.run
        self.player = job.player
        self.actions = self._ordered()
        self.worker.begin(job.state)
        self.reason = ""
        """Why it ended early, if that is known."""
        self.low, self.high = int(self.run.worst), int(self.run.best)
        self.action: Action | None = None
        self.hurried = True  # as long as it may be over soon
        self.finished = False

    def _ordered(self) -> list[Action]:
        """The actions in the order that the kernel would try them in."""
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
        """Prove, up to the end or to what it may take."""
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
            self.reason = f"some lines of play are longer than the {plies:,} plies that are searched"

    def _proved_anew(self) -> bool:
        """Prove; whether scores have got another meaning, so that it must be done again."""
        try:
            self._prove()
        except Rescaled:
            return True
        if self.worker.utility(self.low, self.player) is not None:
            return False
        self.worker.zoom(self.low, self.player)
        return True

    def solution(self) -> Solution:
        """What is known by now."""
        solved = self.low == self.high
        action = self.actions[0] if solved and self.action is None else self.action  # all are worst: take any
        low, high = self._value(self.low, self.game.bounds[0]), self._value(self.high, self.game.bounds[1])
        reason = "" if solved else self.reason
        return Solution(
            self.state, low, high, action, int(self.run.nodes), self.job.seconds, reason, self.solver
        )

    def _prove(self) -> None:
        """Try at once; if that takes long and there is more to tell than who wins, look where to begin."""
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
        """A guess at the score by searches of a few plies, which also put the actions in order."""
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
        """From a guess on, ask for more or for less, as far as the answers lead."""
        for _ in range(STEPS):
            if self.low < self.high:
                guess = min(max(guess, self.low + 1), self.high)
                self._narrow(guess - 1, guess)
                guess = self.low + 1 if self.low >= guess else self.high

    def _halve(self) -> None:
        """Halve what is left between the bounds until nothing is."""
        while self.low < self.high:
            beta = self.low + (self.high - self.low + 1) // 2
            self._narrow(beta - 1, beta)

    def _narrow(self, alpha: int, beta: int) -> None:
        """Learn whether the score is below, within or above a window."""
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
        """The score of a state after the first action; what rests on an estimate does not count."""
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
        """What a bound of the score stands for; where that cannot be told yet, a bound of all utilities."""
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
    algorithm: str = ALPHA_BETA,
) -> Solution:
    """The exact value of a position, with an optimal action; or bounds, if a limit or Ctrl-C comes first.

    With `distance`, also how soon the game ends if both play their best, which takes longer to prove. The
    algorithm is "alpha-beta", or "proof-number", which is for finding out who wins by force.
    """
    if algorithm not in (ALPHA_BETA, PROOF_NUMBER):
        raise BadParameter(f"the algorithm is {ALPHA_BETA} or {PROOF_NUMBER}, not {algorithm!r}")
    limit = Limit(time=time, nodes=nodes)
    if game.players == 1 and not game.stochastic and algorithm != PROOF_NUMBER:
        return _puzzle_solved(game, game.initial() if state is None else state, limit)
    solver: SolverBase
    if algorithm == ALPHA_BETA:
        solver = Solver(game, distance=distance, memory=memory)
    elif distance:
        raise BadParameter("proof-number search tells who wins, not how soon: leave out the distance")
    else:
        solver = ProofNumberSearch(game, memory=memory)
    if not sys.stderr.isatty():
        return solver.solve(state, limit)
    try:
        return solver.solve(state, limit, lambda so_far: _show(f"plies: {so_far} …"))
    finally:
        _show("")


def _puzzle_solved(game: Game, state: State, limit: Limit) -> Solution:
    """The best that one player alone can reach."""
    if game.is_terminal(state):
        raise PliesError("there is nothing to solve: the game is over")
    found = DepthFirst(game).search(state, limit)
    if found.value.proved:
        return Solution(state, found.value, found.value, found.action, found.nodes, found.seconds)
    low, high = Value.of(game, found.value.utility, True), Value.of(game, game.bounds[1], True)
    return Solution(state, low, high, found.action, found.nodes, found.seconds, "a limit was reached")


def _show(text: str) -> None:
    """Put a text on the line where the cursor is, and leave the cursor at its beginning."""
    print(f"\r{text[:PROGRESS]:{PROGRESS}}\r", end="", file=sys.stderr, flush=True)
