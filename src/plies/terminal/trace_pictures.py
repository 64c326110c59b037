"""Traces as pictures: a tree, a page of steps, a picture for each step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plies.book import Trace
from plies.draw.steps import Steps
from plies.draw.tree import Drawing
from plies.game import Game


def write_pictures(
    trace: Trace, svg: Path | None, html: Path | None, frames: Path | None, boards: Game | None
) -> Iterator[str]:
    """Write the pictures of a trace that were asked for; yields a line about each."""
    drawing = Drawing(trace, boards=boards)
    drawn = len(drawing.nodes)
    left_out = f" ({drawn:,} of {trace.nodes:,} nodes)" if drawn < trace.nodes else ""
    if svg is not None:
        drawing.picture().save(svg)
        yield f"{svg}: the tree{left_out}"
    steps = Steps(drawing)
    if html is not None:
        steps.save(html)
        yield f"{html}: {len(steps.sentences):,} steps{left_out}"
    if frames is not None:
        count = steps.save_frames(frames)
        yield f"{frames}: {count:,} pictures{left_out}"
