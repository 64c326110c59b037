"""An opening book: the values of positions after a number of plies and, by backing up, of those before.

A book may be partial. A position that is not in it is not known; one before the layer is in it only where
what is known of its successors settles its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from plies.compiled.packing import numbers_of, read_state, unpackable
from plies.errors import PliesError, Unsuitable
from plies.game import Action, Game, State
from plies.validation import capped

Array = np.ndarray[Any, Any]


class Entry(NamedTuple):
    """What a book knows of a position."""

    utility: float
    """The value to the player to move: proved, or an estimate in a searched book."""
    plies: int | None = None
    """The plies to the end of the game if both play their best, if they are proved; never of a draw."""
    move: int | None = None
    """The number, among `actions` of the canonical position, of one that attains the value."""


@dataclass(frozen=True, eq=False)
class OpeningBook:
    """The known positions of a game in order, as rows of numbers, each with its entry."""

    game: Game
    plies: int
    """The plies of the layer that was worked out position by position."""
    nodes: int
    """The nodes of the search that estimated each; 0 if they are proved."""
    layer: int
    """How many positions the layer has, symmetric ones taken for one."""
    known: int
    """How many of these it knows."""
    rows: Array
    """The numbers of the canonical positions, columns in `order`, in lexicographic order."""
    order: tuple[int, ...]
    """The numbers of a state in the order in which positions are compared."""
    utilities: Array
    values: Array
    """For each position, the place of its utility in `utilities`."""
    distances: Array
    """For each position, its plies to the end; 0 if they are not known."""
    moves: Array
    """For each position, the number of its action, from 1 on; 0 if it is not noted."""
    version: str = ""
    """The version of Plies that wrote it."""
    _found: dict[State, Entry | None] = field(default_factory=dict, repr=False)

    @property
    def proved(self) -> bool:
        """Whether its values are proved, not estimated."""
        return self.nodes == 0

    @property
    def made_by(self) -> str:
        """How it was made, in words."""
        by = "" if self.proved else f" --searched --nodes {self.nodes}"
        return f"`plies book {self.game.name} --plies {self.plies}{by}` of Plies {self.version}"

    def __len__(self) -> int:
        return len(self.rows)

    def probe(self, state: State) -> Entry | None:
        """What is known of a position; its move is for the canonical one."""
        state = canonical(self.game, state)
        if state not in self._found:
            place = self._place(state)
            self._found[state] = None if place is None else self.entry(place)
        return self._found[state]

    def entry(self, place: int) -> Entry:
        """The entry at a place of the rows."""
        utility = float(self.utilities[self.values[place]])
        plies, move = int(self.distances[place]), int(self.moves[place])
        return Entry(utility, plies or None, move - 1 if move else None)

    def state(self, place: int) -> State:
        """The canonical position at a place of the rows."""
        row = [0] * len(self.order)
        for number, column in enumerate(self.order):
            row[column] = int(self.rows[place, number])
        return read_state(self.game.initial(), row)

    def entries(self) -> Iterator[tuple[State, Entry]]:
        """All positions with their entries."""
        for place in range(len(self)):
            yield self.state(place), self.entry(place)

    def successors(self, state: State) -> dict[Action, Entry | None]:
        """Every action with what is known after it, as a value to the player to move here.

        Plies are counted from here; an action that ends the game is known by the rules.
        """
        game, mover = self.game, self.game.to_move(state)
        found: dict[Action, Entry | None] = {}
        for action in capped(game, state, game.actions(state)):
            child = game.result(state, action)
            if game.is_terminal(child):
                found[action] = turned(game, Entry(float(game.utility(child, mover)), 0), True)
            else:
                entry = self.probe(child)
                found[action] = None if entry is None else turned(game, entry, game.to_move(child) == mover)
        return found

    def action(self, state: State) -> Action | None:
        """The action that the book has noted as one that attains the value of a position."""
        entry = self.probe(state)
        if entry is None or entry.move is None:
            return None
        game, image = self.game, canonical(self.game, state)
        actions = list(capped(game, image, game.actions(image)))
        if entry.move >= len(actions):
            raise PliesError(f"the opening book of {game.name} is damaged: it notes a move that is not there")
        target = canonical(game, game.result(image, actions[entry.move]))
        for action in capped(game, state, game.actions(state)):
            if canonical(game, game.result(state, action)) == target:
                return action
        return None

    def _place(self, state: State) -> int | None:
        numbers = numbers_of(state)
        if len(numbers) != len(self.order):
            return None
        first, last = 0, len(self.rows)
        for number, column in enumerate(self.order):
            part = self.rows[first:last, number]
            left, right = (int(np.searchsorted(part, numbers[column], side)) for side in ("left", "right"))
            first, last = first + left, first + right
            if first == last:
                return None
        return first


def canonical(game: Game, state: State) -> State:
    """The one position, of all that are symmetric to a position, that stands for them in a book."""
    return min(capped(game, state, game.symmetries(state))) if game.has("symmetries") else state


def turned(game: Game, entry: Entry, same: bool) -> Entry:
    """An entry to the player who moved there, from a ply before; `same` if that player moves again."""
    utility = entry.utility if same else 2 * game.draw_value - entry.utility
    settled = entry.plies is not None and utility != game.draw_value
    return Entry(utility, entry.plies + 1 if settled and entry.plies is not None else None)


def backed_up(game: Game, successors: list[Entry | None]) -> Entry | None:
    """The entry of a position by those of all its successors, as `turned` gives them; None if unsettled.

    One that attains the greatest utility there is settles the value; else all must be known. The plies of the
    quickest win are known only where all are known, and those of each that wins as much.
    """
    known = [entry for entry in successors if entry is not None]
    if not known:
        return None
    utility = max(entry.utility for entry in known)
    complete = len(known) == len(successors)
    if not complete and utility < game.bounds[1]:
        return None
    plies = [entry.plies for entry in known if entry.utility == utility]
    counted = [number for number in plies if number is not None]
    if not complete or utility == game.draw_value or len(counted) < len(plies):
        return Entry(utility)
    return Entry(utility, min(counted) if utility > game.draw_value else max(counted))


def book_of(
    game: Game,
    plies: int,
    nodes: int,
    layer: int,
    known: int,
    entries: Mapping[State, Entry],
    version: str,
) -> OpeningBook:
    """The book of these entries of canonical positions."""
    for state in (game.initial(), *entries):
        if why := unpackable(state):
            raise Unsuitable(f"a book of {game.name} cannot be kept: {why}")
    width = len(numbers_of(game.initial()))
    rows = np.array([numbers_of(state) for state in entries], np.int64).reshape(-1, width)
    distinct = [len(np.unique(rows[:, column])) for column in range(width)]
    order = tuple(sorted(range(width), key=lambda column: distinct[column]))
    sequence = np.lexsort([rows[:, column] for column in reversed(order)])
    listed = list(entries.values())
    utilities, values = np.unique([entry.utility for entry in listed], return_inverse=True)
    return OpeningBook(
        game=game,
        plies=plies,
        nodes=nodes,
        layer=layer,
        known=known,
        rows=rows[sequence][:, list(order)],
        order=order,
        utilities=np.asarray(utilities, np.float64),
        values=values.astype(np.uint32)[sequence],
        distances=np.array([entry.plies or 0 for entry in listed], np.uint16)[sequence],
        moves=np.array([0 if entry.move is None else entry.move + 1 for entry in listed], np.uint16)[
            sequence
        ],
        version=version,
    )
