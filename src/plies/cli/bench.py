"""`plies bench`: how fast a game runs, and where the time goes."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Json, Plain, Words, checked_time, game_and_state
from plies.cli.program import command


@command
def bench(
    name: GameName,
    words: Words = None,
    time: Annotated[float, typer.Option(metavar="SECONDS", help="Time for each figure.")] = 0.5,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Measure how fast a game runs, and where the time goes.

    Times the rules, evaluate() and key(), a node of the search that suits the
    game, and of the same search without its transposition table, compiled and
    interpreted. Ctrl-C ends it with the figures so far.
    """
    from plies.benchmark import benchmark
    from plies.terminal.bench import bench_text
    from plies.terminal.screen import Screen

    checked_time(time)
    game, state = game_and_state(name, words or [])
    screen = Screen(plain or as_json)
    try:
        result = benchmark(game, state, time, tell=lambda what: screen.passing(f"{what} … (Ctrl-C stops)"))
    finally:
        screen.passing()
    print(json.dumps(result.to_dict()) if as_json else bench_text(result))
