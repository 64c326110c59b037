"""`plies solve`: the exact value of a position."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plies.cli.arguments import GameName, Json, Words, check_folder, game_and_state
from plies.cli.program import command

if TYPE_CHECKING:
    from plies.game import Game, State
    from plies.retrograde.checkpoint import Checkpoint

BOUNDS = 3
"""The exit code where bounds are known, but no value."""


@command
def solve(
    name: GameName,
    words: Words = None,
    distance: Annotated[
        bool, typer.Option("--distance", help="Also prove how soon the game ends with best play.")
    ] = False,
    time: Annotated[float | None, typer.Option(metavar="SECONDS", help="Time limit.")] = None,
    nodes: Annotated[int | None, typer.Option(metavar="NUMBER", help="Node limit.")] = None,
    memory: Annotated[
        float, typer.Option(metavar="MB", help="Size of the table, or of all states, in megabytes.")
    ] = 256,
    threads: Annotated[int | None, typer.Option(metavar="NUMBER", help="Threads of a search.")] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="alpha-beta; proof-number, which finds forced wins however deep; retrograde, by way of all "
            "states; value-iteration, for dice. By default, what suits the game.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="A refinement of alpha-beta, such as symmetry=no; may be repeated."
        ),
    ] = None,
    book: Annotated[
        str,
        typer.Option(metavar="yes|no|FILE", help="An opening book of proved positions, where there is one."),
    ] = "yes",
    strategy: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a strategy for the player to move: an answer to every reply."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove the value of a position, to the end of the game.

    If a limit or Ctrl-C comes first, the result is bounds on the value, and the
    exit code is 3 instead of 0. Where all states are listed, what was found is
    kept every minute: after a kill, the same command goes on.
    """
    from plies.engine.arguments import read_refinements
    from plies.engine.solve import solve as run
    from plies.terminal.formatting import solution_json, solution_text

    if strategy is not None:
        check_folder(strategy)
    game, state = game_and_state(name, words or [])
    refined = read_refinements(option) if option else None
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
    text = json.dumps(solution_json(game, solution)) if as_json else solution_text(game, solution)
    try:
        print(text, flush=True)
    finally:  # a full output does not cost the strategy
        if strategy is not None:
            found = solution.strategy()
            found.save(strategy)
            if not as_json:
                print(f"strategy   {found.positions:,} answers, in {strategy}")
    if not solution.solved:
        raise typer.Exit(BOUNDS)


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
