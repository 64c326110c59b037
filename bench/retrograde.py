"""How many states per second retrograde analysis solves, end to end, and the bytes that each takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import plies
from bench.common import Row, millions, progress
from plies.retrograde.make import enumerate_states
from plies.retrograde.values import Values

EXAMPLES = Path(__file__).parents[1] / "examples"

TITLE = "Retrograde analysis: states solved per second"
COLUMNS = ("game", "states", "successors", "by the clock", "of CPU time", "ns a successor", "bytes a state")
NOTE = (
    "End to end: listing all states, sorting their predecessors and finding values, after compiling; two "
    "threads above 100,000 states. Bytes are those of memory at their most. The goal, by the clock on two "
    "cores, is 3 M states a second with some three successors each, and 1 M with ten."
)


def rows(quick: bool) -> Iterator[Row]:
    """A row for each game, small ones first; without `quick`, some with millions of states."""
    cases = [
        (plies.game(f"{EXAMPLES}/mu_torere.py:MuTorere"), "", False),
        (plies.game(f"{EXAMPLES}/three_mens_morris.py:ThreeMensMorris"), "", True),
        (plies.ConnectFour(4, 4), "", False),
        (plies.Checkers(), "3", True),
    ]
    if not quick:
        cases += [
            (plies.ConnectFour(5, 4), "", False),
            (plies.Chess(), "KRK", True),
            (plies.Chess(), "KQKR", True),
        ]
    for game, ending, fold in cases:
        progress(f"retrograde analysis, {game.name} {ending}")
        yield _measured(game, ending, fold)


def _measured(game: plies.Game, ending: str, fold: bool) -> Row:
    enumerate_states(game, ending, list(game.roots(ending))[:1], None, 1, fold, None)  # which compiles
    enumeration = enumerate_states(game, ending, None, None, None, fold, None)
    clock, cpu = time.perf_counter(), time.process_time()
    enumeration.run()
    states, edges, size = enumeration.count, enumeration.edges, enumeration.bytes_needed
    Values(enumeration).find()
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    name = f"{game.name} {ending}".strip()
    return Row(
        (
            name,
            f"{states:,}",
            f"{edges / states:.1f}",
            f"{millions(states / clock)}/s",
            f"{millions(states / cpu)}/s",
            f"{1e9 * cpu / edges:.0f}",
            f"{size / states:.0f}",
        ),
        {"game": name, "states": states, "edges": edges, "seconds": clock, "cpu": cpu, "bytes": size},
    )
