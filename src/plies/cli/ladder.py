"""`plies ladder`: a class tournament of students' files."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plies.cli.program import command
from plies.errors import BadParameter

if TYPE_CHECKING:
    from plies.ladder.ladder import Ladder


@command
def ladder(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder with a file for each player.")],
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game's name, or path/to/file.py:ClassName.")
    ] = "tic-tac-toe",
    words: Annotated[
        list[str] | None, typer.Argument(metavar="PARAM=VALUE", help="The game's parameters.")
    ] = None,
    time: Annotated[float, typer.Option(metavar="SECONDS", help="The time of computing for a move.")] = 1.0,
    rounds: Annotated[
        int, typer.Option(metavar="N", help="The games of each pair, who take turns to begin.")
    ] = 2,
    also: Annotated[
        str,
        typer.Option(
            metavar="PLAYERS", help="Players of Plies that take part, such as random,book:minimax:2."
        ),
    ] = "",
    memory: Annotated[int, typer.Option(metavar="MB", help="The memory of a player.")] = 1024,
    seed: Annotated[int, typer.Option(help="Seed for dice.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FOLDER", help="Default: ladder in FOLDER.")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on: play again whenever a file has changed, until Ctrl-C.")
    ] = False,
) -> None:
    """Let students' files play each other, and write the standings as a page.

    A player is a file with a function choose(game, state), or a class Agent
    with that method, that returns an action. Each plays in a process of its
    own. Who crashes, takes too long or plays an illegal move loses the game,
    and the page says why; every game can be replayed there. Only games of new
    and changed files are played.
    """
    from plies.cli.arguments import game_name
    from plies.ladder.ladder import Ladder, Settings
    from plies.protocols.words import split_outside_quotes

    house = tuple(name.strip() for name in split_outside_quotes(also, ",") if name.strip())
    settings = Settings(
        game_name(game), tuple(words or ()), time=time, rounds=rounds, seed=seed, also=house, memory=memory
    )
    one = Ladder(folder, output or folder / "ladder", settings)
    if not one.players() and not watch:
        raise BadParameter(
            f"no file of {str(folder)!r} is a player: a player is a file whose name ends in .py"
        )
    _play(one)
    while watch:
        clock.sleep(WAIT)
        if one.changed() or one.missing():
            _play(one)


WAIT = 2.0
"""The seconds between two looks at the files. Not tuned."""


def _play(ladder: Ladder) -> None:
    """Play what is missing, and write the pages, also of what was played until Ctrl-C."""
    from plies.cli.meter import show
    from plies.draw.standings import points
    from plies.ladder.page import faults, write_pages
    from plies.sandbox.process import lacking

    new = 0
    try:
        for _ in ladder.play(lambda done, all_, pair: show(f"plies: game {done + 1} of {all_}: {pair} …")):
            new += 1
    finally:
        path = write_pages(ladder)
    rows = ladder.standings()
    print(
        f"{new} game{'' if new == 1 else 's'} played, {len(ladder.results()) - new} kept; the page is {path}"
    )
    wide = max((len(row.name) for row in rows), default=0)
    for rank, row in enumerate(rows, 1):
        lost = f"  lost by {faults(row)}" if row.faults else ""
        print(f"{rank:3}. {row.name:{wide}}  {points(row.points):>5} of {row.games}{lost}")
    if ladder.lacks:
        print(lacking(ladder.lacks))
