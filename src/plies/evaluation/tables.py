"""Small tables: the same cells as text, and as HTML for a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence

Row = Sequence[str]


def as_text(headings: Row, rows: Sequence[Row]) -> list[str]:
    """A line for each row, with the first column on the left and the others on the right."""
    cells = [headings, *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            text.rjust(width) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]


def as_html(title: str, headings: Row, rows: Sequence[Row], below: Sequence[str] = ()) -> str:
    """A table with a title, and paragraphs below it."""

    def cells(row: Row, tag: str) -> str:
        sides = ["right" if place else "left" for place in range(len(row))]
        return "".join(
            f'<{tag} style="text-align: {side}">{html.escape(text)}</{tag}>'
            for text, side in zip(row, sides, strict=True)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    table = (
        f'<table class="plies evaluation"><caption>{html.escape(title)}</caption>'
        f"<thead><tr>{cells(headings, 'th')}</tr></thead><tbody>{body}</tbody></table>"
    )
    return table + "".join(f"<p>{html.escape(text)}</p>" for text in below)
