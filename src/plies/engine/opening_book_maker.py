"""Making an opening book: the positions after a number of plies, one after the other, and all before them.

The order serves whoever stops early: first what settles the initial position, then what settles each position
after one ply, and so on. A position is settled by as few of the layer as will do, the most promising first.
"""

from __future__ import annotations

import time as clock
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from plies.engine.alpha_beta import AlphaBeta
from plies.engine.interrupts import Interrupts, noticing_interrupts
from plies.engine.limit import Limit
from plies.engine.opening_book import NO
from plies.engine.result import SearchResult
from plies.engine.solve import Solver
from plies.engine.value import EXACT
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Action, Game, State
from plies.needs import VERSUS
from plies.opening_book.book import Entry, OpeningBook, backed_up, book_of, canonical, turned
from plies.opening_book.file import MOST, written_version
from plies.validation import capped

GLANCE = 10_000
"""The nodes of the search that orders successors. Not tuned."""

RECENT = 200
"""The positions whose time says how long the rest will take. Not tuned."""

LISTING, VALUES, DISTANCES, DONE = "listing", "values", "distances", "done"


class Successor(NamedTuple):
    """What an action leads to."""

    state: State
    """The canonical position; None if the game is over."""
    same: bool
    """Whether the same player is to move again."""
    utility: float
    """If the game is over, the utility to the player who moved."""


@dataclass(frozen=True)
class MakerProgress:
    """How far a book is."""

    phase: str
    done: int
    """The positions of the layer that are known, or whose distances are."""
    layer: int
    """All positions of the layer; while they are listed, those found so far."""
    seconds: float | None = None
    """About how long the phase will take."""


