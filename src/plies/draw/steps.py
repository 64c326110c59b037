"""Steps: a search step by step, forward and back, as a page of its own or as numbered pictures."""

from __future__ import annotations

import html
import json
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from plies.book.events import Cut, Event
from plies.book.tracing import Trace
from plies.draw.picture import Picture, write
from plies.draw.tree import LIMIT, Drawing
from plies.errors import PliesError
from plies.game import Game

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font-size: {size}px; }}
body {{ margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1d2329; background: #fff; }}
main {{ max-width: 75rem; margin: 0 auto; }}
h1 {{ font-size: 1.25rem; margin: 0 0 0.75rem; }}
@media (prefers-color-scheme: dark) {{ body {{ color: #e8e6e1; background: #101316; }} }}
{css}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div id="steps"></div>
<noscript>
<p>Without JavaScript the tree cannot be stepped through. This is how it ends, and how it came about.</p>
{svg}
<ol>
{sentences}
</ol>
</noscript>
<p>{help}</p>
</main>
<script type="module">
{script}
showSteps(document.getElementById("steps"), {data}, {{ keys: document, clicker: true }});
</script>
</body>
</html>
"""

HELP = "Arrow keys and clickers go forward and back, Home and End to the first and the last step."
"""The hint below the picture."""


def steps(trace: Trace, *, boards: Game | None = None, limit: int = LIMIT) -> Steps:
    """The steps of a trace, for a browser or a notebook; the options are those of `tree`.

    Of a tree with more nodes than `limit`, the steps at nodes that are not drawn are left out.
    """
    return Steps(Drawing(trace, boards=boards, limit=limit))


def _cut(event: Event) -> str:
    """The kind of a cut; "" for other events."""
    return event.kind if isinstance(event, Cut) else ""


class Steps:
    """The steps of a search: a page with everything in it, and a picture of each."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        drawn = {item.number for item in drawing.nodes}
        self._shown = [i for i, event in enumerate(drawing.trace.events) if event.node in drawn]

    @property
    def sentences(self) -> list[str]:
        """What happens at each step, and why."""
        return [self.drawing.sentences[i] for i in self._shown]

    @property
    def title(self) -> str:
        """The algorithm, its variant, and the game."""
        return f"{self.drawing.trace.heading}, step by step"

    @cached_property
    def data(self) -> dict[str, Any]:
        """The data of the page, for JSON."""
        events, changes = self.drawing.trace.events, self.drawing.changes
        return {
            "title": self.title,
            "svg": str(self.drawing.picture()),
            "intro": self._intro(),
            "steps": [
                {
                    **changes[i]._asdict(),
                    "cut": _cut(events[i]),
                    "say": self.drawing.sentences[i],
                }
                for i in self._shown
            ],
            "parents": {item.number: item.node.entered.parent for item in self.drawing.nodes},
        }

    def _intro(self) -> str:
        text = "The search has not begun. Go forward, step by step."
        left_out = len(self.drawing.changes) - len(self._shown)
        if left_out:
            text += f" {left_out:,} steps at nodes that are not drawn are left out."
        return text

    @property
    def html(self) -> str:
        """A page that needs nothing else."""
        script = files("plies.draw").joinpath("steps.js").read_text(encoding="utf-8")
        data = json.dumps(self.data, ensure_ascii=False)
        return PAGE.format(
            title=html.escape(self.title),
            size=f"{16 * self.drawing.type.scale:g}",
            css=files("plies.draw").joinpath("steps.css").read_text(encoding="utf-8"),
            svg=self.data["svg"],
            sentences="\n".join(f"<li>{html.escape(sentence)}</li>" for sentence in self.sentences),
            help=HELP,
            script=script,
            data=data.replace("<", "\\u003c"),  # or a name with "</script>" in it would end the script
        )

    def frames(self) -> list[Picture]:
        """A picture of every step, and one before the first."""
        return [self.drawing.picture(0), *(self.drawing.picture(i + 1) for i in self._shown)]

    def save(self, path: str | Path) -> None:
        """Write the page to a file, whose name ends in ".html"."""
        write(path, self.html, "steps are", ".html", ".htm")

    def save_frames(self, folder: str | Path) -> int:
        """Write every step as a picture, "step-000.svg" and so on, into a folder, which is made if need be.

        Returns how many there are.
        """
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PliesError(f"the folder {str(folder)!r} cannot be made: {error.strerror}") from None
        pictures = self.frames()
        digits = max(3, len(str(len(pictures) - 1)))
        for number, picture in enumerate(pictures):
            picture.save(folder / f"step-{number:0{digits}}.svg")
        return len(pictures)

    def _repr_html_(self) -> str:
        """The page in a frame, so that its styles and scripts stay inside."""
        height = min(900, 350 + round(self.drawing.box.height))
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.title)}" '
            f'sandbox="allow-scripts" style="width:100%;height:{height}px;border:0"></iframe>'
        )
