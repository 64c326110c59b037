"""`plies match`: who is stronger, and by how much."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import (
    GameName,
    Json,
    Parameters,
    Plain,
    PlayerOption,
    PlotFile,
    game_of,
    with_options,
)
from plies.cli.program import command


@command
def match(
    name: GameName,
    first: Annotated[str, typer.Argument(metavar="PLAYER", help="A player: {machines}.")],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The opponent.")],
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="Number of games.")] = 20,
    openings: Annotated[
        int, typer.Option(metavar="MOVES", help="Random moves at the start of each game.")
    ] = 4,
    option: PlayerOption = None,
    seed: Annotated[int, typer.Option(help="Seed for openings, dice and random players.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write each game to a file as it ends, as a line of JSON."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the match in the --save file.")] = False,
    ponder: Annotated[
        bool,
        typer.Option("--ponder", help="Let engines think on the opponent's time; needs a core for each."),
    ] = False,
    plot: PlotFile = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Play a match: who is stronger, and by how much?

    The players swap sides after each game, so each opening is played twice. Ctrl-C
    ends the match with the games played so far.
    """
    from plies.arena import match as run
    from plies.terminal.match import Progress, match_json, match_text
    from plies.terminal.screen import Screen

    game = game_of(name, parameters or [])
    first, second = with_options(f"{first},{second}", option, game).split(",")
    if plot is not None:
        from plies.draw import plots

        plots.checked(plot)  # refused before anybody plays
    progress = Progress(Screen(plain or as_json))
    result = run(
        game,
        first,
        second,
        games=games,
        openings=openings,
        seed=seed,
        save=save,
        resume=resume,
        ponder=ponder,
        tell=progress,
    )
    progress.end()
    described = match_json if as_json else match_text
    text = described(game, result, openings)
    try:
        print(json.dumps(text) if as_json else text, flush=True)
    finally:  # a full output does not cost the plot
        if plot is not None:
            plots.matches(result, game.name).save(plot)
