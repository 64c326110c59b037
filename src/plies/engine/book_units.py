"""Positions as units of work: those of an opening book's layer, and the parts of a large proof."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from plies.compiled.packing import numbers_of, read_state
from plies.engine.interrupts import noticing_interrupts
from plies.engine.opening_book_maker import DISTANCES, VALUES, BookMaker, MakerProgress
from plies.engine.result import rests_on
from plies.engine.solution import Solution, check_going_on
from plies.engine.value import Value
from plies.errors import PliesError
from plies.game import Game, State
from plies.opening_book.book import Entry, canonical
from plies.work.code import Code, Loader
from plies.work.run import Where, done_in_order
from plies.work.unit import Done, Task, Unit


class Positions(Task):
    """Proves the value of positions or, with `nodes`, searches them; each by itself, with an empty table."""

    kind = "book"
    noun = "position"

    def __init__(self, game: Game, nodes: int = 0, distances: bool = True, memory: float = 256) -> None:
        self.game, self.nodes, self.distances, self.memory = game, nodes, distances, memory
        self._maker = BookMaker(game, 1, nodes=nodes, memory=memory)
        self._like = game.initial()

    def do(self, unit: Unit) -> Done:
        """Work out a position."""
        with noticing_interrupts() as interrupts:
            entry = self._maker.alone(read_state(self._like, unit.data), self.distances)
        if interrupts.noticed:
            raise KeyboardInterrupt
        return Done(list(entry))

    def facts(self, code: Code) -> dict[str, Any]:
        settings = {"nodes": self.nodes, "distances": self.distances, "memory": self.memory}
        return {"game": code.game(self.game), **settings}

    @classmethod
    def made(cls, facts: dict[str, Any], loader: Loader) -> Positions:
        return cls(**{**facts, "game": loader.game(facts["game"])})


def worked_out(maker: BookMaker, where: Where, distances: bool = True) -> Iterator[MakerProgress]:
    """Work out the layer of a book wherever units are done, in the order of the layer."""
    distances = distances and maker.nodes == 0
    task = Positions(maker.game, maker.nodes, distances, maker.memory)
    layer = list(maker.layer)
    units = (
        Unit(number, numbers_of(state))
        for number, state in enumerate(layer)
        if not _is_complete(maker, state, distances)
    )
    for unit, done in done_in_order(task, units, where):
        entry = _entry(done)
        maker.new(layer[unit.number], entry)
        maker.know(layer[unit.number], entry)
        yield maker.progress(DISTANCES if distances else VALUES)


def _is_complete(maker: BookMaker, state: State, distances: bool) -> bool:
    entry = maker.entries.get(state)
    if entry is None or not distances:
        return entry is not None
    return entry.plies is not None or entry.utility == maker.game.draw_value


def _entry(done: Done) -> Entry:
    try:
        utility, plies, move = done.result
        return Entry(float(utility), plies, move)
    except (TypeError, ValueError):
        raise PliesError("what came out of a position is no value") from None


def solve_in_parts(
    game: Game,
    state: State | None,
    plies: int,
    where: Where,
    *,
    distance: bool = False,
    memory: float = 256,
) -> Iterator[Solution | MakerProgress]:
    """Prove the value of a position from those after some plies, each of which is a unit; the last is the
    solution, or what is known of it in a shard.

    It ends as soon as the position is settled; with `distance`, all of them are solved.
    """
    begun = time.perf_counter()
    start = game.initial() if state is None else state
    check_going_on(game, start)
    maker = BookMaker(game, plies, memory=memory, start=start)
    yield from maker.enumerate()
    root = canonical(game, start)
    for progress in worked_out(maker, where, distance):
        yield progress
        if root in maker.entries and not distance and where.shard is None:
            break
    entry = maker.entries.get(root)
    if entry is None or (distance and not _is_complete(maker, root, True)):
        low, high = (Value.of(game, bound, True) for bound in game.bounds)
        reason = where.next_step or "positions are missing"
        yield Solution(start, low, high, None, 0, time.perf_counter() - begun, reason)
        return
    value = Value.of(game, entry.utility, True, plies=(entry.plies or 0) if distance else None)
    said = (
        f"It follows from {maker.done:,} of {len(maker.layer):,} positions after {plies} plies, each proved."
    )
    seconds = time.perf_counter() - begun
    action = _attaining(maker, start, entry, distance)
    yield Solution(start, value, value, action, 0, seconds, book=f"{said} {rests_on(game)}")


def _attaining(maker: BookMaker, start: State, entry: Entry, distance: bool) -> Any:
    """The first action that attains the value and, if asked for, the distance."""
    for action, known in maker.by_action(start):
        if (
            known is not None
            and known.utility == entry.utility
            and (not distance or known.plies == entry.plies)
        ):
            return action
    return None
