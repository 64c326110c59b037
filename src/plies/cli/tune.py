"""`plies tune`: which refinements help in a game."""

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


@command
def tune(
    name: GameName,
    parameters: Parameters = None,
    limit: Each = "0.02",
    games: Annotated[int, typer.Option(metavar="NUMBER", help="The most games of a trial.")] = 1500,
    openings: Annotated[int, typer.Option(metavar="MOVES", help="Random moves that games begin with.")] = 6,
    jobs: Jobs = 1,
    ray: Ray = None,
    units: UnitsFile = None,
    seed: Annotated[int, typer.Option(help="Seed for the openings.")] = 0,
    save: Save = None,
    weights: Weights = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Find out which refinements of alpha-beta, with which margins, help in a game.

    Each is tried in a match against those accepted before, with a sequential test
    of 0 against 30 normalised Elo; what is not accepted stays off. In the end, a
    line to paste into the game. Ctrl-C ends the tuning with the trials decided so
    far.
    """
    from plies.terminal.screen import Screen
    from plies.terminal.tuning import TuningRun

    game = game_of(name, parameters or [])
    run = TuningRun(Screen(plain or as_json))
    if weights is not None:
        if jobs != 1 or ray is not None or units is not None or save is not None:
            raise BadParameter(
                "--weights plays one game at a time, and keeps none: leave out --jobs, --ray, --units, --save"
            )
        print(run.weights(as_json, game, weights, limit=limit, games=games, openings=openings, seed=seed))
        return
    where = where_of(jobs, ray, None, units)
    print(
        run.run(
            as_json, game, limit=limit, games=games, openings=openings, where=where, seed=seed, folder=save
        )
    )
