"""The program of a process that plays games of a match: `plies.arena.workers` starts it.

A line of JSON comes in that says what to import, then the game, the players and the conditions, pickled by
the process that started this one, and then the number of a game a line; each game goes out as a line of JSON.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plies.arena.table import Table, maker, prepared
from plies.engine.interrupts import Interrupts
from plies.errors import PliesError
from plies.protocols.process import end_all
from plies.registry import load_file


def main() -> None:
    """Play until the input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that programs that play here end, too
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what rules print is no reply
    orders = sys.stdin.buffer
    try:
        head = json.loads(orders.readline())
        sys.path[:] = head["path"]
        game, players, conditions = _loaded(head["files"], orders.read(head["bytes"]))
        makers = [maker(player, game) for player in players]
        prepared(makers, game)
        table = Table(game, makers, conditions, Interrupts())
        for line in orders:
            played = table.play(int(line))
            reply = {"game": asdict(played.game), "ponder": played.ponder}
            replies.write(json.dumps(reply).encode() + b"\n")
            replies.flush()
    except PliesError as error:
        replies.write(json.dumps({"error": str(error)}).encode() + b"\n")
        replies.flush()
    except BrokenPipeError:  # the match has ended
        end_all()
        os._exit(0)


def _loaded(files: list[str], content: bytes) -> Any:
    """What was pickled, after the files that it comes from are imported."""
    try:
        for file in files:
            load_file(Path(file))
        return pickle.loads(content)
    except (ImportError, AttributeError) as error:
        raise PliesError(f"another process cannot import what is played here: {error}") from None


if __name__ == "__main__":
    main()
