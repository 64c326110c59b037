"""`plies train`: evaluations that learn by self-play."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.arguments import GameName, Json, Parameters, Plain, Ray, game_of, where_of
from plies.cli.program import command

if TYPE_CHECKING:
    from plies.game import Game
    from plies.terminal.screen import Screen

Hidden = Annotated[
    int | None,
    typer.Option(
        metavar="UNITS",
        help="td: hidden units of the network (default: 40).",
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


Kind = Annotated[
    str | None,
    typer.Option(
        metavar="KIND",
        help="network: in the search, from planes; patterns: tables of sets of cells, from planes; td: by "
        "temporal differences, from an encoding; weights: of the game's features (default: what suits the "
        "game).",
    ),
]
Lambda = Annotated[
    float,
    typer.Option("--lambda", metavar="NUMBER", help="TD(lambda): decay of the eligibility traces, 0 to 1."),
]
Parts = Annotated[
    int,
    typer.Option(
        metavar="NUMBER",
        help="td, weights: learn in rounds of so many parts of 100 games from the same weights, and take the "
        "mean, for --jobs and --ray.",
        min=1,
    ),
]


Minutes = Annotated[
    float | None,
    typer.Option(metavar="NUMBER", help="network, patterns: stop after some minutes (default: 10).", min=0),
]
GenerationCount = Annotated[
    int | None,
    typer.Option(metavar="NUMBER", help="network, patterns: generations in all.", min=1),
]
Units = Annotated[
    int, typer.Option(metavar="NUMBER", help="network: hidden units, a multiple of 16 up to 256.")
]
Stages = Annotated[int, typer.Option(metavar="NUMBER", help="patterns: stages of the game, 1 to 64.")]
Nodes = Annotated[int, typer.Option(metavar="NUMBER", help="network, patterns: nodes of a search.")]
Games = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="td, weights: games in all (default: 10,000).")
]
Start = Annotated[Path | None, typer.Option(metavar="FILE.npz", help="td: start from this network.")]
Depth = Annotated[int, typer.Option(metavar="PLIES", help="weights: search depth (TD-leaf).")]
Rate = Annotated[
    float | None,
    typer.Option(metavar="NUMBER", help="td, weights: initial learning rate (default: 0.1, 0.01)."),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.npz",
        help="Write the result to this file (by default, GAME-KIND.npz; td, weights: with "
        "checkpoints, by default to none).",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        help="Parts done at once, each in a process of its own; 0 is one for every core (default: 0 for "
        "a network, else 1).",
    ),
]


RESUMED = ("kind", "games", "hidden", "depth", "rate", "lambda_", "random_moves", "parts", "seed")
"""The options that need not be repeated to resume a run, but must be the same if they are."""


@command
def train(
    context: typer.Context,
    name: GameName,
    parameters: Parameters = None,
    kind: Kind = None,
    minutes: Minutes = None,
    generations: GenerationCount = None,
    units: Units = 32,
    stages: Stages = 8,
    nodes: Nodes = 400,
    games: Games = None,
    hidden: Hidden = None,
    start: Start = None,
    depth: Depth = 1,
    rate: Rate = None,
    lambda_: Lambda = 0.7,
    random_moves: RandomMoves = None,
    seed: Annotated[int, typer.Option(help="Seed for the games.")] = 0,
    out: Out = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run of the --out file.")] = False,
    parts: Parts = 1,
    jobs: Jobs = None,
    ray: Ray = None,
    curve: Curve = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Learn an evaluation by self-play.

    For a game with planes, a network in the search, by generations; for one
    with dice and an encoding, a network by temporal differences; else the
    weights of its features. Pattern tables if asked for. A run that was stopped or killed continues with
    --resume, and ends as if it had never been interrupted.
    """
    from plies.learn.kinds import NETWORK, PATTERNS, TD, WEIGHTS, chosen_kind, kind_of
    from plies.terminal.screen import Screen
    from plies.terminal.training import TrainingRun

    game = game_of(name, parameters or [])
    given = _given(context)
    asked = ""
    if kind is None and resume and out is not None and (known := kind_of(out)):
        kind, asked = known, "resumed"
    elif kind is None and (hidden is not None or start is not None):
        kind, asked = TD, "--hidden and --start are for it"
    elif kind is None and (games is not None or depth != 1 or parts != 1):
        kind, asked = WEIGHTS, "--games, --depth and --parts are for it"
    kind, why = chosen_kind(game, kind)
    why = asked or why
    screen = Screen(plain or as_json)
    if kind in (NETWORK, PATTERNS):
        _train_network(game, why, screen, as_json, curve, out, resume, minutes, generations, jobs, ray,
                       kind=kind, units=units, stages=stages, nodes=nodes, seed=seed)  # fmt: skip
        return
    run = TrainingRun(screen, out, curve)
    run.prepare(
        game,
        resume,
        games=10_000 if games is None else games,
        hidden=(40 if hidden is None else hidden) if kind == TD and start is None else hidden,
        start=start,
        depth=depth,
        rate=rate,
        lambda_=lambda_,
        random_moves=random_moves,
        parts=parts,
        seed=seed,
        given=given,
    )
    run.why = why
    print(run.run(as_json, where_of(1 if jobs is None else jobs, ray, None, None)))


def _given(context: typer.Context) -> dict[str, Any]:
    """The options of `RESUMED` that are on the command line."""
    sources = {option: context.get_parameter_source(option) for option in RESUMED}
    return {
        option.rstrip("_"): context.params[option]
        for option, source in sources.items()
        if source is not None and source.name == "COMMANDLINE"
    }


def _train_network(
    game: Game,
    why: str,
    screen: Screen,
    as_json: bool,
    curve: Path | None,
    out: Path | None,
    resume: bool,
    minutes: float | None,
    generations: int | None,
    jobs: int | None,
    ray: str | None,
    **settings: Any,
) -> None:
    """Train a network in the search, or pattern tables."""
    from plies.learn.generations import Generations
    from plies.retrograde.folder import file_words
    from plies.terminal.network_training import NetworkTrainingRun

    where = where_of((0 if ray is None else 1) if jobs is None else jobs, ray, None, None)
    path = Path(f"{file_words(game, '')[0]}-{settings['kind']}.npz") if out is None else out
    command = " ".join(["plies", *sys.argv[1:]])
    run = Generations(game, path, where=where, command=command, **settings)
    limit = 10.0 if minutes is None and generations is None else minutes
    print(NetworkTrainingRun(run, screen, as_json, curve).go(why, resume, generations, limit))
