"""Commands for searching: the best move, what a position is worth, who is stronger; and learning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from plies.cli.arguments import (
    GameName,
    Json,
    Parameters,
    Plain,
    PlotFile,
    Words,
    game_and_state,
    game_of,
    thought,
)
from plies.cli.program import app
from plies.errors import PliesError

# What searches, traces and plays is imported by the commands that do: help and lists should be quick.


@app.command()
def best(
    name: GameName,
    words: Words = None,
    time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="How long to search: 1, if nothing else limits it.", show_default=False
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(metavar="PLIES", help="How deep to search.", show_default=False)
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="How many nodes to search; for mcts, simulations.", show_default=False
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="alpha-beta, expectiminimax, max-n, paranoid, depth-first, mcts or flat. Unless given: what "
            "suits the game.",
            show_default=False,
        ),
    ] = None,
    lines: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", help="How many of the best moves get a line and an exact value.", min=1
        ),
    ] = 1,
    plot: PlotFile = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Find the best move in a position, and what it is worth.

    On a terminal, what is found is shown while the search goes on; Ctrl-C
    ends it with the best so far. A plot shows value, nodes and effective
    branching factor by depth.
    """
    from plies.engine.search import analyse
    from plies.terminal.formatting import found_json, found_text, progress_text
    from plies.terminal.screen import Screen

    if time is not None:
        thought(time)
    game, state = game_and_state(name, words or [])
    limits: dict[str, Any] = {"algorithm": algorithm, "time": time, "depth": depth, "nodes": nodes}
    if plot is not None:
        from plies.draw import plots

        plots.checked(plot)
    screen, told = Screen(plain or as_json), []
    try:
        for found in analyse(game, state, lines=lines, **limits):
            told.append(found)
            screen.passing(progress_text(game, state, found))
    except KeyboardInterrupt:  # between two findings, where the search does not notice
        if not told:
            raise
    screen.passing()
    found = told[-1]
    if plot is not None:
        plots.depths(told).save(plot)
    print(json.dumps(found_json(game, state, found)) if as_json else found_text(game, state, found))


@app.command()
def compare(
    name: GameName,
    words: Words = None,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="PLIES", help="How deep to search; unless given, to the end.", show_default=False
        ),
    ] = None,
    algorithms: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Those of plies trace, and engine. Unless given: what suits the game.",
            show_default=False,
        ),
    ] = "",
    limit: Annotated[
        int, typer.Option(metavar="NODES", help="After how many nodes an algorithm gives up.")
    ] = 1_000_000,
    as_json: Json = False,
) -> None:
    """Compare algorithms on a position: do they say the same, and what does it take them?

    Those of the book run interpreted; the engine as machine code, if the game
    compiles. Ctrl-C ends it with what was found so far.
    """
    from plies.comparison import compare as run

    game, state = game_and_state(name, words or [])
    chosen = [word.strip() for word in algorithms.split(",") if word.strip()]
    result = run(game, state, depth=depth, algorithms=chosen, limit=limit)
    print(json.dumps(result.data()) if as_json else result)


