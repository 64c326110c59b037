"""Benchmark: how fast a game runs, compiled and interpreted, and what its rules, evaluation and table cost.

Every figure is a run of its own: walks of the game tree for the rules, the same walks with one more call at
each leaf for `evaluate` and `key`, and searches with and without the transposition table.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plies.compiled import interpreting, kernel
from plies.engine import AlphaBeta, Limit, Options, Search, algorithm_for, engine_for
from plies.engine.interrupts import Interrupts, noticing_interrupts
from plies.engine.root import blamed
from plies.errors import NotCompilable, PliesError
from plies.game import CHANCE, Game, State

POSITIONS, LEAVES, EVALUATE, KEY = range(4)
"""What a walk does: count all positions or its leaves, or call a rule at each leaf."""

RUNS = 3
"""The walks or searches that should fit in the time; the quickest counts, as other programs only slow it
down. Not tuned."""

DEEPEST = 60
"""The most plies of a walk: well within Python's recursion limit of 1000. Not tuned."""


@kernel
def walk(game, state, depth, what):  # type: ignore[no-untyped-def]
    """Generate every position down to a depth; at the leaves, do `what`."""
    if game.is_terminal(state):
        return 1.0 if what == POSITIONS else 0.0
    if depth == 0:
        if what == EVALUATE:
            mover = game.to_move(state)
            return 0.0 if mover == CHANCE else 1.0 * game.evaluate(state, max(mover, 0))
        if what == KEY:
            return 1.0 * (game.key(state) & 1)
        return 1.0
    total = 1.0 if what == POSITIONS else 0.0
    for action in game.actions(state):
        total += walk(game, game.result(state, action), depth - 1, what)
    return total


@dataclass(frozen=True)
class Rate:
    """The mean time of one operation."""

    seconds: float
    """For each; 0 if it is too short to be measured."""
    detail: str
    """What was run."""

    @property
    def per_second(self) -> float | None:
        """Operations per second."""
        return 1 / self.seconds if self.seconds > 0 else None


