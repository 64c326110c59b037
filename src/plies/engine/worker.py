"""A worker: the kernel for one game with the arrays it works in, one for each thread of a search."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies import bits
from plies.compiled import usable
from plies.compiled.workspace import Workspace
from plies.engine import faults, score
from plies.engine import table as tables
from plies.engine.kernels.pvs import HISTORY, RUN, TASKS, position, pvs
from plies.engine.options import Options
from plies.engine.root import blamed
from plies.errors import PliesError
from plies.game import Action, Game, State
from plies.validation import capped, refuse_arrays

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


class Rescaled(Exception):
    """Raised where scores have got another meaning, so that a search must begin anew."""


class Worker:
    """Searches positions of one game, with a shared table or one of its own, of up to so many megabytes."""

    def __init__(
        self,
        game: Game,
        options: Options,
        memory: float,
        shared: np.ndarray[Any, Any] | None = None,
        tasks: np.ndarray[Any, Any] | None = None,
        prefer_quick: bool = True,
    ) -> None:
        self.game = game
        with blamed(game, None):
            self.first = game.initial()
            refuse_arrays(game, self.first)
            action = next(iter(game.actions(self.first)), 0)
            self.codes = isinstance(game.move_index(self.first, action), int)
        self.memory = tables.checked(memory)
        self.large = shared is not None or memory <= tables.FIRST
        self.table = tables.new(memory if self.large else tables.FIRST) if shared is None else shared
        self.tasks = np.zeros(TASKS + 1, np.int64) if tasks is None else tasks
        self.run: Any = np.zeros(1, RUN).view(np.recarray)[0]
        score.set_scale(self.run, game)
        self.run.prefer_quick = self.prefer_quick = int(prefer_quick)
        self.run.limit = INFINITY
        self.run.last_ply = LAST_PLY
        self.run.abrupt = game.cycles and game.has("repetition_value")
        self.run.lenient = game.repetitions > 2 and not game.superko
        self.run.threads = 1 if tasks is None else 2  # or more
        self.stopped = False
        self._prepare(STACK, np.int64)
        self.compiled = self._compile()
        self._refine(options)

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
            line=np.full(LAST_PLY + 2, nothing, actions),  # the actions from the root to where the search is
            path=np.zeros(2 * LAST_PLY + 2, np.int64),
            salts=np.zeros(2 * LAST_PLY + 2, np.int64),  # at each place of the path, a hash of all before it
            # What a coarse search has met: steps, and the least and the greatest utility of each.
            step_met=np.zeros(1, np.int8),
            step_of=np.zeros(1, np.int64),
            least=np.zeros(1),
            most=np.zeros(1),
        )

    def _compile(self) -> bool:
        """Choose machine code if the game allows it; else actions may be any objects."""
        args = (self.first, 0, -INFINITY, INFINITY, 1, 0, self.run, self.work)
        self.kernel = pvs.best_for(self.game, *args)
        if self.kernel is not pvs.interpreted:
            return True
        self._prepare(STACK, object)
        self.run = SimpleNamespace(**{name: self.run[name].item() for name in RUN.names or ()})
        self.run.last_ply = LAST_PLY // 10
        return False

    def _refine(self, options: Options) -> None:
        """Write the refinements to the record, as far as the game has rules for them that kernels can use."""
        for name in ("table", "table_cuts", "null_window", "candidates", "priority", "child_order"):
            setattr(self.run, name, getattr(options, name))
        self.run.killers = not self._uses("priority") if options.killers is None else options.killers
        self.run.history = not self._uses("priority") if options.history is None else options.history
        self.symmetry = options.symmetry if self._uses("symmetries") else False
        self.run.quiescence = options.quiescence and (self._uses("noisy") or self._uses("is_quiet"))
        self.extensions, self.threats = options.extensions, options.threats
        self.run.null_move = options.null_move and self._uses("null_move")
        self.run.reductions = options.reductions
        self.run.beam = options.beam
        ordered = self._uses("priority") and options.priority
        if options.beam and not (ordered or options.child_order or self.run.history):
            self.run.enough = options.beam + 1  # in the game's own order; one more shows that there are more
        self.run.bias = options.bias
        if not self.compiled and not self.codes:
            self.run.history = 0

    def _uses(self, rule: str) -> bool:
        """Whether the kernel asks the game's own rule: not if it does not compile and the others do."""
        return usable(self.game, rule) if self.compiled else self.game.has(rule)

    def begin(
        self, root: State, age: int = 0, nodes: int | None = None, previous: Sequence[State] = ()
    ) -> None:
        """Get ready for a search: nothing counted, nothing learned but what stands in the table."""
        for name in (
            *("nodes", "inexact", "paths", "first_wins", "second_wins", "expired", "borrowed", "hits"),
            *("cuts", "first_cuts", "stop", "full"),
        ):
            setattr(self.run, name, 0)
        if self.run.coarse:  # another position, other utilities
            score.set_scale(self.run, self.game)
            self.run.prefer_quick = self.prefer_quick
            self.clear()
        self.stopped = False
        self.run.age = age
        self.run.limit = nodes or INFINITY
        self.work.history[:] = 0
        self.work.killers[:] = -1 if self.compiled else None
        self.run.symmetry = LAST_PLY if self.symmetry else 0
        if self.symmetry is None:
            with blamed(self.game, root):
                images = list(capped(self.game, root, self.game.symmetries(root)))
            if images.count(root) > 1 and len(images) <= FEW:
                self.run.symmetry = NEAR
        self.root = root
        self.run.root_player = self.game.to_move(root)
        if self.game.cycles:  # the positions that the game has been through
            self._walk([*previous, root])

    def _walk(self, states: list[State]) -> None:
        """Put states on the path, the root last."""
        keys = [position(self.game, state, self.game.to_move(state)) for state in states]
        room = len(keys) + LAST_PLY + 2
        if len(self.work.path) < room:
            self.work.path, self.work.salts = np.zeros(room, np.int64), np.zeros(room, np.int64)
        self.run.previous = len(keys) - 1
        self.work.path[: len(keys)] = keys
        for i, key in enumerate(keys):
            self.work.salts[i + 1] = bits.add(int(self.work.salts[i]), bits.mix(key))

    @property
    def outgrown(self) -> bool:
        """Whether the search has filled the table, and there may be a larger one."""
        return not self.large and int(self.run.nodes) > len(self.table) // 2

    def enlarge_table(self) -> None:
        """Go on with a table of full size, which knows what the small one did."""
        if self.large:
            return
        self.table = tables.grown(self.table, self.memory)
        self.work.table = self.table
        self.large = True

    def clear(self) -> None:
        """Empty the table."""
        self.table[:] = tables.NOTHING

    def score(
        self, action: Action, state: State, viewer: int, alpha: int, beta: int, depth: int, ply: int
    ) -> int:
        """The score to a player of the state that an action at the root leads to, by the kernel.

        Where scores cannot tell utilities apart, they get another meaning, and `Rescaled` is raised.
        """
        while True:
            self.run.top = 0
            self.run.extension_limit = 2 * (ply + depth) * self.extensions
            self.run.quiescence_limit = 2 * (ply + depth) + self.threats
            self.work.line[0] = action
            args = (state, viewer, alpha, beta, depth, ply, self.run, self.work)
            found = faults.call(self.kernel, self.game, self.root, self.run, self.work, *args)
            if self.run.coarse < 0:
                self._note_utilities()
                raise Rescaled
            if not self.run.full:
                return int(found)
            before = self.work
            self._prepare(2 * len(before.actions), np.int64 if self.compiled else object)
            for name in ("path", "salts", "step_met", "step_of", "least", "most"):
                setattr(self.work, name, getattr(before, name))
            self.run.full = 0
            self.run.stop = int(self.stopped)  # which may have been while the stack was full

    @contextlib.contextmanager
    def free(self) -> Iterator[None]:
        """Search for a while by the rules alone, to the depth given: with no repetitions on the path.

        The quickest win never comes back to a position. So a search to find out how quick it is can do
        without them, and what it remembers holds on any path.
        """
        run, extensions = self.run, self.extensions
        before = {name: getattr(run, name) for name in ("quiescence", "null_move")}
        run.free, run.quiescence, run.null_move, self.extensions = 1, 0, 0, False
        try:
            yield
        finally:
            run.free, self.extensions = 0, extensions
            for name, value in before.items():
                setattr(run, name, value)

    # -- Scores and what they stand for.

    def _note_utilities(self) -> None:
        """Go on with scores that utilities may share, and note which do."""
        score.set_coarse(self.run)
        slots = score.UTILITY_SLOTS
        self.work.step_of, self.work.step_met = np.zeros(slots, np.int64), np.zeros(slots, np.int8)
        self.work.least, self.work.most = np.zeros(slots), np.zeros(slots)
        self._start_over()

    def _start_over(self) -> None:
        self.clear()
        self.work.step_met[:] = 0
        self.run.stop = int(self.stopped)

    def utility(self, found: int, player: int) -> float | None:
        """The utility to a player that a score stands for exactly; None where it stands for several.

        The score is one that ends of games have brought about, not an estimate.
        """
        steps = score.steps_of(found if player == 0 else -found)
        if abs(steps) == self.run.best >> score.PLY_BITS:
            first = float(self.run.high if steps > 0 else self.run.low)
        elif self.run.coarse == 0:
            first = float(steps * self.run.unit + self.run.centre)
        else:
            noted = score.noted(steps, self.work)
            if noted is None:
                raise PliesError("a score has no utility")  # no search comes to that
            least, most = noted
            if least != most:
                return None
            first = least
        return first if player == 0 else 2 * float(self.run.even) - first

    def end(self, state: State, viewer: int, ply: int) -> int:
        """The score of a terminal state to a viewer, which leaves the search as it is."""
        kept = {name: getattr(self.run, name) for name in ("coarse", "stop", "fault")}
        found = score.final(self.game.utility(state, 0), viewer, ply, self.run, self.work)
        for name, value in kept.items():
            setattr(self.run, name, value)
        return found

    def zoom(self, found: int, player: int) -> None:
        """Go on with scores that tell the utilities of a score apart; what the table knows is lost."""
        noted = score.noted(score.steps_of(found if player == 0 else -found), self.work)
        if noted is None:
            raise PliesError("a score has no utility")
        score.zoom(self.run, *noted)
        self._start_over()

    def estimate(self, found: int) -> float:
        """The utility that a score stands for, about, to the player it is a score to."""
        return float(score.decoded(found, self.run)[0] + self.run.even)

    def plies(self, found: int) -> int:
        """The plies that a score stands for."""
        return int(score.decoded(found, self.run)[1])

    def distance(self, found: int, utility: float) -> int | None:
        """The plies to a utility that a score stands for; None where scores do not count them.

        With superko they do not: a game that is over for want of legal moves ends a ply later here.
        """
        unseen = self.game.superko or (score.steps_of(found) == 0 and utility != self.run.even)
        return None if unseen or not self.run.prefer_quick else self.plies(found)

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
