"""`plies solve`: the exact value of a position."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plies.cli.arguments import (
    GameName,
    Jobs,
    Json,
    Ray,
    Shard,
    UnitsFile,
    Words,
    check_folder,
    game_and_state,
    where_of,
)
from plies.cli.program import command
from plies.errors import BadParameter

if TYPE_CHECKING:
    from plies.engine.solution import Solution
    from plies.game import Game, State
    from plies.retrograde.checkpoint import Checkpoint
    from plies.work.run import Where

BOUNDS = 3
"""The exit code where bounds are known, but no value."""


Distance = Annotated[
    bool, typer.Option("--distance", help="Also prove how soon the game ends with best play.")
]
Memory = Annotated[
    float, typer.Option(metavar="MB", help="Size of the table, or of all states, in megabytes.")
]
Algorithm = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="alpha-beta; proof-number, which finds forced wins however deep; retrograde, by way of all "
        "states; value-iteration, for dice. By default, what suits the game.",
    ),
]
Refinements = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE", help="A refinement of alpha-beta, such as symmetry=no; may be repeated."
    ),
]
Book = Annotated[
    str,
    typer.Option(metavar="yes|no|FILE", help="An opening book of proved positions, where there is one."),
]
StrategyFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a strategy for the player to move: an answer to every reply."),
]
Parts = Annotated[
    int | None,
    typer.Option(
        metavar="PLIES",
        help="Prove every position after so many plies by itself, as --jobs, --ray or --shard say.",
        min=1,
    ),
]


@command
def solve(
    name: GameName,
    words: Words = None,
    distance: Distance = False,
    time: Annotated[float | None, typer.Option(metavar="SECONDS", help="Time limit.")] = None,
    nodes: Annotated[int | None, typer.Option(metavar="NUMBER", help="Node limit.")] = None,
    memory: Memory = 256,
    threads: Annotated[int | None, typer.Option(metavar="NUMBER", help="Threads of a search.")] = None,
    algorithm: Algorithm = None,
    option: Refinements = None,
    book: Book = "yes",
    strategy: StrategyFile = None,
    parts: Parts = None,
    jobs: Jobs = 1,
    ray: Ray = None,
    shard: Shard = None,
    units: UnitsFile = None,
    as_json: Json = False,
) -> None:
    """Prove the value of a position, to the end of the game.

    If a limit or Ctrl-C comes first, the result is bounds on the value, and the
    exit code is 3 instead of 0. Where all states are listed, what was found is
    kept every minute: after a kill, the same command goes on.
    """
    from plies.engine.arguments import read_refinements
    from plies.engine.solve import solve as run

    if strategy is not None:
        check_folder(strategy)
    game, state = game_and_state(name, words or [])
    refined = read_refinements(option) if option else None
    where = where_of(jobs, ray, shard, units)
    if parts is not None:
        if time or nodes or threads or algorithm or option or strategy or book != "yes":
            raise BadParameter("a proof in parts takes --distance, --memory and where they are done, no more")
        _print(game, _in_parts(game, state, parts, where, distance, memory), as_json)
        return
    if where.elsewhere:
        raise BadParameter("only a proof in parts can be done elsewhere: give --parts PLIES")
    with _checkpoint(game, state, algorithm) as checkpoint:
        solution = run(
            game,
            state,
            distance=distance,
            time=time,
            nodes=nodes,
            memory=memory,
            algorithm=algorithm,
            threads=threads,
            options=refined,
            book=book,
            checkpoint=checkpoint,
        )
    try:
        _print(game, solution, as_json)
    finally:  # a full output does not cost the strategy
        if strategy is not None:
            found = solution.strategy()
            found.save(strategy)
            if not as_json:
                print(f"strategy   {found.positions:,} answers, in {strategy}")


def _print(game: Game, solution: Solution, as_json: bool) -> None:
    from plies.terminal.formatting import solution_json, solution_text

    text = json.dumps(solution_json(game, solution)) if as_json else solution_text(game, solution)
    print(text, flush=True)
    if not solution.solved:
        raise typer.Exit(BOUNDS)


def _in_parts(game: Game, state: State, plies: int, where: Where, distance: bool, memory: float) -> Solution:
    """The solution from positions that are solved elsewhere, with progress."""
    from plies.cli.book import show_progress
    from plies.cli.meter import show
    from plies.engine.book_units import solve_in_parts
    from plies.engine.solution import Solution

    try:
        for found in solve_in_parts(game, state, plies, where, distance=distance, memory=memory):
            if isinstance(found, Solution):
                return found
            show_progress(found)
    finally:
        show("")
    raise AssertionError("the last is the solution")


@contextlib.contextmanager
def _checkpoint(game: Game, state: State, algorithm: str | None) -> Iterator[Checkpoint | None]:
    """Where the listing of all states is kept; None for a search, or where rules have no fingerprint."""
    from plies.engine.solve import RETROGRADE, VALUE_ITERATION, algorithm_for
    from plies.errors import Unsuitable
    from plies.retrograde.folder import checkpoint_of

    if (algorithm or algorithm_for(game)) not in (RETROGRADE, VALUE_ITERATION):
        yield None
        return
    try:
        checkpoint = checkpoint_of(game, roots=[state])
    except Unsuitable:
        yield None
        return
    try:
        yield checkpoint
    finally:
        checkpoint.close()
