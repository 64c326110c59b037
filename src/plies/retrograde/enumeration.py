"""Enumeration: all states that can be reached, numbered, with an edge from each to each of its successors."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plies.blame import broken_rule, culprit
from plies.compiled import Kernel, usable
from plies.compiled.packing import numbers_of, read_state
from plies.compiled.workspace import Workspace
from plies.errors import BrokenRule, PliesError, Unsuitable
from plies.game import CHANCE, Game, State
from plies.retrograde.counting import is_small
from plies.retrograde.growth import check_growth
from plies.retrograde.kernels import passes, successors
from plies.retrograde.kernels.passes import ANY_GAME, NOBODY
from plies.retrograde.layout import Array, Layout, hashes_of
from plies.retrograde.memory import Budget
from plies.retrograde.progress import Progress, Report, silent
from plies.retrograde.roots import SUBJECT
from plies.retrograde.storage import GROWTH, Storage
from plies.validation import capped, checked_bounds, checked_total

ROOM = 1 << 16
"""The successors that a thread sends to each other before they are numbered. Not tuned: half a megabyte."""

FEW = 100_000
"""States below which one thread is quicker than two, which wait for each other."""

SURVEY = 500
"""Steps at random, interpreted, by which the ranges of the numbers are estimated. Not tuned."""

FEW_ROOTS = 1_000
"""Roots that are packed interpreted: quicker than to compile a kernel for them."""

UTILITIES = 4_096
"""The most utilities that differ. Not tuned: they are searched one after the other."""

MOST_STATES = 1 << 31
"""The most states, and the most edges of a thread: they are numbered in 32 bits."""

FILL = 0.7
"""The share of the slots that may be taken."""


@dataclass
class Part:
    """What one thread owns."""

    states: Array
    """A row of words for each state."""
    info: Array
    """A row for each state: successors undecided, mover, value, distance."""
    slots: Array
    """A hash table of the states."""
    children: Array
    parents: Array
    """The edges: the number of a state here, and the number and part of one before it."""
    work: Workspace
    n: int = 0
    """States."""
    m: int = 0
    """Edges."""
    done: int = 0
    """States whose successors have been sent."""
    exits: Array | None = None
    """For each state, 1 more than the index of the best utility to be had by leaving its stage, 0 if there is
    none; and the plies to the end there."""


@dataclass
class Enumeration:
    """The states of a game that can be reached from some, and the edges between them."""

    game: Game
    roots: Array
    """The states to begin with, a row of numbers each."""
    like: State
    """One of them."""
    threads: int
    budget: Budget
    fold: bool
    """Whether symmetric states are taken for one."""
    report: Report = silent
    keep: Callable[[Enumeration], None] | None = field(default=None, init=False)
    """Called after each step, to keep what was found."""
    room: int = ROOM
    layout: Layout = field(init=False)
    parts: list[Part] = field(init=False)
    small: bool = field(init=False)
    """Whether it runs interpreted, since compiling would take longer."""
    layouts: int = 0
    """How many layouts were tried, until one had a place for all."""
    storage: Storage = field(init=False)
    layers: list[int] = field(default_factory=list, init=False)
    """How many states there are in each layer: those to begin with, their successors, and so on."""
    ends: list[int] = field(init=False)
    """For each part, where the layer in work ends."""

    def __post_init__(self) -> None:
        self.low, self.high = checked_bounds(self.game)
        self.total = checked_total(self.game)
        self.storage = Storage(self.budget)
        with self._blaming():
            layout, self.branching = self._surveyed()
            part = self.new_part(layout, 1)
            args = (self.game, self.like, part.states, part.info, 0, 0, 0, part.work)
            self.small = not successors.expand.is_ready(*args) and self._is_small()
            self._expand = chosen(successors.expand, *args, small=self.small)
            self.fold = self.fold and usable(self.game, "symmetries")
            self._begin(layout, 1)

    def _is_small(self) -> bool:
        """Whether there are so few states that compiling takes longer than solving."""
        if len(self.roots) > FEW_ROOTS:
            return False
        roots = [read_state(self.like, row) for row in self.roots]
        return is_small(self.game, roots, self._successors, self.fold)

    @contextlib.contextmanager
    def _blaming(self) -> Iterator[None]:
        """Turn what a rule raises near a root into `BrokenRule`."""
        try:
            yield
        except PliesError:
            raise
        except Exception as error:  # a rule may raise anything
            if found := culprit(self.game, error, self.like):
                raise found from error
            raise

    @property
    def count(self) -> int:
        """States found."""
        return sum(part.n for part in self.parts)

    @property
    def edges(self) -> int:
        return sum(part.m for part in self.parts)

    @property
    def bytes_needed(self) -> int:
        """The bytes that all passes over the states found so far take at most."""
        words = self.layout.words
        return int(GROWTH * (self.count * (8 * words + 8 + 8) + 12 * self.edges)) + self._slots

    @property
    def memory_needed(self) -> int:
        """The bytes of these that are in memory if all else is on disk: slots, and later the database."""
        return max(self._slots, self.count * (8 * self.layout.words + 32))

    @property
    def _slots(self) -> int:
        return sum(part.slots.nbytes for part in self.parts)

    def _check_memory(self) -> None:
        """Go on on disk where memory does not suffice; raise an error if that does not, either."""
        if self.storage.outgrown(self.bytes_needed, self.memory_needed, f"the {self.count:,} states found"):
            for part in self.parts:
                for name in ("states", "info", "children", "parents"):
                    setattr(part, name, self.storage.moved(getattr(part, name)))

    def _end_layer(self) -> None:
        """Note how large a layer was, and give up what will be far too large."""
        self.layers.append(self.count - sum(self.layers))
        self.ends = [part.n for part in self.parts]
        if self.count > FEW and not self.complete:
            check_growth(self.layers, self.bytes_needed / self.count, self.storage.room)

    def run(self) -> None:
        """Find all states."""
        with ThreadPoolExecutor(self.threads) as pool:
            while not self.complete:
                self.step(pool)
                if self.keep is not None:
                    self.keep(self)
                self.report(Progress("listing", self.count, sum(part.done for part in self.parts)))

    @property
    def complete(self) -> bool:
        """Whether all successors have been found."""
        return all(part.done == part.n for part in self.parts)

    def step(self, pool: ThreadPoolExecutor) -> None:
        """Expand some states, as many as the outboxes hold, and number their successors."""
        self._check_memory()
        for part in self.parts:
            part.info = self.storage.grown(part.info, part.n)
            part.work.sent[:] = 0
        numbers = range(len(self.parts))
        stopped = list(pool.map(self._expanded, numbers))
        reasons = [int(part.work.status[0]) for part in self.parts]
        for part, number, reason in zip(self.parts, stopped, reasons, strict=True):
            if reason not in (successors.FITS, successors.FULL, successors.TOO_WIDE):
                raise self._fault(self.state(part, number), reason)
        if successors.TOO_WIDE in reasons:
            self._widen(stopped, reasons)
            return
        for part, number, reason in zip(self.parts, stopped, reasons, strict=True):
            if reason == successors.FULL and number == part.done:
                raise PliesError(f"a state has more than {self.room:,} successors")
            part.done = number
        list(pool.map(self._receive, numbers))
        at_end = all(part.done == end for part, end in zip(self.parts, self.ends, strict=True))
        if at_end:
            self._end_layer()
        if self.count > FEW and len(self.parts) < self.threads and (at_end or len(self.layers) == 1):
            self._restart(self.layout, self.threads)

    def _expanded(self, number: int) -> int:
        """Send the successors of the states of a part that have not been; returns where it stopped."""
        part = self.parts[number]
        args = (part.states, part.info, part.done, self.ends[number], number, part.work)
        try:
            return int(self._expand(self.game, self.like, *args))
        except PliesError:
            raise
        except Exception as error:  # a rule may raise anything
            raise self._raised(part, error) from error

    def _raised(self, part: Part, error: Exception) -> PliesError:
        """The error to raise for what a rule raised in a state that has not been expanded."""
        if found := culprit(self.game, error):
            return found
        for number in range(part.done, min(part.n, part.done + self.room)):
            if found := broken_rule(self.game, self.state(part, number)):
                return found
        return BrokenRule(f"a rule of {type(self.game).__name__} raised {type(error).__name__}: {error}")

    def _fault(self, state: State, reason: int) -> PliesError:
        """The error to raise where a state could not be expanded."""
        if reason == successors.UTILITIES:
            return Unsuitable(f"{SUBJECT} is for games with at most {UTILITIES:,} different utilities")
        if reason == successors.ACTIONS:
            return Unsuitable(
                f"{SUBJECT} is for at most {successors.MOST_SUCCESSORS:,} successors; {state} has more"
            )
        return broken_rule(self.game, state) or BrokenRule(
            f"the rules of {type(self.game).__name__} contradict each other in the state {state}"
        )

    def state(self, part: Part, number: int) -> State:
        """The state of a number."""
        return read_state(self.like, self.layout.unpacked(part.states[number : number + 1])[0])

    # -- Numbering.

    def _receive(self, number: int) -> None:
        """Number the states that all parts have sent to one."""
        part = self.parts[number]
        for other in self.parts:
            count, room = int(other.work.sent[number]), self.room
            box = slice(number * room, (number + 1) * room)
            self._insert(part, other.work.out[box], other.work.source[box], count)

    def _insert(self, part: Part, words: Array, source: Array, count: int) -> None:
        """Number some states."""
        self._make_room(part, count)
        shift = 65 - len(part.slots).bit_length()
        table, edges = (part.states, part.slots, shift, part.n), (part.children, part.parents, part.m)
        part.n, part.m = run(passes.insert, words, source, count, *table, *edges, small=self.small)

    def _make_room(self, part: Part, count: int) -> None:
        """Enlarge the arrays of a part for some more states, each with an edge."""
        if max(part.n, part.m) + count >= MOST_STATES // len(self.parts):
            raise PliesError(f"there are more than {MOST_STATES:,} states or edges, which is too many")
        part.states = self.storage.grown(part.states, part.n + count)
        part.children = self.storage.grown(part.children, part.m + count)
        part.parents = self.storage.grown(part.parents, part.m + count)
        size = len(part.slots)
        while part.n + count > FILL * size:
            size *= 2
        if size > len(part.slots):
            part.slots = np.zeros(size, np.int64)
            run(passes.rehash, part.states, part.n, part.slots, 65 - size.bit_length(), small=self.small)

    def _insert_roots(self, words: Array) -> None:
        """Number states that are nobody's successors."""
        owners = hashes_of(words) & (len(self.parts) - 1)
        for number, part in enumerate(self.parts):
            mine = np.ascontiguousarray(words[owners == number])
            self._insert(part, mine, np.full(len(mine), NOBODY, np.uint32), len(mine))

    # -- Layouts.

    def _surveyed(self) -> tuple[Layout, float]:
        """A layout for the states that random games meet, and the mean number of successors there."""
        game, rng = self.game, random.Random(0)
        met, counts, rows, state = self.roots, [], list[Any](), self.like
        for _ in range(SURVEY):
            state = game.core(state)
            images = game.symmetries(state) if self.fold else [state]
            rows += map(numbers_of, capped(game, state, images, "symmetries"))
            if game.is_terminal(state):
                state = self.like
            elif after := list(self._successors(state)):
                counts.append(len(after))
                state = rng.choice(after)
        met = np.concatenate([met, np.array(rows, np.int64)]) if rows else met
        layout = Layout.of(met.min(0), met.max(0), np.bitwise_or.reduce(met, 0))
        return layout, sum(counts) / max(1, len(counts))

    def _successors(self, state: State) -> Iterator[State]:
        """The successors of a state, by the rules as they are interpreted."""
        if self.game.stochastic and self.game.to_move(state) == CHANCE:
            outcomes = capped(self.game, state, self.game.chance(state), "chance")
            return (self.game.result(state, outcome) for outcome, _ in outcomes)
        return (self.game.result(state, one) for one in capped(self.game, state, self.game.actions(state)))

    def _begin(self, layout: Layout, threads: int) -> None:
        """Begin with the roots."""
        self.layouts += 1
        while True:
            self.layout = layout
            self.parts = [self.new_part(layout, threads) for _ in range(threads)]
            words, stuck = self._packed_roots()
            if stuck == len(self.roots):
                break
            root = read_state(self.like, self.roots[stuck])
            images = [numbers_of(image) for image in (root, *self.game.symmetries(root))]
            layout = layout.widened(np.array(images, np.int64))
        self._insert_roots(words)
        self.layers = self.layers or [self.count]
        self.ends = [part.n for part in self.parts]

    def _packed_roots(self) -> tuple[Array, int]:
        """The words of the states that stand for the roots, and the first root that does not fit."""
        count = len(self.roots)
        if not self.fold:
            fits = self.layout.fits(self.roots)
            return self.layout.packed(self.roots), count if fits.all() else int(np.argmin(fits))
        words = np.empty((count, self.layout.words), np.int64)
        args = (self.like, self.roots, 0, count, words, self.parts[0].work)
        pack = successors.pack_states
        few = count < FEW_ROOTS
        return words, (pack.interpreted if few else pack.best_for(self.game, *args))(self.game, *args)

    def new_part(self, layout: Layout, threads: int) -> Part:
        """A part without states."""
        words, room = layout.words, threads * self.room
        work = Workspace(
            numbers=layout.numbers,
            pieces=layout.pieces,
            row=np.zeros(len(layout.low), np.int64),
            packed=np.zeros((2, words), np.int64),
            out=np.empty((room, words), np.int64),
            source=np.empty(room, np.uint32),
            sent=np.zeros(threads, np.int64),
            before=np.zeros(threads, np.int64),
            status=np.array([0, int(self.fold), 0]),
            bounds=np.array([self.low, self.high, self.total]),
            utilities=np.zeros(UTILITIES),
        )
        empty = np.empty((0, words), np.int64), np.empty((0, 4), np.int16)
        edges = np.empty(0, np.uint32), np.empty(0, np.uint32)
        return Part(*empty, np.zeros(4096, np.int64), *edges, work)

    def _widen(self, stopped: list[int], reasons: list[int]) -> None:
        """Take a wider layout, with a place for the successors of the states that had none."""
        rows = []
        for part, number, reason in zip(self.parts, stopped, reasons, strict=True):
            if reason == successors.TOO_WIDE:
                rows += [numbers_of(state) for state in self._stored(self.state(part, number))]
        layout = self.layout.widened(np.array(rows, np.int64))
        if (layout.low, layout.seen) == (self.layout.low, self.layout.seen):
            raise PliesError(f"the rules of {type(self.game).__name__} differ compiled and interpreted")
        self._restart(layout, len(self.parts))

    def _stored(self, state: State) -> Iterator[State]:
        """All states that may stand for a successor of a state."""
        for after in self._successors(state):
            yield from self.game.symmetries(self.game.core(after))

    def _restart(self, layout: Layout, threads: int) -> None:
        """Begin again with another layout or more threads, with all states found so far as roots."""
        order = np.concatenate([np.arange(part.n) for part in self.parts])
        rows = np.concatenate([self.layout.unpacked(part.states[: part.n]) for part in self.parts])
        self.roots = rows[np.argsort(order, kind="stable")]
        self._begin(layout, threads)


def run(kernel: Kernel, *args: Any, small: bool = False) -> Any:
    """Run a kernel that is the same for all games; interpreted if there is little to do."""
    return (kernel.interpreted if small else kernel)(ANY_GAME, 0, *args)


def chosen(kernel: Kernel, game: Game, *args: Any, small: bool) -> Callable[..., Any]:
    """A kernel for a game, compiled unless there is little to do."""
    if small and game.compiled is not True and not kernel.is_ready(game, *args):
        return kernel.interpreted
    return kernel.best_for(game, *args)
