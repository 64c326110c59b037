"""`plies book`: opening books, made position by position, and looked up."""

from __future__ import annotations

import json
import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from plies.cli.arguments import (
    GameName,
    Jobs,
    Json,
    Parameters,
    Ray,
    Shard,
    UnitsFile,
    Words,
    check_folder,
    game_and_state,
    game_of,
    where_of,
)
from plies.cli.meter import duration, show
from plies.cli.program import Command, app
from plies.errors import BadParameter, PliesError
from plies.history import legal_actions

if TYPE_CHECKING:
    from plies.engine.opening_book_maker import BookMaker, MakerProgress
    from plies.game import Game
    from plies.opening_book.book import OpeningBook
    from plies.opening_book.journal import Journal
    from plies.work.run import Where


class _Group(TyperGroup):
    """Commands, of which `make` need not be named: `plies book connect-four --plies 8`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        first = next((word for word in args if not word.startswith("-")), "")
        if args and "--help" not in args[:1] and first not in self.commands:
            args = ["make", *args]
        return super().parse_args(ctx, args)


group = typer.Typer(
    help="Make, verify, describe and look up opening books: the values of the first positions of a game.",
    no_args_is_help=True,
    rich_markup_mode=None,
    cls=_Group,
)
app.add_typer(group, name="book")

OneFile = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="FILE",
        help="The book; by default the largest proved one of the game that there is.",
    ),
]

SAVED = 300.0
"""The seconds between two writings of the file; the journal has every position at once. Not tuned."""


@group.command(cls=Command)
def make(
    name: GameName,
    parameters: Parameters = None,
    plies: Annotated[
        int, typer.Option(metavar="NUMBER", help="Work out every position after so many plies.", min=1)
    ] = 4,
    searched: Annotated[
        bool, typer.Option("--searched", help="Estimate positions by a search instead of proving them.")
    ] = False,
    nodes: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="With --searched: the nodes of each search.", min=1)
    ] = None,
    distances: Annotated[
        bool, typer.Option(help="After all values, find out how soon each game ends.")
    ] = True,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop after so long; the same command goes on.")
    ] = None,
    memory: Annotated[float, typer.Option(metavar="MB", help="Size of the table in megabytes.")] = 256,
    jobs: Jobs = 1,
    ray: Ray = None,
    shard: Shard = None,
    units: UnitsFile = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The file; by default one in the folder for data (PLIES_DATA_DIR)."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make an opening book, position by position.

    Ctrl-C, a time limit or a kill keep what is there, and the same command goes on from
    it. Symmetric positions are taken for one; those before the layer follow by backing up.
    """
    from plies.engine.opening_book_maker import BookMaker
    from plies.opening_book.folder import book_path
    from plies.opening_book.journal import Journal

    if searched != (nodes is not None):
        raise BadParameter("a searched book takes both --searched and --nodes, a proved one neither")
    if time is not None and not time > 0:
        raise BadParameter(f"--time must be more than 0 seconds, not {time:g}")
    where = where_of(jobs, ray, shard, units)
    if where.elsewhere and time is not None:
        raise BadParameter("--time is for one process: leave out --jobs, --ray and --units, or --time")
    game = game_of(name, parameters or [])
    maker = BookMaker(game, plies, nodes=nodes or 0, memory=memory)
    path = book_path(game, plies, nodes or 0) if out is None else out
    if out is None:
        _make_folder(path.parent)
    else:
        check_folder(path)
    journal = Journal(game, path, f"{_rules(game)} {plies} {nodes or 0}")
    if where.shard is None:  # of a shard, the file of units is all there is
        maker.new = journal.add
    try:
        ended = _made(maker, path, journal, time, distances, where)
    finally:
        show("")
    book = maker.book()
    if as_json:
        print(json.dumps({**_facts(book), "ended": ended, "file": str(path)}))
    else:
        print(
            "\n".join(
                [*_description(book), f"file       {units if shard else path}", *([ended] if ended else [])]
            )
        )


def _made(
    maker: BookMaker, path: Path, journal: Journal, time: float | None, distances: bool, where: Where
) -> str:
    """Make a book, and keep it; why it ended early, in words."""
    from plies.engine.book_units import worked_out
    from plies.opening_book.file import write_book
    from plies.opening_book.folder import open_book, proved_books
    from plies.work.differences import begun_otherwise

    begun = clock.perf_counter()
    ended, saved, phase = "", begun, ""
    try:
        for progress in maker.enumerate():
            show_progress(progress)
        earlier = [path] if path.exists() else []
        earlier += [] if maker.nodes else [one for one in proved_books(maker.game) if one != path]
        asked = {"plies": maker.plies, "nodes": maker.nodes}
        for one in earlier:
            book = open_book(maker.game, one)
            kept = {"plies": book.plies, "nodes": book.nodes}
            if one == path and kept != asked:
                raise begun_otherwise(path, kept, asked)
            maker.resume(book.entries() if kept == asked else ())
        maker.resume(journal.entries())
        left = None if time is None else max(0.01, time - (clock.perf_counter() - begun))
        work = worked_out(maker, where, distances) if where.elsewhere else maker.run(left, distances)
        for progress in work:
            show_progress(progress)
            due = clock.perf_counter() - saved > SAVED or progress.phase != phase
            if due and where.shard is None:
                write_book(maker.book(), path)
                journal.remove()
                saved, phase = clock.perf_counter(), progress.phase
        if time is not None and clock.perf_counter() - begun >= time:
            ended = "The time is up; the same command goes on."
        ended = where.next_step or ended
    except KeyboardInterrupt:
        if not maker.entries:
            raise
        ended = "It was interrupted; the same command goes on."
    if where.shard is not None:
        return ended
    write_book(maker.book(), path)
    journal.remove()
    return ended


