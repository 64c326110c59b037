"""The part of a page that is written by hand: text under headings that all pages of its kind share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

DOCS = Path(__file__).parents[1]


def sections(path: Path) -> dict[str, str]:
    """The text below each `## heading` of a file, and under "" what comes first; if there is a file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    first, *rest = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    found = {"": first, **dict(zip(rest[::2], rest[1::2], strict=True))}
    return {heading: body.strip() for heading, body in found.items()}


def merged(title: str, facts: Mapping[str, str], path: Path) -> str:
    """A page with the headings of `facts`: below each, its facts and then what the file adds to them.

    The file may have another title.
    """
    written = sections(path)
    if named := re.match(r"# (.*)\n", written[""] + "\n"):
        title, written[""] = named[1], written[""][named.end() :].strip()
    if unknown := [heading for heading in written if heading not in facts]:
        raise ValueError(
            f"{path} has a heading {unknown[0]!r}; pages of this kind have {', '.join(filter(None, facts))}"
        )
    parts = [f"# {title}"]
    for heading, body in facts.items():
        parts += [f"## {heading}"] if heading else []
        parts += filter(None, (body.strip(), written.get(heading, "")))
    return "\n\n".join(parts) + "\n"


def table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [columns, tuple("---" for _ in columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
