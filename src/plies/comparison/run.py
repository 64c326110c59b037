"""Running algorithms, and functions of one's own, on one position."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from plies.book import Decision, suited
from plies.book.algorithms import ALGORITHMS as BOOK
from plies.book.algorithms import about
from plies.book.decision import depth_bound
from plies.comparison.functions import Counted, GaveUp, LimitedCounts, arguments, decided, has_trace
from plies.comparison.table import Comparison, Effort, effective_branching_factor
from plies.engine import ALGORITHMS, Limit, Options, algorithm_for, engine_for
from plies.engine.algorithms import ENGINE
from plies.engine.arguments import REFINED, keywords, read_words, split_options
from plies.engine.expectimax import Expectimax
from plies.engine.interrupts import noticing_interrupts
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Game, State
from plies.registry import function

NAMES = (
    ENGINE,
    *(name for name, one in ALGORITHMS.items() if not one.book),
    *(f"book:{name}" for name in BOOK),
)
"""The algorithms that can be compared."""

GROUPS = (
    ("minimax", "alpha-beta"),
    ("depth-first",),
    ("expectiminimax",),
    ("max-n", "opponents", "paranoid"),
)
"""The algorithms compared by default: the first group with one that serves the game."""

LIMIT = 1_000_000
"""The nodes after which an algorithm gives up, by default. Not tuned."""

Runner = Callable[[Game, State, int | None, int], Effort]
"""Runs an algorithm on a position to a depth, up to a limit of nodes."""


def compare(
    game: Game,
    state: State | None = None,
    *,
    depth: int | None = None,
    algorithms: Sequence[str | Callable[..., Any]] = (),
    limit: int = LIMIT,
) -> Comparison:
    """Run algorithms on the same position, to the same depth, and compare their values and effort.

    Those of the book ("book:minimax") run interpreted; those of the engine ("alpha-beta", or "engine" for the
    one that suits the game) as machine code if the game compiles, without extensions beyond the depth. By
    default, all of the game's kind. Options follow a name: "book:alpha-beta:fail_hard=yes". The depth is in
    plies for each of them, and a roll of the dice is a ply. One that has not finished after `limit` nodes
    gives up; at Ctrl-C, so does the current one, and the rest are left out.

    A function of your own, or "FILE.py:NAME", is called with as many of the game, the state and the depth as
    it takes. It returns the value to the player to move, or the value and the action, or a `book.Decision`.
    Its nodes are those it reports to a parameter `trace`, or else the root and every `result` it asks for.
    """
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        raise PliesError("there is nothing to compare: the game is over")
    if game.to_move(state) == CHANCE:
        raise PliesError("there is nothing to compare: chance is to move")
    depth_bound(depth)
    runners = [_runner(one, game, depth) for one in algorithms or suitable(game)]
    if limit < 1:
        raise BadParameter(f"the limit must be 1 node or more, not {limit}")
    rows: list[Effort] = []
    with noticing_interrupts() as interrupts:
        try:
            for run in runners:
                if interrupts.noticed:
                    break
                rows.append(run(game, state, depth, limit))
        except KeyboardInterrupt:  # between two algorithms
            pass
    return Comparison(game, state, depth, rows, interrupts.noticed)


def suitable(game: Game) -> tuple[str, ...]:
    """The algorithms compared on a game by default: those of its kind that serve it, and the engine."""
    for group in GROUPS:
        if found := suited(game, group):
            return *(f"book:{name}" for name in found), ENGINE
    return (ENGINE,)


def _runner(chosen: str | Callable[..., Any], game: Game, depth: int | None) -> Runner:
    """How a name, with its options, or a function is run."""
    if not isinstance(chosen, str):
        named = getattr(chosen, "func", chosen)  # a functools.partial has no name
        return partial(_own, getattr(named, "__name__", "function"), chosen)
    name, words = split_options(chosen)
    if ".py:" in name and not words:
        return partial(_own, name, function(name))
    if name not in NAMES:
        known = f"{', '.join(NAMES)}, or a function as FILE.py:NAME"
        raise BadParameter(f"there is no algorithm {name!r}; there are {known}")
    if name == ENGINE:
        name = algorithm_for(game, Limit(depth=depth or 1))
    options = read_words(words, name)
    label = ":".join((name, *(word.replace(" ", "") for word in words)))
    return partial(_book if name.startswith("book:") else _engine, label, name, options)


def _book(
    label: str, name: str, options: dict[str, Any], game: Game, state: State, depth: int | None, limit: int
) -> Effort:
    """Run an algorithm of the book."""
    name = name.removeprefix("book:")
    if depth is not None and about(name).rounds:
        stop = options.get("cutoff")
        options = {**options, "cutoff": lambda at, ply: ply >= depth or (stop and stop(at, ply))}
        return _own(label, partial(BOOK[name], **options), game, state, None, limit)
    return _own(label, partial(BOOK[name], **options), game, state, depth, limit)


def _own(
    label: str, search: Callable[..., Any], game: Game, state: State, depth: int | None, limit: int
) -> Effort:
    """Run a function, of the book or of one's own."""
    counts = LimitedCounts(limit)
    traced = has_trace(search)
    searched = game if traced else Counted(game, state, counts)
    given = arguments(search, label, searched, state, depth, counts)
    value, move = None, ""
    begun = time.perf_counter()
    try:
        found = search(*given.args, **given.kwargs)
    except (GaveUp, KeyboardInterrupt):
        pass
    else:
        if not isinstance(found, Decision) or found.value is not None:  # None: undecided
            value, move = decided(found, label, game, state)
    seconds = time.perf_counter() - begun
    branching = effective_branching_factor(counts.nodes, depth or counts.stack - 1)
    cuts = sum(counts.cuts.values()) if traced else None
    return Effort(label, value, move, counts.nodes, counts.stack, cuts, seconds, branching)


def _engine(
    label: str, name: str, options: dict[str, Any], game: Game, state: State, depth: int | None, limit: int
) -> Effort:
    """Run an algorithm of the engine, exactly to the depth."""
    if name in REFINED:
        options = {"options": Options(quiescence=False, candidates=False, extensions=False), **options}
    engine = engine_for(game, name, **keywords(game, name, options))
    if isinstance(engine, Expectimax):  # whose own depth counts rounds
        engine = engine.inner(game.to_move(state))
    found = engine.search(state, Limit(depth=depth, nodes=limit))
    finished = found.value.proved or (depth is not None and found.depth >= depth)
    return Effort(
        label,
        float(found.value.utility) if finished else None,
        game.notation(state, found.action) if finished else "",
        found.nodes,
        None if name == "depth-first" else found.depth + 1,
        found.cuts,
        found.seconds,
        effective_branching_factor(found.nodes, depth or found.depth),
    )
