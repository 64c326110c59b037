"""`plies perft`: count move sequences, to test a move generator against published numbers."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Json, Plain, Words, game_and_state
from plies.cli.program import command


@command
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="The number of plies.")],
    words: Words = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the count after each first move, at DEPTH only.")
    ] = False,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Count the move sequences of each length up to DEPTH.

    Compare with published counts to test a move generator; --divide shows after
    which move they differ. A dice roll is a ply. Runs compiled if the game
    compiles. Ctrl-C ends it with the counts so far.
    """
    from plies.terminal.perft import PerftRun
    from plies.terminal.screen import Screen

    game, state = game_and_state(name, words or [])
    run = PerftRun(game, state, Screen(plain or as_json), quiet=as_json)
    counts = run.divide(depth) if divide else run.up_to(depth)
    if as_json:
        print(json.dumps(counts))