class BookMaker:
    """Makes a book of a game: proved, or with `nodes` by a search of so many nodes for each position."""

    def __init__(
        self, game: Game, plies: int, *, nodes: int = 0, memory: float = 256, start: State | None = None
    ) -> None:
        replace(VERSUS, acyclic=nodes == 0).check(game, "an opening book")
        if not 1 <= plies <= 1000:
            raise BadParameter(f"a book has at least 1 ply, and at most 1,000, not {plies}")
        self.game, self.plies, self.nodes = game, plies, nodes
        self.memory, self.start = memory, start
        self.levels: list[dict[State, None]] = []
        """The canonical positions after 0, 1, 2, … plies in which the game goes on."""
        self.successors: dict[State, list[Successor]] = {}
        self.parents: dict[State, list[State]] = {}
        self.entries: dict[State, Entry] = {}
        self.new: Callable[[State, Entry], None] = lambda state, entry: None
        """Called with each entry of the layer as it is found."""
        self.done = self.counted = 0
        """The positions of the layer that are known, and those of which the plies are."""
        self._guesses: dict[State, float] = {}
        self._times: deque[float] = deque(maxlen=RECENT)
        self._limit = Limit()
        self._glances = AlphaBeta(game, memory=16, book=NO)
        self._solver: Solver | None = None
        self._interrupts = Interrupts()

    # -- Positions.

    def enumerate(self) -> Iterator[MakerProgress]:
        """List all positions up to the layer."""
        game = self.game
        first = game.initial() if self.start is None else self.start
        if game.is_terminal(first):
            raise PliesError("there is no book to make: the game is over")
        self.levels = [{canonical(game, first): None}]
        for _ in range(self.plies):
            level: dict[State, None] = {}
            for state in self.levels[-1]:
                for one in self._expanded(state):
                    if one.state is not None:
                        level[one.state] = None
                if len(level) > MOST:
                    raise Unsuitable(f"a book holds {MOST:,} positions at most: take fewer plies")
                if len(level) % 1000 == 0:
                    yield MakerProgress(LISTING, 0, len(level))
            if not level:
                raise BadParameter(f"the game is over before {self.plies} plies are played: take fewer")
            self.levels.append(level)
        for state in self.successors:  # where an action ends the game, that may settle the value
            if (found := self._by_successors(state)) is not None:
                self.know(state, found)

    def _expanded(self, state: State) -> list[Successor]:
        if state in self.successors:
            return self.successors[state]
        actions = capped(self.game, state, self.game.actions(state))
        self.successors[state] = found = [self._successor(state, action) for action in actions]
        for one in found:
            if one.state is not None:
                self.parents.setdefault(one.state, []).append(state)
        return found

    def _successor(self, state: State, action: Action) -> Successor:
        game, mover = self.game, self.game.to_move(state)
        child = game.result(state, action)
        if game.is_terminal(child):
            return Successor(None, True, float(game.utility(child, mover)))
        return Successor(canonical(game, child), game.to_move(child) == mover, 0.0)

    @property
    def layer(self) -> dict[State, None]:
        """The positions that are worked out."""
        return self.levels[-1]

    # -- What is known.

    def know(self, state: State, entry: Entry) -> None:
        """Take over an entry, and back up what follows from it."""
        waiting = [(state, entry)]
        while waiting:
            state, entry = waiting.pop()
            before = self.entries.get(state)
            if before is not None and (before.plies is not None or entry.plies is None):
                continue
            if before is not None and entry.move is None:
                entry = entry._replace(move=before.move)
            self.entries[state] = entry
            if state in self.layer:
                self.done += before is None
                self.counted += entry.plies is not None or entry.utility == self.game.draw_value
            for parent in self.parents.get(state, ()):
                if (found := self._by_successors(parent)) is not None:
                    waiting.append((parent, found))

    def _by_successors(self, state: State) -> Entry | None:
        return backed_up(self.game, [self._turned(one) for one in self.successors[state]])

    def _turned(self, one: Successor) -> Entry | None:
        if one.state is None:
            return turned(self.game, Entry(one.utility, 0), True)
        entry = self.entries.get(one.state)
        return None if entry is None else turned(self.game, entry, one.same)

    def by_action(self, state: State) -> Iterator[tuple[Action, Entry | None]]:
        """What each action is known to be worth to the player who moves; None if that is not known."""
        for action in capped(self.game, state, self.game.actions(state)):
            yield action, self._turned(self._successor(state, action))

    def resume(self, entries: Iterable[tuple[State, Entry]]) -> None:
        """Go on from the positions of the layer that an earlier run has found; others do not count."""
        low, high = self.game.bounds
        for state, entry in entries:
            if state in self.layer and low <= entry.utility <= high:
                self.know(state, entry)

    def book(self) -> OpeningBook:
        """What is known by now."""
        return book_of(
            *(self.game, self.plies, self.nodes, len(self.layer), self.done),
            self.entries,
            written_version(),
        )

    # -- The work.

    def run(self, time: float | None = None, distances: bool = True) -> Iterator[MakerProgress]:
        """Work out the layer, values first and distances second, until done or the time is up."""
        self._limit = Limit(time=time)
        self._begun = clock.perf_counter()
        if time is not None and time <= 0:
            raise BadParameter(f"the time must be more than 0 seconds, not {time:g}")
        with noticing_interrupts() as self._interrupts:
            for level in self.levels:
                for state in level:
                    yield from self._settle(state)
                    if self._is_late():
                        return
            if self.nodes == 0 and distances:
                self._times.clear()
                yield from self._count()

    def _settle(self, state: State) -> Iterator[MakerProgress]:
        """Work out what settles the value of a position."""
        if state in self.entries or self._is_late():
            return
        if state in self.layer:
            yield from self._noted(state, self._evaluated(state), VALUES)
            return
        for one in sorted(self.successors[state], key=self._promise):
            if one.state is not None:
                yield from self._settle(one.state)
            if state in self.entries or self._is_late():
                return

    def _promise(self, one: Successor) -> float:
        """What a successor seems to be worth to whoever moves there, the best first."""
        if one.state is None:
            return -one.utility
        known = self.entries.get(one.state)
        if known is None and one.state not in self._guesses:
            self._guesses[one.state] = self._searched(one.state, GLANCE).value.utility
        value = self._guesses[one.state] if known is None else known.utility
        return -value if one.same else value - 2 * self.game.draw_value

    def _count(self) -> Iterator[MakerProgress]:
        """Find the plies to the end of every position of the layer that is no draw."""
        for state in self.layer:
            entry = self.entries.get(state)
            if entry is None or entry.plies is not None or entry.utility == self.game.draw_value:
                continue
            yield from self._noted(state, self._solved(state, distance=True), DISTANCES)
            if self._is_late():
                return

    def _noted(self, state: State, entry: Entry | None, phase: str) -> Iterator[MakerProgress]:
        if entry is None:
            return
        before = self.entries.get(state)
        if before is not None and before.utility != entry.utility:
            raise PliesError(
                f"the book is wrong: it has {before.utility:g} for a position that is worth {entry.utility:g}"
            )
        self.new(state, entry)
        self.know(state, entry)
        yield self.progress(phase)

    def _evaluated(self, state: State) -> Entry | None:
        if self.nodes == 0:
            return self._solved(state, distance=False)
        begun = clock.perf_counter()
        found = self._searched(state, self.nodes)
        self._times.append(clock.perf_counter() - begun)
        return Entry(found.value.utility, None, self._number(state, found.action))

    def alone(self, state: State, distance: bool) -> Entry:
        """The entry of a position by itself, whatever was worked out before."""
        self._begun, self._limit = clock.perf_counter(), Limit()
        self._glances.clear()
        if self._solver is not None:
            self._solver.clear()
        entry = self._solved(state, distance) if self.nodes == 0 else self._evaluated(state)
        assert entry is not None, "there is no limit of time"
        return entry

    def _solved(self, state: State, distance: bool) -> Entry | None:
        """The proved value of a position; None if the time is up."""
        begun = clock.perf_counter()
        found = self._searched(state, GLANCE)
        value, action = found.value, found.action
        quick = value.proved and value.bound == EXACT and (not distance or value.plies is not None)
        if not quick:
            solution = self._solver_for(distance).solve(state, Limit(time=self._left()))
            if not solution.solved:
                if solution.reason == "it was interrupted":
                    raise KeyboardInterrupt
                if self._is_late():
                    return None
                raise PliesError(f"a position cannot be solved: {solution.reason}")
            value, action = solution.value, solution.action
        self._times.append(clock.perf_counter() - begun)
        draw = value.utility == self.game.draw_value
        return Entry(value.utility, None if draw else value.plies, self._number(state, action))

    def _searched(self, state: State, nodes: int) -> SearchResult:
        """The result of a search; Ctrl-C, which only ends that search, ends the work."""
        found = self._glances.search(state, Limit(nodes=nodes))
        if self._interrupts.noticed:
            raise KeyboardInterrupt
        return found

    def _solver_for(self, distance: bool) -> Solver:
        if self._solver is None or self._solver.distance != distance:
            self._solver = Solver(self.game, distance=distance, memory=self.memory, book=NO)
        return self._solver

    def _number(self, state: State, action: Any) -> int | None:
        return list(capped(self.game, state, self.game.actions(state))).index(action)

    def _left(self) -> float | None:
        passed = clock.perf_counter() - self._begun
        return None if self._limit.time is None else max(1e-3, self._limit.time - passed)

    def _is_late(self) -> bool:
        return self._limit.time is not None and clock.perf_counter() - self._begun >= self._limit.time

    def progress(self, phase: str) -> MakerProgress:
        """How far it is, and how long the rest will take by what the last positions took."""
        done = self.counted if phase == DISTANCES else self.done
        mean = sum(self._times) / len(self._times) if self._times else None
        left = None if mean is None else mean * (len(self.layer) - done)
        return MakerProgress(phase, done, len(self.layer), left)


def make_opening_book(
    game: Game, plies: int, *, nodes: int = 0, memory: float = 256, distances: bool = True
) -> OpeningBook:
    """A book of the positions after so many plies and of all before them, worked out in one go.

    They are proved or, with `nodes`, estimated by a search of so many nodes each. With `distances`, proved
    ones also have the plies to the end. `plies book` does the same with progress, and can be interrupted.
    """
    maker = BookMaker(game, plies, nodes=nodes, memory=memory)
    for _ in maker.enumerate():
        pass
    for _ in maker.run(distances=distances):
        pass
    return maker.book()
