"""`plies watch`: a game between machines, as an animation."""

from __future__ import annotations

from typing import Annotated

import typer

from plies.cli.arguments import (
    GameName,
    Parameters,
    Plain,
    PlayerOption,
    Position,
    Seed,
    game_and_position,
    with_options,
)
from plies.cli.program import command


@command
def watch(
    name: GameName,
    parameters: Parameters = None,
    players: Annotated[
        str,
        typer.Option(
            metavar="PLAYER,...",
            help="The players, in order, as for plies play, but no humans. The engine takes the seats left "
            "over.",
        ),
    ] = "engine",
    delay: Annotated[
        float, typer.Option(metavar="SECONDS", help="Show each position for at least this long.")
    ] = 0.3,
    option: PlayerOption = None,
    position: Position = "",
    seed: Seed = None,
    plain: Plain = False,
) -> None:
    """Watch computer players play, as an animation.

    When piped, and with --plain, the positions are printed one below the other.
    """
    from plies.players import parse_players
    from plies.terminal.screen import Screen
    from plies.terminal.watch import Watch

    game, position = game_and_position(name, parameters or [], position)
    game.parse_position(position) if position else game.initial()  # refused before anybody thinks
    seated = parse_players(with_options(players, option, game), game, seed)
    Watch(game, seated, Screen(plain), delay=delay, position=position, seed=seed).run()
