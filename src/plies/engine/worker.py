"""A worker: the kernel of alpha-beta with a table, and the meaning of its scores; one for each thread."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from plies import bits
from plies.engine import score
from plies.engine import table as tables
from plies.engine.kernels.move_ordering import (
    CONTINUATIONS,
    HISTORY,
    MOST_URGENT,
    NO_MOVE,
    UNPROMISING,
)
from plies.engine.kernels.pruning import DEPTHS
from plies.engine.kernels.pvs import RUN, TASKS, pvs
from plies.engine.kernels.quiescence import EVALUATIONS
from plies.engine.kernels.repetitions import position
from plies.engine.networks import network_arrays
from plies.engine.options import Options, switched_off, write_options
from plies.engine.probing import Prober
from plies.engine.root import blamed
from plies.engine.runner import INFINITY, LAST_PLY, Arrays, Code, Runner, unfilled
from plies.errors import PliesError
from plies.game import Action, Game, State
from plies.network import Learned
from plies.validation import capped

NEAR = 4
"""The plies from a symmetric root up to which symmetric positions share an entry by default: further down,
few are ever both reached. Not tuned."""

FAR = 24
"""For `solve`, which searches to the end: those plies times the images, if more. In Connect Four, with two
images, 12 plies save a fifth of the nodes of a symmetric position, and more plies save no more."""

FEW = 16
"""The most images that a position may have for that: more cost more than they save. Eight rotations and
reflections of a square, with and without a swap of colours, are 16. Not tuned."""

STACK = 1 << 14
"""The places of the stack at first: the actions of all positions on the path. It grows when full. Not
tuned."""

COUNTERS = (
    *("nodes", "inexact", "paths", "first_wins", "second_wins", "expired", "borrowed", "hits"),
    *("cuts", "first_cuts", "horizon", "full", "null_ply", "exact"),
)
"""The counters that are reset for each search."""


SELECTIVE = (
    *("null_move", "reverse_futility", "futility", "late_moves", "multi_probcut", "internal_reductions"),
    *("counter_moves", "continuation"),
)
"""The refinements for which the kernel is compiled with more: static evaluations inside the tree, and the
moves that led there."""


def reductions(factor: float) -> np.ndarray[Any, Any]:
    """The plies by which late moves are reduced, by depth and number: see `Options.reduction_factor`."""
    numbers = np.arange(DEPTHS)
    if factor:
        logarithms = np.log(np.maximum(1, numbers))
        return factor * np.outer(logarithms, logarithms)
    return 1.0 + (numbers > 7) + np.outer(numbers > 5, numbers > 15)


PATHS = ("plies_left", "noisy")
"""Rules of games in which entries without points would need more care: `Options.points`."""


class Rescaled(Exception):
    """Raised when the meaning of scores has changed, so that a search must begin again."""


class Worker(Runner):
    """Searches positions of one game, with a shared table or one of its own of up to `memory` megabytes."""

    stacked = ("actions", "order", "keys")
    to_the_end = False
    """Whether it searches to the end of the game."""

    def __init__(
        self,
        game: Game,
        first: State,
        options: Options,
        memory: float,
        shared: np.ndarray[Any, Any] | None = None,
        tasks: np.ndarray[Any, Any] | None = None,
        prefer_quick: bool = True,
        code: Code | None = None,
        prober: Prober | None = None,
        network: Learned | None = None,
    ) -> None:
        self.prober, self.network = prober, network
        with blamed(game, None):
            action = next(iter(game.actions(first)), 0)
            indexed = isinstance(game.move_index(first, action), int)
        self.memory = tables.checked(memory)
        self.large = shared is not None or memory <= tables.FIRST
        self.table = tables.new(memory if self.large else tables.FIRST) if shared is None else shared
        self.tasks = np.zeros(TASKS + 1, np.int64) if tasks is None else tasks
        self.history = game.players * HISTORY
        self.selective = any(getattr(options, name) for name in SELECTIVE)
        fields = {
            "abrupt": game.cycles and game.has("repetition_value"),
            "lenient": game.repetitions > 2 and not game.superko,
            "threads": 1 if tasks is None else 2,  # 2 or more
        }
        args = (first, 0, -INFINITY, INFINITY, 1, 0)
        off = switched_off("pvs", options, game, network is not None)
        super().__init__(game, pvs, RUN, fields, self._arrays, args, STACK, off, code)
        score.set_scale(self.run, game)
        self.prefer_quick = self.run.prefer_quick = int(prefer_quick)
        self._refine(options, indexed)

    def _arrays(self, stack: int, actions: Any) -> Arrays:
        nothing = None if actions is object else -1
        return {
            "table": self.table,  # words of entries, see table.py; shared by threads
            "tasks": self.tasks,  # what each thread is searching, by hash; 0: nothing; shared by threads
            # The stack: the actions of all positions on the path.
            "actions": unfilled(stack, actions),
            "order": np.zeros(stack, np.int64),  # see move_ordering.py
            "keys": np.zeros(stack, np.int64),  # the table keys of the states they lead to
            "killers": np.full(2 * LAST_PLY + 2, nothing, actions),  # two for each ply, the newer first
            "history": np.zeros(self.history, np.int64),  # by player and move index
            "reductions": np.zeros((DEPTHS, DEPTHS)),  # plies, by depth and number of a move
            # The evaluation table.
            "evaluated": np.arange(EVALUATIONS) ^ 1,  # keys; at first, of other slots
            "evaluations": np.zeros(EVALUATIONS),
            # By ply.
            "line": unfilled(LAST_PLY + 2, actions),  # the actions from the root to this ply
            "path": np.zeros(2 * LAST_PLY + 2, np.int64),  # repetition keys, `previous` positions first
            "salts": np.zeros(2 * LAST_PLY + 2, np.int64),  # hashes of all of the path before each place
            # A coarse search's hash table of steps (see score.py).
            "step_met": np.zeros(1, np.int8),  # 1: the slot is used
            "step_of": np.zeros(1, np.int64),  # the step
            "least": np.zeros(1),  # the least utility met on that step
            "most": np.zeros(1),  # the greatest utility met on that step
            **(self._selective_arrays() if self.selective else {}),
            **(self.prober.arrays() if self.prober else {}),
            **network_arrays(self.network, self.game),
        }

    def _selective_arrays(self) -> Arrays:
        """The arrays of `SELECTIVE` refinements: without them, the kernel is compiled without these."""
        return {
            "counter_moves": np.full(NO_MOVE + 1, -1),  # by the last move's index: that of the move to try
            "continuation": np.zeros(CONTINUATIONS, np.int64),  # see move_ordering.py
            "probcut": np.zeros((DEPTHS, 4)),  # by depth: the shallow depth, slope, intercept, deviation
            # By ply.
            "moves": np.full(LAST_PLY + 2, NO_MOVE),  # the index of the move that leads to this ply
            "statics": np.full(LAST_PLY + 2, score.UNKNOWN),  # static evaluations, as scores to player 0
        }

    def _refine(self, options: Options, indexed: bool) -> None:
        """Write the refinements to the record; those whose rules the kernel cannot use are off."""
        run = self.run
        write_options(run, "pvs", options, self.uses)
        self.symmetry = options.symmetry if self.uses("symmetries") else False
        if self.prefer_quick or self.game.cycles or self.game.forcing or any(map(self.uses, PATHS)):
            run.points = 0
        self.points = run.points
        self.extensions, self.threats = options.extensions, options.threats
        if not self.compiled and not indexed:  # these tables are indexed by number
            run.history = run.counter_moves = run.continuation = 0
        self.pruning = {
            one.name: getattr(run, one.name)
            for one in fields(Options)
            if not one.metadata["exact"] and "pvs" in one.metadata["kernels"]
        }
        urgent = min(MOST_URGENT, int(options.quiet_priority * 256))
        run.promising = (urgent << 28) * 1024 + UNPROMISING
        self.work.reductions[:] = reductions(options.reduction_factor)
        for deep, *row in zip(*[iter(options.multi_probcut)] * 5, strict=True):
            if deep < DEPTHS and self.selective:
                self.work.probcut[int(deep)] = row
        if options.beam and not (run.priority or options.child_order or run.history):
            run.enough = options.beam + 1  # in the game's own order; one more shows that some are left out

    def begin(
        self, root: State, age: int = 0, nodes: int | None = None, previous: Sequence[State] = ()
    ) -> None:
        """Get ready for a search: reset counters, killers and history, but not the table."""
        self.reset(*COUNTERS)
        if self.run.coarse:  # another position has other utilities
            score.set_scale(self.run, self.game)
            self.run.prefer_quick, self.run.points = self.prefer_quick, self.points
            self.clear()
        for name, value in self.pruning.items():
            setattr(self.run, name, value)
        self.run.age = age
        self.run.limit = nodes or INFINITY
        self.work.history[:] = 0
        if self.selective:
            self.work.counter_moves[:] = -1
            self.work.continuation[:] = 0
        self.work.killers[:] = -1 if self.compiled else None
        self.run.symmetry = self._symmetry_at(root, previous)
        self.root = root
        self.run.root_player = self.game.to_move(root)
        if self.prober:
            self.prober.equip(self.work)
        if self.game.cycles:  # the positions that the game has been through
            self._walk([*previous, root])

    def _symmetry_at(self, root: State, previous: Sequence[State]) -> int:
        """Up to which ply images share an entry.

        In games with cycles not at all if the positions up to the root differ from their images: a win that
        leads through the root is none, and one through an image of it is.
        """
        if self.symmetry is False:
            return 0
        with blamed(self.game, root):
            images = list(capped(self.game, root, self.game.symmetries(root)))
        if self.game.cycles and (previous or images.count(root) < len(images)):
            return 0
        if self.symmetry:
            return LAST_PLY
        near = max(NEAR, FAR // max(1, len(images))) if self.to_the_end else NEAR
        return near if images.count(root) > 1 and len(images) <= FEW else 0

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
        """Whether the search has filled the small table, and a larger one is allowed."""
        return not self.large and int(self.run.nodes) > len(self.table) // 2

    def enlarge_table(self) -> None:
        """Go on with a table of full size, which has the entries of the small one."""
        if self.large:
            return
        self.table = tables.grown(self.table, self.memory)
        self.work.table = self.table
        self.large = True

    def clear(self) -> None:
        """Empty the table, and that of evaluations."""
        self.table[:] = tables.NOTHING
        self.work.evaluated[:] = np.arange(EVALUATIONS) ^ 1

    def score(
        self, action: Action, state: State, viewer: int, alpha: int, beta: int, depth: int, ply: int
    ) -> int:
        """The score to a player of the state that an action at the root leads to, by the kernel.

        Where scores cannot distinguish utilities, they are rescaled, and `Rescaled` is raised. Extensions go
        to twice the depth; not tuned.
        """
        self.run.extension_limit = 2 * (ply + depth) * self.extensions
        self.run.quiescence_limit = 2 * (ply + depth) + self.threats
        self.work.line[0] = action
        if self.run.counter_moves or self.run.continuation:
            self.work.moves[0] = NO_MOVE
            self.work.moves[1] = self.game.move_index(self.root, action) & (HISTORY - 1)
        found = self.call(self.root, state, viewer, alpha, beta, depth, ply)
        if self.run.coarse < 0:
            self.note_utilities()
            raise Rescaled
        return int(found)

    def search_exactly(self) -> None:
        """For the rest of this search, leave nothing out, and trust no table entry but proofs."""
        self.run.exact = 1
        for name in self.pruning:
            setattr(self.run, name, 0)

    @contextlib.contextmanager
    def free(self) -> Iterator[None]:
        """Search without repetitions on the path, extensions, quiescence and null moves, within this context.

        The quickest win never repeats a position. So a search for its length can ignore repetitions, and its
        table entries hold on any path.
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

    # -- What scores mean.

    def note_utilities(self) -> None:
        """Go on with scores that utilities may share, and note which do (a coarse search)."""
        score.set_coarse(self.run)
        self.run.points = 0
        slots = score.UTILITY_SLOTS
        self.work.step_of, self.work.step_met = np.zeros(slots, np.int64), np.zeros(slots, np.int8)
        self.work.least, self.work.most = np.zeros(slots), np.zeros(slots)
        self._start_over()

    def _start_over(self) -> None:
        self.clear()
        self.work.step_met[:] = 0
        self.run.stop = int(self.stopped)

    def utility(self, found: int, player: int) -> float | None:
        """The exact utility to a player of a score, which is no estimate; None if several share the score."""
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
        """The score of a terminal state to a viewer, without a change to the search."""
        kept = {name: getattr(self.run, name) for name in ("coarse", "stop", "fault")}
        found = score.final(self.game.utility(state, 0), viewer, ply, self.run, self.work)
        for name, value in kept.items():
            setattr(self.run, name, value)
        return found

    def zoom(self, found: int, player: int) -> None:
        """Go on with scores that distinguish the utilities of a score; the table is emptied."""
        noted = score.noted(score.steps_of(found if player == 0 else -found), self.work)
        if noted is None:
            raise PliesError("a score has no utility")
        score.zoom(self.run, *noted)
        self._start_over()

    def estimate(self, found: int) -> float:
        """The approximate utility of a score, to the same player."""
        return float(score.decoded(found, self.run)[0] + self.run.even)

    def plies(self, found: int) -> int:
        """The plies to the end that a score includes."""
        return int(score.decoded(found, self.run)[1])

    def distance(self, found: int, utility: float) -> int | None:
        """The plies to a utility, by its score; None where scores do not count them.

        With superko they do not: a game that is over for want of legal moves ends a ply later here. Nor do
        they where a repetition may win, possibly sooner on one path than on another.
        """
        unseen = (
            self.game.superko or self.run.abrupt or (score.steps_of(found) == 0 and utility != self.run.even)
        )
        return None if unseen or not self.run.prefer_quick else self.plies(found)
