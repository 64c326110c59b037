"""Replays: a whole game as a page with a slider, and a picture of each of its positions."""

from __future__ import annotations

from html import escape
from pathlib import Path

from plies.draw import theme
from plies.draw.board import board
from plies.draw.picture import Picture, write
from plies.engine.result import line_text
from plies.history import History

ROOM = 3_000_000
"""The most characters of pictures in a notebook; of a longer game, it shows the last positions. Not tuned."""

SLIDE = (
    "const all = this.parentElement.querySelectorAll('.position');"
    "all.forEach((one, i) => { one.hidden = i !== Number(this.value); });"
)
"""The slider's script. Arrow keys, Home and End move it, as in every browser."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 1rem auto; padding: 0 1rem; max-width: 40rem; font: 16px/1.5 system-ui, sans-serif; }}
svg.plies {{ max-width: 100%; height: auto; }}
</style>
</head>
<body>
<main>
<h1 style="font-size:1.25rem">{title}</h1>
{part}
</main>
<script>document.querySelector('input').focus();</script>
</body>
</html>
"""


def replay(history: History, *, size: float | None = None) -> Replay:
    """A game from its start to the current position, with a slider; boards have `size` pixels."""
    return Replay(history, size)


class Replay:
    """The positions of a game, one after the other."""

    def __init__(self, history: History, size: float | None = None) -> None:
        self.history = history
        self.size = size

    @property
    def title(self) -> str:
        """The game, and how long it is."""
        count = len(self.history.actions)
        return f"{self.history.game.name}, {count} move{'' if count == 1 else 's'}"

    def frames(self) -> list[Picture]:
        """A picture of every position, the last move marked."""
        return [self._frame(number) for number in range(len(self.history.states))]

    def _frame(self, number: int) -> Picture:
        states, actions = self.history.states, self.history.actions
        last = (states[number - 1], actions[number - 1]) if number else None
        return board(self.history.game, states[number], last=last, size=self.size)

    def part(self, room: float = ROOM) -> str:
        """A piece of a page: the last position, and a slider to the others, as many as there is room for."""
        positions: list[str] = []  # the last one first
        for number in reversed(range(len(self.history.states))):
            svg = str(self._frame(number))
            if positions:  # one stylesheet is enough for all
                svg = svg.replace(theme.STYLE, "", 1)
            room -= len(svg)
            if positions and room < 0:
                break
            positions.append(_position(svg, self._caption(number), hidden=bool(positions)))
        end = len(positions) - 1
        told = escape(self._told(len(self.history.states) - len(positions)))
        return (
            f'<div class="plies-replay">{"".join(reversed(positions))}'
            f'<input type="range" min="0" max="{end}" value="{end}" aria-label="move" '
            f'style="width:20em;max-width:100%" oninput="{escape(SLIDE)}"{"" if end else " disabled"}>'
            f'<div style="font-size:smaller">{told}{self._branches()}</div></div>'
        )

    def _branches(self) -> str:
        """The lines that were left for this one."""
        game, start = self.history.game, self.history.states[0]
        lines = [" ".join(line_text(game, start, line)) for line in self.history.branches]
        return "".join(f"<br>Branch {number}: {escape(line)}" for number, line in enumerate(lines))

    def _caption(self, number: int) -> str:
        if number == 0:
            return "the start"
        game, before = self.history.game, self.history.states[number - 1]
        return f"{number}. {game.player_name(game.to_move(before))}: " + game.described(
            before, self.history.actions[number - 1]
        )

    def _told(self, first: int) -> str:
        told = "The slider and the arrow keys go through the game"
        if first:
            told += f", from move {first} on"
        reason = f": {self.history.reason}" if self.history.reason else ""
        return told + (f"; it is over{reason}." if self.history.over else ".")

    @property
    def html(self) -> str:
        """A page that needs nothing else."""
        return PAGE.format(title=escape(self.title), part=self.part(float("inf")))

    def save(self, path: str | Path) -> None:
        """Write the page to a file, whose name ends in ".html"."""
        write(path, self.html, "a replay is", ".html", ".htm")

    def _repr_html_(self) -> str:
        return self.part()


def _position(svg: str, caption: str, hidden: bool) -> str:
    said = f'<figcaption style="font-size:smaller">{escape(caption)}</figcaption>'
    figure = f'<figure style="margin:0">{svg}{said}</figure>'
    return f'<div class="position"{" hidden" if hidden else ""}>{figure}</div>'
