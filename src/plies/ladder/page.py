"""The pages of a ladder: the standings with a cross table, and a page for each game to replay."""

from __future__ import annotations

from html import escape
from pathlib import Path

from plies.draw.replay import Replay
from plies.errors import PliesError
from plies.history import History
from plies.ladder.game import Result, replayed
from plies.ladder.ladder import Ladder, Row

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 1rem auto; padding: 0 1rem; max-width: 60rem; font: 16px/1.5 system-ui, sans-serif; }}
h1 {{ font-size: 1.3rem; }} h2 {{ font-size: 1.1rem; }}
table {{ border-collapse: collapse; }} th, td {{ padding: 0.2rem 0.6rem; text-align: left; }}
td.number, th.number {{ text-align: right; }} tr + tr {{ border-top: 1px solid #8886; }}
.wide {{ overflow-x: auto; }} svg.plies {{ max-width: 100%; height: auto; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""

MARKS = {1.0: "1", 0.5: "½", 0.0: "0"}


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


def points(number: float) -> str:
    """Points as people write them: 2½."""
    whole = int(number)
    return f"{whole if whole or number == 0 else ''}{'½' if number != whole else ''}"


def _table(rows: list[Row]) -> str:
    heads = ("", "Player", "Points", "Games", "Won", "Drawn", "Lost", "Lost by")
    head = "".join(f'<th scope="col">{word}</th>' for word in heads)
    lines = [
        f"<tr><td>{rank}</td><td>{escape(row.name)}</td><td>{points(row.points)}</td><td>{row.games}</td>"
        f"<td>{row.wins}</td><td>{row.draws}</td><td>{row.losses}</td><td>{escape(faults(row))}</td></tr>"
        for rank, row in enumerate(rows, 1)
    ]
    return f'<table id="standings"><tr>{head}</tr>{"".join(lines)}</table>'


def _cross(ladder: Ladder, rows: list[Row]) -> str:
    """What each player got against each other, every result a link to its game."""
    cells: dict[tuple[str, str], list[str]] = {}
    for key, (result, _) in ladder.results().items():
        for seat, name in enumerate(result.names):
            mark = f'<a href="games/{key}.html">{MARKS[result.points[seat]]}</a>'
            cells.setdefault((name, result.names[1 - seat]), []).append(mark)
    names = [row.name for row in rows]
    head = "".join(f'<th scope="col">{number}</th>' for number in range(1, len(names) + 1))
    lines = [
        f'<tr><th scope="row">{rank}. {escape(name)}</th>'
        + "".join(f"<td>{' '.join(cells.get((name, other), []))}</td>" for other in names)
        + "</tr>"
        for rank, name in enumerate(names, 1)
    ]
    return f'<div class="wide"><table id="cross"><tr><td></td>{head}</tr>{"".join(lines)}</table></div>'


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
    return PAGE.format(title=escape(title), body=body + _positions(history))


def _positions(history: History) -> str:
    """The positions with a slider; of a game without pictures, the moves."""
    if history.game.scene(history.states[0]) is not None:
        return Replay(history).part(float("inf"))
    moves = [
        history.game.notation(state, action)
        for state, action in zip(history.states, history.actions, strict=False)
    ]
    return f"<p>{escape(' '.join(moves))}</p>\n<pre>{escape(history.game.text(history.state))}</pre>"
