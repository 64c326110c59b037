"""Proof-number search as people hold it: who wins a position, by force."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from plies.compiled import usable
from plies.compiled.workspace import Workspace
from plies.engine import faults, table
from plies.engine.kernels.proof_number import FAILURES, NEVER, PROOF, note, prove
from plies.engine.limit import Limit
from plies.engine.root import blamed
from plies.engine.solution import BaseSolver, Proof, Solution
from plies.engine.value import Value
from plies.engine.worker import INFINITY, LAST_PLY, STACK
from plies.errors import Unsuitable
from plies.game import Action, Game, State
from plies.validation import checked_bounds, refuse_arrays


class ProofNumberSearch(BaseSolver):
    """Tells who wins positions of one game, by proof-number search, and remembers what it has proved.

    `memory` is the size of the table in megabytes.
    """

    def __init__(self, game: Game, *, memory: float = 256) -> None:
        super().__init__(game, "proof-number search")
        with blamed(game, None):
            first = game.initial()
        refuse_arrays(game, first)
        low, high = checked_bounds(game)
        if low + high != game.total or (game.total == 0 and high != 1):
            raise Unsuitable(
                "proof-number search is for games that are won, lost or drawn, with bounds of -1 and 1; "
                f"those of {type(game).__name__} are {low:g} and {high:g}"
            )
        self.table = table.new(memory)
        self.run: Any = np.zeros(1, PROOF).view(np.recarray)[0]
        self.run.limit = INFINITY
        self.run.last_ply = LAST_PLY
        self.run.win, self.run.even, self.run.loss = high, game.draw_value, low
        self.run.forcing = game.forcing
        self.run.evaluate = game.has("evaluate")
        self.failures = np.zeros(FAILURES, np.int64)
        self.prepare(STACK, np.int64)
        args = (first, 0, NEVER, NEVER, 0, self.run, self.work)
        self.kernel = prove.best_for(game, *args)
        if self.kernel is prove.interpreted:
            self.prepare(STACK, object)
            self.run = SimpleNamespace(**{name: self.run[name].item() for name in PROOF.names or ()})
            self.run.last_ply = LAST_PLY // 10
        self.run.null_move = usable(game, "null_move")
        self.run.symmetry = LAST_PLY if usable(game, "symmetries") else -1

    def prepare(self, room: int, actions: Any) -> None:
        """Make the arrays that the kernel works in, with room for so many positions on the stack."""
        self.work = Workspace(
            table=self.table,
            failures=self.failures,
            actions=np.zeros(room, actions),
            line=np.zeros(LAST_PLY + 2, actions),  # the actions from the root to where the search is
            chosen=np.zeros(1, actions),  # the easiest action of the position that was asked about
            keys=np.zeros(room, np.int64),
            checks=np.zeros(room, np.int64),
            proof=np.zeros(room, np.int64),
            disproof=np.zeros(room, np.int64),
        )

    def begin(self, state: State, limit: Limit) -> Proof:
        return _Proof(self, state, limit)

    def clear(self) -> None:
        """Empty the table: what earlier proofs have found is lost."""
        self.table[:] = table.NOTHING
        self.failures[:] = 0

    def stop(self) -> None:
        super().stop()
        self.run.stop = 1


class _Proof(Proof):
    """Two questions of one position: can the player to move win, and if not, can the other?"""

    def __init__(self, solver: ProofNumberSearch, state: State, limit: Limit) -> None:
        super().__init__()
        self.solver, self.game, self.state, self.limit = solver, solver.game, state, limit
        self.low, self.high = -1, 1
        self.action: Action | None = None
        run = solver.run
        run.nodes = run.stop = run.deep = run.full = run.is_odd = 0
        run.limit = limit.nodes or INFINITY

    def prove(self) -> None:
        mover = self.game.to_move(self.state)
        won = self._can_win(mover)
        if won:
            self.low, self.action = 1, self._chosen()
        elif won is not None:
            self.high = 0
            lost = self._can_win(1 - mover)
            if lost is not None:
                self.low = self.high = -1 if lost else 0
                self.action = self._chosen()

    def _chosen(self) -> Action:
        """The action that showed it; where all are alike, any."""
        action = self.solver.work.chosen[0]
        return int(action) if isinstance(action, np.integer) else action

    def _can_win(self, player: int) -> bool | None:
        """Whether a player can force a win; None: it was not found out."""
        run = self.solver.run
        run.attacker = player
        while True:
            work = self.solver.work
            run.top = 1  # the position itself is at the bottom of the stack
            with blamed(self.game, self.state):
                note(self.game, self.state, 0, 0, run, work)
            args = (self.state, 0, NEVER, NEVER, 0, run, work)
            faults.call(self.solver.kernel, self.game, self.state, run, work, *args)
            if not run.full:
                break
            self.solver.prepare(2 * len(work.actions), work.actions.dtype)
            run.full = run.stop = 0
            if self.solver.stopped:  # which may have been while the stack was full
                run.stop = 1
        if run.is_odd:
            self.solver.clear()  # what rests on such an end
            raise Unsuitable(
                "proof-number search is for games that are won, lost or drawn; "
                f"an end of {type(self.game).__name__} is worth {run.odd:g}"
            )
        if run.stop:
            if run.deep:
                plies = int(run.last_ply)
                self.reason = f"some lines of play are longer than the {plies:,} plies that are searched"
            elif run.nodes >= run.limit:
                self.reason = f"the limit of {run.limit:,} nodes was reached"
            return None
        return bool(work.proof[0] == 0)

    def solution(self) -> Solution:
        run = self.solver.run
        worth = {-1: run.loss, 0: run.even, 1: run.win}
        low, high = (Value.of(self.game, float(worth[bound]), True) for bound in (self.low, self.high))
        nodes = int(self.solver.run.nodes)
        reason = "" if self.low == self.high else self.reason
        return Solution(self.state, low, high, self.action, nodes, self.seconds, reason, self.solver)
