"""Databases in play: the database that a search probes, what bars the way of its wins, and what it says.

What an entry proves is decided in the kernels: see kernels/databases.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from plies.compiled import usable
from plies.compiled.workspace import Workspace
from plies.engine.kernels.databases import (
    GONE,
    LASTING,
    NONE,
    SHIFT,
    TIMED,
    entry_of,
    is_clear,
    rank,
    worth_of,
)
from plies.engine.kernels.repetitions import position
from plies.engine.result import SearchResult
from plies.engine.runner import LAST_PLY, Arrays, Runner
from plies.engine.value import Value
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Action, Game, State
from plies.retrograde.database import Database
from plies.retrograde.fingerprint import rules_fingerprint
from plies.retrograde.indexed_database import IndexedDatabase
from plies.retrograde.kept import kept_databases


class Prober:
    """Databases of one game, one of which each search probes: that with the position, or else the largest."""

    def __init__(self, game: Game, databases: Sequence[Database]) -> None:
        if trouble := unprobable(game):
            raise Unsuitable(trouble)
        if any(one.folded for one in databases) and game.compiled and not usable(game, "symmetries"):
            raise PliesError("the database needs symmetries(), which does not compile")
        self.game, self.databases = game, list(databases)
        self.plain = copy(game)  # for a few look-ups nothing need be compiled
        self.plain.compiled = False
        # Kernels are compiled for one type of values and distances, whichever database is probed.
        self._types = (
            np.result_type(*(one.values.dtype for one in databases)),
            np.result_type(*(one.distances.dtype for one in databases)),
        )
        self._arrays = [self._arrays_of(one) for one in databases]
        self._chosen = 0
        self.barriers = [0, 0]
        """By player, the greatest rank of a win that their way must not lead through."""

    def _arrays_of(self, database: Database) -> Arrays:
        """The arrays that threads share."""
        values, distances = self._types
        none = int(np.iinfo(database.distances.dtype).max)
        timed = len(database.utilities) <= 3  # else an error of the other may lead to a greater win too late
        lasting = not (self.game.cycles and self.game.has("repetition_key"))
        facts = np.zeros(5, np.int64)
        facts[[SHIFT, NONE, LASTING, TIMED]] = database.shift, none, lasting, timed
        stages = np.zeros((0, 3), np.int64)
        if isinstance(database, IndexedDatabase):
            facts[GONE], stages = database.gone, database.stage_table
        return {
            "database_stages": stages,
            "database_words": database.words,
            "database_starts": database.starts,
            "database_values": database.values.astype(values, copy=False),
            "database_distances": database.distances.astype(distances, copy=False),
            "database_utilities": np.array(database.utilities, float),
            "database_facts": facts,
            "numbers": database.layout.numbers,
            "pieces": database.layout.pieces,
        }

    def arrays(self) -> Arrays:
        """The arrays of a kernel's workspace, of which no other has the last four."""
        layout = self.databases[self._chosen].layout
        barriers = np.zeros((LAST_PLY + 4, 2), np.int64)
        barriers[:] = self.barriers
        return {
            **self._arrays[self._chosen],
            "database_barriers": barriers,
            "row": np.zeros(len(layout.numbers), np.int64),
            "packed": np.zeros((2, layout.words), np.int64),
            "status": np.array([0, int(self.databases[self._chosen].folded), 0]),
        }

    def equip(self, work: Workspace) -> None:
        """Have a kernel probe the database of the search that is about to begin."""
        for name, array in self.arrays().items():
            setattr(work, name, array)

    def set_out(self, root: State, previous: Sequence[State]) -> None:
        """Choose the database for a search, and find what bars the way of its wins."""
        self.barriers = [0, 0]
        for number in reversed(range(len(self.databases))):  # the largest last
            self._chosen = number
            if entry_of(self.plain, root, self._work()) >= 0:
                break
        if not self.game.cycles:
            return
        work, met = self._work(), dict[int, int]()
        for state in [*previous, root]:
            here = position(self.game, state, self.game.to_move(state))
            met[here] = met.get(here, 0) + 1
            if met[here] < self.game.repetitions - 1:
                continue  # it may come up once more
            number = entry_of(self.plain, state, work)
            if number >= 0 and work.database_values[number] != 0:
                winner = 0 if work.database_values[number] > 0 else 1
                self.barriers[winner] = max(self.barriers[winner], rank(number, work))

    def preferences(self, state: State, actions: Sequence[Action]) -> dict[Action, int]:
        """How much each action wins, and how soon, or how late it loses: more is better for the mover."""
        game, work, mover = self.game, self._work(), self.game.to_move(state)
        found = dict.fromkeys(actions, 0)
        if entry_of(self.plain, state, work) < 0:
            return found
        for action in actions:
            child = game.result(state, action)
            number = entry_of(self.plain, child, work)  # of ends as well
            if number >= 0 and (value := int(work.database_values[number])):
                found[action] = rank(number, work) if (value > 0) == (mover == 0) else -rank(number, work)
        return found

    def _work(self) -> Workspace:
        return Workspace(**self.arrays())

    @property
    def tells_plies(self) -> bool:
        """Whether distances are those to the end of the game; where something is earned, they are those to
        where the rest is a draw."""
        return not self.game.has("earned")

    # -- In words.

    @property
    def name(self) -> str:
        """What the database is of."""
        ending = self.databases[self._chosen].ending
        return f"{self.game.name} {ending}".strip()

    @property
    def rests_on(self) -> str:
        """What a proof rests on that used it, in a sentence."""
        return f"Values of positions are taken from the database of {self.name}."

    def says(self, state: State) -> str:
        """What the database says of the position that is searched, and why that is no proof here."""
        game, work = self.game, self._work()
        number = entry_of(self.plain, state, work)
        if number < 0:
            return ""
        utility = worth_of(game, state, number, work)
        plies = int(work.database_distances[number]) if self.tells_plies else None
        if game.to_move(state) != 0:
            utility = 2 * game.draw_value - utility
        if work.database_values[number] == 0:
            return f"{self.name}: {Value.of(game, utility, True)}"
        words = f"{self.name}: {Value.of(game, utility, True, plies)}"
        if is_clear(game, state, number, 0, work):
            return words
        return f"{words}, which is no proof here: {self._obstacle(state, number, work)}"

    def _obstacle(self, state: State, number: int, work: Workspace) -> str:
        """Why a win may not be played out."""
        game, plies = self.game, int(work.database_distances[number])
        if game.has("plies_left") and plies > (left := game.plies_left(state)):
            return f"the clock leaves {left} plies"
        winner = 0 if work.database_values[number] > 0 else 1
        if rank(number, work) < work.database_barriers[0, winner]:
            return "the way may lead through a position of the game so far"
        if not work.database_facts[LASTING]:
            return "positions that differ count as repetitions of each other"
        return "it may take too long"


