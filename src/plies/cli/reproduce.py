"""`plies reproduce`: published numbers, each with its source, what was expected and what came out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import Jobs, Plain, Ray, Shard, UnitsFile, check_folder, where_of
from plies.cli.program import command
from plies.errors import BadParameter


@command
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Entries by name, or by a part of it.")
    ] = None,
    show_list: Annotated[
        bool, typer.Option("--list", help="List the entries, with their sources and costs.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Run the long entries as well.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write what came out, after each entry: .json, or .md for a table."
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json", help="Go on where that file ends: what agreed in it is not run again."
        ),
    ] = None,
    jobs: Jobs = 1,
    ray: Ray = None,
    shard: Shard = None,
    units: UnitsFile = None,
    plain: Plain = False,
) -> None:
    """Reproduce published numbers: counts, values of games, trees, matrix games.

    Without names, it runs the quick ones. Each result is shown as it comes, and
    Ctrl-C keeps what is there. The exit code is 1 if a number differs from what
    was published.
    """
    from plies.reproduce import find
    from plies.terminal.reproduce import ReproduceRun, list_text
    from plies.terminal.screen import Screen

    for file, endings in ((output, (".json", ".md")), (resume, (".json",))):
        if file is not None and file.suffix not in endings:
            raise BadParameter(f"{str(file)!r} must end in {' or '.join(endings)}")
        if file is not None:
            check_folder(file)
    entries = find(names or (), everything=everything or show_list)
    if show_list:
        print(list_text(entries))
        return
    where = where_of(jobs, ray, shard, units)
    code = ReproduceRun(entries, Screen(plain), output, resume, where).run()
    if code:
        raise typer.Exit(code)
