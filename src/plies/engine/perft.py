"""Perft: how many move sequences of a given length there are, the standard test of a move generator.

See "Perft" and "Perft Results" in the chess programming wiki. A roll of the dice is a ply like any other;
rules that look back (repetition, superko) play no part.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from plies.engine.kernels import perft as kernel
from plies.engine.root import blamed
from plies.errors import BadParameter
from plies.game import Action, Game, State
from plies.validation import capped, refuse_arrays

DEEPEST = 400
"""The most plies: within Python's recursion limit of 1000, and within the stack of a thread. Not tuned."""

MOMENT = 0.1
"""The seconds that one call of the kernel should take. Between two calls progress can be shown and Ctrl-C is
noticed, which machine code does not do. Not tuned."""

TOO_LONG = 0.5
"""Seconds: after a call that took longer, calls are a ply shallower. Not tuned."""


def perft(game: Game, depth: int, state: State | None = None) -> int:
    """The number of sequences of `depth` actions from a position, the start unless given."""
    count = Perft(game, depth, state)
    for _ in count.run():
        pass
    return count.nodes


class Perft:
    """A count in pieces, so that progress can be shown, and Ctrl-C stops it."""

    def __init__(self, game: Game, depth: int, state: State | None = None) -> None:
        if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= DEEPEST:
            raise BadParameter(f"the depth must be a whole number from 0 to {DEEPEST}, not {depth!r}")
        self.game, self.depth = game, depth
        with blamed(game, state):
            self.state = game.initial() if state is None else state
        refuse_arrays(game, self.state)
        self.actions = self._actions(self.state) if depth > 0 else []
        """The first actions."""
        self.counts = [0] * len(self.actions)
        """For each first action, the sequences counted so far."""
        self.finished = 0
        """The first actions whose sequences have all been counted."""
        self.complete = False
        self.seconds = 0.0
        """The time it has taken, without compiling."""

    @property
    def nodes(self) -> int:
        """The sequences counted so far."""
        return sum(self.counts) if self.depth > 0 else 1

    @property
    def divided(self) -> list[tuple[Action, int]]:
        """The first actions, each with the number of sequences it begins; only those that are finished."""
        return list(zip(self.actions[: self.finished], self.counts, strict=False))

    def run(self) -> Iterator[float]:
        """Count; yields the share of the tree that is done after each piece."""
        with blamed(self.game, self.state):
            count = kernel.best_for(self.game, self.state, 0)
            self.seconds = 0.0
            start = time.perf_counter()
            at_once = self._at_once(count)
            # Positions to count from, the next one last: first action, plies left, share of the tree.
            stack = self._children(self.state, None, self.depth, 1.0)
            done = 0.0
            while stack:
                state, first, left, share = stack.pop()
                self.finished = first
                if left > at_once and (children := self._children(state, first, left, share)):
                    stack += children
                else:
                    begun = time.perf_counter()
                    self.counts[first] += int(count(self.game, state, left))
                    if time.perf_counter() - begun > TOO_LONG:
                        at_once = max(left - 1, 0)
                    done += share
                self.seconds = time.perf_counter() - start
                yield done
        self.finished, self.complete = len(self.actions), True

    def _at_once(self, count: Callable[..., int]) -> int:
        """The plies that the kernel counts in a MOMENT, estimated from the growth of the counts."""
        before = 1
        for plies in range(1, self.depth):
            start = time.perf_counter()
            nodes = int(count(self.game, self.state, plies))
            if (time.perf_counter() - start) * nodes > MOMENT * before:
                return plies
            before = max(nodes, 1)
        return self.depth

    def _children(
        self, state: State, first: int | None, left: int, share: float
    ) -> list[tuple[State, int, int, float]]:
        """The positions after a position, the first of them last, with the plies left and their shares."""
        actions = self.actions if first is None else self._actions(state)
        return [
            (
                self.game.result(state, action),
                number if first is None else first,
                left - 1,
                share / len(actions),
            )
            for number, action in reversed(list(enumerate(actions)))
        ]

    def _actions(self, state: State) -> list[Action]:
        """The actions in a state; none where the game is over."""
        if self.game.is_terminal(state):
            return []
        return list(capped(self.game, state, self.game.actions(state)))