@group.command("verify", cls=Command)
def verify_book(
    name: GameName,
    parameters: Parameters = None,
    file: OneFile = None,
    samples: Annotated[
        int, typer.Option(metavar="NUMBER", help="How many positions of the layer to solve again.", min=0)
    ] = 20,
    seed: Annotated[int, typer.Option(help="Which positions these are.")] = 0,
) -> None:
    """Check that every value follows from those after it, and solve some positions again."""
    from plies.engine.opening_book_verifier import verify

    book = _opened(game_of(name, parameters or []), file)
    try:
        found = verify(book, samples, seed, show)
    finally:
        show("")
    if found.wrong:
        raise PliesError(f"the book is wrong: {found.wrong[0]}; {len(found.wrong):,} faults in all")
    print(
        f"{found.backed_up:,} positions follow from their successors, {found.layer:,} are of the layer; "
        f"{found.solved:,} of these were solved again"
    )


@group.command(cls=Command)
def describe(
    name: GameName, parameters: Parameters = None, file: OneFile = None, as_json: Json = False
) -> None:
    """Count what a book knows, by ply."""
    book = _opened(game_of(name, parameters or []), file)
    print(json.dumps(_facts(book)) if as_json else "\n".join(_description(book)))


@group.command(cls=Command)
def probe(name: GameName, words: Words = None, file: OneFile = None, as_json: Json = False) -> None:
    """Look up a position, and every move there."""
    from plies.engine.opening_book import root_in_book

    game, state = game_and_state(name, words or [])
    if game.is_terminal(state):
        raise PliesError("there is nothing to look up: the game is over")
    book = _opened(game, file)
    known = root_in_book(book, game, state, legal_actions(game, state))
    if known is None:
        raise PliesError(f"the position is not in the opening book of {game.name}")
    scores = {game.notation(state, action): value for action, value in known.scores.items()}
    move = None if known.action is None else game.notation(state, known.action)
    if as_json:
        moves = {word: value.to_dict() for word, value in scores.items()}
        worth = None if known.value is None else known.value.to_dict()
        print(json.dumps({"game": repr(game), "value": worth, "move": move, "moves": moves}))
        return
    print(f"value      {'not known' if known.value is None else known.value}")
    if move is not None:
        print(f"best move  {move}")
    for word, value in sorted(scores.items(), key=lambda item: item[1], reverse=True):
        print(f"  {word}: {value}")
    print(known.rests_on)


# -- What is shown.


def _opened(game: Game, file: Path | None) -> OpeningBook:
    from plies.opening_book.folder import book_for, open_book

    if file is not None:
        return open_book(game, file)
    book = book_for(game)
    if book is None:
        raise PliesError(
            f"there is no opening book of {game.name} by these rules and parameters: "
            f"`plies book {game.name}` makes one"
        )
    return book


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PliesError(f"the folder {str(folder)!r} cannot be made: {error.strerror}") from None


def _rules(game: Game) -> str:
    from plies.opening_book.fingerprint import book_fingerprint

    return book_fingerprint(game)


def _facts(book: OpeningBook) -> dict[str, Any]:
    return {
        "game": repr(book.game),
        "plies": book.plies,
        "proved": book.proved,
        "nodes": book.nodes,
        "positions": len(book),
        "layer": book.layer,
        "layer known": book.known,
        "distances": int((book.distances > 0).sum()),
        "version": book.version,
    }


def _description(book: OpeningBook) -> list[str]:
    facts, game = _facts(book), book.game
    kind = "proved" if book.proved else f"searched, {book.nodes:,} nodes each"
    share = 100 * book.known / max(1, book.layer)
    lines = [
        f"{game.name}, {book.plies} plies, {kind}",
        f"layer      {book.known:,} of {book.layer:,} positions ({share:.3g} %)",
        f"before it  {len(book) - book.known:,} positions",
        f"distances  {facts['distances']:,} positions",
    ]
    entry = book.probe(game.initial())
    if entry is not None:
        from plies.engine.opening_book import book_value

        lines.append(f"start      {book_value(book, entry)}")
    return lines


def show_progress(progress: MakerProgress) -> None:
    """Show how far a book or a proof is."""
    if progress.phase == "listing":
        show(f"plies: {progress.layer:,} positions found …")
        return
    left = "" if progress.seconds is None else f", about {duration(progress.seconds)} left"
    show(f"plies: {progress.phase}: {progress.done:,} of {progress.layer:,} positions{left} …")
