"""`plies tournament`: the ratings of any number of players; and `plies merge`, for work in shards."""

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
    Plain,
    PlayerOption,
    Ray,
    Shard,
    check_folder,
    game_of,
    network_option,
    where_of,
)
from plies.cli.match import Adjudicate, Jobs, Openings, Plies, Resign, Seed, Shuffle, TimeControl
from plies.cli.program import command
from plies.errors import BadParameter
from plies.history import LONGEST_GAME

Entrants = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER...", help="The players, and the game's parameters. A player is {machines}."
    ),
]
Games = Annotated[int, typer.Option(metavar="NUMBER", help="Games for every two players.")]
Gauntlet = Annotated[bool, typer.Option("--gauntlet", help="Only the first player meets the others.")]
Anchor = Annotated[
    tuple[str, float] | None,
    typer.Option(metavar="PLAYER ELO", help="Fix the rating of a player."),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        "--units",
        metavar="FILE.db",
        help="Keep every game in this SQLite file; the same command goes on, and may ask for more --games.",
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write all games to a file at the end, in the format that its name says: .pgn, .sgf, .pdn.",
    ),
]
Html = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Write a page with the ratings, and a page for each game, to replay."
    ),
]


@command
def tournament(
    name: GameName,
    words: Entrants,
    games: Games = 20,
    gauntlet: Gauntlet = False,
    anchor: Anchor = None,
    openings: Openings = "4",
    shuffle: Shuffle = False,
    jobs: Jobs = 1,
    ray: Ray = None,
    shard: Shard = None,
    clock: TimeControl = None,
    resign: Resign = None,
    adjudicate: Adjudicate = False,
    plies: Plies = LONGEST_GAME,
    option: PlayerOption = None,
    network: NetworkFile = None,
    seed: Seed = 0,
    units: Save = None,
    record: Record = None,
    html: Html = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Play a tournament, everybody against everybody, and rate the players.

    Every two players play pairs of games from the same opening, once from each side.
    Ctrl-C ends the tournament with the games played so far. With --save, the same
    command goes on later, whatever has interrupted it.
    """
    from plies.arena.tournament import tournament as run
    from plies.engine.arguments import options_of, shared
    from plies.terminal.screen import Screen
    from plies.terminal.tournament import Progress, tournament_json, tournament_text
    from plies.terminal.tournament_page import check_pages, check_record, write_pages, write_record

    parameters = [word for word in words if re.match(r"\s*\w+=", word)]
    players = [word for word in words if word not in parameters]
    game = game_of(name, parameters)
    if option := network_option(network, option):
        players = shared(players, option, [options_of(player, game) for player in players])
    for file in (record, html):
        if file is not None:
            check_folder(file)
    if record is not None:
        check_record(game, record)
        if units is not None and record.resolve() == units.resolve():
            raise BadParameter("--save and --record name the same file: one is a database, the other text")
    if html is not None:
        check_pages(html)
    progress = Progress(Screen(plain or as_json))
    result = run(
        game,
        players,
        games=games,
        gauntlet=gauntlet,
        openings=openings,
        shuffle=shuffle,
        seed=seed,
        clock=clock,
        resign=resign,
        adjudicate=adjudicate,
        plies=plies,
        anchor=anchor,
        where=where_of(jobs, ray, shard, units),
        tell=progress,
    )
    progress.end()
    try:
        described = tournament_json if as_json else tournament_text
        text = described(game, result)
        print(json.dumps(text) if as_json else text, flush=True)
    finally:  # a full output does not cost the files
        if record is not None:
            write_record(game, result, record)
        if html is not None:
            path = write_pages(game, result, html)
            if not as_json:
                print(f"page       {path}")


@command
def merge(
    into: Annotated[Path, typer.Argument(metavar="FILE.db", help="The file to merge into, new or not.")],
    parts: Annotated[list[Path], typer.Argument(metavar="PART.db...", help="The files of the shards.")],
) -> None:
    """Put together what shards have done.

    A command with --shard keeps its part in its --units file. Once these files are
    merged, run the same command with the merged file and without --shard: it does
    what is missing, if anything, and shows the whole result.
    """
    from plies.work.store import merge as run

    check_folder(into)
    have, new, jobs = run(parts, into)
    print(f"{have:,} units in {into}, {new:,} of them new")
    if jobs > 1:
        print(f"they are of {jobs:,} jobs, of other games, players, settings or versions, and stay apart")
