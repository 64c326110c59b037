"""Making a database of a game that numbers its states: stage by stage, without a table to find states by."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from plies.blame import broken_rule, culprit
from plies.compiled.workspace import Workspace
from plies.errors import BrokenRule, PliesError, Unsuitable
from plies.game import Game, State
from plies.retrograde.counting import are_few
from plies.retrograde.enumeration import ROOM, UTILITIES, Part, chosen
from plies.retrograde.indexed_database import IndexedDatabase
from plies.retrograde.kernels import numbers, successors
from plies.retrograde.kernels.numbers import NOTHING
from plies.retrograde.kernels.passes import NO_STATE
from plies.retrograde.layout import Array
from plies.retrograde.memory import Budget, in_words
from plies.retrograde.progress import Progress, Report
from plies.retrograde.roots import SUBJECT
from plies.retrograde.storage import Storage, grown
from plies.retrograde.values import Queue, Values
from plies.validation import capped, checked_bounds, checked_total

MOST_NUMBERS = 1 << 32
"""The most numbers of a stage, and of all stages: they are kept in 32 bits."""

FEW = 20_000
"""Numbers of a stage below which one thread is quicker than two, which wait for each other."""

SAMPLE, LITTLE = 300, 30
"""The most and the fewest numbers at random, interpreted, by which memory is estimated: one of a thousand in
between, so that this takes no longer than the work itself. Not tuned."""

KEPT = 4
"""The bytes of each number of all stages: those of its utility and of its distance."""

EACH = 28
"""The bytes of each number of the stage in work: 8 of `info`, 4 of exits, 8 to sort them, and 8 of queue and
predecessors."""

EDGE = 12
"""The bytes of each successor within the stage in work: twice 4, and 4 once they are sorted."""


@dataclass(frozen=True)
class Estimate:
    """What a database of numbered states takes."""

    numbers: int
    states: int
    """About how many of them stand for states."""
    memory: int
    """Bytes, about, at most."""
    disk: int
    """Bytes, about, of the file and of a checkpoint."""

    def __str__(self) -> str:
        return (
            f"about {self.states:,} states under {self.numbers:,} numbers, "
            f"{in_words(self.memory)} of memory, {in_words(self.disk)} of disk"
        )


def stages_of(game: Game, ending: str) -> list[tuple[int, int]]:
    """The stages of an ending, with how many numbers each has; none if the game numbers no states of it."""
    stages = [(int(stage), int(size)) for stage, size in game.stages(ending)]
    name = type(game).__name__
    if len({stage for stage, _ in stages}) < len(stages) or any(size < 1 for _, size in stages):
        raise BrokenRule(f"{name}.stages gives a stage twice, or one without numbers")
    if (numbers := sum(size for _, size in stages)) >= MOST_NUMBERS:
        raise Unsuitable(f"{SUBJECT} is for fewer than {MOST_NUMBERS:,} numbers; {ending} has {numbers:,}")
    return stages


def estimated(game: Game, stages: list[tuple[int, int]]) -> Estimate:
    """An estimate of what a database takes, by some numbers at random."""
    chance = random.Random(0)
    total = sum(size for _, size in stages)
    sample = min(SAMPLE, LITTLE + total // 1000)
    states, most = 0.0, 0
    for stage, size in stages:
        tried = [chance.randrange(size) for _ in range(max(1, sample * size // total))]
        met, inside = 0, 0
        for index in tried:
            state = game.state_at(stage, index)
            if game.index(state) == index and game.stage(state) == stage:
                met += 1
                if not game.is_terminal(state):
                    actions = capped(game, state, game.actions(state))
                    inside += sum(game.stage(game.result(state, one)) == stage for one in actions)
        states += size * met / len(tried)
        most = max(most, int(size * (EACH + EDGE * inside / len(tried))))
    return Estimate(total, round(states), most + KEPT * total, most + 2 * KEPT * total)


@dataclass
class Numbering:
    """The states of one stage by their numbers, and the edges between them."""

    game: Game
    like: State
    stage: int
    size: int
    tables: dict[str, Array]
    """What is known of the stages before."""
    threads: int
    budget: Budget
    report: Report
    small: bool
    """Whether it runs interpreted, since compiling would take longer."""
    keep: Callable[[Numbering], None]
    """Called after each step, to keep what was found."""
    room: int = ROOM
    parts: list[Part] = field(init=False)
    storage: Storage = field(init=False)

    def __post_init__(self) -> None:
        self.storage = Storage(self.budget)
        low, high = checked_bounds(self.game)
        bounds = np.array([low, high, checked_total(self.game)])
        parts = self.threads if self.size > FEW else 1
        self.parts = []
        for number in range(parts):
            work = Workspace(
                here=np.array([self.stage, self.size, self.room, parts.bit_length() - 1]),
                out=np.empty(parts * self.room, np.uint32),
                source=np.empty(parts * self.room, np.uint32),
                sent=np.zeros(parts, np.int64),
                before=np.zeros(parts, np.int64),
                status=np.zeros(3, np.int64),
                bounds=bounds,
                utilities=np.zeros(UTILITIES),
                **self.tables,
            )
            n = len(range(number, self.size, parts))
            empty = np.zeros(0, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.uint32)
            part = Part(np.zeros((0, 1), np.int64), np.zeros((n, 4), np.int16), *empty, work, n)
            part.exits = np.zeros((n, 2), np.int16)
            self.parts.append(part)

    @property
    def count(self) -> int:
        """Numbers of this stage."""
        return self.size

    @property
    def edges(self) -> int:
        return sum(part.m for part in self.parts)

    @property
    def complete(self) -> bool:
        """Whether all successors have been found."""
        return all(part.done == part.n for part in self.parts)

    def run(self) -> None:
        """Find all edges."""
        first = self.parts[0]
        args = (self.game, self.like, first.info, first.exits, 0, 0, 0, first.work)
        self._expand = chosen(numbers.expand, *args, small=self.small)
        with ThreadPoolExecutor(len(self.parts)) as pool:
            while not self.complete:
                self.step(pool)
                self.keep(self)
                self.report(Progress("listing", self.size, sum(part.done for part in self.parts)))

    def step(self, pool: ThreadPoolExecutor) -> None:
        """Find the edges from some states, as many as the outboxes hold."""
        for part in self.parts:
            part.work.sent[:] = 0
        owners = range(len(self.parts))
        for part, stopped in zip(self.parts, list(pool.map(self._expanded, owners)), strict=True):
            reason = int(part.work.status[0])
            if reason not in (successors.FITS, successors.FULL):
                number = stopped * len(self.parts) + self.parts.index(part)
                raise self._fault(self.game.state_at(self.stage, number), reason)
            if reason == successors.FULL and stopped == part.done:
                raise PliesError(f"a state has more than {self.room:,} successors")
            part.done = stopped
        list(pool.map(self._receive, owners))

    def _expanded(self, number: int) -> int:
        part = self.parts[number]
        args = (part.info, part.exits, part.done, part.n, number, part.work)
        try:
            return int(self._expand(self.game, self.like, *args))
        except PliesError:
            raise
        except Exception as error:  # a rule may raise anything
            name = type(self.game).__name__
            raise (
                culprit(self.game, error)
                or BrokenRule(f"a rule of {name} raised {type(error).__name__}: {error}")
            ) from error

    def _receive(self, number: int) -> None:
        """Keep the edges that all parts have sent to one."""
        part = self.parts[number]
        for other in self.parts:
            count, first = int(other.work.sent[number]), number * self.room
            if part.m + count > len(part.children):
                self.budget.check(self.bytes_needed, f"the {self.edges:,} successors found so far take")
            part.children, part.parents = (
                grown(array, part.m + count) for array in (part.children, part.parents)
            )
            part.children[part.m : part.m + count] = other.work.out[first : first + count]
            part.parents[part.m : part.m + count] = other.work.source[first : first + count]
            part.m += count

    @property
    def bytes_needed(self) -> int:
        """The bytes that all passes over the edges found so far take at most."""
        return EACH * self.size + EDGE * self.edges + KEPT * len(self.tables["codes"])

    def _fault(self, state: State, reason: int) -> PliesError:
        """The error to raise where a state could not be expanded."""
        name = type(self.game).__name__
        words = {
            numbers.NO_NUMBER: f"{name}.index gives no number of the stage to a successor of {state}",
            numbers.ORDER: f"{name}.stages does not give the stage of a successor of {state} before",
            numbers.EARNED: f"{name}.earned changes within a stage, from {state} on",
        }
        if reason in words:
            return BrokenRule(words[reason])
        if reason == numbers.REPETITION:
            return Unsuitable(
                f"{SUBJECT} takes a repetition for a draw; in {name} repetition_value() differs, in {state}"
            )
        if reason == successors.UTILITIES:
            return Unsuitable(f"{SUBJECT} is for games with at most {UTILITIES:,} different utilities")
        if reason == successors.ACTIONS:
            most = successors.MOST_SUCCESSORS
            return Unsuitable(f"{SUBJECT} is for at most {most:,} successors; {state} has more")
        return broken_rule(self.game, state) or BrokenRule(
            f"the rules of {name} contradict each other in the state {state}"
        )

    def check_edges(self, queues: list[Queue]) -> None:
        """Raise an error if a successor has a number that stands for no state."""
        for part, queue in zip(self.parts, queues, strict=True):
            gone = np.flatnonzero(part.info[:, 1] == NO_STATE)
            lost = gone[queue.start[gone + 1] > queue.start[gone]]
            if len(lost):
                before = queue.into[queue.start[lost[0]]]
                raise self._fault(self.game.state_at(self.stage, int(before)), numbers.NO_NUMBER)


class Maker:
    """Solves one stage after the other."""

    def __init__(
        self,
        game: Game,
        ending: str,
        stages: list[tuple[int, int]],
        threads: int,
        budget: Budget,
        report: Report,
    ) -> None:
        self.game, self.ending, self.stages = game, ending, stages
        self.threads, self.budget, self.report = threads, budget, report
        self.estimate = estimated(game, stages)
        budget.check(self.estimate.memory, f"{ending or game.name} takes about {self.estimate}, that is")
        total = self.estimate.numbers
        self.codes, self.plies = np.full(total, NOTHING, np.int16), np.full(total, -1, np.int16)
        """For each number of all stages, the place of its utility among the worths, and its distance."""
        self.worths: list[float] = []
        self.solved = 0
        """How many stages are."""
        self.numbering: Numbering | None = None
        """The stage in work, if one was begun."""
        self.keep: Callable[[Numbering | None], None] | None = None
        """Called after each step, to keep what was found."""

    @property
    def offset(self) -> int:
        """Where the numbers of the next stage begin among those of all."""
        return sum(size for _, size in self.stages[: self.solved])

    def run(self) -> IndexedDatabase:
        """Solve all stages."""
        while self.solved < len(self.stages):
            self._solve(self.numbering or self.begun())
            self.numbering = None
            self.solved += 1
            self._keep(None)
        return IndexedDatabase.of_codes(
            self.game, self.ending, self.stages, self.codes, self.plies, self.worths
        )

    def begun(self) -> Numbering:
        """The next stage, about to begin."""
        before, tables = self.offset, self._tables()
        return Numbering(
            *(self.game, self.game.initial(), *self.stages[self.solved], tables, self.threads, self.budget),
            report=lambda progress: self.report(self._overall(progress, before)),
            small=are_few(self.estimate.numbers),
            keep=self._keep,
        )

    def _keep(self, numbering: Numbering | None) -> None:
        if self.keep is not None:
            self.keep(numbering)

    def _solve(self, numbering: Numbering) -> None:
        before, size = self.offset, numbering.size
        numbering.run()
        values = Values(numbering)
        values.sort()
        numbering.check_edges(values.queues)
        values.find()
        places = np.array([self._place(utility) for utility in values.utilities], np.int16)
        parts = numbering.parts
        for number, part in enumerate(parts):
            mine = slice(before + number, before + size, len(parts))
            codes = places.take(part.info[:, 2] + np.int16(len(places) // 2))
            np.copyto(codes, NOTHING, where=part.info[:, 1] == NO_STATE)
            self.codes[mine] = codes
            self.plies[mine] = np.where(part.info[:, 0] > 0, np.int16(-1), part.info[:, 3])

    def _overall(self, progress: Progress, before: int) -> Progress:
        """The progress of all stages, where that of one is known."""
        total = self.estimate.numbers
        return Progress(progress.phase, total, before + progress.done, progress.distance, total)

    def _tables(self) -> dict[str, Array]:
        """What kernels are told of the stages that are solved."""
        offset, rows = 0, []
        for stage, size in self.stages[: self.solved]:
            rows.append((stage, size, offset))
            offset += size
        worths = np.zeros(2 * UTILITIES)
        worths[: len(self.worths)] = self.worths
        return {
            "stages": np.array(rows, np.int64).reshape(-1, 3),
            "codes": self.codes,
            "plies": self.plies,
            "worths": worths,
        }

    def _place(self, utility: float) -> int:
        """The place of a utility among the worths."""
        if utility not in self.worths:
            if len(self.worths) == 2 * UTILITIES:
                raise Unsuitable(f"{SUBJECT} is for games with at most {UTILITIES:,} different utilities")
            self.worths.append(utility)
        return self.worths.index(utility)
