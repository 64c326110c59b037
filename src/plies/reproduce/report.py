"""Outcomes as text and as a page in Markdown."""

from __future__ import annotations

from typing import Any


def shown(value: Any) -> str:
    """A number as people write it; lists with commas."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return f"{int(value):,}"
    if isinstance(value, list):
        return ", ".join(f"({shown(one)})" if isinstance(one, list) else shown(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown(one)}" for name, one in value.items())
    return str(value)


def time_text(seconds: float) -> str:
    """A time: seconds below two minutes, then minutes."""
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


def page(measured: dict[str, Any]) -> str:
    """A page in Markdown, from the data of a file of outcomes."""
    return f"# Published numbers\n\n{tables(measured)}"


def tables(measured: dict[str, Any]) -> str:
    """How many agree, what ran, and a table of all outcomes."""
    machine, rows = measured["machine"], measured["outcomes"]
    agreed = sum(_agrees(row) for row in rows)
    parts = [
        f"{agreed} of {len(rows)} agree. Run with Plies {machine['plies']} and Python {machine['python']} on "
        f"{machine['system']}, {machine['cores']} cores; times include compiling what was not in the cache.",
        "| entry | what | published by | expected | found | time |\n| --- | --- | --- | --- | --- | --- |",
    ]
    parts[-1] += "".join(f"\n{_row(row)}" for row in rows)
    return "\n\n".join(parts) + "\n"


def _agrees(row: dict[str, Any]) -> bool:
    return bool(row["found"] == row["expected"])


def _row(row: dict[str, Any]) -> str:
    found = row["problem"] or ("the same" if _agrees(row) else f"**{shown(row['found'])}**")
    cells = (
        f"`{row['name']}`",
        row["what"],
        f"{row['author']} {row['year']}: {row['source']}",
        shown(row["expected"]),
        found,
        time_text(row["seconds"]),
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
