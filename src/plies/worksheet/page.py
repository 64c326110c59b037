"""A work sheet as a page to print, blank or with the key; and as PDF where Chromium is installed."""

from __future__ import annotations

import inspect
import json
import shutil
import subprocess
import tempfile
from html import escape
from pathlib import Path

from plies.book.arguments import variant
from plies.errors import PliesError
from plies.game import Game
from plies.games.tree import Tree
from plies.worksheet.problems import NEVER, Problem, Question
from plies.worksheet.sheet import Sheet

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light; }}
body {{ font: 11pt/1.4 system-ui, sans-serif; max-width: 46rem; margin: 1rem auto; padding: 0 1rem; }}
body {{ color: #111; background: #fff; }}
header {{ display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap; }}
header {{ border-bottom: 1px solid; }}
h1 {{ font-size: 1.2rem; }} h2 {{ font-size: 1rem; margin-bottom: 0.2rem; }}
svg {{ max-width: 100%; height: auto; max-height: 22rem; }}
table {{ border-collapse: collapse; }} td {{ padding: 0.2rem 0.8rem 0.2rem 0; }}
td + td {{ border-bottom: 1px solid; min-width: 9rem; height: 1.4rem; }}
.key td + td {{ font-weight: 700; }}
footer {{ font-size: 0.8rem; border-top: 1px solid; margin-top: 1.5rem; }}
@page {{ size: A4; margin: 16mm; }}
@media print {{ body {{ margin: 0; padding: 0; max-width: none; }} section {{ break-inside: avoid; }} }}
</style>
</head>
<body class="{kind}">
<header><h1>{title}</h1><p>{who}</p></header>
<p>{task}</p>
{problems}
<footer>Sheet {id}, code {code}. Made with Plies.</footer>
</body>
</html>
"""

PROBLEM = """<section id="problem-{number}"{data}>
<h2>{number}. {heading}</h2>
{picture}
<table>
{rows}
</table>
</section>"""

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""The names that Chromium goes by; without its windows it takes half the time."""


def html(sheet: Sheet, key: bool = False) -> str:
    """The sheet as a page that needs nothing else; with the answers, if it is the key."""
    return PAGE.format(
        title=escape(f"{'Key: ' if key else ''}{heading(sheet)}"),
        kind="key" if key else "sheet",
        who=escape(sheet.id) if key else f"Name: ____________________ &nbsp; {escape(sheet.id)}",
        task=escape(task(sheet)),
        problems="\n".join(_problem(i, one, key) for i, one in enumerate(sheet.problems, 1)),
        id=escape(sheet.id),
        code=sheet.code,
    )


def heading(sheet: Sheet) -> str:
    """The algorithm with its variant."""
    settings = sheet.settings
    said = variant(
        settings.algorithm, {**settings.options, "depth": settings.depth if settings.game else None}
    )
    return f"{settings.algorithm}{f' ({said})' if said else ''} by hand"


def task(sheet: Sheet) -> str:
    """What is to be done, in words."""
    settings = sheet.settings
    if settings.game is not None:
        words = (
            f"Search each position of {settings.game.name} by {settings.algorithm} to depth {settings.depth}."
        )
        words += " MAX is whoever is to move."
        return (
            f"{words} {_estimates(settings.game)}" if any(one.estimates for one in sheet.problems) else words
        )
    words = f"Search each tree by {settings.algorithm}, branches from left to right."
    return f"{words} Where a node is never visited, write {NEVER}." if sheet.problems[0].cuts else words


def _estimates(game: Game) -> str:
    """What a position is worth where the depth ends before the game."""
    words = "Where the depth ends before the game, a position is worth EVAL"
    weights = getattr(game, "weights", ())
    if not game.feature_names or len(weights) != len(game.feature_names):
        return f"{words}, that of the game."
    terms = zip(weights, game.feature_names, strict=True)
    said = " + ".join(f"{float(weight):g} × {name}" for weight, name in terms)
    told = (inspect.getdoc(type(game).features) or "").partition("\n")[0]
    return f"{words}, to {game.player_name(0)} {said}. {told}".rstrip()


def _problem(number: int, problem: Problem, key: bool) -> str:
    what = "Tree" if problem.is_tree else "Position"
    given = problem.game.to_json() if isinstance(problem.game, Tree) else problem.game.position(problem.state)
    return PROBLEM.format(
        number=number,
        data=f' data-{what.lower()}="{escape(json.dumps(json.loads(given)) if problem.is_tree else given)}"',
        heading=escape(heading_of(problem)),
        picture=problem.picture(solved=key),
        rows="\n".join(_row(question, key) for question in problem.questions),
    )


def heading_of(problem: Problem) -> str:
    """A tree; or a position, with who is to move and the moves in the order of the search."""
    if problem.is_tree:
        return "Tree"
    game, state = problem.game, problem.state
    moves = " ".join(game.notation(state, action) for action in game.actions(state))
    return f"Position: {game.player_name(game.to_move(state))} to move, in the order {moves}"


def _row(question: Question, key: bool) -> str:
    return f"<tr><td>{escape(question.label)}</td><td>{escape(question.answer) if key else ''}</td></tr>"


def write_pdf(page: str, path: Path) -> None:
    """Print a page to a PDF file, by Chromium."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        raise PliesError(
            "PDF is printed by Chromium, which is not installed here: print the page from a browser"
        )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "sheet.html")
        source.write_text(page, encoding="utf-8")
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        command += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={path.resolve()}", source.as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            raise PliesError(f"Chromium did not print {path.name} within two minutes") from None
    if done.returncode or not path.exists():
        raise PliesError(f"Chromium could not print {path.name}: {done.stderr.strip()[-200:]}")
