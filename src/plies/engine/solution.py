"""Solutions: the proved value of a position, or bounds of it; and the base of all solvers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from plies.engine import faults
from plies.engine.background import Channel
from plies.engine.driver import Driver
from plies.engine.job import Job
from plies.engine.limit import Limit
from plies.engine.probing import Prober
from plies.engine.result import rests_on
from plies.engine.root import blamed
from plies.engine.strategy import Strategy
from plies.engine.value import Value
from plies.errors import BadParameter, PliesError
from plies.game import Action, Game, State
from plies.matrix import MatrixGame
from plies.needs import VERSUS
from plies.validation import refuse_arrays


@dataclass(frozen=True)
class Solution:
    """The proved value of a position to the player to move, or bounds of it."""

    state: State
    low: Value
    high: Value
    action: Action | None
    """An action that attains the value, or the lower bound; None if none is known to."""
    nodes: int
    seconds: float
    reason: str = ""
    """Why there are only bounds."""
    solver: Solves | None = field(default=None, repr=False, compare=False)
    matrix: MatrixGame | None = None
    """Where all move at once: the matrix game of the position, by payoffs to the first player."""
    compiled: bool = field(default=False, compare=False)
    """Whether it was found by machine code: not if the proof was complete before the game was compiled."""
    book: str = ""
    """What it takes from an opening book, in a sentence."""

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
        """The value; an error if only bounds are known."""
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
        searched = "" if self.solver is None or (self.book and not self.nodes) else self.solver.rests_on
        return f"{self.book} {searched}".strip()

    def strategy(self, player: int | None = None) -> Strategy:
        """A strategy that attains the value for the player to move at the root, or for the player given."""
        if self.matrix is not None:
            raise PliesError("a strategy by actions is for players who move in turn: see the matrix game")
        if self.solver is None:
            raise PliesError("only the solution of a solver has a strategy")
        if isinstance(self.solver, SolverBase) and not self.solver.strategic:
            raise PliesError(
                f"{self.solver.subject} finds no strategy where positions may come up again: "
                "solve by retrograde analysis"
            )
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


class Solves(Protocol):
    """What a strategy asks for answers."""

    game: Game

    @property
    def rests_on(self) -> str:
        """What a proof rests on, in a sentence or two."""

    def solve(self, state: State) -> Solution:
        """The value of a position, with an action that attains it."""


class SolverBase(Driver[Solution]):
    """Solves positions of one game: the base of all solvers."""

    needs = replace(VERSUS, acyclic=True)
    prober: Prober | None = None
    """The database that is probed."""
    strategic = True
    """Whether its answers, put together, are a strategy."""

    @property
    def rests_on(self) -> str:
        """What a proof rests on, in a sentence or two."""
        used = self.prober is not None and any(runner.run.probes for runner in self.runners)
        return (
            f"{rests_on(self.game)} {self.prober.rests_on}" if used and self.prober else rests_on(self.game)
        )

    def _progress(self, job: Job, result: Solution) -> tuple[Any, ...]:
        return result.solved, result.low.utility - result.high.utility

    def solve(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        progress: Callable[[Solution], None] | None = None,
    ) -> Solution:
        """The exact value of a position, or bounds of it if a limit, `stop` or Ctrl-C comes first.

        `progress` is called about once a second with the solution so far.
        """
        state = self.first if state is None else state
        limit = limit or Limit()
        if limit.depth is not None:
            raise BadParameter("a proof goes to the end of the game: limit its time or nodes, not its depth")
        refuse_arrays(self.game, state)
        with blamed(self.game, state):
            check_going_on(self.game, state)
            if self.game.to_move(state) not in (0, 1):
                raise faults.broken(self.game, state, faults.MOVER)
        job = Job(self.game, state, [], limit)
        channel: Channel[Solution] = Channel()
        with self._turns.turn(self._stop) as turn:
            glance = None if progress is None else lambda: progress(self._result(job))
            *_, solution = self._run(job, turn, channel, glance)
        if solution.solved or solution.reason:
            return solution
        reasons = {"time": f"the limit of {limit.time:g} seconds was reached" if limit.time else ""}
        reasons["interrupt"] = "it was interrupted"
        return replace(solution, reason=reasons.get(channel.ended_by, "it was stopped"))


def check_going_on(game: Game, state: State) -> None:
    """Raise if a game is over."""
    if game.is_terminal(state):
        raise PliesError("there is nothing to solve: the game is over")
