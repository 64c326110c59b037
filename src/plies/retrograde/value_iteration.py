"""Value iteration for games with dice: bounds from both sides that close in on the value of every state.

Interval iteration (Haddad and Monmege 2014), component by component, those first that others lead to.
Positions may come up again: that it becomes ever less likely makes the bounds meet. Where players can go
round for ever as they please, the bounds need not meet, and what is left between them is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plies.compiled.workspace import Workspace
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import CHANCE, Action, Game, State
from plies.retrograde.arranging import index_by_hash
from plies.retrograde.checkpoint import Checkpoint
from plies.retrograde.counting import are_few
from plies.retrograde.enumeration import Enumeration, chosen, run
from plies.retrograde.kernels import components as kernels
from plies.retrograde.kernels import lookup
from plies.retrograde.layout import Array
from plies.retrograde.make import enumerate_states, job_of
from plies.retrograde.progress import Progress
from plies.retrograde.resuming import kept_enumeration, resume_bounds, resume_enumeration
from plies.validation import capped

TOLERANCE = 1e-9
"""How close the bounds are to be."""

ROUNDS = 100_000
"""The most rounds over one component. Not tuned: Pig takes some two hundred."""

PORTION = 4_096
"""Components between two reports. Not tuned."""


@dataclass
class ExpectedValues:
    """The expected value of every state of a game with dice, to player 0, if all play their best."""

    game: Game
    tolerance: float
    low: Array = field(repr=False)
    high: Array = field(repr=False)
    """Bounds of the value of each state."""
    components: int
    """Sets of states from which each can come up again after any other."""
    rounds: int
    """The most rounds that a component took, of those that were not taken from a checkpoint."""
    find: Callable[[State], int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.low)

    @property
    def gap(self) -> float:
        """The greatest distance between the bounds of a state."""
        return float(np.max(self.high - self.low))

    def bounds(self, state: State) -> tuple[float, float]:
        """The bounds of a state's value to player 0."""
        number = self.find(state)
        if number < 0:
            raise PliesError(f"the state {state!r} cannot be reached from where the game begins")
        return float(self.low[number]), float(self.high[number])

    def value(self, state: State) -> float:
        """The value of a state to player 0: the middle of its bounds."""
        low, high = self.bounds(state)
        return (low + high) / 2

    def best(self, state: State) -> Action:
        """An action that attains the value, within the tolerance: the first of the best."""
        mover = self.game.to_move(state)
        if self.game.is_terminal(state) or mover == CHANCE:
            raise BadParameter("there is nothing to choose: the game is over, or chance is to move")
        sign = 1 if mover == 0 else -1
        actions = capped(self.game, state, self.game.actions(state))
        return max(actions, key=lambda a: sign * self.value(self.game.result(state, a)))

    def policy(self, game: Game, state: State) -> list[tuple[Action, float]]:
        """The optimal policy, as players and models take it: the best action for certain."""
        return [(self.best(state), 1.0)]


def value_iteration(
    game: Game,
    *,
    roots: Iterable[State] | None = None,
    tolerance: float = TOLERANCE,
    memory: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> ExpectedValues:
    """The expected values of all states of a game with dice, of one player or two, by interval iteration.

    They are those that can be reached from the initial state, or from `roots`; bounds end up as close as the
    `tolerance`, unless players can go round for ever. `memory` is a limit in megabytes. With a `checkpoint`,
    what was found is kept every minute, and taken up again by the next call.
    """
    if not game.stochastic:
        raise Unsuitable(f"value iteration is for games with chance nodes; {type(game).__name__} has none")
    if not tolerance > 0:
        raise BadParameter(f"the tolerance must be more than 0, not {tolerance!r}")
    enumeration = enumerate_states(game, "", roots, memory, 1, True, progress)
    kept = {}
    if checkpoint is not None:
        kept = resume_enumeration(enumeration, checkpoint, f"{job_of(game)}, tolerance={tolerance}")
    enumeration.run()
    return _Iteration(enumeration, tolerance, checkpoint, kept).found()


class _Iteration:
    """Value iteration over an enumeration."""

    def __init__(
        self,
        enumeration: Enumeration,
        tolerance: float,
        checkpoint: Checkpoint | None,
        kept: dict[str, Array],
    ) -> None:
        self.enumeration, self.tolerance = enumeration, tolerance
        self.checkpoint, self.kept = checkpoint, kept
        self.part = enumeration.parts[0]
        self.n = self.part.n
        self.start = np.zeros(self.n + 1, np.int64)
        np.cumsum(self.part.info[: self.n, 0], out=self.start[1:])

    def found(self) -> ExpectedValues:
        part, n = self.part, self.n
        info = part.info[:n]
        children = part.children[: part.m]
        weights = np.zeros(part.m)
        game, like = self.enumeration.game, self.enumeration.like
        given = (game, like, part.states, part.info, n, self.start, weights, part.work)
        chosen(kernels.weigh, *given, small=self.enumeration.small)(*given)
        order, begins = self._components(children)
        ends = info[:, 0] == 0
        bounds = np.tile([self.enumeration.low, self.enumeration.high], (n, 1))
        bounds[ends] = part.work.utilities[info[ends, 2]][:, np.newaxis]
        done = 0
        if self.checkpoint is not None:
            done = resume_bounds(self.kept, self.checkpoint, begins, order, bounds)
        low, high = bounds.T.copy()
        limits = np.array([self.tolerance, ROUNDS])
        rounds = 0
        for first in range(done, len(begins) - 1, PORTION):
            last = min(first + PORTION, len(begins) - 1)
            args = (order, begins, first, last, self.start, children, weights, info, low, high, limits)
            rounds = max(rounds, run(kernels.close_in_all, *args))
            self._keep(order[: begins[last]], low, high)
            self.enumeration.report(Progress("values", n, int(begins[last])))
        find, place = self._index()
        return ExpectedValues(game, self.tolerance, low[place], high[place], len(begins) - 1, rounds, find)

    def _keep(self, done: Array, low: Array, high: Array) -> None:
        """Keep the bounds of the states that are done."""
        if self.checkpoint is not None and self.checkpoint.due:
            facts, arrays = kept_enumeration(self.enumeration)
            self.checkpoint.save(facts, {**arrays, "bounds": np.stack([low[done], high[done]], 1)})

    def _components(self, children: Array) -> tuple[Array, Array]:
        """The states by component, and where each component begins."""
        n = self.n
        words = {name: np.zeros(n, np.int64) for name in ("index", "low", "stack", "path", "edge")}
        order, begins = np.empty(n, np.int64), np.empty(n + 1, np.int64)
        count = run(kernels.components, self.start, children, n, order, begins, Workspace(**words))
        return order, np.ascontiguousarray(begins[: count + 1])

    def _index(self) -> tuple[Callable[[State], int], Array]:
        """A function that looks up states, and the order in which it numbers them."""
        game, work = self.enumeration.game, self.part.work
        words = self.part.states[: self.n]
        order, starts = index_by_hash(words)
        words = np.ascontiguousarray(words[order])
        shift = 65 - len(starts).bit_length()
        found: Any = None

        def find(state: State) -> int:
            nonlocal found
            if found is None:
                args = (game, state, words, starts, shift, work)
                found = chosen(lookup.find, *args, small=are_few(len(words)))
            return int(found(game, state, words, starts, shift, work))

        return find, order
