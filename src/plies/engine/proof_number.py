"""Proof-number search: who wins a position by force (Allis 1994; the kernel is df-pn, Nagai 2002)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from plies.engine import faults, table
from plies.engine.job import Job
from plies.engine.kernels.proof_number import FAILURES, NEVER, PROOF, note, prove
from plies.engine.probing import prober_for
from plies.engine.root import blamed
from plies.engine.runner import INFINITY, LAST_PLY, Arrays, Code, Runner, plain
from plies.engine.solution import Solution, SolverBase
from plies.engine.value import Value
from plies.errors import Unsuitable
from plies.game import Action, Game
from plies.retrograde.database import Database
from plies.validation import checked_bounds

STACK = 1 << 14
"""The positions that the stack holds at first; it grows when full. Not tuned."""


class _Runner(Runner):
    stacked = ("actions", "keys", "checks", "proof", "disproof")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.bottom = 1  # place 0 is the root's


class ProofNumberSearch(SolverBase):
    """Proves who wins positions of one game, by proof-number search, and remembers its proofs.

    `memory` is the size of the table in megabytes, and `database` what is probed, as by `AlphaBeta`.
    """

    algorithm = "proof-number"
    label = "Proof-number search"
    subject = "proof-number search"

    def __init__(self, game: Game, *, memory: float = 256, database: Database | bool = True) -> None:
        super().__init__(game)
        self.prober = prober_for(game, database)
        low, high = checked_bounds(game)
        if low + high != game.total or (game.total == 0 and high != 1):
            raise Unsuitable(
                "proof-number search is for games that are won, lost or drawn, with bounds of -1 and 1; "
                f"those of {type(game).__name__} are {low:g} and {high:g}"
            )
        self._memory = table.checked(memory)
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        game = self.game
        low, high = checked_bounds(game)
        self._table = table.new(self._memory)
        self._failures = np.zeros(FAILURES, np.int64)
        fields = {
            "win": high,
            "even": game.draw_value,
            "loss": low,
            "forcing": game.forcing,
            "evaluate": game.has("evaluate"),
        }
        args = (self.first, 0, NEVER, NEVER, 0)
        self.runner = _Runner(game, prove, PROOF, fields, self._arrays, args, STACK, code=code)
        self.runners = [self.runner]
        self.runner.run.null_move = self.runner.uses("null_move")
        self.runner.run.symmetry = LAST_PLY if self.runner.uses("symmetries") else -1

    def _arrays(self, stack: int, actions: Any) -> Arrays:
        return {
            "table": self._table,  # words of entries, see table.py: both numbers in place of a score
            "failures": self._failures,  # keys of positions that threats do not win, by hash
            "line": np.zeros(LAST_PLY + 2, actions),  # by ply: the actions from the root to here
            "chosen": np.zeros(1, actions),  # the easiest action of the root
            # The stack: the root, and the children of all positions on the path.
            "actions": np.zeros(stack, actions),  # the action that leads there
            "keys": np.zeros(stack, np.int64),  # its table key
            "checks": np.zeros(stack, np.int64),  # its verification key
            "proof": np.zeros(stack, np.int64),  # its proof number
            "disproof": np.zeros(stack, np.int64),  # its disproof number
            **(self.prober.arrays() if self.prober else {}),
        }

    def _clear(self) -> None:
        self._table[:] = table.NOTHING
        self._failures[:] = 0

    def _begin(self, job: Job) -> None:
        self.runner.reset("nodes", "deep", "full", "is_odd")
        self.runner.run.limit = job.limit.nodes or INFINITY
        if self.prober:
            self.prober.set_out(job.state, ())
            self.prober.equip(self.runner.work)
        self._low, self._high = -1, 1
        self._action: Action | None = None
        self._reason = ""

    def _explore(self, job: Job) -> Iterator[None]:
        """Two questions: can the player to move win, and if not, can the other?"""
        won = self._can_win(job, job.player)
        if won:
            self._low, self._action = 1, self._chosen()
        elif won is not None:
            self._high = 0
            lost = self._can_win(job, 1 - job.player)
            if lost is not None:
                self._low = self._high = -1 if lost else 0
                self._action = self._chosen()
        yield

    def _chosen(self) -> Action:
        """The action of the proof; if all are alike, any."""
        return plain(self.runner.work.chosen[0])

    def _can_win(self, job: Job, player: int) -> bool | None:
        """Whether a player can force a win; None: unknown."""
        run, work = self.runner.run, self.runner.work
        run.attacker = player
        with blamed(self.game, job.state):
            note(self.game, job.state, 0, 0, run, work)
        self.runner.call(job.state, job.state, 0, NEVER, NEVER, 0)
        if run.is_odd:
            self._clear()  # entries may rest on that end
            if not isinstance(run.odd, float | int):
                raise faults.broken(self.game, job.state, faults.UTILITY)
            raise Unsuitable(
                "proof-number search is for games that are won, lost or drawn; "
                f"a terminal state of {type(self.game).__name__} has utility {run.odd:g}"
            )
        if run.stop:
            if run.deep:
                plies = int(run.last_ply)
                self._reason = f"some lines of play are longer than the {plies:,} plies that are searched"
            elif run.nodes >= run.limit:
                self._reason = f"the limit of {run.limit:,} nodes was reached"
            return None
        return bool(work.proof[0] == 0)

    def _result(self, job: Job) -> Solution:
        run = self.runner.run
        worth = {-1: run.loss, 0: run.even, 1: run.win}
        low, high = (Value.of(self.game, float(worth[bound]), True) for bound in (self._low, self._high))
        reason = "" if self._low == self._high else self._reason
        return Solution(job.state, low, high, self._action, int(run.nodes), job.seconds, reason, self)
