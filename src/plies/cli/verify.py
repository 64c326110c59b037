"""`plies verify`: a strategy in a file, against every reply."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Json, Parameters, game_of
from plies.cli.program import command


@command
def verify(
    name: GameName,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A strategy, as `plies solve --strategy` writes it.")
    ],
    parameters: Parameters = None,
    as_json: Json = False,
) -> None:
    """Play a strategy against every reply: does it always get what it claims?

    Where positions may come up again, play that never ends is a draw. Shows what
    the strategy attains and the size of the proof. One that claims too much is
    refused, with a line that refutes it.
    """
    from plies.engine.strategy import Strategy

    game = game_of(name, parameters or [])
    showing = sys.stderr.isatty() and not as_json
    try:
        found = Strategy.load(file, game, progress=_show if showing else None)
    finally:
        if showing:
            print(f"\r{'':79}\r", end="", file=sys.stderr, flush=True)
    facts = {
        "game": repr(game),
        "player": game.player_name(found.player),
        "value": found.value.to_dict(),
        "answers": found.positions,
        "positions": found.reached,
    }
    if as_json:
        print(json.dumps(facts))
        return
    print(f"{game.name}, the strategy of {game.player_name(found.player)}")
    print(f"value      {found.value}, against the best replies")
    print(f"answers    {found.positions:,}")
    print(f"positions  {found.reached:,}, ends included")


def _show(positions: int) -> None:
    print(f"\rplies: {positions:,} positions played …", end="", file=sys.stderr, flush=True)
