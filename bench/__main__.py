"""Run the benchmarks, print a table for each, and write the figures to bench/results.json."""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table

from bench import (
    against_c,
    against_peers,
    chess_perft,
    endgames,
    environments,
    minimal_tree,
    networks,
    perft,
    refinements,
    retrograde,
    several_workers,
    simulations,
    solving,
    star,
    start_up,
    threads,
    training,
)
from bench.common import Row, progress
from plies.draw import plots
from plies.errors import PliesError

SUBJECTS: dict[str, ModuleType] = {
    "c": against_c,
    "peers": against_peers,
    "refinements": refinements,
    "star": star,
    "simulations": simulations,
    "minimal-tree": minimal_tree,
    "networks": networks,
    "training": training,
    "threads": threads,
    "workers": several_workers,
    "start-up": start_up,
    "perft": perft,
    "retrograde": retrograde,
    "solving": solving,
    "chess": chess_perft,
    "endgames": endgames,
    "environments": environments,
}
RESULTS = Path(__file__).parent / "results.json"


class Interrupted(BaseException):
    """Ctrl-C. Not a KeyboardInterrupt, which a search takes for the wish to end that search alone."""


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="subject", help=f"some of: {', '.join(SUBJECTS)}")
    parser.add_argument("--quick", action="store_true", help="smaller searches, fewer repetitions")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the speed ratios")
    given = parser.parse_args()
    if given.plot is not None:
        try:
            plots.checked(given.plot)
        except PliesError as error:
            parser.error(str(error))
    unknown = [name for name in given.subjects if name not in SUBJECTS]
    if unknown:
        parser.error(f"there is no subject {unknown[0]!r}; there are {', '.join(SUBJECTS)}")
    signal.signal(signal.SIGINT, _interrupt)
    machine = _machine(given.quick)
    measured: dict[str, list[Row]] = {}
    with tempfile.TemporaryDirectory() as nothing:  # searches are measured, not what somebody has looked up
        os.environ |= {"PLIES_DATA_DIR": nothing, "PLIES_BOOK": "no"}
        try:
            for name in given.subjects or SUBJECTS:
                measured[name] = []
                for row in SUBJECTS[name].rows(given.quick):
                    measured[name].append(row)
        except Interrupted:
            progress("interrupted; this is what was measured so far")
    _report(measured, machine)
    ratios = speeds({name: [row.figures for row in rows] for name, rows in measured.items()})
    if given.plot is not None and ratios:
        plots.ratios(ratios, "Plies against others", "times as fast").save(given.plot)
        progress(f"the ratios are drawn in {given.plot}")
    elif given.plot is not None:
        progress(f"there is no ratio to draw: these are of {', '.join(AGAINST)}")


AGAINST: dict[str, Callable[[dict[str, Any]], str]] = {
    "c": lambda row: f"{row['what']}: C",
    "peers": lambda row: f"{row['what']}: {row.get('peer', 'OpenSpiel')}",
    "simulations": lambda row: f"Monte Carlo, {row['game']}: OpenSpiel",
    "environments": lambda row: f"environment, {row['what']}: {row['peer']}",
    "chess": lambda row: f"chess, {row['what']}, {row['position']}: {row['program']}",
}
"""The subjects that measure speed against others, and how a row is called there."""


def speeds(figures: dict[str, list[dict[str, Any]]]) -> dict[str, float]:
    """How many times as fast as others Plies was, wherever that was measured."""
    return {
        AGAINST[name](row): row["ratio"]
        for name, rows in figures.items()
        for row in rows
        if name in AGAINST and "ratio" in row and row.get("program") != "Plies"
    }


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted


def _machine(quick: bool) -> dict[str, Any]:
    return {
        "plies": version("plies"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "quick": quick,
    }


def _table(name: str, rows: list[Row]) -> dict[str, Any]:
    """A table as it was printed, for the page of the documentation."""
    subject = SUBJECTS[name]
    cells = [row.cells for row in rows]
    return {"title": subject.TITLE, "columns": subject.COLUMNS, "rows": cells, "note": subject.NOTE}


def _report(measured: dict[str, list[Row]], machine: dict[str, Any]) -> None:
    console = Console(width=132)
    load = "" if machine["load"] is None else f", load {machine['load']:.1f} at the start"
    console.print(
        f"\nPlies {machine['plies']}, Python {machine['python']}, {machine['system']}, "
        f"{machine['cores']} cores{load}. Every ratio is measured in one run; times are medians."
        + (" Quick: too little work for figures to rely on." if machine["quick"] else ""),
        highlight=False,
    )
    for name, rows in measured.items():
        subject = SUBJECTS[name]
        table = Table(*subject.COLUMNS, title=subject.TITLE, title_justify="left", title_style="bold")
        for row in rows:
            table.add_row(*row.cells)
        console.print("", table)
        console.print(subject.NOTE, style="dim", highlight=False)
    figures = {name: [row.figures for row in rows] for name, rows in measured.items()}
    tables = {name: _table(name, rows) for name, rows in measured.items()}
    text = json.dumps({"machine": machine, **figures, "tables": tables}, indent=1, ensure_ascii=False)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    progress(f"figures in {RESULTS.name}, next to the benchmarks")


if __name__ == "__main__":
    main()
