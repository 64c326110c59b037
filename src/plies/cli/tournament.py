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
    typer.Argument(metavar="PLAYER...", help="Players, {machines}, and the game's parameters."),
]
Games = Annotated[int, typer.Option(metavar="NUMBER", help="Games of every two players.")]
Gauntlet = Annotated[
    bool, typer.Option("--gauntlet", help="The first player against every other, and no more.")
]
Anchor = Annotated[
    tuple[str, float] | None,
    typer.Option(metavar="PLAYER ELO", help="A player with the rating that it is to have."),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        "--units",
        metavar="FILE.db",
        help="Keep every game there (SQLite); the same command goes on, with more games if asked.",
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write all games in the end, as its name says: .pgn, .sgf, .pdn."),
]
Html = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Write a page with the standings, and one for each game."),
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
    """Play a tournament: everybody against everybody, with ratings.

    Games are played in rounds, each two players a pair of games from the same
    opening, once from each side. Ctrl-C ends it with the games played so far; after
    that or a kill, the same command with the same --save goes on.
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
    into: Annotated[Path, typer.Argument(metavar="FILE.db", help="The file that gets all units.")],
    parts: Annotated[list[Path], typer.Argument(metavar="PART.db...", help="Files of units: the shards.")],
) -> None:
    """Put together the units that shards have done.

    A command with --shard keeps its part in its --units file. Once these are merged,
    the same command without --shard, and with the merged file, has the whole result,
    and does what is missing.
    """
    from plies.work.store import merge as run

    check_folder(into)
    have, new, jobs = run(parts, into)
    print(f"{have:,} units in {into}, {new:,} of them new")
    if jobs > 1:
        print(f"they are of {jobs:,} jobs, of other games, players, settings or versions, and stay apart")
