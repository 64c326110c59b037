"""Iterative deepening (Slate and Atkin 1977) at the root of expectiminimax and max^n, in utilities."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plies import bits
from plies.engine.driver import Search
from plies.engine.job import Job
from plies.engine.result import SearchResult
from plies.engine.root import blamed
from plies.engine.runner import INFINITY, LAST_PLY, Runner
from plies.engine.value import AT_MOST, EXACT, Value
from plies.game import Action, Game, State
from plies.validation import checked_bounds, refuse_arrays


@dataclass(frozen=True)
class RootMove:
    """An action at the root, with its value to the player to move."""

    action: Action
    value: float = -math.inf
    bound: str = EXACT
    solved: bool = False
    line: tuple[Action, ...] = ()
    """The principal variation, up to the next roll of the dice."""


class Again(Exception):
    """Raised when a depth must be searched again, with less pruning."""


class Deepening(Search):
    """Searches all actions at the root to depth 1, 2, 3, …, until all values are proved."""

    rests_on = "Every line that matters was searched to its end."
    """What a proof rests on, in a sentence."""
    counters: tuple[str, ...] = ("nodes", "inexact", "cuts")
    """The kernel's counters, which are reset for each search."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.low, self.high = checked_bounds(game)
        self.largest = max(abs(self.low), abs(self.high))

    @property
    def runner(self) -> Runner:
        """The only runner."""
        runner: Runner = self.runners[0]
        return runner

    @abstractmethod
    def _value(self, job: Job, child: State, enough: float, depth: int) -> float:
        """The value of a child of the root to the player to move; if at most `enough`, an upper bound."""

    @abstractmethod
    def _line(self, job: Job, action: Action) -> tuple[Action, ...]:
        """The principal variation of an action, which was searched just now."""

    def _begin(self, job: Job) -> None:
        self.runner.reset(*self.counters)
        self.runner.run.limit = job.limit.nodes or INFINITY
        if self.game.cycles:
            with blamed(self.game, job.state):
                self._look_back([*job.previous, job.state])
        self._moves = [RootMove(action) for action in job.actions]
        self._depth = 0

    def _look_back(self, states: Sequence[State]) -> None:
        """Write the positions of the game so far to the path, the current one last."""
        game, runner = self.game, self.runner
        keys = [game.repetition_key(state) for state in states]
        if not game.superko:  # as the kernels do
            keys = [bits.mix(key ^ game.to_move(state)) for key, state in zip(keys, states, strict=True)]
        runner.run.previous = len(keys) - 1
        runner.work.path = np.zeros(len(keys) + LAST_PLY + 2, np.int64)
        runner.work.path[: len(keys)] = keys

    def _explore(self, job: Job) -> Iterator[None]:
        yield
        runner = self.runner
        for depth in range(1, min(job.limit.depth or INFINITY, int(runner.run.last_ply)) + 1):
            try:
                deeper = self._searched(job, depth)
            except Again:
                deeper = self._searched(job, depth)
            left = self._moves[len(deeper) :]
            # A stable sort: equals keep their order.
            deeper.sort(key=lambda one: (one.bound != EXACT, -one.value))
            self._moves = deeper + [RootMove(one.action, one.value, AT_MOST, line=one.line) for one in left]
            if not left:
                self._depth = depth
            yield
            if runner.run.stop or runner.stopped or all(one.solved for one in self._moves):
                return

    def _searched(self, job: Job, depth: int) -> list[RootMove]:
        """The values of the actions at a depth, in their order: all of them, unless stopped."""
        deeper: list[RootMove] = []
        run, work = self.runner.run, self.runner.work
        for move in self._moves:
            exact = sorted((one.value for one in deeper if one.bound == EXACT), reverse=True)
            enough = exact[job.lines - 1] if len(exact) >= job.lines else -math.inf
            inexact = run.inexact
            work.line[0] = move.action
            with blamed(self.game, job.state):
                child = self.game.result(job.state, move.action)
            refuse_arrays(self.game, child)
            value = self._value(job, child, enough, depth - 1)
            if run.stop:
                break
            bound = EXACT if value > enough else AT_MOST
            solved, line = run.inexact == inexact, self._line(job, move.action)
            deeper.append(RootMove(move.action, value, bound, solved, line))
        return deeper

    def _result(self, job: Job) -> SearchResult:
        game, run, moves = self.game, self.runner.run, self._moves
        best, known = moves[0], [move for move in moves if move.value > -math.inf]
        proved = all(move.solved for move in moves)
        nothing = min(max(game.draw_value, self.low), self.high)
        return SearchResult(
            action=best.action,
            value=Value.of(game, best.value, proved) if known else Value.of(game, nothing),
            line=list(best.line or (best.action,)),
            depth=self._depth,
            nodes=int(run.nodes),
            seconds=job.seconds,
            hits=int(getattr(run, "hits", 0)),
            cuts=int(run.cuts),
            first_cuts=int(getattr(run, "first_cuts", 0)),
            scores={move.action: Value.of(game, move.value, move.solved, bound=move.bound) for move in known},
            lines=[
                list(move.line or (move.action,))
                for move in moves[: job.lines]
                if move is best or move in known
            ],
            algorithm=self.algorithm,
            rests_on=self.rests_on,
            game=game,
            state=job.state,
        )
