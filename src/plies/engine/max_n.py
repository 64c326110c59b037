"""Max^n (Luckhardt and Irani 1986) for any number of players, each maximising their own payoff."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.engine import faults
from plies.engine.deepening import Again, Deepening
from plies.engine.job import Job
from plies.engine.kernels.max_n import LINE, RUN, max_n
from plies.engine.runner import LAST_PLY, Arrays, Code, Runner, unfilled
from plies.game import Action, Game, State
from plies.validation import checked_total


class MaxN(Deepening):
    """Searches a game of any number of players, each maximising their own payoff, with or without dice.

    Where the utilities of all players have a constant sum, and evaluations no greater one, it uses shallow
    pruning (Korf 1991), unless `pruning` is False. Of equal actions, the first is taken. In games with
    cycles, nothing is called proved that a repetition might change.
    """

    algorithm = "max-n"
    label = "Max-n"
    restricts = True
    counters = ("nodes", "inexact", "cuts", "beyond")

    def __init__(self, game: Game, *, pruning: bool = True) -> None:
        super().__init__(game)
        self.pruning = bool(pruning and game.constant_sum)
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        fields = {
            "low": self.low,
            "high": self.high,
            "sum": checked_total(self.game),
            "shallow": self.pruning,
            "superko": self.game.superko,
        }
        args = (self.first, 0, 0.0, 1, 0)
        self.runners = [Runner(self.game, max_n, RUN, fields, self._arrays, args, code=code)]

    def _arrays(self, stack: int, actions: Any) -> Arrays:
        return {
            "payoffs": np.zeros((LAST_PLY + 2, self.game.players)),  # by ply and player
            "line": unfilled(LAST_PLY + 2, actions),  # by ply: the actions from the root to here
            "lines": unfilled(LINE * LINE, actions),  # by ply, LINE each: principal variations
            "lengths": np.zeros(LINE, np.int64),  # by ply: their lengths
            "path": np.zeros(1, np.int64),  # by ply: repetition keys, `previous` positions first
        }

    def _value(self, job: Job, child: State, enough: float, depth: int) -> float:
        run, work = self.runner.run, self.runner.work
        # More than rounding, and probabilities that sum to a little more than 1, can add over all plies.
        run.slack = 4 * faults.ROUNDING * self.largest * self.game.players * (depth + 2)
        self.runner.call(job.state, child, job.player, enough, depth, 1)
        if run.beyond and run.shallow:  # evaluations have a greater sum, so nothing may be pruned
            run.shallow = run.beyond = 0
            raise Again
        return float(work.payoffs[1, job.player])

    def _line(self, job: Job, action: Action) -> tuple[Action, ...]:
        work = self.runner.work
        return action, *work.lines[LINE : LINE + int(work.lengths[1])].tolist()
