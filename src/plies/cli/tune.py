"""`plies tune`: which refinements help in a game, and which levels of strength it has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Jobs, Json, Parameters, Plain, Ray, UnitsFile, game_of, where_of
from plies.cli.program import command
from plies.errors import BadParameter

Each = Annotated[
    str,
    typer.Option(
        "--limit",
        metavar="LIMIT",
        help="For each move: seconds, or depth=4 or nodes=2000, which is repeatable.",
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Keep every game there; a tuning that was interrupted goes on."),
]
Weights = Annotated[
    int | None,
    typer.Option(
        metavar="GAMES",
        help="Instead, learn the weights of the game's features from so many games of self-play, by logistic "
        "regression (Texel's method), and play them against those of the game.",
    ),
]


Games = Annotated[
    int | None,
    typer.Option(metavar="NUMBER", help="The most games of a trial (default: 1500; with --levels, 60)."),
]
Opened = Annotated[
    int | None,
    typer.Option(metavar="MOVES", help="Random moves that games begin with (default: 6; with --levels, 2)."),
]
FitLevels = Annotated[
    bool, typer.Option("--levels", help="Instead, fit the levels of strength, by games between neighbours.")
]
LIMIT = "0.02"
OPENED = (6, 2)
"""The random moves that games begin with: in trials of refinements, and between levels."""


@command
def tune(
    name: GameName,
    parameters: Parameters = None,
    limit: Each = LIMIT,
    games: Games = None,
    openings: Opened = None,
    jobs: Jobs = 1,
    ray: Ray = None,
    units: UnitsFile = None,
    seed: Annotated[int, typer.Option(help="Seed for the openings.")] = 0,
    save: Save = None,
    weights: Weights = None,
    levels: FitLevels = False,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Find out which refinements of alpha-beta, with which margins, help in a game.

    Each is tried in a match against those accepted before, with a sequential test
    of 0 against 30 normalised Elo; what is not accepted stays off. In the end, a
    line to paste into the game. Ctrl-C ends the tuning with the trials decided so
    far.

    With --levels, fit the levels of strength instead: from the weakest up, each is to
    score 60 to 80 % against the one below. --save FOLDER keeps them in levels.json,
    which the game names as its measured_levels.
    """
    from plies.terminal.screen import Screen
    from plies.terminal.tuning import TuningRun

    game = game_of(name, parameters or [])
    run = TuningRun(Screen(plain or as_json))
    if levels:
        if weights is not None or jobs != 1 or limit != LIMIT:
            raise BadParameter(
                "--levels fits nodes and temperatures: leave out --weights, --limit and --jobs"
            )
        print(
            run.levels(
                as_json,
                game,
                games=games or 60,
                openings=OPENED[1] if openings is None else openings,
                seed=seed,
                folder=save,
            )
        )
        return
    where = where_of(jobs, ray, None, units)
    games, openings = games or 1500, OPENED[0] if openings is None else openings
    if weights is not None:
        if save is not None:
            raise BadParameter("--weights keeps its games in a file of units: give --units, not --save")
        print(
            run.weights(
                as_json, game, weights, limit=limit, games=games, openings=openings, where=where, seed=seed
            )
        )
        return
    print(
        run.run(
            as_json, game, limit=limit, games=games, openings=openings, where=where, seed=seed, folder=save
        )
    )