@app.command()
def solve(
    name: GameName,
    words: Words = None,
    distance: Annotated[
        bool, typer.Option("--distance", help="Prove, too, how soon the game ends if both play their best.")
    ] = False,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long to search.", show_default=False)
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="How many nodes to search.", show_default=False)
    ] = None,
    memory: Annotated[float, typer.Option(metavar="MB", help="The size of the table in megabytes.")] = 256,
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="alpha-beta, or proof-number, which finds wins that are forced, however deep.",
        ),
    ] = "alpha-beta",
    strategy: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a strategy for the player to move, an answer to every reply.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove what a position is worth, to the end of the game.

    If a limit or Ctrl-C ends it early, bounds of the value are what is known.
    """
    from plies.engine.solve import solve as run
    from plies.terminal.formatting import solution_json, solution_text

    if strategy is not None and not strategy.parent.is_dir():  # before anybody waits for it
        raise PliesError(f"{str(strategy)!r} cannot be written: there is no folder {str(strategy.parent)!r}")
    game, state = game_and_state(name, words or [])
    solution = run(game, state, distance=distance, time=time, nodes=nodes, memory=memory, algorithm=algorithm)
    text = json.dumps(solution_json(game, solution)) if as_json else solution_text(game, solution)
    try:
        print(text, flush=True)
    finally:  # a full output does not cost the strategy
        if strategy is not None:
            solution.strategy().save(strategy)


@app.command()
def match(
    name: GameName,
    first: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER",
            help="random, engine:SECONDS, engine:depth=PLIES, engine:nodes=NUMBER, mcts:SECONDS, "
            "mcts:simulations=NUMBER, or an algorithm with its depth, such as book:minimax:4.",
            show_default=False,
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="Against whom.", show_default=False)],
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="How many games to play.")] = 20,
    openings: Annotated[
        int, typer.Option(metavar="MOVES", help="How many random moves a game begins with.")
    ] = 4,
    seed: Annotated[int, typer.Option(help="Which openings, dice and random players.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write each game to a file, as a line of JSON, once it is over.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match in the file to save to.")
    ] = False,
    plot: PlotFile = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Let two players play a match, and tell who is stronger and by how much.

    They exchange sides after each game; each opening is played twice. Ctrl-C
    ends the match with the games played so far.
    """
    from plies.arena import match as run
    from plies.terminal.results import Progress, match_json, match_text
    from plies.terminal.screen import Screen

    game = game_of(name, parameters or [])
    if plot is not None:
        from plies.draw import plots

        plots.checked(plot)  # refused before anybody plays
    progress = Progress(Screen(plain or as_json))
    result = run(
        game,
        first,
        second,
        games=games,
        openings=openings,
        seed=seed,
        save=save,
        resume=resume,
        tell=progress,
    )
    progress.end()
    described = match_json if as_json else match_text
    text = described(game, result, openings)
    try:
        print(json.dumps(text) if as_json else text, flush=True)
    finally:  # a full output does not cost the plot
        if plot is not None:
            plots.matches(result, game.name).save(plot)


@app.command()
def train(
    name: GameName,
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="How many games to play in all.")] = 10_000,
    hidden: Annotated[
        int | None,
        typer.Option(
            metavar="UNITS",
            help="Learn a network with so many hidden units; unless given, weights of the game's features.",
            show_default=False,
        ),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="The network to begin with.", show_default=False),
    ] = None,
    depth: Annotated[
        int, typer.Option(metavar="PLIES", help="How deep to search, where weights are learned (TD-leaf).")
    ] = 1,
    rate: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="How fast to learn, at first: 0.1 for a network, else 0.01.",
            show_default=False,
        ),
    ] = None,
    lambda_: Annotated[
        float, typer.Option("--lambda", metavar="NUMBER", help="How far back a surprise reaches, 0 to 1.")
    ] = 0.7,
    random_moves: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="How often to try a random move, 0 to 1: unless given, 0 with dice, else 0.05.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Which games.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="Write checkpoints here, and in the end the result.", show_default=False
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the file to save to.")
    ] = False,
    curve: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg",
            help="Draw how the strength grew (needs Matplotlib: pip install 'plies[plots]').",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Learn by self-play what positions are worth, by temporal differences.

    A run that was killed or stopped goes on with --resume and ends as if it
    had not been.
    """
    from plies.terminal.screen import Screen
    from plies.terminal.training import Lesson

    game = game_of(name, parameters or [])
    lesson = Lesson(Screen(plain or as_json), save, curve)
    lesson.prepare(
        game,
        resume,
        games=games,
        hidden=hidden,
        start=start,
        depth=depth,
        rate=rate,
        lambda_=lambda_,
        random_moves=random_moves,
        seed=seed,
    )
    print(lesson.run(as_json))
