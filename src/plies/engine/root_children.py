"""The children of the root: the states that its actions lead to, and which of them are reduced."""

from __future__ import annotations

from plies.engine.job import Job
from plies.engine.kernels.pruning import DEPTHS
from plies.engine.options import Options
from plies.engine.worker import Worker
from plies.game import Action, State


class RootChildren:
    """The states that the actions at the root of a search lead to, each computed once."""

    def __init__(self, job: Job, worker: Worker, options: Options) -> None:
        self.job, self.worker, self.options = job, worker, options
        self.states: dict[Action, State] = {}
        self.quiet: dict[Action, bool] = {}

    def state(self, action: Action) -> State:
        """The state that an action leads to."""
        if action not in self.states:
            self.states[action] = self.job.game.result(self.job.state, action)
        return self.states[action]

    def reduction(self, action: Action, i: int, depth: int) -> int:
        """Late move reductions at the root, of its action number i: a ply less than in the tree.

        See `reduction` in pruning.py.
        """
        run = self.worker.run
        if not run.reductions or i < 3 or depth < 4 or not self._is_quiet(action):
            return 0
        less = int(self.worker.work.reductions[min(depth, DEPTHS - 1), min(i, DEPTHS - 1)]) - 1
        less = max(0, min(less, depth - 2))
        run.inexact += less > 0
        return less

    def _is_quiet(self, action: Action) -> bool:
        """Whether a move may be reduced: it is not urgent, and the root and what it leads to are quiet."""
        if action not in self.quiet:
            game, state = self.job.game, self.job.state
            urgent = game.has("priority") and game.priority(state, action) > self.options.quiet_priority
            quiet = game.is_quiet(state) and game.is_quiet(self.state(action))
            self.quiet[action] = quiet and not urgent
        return self.quiet[action]
