"""`plies serve`: the page."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated

import typer

from plies.cli.arguments import Seed
from plies.cli.program import command
from plies.errors import PliesError


@command
def serve(
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The address to listen on (default: this machine only); 0.0.0.0 lets others in, by a token.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="NUMBER", help="The port; 0 picks a free one.", min=0, max=65535)
    ] = 8000,
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.py:CLASS", help="Add a game of your own; may be repeated."),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PROGRAM",
            help="Add another program as a player, such as Stockfish=uci:stockfish:1; may be repeated.",
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.py",
            help="Add your own agent, a file with choose(game, state), as a player; may be repeated.",
        ),
    ] = None,
    share: Annotated[
        bool,
        typer.Option(
            "--share", help="Let two people on your network play each other; prints the link for them."
        ),
    ] = False,
    network: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.npz",
            help="Let searches of its game evaluate positions by a network; may be repeated.",
        ),
    ] = None,
    show: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open", help="Open a browser (the default at a terminal).", show_default=False
        ),
    ] = None,
    seed: Seed = None,
) -> None:
    """Play, analyse, watch and learn in a browser.

    Nothing leaves this machine, unless you let others in. Ctrl-C stops the server.
    """
    try:
        from plies.web.serve import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in (
            "starlette",
            "uvicorn",
            "websockets",
            "anyio",
            "segno",
        ):
            raise
        raise PliesError("the page needs Starlette and uvicorn: pip install 'plies[web]'") from None
    show = sys.stdout.isatty() if show is None else show
    players, agents, networks = player or [], agent or [], network or []
    if strange := next((file for file in networks if not file.endswith(".npz")), None):
        raise PliesError(f"--network is for a file whose name ends in .npz, not {strange[:80]!r}")
    say = partial(print, flush=True)
    run(
        *(host, port, [*(game or []), *networks]),
        players=players,
        agents=agents,
        show=show,
        say=say,
        seed=seed,
        share=share,
    )
