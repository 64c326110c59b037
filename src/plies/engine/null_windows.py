"""Proofs by alpha-beta: null windows that converge on the value of a position."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

from plies.engine import faults
from plies.engine.job import Job
from plies.engine.opening_book import known_score
from plies.engine.options import Options
from plies.engine.root import blamed
from plies.engine.runner import INFINITY
from plies.engine.solution import Solution, Solves
from plies.engine.value import Value
from plies.engine.worker import Rescaled, Worker
from plies.game import Action, State
from plies.validation import capped

FOREVER = 1 << 20
"""A depth beyond any game's: LAST_PLY is 2000."""

SOON = 1 << 16
"""The nodes of a first try at a proof, before it takes all its memory and estimates the score. Not tuned."""

LOOK = 1 << 18
"""The nodes, about, of that estimate. Not tuned."""

STEPS = 8
"""The most null windows of MTD(f) that follow the estimate, before bisection. Not tuned."""

MOMENT = 0.001
"""The seconds after which a worker that has nothing to do looks for the next window. Not tuned."""


class _Stopped(Exception):
    """Raised within a proof to end it."""


class _NotSoon(Exception):
    """Raised within a proof whose first try takes too long."""


class _TooDeep(Exception):
    """Raised where a proof would rest on an estimate."""


class Proof:
    """Null windows that converge on the value of one position, over all actions at the root.

    The first worker finds the value. The others search the same windows, and help by what they prove, which
    is in the table: see alpha_beta.py.
    """

    def __init__(
        self, job: Job, workers: list[Worker], options: Options, known: dict[Action, Value], distance: bool
    ) -> None:
        self.job, self.options, self.known, self.distance = job, options, known, distance
        self.game, self.state, self.limit = job.game, job.state, job.limit
        self.worker, self.run = workers[0], workers[0].run
        self.workers = workers
        self.window: tuple[int, int] | None = None
        """The window that all workers search; None: the first one works alone."""
        self.player = job.player
        self.actions = self._ordered()
        for worker in workers:
            worker.begin(job.state)
        self.reason = ""
        """Why it ended early, if known."""
        self.low, self.high = int(self.run.worst), int(self.run.best)
        self.action: Action | None = None
        self.hurried = True  # during the first try
        self.finished = False
        self.graded = job.game.bounds != (-1, 1)
        """Whether utilities are more than -1, 0 and 1."""

    def _ordered(self) -> list[Action]:
        """The actions in the kernel's order."""
        options, game = self.options, self.game
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

    def prove(self, alone: Callable[[], None]) -> None:
        """Prove the value, until done or a limit is reached.

        `alone` stops the other workers, before scores get another meaning.
        """
        try:
            while self._proved_anew(alone):
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

    def _proved_anew(self, alone: Callable[[], None]) -> bool:
        """Prove the value; whether scores were rescaled, so that it must be done again."""
        try:
            self._prove()
        except Rescaled:
            alone()
            self.worker.clear()
            return True
        if self.worker.utility(self.low, self.player) is not None:
            return False
        alone()
        self.worker.zoom(self.low, self.player)
        return True

    def help(self, worker: Worker) -> None:
        """Search the windows of the first worker with another one, until that is stopped."""
        while not worker.stopped:
            window = self.window
            worker.run.stop = 0
            if worker.stopped or self._helped(worker, window):
                return
            sleep(MOMENT)

    def _helped(self, worker: Worker, window: tuple[int, int] | None) -> bool:
        """Search a window with another worker, as long as it is the first one's; whether to stop for good."""
        for action in list(self.actions):
            if window is None or self.window != window or worker.run.stop:
                return False
            if action in self.known:
                continue
            child = self.game.result(self.state, action)
            try:
                worker.score(action, child, self.player, *window, FOREVER, 1)
            except Rescaled:  # the first worker will rescale too, and go on alone
                return True
        return False

    def solution(self, solver: Solves) -> Solution:
        """The solution so far."""
        solved = self.low == self.high
        action = self.actions[0] if solved and self.action is None else self.action  # all lose: take any
        low, high = self._value(self.low, self.game.bounds[0]), self._value(self.high, self.game.bounds[1])
        reason = "" if solved else self.reason
        nodes = sum(int(worker.run.nodes) for worker in self.workers)
        return Solution(self.state, low, high, action, nodes, self.job.seconds, reason, solver)

    def _prove(self) -> None:
        """Find the winner first; if that takes long and utilities are more than -1, 0 and 1, start from a
        guess."""
        try:
            self._find_winner()
        except _NotSoon:
            self.hurried = False
            self.worker.enlarge_table()
            if self.graded and self.game.has("evaluate"):
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
        """Whether the player to move wins, loses or neither.

        Where draws are one result of three, two null windows take less than one for both, in which every move
        that does not win would be searched for a draw as well.
        """
        if not self.graded and self.low < 1 and self.high > 0:
            self._narrow(0, 1)
        if self.low < min(1, self.high) and self.high > -1:
            self._narrow(-1, min(1, self.high))

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
        self._call_others(alpha, beta)
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

    def _call_others(self, alpha: int, beta: int) -> None:
        """Have the other workers search a window; not in the first try, nor with a limit of nodes, so that
        its result is always the same."""
        if not self.hurried and self.limit.nodes is None:
            self.window = alpha, beta
            for worker in self.workers[1:]:
                worker.run.stop = 1  # they go on with the new window

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
        plies = self.worker.distance(score, utility) if self.distance else None
        return Value.of(self.game, utility, True, plies)
