"""`plies suite`: search a file of test positions, and count those that are solved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Json, Parameters, Plain, checked_time, game_of
from plies.cli.program import command


@command
def suite(
    name: GameName,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="EPD for chess, OBF for Othello, moves with scores for Connect Four."
        ),
    ],
    parameters: Parameters = None,
    time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Time limit for each position (default for EPD: 1)."),
    ] = None,
    depth: Annotated[int | None, typer.Option(metavar="PLIES", help="Depth limit.")] = None,
    nodes: Annotated[int | None, typer.Option(metavar="NUMBER", help="Node limit.")] = None,
    first: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Take only so many positions of the file.", min=1)
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Search a file of positions whose best moves or values are known.

    Positions with best moves (EPD) are searched for a second, or within the limits.
    Those with values (OBF, Connect Four) are solved: proved, unless a limit comes
    first. Shows a table of what was solved, in how many nodes and how long.
    """
    from plies.engine.limit import Limit
    from plies.suites import read_suite
    from plies.terminal.screen import Screen
    from plies.terminal.suite import SuiteRun

    if time is not None:
        checked_time(time)
    limit = Limit(time, depth, nodes)
    game = game_of(name, parameters or [])
    problems = read_suite(game, file)[:first]
    run = SuiteRun(game, problems, None if limit == Limit() else limit, Screen(plain or as_json), as_json)
    data = run.run()
    if as_json:
        print(json.dumps(data))
