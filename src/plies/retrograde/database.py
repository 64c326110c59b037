"""A database: the value of every state of a game, or of an ending, with the plies to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plies.compiled import usable
from plies.compiled.packing import read_state, unpackable
from plies.compiled.workspace import Workspace
from plies.errors import PliesError
from plies.game import CHANCE, Action, Game, State
from plies.retrograde.arranging import arranged
from plies.retrograde.counting import are_few
from plies.retrograde.enumeration import Enumeration, chosen
from plies.retrograde.kernels import lookup
from plies.retrograde.layout import Array, Layout
from plies.retrograde.values import Values
from plies.validation import capped


class Entry(NamedTuple):
    """What a database says of a state."""

    utility: float
    """The value to player 0."""
    plies: int | None
    """The plies to the end if the winner hurries and the loser does not; None if nobody can force an end."""


@dataclass
class Database:
    """The value of every state that can be reached from some, if both play their best.

    It knows neither clocks nor the past: values are those of a game without them, and a repetition is a draw.
    `make_database` makes one.
    """

    game: Game
    ending: str
    """What `Game.roots` was given: "" for the whole game."""
    layout: Layout
    folded: bool
    """Whether one state stands for all that are symmetric to it."""
    utilities: list[float]
    """The utilities to player 0 that values stand for, in order."""
    words: Array = field(repr=False)
    """The states, packed, sorted by hash."""
    starts: Array = field(repr=False)
    """Where the entries begin whose hash begins with each number."""
    values: Array = field(repr=False)
    """The place of each state's utility, 0 for a draw."""
    distances: Array = field(repr=False)
    """The plies to the end; the greatest number there is for none."""
    path: Path | None = None
    """The file it was read from, or written to."""

    def __post_init__(self) -> None:
        self.shift = 65 - len(self.starts).bit_length()  # there is one more than a power of 2
        self._like = self.game.initial()
        numbers, pieces = self.layout.numbers, self.layout.pieces
        self._work = Workspace(
            numbers=numbers,
            pieces=pieces,
            row=np.zeros(len(numbers), np.int64),
            packed=np.zeros((2, self.layout.words), np.int64),
            status=np.array([0, int(self.folded), 0]),
        )
        self._lookup: Any = None

    def __len__(self) -> int:
        return len(self.values)

    @staticmethod
    def of(enumeration: Enumeration, values: Values, ending: str) -> Database:
        """The database of an enumeration with values; it takes the enumeration apart."""
        parts = enumeration.parts
        words, info, starts = arranged(parts)
        for part in parts:
            part.states, part.info = part.states[:0].copy(), part.info[:0].copy()
        none = 255 if values.longest < 255 else 65_535
        distances = np.where(info[:, 0] > 0, none, info[:, 3])
        small = len(values.levels) < 128
        return Database(
            enumeration.game,
            ending,
            enumeration.layout,
            enumeration.fold,
            values.utilities,
            words,
            starts,
            info[:, 2].astype(np.int8 if small else np.int16),
            distances.astype(np.uint8 if none == 255 else np.uint16),
        )

    # -- Looking up.

    def probe(self, state: State) -> Entry | None:
        """What the database says of a state; None if it is not there."""
        number = self.find(state)
        return None if number < 0 else self.entry(number)

    def find(self, state: State) -> int:
        """The number of a state's entry, from 0; -1 if there is none."""
        if unpackable(state):
            return -1
        args = (state, self.words, self.starts, self.shift, self._work)
        if self._lookup is None:
            self._lookup = chosen(lookup.find, self.game, *args, small=are_few(len(self)))
            if self.folded and not usable(self.game, "symmetries"):
                raise PliesError("the database needs symmetries(), which does not compile")
        return int(self._lookup(self.game, *args))

    def count_lost(self) -> int:
        """How many entries look-ups do not find, as in a file whose index is damaged."""
        args = (self.words, self.starts, self.shift, self._work, 0, len(self))
        lost = chosen(lookup.count_lost, self.game, self._like, *args, small=are_few(len(self)))
        return int(lost(self.game, self._like, *args))

    def entry(self, number: int) -> Entry:
        """The entry of a number."""
        place, plies = int(self.values[number]) + len(self.utilities) // 2, int(self.distances[number])
        if not 0 <= place < len(self.utilities):
            raise PliesError(f"the database is damaged: entry {number:,} has a value that is none")
        return Entry(self.utilities[place], None if plies == self._none else plies)

    def state(self, number: int) -> State:
        """The state of an entry."""
        return read_state(self._like, self.layout.unpacked(self.words[number : number + 1])[0])

    def places(self) -> Array:
        """The place of each entry's utility among the utilities."""
        places = self.values.astype(np.int64) + len(self.utilities) // 2
        if np.any((places < 0) | (places >= len(self.utilities))):
            raise PliesError("the database is damaged: an entry has a value that is none")
        return places

    @property
    def _none(self) -> int:
        return int(np.iinfo(self.distances.dtype).max)

    def actions(self, state: State) -> list[tuple[Action, Entry]]:
        """The actions in a state, the best ones first, each with the entry it leads to.

        Who wins prefers the quicker, who loses the slower.
        """
        mover = self.game.to_move(state)
        if self.game.is_terminal(state) or mover == CHANCE:
            return []
        found = []
        for action in capped(self.game, state, self.game.actions(state)):
            entry = self.probe(self.game.result(state, action))
            if entry is not None:
                found.append((action, entry))
        return sorted(found, key=lambda item: self._rank(item[1], mover), reverse=True)

    def _rank(self, entry: Entry, mover: int) -> tuple[float, int]:
        lead = (entry.utility - self.game.draw_value) * (1 if mover == 0 else -1)
        plies = entry.plies or 0
        return lead, -plies if lead > 0 else plies if lead < 0 else 0

    def line(self, state: State) -> list[Action]:
        """A line of best play from a state to the end of the game; as far as there is one, in a draw."""
        line: list[Action] = []
        met = {state}
        while ranked := self.actions(state):
            line.append(ranked[0][0])
            state = self.game.result(state, ranked[0][0])
            if state in met:
                break
            met.add(state)
        return line

    # -- What is in it.

    def counts(self) -> tuple[int, int, int]:
        """The entries that player 0 wins, that are drawn, and that player 1 wins."""
        won, lost = int(np.count_nonzero(self.values > 0)), int(np.count_nonzero(self.values < 0))
        return won, len(self) - won - lost, lost

    def longest(self, most: int = 1) -> list[int]:
        """The entries with the longest way to the end, the longest first."""
        plies = np.where(self.distances == self._none, 0, self.distances)
        plies = np.where(self.values == 0, 0, plies)
        found = np.argpartition(plies, -most)[-most:] if len(plies) > most else np.arange(len(plies))
        order = np.lexsort((found, -plies[found].astype(np.int64)))
        return [int(number) for number in found[order]]

    def states(self) -> Iterator[tuple[State, Entry]]:
        """All states and entries, in the order of their hashes."""
        for number in range(len(self)):
            yield self.state(number), self.entry(number)
