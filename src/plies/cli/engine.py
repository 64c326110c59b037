"""`plies engine`: an engine for other programs, which speaks UCI, UGI or GTP."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import GameName, NetworkFile, Parameters, check_folder, game_of, use_network
from plies.cli.program import command

CHUNK = 1 << 16
"""The bytes that are read at once, at most: as much as a pipe holds."""


@command
def engine(
    name: GameName,
    words: Parameters = None,
    protocol: Annotated[
        str | None,
        typer.Option(help="uci, ugi or gtp (default: the one that the first command belongs to)."),
    ] = None,
    time: Annotated[
        float, typer.Option(metavar="SECONDS", help="GTP: time for a move, if the client sets none.")
    ] = 1.0,
    level: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Play at a level of the game, from 1 on (UCI: Skill Level)."),
    ] = None,
    network: NetworkFile = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append all that is received and sent to a file.")
    ] = None,
) -> None:
    """Be an engine for another program: a chess GUI, a match program, a Go board.

    Speaks UCI and UGI, for every game of two players without dice, and GTP, for
    games in which a move is a point of the board, on standard input and output.
    It answers at once, and compiles when it is first needed.
    """
    from plies.cli.arguments import checked_time
    from plies.errors import BadParameter
    from plies.protocols.serving import PROTOCOLS, serve

    if protocol is not None and protocol.lower() not in PROTOCOLS:
        raise BadParameter(f"--protocol must be {', '.join(PROTOCOLS)}, not {protocol[:40]!r}")
    if log is not None:
        check_folder(log)
    if time != 1.0:
        checked_time(time)
    game = game_of(name, words or [])
    use_network(game, network)
    # Not by sys.stdin, which a thread that waits for it holds on to when the program ends.
    serve(
        game,
        lambda: os.read(sys.stdin.fileno(), CHUNK),
        sys.stdout,
        protocol and protocol.lower(),
        log,
        time,
        level,
    )
