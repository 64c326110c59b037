"""The page of benchmarks, from the results of `make bench`; `python -m docs.pages.benchmarks` prints it."""

from __future__ import annotations

import json
from pathlib import Path

from docs.pages.written import DOCS, table

RESULTS = DOCS.parent / "bench" / "results.json"

INTRODUCTION = """# Benchmarks

`make bench` measures Plies against C, against other programs and against itself. Every ratio comes from one
run, in which the things compared take turns. `python -m bench NAME …` measures some of it, `--quick` less."""

MISSING = (
    """Nothing has been measured here yet. Run `make bench`, which takes a while, and then `make docs`."""
)


def page(results: Path = RESULTS) -> str:
    """The page, in Markdown: a table for each subject, or how to measure where nothing has been."""
    if not results.exists():
        return f"{INTRODUCTION}\n\n{MISSING}\n"
    measured = json.loads(results.read_text(encoding="utf-8"))
    machine = measured["machine"]
    parts = [
        INTRODUCTION,
        f"Measured with Plies {machine['plies']} and Python {machine['python']} on {machine['system']}, "
        f"{machine['cores']} cores."
        + (" This was a quick run: too little work for figures to rely on." if machine["quick"] else ""),
    ]
    for subject in measured["tables"].values():
        rows = [tuple(row) for row in subject["rows"]]
        parts += [f"## {subject['title']}", table(tuple(subject["columns"]), rows), subject["note"]]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    print(page(), end="")
