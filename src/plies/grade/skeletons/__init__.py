"""Skeletons for students: the hand-out's names or the six rules, with blanks and doctests, no solutions."""

from __future__ import annotations

from importlib.resources import files

from plies.errors import BadParameter

STYLES = ("lab", "book")


def skeleton(style: str) -> str:
    """The skeleton in a style, "lab" or "book": a file of Python in which every blank is `...`."""
    if style not in STYLES:
        raise BadParameter(f"there are skeletons in lab and in book style, not {style!r}")
    return files("plies.grade.skeletons").joinpath(f"{style}.txt").read_text(encoding="utf-8")
