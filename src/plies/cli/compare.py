"""`plies compare`: algorithms side by side on one position."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Json, Words, game_and_state
from plies.cli.program import command


@command
def compare(
    name: GameName,
    words: Words = None,
    depth: Annotated[
        int | None, typer.Option(metavar="PLIES", help="Depth limit (default: to the end of the game).")
    ] = None,
    algorithms: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Some of {compared}; default: those that suit the game.",
            show_default=False,
        ),
    ] = "",
    limit: Annotated[
        int, typer.Option(metavar="NODES", help="Give up on an algorithm after this many nodes.")
    ] = 1_000_000,
    as_json: Json = False,
) -> None:
    """Compare algorithms on a position: their values and cost.

    The book's run interpreted, the engine's compiled, if the game compiles.
    Ctrl-C ends it with the results so far.
    """
    from plies.comparison import compare as run

    game, state = game_and_state(name, words or [])
    chosen = [word.strip() for word in algorithms.split(",") if word.strip()]
    result = run(game, state, depth=depth, algorithms=chosen, limit=limit)
    print(json.dumps(result.data()) if as_json else result)
