"""Run every benchmark, print a table of ratios, and write the figures to bench/results.json."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import against_c, start_up

RESULTS = Path(__file__).parent / "results.json"


def main() -> None:
    """Measure, print, write."""
    table = Table("what", "Plies", "against", "ratio", title="Measured in one run, medians")
    rows = []
    for measure in (against_c.rows, start_up.rows):
        for row in measure():
            rows.append(row)
            table.add_row(row["what"], row["plies"], row["against"], row["ratio"])
    Console(width=120).print(table)
    RESULTS.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"figures in {RESULTS}")


if __name__ == "__main__":
    main()
