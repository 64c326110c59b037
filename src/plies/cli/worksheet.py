"""`plies worksheet`: trees or positions to be searched by hand, a sheet and a key for each student."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plies.cli.program import command
from plies.cli.trace import BookOption
from plies.errors import PliesError

if TYPE_CHECKING:
    from plies.worksheet import Settings


@command
def worksheet(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game whose positions are searched (default: random trees)."),
    ] = None,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="PARAM=VALUE", help="The game's parameters.")
    ] = None,
    seed: Annotated[
        int, typer.Option(help="What the sheets are drawn from. Who knows it can make every key.")
    ] = 0,
    student: Annotated[
        list[str] | None, typer.Option("--id", help="The id of a sheet; may be repeated (default: sheet-1).")
    ] = None,
    ids: Annotated[Path | None, typer.Option(metavar="FILE", help="A file with an id on each line.")] = None,
    algorithm: Annotated[str, typer.Option(help="One of {book}.")] = "alpha-beta",
    option: BookOption = None,
    count: Annotated[int, typer.Option(metavar="N", help="The problems of a sheet.")] = 4,
    branching: Annotated[int, typer.Option(metavar="N", help="The branches of each node of a tree.")] = 3,
    depth: Annotated[
        int, typer.Option(metavar="PLIES", help="The depth of a tree, or of the search of a position.")
    ] = 2,
    levels: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Who moves, level by level, such as max,chance,min or 0,1,2."),
    ] = None,
    plies: Annotated[int, typer.Option(metavar="N", help="The random moves that lead to a position.")] = 4,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write.")] = Path(
        "worksheets"
    ),
    key: Annotated[bool, typer.Option("--key", help="Write only the keys, again.")] = False,
    pdf: Annotated[bool, typer.Option("--pdf", help="Print them to PDF, too (needs Chromium).")] = False,
    moodle: Annotated[
        bool, typer.Option("--moodle", help="Write moodle.xml, too: questions that Moodle imports.")
    ] = False,
) -> None:
    """Write work sheets: trees or positions to be searched by hand.

    Each id gets problems of its own and a key. Problems of the same number are
    equally hard: trees of one shape whose searches visit as many nodes and
    leaves and have as many cut-offs. The same seed, id and settings make the
    same sheet again, and its key.
    """
    from plies.book.arguments import arguments_of, read_options
    from plies.cli.arguments import game_of
    from plies.cli.meter import show
    from plies.worksheet import Settings, sheets
    from plies.worksheet.moodle import moodle as as_moodle
    from plies.worksheet.page import html, write_pdf
    from plies.worksheet.problems import checked

    name = checked(algorithm.strip().lower())
    settings = Settings(
        name,
        seed,
        count=count,
        options=read_options(option or [], arguments_of(name), name),
        branching=branching,
        depth=depth,
        levels=None if levels is None else _levels(levels),
        game=None if game is None else game_of(game, words or []),
        plies=plies,
    )
    wanted = _ids(student, ids)
    _folder(output)
    made = []
    for sheet in sheets(settings, wanted, lambda done: show(f"plies: {done} of {len(wanted)} sheets …")):
        pages = {f"{sheet.id}-key": html(sheet, key=True)}
        if not key:
            pages[sheet.id] = html(sheet)
        for stem, page in pages.items():
            _write(output / f"{stem}.html", page)
            if pdf:
                write_pdf(page, output / f"{stem}.pdf")
        made.append(sheet)
    if moodle:
        _write(output / "moodle.xml", as_moodle(made))
    many = f"{len(made)} key{'s' if len(made) > 1 else ''}" if key else _counted(len(made))
    print(f"{many} of {count} problem{'s' if count > 1 else ''} in {output}")
    _print_hardness(settings)


def _counted(number: int) -> str:
    return f"{number} sheets with their keys" if number > 1 else "1 sheet with its key"


def _print_hardness(settings: Settings) -> None:
    """What every student's problems have in common."""
    for number, (nodes, leaves, cuts) in enumerate(settings.targets, 1):
        kinds = ", ".join(f"{many} {kind}" for kind, many in cuts) or "none"
        print(f"  problem {number}: {nodes} nodes, {leaves} leaves, cut-offs: {kinds}")


def _levels(text: str) -> tuple[str | int, ...]:
    return tuple(int(word) if word.strip().isdecimal() else word.strip() for word in text.split(","))


def _ids(given: list[str] | None, file: Path | None) -> list[str]:
    found = list(given or [])
    if file is not None:
        try:
            found += [line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError) as error:
            raise PliesError(f"the ids cannot be read from {str(file)!r}: {error}") from None
        if not found:
            raise PliesError(f"there is no id in {str(file)!r}")
    twice = next((one for one in found if found.count(one) > 1), None)
    if twice is not None:
        raise PliesError(f"the id {twice!r} is given twice")
    return found or ["sheet-1"]


def _folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PliesError(f"the folder {str(path)!r} cannot be made: {error.strerror}") from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None
