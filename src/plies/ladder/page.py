"""The pages of a ladder: the standings with a cross table, and a page for each game to replay."""

from __future__ import annotations

from html import escape
from pathlib import Path

from plies.draw.standings import MARKS, PAGE, cross_table, linked, points, positions, table
from plies.errors import PliesError
from plies.ladder.game import Result, replayed
from plies.ladder.ladder import Ladder, Row


def write_pages(ladder: Ladder) -> Path:
    """Write the standings and the pages of all games; returns the path of the standings."""
    games = ladder.folder / "games"
    results = ladder.results()
    try:
        games.mkdir(parents=True, exist_ok=True)
        for key, (result, number) in results.items():
            page = games / f"{key}.html"
            if not page.exists():
                page.write_text(_game(ladder, result, number), encoding="utf-8")
        for page in games.glob("*.html"):  # of files that were changed or are gone
            if page.stem not in results:
                page.unlink()
        path = ladder.folder / "index.html"
        path.write_text(standings(ladder), encoding="utf-8")
    except OSError as error:
        raise PliesError(f"{str(ladder.folder)!r} cannot be written: {error.strerror}") from None
    return path


def standings(ladder: Ladder) -> str:
    """The page with the standings, the cross table and all games in words."""
    rows = ladder.standings()
    played, all_ = len(ladder.results()), len(ladder.pairings())
    settings = ladder.settings
    limit = f"{settings.time:g} s of computing a move"
    said = f"{played} of {all_} games, {limit}. A win is a point, a draw half a point."
    body = f"<p>{said}</p>\n{_table(rows)}\n<h2>Every game</h2>\n{_cross(ladder, rows)}\n{_list(ladder)}"
    return PAGE.format(title=escape(f"Ladder: {ladder.game.name}"), body=body)


def faults(row: Row) -> str:
    """The mistakes of a player in words."""
    return ", ".join(f"{kind}: {count}" for kind, count in sorted(row.faults.items()))


def _table(rows: list[Row]) -> str:
    heads = ("", "Player", "Points", "Games", "Won", "Drawn", "Lost", "Lost by")
    lines = [
        (rank, row.name, points(row.points), row.games, row.wins, row.draws, row.losses, faults(row))
        for rank, row in enumerate(rows, 1)
    ]
    return table("standings", heads, lines)


def _cross(ladder: Ladder, rows: list[Row]) -> str:
    """What each player got against each other, every result a link to its game."""
    cells: dict[tuple[str, str], list[str]] = {}
    for key, (result, _) in ladder.results().items():
        for seat, name in enumerate(result.names):
            mark = linked(f"games/{key}.html", MARKS[result.points[seat]])
            cells.setdefault((name, result.names[1 - seat]), []).append(mark)
    return cross_table([row.name for row in rows], cells)


def _list(ladder: Ladder) -> str:
    items = [
        f'<li><a href="games/{key}.html">{escape(" v ".join(result.names))}</a>: {escape(result.words)}</li>'
        for key, (result, _) in ladder.results().items()
    ]
    return f"<ol>{''.join(items)}</ol>"


def _game(ladder: Ladder, result: Result, number: int) -> str:
    """The page of a game."""
    title = f"{' v '.join(result.names)}, game {number + 1}"
    history = replayed(ladder.game, result.moves)
    body = f'<p>{escape(result.words)}. <a href="../index.html">Standings</a></p>\n'
    return PAGE.format(title=escape(title), body=body + positions(history))