def unprobable(game: Game) -> str:
    """Why searches cannot probe a database of a game, in words; "" if they can."""
    if game.has("core") and not game.has("plies_left"):
        return (
            f"{type(game).__name__} leaves something out of its database by core(), and has no plies_left(): "
            "a search cannot know whether a clock ends the game first"
        )
    if game.has("earned") and game.has("plies_left"):
        return (
            f"{type(game).__name__} has earned() and plies_left(): what a clock makes of the game may differ "
            "from a draw of what is still to be earned"
        )
    return ""


def prober_for(game: Game, database: Database | bool, *, plies: bool = False) -> Prober | None:
    """What a search probes: a database that it was given, or those in the folder, or nothing.

    With `plies`, it is one that tells how soon the game ends.
    """
    if isinstance(database, Database):
        if plies and game.has("earned"):
            raise BadParameter(
                f"the database of {type(game).__name__} does not tell how soon the game ends: ask for the "
                "value alone, or go without"
            )
        if database.game is not game and rules_fingerprint(database.game) != rules_fingerprint(game):
            raise BadParameter(f"the database is for other rules: it was made for {database.game!r}")
        return Prober(game, [database])
    if not isinstance(database, bool):
        raise BadParameter(f"a database is one of open_database(), or True or False, not {database!r}")
    if not database or game.players != 2 or game.stochastic or game.superko or unprobable(game):
        return None
    if plies and game.has("earned"):
        return None
    found = kept_databases(game)
    return Prober(game, found) if found else None


def with_database(found: SearchResult, prober: Prober | None, runners: Sequence[Runner]) -> SearchResult:
    """A result with what its database says; by way of a table, proofs rest on it from the first probe on."""
    if prober is None:
        return found
    used = any(runner.run.probes for runner in runners)
    rests_on = f"{found.rests_on} {prober.rests_on}".strip() if used else found.rests_on
    return replace(found, rests_on=rests_on, database=prober.says(found.state))
