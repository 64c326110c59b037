"""Solutions: what is proved of a position; and what all solvers do while they prove it."""

from __future__ import annotations

import threading
import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from plies.engine import faults
from plies.engine.limit import Limit
from plies.engine.result import rests_on
from plies.engine.root import blamed
from plies.engine.strategy import Strategy
from plies.engine.value import Value
from plies.engine.worker import start
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Action, Game, State
from plies.validation import refuse_arrays, require


@dataclass(frozen=True)
class Solution:
    """What is proved of a position: its value to the player to move, or, as far as the proof came, bounds."""

    state: State
    low: Value
    high: Value
    action: Action | None
    """An action that attains the value, or the lower bound; None where no action has been shown to."""
    nodes: int
    seconds: float
    reason: str = ""
    """Why there are only bounds."""
    solver: BaseSolver | None = field(default=None, repr=False, compare=False)

    @property
    def solved(self) -> bool:
        """Whether the value is known."""
        return (self.low.utility, self.low.plies) == (self.high.utility, self.high.plies)

    def __post_init__(self) -> None:
        if self.low.utility > self.high.utility:
            raise PliesError(
                f"the bounds of the value cross, from {self.low.utility:g} to {self.high.utility:g}: "
                "the rules contradict each other (see `plies check`)"
            )

    @property
    def value(self) -> Value:
        """The value; where only bounds are known, an error."""
        if not self.solved:
            raise PliesError(f"the value is not known: {self._bounds()}; {self.reason}")
        return self.low

    @property
    def speed(self) -> float:
        """Nodes per second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def rests_on(self) -> str:
        """What the proof rests on, in a sentence."""
        return "" if self.solver is None else rests_on(self.solver.game)

    def strategy(self, player: int | None = None) -> Strategy:
        """A strategy that attains the value for the player to move at the root, or for the player given."""
        if self.solver is None:
            raise PliesError("a strategy comes from the solution that a solver gave")
        mover = self.solver.game.to_move(self.state)
        player = mover if player is None else player
        if player not in (0, 1):
            raise BadParameter(f"the players are 0 and 1; there is no player {player}")
        value = self.value if player == mover else -self.value
        return Strategy(self.solver.game, self.state, player, value, self.solver)

    def _bounds(self) -> str:
        return f"from {self.low} to {self.high}"

    def __str__(self) -> str:
        worth = str(self.low) if self.solved else self._bounds()
        return f"{worth}, {self.nodes:,} nodes, {self.seconds:.1f} s"


class Proof(ABC):
    """The proof of one position, as far as it has come."""

    def __init__(self) -> None:
        self.reason = "it was stopped"
        """Why it ended, if it ended early."""
        self.failure: BaseException | None = None
        self.begun = clock.perf_counter()
        self.ended: float | None = None

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return (self.ended or clock.perf_counter()) - self.begun

    def work(self) -> None:
        """Prove, in a thread of its own; what goes wrong is left for the thread that asked."""
        try:
            self.prove()
        except BaseException as error:  # handed on
            self.failure = error
        self.ended = clock.perf_counter()

    @abstractmethod
    def prove(self) -> None:
        """Prove, up to the end or to what it may take."""

    @abstractmethod
    def solution(self) -> Solution:
        """What is known by now."""


class BaseSolver(ABC):
    """Solves positions of one game; how, is up to those who inherit from it."""

    def __init__(self, game: Game, algorithm: str) -> None:
        require(game, algorithm, players=2, zero_sum=True, deterministic=True)
        if game.cycles:
            raise Unsuitable(f"{algorithm} is for games without cycles; {type(game).__name__} has them")
        self.game = game
        self.stopped = False
        self._lock = threading.Lock()  # threads are served in turn

    @abstractmethod
    def begin(self, state: State, limit: Limit) -> Proof:
        """A proof that is about to begin."""

    def solve(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        progress: Callable[[Solution], None] | None = None,
    ) -> Solution:
        """The exact value of a position, or bounds of it if a limit, `stop` or Ctrl-C comes first.

        `progress` is called about once a second with what is known by then.
        """
        state = self.game.initial() if state is None else state
        limit = limit or Limit()
        if limit.depth is not None:
            raise BadParameter("a proof goes to the end of the game: limit its time or nodes, not its depth")
        refuse_arrays(self.game, state)
        with blamed(self.game, state):
            over = self.game.is_terminal(state)
            if not over and self.game.to_move(state) not in (0, 1):
                raise faults.broken(self.game, state, faults.MOVER)
        if over:
            raise PliesError("there is nothing to solve: the game is over")
        with self._lock:
            return self._solve(state, limit, progress)

    def _solve(self, state: State, limit: Limit, progress: Callable[[Solution], None] | None) -> Solution:
        self.stopped = False
        proof = self.begin(state, limit)
        thread = threading.Thread(target=proof.work, name="plies-solve", daemon=True)
        start(thread)
        try:
            self._watch(thread, proof, limit.time, progress)
        except KeyboardInterrupt:
            proof.reason = "it was interrupted"
        finally:
            while thread.is_alive():
                self.stop()  # again and again: a worker that needs more room begins anew
                thread.join(0.05)
        if proof.failure:
            raise proof.failure
        return proof.solution()

    def stop(self) -> None:
        """End the proof under way, which then gives the bounds it has; may be called from any thread."""
        self.stopped = True

    def _watch(
        self,
        thread: threading.Thread,
        proof: Proof,
        seconds: float | None,
        progress: Callable[[Solution], None] | None,
    ) -> None:
        """Wait for the proof, but no longer than it may take."""
        shown = 0.0
        while thread.is_alive() and not self.stopped:
            gone = proof.seconds
            if seconds is not None and gone >= seconds:
                proof.reason = f"the limit of {seconds:g} seconds was reached"
                return
            if progress and gone - shown >= 1:
                shown = gone
                progress(proof.solution())
            thread.join(1.0 if seconds is None else min(1.0, max(seconds - gone, 0.001)))
