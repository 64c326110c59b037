"""`plies database`: the values of all states of a game or an ending, made once, and looked up."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.arguments import GameName, Json, Parameters, Words, check_folder, game_and_state, game_of
from plies.cli.meter import Meter, VerifyingMeter, show
from plies.cli.program import Command, app
from plies.errors import BadPosition, PliesError

if TYPE_CHECKING:
    from plies.engine import Value
    from plies.game import Game, State
    from plies.retrograde.database import Database, Entry

group = typer.Typer(
    help="Make, verify, describe, look up and export databases: the value of every position.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(group, name="database")

Ending = Annotated[
    str, typer.Option(metavar="NAME", help="An ending that the game names, such as KQK.", show_default=False)
]


@group.command(cls=Command)
def make(
    name: GameName,
    parameters: Parameters = None,
    ending: Ending = "",
    memory: Annotated[
        float | None, typer.Option(metavar="MB", help="Memory limit; by default most of what there is.")
    ] = None,
    threads: Annotated[int | None, typer.Option(metavar="NUMBER", help="Threads: 1, 2, 4, …")] = None,
    fold: Annotated[bool, typer.Option(help="Take symmetric positions for one.")] = True,
    verify: Annotated[bool, typer.Option(help="Compare every entry with its successors.")] = True,
    as_json: Json = False,
) -> None:
    """Find the value of every position, by retrograde analysis, and keep them.

    They are kept in PLIES_DATA_DIR, or else in the folder for data of the
    platform. What was found is kept there every minute, too: after a kill, the
    same command goes on.
    """
    from plies.retrograde.folder import checkpoint_of, save_database
    from plies.retrograde.make import make_database
    from plies.retrograde.verify import verify_database

    game = game_of(name, parameters or [])
    checkpoint = checkpoint_of(game, ending)
    try:
        database = make_database(
            *(game, ending),
            memory=memory,
            threads=threads,
            fold=fold,
            progress=Meter(checkpoint),
            checkpoint=checkpoint,
        )
        found = verify_database(database, progress=VerifyingMeter()) if verify else None
        if found is not None and not found.holds:
            checkpoint.remove()
            raise PliesError(f"{found.wrong:,} entries do not follow from their successors: nothing was kept")
        path = save_database(database)
        checkpoint.remove()
    finally:
        show("")
        checkpoint.close()
    if as_json:
        print(json.dumps({**_facts(database), "verified": verify, "file": str(path)}))
    else:
        print(
            "\n".join(
                [*_description(database), f"verified   {'yes' if verify else 'no'}", f"file       {path}"]
            )
        )


@group.command("list", cls=Command)
def list_databases(as_json: Json = False) -> None:
    """List the databases that were made."""
    from plies.retrograde.database_file import Header
    from plies.retrograde.folder import data_folder, databases

    rows: list[dict[str, Any]] = []
    for path, header in databases():
        if isinstance(header, Header):
            given = " ".join(f"{name}={value}" for name, value in header.parameters.items())
            facts = {
                "game": header.game,
                "parameters": given,
                "ending": header.ending,
                "entries": sum(header.counts),
            }
            rows.append({**facts, "longest": header.longest, "bytes": path.stat().st_size, "file": str(path)})
        else:
            rows.append({"file": str(path), "trouble": str(header)})
    if as_json:
        print(json.dumps(rows))
        return
    for row in rows:
        if "trouble" in row:
            print(f"plies: {row['trouble']}", file=sys.stderr)
        else:
            what = " ".join(filter(None, (row["game"], row["parameters"], row["ending"])))
            print(f"{what}: {row['entries']:,} positions, {row['bytes'] / 1e6:,.1f} MB")
    print(f"{len(rows)} in {data_folder()}")


@group.command("verify", cls=Command)
def verify_again(name: GameName, parameters: Parameters = None, ending: Ending = "") -> None:
    """Compare every entry with those of its successors, by code that shares nothing with the maker."""
    from plies.retrograde.verify import verify_database

    database = _opened(name, parameters, ending)
    try:
        found = verify_database(database, progress=VerifyingMeter())
    finally:
        show("")
    if not found.holds:
        example = (
            "" if found.example is None else f", such as that of {_position(database.game, found.example)}"
        )
        raise PliesError(
            f"{found.wrong:,} of {found.entries:,} entries are wrong{example}; "
            f"{found.missing:,} positions are missing, {found.repeated:,} repeated, {found.lost:,} lost, "
            f"{found.confused:,} differ from what their number stands for"
        )
    print(f"{found.entries:,} entries follow from their successors")


@group.command(cls=Command)
def describe(
    name: GameName,
    parameters: Parameters = None,
    ending: Ending = "",
    longest: Annotated[int, typer.Option(metavar="NUMBER", help="How many of the longest wins to show.")] = 1,
    as_json: Json = False,
) -> None:
    """Count wins, draws and losses, and show the longest wins with their lines."""
    database = _opened(name, parameters, ending)
    wins = [_win(database, number) for number in database.longest(max(0, longest))] if longest > 0 else []
    if as_json:
        print(json.dumps({**_facts(database), "longest wins": wins}))
        return
    print("\n".join(_description(database)))
    for win in wins:
        print(f"{win['position']}: {win['value']}\n  {' '.join(win['line'])}")


@group.command(cls=Command)
def probe(name: GameName, words: Words = None, ending: Ending = "", as_json: Json = False) -> None:
    """Look up a position, and every move there."""
    from plies.retrograde.folder import open_database

    game, state = game_and_state(name, words or [])
    database = open_database(game, ending)
    entry = database.probe(state)
    if entry is None:
        raise PliesError(
            f"the position is not in the database of {game.name}{f' {ending}' if ending else ''}"
        )
    moves = [(action, _value(game, state, found, 1)) for action, found in database.actions(state)]
    value = _value(game, state, entry)
    if as_json:
        scores = {game.notation(state, action): one.to_dict() for action, one in moves}
        print(json.dumps({"game": repr(game), "value": value.to_dict(), "moves": scores}))
        return
    print(f"value      {value}{_without(game)}")
    for action, one in moves:
        print(f"  {game.notation(state, action)}: {one}")


@group.command(cls=Command)
def export(
    name: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="The file to write; - for the output.")],
    parameters: Parameters = None,
    ending: Ending = "",
) -> None:
    """Write every position, with its value to the player to move and the plies to the end, as CSV."""
    database = _opened(name, parameters, ending)
    if str(file) == "-":
        _export(database, sys.stdout)
        return
    check_folder(file)
    try:
        with file.open("w", encoding="utf-8", newline="") as out:
            _export(database, out)
    except OSError as error:
        raise PliesError(f"{str(file)!r} cannot be written: {error.strerror}") from None
    print(f"{len(database):,} positions written to {file}")


def _export(database: Database, out: Any) -> None:
    game, rows = database.game, csv.writer(out)
    rows.writerow(["position", "to move", "utility", "plies"])
    for state, entry in database.states():
        over = game.is_terminal(state)
        player = 0 if over else game.to_move(state)
        utility = entry.utility if player == 0 else 2 * game.draw_value - entry.utility
        mover = "" if over else game.player_name(player)
        rows.writerow(
            [_position(game, state), mover, f"{utility:g}", "" if entry.plies is None else entry.plies]
        )


# -- What is shown.


def _opened(name: str, parameters: list[str] | None, ending: str) -> Database:
    from plies.retrograde.folder import open_database

    return open_database(game_of(name, parameters or []), ending)


def _facts(database: Database) -> dict[str, Any]:
    game, (won, drawn, lost) = database.game, database.counts()
    names = [game.player_name(player) for player in (0, 1)]
    longest = database.entry(database.longest()[0]).plies or 0
    counts = {f"{names[0]} wins": won, "draws": drawn, f"{names[1]} wins": lost}
    return {
        "game": repr(game),
        "ending": database.ending,
        "positions": len(database),
        **counts,
        "plies": longest,
    }


def _description(database: Database) -> list[str]:
    facts = _facts(database)
    (_, won), (_, drawn), (_, lost) = list(facts.items())[3:6]
    names = [database.game.player_name(player) for player in (0, 1)]
    counts = f"{names[0]} wins {won:,}, {drawn:,} draws, {names[1]} wins {lost:,}"
    folded = ", symmetric ones taken for one" if database.folded else ""
    lines = [
        " ".join(filter(None, (database.game.name, database.ending))),
        f"positions  {len(database):,}{folded}",
        f"values     {counts}",
        f"longest    {facts['plies']} plies",
    ]
    first = database.game.initial()
    if not database.ending and (entry := database.probe(first)) is not None:
        lines.append(f"start      {_value(database.game, first, entry)}")
    return lines


def _win(database: Database, number: int) -> dict[str, Any]:
    """One of the longest wins, with its line."""
    from plies.engine.result import line_text

    game, state, entry = database.game, database.state(number), database.entry(number)
    line = line_text(game, state, database.line(state))
    return {"position": _position(game, state), "value": str(_value(game, state, entry)), "line": line}


def _value(game: Game, state: State, entry: Entry, plies: int = 0) -> Value:
    """An entry as a value to the player to move in a state, so many plies later."""
    from plies.engine import Value

    first = game.is_terminal(state) or game.to_move(state) == 0
    utility = entry.utility if first else 2 * game.draw_value - entry.utility
    distance = None if entry.plies is None or utility == game.draw_value else entry.plies + plies
    return Value.of(game, utility, True, distance)


def _without(game: Game) -> str:
    """What a value leaves out of account."""
    return ", if no clock ends the game before" if game.has("plies_left") else ""


def _position(game: Game, state: State) -> str:
    try:
        return game.position(state)
    except BadPosition:  # the game has no position strings
        return repr(state)
