"""`plies compare`: algorithms side by side on one position."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Json, Words, game_and_state
from plies.cli.program import command


@command
def compare(
    name: GameName,
    words: Words = None,
    depth: Annotated[
        int | None, typer.Option(metavar="PLIES", help="Depth limit (default: to the end of the game).")
    ] = None,
    algorithms: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Some of {compared}, or functions of your own as FILE.py:FUNCTION; default: those that suit "
            "the game. Options may follow a name, as in book:alpha-beta:fail_hard=yes.",
            show_default=False,
        ),
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An option for every algorithm that has it, unless its own words say otherwise; may be "
            "repeated. {options}",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="NODES", help="Give up on an algorithm after this many nodes.")
    ] = 1_000_000,
    as_json: Json = False,
) -> None:
    """Compare algorithms on a position: their values and cost.

    The book's run interpreted, the engine's compiled, if the game compiles.
    Ctrl-C ends it with the results so far.
    """
    from plies.comparison import compare as run
    from plies.comparison import suitable
    from plies.engine.arguments import options_of, shared
    from plies.engine.limit import Limit

    game, state = game_and_state(name, words or [])
    chosen = [word.strip() for word in algorithms.split(",") if word.strip()]
    if option:
        names = chosen or list(suitable(game))
        deep = Limit(depth=1)  # the engine is what suits a depth
        chosen = shared(names, option, [options_of(name, game, deep) for name in names])
    result = run(game, state, depth=depth, algorithms=chosen, limit=limit)
    print(json.dumps(result.data()) if as_json else result)
