"""Values: from the ends of the game backwards, the greatest wins first, each in the fewest plies.

A state is won if one successor is won by its mover, and lost when all of them are lost; levels of utility are
settled from the greatest down, so the last successor to be lost is the least bad. What is never settled is a
draw: either player can go round for ever. (Thompson 1986, for chess.)
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from typing import Any, Protocol

import numpy as np

from plies.compiled import Kernel
from plies.errors import PliesError
from plies.game import Game
from plies.retrograde.enumeration import Part
from plies.retrograde.kernels import passes
from plies.retrograde.kernels.passes import ANY_GAME
from plies.retrograde.layout import Array
from plies.retrograde.progress import Progress, Report
from plies.retrograde.storage import Storage

LONGEST = 32_766
"""The longest distance in plies: it is kept in 16 bits."""

MUCH = 2_000
"""States to be announced for which threads are worth their while. Not tuned."""


@dataclass
class Queue:
    """The states of a part that are decided, in order, and what is sent from there."""

    part: Part
    start: Array
    into: Array
    """The predecessors of state s are into[start[s] : start[s + 1]]."""
    states: Array
    out: Array
    sent: Array
    ends: dict[int, Array] = field(default_factory=dict)
    """By level: the states where the game is over."""
    exits: dict[tuple[int, int], Array] = field(default_factory=dict)
    """By level and distance: who wins by leaving the stage in some states, as `passes.decide` takes it."""
    head: int = 0
    tail: int = 0


class Graph(Protocol):
    """States and edges between them, in parts."""

    @property
    def game(self) -> Game: ...
    @property
    def parts(self) -> list[Part]: ...
    @property
    def room(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def small(self) -> bool: ...
    @property
    def report(self) -> Report: ...
    @property
    def storage(self) -> Storage: ...


class Values:
    """The values of all states of an enumeration, written to the `info` of its parts."""

    def __init__(self, enumeration: Graph) -> None:
        self.enumeration = enumeration
        self.parts = len(enumeration.parts)
        self._found: dict[Kernel, Any] = {}
        self.levels, self.utilities = self._levels()
        """The leads that a player may have at the end beyond a draw, in order; and the utilities to player 0,
        from the greatest win of player 1 over a draw to that of player 0."""
        self.longest = 0
        """The greatest distance, in plies."""
        self.queues: list[Queue] = []

    def _run(self, kernel: Kernel, *args: Any) -> Any:
        """Run a kernel, which is looked up once: it is called thousands of times, often with little to do."""
        if kernel not in self._found:
            small = self.enumeration.small
            self._found[kernel] = kernel.interpreted if small else kernel.best_for(ANY_GAME, 0, *args)
        return self._found[kernel](ANY_GAME, 0, *args)

    def _all(self, pool: ThreadPoolExecutor, much: bool, function: Any, *args: Any) -> None:
        """Call a function for all parts: in threads, if there is much to do."""
        list(pool.map(function, *args) if much and self.parts > 1 else map(function, *args))

    def _levels(self) -> tuple[list[float], list[float]]:
        """Number the utilities of terminal states by their levels."""
        met = [part.work.utilities[: part.work.status[2]] for part in self.enumeration.parts]
        draw = self.enumeration.game.draw_value
        leads = {float(utility) - draw: float(utility) for one in met for utility in one}
        levels = sorted({abs(lead) for lead in leads} - {0.0})
        for part, utilities in zip(self.enumeration.parts, met, strict=True):
            places = [
                (levels.index(abs(u - draw)) + 1) * (1 if u > draw else -1) if u != draw else 0
                for u in utilities
            ]
            labels = np.array(places or [0], np.int64)
            self._run(passes.relabel, part.info, part.n, labels)
            if part.exits is not None:
                labels = np.concatenate([[0], labels]).astype(np.int16)
                part.exits[: part.n, 0] = labels[part.exits[: part.n, 0]]
        signed = [-lead for lead in reversed(levels)], [0.0], levels
        return levels, [leads.get(lead, draw + lead) for some in signed for lead in some]

    def sort(self) -> None:
        """Sort all edges by successor."""
        enumeration = self.enumeration
        enumeration.report(Progress("sorting", enumeration.count, 0))
        with ThreadPoolExecutor(self.parts) as pool:
            self.queues = list(pool.map(self._sorted, enumeration.parts))

    def find(self) -> None:
        """Find all values."""
        if not self.queues:
            self.sort()
        with ThreadPoolExecutor(self.parts) as pool:
            for level in range(len(self.levels), 0, -1):
                self._find_level(level, pool)

    def _sorted(self, part: Part) -> Queue:
        """Sort the edges of a part by successor, and free what is needed no more."""
        part.slots = np.zeros(0, np.int64)
        zeros = self.enumeration.storage.zeros
        start, into = zeros(part.n + 1, np.uint32), zeros(max(1, part.m), np.uint32)
        self._run(passes.transpose, part.children, part.parents, part.m, part.n, start, into)
        part.children = part.parents = np.zeros(0, np.uint32)
        room = self.parts * self.enumeration.room
        return Queue(
            part,
            start,
            into,
            zeros(max(1, part.n), np.uint32),
            np.empty(room, np.int64),
            np.zeros(self.parts, np.int64),
            _ends_by_level(part.info[: part.n]),
            {} if part.exits is None else _by_level(part.exits[: part.n]),
        )

    def _find_level(self, level: int, pool: ThreadPoolExecutor) -> None:
        """Find who can force a win of a level, and in how many plies."""
        for queue in self.queues:
            over = queue.ends.pop(level, queue.states[:0])
            queue.states[queue.tail : queue.tail + len(over)] = over
            queue.tail += len(over)
        last = max((far for queue in self.queues for one, far in queue.exits if one == level), default=0)
        distance = 0
        while distance < last or any(queue.head < queue.tail for queue in self.queues):
            distance += 1
            if distance > LONGEST:
                raise PliesError(f"a win takes more than {LONGEST:,} plies, which is too many")
            until = [queue.tail for queue in self.queues]
            while any(queue.head < end for queue, end in zip(self.queues, until, strict=True)):
                much = sum(until) - sum(queue.head for queue in self.queues) > MUCH
                self._all(pool, much, self._announce, self.queues, until)
                self._all(pool, much, self._decide, range(self.parts), repeat(level), repeat(distance))
            much = sum(len(queue.exits.get((level, distance), ())) for queue in self.queues) > MUCH
            self._all(pool, much, self._leave, self.queues, repeat(level), repeat(distance))
            if any(queue.head < queue.tail for queue in self.queues):
                self.longest = max(self.longest, distance)
            done = sum(queue.tail for queue in self.queues)
            self.enumeration.report(Progress("values", self.enumeration.count, done, distance))

    def _leave(self, queue: Queue, level: int, distance: int) -> None:
        """Decide the states from which leaving the stage ends the game so, with so many plies to go."""
        box = queue.exits.pop((level, distance), None)
        if box is not None:
            args = (len(box), queue.part.info, level, distance, queue.states, queue.tail)
            queue.tail = self._run(passes.decide, box, *args)

    def _announce(self, queue: Queue, until: int) -> None:
        """Tell the predecessors of some decided states, as many as the outboxes hold."""
        while True:
            queue.sent[:] = 0
            arrays = queue.start, queue.into, self.parts, queue.out, queue.sent
            done = self._run(passes.announce, queue.part.info, queue.states, queue.head, until, *arrays)
            if done > queue.head or done == until:
                break
            queue.out = np.empty(
                4 * len(queue.out), np.int64
            )  # a state has more predecessors than there is room
        queue.head = done

    def _decide(self, number: int, level: int, distance: int) -> None:
        """Note what the other parts have announced to one."""
        mine = self.queues[number]
        for other in self.queues:
            room = len(other.out) // self.parts
            box = other.out[number * room : (number + 1) * room]
            args = (int(other.sent[number]), mine.part.info, level, distance, mine.states, mine.tail)
            mine.tail = self._run(passes.decide, box, *args)


def _ends_by_level(info: Array) -> dict[int, Array]:
    """The states where the game is over and somebody has won, by level."""
    numbers = np.flatnonzero((info[:, 0] == 0) & (info[:, 2] != 0))
    levels = np.abs(info[numbers, 2])
    order = np.argsort(levels, kind="stable")
    found, starts = np.unique(levels[order], return_index=True)
    borders = pairwise([*starts.tolist(), len(order)])
    return {
        level: numbers[order[first:last]]
        for level, (first, last) in zip(found.tolist(), borders, strict=True)
    }


def _by_level(exits: Array) -> dict[tuple[int, int], Array]:
    """What leaving a stage decides, by level and distance, as `passes.decide` takes it."""
    numbers = np.flatnonzero(exits[:, 0])
    levels, plies = exits[numbers, 0].astype(np.int64), exits[numbers, 1].astype(np.int64)
    width = int(plies.max(initial=0)) + 1
    keys = np.abs(levels) * width + plies
    if keys.max(initial=0) < 1 << 16:
        keys = keys.astype(np.uint16)  # which NumPy sorts by radix, ten times as fast
    order = np.argsort(keys, kind="stable")
    sent = (numbers * 2 + (levels < 0))[order]
    found, starts = np.unique(keys[order], return_index=True)
    borders = pairwise([*starts.tolist(), len(sent)])
    return {
        divmod(key, width): np.ascontiguousarray(sent[first:last])
        for key, (first, last) in zip(found.tolist(), borders, strict=True)
    }
