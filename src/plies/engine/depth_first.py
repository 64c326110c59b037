"""Puzzles: the best end that one player alone can reach, by depth-first search that looks nowhere twice.

Depth-first search finds an end, not the nearest. Once the best is proved, iterative deepening looks for a
shorter way there; if that takes too long, no distance is told.
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.compiled.workspace import Workspace
from plies.engine import faults
from plies.engine.background import stream
from plies.engine.faults import ACTIONS, MOVER, UTILITY
from plies.engine.limit import Limit
from plies.engine.result import SearchResult, rests_on
from plies.engine.root import blamed, root_actions
from plies.engine.value import AT_LEAST, Value
from plies.engine.worker import INFINITY, LAST_PLY
from plies.game import MOST_ACTIONS, Action, Game, State, checked_bounds, noinline, refuse_arrays, require

SEEN = 1 << 23
"""How many positions are remembered, so that none is looked at twice; interpreted, a sixteenth of that."""

STACK = 1 << 17
"""How many actions the positions on the path may have together."""

PATIENCE = 1 << 16
"""The nodes that a look for a shorter way may take at least; else as many as it took to find the best end.
Compiled, they take a few hundredths of a second."""

DIVE = np.dtype(
    [
        ("nodes", np.int64),
        ("limit", np.int64),
        ("stop", np.int64),
        ("fault", np.int64),  # the number of a fault: see `faults`
        ("ply", np.int64),
        ("inexact", np.int64),  # how many positions were too deep to be looked at
        ("lost", np.int64),  # how many actions there was no room for
        ("last_ply", np.int64),
        ("depth_counts", np.int64),  # 1: a position is another one where more plies are left
        ("top", np.int64),  # of the stack of actions
        ("low", np.float64),  # the least utility
        ("wanted", np.float64),  # there is nothing better than this
        ("high", np.float64),  # the greatest utility
        ("rounds", np.int64),  # 1: the game says what a repetition is worth
        ("missed", np.float64),  # the most that a repetition is worth, which is no end here
        ("best", np.float64),  # the utility of the best end found …
        ("length", np.int64),  # … and how many plies lead there
        ("priority", np.int64),
        ("symmetry", np.int64),
        ("verify", np.int64),  # 1: more than the key tells positions apart:
        ("previous", np.int64),  # how many positions may not come up again, for that would end the game
    ]
)
"""What the kernel counts and obeys."""


@kernel
def dive(game, state, ply, run, work):  # type: ignore[no-untyped-def]
    """Look at all ends that can be reached from a state, until one is found to which nothing is better."""
    run.nodes += 1
    run.ply = ply
    if run.nodes >= run.limit:
        run.stop = 1
    if run.stop:
        return 0
    if game.is_terminal(state):
        utility = float(game.utility(state, 0))
        if not run.low <= utility <= run.high:
            run.fault = UTILITY
            run.stop = 1
            return 0
        if utility > run.best:
            run.best = utility
            run.length = ply
            for i in range(ply):
                work.best[i] = work.line[i]
        return 0
    if game.to_move(state) != 0:
        run.fault = MOVER
        run.stop = 1
        return 0
    if ply >= run.last_ply:
        run.inexact += 1
        return 0
    if game.cycles and run.previous and ply > 0 and stood(game, state, run, work):
        if run.rounds:
            run.missed = max(run.missed, float(game.repetition_value(state, 0)))
        return 0

    # A position that was looked at before, or is being looked at, leads to nothing new.
    key, check = canonical(game, state, run)
    place = key & (len(work.seen) - 1)
    left = run.last_ply - ply
    if (
        work.seen[place] == key
        and key != 0
        and (run.depth_counts == 0 or work.left[place] >= left)
        and (run.verify == 0 or work.checks[place] == check)
    ):
        if game.cycles and run.rounds:  # it may be on the way here
            run.missed = max(run.missed, float(game.repetition_value(state, 0)))
        return 0
    work.seen[place] = key
    if run.depth_counts:
        work.left[place] = left
    if run.verify:
        work.checks[place] = check

    # The actions, the most urgent first.
    base = run.top
    count = given = 0
    for action in game.actions(state):
        given += 1
        if base + count < len(work.actions):
            order = 0.0
            if run.priority:
                order = float(game.priority(state, action))
            i = base + count
            while i > base and work.order[i - 1] < order:
                work.actions[i] = work.actions[i - 1]
                work.order[i] = work.order[i - 1]
                i -= 1
            work.actions[i] = action
            work.order[i] = order
            count += 1
        else:
            run.lost += 1
        if given & 1023 == 0 and (run.stop or given > MOST_ACTIONS):
            break
    if given == 0 or given > MOST_ACTIONS:
        run.fault = ACTIONS
        run.stop = 1
        return 0
    run.top = base + count
    for i in range(count):
        action = work.actions[base + i]
        run.ply = ply
        work.line[ply] = action
        dive(game, game.result(state, action), ply + 1, run, work)
        if run.stop or run.best >= run.wanted:
            break
    run.top = base
    return 0


def canonical(game: Any, state: Any, run: Any) -> tuple[int, int]:
    """The key of a position and what else it is told apart by: where symmetries count, those of an image."""
    key: int = game.key(state)
    if run.verify:
        return verified(game, state, key, run)
    if run.symmetry:
        for image in game.symmetries(state):
            key = min(key, game.key(image))
    return key, 0


@noinline
def verified(game: Any, state: Any, key: int, run: Any) -> tuple[int, int]:
    """The least key of the images of a position, with the verification key of that image."""
    check = verification_key(game, state, run)
    if run.symmetry:
        for image in game.symmetries(state):
            other: int = game.key(image)
            if other < key:
                key = other
                check = verification_key(game, image, run)
    return key, check


def verification_key(game: Any, state: Any, run: Any) -> int:
    """What besides the key tells a position from others."""
    check = 0
    if not game.exact_key:
        check = bits.check64(game.identity(state))
    if game.has("plies_left"):
        check ^= bits.mix(game.plies_left(state))
    return check


@noinline
def stood(game: Any, state: Any, run: Any, work: Any) -> bool:
    """Whether the game would end here because a position comes up again that it has been through."""
    here = game.repetition_key(state)
    found = False
    for i in range(run.previous):
        found |= work.previous[i] == here
    return found


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
        """Look for the shortest way to an end as good as the best, until that takes too long."""
        self.run.wanted = self.utility
        self.run.depth_counts = 1
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
