"""`plies best`: the best move in a position."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.arguments import (
    GameName,
    Json,
    NetworkFile,
    Option,
    Plain,
    PlotFile,
    Words,
    checked_time,
    game_and_state,
    use_network,
)
from plies.cli.program import command

if TYPE_CHECKING:
    from plies.engine.limit import Limit
    from plies.game import Game


@command
def best(
    name: GameName,
    words: Words = None,
    time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Time limit (default: 1, if there is no other limit)."),
    ] = None,
    depth: Annotated[int | None, typer.Option(metavar="PLIES", help="Depth limit.")] = None,
    nodes: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Node limit; for mcts and flat, simulations.")
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(help="One of {algorithms}; default: engine, which is the one that suits the game."),
    ] = None,
    lines: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="How many of the best moves to find, each with its line and exact value.",
            min=1,
        ),
    ] = 1,
    option: Option = None,
    network: NetworkFile = None,
    plot: PlotFile = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Find the best move in a position, and its value.

    At a terminal, progress is shown; Ctrl-C ends the search with the best move
    so far. --plot draws value, nodes and effective branching factor by depth.
    """
    from plies.compiled.background import under_way, watched
    from plies.engine.algorithms import ENGINE, algorithm_for
    from plies.engine.arguments import keywords, read_words
    from plies.engine.limit import DEFAULT, Limit
    from plies.engine.search import analyse
    from plies.terminal.advice import advice_text
    from plies.terminal.formatting import found_json, found_text, progress_text
    from plies.terminal.screen import Screen

    if time is not None:
        checked_time(time)
    game, state = game_and_state(name, words or [])
    use_network(game, network, algorithm)
    automatic = algorithm in (None, ENGINE)
    limit = DEFAULT if time is depth is nodes is None else Limit(time, depth, nodes)
    if option and automatic:
        algorithm = algorithm_for(game, limit)
    options = keywords(game, algorithm, read_words(option, algorithm)) if option and algorithm else {}
    limits: dict[str, Any] = {"algorithm": algorithm, "time": time, "depth": depth, "nodes": nodes, **options}
    if plot is not None:
        from plies.draw import plots

        plots.checked(plot)
        limits = {**_without_book(game, algorithm, limit), **limits}
    screen, results, latest = Screen(plain or as_json), [], ""
    try:
        with watched(lambda compiling: screen.passing(f"{compiling}  {latest}")):
            for found in analyse(game, state, lines=lines, **limits):
                results.append(found)
                latest = progress_text(game, state, found)
                screen.passing(latest)
    except KeyboardInterrupt:  # between two results, where the search does not notice
        if not results:
            raise
    found = results[-1]
    screen.passing()
    if plot is not None:
        plots.depths(results).save(plot)
    if as_json:
        print(json.dumps(found_json(game, state, found)))
        return
    print(found_text(game, state, found))
    if not found.compiled and (compiling := under_way()):
        print(f"searched interpreted, and still {compiling[0]}; the next search is faster")
    if automatic:
        print("\n".join(advice_text(game, limit)))


def _without_book(game: Game, algorithm: str | None, limit: Limit) -> dict[str, str]:
    """The option that keeps a search from an opening book, which has no depths to plot."""
    from plies.engine.algorithms import ALGORITHMS, ENGINE, algorithm_for

    chosen = algorithm_for(game, limit) if algorithm in (None, ENGINE) else algorithm
    return {"book": "no"} if chosen in ALGORITHMS and "book" in ALGORITHMS[chosen].takes else {}
