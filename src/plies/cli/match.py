"""`plies match`: who is stronger, and by how much."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import (
    GameName,
    Json,
    NetworkFile,
    Parameters,
    Plain,
    PlayerOption,
    PlotFile,
    Ray,
    Shard,
    UnitsFile,
    game_of,
    network_option,
    where_of,
)
from plies.cli.program import command
from plies.errors import BadParameter
from plies.history import LONGEST_GAME

FirstPlayer = Annotated[str, typer.Argument(metavar="PLAYER", help="A player: {machines}.")]
SecondPlayer = Annotated[str, typer.Argument(metavar="PLAYER", help="The opponent.")]
Games = Annotated[int, typer.Option(metavar="NUMBER", help="Number of games.")]
Openings = Annotated[
    str,
    typer.Option(
        metavar="MOVES|game|FILE",
        help="How games begin: with a number of random moves, the openings that come with the game, or those "
        "of a file: positions, moves or EPD, one a line, or games, such as PGN.",
    ),
]
Shuffle = Annotated[bool, typer.Option("--shuffle", help="Take the openings in random order, by the seed.")]
Hypotheses = Annotated[
    tuple[float, float] | None,
    typer.Option(
        metavar="ELO0 ELO1",
        help="Stop when a sequential test (SPRT) has decided between two strengths, in normalised Elo.",
    ),
]
Alpha = Annotated[float, typer.Option(help="How often the SPRT may accept ELO1 wrongly.")]
Beta = Annotated[float, typer.Option(help="How often the SPRT may accept ELO0 wrongly.")]
Jobs = Annotated[
    int,
    typer.Option(
        metavar="NUMBER",
        help="How many games are played at once, each in a process of its own; 0 is one for every core. "
        "Players with a time limit may disturb each other.",
    ),
]
TimeControl = Annotated[
    str | None,
    typer.Option(
        metavar="[MOVES/]SECONDS[+INCREMENT]",
        help="A clock for the whole game, such as 10+0.1; whoever oversteps it loses.",
    ),
]
Resign = Annotated[
    tuple[float, int] | None,
    typer.Option(
        metavar="SCORE MOVES",
        help="Resign for a player that finds itself SCORE behind, in units of the game such as pawns, for "
        "MOVES moves in a row.",
    ),
]
Adjudicate = Annotated[
    bool, typer.Option("--adjudicate", help="End a game as soon as a search has proved its value.")
]
Plies = Annotated[int, typer.Option(metavar="NUMBER", help="A game is drawn after so many moves.")]
Seed = Annotated[int, typer.Option(help="Seed for openings, dice and random players.")]
Save = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write each game to a file as it ends, as a line of JSON."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the match in the --save file.")]
Record = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write each game to a file, with evaluations and times, in the format that its name says: .pgn, "
        ".sgf, .pdn.",
    ),
]
Ponder = Annotated[
    bool,
    typer.Option("--ponder", help="Let engines think on the opponent's time; needs a core for each."),
]


def _sorted(words: list[str]) -> tuple[str, str, list[str]]:
    """The two players and the game's parameters, which may come before them, as in other commands."""
    parameters = [word for word in words if re.match(r"\s*\w+=", word)]
    others = [word for word in words if word not in parameters]
    if len(others) < 2:
        raise BadParameter(f"a match has two players: {parameters[0]!r} is for a parameter of the game")
    return others[0], others[1], others[2:] + parameters


@command
def match(
    name: GameName,
    first: FirstPlayer,
    second: SecondPlayer,
    parameters: Parameters = None,
    games: Games = 20,
    openings: Openings = "4",
    shuffle: Shuffle = False,
    sprt: Hypotheses = None,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    jobs: Jobs = 1,
    ray: Ray = None,
    shard: Shard = None,
    units: UnitsFile = None,
    clock: TimeControl = None,
    resign: Resign = None,
    adjudicate: Adjudicate = False,
    plies: Plies = LONGEST_GAME,
    option: PlayerOption = None,
    network: NetworkFile = None,
    seed: Seed = 0,
    save: Save = None,
    resume: Resume = False,
    record: Record = None,
    ponder: Ponder = False,
    plot: PlotFile = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Play a match: who is stronger, and by how much?

    The players swap sides after each game, so each opening is played twice, and
    the two games count as a pair. Ctrl-C ends the match with the games played so
    far.
    """
    from plies.arena import Sprt
    from plies.arena import match as run
    from plies.engine.arguments import options_of, shared
    from plies.terminal.match import Progress, match_json, match_text
    from plies.terminal.screen import Screen

    first, second, parameters = _sorted([first, second, *(parameters or [])])
    game = game_of(name, parameters)
    if option := network_option(network, option):
        own = [options_of(player, game) for player in (first, second)]
        first, second = shared([first, second], option, own)
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
        shuffle=shuffle,
        seed=seed,
        sprt=None if sprt is None else Sprt(*sprt, alpha, beta),
        where=where_of(jobs, ray, shard, units),
        clock=clock,
        resign=resign,
        adjudicate=adjudicate,
        plies=plies,
        save=save,
        resume=resume,
        record=record,
        ponder=ponder,
        tell=progress,
    )
    progress.end()
    described = match_json if as_json else match_text
    text = described(game, result)
    try:
        print(json.dumps(text) if as_json else text, flush=True)
    finally:  # a full output does not cost the plot
        if plot is not None:
            plots.matches(result, game.name).save(plot)
