"""`plies trace`: every step of an algorithm of the book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from plies.cli.arguments import GameName, Json, Words, game_and_state, game_name
from plies.cli.program import command
from plies.errors import BadParameter, PliesError
from plies.gallery import PREFIX, example

BookOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the algorithm, such as fail_hard=yes; may be repeated. {book_options}",
    ),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the trace to this file.")]
Svg = Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw the tree.")]
Html = Annotated[
    Path | None, typer.Option(metavar="FILE.html", help="Write a page that shows the search step by step.")
]
Frames = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Draw each step as a picture of its own.")
]


@command
def trace(
    name: GameName,
    words: Words = None,
    algorithm: Annotated[
        str | None, typer.Option(help="One of {book}; default: the one that suits the game.")
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="PLIES", help="Depth limit (default: 3; none for trees, and for mcts and proof-number)."
        ),
    ] = None,
    option: BookOption = None,
    limit: Annotated[int, typer.Option(metavar="NODES", help="Largest trace, in nodes.")] = 10_000,
    as_json: Json = False,
    output: Output = None,
    svg: Svg = None,
    html: Html = None,
    frames: Frames = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw boards in the nodes of pictures.")] = False,
    fold: Annotated[
        bool, typer.Option("--fold", help="Of moves that are reflections or rotations, search one.")
    ] = False,
) -> None:
    """Show every step of a search as a tree.

    The trace has values, windows, cut-offs with their reasons, and counters. A
    tree of the lectures has a name, plies trace slides:aima (plies games lists
    them); one of your own is a JSON file: plies trace tree tree=my.json
    """
    from plies.book import trace as run
    from plies.book.algorithms import ALGORITHMS, about, suited
    from plies.book.arguments import TRACED, arguments_of, read_options
    from plies.games.tree import Tree
    from plies.registry import function
    from plies.wrapper import Folded

    game, state = game_and_state(name, words or [])
    if fold:
        if not game.has("symmetries"):
            raise BadParameter(f"{game.name} has no symmetries: there is nothing to fold")
        game = Folded(game)
    named = game_name(name)
    slide = named.startswith(PREFIX)
    preferred = example(named).algorithm if slide else suited(game)[0]
    algorithm = algorithm.strip().lower() if algorithm else preferred
    options: dict[str, Any] = {}
    if algorithm in ALGORITHMS:
        options = read_options(option or [], arguments_of(algorithm), algorithm, function)
        if about(algorithm).needs.players == 2:
            options["player"] = 0  # MAX is the first player wherever a search begins, as on the slides
    budget = about(algorithm).budget if algorithm in ALGORITHMS else ""
    if budget:
        options.setdefault(budget, TRACED[budget])
    elif depth is None and not isinstance(game, Tree) and not (slide and not words):
        depth = 3
    steps = run(game, state, algorithm=algorithm, depth=depth, limit=limit, **options)
    drawn = svg or html or frames
    if boards and not drawn:
        raise BadParameter("--boards is for pictures: give --svg, --html or --frames as well")
    if drawn:
        from plies.terminal.trace_pictures import write_pictures

        written = list(write_pictures(steps, svg, html, frames, game if boards else None))
        if output is None and not as_json:
            print("\n".join(written))
            return
    text = steps.to_json() if as_json else str(steps)
    if output is None:
        print(text)
        return
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PliesError(f"{str(output)!r} cannot be written: {getattr(error, 'strerror', error)}") from None
