"""Commands for showing: traces and pictures; and whether the rules of a game hold together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from plies.cli.arguments import GameName, Json, Parameters, Words, game_and_state, game_of, thought
from plies.cli.program import app
from plies.errors import BadParameter, PliesError

# What searches, traces and plays is imported by the commands that do: help and lists should be quick.


@app.command()
def trace(
    name: GameName,
    words: Words = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="minimax, alpha-beta, sampled, expectiminimax, max-n, opponents, paranoid, and-or or "
            "depth-first. Unless given: what suits the game.",
            show_default=False,
        ),
    ] = None,
    depth: Annotated[int, typer.Option(metavar="PLIES", help="How deep to search.")] = 3,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="ALPHA,BETA", help="The window at the root, for alpha-beta.", show_default=False
        ),
    ] = None,
    cut_on_equal: Annotated[
        bool | None,
        typer.Option(
            help="Whether alpha-beta cuts when a value equals the bound, as it does unless told.",
            show_default=False,
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="How many actions of each position sampled draws: 2, unless given.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Which actions sampled draws: 0, unless given.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(metavar="NODES", help="How many nodes a trace may have.")] = 10_000,
    as_json: Json = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write to.", show_default=False)
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Draw the tree in a picture.", show_default=False),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html", help="Write a page that goes through the steps.", show_default=False
        ),
    ] = None,
    frames: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Draw each step in a picture of its own.", show_default=False),
    ] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw boards in the nodes of pictures.")] = False,
) -> None:
    """Show every step of a search as a tree.

    It has values, windows, the branches cut and why, and counters. A tree of your
    own is a JSON file: plies trace tree tree=my.json
    """
    from plies.book import trace as run
    from plies.players import suited_algorithm

    game, state = game_and_state(name, words or [])
    given = {"cut_on_equal": cut_on_equal, "width": width, "seed": seed}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if window is not None:
        options["alpha"], options["beta"] = _window(window)
    algorithm = algorithm.strip().lower() if algorithm else suited_algorithm(game)
    if algorithm in ("minimax", "alpha-beta", "sampled", "expectiminimax"):
        options["player"] = 0  # MAX is the first player wherever a search begins, as on the slides
    steps = run(game, state, algorithm=algorithm, depth=depth, limit=limit, **options)
    drawn = svg or html or frames
    if boards and not drawn:
        raise BadParameter("--boards is for pictures: give --svg, --html or --frames as well")
    if drawn:
        from plies.terminal.pictures import write_pictures

        told = list(write_pictures(steps, svg, html, frames, game if boards else None))
        if output is None and not as_json:
            print("\n".join(told))
            return
    text = steps.to_json() if as_json else str(steps)
    if output is None:
        print(text)
        return
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PliesError(f"{str(output)!r} cannot be written: {getattr(error, 'strerror', error)}") from None


@app.command()
def draw(
    name: GameName,
    words: Words = None,
    last: Annotated[
        str | None,
        typer.Option(metavar="MOVE", help="Make this move, and mark it as the last.", show_default=False),
    ] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Mark the legal moves.")] = False,
    arrows: Annotated[
        list[str] | None,
        typer.Option(
            "--arrow",
            metavar="MOVE",
            help="Draw an arrow for a move; any number of times.",
            show_default=False,
        ),
    ] = None,
    scores: Annotated[
        bool, typer.Option("--scores", help="Search, and write on every move what it is worth.")
    ] = False,
    time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="How long to search for scores: 1.", show_default=False),
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(metavar="PIXELS", help="How long the longer side is: 400.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.svg", help="The file to write to.", show_default=False),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the game in a record: JSON, PGN, SGF or PDN.", show_default=False
        ),
    ] = None,
) -> None:
    """Draw a position as a picture in SVG.

    In scores, W5 is a win in 5 plies, L a loss and D a draw, all proved; numbers
    are estimates. With --record, where that game has come to is drawn, or all of
    it, if the file to write to ends in .html.
    """
    from plies.draw import replay
    from plies.history import History
    from plies.terminal.boards import check_output, draw_position, read_history

    if time is not None and not scores:
        raise BadParameter("--time is for the search for scores: give --scores as well")
    if record is not None and any("=" not in word for word in words or []):
        raise BadParameter("give either a position or --record, not both")
    if output is not None:
        check_output(output, whole=record is not None)
    seconds = thought(1 if time is None else time) if scores else None
    game, state = game_and_state(name, words or [])
    history = read_history(record, game) if record is not None else History(game, state)
    if output is not None and output.suffix.lower() == ".html":
        replay(history, size=size).save(output)
        return
    picture = draw_position(history, move=last, arrows=arrows or (), legal=legal, seconds=seconds, size=size)
    if output is None:
        print(picture)
    else:
        picture.save(output)


@app.command()
def check(
    name: GameName,
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="How many random games to play.")] = 50,
    seed: Annotated[int, typer.Option(help="Which random games.")] = 0,
) -> None:
    """Play random games, and report broken rules, which rules do not compile, and what games are like.

    The exit code is 1 if a rule is broken.
    """
    from plies.check import check_game
    from plies.terminal.screen import Screen

    screen = Screen()

    def show(played: int, games: int) -> None:
        bar = "█" * (20 * played // games)
        screen.passing(f"{bar:░<20} {played} of {games} random games (Ctrl-C: stop here)")

    try:
        report = check_game(game_of(name, parameters or []), games=games, seed=seed, progress=show)
    finally:
        screen.passing()
    print(report)
    if report.problems:
        raise typer.Exit(1)


def _window(text: str) -> tuple[float, float]:
    try:
        alpha, beta = (float(word) for word in text.split(","))
    except ValueError:
        raise BadParameter(f"--window is two numbers, such as -1,1 or -inf,0, not {text!r}") from None
    return alpha, beta
