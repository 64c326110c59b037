"""A worker: the kernel for one game with the arrays it works in, one for each thread of a search."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies.compiled.workspace import Workspace
from plies.engine import table as tables
from plies.engine.options import Options
from plies.engine.pvs import HISTORY, RUN, TASKS, pvs
from plies.engine.score import PLY_BITS, scale_of
from plies.game import Game, State

INFINITY = 1 << 60
"""Beyond every score."""

LAST_PLY = 2000
"""How deep the recursion may go compiled, and interpreted a tenth of that."""

ROOM = 64 * 2**20
"""What a thread's own stack may take, for a deep recursion; it is taken only as it is used."""

NEAR = 4
"""Up to which ply images of a position often come up together, if the root is its own image."""

FEW = 16
"""How many images a position may have at most for that: more cost more than they save."""

STACK = 1 << 14
"""How many actions the positions on the path may have together, at first; it grows when it must."""


class Worker:
    """Searches positions of one game, with a shared table or one of its own, of up to so many megabytes."""

    def __init__(
        self,
        game: Game,
        options: Options,
        memory: float,
        shared: np.ndarray[Any, Any] | None = None,
        tasks: np.ndarray[Any, Any] | None = None,
        second: bool = False,
    ) -> None:
        self.game = game
        self.memory = tables.checked(memory)
        self.large = shared is not None or memory <= tables.FIRST
        self.table = tables.new(memory if self.large else tables.FIRST) if shared is None else shared
        self.tasks = np.zeros(TASKS + 1, np.int64) if tasks is None else tasks
        self.run: Any = np.zeros(1, RUN).view(np.recarray)[0]
        low, high = game.bounds
        self.run.scale = scale_of(low, high)
        # Between them there is a step for estimates, even if every game ends in a draw.
        self.run.best = max(int(np.rint(high * self.run.scale)), 1) << PLY_BITS
        self.run.worst = min(int(np.rint(low * self.run.scale)), -1) << PLY_BITS
        self.run.tempo = 1
        self.run.limit = INFINITY
        self.run.last_ply = LAST_PLY
        self.run.second = second
        self.run.threads = 1 if tasks is None else 2  # or more
        for name in ("table", "table_cuts", "null_window", "plausible", "priority", "child_order"):
            setattr(self.run, name, getattr(options, name))
        self.run.killers = not game.has("priority") if options.killers is None else options.killers
        self.run.history = not game.has("priority") if options.history is None else options.history
        self.symmetry = options.symmetry if game.has("symmetries") else False
        self.run.quiescence = options.quiescence and (game.has("noisy") or game.has("quiet"))
        self.extensions, self.threats = options.extensions, options.threats
        self.run.null_move = options.null_move and game.has("skipped")
        self.run.reductions = options.reductions
        self.run.beam = options.beam
        ordered = game.has("priority") and options.priority
        if options.beam and not (ordered or options.child_order or self.run.history):
            self.run.enough = options.beam + 1  # in the game's own order; one more shows that there are more
        self.run.bias = options.bias
        self.stopped = False
        self._prepare(STACK, np.int64)
        self.compiled = self._compile()

    def _prepare(self, stack: int, actions: Any) -> None:
        nothing = None if actions is object else -1
        self.work = Workspace(
            table=self.table,
            tasks=self.tasks,
            actions=np.full(stack, nothing, actions),
            order=np.zeros(stack, np.int64),
            keys=np.zeros(stack, np.int64),
            killers=np.full(2 * LAST_PLY + 2, nothing, actions),
            history=np.zeros(self.game.players * HISTORY, np.int64),
            path=np.zeros(2 * LAST_PLY + 1, np.int64),
        )

    def _compile(self) -> bool:
        """Choose machine code if the game allows it; else actions may be any objects."""
        args = (self.game.initial(), 0, -INFINITY, INFINITY, 1, 0, self.run, self.work)
        self.kernel = pvs.best_for(self.game, *args)
        if self.kernel is not pvs.interpreted:
            return True
        self._prepare(STACK, object)
        self.run = SimpleNamespace(**{name: self.run[name].item() for name in RUN.names or ()})
        self.run.last_ply = LAST_PLY // 10
        action = next(iter(self.game.actions(self.game.initial())), 0)
        if not isinstance(self.game.code(self.game.initial(), action), int):
            self.run.history = 0
        return False

    def begin(self, root: State, age: int = 0, nodes: int | None = None, past: Sequence[State] = ()) -> None:
        """Get ready for a search: nothing counted, nothing learned but what stands in the table."""
        for name in ("nodes", "horizon", "hits", "cuts", "first_cuts", "stop", "full"):
            setattr(self.run, name, 0)
        self.stopped = False
        self.run.age = age
        self.run.limit = nodes or INFINITY
        self.work.history[:] = 0
        self.work.killers[:] = -1 if self.compiled else None
        self.run.symmetry = LAST_PLY if self.symmetry else 0
        if self.symmetry is None:
            images = list(self.game.symmetries(root))
            if images.count(root) > 1 and len(images) <= FEW:
                self.run.symmetry = NEAR
        if self.game.cycles:  # the positions that the game has been through
            keys = [self.game.key(state) for state in [*past, root]][-LAST_PLY:]
            self.run.past = len(keys) - 1
            self.work.path[: len(keys)] = keys

    @property
    def outgrown(self) -> bool:
        """Whether the search has filled the table, and there may be a larger one."""
        return not self.large and int(self.run.nodes) > len(self.table) // 2

    def enlarge_table(self) -> None:
        """Go on with a table of full size, which knows what the small one did unless it has second keys."""
        if self.large:
            return
        self.table = tables.new(self.memory) if self.run.second else tables.grown(self.table, self.memory)
        self.work.table = self.table
        self.large = True

    def score(self, state: State, viewer: int, alpha: int, beta: int, depth: int, ply: int) -> int:
        """The score of a state to a player, by the kernel."""
        while True:
            self.run.top = 0
            self.run.reach = 2 * (ply + depth) * self.extensions
            self.run.calm = 2 * (ply + depth) + self.threats
            score = self.kernel(self.game, state, viewer, alpha, beta, depth, ply, self.run, self.work)
            if not self.run.full:
                return int(score)
            path = self.work.path
            self._prepare(2 * len(self.work.actions), np.int64 if self.compiled else object)
            self.work.path[:] = path
            self.run.full = self.run.stop = 0
            if self.stopped:  # which may have been while the stack was full
                self.run.stop = 1

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""
        self.stopped = True
        self.run.stop = 1


def start(*threads: threading.Thread) -> None:
    """Start threads that have room for a deep recursion."""
    before = threading.stack_size(ROOM)
    for thread in threads:
        thread.start()
    threading.stack_size(before)