@dataclass
class Benchmark:
    """The rates of a game, by "compiled" or "interpreted", and by operation."""

    game: Game
    rates: dict[str, dict[str, Rate]] = field(default_factory=dict)
    why_not: str = ""
    """Why the game was not compiled; "" if it was."""
    stopped: bool = False
    """Whether Ctrl-C ended it before all was measured."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": repr(self.game),
            **{
                form: {
                    what: {"seconds": rate.seconds, "per_second": rate.per_second, "run": rate.detail}
                    for what, rate in rates.items()
                }
                for form, rates in self.rates.items()
            },
            "why_not_compiled": self.why_not,
            "stopped": self.stopped,
        }


MEANINGS = {
    "rules": "a position made by actions(), result() and is_terminal(), on a walk of the whole tree",
    "evaluate": "a call of evaluate(): that walk with one at each leaf, less the walk",
    "key": "a call of key(), by which the table identifies a position: measured likewise",
    "search": "a node of the search that suits the game; a short search is mostly its start",
    "search without table": "the same with Options(table=False); the table saves more nodes than it costs",
}
"""What each figure measures."""


def benchmark(
    game: Game, state: State | None = None, seconds: float = 0.5, tell: Callable[[str], None] | None = None
) -> Benchmark:
    """Measure a game from a position, each figure for some seconds; `tell` is called with the progress.

    Ctrl-C ends it with the figures so far.
    """
    result = Benchmark(game)
    with noticing_interrupts() as interrupts, blamed(game, state):
        state = _decision(game, game.initial() if state is None else state)
        try:
            for form, subject in _forms(game, state, result):
                rates = result.rates[form] = {}
                if tell:
                    tell(form)
                for what, rate in _measured(subject, state, seconds, interrupts):
                    rates[what] = rate
                    if tell:
                        tell(f"{form}: {what} done")
        except KeyboardInterrupt:
            result.stopped = True
    return result


def evaluation_cost(game: Game, state: State, seconds: float = 0.1) -> dict[str, dict[str, Rate]]:
    """The figures "rules" and "evaluate" alone, by "compiled", if the game compiles, and "interpreted"."""
    with blamed(game, state):
        state = _decision(game, state)
        return {
            form: dict(_walked(subject, state, seconds, ("rules", "evaluate")))
            for form, subject in _forms(game, state, Benchmark(game))
        }


def _decision(game: Game, state: State) -> State:
    """The position, or the first one after it with a player to move."""
    while not game.is_terminal(state) and game.to_move(state) == CHANCE:
        state = game.result(state, next(iter(game.actions(state))))
    if game.is_terminal(state):
        raise PliesError("there is nothing to measure: the game is over")
    return state


def _forms(game: Game, state: State, result: Benchmark) -> Iterator[tuple[str, Game]]:
    """The game compiled, if that can be, and interpreted."""
    if game.compiled is False or interpreting():
        result.why_not = "compilation is switched off"
    else:
        try:
            walk.compiled_for(game, state, 1, LEAVES)
        except NotCompilable as reason:
            result.why_not = str(reason)
        else:
            yield "compiled", game
    plain = copy.copy(game)
    plain.compiled = False
    yield "interpreted", plain


def _measured(game: Game, state: State, seconds: float, interrupts: Interrupts) -> Iterator[tuple[str, Rate]]:
    """Each figure of a game in one form."""
    yield from _walked(game, state, seconds, tuple(MODES))
    name = algorithm_for(game)
    engine = _without_book(engine_for(game, name))
    yield "search", _searched(engine, state, seconds, interrupts)
    options = getattr(engine, "options", None)
    if isinstance(options, Options) and options.table:
        without = _without_book(engine_for(game, name, options=replace(options, table=False)))
        yield "search without table", _searched(without, state, seconds, interrupts)


def _without_book(engine: Search) -> Search:
    """A search without an opening book, which would leave nothing to measure."""
    if isinstance(engine, AlphaBeta):
        engine.book = None
    return engine


MODES = {"rules": LEAVES, "evaluate": EVALUATE, "key": KEY}
"""What a walk does, by the figure that it measures."""


def _walked(game: Game, state: State, seconds: float, wanted: Sequence[str]) -> Iterator[tuple[str, Rate]]:
    """Some figures that walks measure."""
    run = walk.best_for(game, state, 1, LEAVES)
    for what in wanted:
        mode = MODES[what]
        if what == "evaluate" and not game.has("evaluate"):
            continue
        depth = _depth(game, run, state, mode, seconds / RUNS)
        positions, leaves = (run(game, state, depth, count) for count in (POSITIONS, LEAVES))
        plain = _quickest(run, game, state, depth, LEAVES, seconds)
        if mode == LEAVES:
            yield what, Rate(plain / positions, f"depth {depth}, {positions:,.0f} positions")
        elif leaves:
            longer = _quickest(run, game, state, depth, mode, seconds) - plain
            yield what, Rate(max(longer, 0.0) / leaves, f"at {leaves:,.0f} leaves")


def _depth(game: Game, run: Callable[..., float], state: State, what: int, seconds: float) -> int:
    """The depth with the most leaves, out of those to which a walk should take no longer than `seconds`."""
    best, most, before = 1, 0.0, 1.0
    for depth in range(1, DEEPEST + 1):
        leaves = run(game, state, depth, LEAVES)
        start = time.perf_counter()
        run(game, state, depth, what)
        spent = time.perf_counter() - start
        if leaves >= most:
            best, most = depth, leaves
        if not leaves or spent * max(leaves / before, 1) > seconds:  # time grows as the leaves do
            break
        before = leaves
    return best


def _quickest(
    run: Callable[..., float], game: Game, state: State, depth: int, what: int, seconds: float
) -> float:
    """The time of the quickest walk, out of as many as there are seconds for."""
    end = time.perf_counter() + seconds
    best, now = float("inf"), 0.0
    while now < end:
        start = time.perf_counter()
        run(game, state, depth, what)
        now = time.perf_counter()
        best = min(best, now - start)
    return best


def _searched(engine: Search, state: State, seconds: float, interrupts: Interrupts) -> Rate:
    """The quickest search of a position, out of as many from scratch as there are seconds for."""
    engine.search(state, Limit(nodes=1))  # compile
    best, runs = Rate(float("inf"), ""), 0
    end = time.perf_counter() + seconds
    while runs < RUNS or time.perf_counter() < end:
        engine.clear()
        found = engine.search(state, Limit(time=seconds / RUNS))
        if interrupts.noticed:  # Ctrl-C ended the search without an error
            raise KeyboardInterrupt
        runs += 1
        if found.nodes and found.seconds / found.nodes < best.seconds:
            detail = f"{engine.algorithm}, {found.nodes:,} nodes to depth {found.depth}"
            best = Rate(found.seconds / found.nodes, detail)
    return best


UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def short_time(seconds: float) -> str:
    """A time in three digits: "85.2 ns"."""
    size, unit = next(((size, unit) for size, unit in UNITS if seconds >= size), UNITS[-1])
    return f"{seconds / size:.3g} {unit}"
