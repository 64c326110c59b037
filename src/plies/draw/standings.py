"""Standings as a page: tables of players, a cross table, and games to replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from plies.draw.replay import Replay
from plies.history import History

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


def table(name: str, heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table of text and numbers."""
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in heads)
    lines = ["".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows]
    return f'<table id="{name}"><tr>{head}</tr>{"".join(f"<tr>{line}</tr>" for line in lines)}</table>'


def cross_table(names: Sequence[str], cells: Mapping[tuple[str, str], Sequence[str]]) -> str:
    """What each player got against each other: pieces of a page, by their names."""
    head = "".join(f'<th scope="col">{number}</th>' for number in range(1, len(names) + 1))
    lines = [
        f'<tr><th scope="row">{rank}. {escape(name)}</th>'
        + "".join(f"<td>{' '.join(cells.get((name, other), []))}</td>" for other in names)
        + "</tr>"
        for rank, name in enumerate(names, 1)
    ]
    return f'<div class="wide"><table id="cross"><tr><td></td>{head}</tr>{"".join(lines)}</table></div>'


def linked(address: str, words: str) -> str:
    """A link."""
    return f'<a href="{escape(address)}">{escape(words)}</a>'


def points(number: float) -> str:
    """Points as people write them: 2½."""
    whole = int(number)
    return f"{whole if whole or number == 0 else ''}{'½' if number != whole else ''}"


def positions(history: History) -> str:
    """The positions with a slider; of a game without pictures, the moves."""
    if history.game.scene(history.states[0]) is not None:
        return Replay(history).part(float("inf"))
    moves = [
        history.game.notation(state, action)
        for state, action in zip(history.states, history.actions, strict=False)
    ]
    return f"<p>{escape(' '.join(moves))}</p>\n<pre>{escape(history.game.text(history.state))}</pre>"
