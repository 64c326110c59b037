"""Commands for playing: the games there are, play, watch, and the page."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Parameters, Plain, Position, Seed, game_of, known
from plies.cli.program import app
from plies.errors import PliesError

# What searches, traces and plays is imported by the commands that do: help and lists should be quick.


@app.command()
def games(
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game to tell about.", show_default=False)
    ] = None,
    plain: Plain = False,
) -> None:
    """List the games, or tell the rules and parameters of one."""
    from plies.terminal.catalogue import show_game, show_games
    from plies.terminal.screen import Screen

    if name is None:
        show_games(Screen(plain))
    else:
        show_game(Screen(plain), known(name))


@app.command()
def play(
    name: GameName,
    parameters: Parameters = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER,...",
            help="Who plays, the first player first: human, random[:seed], reflex[:seed], "
            "engine[:seconds], engine:depth=PLIES, engine:nodes=NUMBER, expectimax:ROUNDS[:POLICY], a policy "
            "such as greedy, or an algorithm with its depth, such as book:minimax:4. Seats left "
            "over go to the engine. Unless given: you against the engine; without any input, the engine "
            "alone.",
            show_default=False,
        ),
    ] = None,
    position: Position = "",
    seed: Seed = None,
    plain: Plain = False,
) -> None:
    """Play a game: people, the engine and algorithms on any side.

    Moves and commands may come from a pipe or a file, one a line; if these end
    before the game does, it is left there, with exit code 0.
    """
    from plies.players import parse_players
    from plies.terminal.screen import Screen
    from plies.terminal.session import Session

    game = game_of(name, parameters or [])
    game.parse_position(position) if position else game.initial()  # refused before anybody is asked
    screen = Screen(plain)
    alone = players is None and not screen.has_input()
    seated = parse_players(players or ("engine" if alone else "human"), game, seed)
    note = "There is no input: the engine plays every side." if alone else ""
    Session(game, seated, screen, position=position, seed=seed, note=note).run()


@app.command()
def watch(
    name: GameName,
    parameters: Parameters = None,
    players: Annotated[
        str,
        typer.Option(
            metavar="PLAYER,...",
            help="Who plays, the first player first, as in plies play, but nobody human. Seats left over "
            "go to the engine.",
        ),
    ] = "engine",
    delay: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long each position is shown at least.")
    ] = 0.3,
    position: Position = "",
    seed: Seed = None,
    plain: Plain = False,
) -> None:
    """Watch a game between players, as an animation.

    In a pipe, and with --plain, the positions follow each other at once.
    """
    from plies.players import parse_players
    from plies.terminal.screen import Screen
    from plies.terminal.watch import Watch

    game = game_of(name, parameters or [])
    game.parse_position(position) if position else game.initial()  # refused before anybody thinks
    seated = parse_players(players, game, seed)
    Watch(game, seated, Screen(plain), delay=delay, position=position, seed=seed).run()


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; other machines reach 0.0.0.0.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="NUMBER", help="The port; 0 is any that is free.", min=0, max=65535)
    ] = 8000,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.py:CLASS",
            help="A game of your own; may be given several times.",
            show_default=False,
        ),
    ] = None,
    show: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open",
            help="Open a browser: so it is at a terminal, unless told.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
) -> None:
    """Play, analyse, watch and learn in a browser, on a page of your own.

    Nothing leaves this machine. Ctrl-C ends it.
    """
    try:
        from plies.web.serve import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "websockets", "anyio"):
            raise
        raise PliesError("the page needs Starlette and uvicorn: pip install 'plies[web]'") from None
    show = sys.stdout.isatty() if show is None else show
    run(host, port, game or [], show=show, say=lambda words: print(words, flush=True), seed=seed)
