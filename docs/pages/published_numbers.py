"""The page of published numbers: what is written by hand, and the results of the last `plies reproduce`."""

from __future__ import annotations

import json
from pathlib import Path

from docs.pages.written import DOCS
from plies.reproduce.report import tables

WRITTEN = DOCS / "published-numbers.md"
RESULTS = Path(__file__).with_suffix(".json")
MARK = "<!-- outcomes -->"


def page(results: Path = RESULTS) -> str:
    """The page, in Markdown: below the mark, what came out, or how to run it where nothing has been."""
    text = WRITTEN.read_text(encoding="utf-8")
    if not results.exists():
        return text.replace(MARK, "Nothing has been run here yet: `plies reproduce --all --output FILE.md`.")
    measured = json.loads(results.read_text(encoding="utf-8"))
    return text.replace(MARK, f"## What came out\n\n{tables(measured)}")
