"""An engine on standard input and output: the protocol is recognised by the first command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from plies.game import Game
from plies.protocols import gtp, uci
from plies.protocols.connection import Connection
from plies.protocols.moves import SERVED, checked_points
from plies.protocols.options import checked_level

UCI, UGI, GTP = PROTOCOLS = ("uci", "ugi", "gtp")


def serve(
    game: Game,
    read: Callable[[], bytes],
    target: TextIO,
    protocol: str | None = None,
    log: Path | None = None,
    seconds: float = gtp.SECONDS,
    level: int | None = None,
) -> None:
    """Be an engine for a game, until the client says `quit` or is gone.

    Where the client sets none, `seconds` is the time for a move in GTP, and `level` one of the game's.
    """
    SERVED.check(game, "plies engine")
    checked_level(game, level)
    if protocol == GTP:
        checked_points(game)
    connection = Connection(read, target, log)
    try:
        for line in connection.lines():
            chosen = protocol or recognised(line)
            if chosen == GTP:
                gtp.Engine(game, connection, seconds, level).run(line)
                return
            if chosen is not None:
                uci.Engine(game, connection, chosen, level).run(line)
                return
    finally:
        connection.log_to(None)


def recognised(line: str) -> str | None:
    """The protocol that a line belongs to; None if it says nothing."""
    words = line.partition("#")[0].split()
    if not words:
        return None
    if words[0] == UGI:
        return UGI
    command = words[1] if words[0].isdigit() and len(words) > 1 else words[0]
    return GTP if command in gtp.COMMANDS else UCI
