"""`plies matrix`: the value and the optimal mixed strategies of a matrix game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import Json
from plies.cli.program import Command, app
from plies.errors import BadParameter


@app.command(cls=Command, context_settings={"ignore_unknown_options": True})  # a row may begin with -1
def matrix(
    rows: Annotated[
        list[str],
        typer.Argument(metavar="ROWS", help='A file of CSV or JSON, or rows such as "1 -1; -1 1".'),
    ],
    row_names: Annotated[
        str | None, typer.Option("--row-names", metavar="NAME,...", help="The names of the rows.")
    ] = None,
    column_names: Annotated[
        str | None, typer.Option("--column-names", metavar="NAME,...", help="The names of the columns.")
    ] = None,
    exact: Annotated[
        bool | None,
        typer.Option(
            help="Solve in fractions, or in floating point (default: fractions up to 1,600 entries).",
            show_default=False,
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Draw the envelope of a game with two rows or two columns."),
    ] = None,
    fictitious_play: Annotated[
        int | None,
        typer.Option("--fictitious-play", metavar="ROUNDS", help="Show fictitious play, round by round."),
    ] = None,
    regret_matching: Annotated[
        int | None,
        typer.Option("--regret-matching", metavar="ROUNDS", help="Show regret matching, round by round."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a matrix game: a zero-sum game for two who choose at once.

    Prints its value, an optimal mixed strategy of each player, saddle points and
    dominated strategies. Numbers may be fractions, such as 1/3; a row may be an
    argument of its own: plies matrix 3,-1 -2,1
    """
    from plies import book
    from plies.draw import envelope
    from plies.matrix import matrix_game
    from plies.terminal.matrix import matrix_data, matrix_text

    for word in rows:
        if word.startswith("--"):
            raise BadParameter(f"there is no option {word!r}: see plies matrix --help")
    game = matrix_game(
        rows[0] if len(rows) == 1 else "; ".join(rows),
        row_names=row_names,
        column_names=column_names,
        exact=exact,
    )
    if svg is not None:
        envelope(game).save(svg)
    rounds = {"fictitious_play": fictitious_play, "regret_matching": regret_matching}
    plays = {name: getattr(book, name)(game, rounds=n) for name, n in rounds.items() if n is not None}
    if as_json:
        played = {name: [one._asdict() for one in play] for name, play in plays.items()}
        print(json.dumps(matrix_data(game) | played))
    else:
        print("\n\n".join([matrix_text(game), *(play.steps(len(play)) for play in plays.values())]))
