"""A tournament as pages, with every game to replay, and as a file of records such as PGN."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from pathlib import Path

from plies import records
from plies.arena.annotated import annotations_of
from plies.arena.clock import TimeControl
from plies.arena.tournament import Tournament, TournamentGame
from plies.draw.standings import MARKS, PAGE, cross_table, linked, positions, table
from plies.errors import PliesError
from plies.game import Game
from plies.history import History
from plies.record_format import Annotations
from plies.terminal.tournament import notes, standings

EVENT = "Plies tournament"
"""What records say of where they are from."""

HEAD = 4096
"""The characters at the beginning of a file that show whether a tournament has written it. Not tuned."""


def check_record(game: Game, path: Path) -> None:
    """Refuse a file whose name asks for a format that the game does not have, and one with other games."""
    records.write_annotated(History(game), _form(path), Annotations(("", ""), 0.5))
    _check_own(path, EVENT)


def check_pages(folder: Path) -> None:
    """Refuse a folder with another page."""
    _check_own(folder / "index.html", "<title>Tournament: ")


def _check_own(path: Path, words: str) -> None:
    """Refuse to replace a file that is not from a tournament."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            if (head := file.read(HEAD)) and words not in head:
                raise PliesError(
                    f"there is a file {str(path)!r} already, and it is not from a tournament: give another "
                    "name"
                )
    except FileNotFoundError:
        return
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be used: {error.strerror}") from None


def write_record(game: Game, tournament: Tournament, path: Path) -> None:
    """Write all games, in the order of the plan, in the format that the file's name asks for."""
    partial = path.with_name(f"{path.name}.part")  # a kill leaves the old file or the new
    try:
        with partial.open("w", encoding="utf-8") as file:
            for one in tournament.games:
                file.write(_record(game, tournament, one, _form(path)))
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def write_pages(game: Game, tournament: Tournament, folder: Path) -> Path:
    """Write the standings and a page for every game; returns the path of the standings."""
    try:
        (folder / "games").mkdir(parents=True, exist_ok=True)
        for one in tournament.games:
            page = folder / "games" / f"{one.number}.html"
            page.write_text(_game(game, tournament, one), encoding="utf-8")
        path = folder / "index.html"
        path.write_text(_standings(game, tournament), encoding="utf-8")
    except OSError as error:
        raise PliesError(f"{str(folder)!r} cannot be written: {error.strerror}") from None
    return path


def _standings(game: Game, tournament: Tournament) -> str:
    heads, *rows = standings(tournament)
    said = f"{len(tournament.games):,} of {tournament.planned:,} games; {tournament.openings}."
    body = [f"<p>{escape(said)}</p>", f'<div class="wide">{table("standings", heads, rows)}</div>']
    body += [f"<p>{escape(' '.join(notes(tournament)))}</p>", "<h2>Every game</h2>"]
    cells: dict[tuple[str, str], list[str]] = {}
    for one in tournament.games:
        first, second = (tournament.players[player] for player in one.players)
        for pair, score in (((first, second), one.game.score), ((second, first), 1 - one.game.score)):
            cells.setdefault(pair, []).append(linked(f"games/{one.number}.html", MARKS[score]))
    body.append(cross_table([tournament.players[one] for one in tournament.ranking], cells))
    return PAGE.format(title=escape(f"Tournament: {game.name}"), body="\n".join(body))


def _game(game: Game, tournament: Tournament, one: TournamentGame) -> str:
    names = [tournament.players[player] for player in one.seats]
    score = 1 - one.game.score if one.game.first else one.game.score
    result = f"{MARKS[score]} : {MARKS[1 - score]}" + (f", {one.game.reason}" if one.game.reason else "")
    history = records.replay(game, one.game.position, one.game.moves)
    body = f'<p>{escape(result)}. <a href="../index.html">Standings</a></p>\n{positions(history)}'
    return PAGE.format(title=escape(f"{' v '.join(names)}, game {one.number + 1}"), body=body)


def _record(game: Game, tournament: Tournament, one: TournamentGame, form: str) -> str:
    history = records.replay(game, one.game.position, one.game.moves)
    clock = tournament.conditions.get("clock")
    control = None if clock is None else TimeControl.parse(clock)
    names = tournament.players[one.players[0]], tournament.players[one.players[1]]
    noted = annotations_of(history, one.game, names, control, EVENT)
    return records.write_annotated(history, form, noted) + "\n"


def _form(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")
