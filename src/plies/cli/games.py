"""`plies games`: the games there are, and the rules of one."""

from __future__ import annotations

from typing import Annotated

import typer

from plies.cli.arguments import Plain, game_name
from plies.cli.program import command


@command
def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="A game to describe.")] = None,
    plain: Plain = False,
) -> None:
    """List the games, or describe one: its rules and parameters."""
    from plies.terminal.catalogue import show_game, show_games
    from plies.terminal.screen import Screen

    if name is None:
        show_games(Screen(plain))
    else:
        show_game(Screen(plain), game_name(name))
