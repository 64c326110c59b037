"""`plies play`: a game at the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from plies.cli.arguments import (
    GameName,
    NetworkFile,
    Parameters,
    Plain,
    PlayerOption,
    Position,
    Seed,
    game_and_position,
    network_option,
    with_options,
)
from plies.cli.program import command


@command
def play(
    name: GameName,
    parameters: Parameters = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER,...",
            help="The players, in order: {players}. The engine takes the seats left over. Default: you "
            "against the engine; without input, the engine alone.",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="The level of your opponent, from 1 on; in --players, write level:NUMBER."
        ),
    ] = None,
    option: PlayerOption = None,
    network: NetworkFile = None,
    position: Position = "",
    ponder: Annotated[
        bool | None,
        typer.Option(
            "--ponder/--no-ponder",
            help="Let the engine think on your time (the default at a terminal, for engines with a time "
            "limit, with two cores).",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
    plain: Plain = False,
) -> None:
    """Play a game: people, the engine and algorithms on any side.

    Moves and commands can be piped in, one per line; where the input ends
    before the game, the game stops, with exit code 0.
    """
    import sys

    from plies.errors import BadParameter
    from plies.levels import levels_of
    from plies.players import parse_players
    from plies.terminal.pondering import pondering_wanted
    from plies.terminal.screen import Screen
    from plies.terminal.session import Session

    game, position = game_and_position(name, parameters or [], position)
    game.parse_position(position) if position else game.initial()  # refused before anybody is asked
    screen = Screen(plain)
    alone = players is None and not screen.has_input()
    usual, note = "engine" if alone else "human", ""
    if level is not None:
        if players is not None:
            raise BadParameter("--level is for you against the engine: in --players, write level:NUMBER")
        note = levels_of(game).note.replace("GAME", game.name)
        usual = f"level:{level},level:{level}" if alone else f"human,level:{level}"
    words = with_options(players or usual, network_option(network, option), game)
    seated = parse_players(words, game, seed)
    note = f"There is no input: the engine plays every side. {note}".rstrip() if alone else note
    wanted = pondering_wanted(seated, ponder, sys.stdin.isatty())
    Session(game, seated, screen, position=position, seed=seed, note=note, ponder=wanted).run()
