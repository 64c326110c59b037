"""Depth-first search as people hold it: the best end of a puzzle, and the shortest way there."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies.compiled.workspace import Workspace
from plies.engine import faults
from plies.engine.background import stream
from plies.engine.kernels.depth_first import DIVE, dive
from plies.engine.limit import Limit
from plies.engine.result import SearchResult, rests_on
from plies.engine.root import blamed, root_actions
from plies.engine.value import AT_LEAST, Value
from plies.engine.worker import INFINITY, LAST_PLY
from plies.game import Action, Game, State
from plies.validation import checked_bounds, refuse_arrays, require

SEEN = 1 << 23
"""How many positions are remembered, so that none is looked at twice; interpreted, a sixteenth of that."""

STACK = 1 << 17
"""How many actions the positions on the path may have together."""

PATIENCE = 1 << 16
"""The nodes that a look for a shorter way may take at least; else as many as it took to find the best end.
Compiled, they take a few hundredths of a second."""


def search(game: Game, state: State, limit: Limit, previous: Sequence[State] = ()) -> SearchResult:
    """The best end that can be reached: proved if it is as good as any can be, or if all were looked at."""
    return DepthFirst(game, limit).search(state, previous)


class DepthFirst:
    """One search of a puzzle: the kernel with the arrays it works in."""

    def __init__(self, game: Game, limit: Limit) -> None:
        require(game, "depth-first search", players=1, deterministic=True)
        self.game = game
        self.limit = limit
        self.over = self.stopped = self.proved = False
        self.plies: int | None = None
        with blamed(game, None):
            start = game.initial()
        refuse_arrays(game, start)
        self.run: Any = np.zeros(1, DIVE).view(np.recarray)[0]
        self.run.limit = limit.nodes or INFINITY
        self.run.low, self.run.high = checked_bounds(game)
        self.run.wanted = self.run.high
        self.run.best = self.run.missed = -np.inf
        self.run.rounds = game.has("repetition_value")
        self.run.depth_counts = limit.depth is not None
        self.run.priority = game.has("priority")
        self.run.symmetry = game.has("symmetries")
        self.run.verify = not game.exact_key or game.has("plies_left")
        self._prepare(np.int64, SEEN)
        self.kernel = dive.best_for(game, start, 0, self.run, self.work)
        last = LAST_PLY
        if self.kernel is dive.interpreted:
            last = LAST_PLY // 10
            self.run = SimpleNamespace(**{name: self.run[name].item() for name in DIVE.names or ()})
            self._prepare(object, SEEN // 16)
        self.run.last_ply = min(limit.depth or last, last)

    def _prepare(self, actions: Any, seen: int) -> None:
        self.work = Workspace(
            actions=np.zeros(STACK, actions),
            order=np.zeros(STACK),
            line=np.zeros(LAST_PLY + 1, actions),
            best=np.zeros(LAST_PLY + 1, actions),
            previous=np.zeros(1, np.int64),
            **self._memory(seen),
        )

    def _memory(self, seen: int) -> dict[str, np.ndarray[Any, Any]]:
        """Room for what was looked at: keys, plies that were left, verification keys."""
        return {
            "seen": np.zeros(seen, np.int64),
            "left": np.zeros(seen if self.run.depth_counts else 1, np.int16),
            "checks": np.zeros(seen if self.run.verify else 1, np.int64),
        }

    def search(self, state: State, previous: Sequence[State] = ()) -> SearchResult:
        """The best end that can be reached: proved if none can be better, or if all were looked at."""
        begun = clock.perf_counter()
        actions = root_actions(self.game, state, previous)
        if self.game.cycles and previous:
            with blamed(self.game, state):
                self._look_back(previous)
        for _ in stream(self._work(state), self.stop, self.limit.time):
            pass
        return self._found(state, actions, clock.perf_counter() - begun)

    def _look_back(self, previous: Sequence[State]) -> None:
        """Note the positions that would end the game if they came up again: those that stood often enough."""
        stood = [self.game.repetition_key(state) for state in previous]
        often = 1 if self.game.superko else self.game.repetitions - 1
        keys = [key for key in dict.fromkeys(stood) if stood.count(key) >= often]
        self.run.previous = len(keys)
        self.work.previous = np.array([*keys, 0], np.int64)

    def _work(self, state: State) -> Iterator[None]:
        self._dive(state)
        run = self.run
        self.line = [self._plain(self.work.best[i]) for i in range(int(run.length))]
        self.utility = float(run.best)
        # Superko may forbid a position on one way to it and not on another.
        complete = not (run.stop or run.inexact or run.lost or self.game.superko or run.missed > run.best)
        best = self.utility >= run.high and not self.game.superko
        self.proved = best or (complete and self.utility > -np.inf)
        if self.proved and not run.stop:
            self._shorten(state)
        self.over = True
        yield

    def _dive(self, state: State) -> None:
        faults.call(self.kernel, self.game, state, self.run, self.work, state, 0, self.run, self.work)

    def _shorten(self, state: State) -> None:
        """Look for the shortest way to an end as good as the best, until that takes too long.

        A repetition may end the game sooner. Where one might be worth as much, no distance is told.
        """
        self.run.wanted = self.utility
        self.run.depth_counts = 1
        self.run.missed = -np.inf if self.run.rounds else self.run.low
        self.run.rounds *= 2
        patience = max(int(self.run.nodes), PATIENCE) // 2
        # Where every way takes as many moves, that none is a move shorter is quickly seen.
        self._forget(patience)
        if len(self.line) > 1 and self._way_within(state, len(self.line) - 1) is not False:
            self._forget(patience)
            for depth in range(1, len(self.line)):
                found = self._way_within(state, depth)
                if found is None:
                    return
                if found:
                    break
        if not self.game.cycles or len(self.line) == 1 or self.run.missed < self.utility:
            self.plies = len(self.line)

    def _forget(self, patience: int) -> None:
        """Begin a look for a shorter way, which may take so many nodes."""
        run = self.run
        run.limit = min(self.limit.nodes or INFINITY, int(run.nodes) + patience)
        run.stop = run.lost = 0
        if self.stopped:  # perhaps just now
            run.stop = 1
        for name, array in self._memory(min(SEEN, 1 << (2 * patience).bit_length())).items():
            setattr(self.work, name, array)

    def _way_within(self, state: State, depth: int) -> bool | None:
        """Whether the best end is so many moves away or fewer, which are then the line; None: not settled."""
        run = self.run
        run.last_ply, run.best, run.top = depth, -np.inf, 0
        self._dive(state)
        if run.best >= run.wanted:
            self.line = [self._plain(self.work.best[i]) for i in range(int(run.length))]
            return True
        return None if run.stop or run.lost else False

    @staticmethod
    def _plain(action: Action) -> Action:
        return int(action) if isinstance(action, np.integer) else action

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""
        self.stopped = True
        if not self.over:
            self.run.stop = 1

    def _found(self, state: State, actions: list[Action], seconds: float) -> SearchResult:
        """What was found by now; where no end was reached, any action."""
        game, line = self.game, self.line or actions[:1]
        if self.utility == -np.inf:  # no end was reached
            value = Value.of(game, float(self.run.low))
        elif self.proved:
            value = Value.of(game, self.utility, True, self.plies)
        else:
            value = Value.of(game, self.utility, bound=AT_LEAST)
        return SearchResult(
            action=line[0],
            value=value,
            line=line,
            depth=len(line),
            nodes=int(self.run.nodes),
            seconds=seconds,
            scores={line[0]: value},
            lines=[line],
            algorithm="depth-first",
            rests_on=rests_on(game),
            game=game,
            state=state,
        )
