"""`plies train`: evaluations that learn by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Jobs, Json, Parameters, Plain, Ray, game_of, where_of
from plies.cli.program import command

Hidden = Annotated[
    int | None,
    typer.Option(
        metavar="UNITS",
        help="Train a neural network with this many hidden units (default: train the weights of the game's "
        "features).",
    ),
]
RandomMoves = Annotated[
    float | None,
    typer.Option(
        metavar="NUMBER", help="Probability of a random move, 0 to 1 (default: 0 with dice, else 0.05)."
    ),
]
Curve = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.svg", help="Plot the learning curve (needs Matplotlib: pip install 'plies[plots]')."
    ),
]


@command
def train(
    name: GameName,
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="Total number of games.")] = 10_000,
    hidden: Hidden = None,
    start: Annotated[Path | None, typer.Option(metavar="FILE.npz", help="Start from this network.")] = None,
    depth: Annotated[
        int, typer.Option(metavar="PLIES", help="Search depth when training weights (TD-leaf).")
    ] = 1,
    rate: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Initial learning rate (default: 0.1 for a network, else 0.01)."),
    ] = None,
    lambda_: Annotated[
        float,
        typer.Option(
            "--lambda", metavar="NUMBER", help="TD(lambda): decay of the eligibility traces, 0 to 1."
        ),
    ] = 0.7,
    random_moves: RandomMoves = None,
    seed: Annotated[int, typer.Option(help="Seed for the games.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="Write checkpoints, and in the end the result, to this file."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the --save file.")] = False,
    parts: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="Learn in rounds of so many parts of 100 games from the same weights, and take the mean, "
            "for --jobs and --ray.",
            min=1,
        ),
    ] = 1,
    jobs: Jobs = 1,
    ray: Ray = None,
    curve: Curve = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Learn an evaluation by self-play, with temporal differences.

    A run that was stopped or killed continues with --resume, and ends as if it
    had never been interrupted.
    """
    from plies.terminal.screen import Screen
    from plies.terminal.training import TrainingRun

    game = game_of(name, parameters or [])
    run = TrainingRun(Screen(plain or as_json), save, curve)
    run.prepare(
        game,
        resume,
        games=games,
        hidden=hidden,
        start=start,
        depth=depth,
        rate=rate,
        lambda_=lambda_,
        random_moves=random_moves,
        parts=parts,
        seed=seed,
    )
    print(run.run(as_json, where_of(jobs, ray, None, None)))
