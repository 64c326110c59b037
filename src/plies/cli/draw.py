"""`plies draw`: a position as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import GameName, Words, checked_time, game_and_state
from plies.cli.program import command
from plies.errors import BadParameter


@command
def draw(
    name: GameName,
    words: Words = None,
    last: Annotated[
        str | None, typer.Option(metavar="MOVE", help="Play this move, and mark it as the last one.")
    ] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Mark the legal moves.")] = False,
    arrows: Annotated[
        list[str] | None,
        typer.Option("--arrow", metavar="MOVE", help="Draw an arrow for this move; may be repeated."),
    ] = None,
    scores: Annotated[
        bool, typer.Option("--scores", help="Search, and write its score on each move.")
    ] = False,
    time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Time limit of the search for scores (default: 1)."),
    ] = None,
    size: Annotated[
        int | None, typer.Option(metavar="PIXELS", help="Length of the longer side (default: 400).")
    ] = None,
    tree: Annotated[
        int | None,
        typer.Option(
            metavar="PLIES", help="Draw the game tree below the position, with symmetric moves folded."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.svg", help="Write the picture to this file."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the game in this record: JSON, PGN, SGF or PDN.")
    ] = None,
) -> None:
    """Draw a position as SVG.

    With --tree 2, the tree of the next two plies is drawn, boards in its nodes,
    and positions in which the game ends.

    In scores, W5 is a win in 5 plies, L a loss and D a draw, all proved; numbers
    are estimates. With --record, the last position of that game is drawn, or the
    whole game if the output file ends in .html.
    """
    from plies.draw import game_tree, replay
    from plies.history import History
    from plies.terminal.drawing import check_output, draw_position, read_history

    if time is not None and not scores:
        raise BadParameter("--time is for the search for scores: give --scores as well")
    if record is not None and any("=" not in word for word in words or []):
        raise BadParameter("give either a position or --record, not both")
    if output is not None:
        check_output(output, whole=record is not None)
    seconds = checked_time(1 if time is None else time) if scores else None
    game, state = game_and_state(name, words or [])
    history = read_history(record, game) if record is not None else History(game, state)
    if tree is not None:
        if record is not None or last or legal or arrows or scores or size:
            raise BadParameter("--tree draws a game tree: give it a position and --output only")
        picture = game_tree(game, state, depth=tree)
    elif output is not None and output.suffix.lower() == ".html":
        replay(history, size=size).save(output)
        return
    else:
        picture = draw_position(
            history, move=last, arrows=arrows or (), legal=legal, seconds=seconds, size=size
        )
    if output is None:
        print(picture)
    else:
        picture.save(output)
