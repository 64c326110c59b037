"""`plies games`: the games there are, and the rules of one."""

from __future__ import annotations

from typing import Annotated

import typer

from plies.cli.arguments import Plain, game_name
from plies.cli.program import command
from plies.gallery import PREFIX


@command
def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="A game to describe.")] = None,
    plain: Plain = False,
) -> None:
    """List the games and the trees of the lectures, or describe one."""
    from plies.terminal.catalogue import show_example, show_game, show_games
    from plies.terminal.screen import Screen

    if name is None:
        show_games(Screen(plain))
    elif game_name(name).startswith(PREFIX):
        show_example(Screen(plain), game_name(name))
    else:
        show_game(Screen(plain), game_name(name))
