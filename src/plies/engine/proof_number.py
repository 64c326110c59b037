"""Proof-number search: who wins a position by force (Allis 1994; the kernel is df-pn, Nagai 2002)."""

from __future__ import annotations

from collections.abc import Iterator
from time import sleep
from typing import Any

import numpy as np

from plies.engine import faults, table
from plies.engine.driver import checked_threads
from plies.engine.job import Job
from plies.engine.kernels.proof_number import FAILURES, NEVER, PROOF, TASKS, note, prove
from plies.engine.null_windows import MOMENT
from plies.engine.probing import prober_for
from plies.engine.root import blamed
from plies.engine.runner import INFINITY, LAST_PLY, Arrays, Code, Runner, plain
from plies.engine.solution import Solution, SolverBase
from plies.engine.value import Value
from plies.errors import Unsuitable
from plies.game import Action, Game, State
from plies.needs import VERSUS
from plies.retrograde.database import Database
from plies.validation import capped, checked_bounds

STACK = 1 << 14
"""The positions that the stack holds at first; it grows when full. Not tuned."""


class _Runner(Runner):
    stacked = ("actions", "keys", "checks", "proof", "disproof", "rests")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.bottom = 1  # place 0 is the root's


class ProofNumberSearch(SolverBase):
    """Proves who wins positions of one game, by proof-number search, and remembers its proofs.

    `memory` is the size of the table in megabytes, which `threads` share, and `database` what is probed, as
    by `AlphaBeta`; in games with cycles none is, and proofs are kept for one position only.
    """

    algorithm = "proof-number"
    label = "Proof-number search"
    subject = "proof-number search"
    needs = VERSUS

    def __init__(
        self, game: Game, *, memory: float = 256, threads: int = 1, database: Database | bool = True
    ) -> None:
        super().__init__(game)
        check_repetitions(game)
        self.prober = None if game.cycles else prober_for(game, database)
        self.strategic = not game.cycles  # answers by themselves might go round in circles
        low, high = checked_bounds(game)
        if low + high != game.total or (game.total == 0 and high != 1):
            raise Unsuitable(
                "proof-number search is for games that are won, lost or drawn, with bounds of -1 and 1; "
                f"those of {type(game).__name__} are {low:g} and {high:g}"
            )
        self._memory, self._threads = table.checked(memory), checked_threads(threads)
        self._root: State | None = None
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        game = self.game
        low, high = checked_bounds(game)
        self._table = table.new(self._memory)
        self._failures = np.zeros(FAILURES, np.int64)
        self._tasks = np.zeros(TASKS + 1, np.int64)
        fields = {
            "win": high,
            "even": game.draw_value,
            "loss": low,
            "forcing": game.forcing and not game.cycles,  # threats do not look at the path
            "threads": min(2, self._threads),
            "evaluate": game.has("evaluate"),
        }
        args = (self.first, 0, NEVER, NEVER, 0)
        given = (game, prove, PROOF, fields, self._arrays, args, STACK)
        self.runners = [_Runner(*given, code=code) for _ in range(self._threads)]
        for runner in self.runners:
            runner.run.null_move = runner.uses("null_move")

    def _arrays(self, stack: int, actions: Any) -> Arrays:
        return {
            "table": self._table,  # words of entries, see table.py: both numbers in place of a score
            "failures": self._failures,  # keys of positions that threats do not win, by hash
            "tasks": self._tasks,  # the keys of positions that threads search, by hash; 0: none
            "line": np.zeros(LAST_PLY + 2, actions),  # by ply: the actions from the root to here
            "chosen": np.zeros(1, actions),  # the easiest action of the root
            "path": np.zeros(LAST_PLY + 2, np.int64),  # by ply: the repetition keys from the root to here
            "salts": np.zeros(LAST_PLY + 3, np.int64),  # by ply: a hash of all of the path before
            # The stack: the root, and the children of all positions on the path.
            "actions": np.zeros(stack, actions),  # the action that leads there
            "keys": np.zeros(stack, np.int64),  # its table key
            "checks": np.zeros(stack, np.int64),  # its verification key
            "proof": np.zeros(stack, np.int64),  # its proof number
            "disproof": np.zeros(stack, np.int64),  # its disproof number
            "rests": np.zeros(stack, np.int64),  # the least ply of the path that a disproof rests on
            **(self.prober.arrays() if self.prober else {}),
        }

    def _clear(self) -> None:
        self._table[:] = table.NOTHING
        self._failures[:] = 0

    def _begin(self, job: Job) -> None:
        if self.game.cycles and job.state != self._root:  # what leads through a root is of no use at another
            self._clear()
        self._root = job.state
        if self.prober:
            self.prober.set_out(job.state, ())
        for runner in self.runners:
            runner.reset("nodes", "deep", "full", "is_odd")
            runner.run.limit = job.limit.nodes or INFINITY
            runner.run.symmetry = self._symmetry_at(job.state, runner)
            if self.prober:
                self.prober.equip(runner.work)
        self._question: int | None = None
        self._answers: dict[int, tuple[bool, Action]] = {}
        self._low, self._high = -1, 1
        self._action: Action | None = None
        self._reason = ""

    def _explore(self, job: Job) -> Iterator[None]:
        """Two questions: can the player to move win, and if not, can the other?"""
        won, action = self._can_win(job, job.player)
        if won:
            self._low, self._action = 1, action
        elif won is not None:
            self._high = 0
            lost, action = self._can_win(job, 1 - job.player)
            if lost is not None:
                self._low = self._high = -1 if lost else 0
                self._action = action
        yield

    def _can_win(self, job: Job, player: int) -> tuple[bool | None, Action]:
        """Whether a player can force a win, None if that is unknown, and the action of the proof; if all
        actions are alike, any."""
        first, *others = self.runners
        run = first.run
        self._question = player if job.limit.nodes is None else None  # with a limit, the first works alone
        self._ask(job, first, player)
        self._question = None
        for runner in others:
            runner.run.stop = 1
        self._refuse_odd_ends(job)
        if player not in self._answers:
            if run.deep:
                plies = int(run.last_ply)
                self._reason = f"some lines of play are longer than the {plies:,} plies that are searched"
            elif run.nodes >= run.limit:
                self._reason = f"the limit of {run.limit:,} nodes was reached"
            return None, None
        run.stop = int(first.stopped)
        return self._answers[player]

    def _ask(self, job: Job, runner: Runner, player: int) -> None:
        """Search for a player's win with a runner, and note the answer if there is one."""
        run, work = runner.run, runner.work
        run.attacker = player
        with blamed(self.game, job.state):
            note(self.game, job.state, 0, 0, run, work)
        runner.call(job.state, job.state, 0, NEVER, NEVER, 0)
        if not run.stop:
            self._answers.setdefault(player, (bool(work.proof[0] == 0), plain(work.chosen[0])))

    def _assist(self, job: Job, runner: Runner) -> None:
        """Search for the same win in another thread; the first one stops if this has the answer."""
        while True:
            player = self._question
            runner.run.stop = 0
            if runner.stopped:
                return
            if player is None or player in self._answers:
                sleep(MOMENT)
                continue
            runner.run.deep = 0
            self._ask(job, runner, player)
            if player in self._answers and self._question == player:
                self.runners[0].run.stop = 1

    def _refuse_odd_ends(self, job: Job) -> None:
        """Raise if a terminal state is neither won, lost nor drawn."""
        for run in (runner.run for runner in self.runners):
            if run.is_odd:
                self._clear()  # entries may rest on that end
                if not isinstance(run.odd, float | int):
                    raise faults.broken(self.game, job.state, faults.UTILITY)
                raise Unsuitable(
                    "proof-number search is for games that are won, lost or drawn; "
                    f"a terminal state of {type(self.game).__name__} has utility {run.odd:g}"
                )

    def _symmetry_at(self, root: State, runner: Runner) -> int:
        """Up to which ply images count as one; with cycles only if the root is its own image, as in
        `Worker`."""
        if not runner.uses("symmetries"):
            return -1
        if self.game.cycles:
            with blamed(self.game, root):
                images = list(capped(self.game, root, self.game.symmetries(root)))
            if images.count(root) < len(images):
                return -1
        return LAST_PLY

    def _result(self, job: Job) -> Solution:
        run = self.runners[0].run
        worth = {-1: run.loss, 0: run.even, 1: run.win}
        low, high = (Value.of(self.game, float(worth[bound]), True) for bound in (self._low, self._high))
        reason = "" if self._low == self._high else self._reason
        nodes = sum(int(runner.run.nodes) for runner in self.runners)
        return Solution(job.state, low, high, self._action, nodes, job.seconds, reason, self)


def check_repetitions(game: Game) -> None:
    """Raise if a repetition may be more than a draw, so that a win might rest on the path."""
    strange = [name for name in ("repetition_value", "repetition_key") if game.cycles and game.has(name)]
    if game.cycles and game.superko:
        strange.append("superko")
    if strange:
        raise Unsuitable(
            "proof-number search is for games in which a position that is repeated is a draw; "
            f"{type(game).__name__} has {strange[0]}"
        )
