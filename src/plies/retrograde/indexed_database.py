"""A database of numbered states: a value and a distance for each number, and no states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from plies.compiled.packing import numbers_of, unpackable
from plies.errors import PliesError
from plies.game import Game, State
from plies.retrograde.counting import are_few
from plies.retrograde.database import Database, Entry
from plies.retrograde.enumeration import chosen
from plies.retrograde.kernels import numbers
from plies.retrograde.layout import Array, Layout


@dataclass
class IndexedDatabase(Database):
    """A database that finds states by the numbers that the game gives them: see `Game.index`.

    Values are without what was earned before; numbers that stand for no state have a distance of their own.
    """

    stages: list[tuple[int, int]] = field(default_factory=list)
    """The stages, each with how many numbers it has."""

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = [size for _, size in self.stages]
        starts = np.cumsum([0, *sizes[:-1]])
        self.stage_table = np.array(
            [(*stage, start) for stage, start in zip(self.stages, starts, strict=True)], np.int64
        )
        """A row a stage: its number, how many numbers it has, and the place of the first."""
        self._count = len(self.distances) - int(np.count_nonzero(self.distances == self.gone))

    def __len__(self) -> int:
        return self._count

    @property
    def gone(self) -> int:
        """The distance of a number that stands for no state."""
        return self._none - 1

    @staticmethod
    def of_codes(
        game: Game,
        ending: str,
        stages: list[tuple[int, int]],
        codes: Array,
        plies: Array,
        worths: list[float],
    ) -> IndexedDatabase:
        """The database of values as their makers keep them: for each number the place of its utility among
        `worths`, negative for no state, and the plies to the end, negative for none."""
        draw = game.draw_value
        leads = sorted({abs(worth - draw) for worth in worths} - {0.0})
        exact = {worth - draw: worth for worth in worths}
        signed = [*(-lead for lead in reversed(leads)), 0.0, *leads]
        values = np.array([signed.index(worth - draw) - len(leads) for worth in worths] + [0])
        kind = np.uint8 if plies.max(initial=0) < 254 else np.uint16
        none = np.iinfo(kind).max
        distances = np.where(plies < 0, none, plies)
        distances[codes < 0] = none - 1
        size = len(numbers_of(game.initial()))
        return IndexedDatabase(
            *(game, ending, Layout([0] * size, [0] * size), False),
            [exact.get(lead, draw + lead) for lead in signed],
            np.zeros((0, 1), np.int64),
            np.zeros(3, np.uint32),
            values[codes].astype(np.int8 if len(leads) < 128 else np.int16),
            distances.astype(kind),
            stages=stages,
        )

    def probe(self, state: State) -> Entry | None:
        number = self.find(state)
        return None if number < 0 else self._entry(number, state)

    def find(self, state: State) -> int:
        if unpackable(state):
            return -1
        args = (state, self.stage_table, self.distances, self.gone)
        if self._lookup is None:
            self._lookup = chosen(numbers.find, self.game, *args, small=are_few(len(self)))
        return int(self._lookup(self.game, *args))

    def count_lost(self) -> int:
        """None: a number is its own place."""
        return 0

    def entry(self, number: int) -> Entry:
        if self.distances[number] == self.gone:
            raise PliesError(f"the number {number:,} stands for no state")
        return self._entry(number, self.state(number))

    def _entry(self, number: int, state: State) -> Entry:
        found = super().entry(number)
        return Entry(found.utility + self.game.earned(state), found.plies)

    def state(self, number: int) -> State:
        for stage, size, start in self.stage_table.tolist():
            if start <= number < start + size:
                return self.game.state_at(stage, number - start)
        raise PliesError(f"the database has no number {number:,}")

    def longest(self, most: int = 1) -> list[int]:
        found = super().longest(most + 1)
        return [number for number in found if self.distances[number] != self.gone][:most]

    def states(self) -> Iterator[tuple[State, Entry]]:
        for number in range(len(self.distances)):
            if self.distances[number] != self.gone:
                yield self.state(number), self.entry(number)
