"""Puzzles: the best end that one player alone can reach, by depth-first search that looks nowhere twice."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.compiled.workspace import Workspace
from plies.engine.found import Found
from plies.engine.limit import Limit
from plies.engine.thinking import stream
from plies.engine.value import AT_LEAST, Value
from plies.engine.worker import INFINITY, LAST_PLY
from plies.game import Game, State, require

SEEN = 1 << 23
"""How many positions are remembered, so that none is looked at twice; interpreted, a sixteenth of that."""

STACK = 1 << 17
"""How many actions the positions on the path may have together."""

DIVE = np.dtype(
    [
        ("nodes", np.int64),
        ("limit", np.int64),
        ("stop", np.int64),
        ("horizon", np.int64),  # how many positions were too deep to be looked at
        ("last_ply", np.int64),
        ("depth_counts", np.int64),  # 1: a position is another one where fewer plies are left
        ("top", np.int64),  # of the stack of actions
        ("wanted", np.float64),  # there is nothing better than this
        ("best", np.float64),  # the utility of the best end found …
        ("length", np.int64),  # … and how many plies lead there
        ("priority", np.int64),
        ("symmetry", np.int64),
    ]
)


@kernel
def dive(game, state, ply, run, work):  # type: ignore[no-untyped-def]
    """Look at all ends that can be reached from a state, until one is found to which nothing is better."""
    run.nodes += 1
    if run.nodes >= run.limit:
        run.stop = 1
    if run.stop:
        return 0
    if game.is_terminal(state):
        utility = game.utility(state, 0)
        if utility > run.best:
            run.best = utility
            run.length = ply
            for i in range(ply):
                work.best[i] = work.line[i]
        return 0
    if ply >= run.last_ply:
        run.horizon += 1
        return 0

    # A position that was looked at before, or is being looked at, leads to nothing new.
    key = game.key(state)
    if run.symmetry:
        for image in game.symmetries(state):
            key = min(key, game.key(image))
    if run.depth_counts:
        key = bits.mix(key ^ ply)
    place = key & (len(work.seen) - 1)
    if work.seen[place] == key and key != 0:
        return 0
    work.seen[place] = key

    # The actions, the most urgent first.
    base = run.top
    count = 0
    for action in game.actions(state):
        if base + count < len(work.actions):
            order = 0.0
            if run.priority:
                order = game.priority(state, action)
            i = base + count
            while i > base and work.order[i - 1] < order:
                work.actions[i] = work.actions[i - 1]
                work.order[i] = work.order[i - 1]
                i -= 1
            work.actions[i] = action
            work.order[i] = order
            count += 1
        else:
            run.horizon += 1
    run.top = base + count
    for i in range(count):
        action = work.actions[base + i]
        work.line[ply] = action
        dive(game, game.result(state, action), ply + 1, run, work)
        if run.stop or run.best >= run.wanted:
            break
    run.top = base
    return 0


def search(game: Game, state: State, limit: Limit) -> Found:
    """The best end that can be reached: proved if it is as good as any can be, or if all were looked at."""
    return Dives(game, limit).search(state)


class Dives:
    """One search of a puzzle: the kernel with the arrays it works in."""

    def __init__(self, game: Game, limit: Limit) -> None:
        require(game, "depth-first search", players=1, deterministic=True)
        self.game = game
        self.limit = limit
        self.over = False
        self.run = np.zeros(1, DIVE).view(np.recarray)[0]
        self.run.limit = limit.nodes or INFINITY
        self.run.wanted = game.bounds[1]
        self.run.best = -np.inf
        self.run.depth_counts = limit.depth is not None
        self.run.priority = game.has("priority")
        self.run.symmetry = game.has("symmetries")
        self._prepare(np.int64, SEEN)
        self.kernel = dive.best_for(game, game.initial(), 0, self.run, self.work)
        last = LAST_PLY
        if self.kernel is dive.interpreted:
            last = LAST_PLY // 10
            self._prepare(object, SEEN // 16)
        self.run.last_ply = min(limit.depth or last, last)

    def _prepare(self, actions: Any, seen: int) -> None:
        self.work = Workspace(
            actions=np.zeros(STACK, actions),
            order=np.zeros(STACK),
            line=np.zeros(LAST_PLY + 1, actions),
            best=np.zeros(LAST_PLY + 1, actions),
            seen=np.zeros(seen, np.int64),
        )

    def search(self, state: State) -> Found:
        """The best end that can be reached: proved if none can be better, or if all were looked at."""
        begun = clock.perf_counter()
        for _ in stream(self._work(state), self.stop, self.limit.time):
            pass
        return self._found(state, clock.perf_counter() - begun)

    def _work(self, state: State) -> Iterator[None]:
        self.kernel(self.game, state, 0, self.run, self.work)
        self.over = True
        yield

    def stop(self) -> None:
        """End the search under way; may be called from any thread."""
        if not self.over:
            self.run.stop = 1

    def _found(self, state: State, seconds: float) -> Found:
        """What was found by now; where no end was reached, any action."""
        run, utility = self.run, float(self.run.best)
        line = [self.work.best[i] for i in range(int(run.length))]
        line = [int(action) if isinstance(action, np.integer) else action for action in line]
        line = line or [next(iter(self.game.actions(state)))]
        value = Value(utility, bound=AT_LEAST)
        if utility == -np.inf:  # no end was reached
            value = Value(float(self.game.bounds[0]))
        elif utility >= run.wanted or not (run.stop or run.horizon):
            value = Value(utility, True, len(line))
        return Found(
            action=line[0],
            value=value,
            line=line,
            depth=len(line),
            nodes=int(run.nodes),
            seconds=seconds,
            scores={line[0]: value},
            lines=[line],
            algorithm="depth-first",
            game=self.game,
            state=state,
        )
