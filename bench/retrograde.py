"""How many states per second retrograde analysis solves, end to end, and the bytes that each takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import plies
from bench.common import Row, millions, progress
from plies.retrograde import arranging, counting
from plies.retrograde.database import Database
from plies.retrograde.indexed import Maker, Numbering, stages_of
from plies.retrograde.make import checked_limits, enumerate_states
from plies.retrograde.progress import silent
from plies.retrograde.values import Values

EXAMPLES = Path(__file__).parents[1] / "examples"

TITLE = "Retrograde analysis: states solved per second"
COLUMNS = (
    *("game", "states", "successors", "by the clock", "of CPU time", "ns a successor"),
    *("bytes a state", "on disk", "goal"),
)
GOALS = (3e6, 1e6)
"""States a second, with some three successors and with ten."""

NOTE = (
    "End to end, every pass counted, after compiling: listing all states, sorting their predecessors, "
    "finding values and putting them in order; two threads above 100,000 states. Bytes are those of memory "
    "at their most, and of the file; Connect Four on three boards shows how both grow. Awari, checkers and "
    "chess number their states, the others have a table of them. The goal, by the clock on two cores, is 3 M "
    "states a second with some three successors each, and 1 M with ten; 100 M states within 8 GB, which is "
    "80 bytes a state."
)


def rows(quick: bool) -> Iterator[Row]:
    """A row for each game, small ones first; without `quick`, some with millions of states."""
    counting.FEW_STEPS = counting.FEW_ENTRIES = arranging.MANY = 0  # so that small games are compiled, too
    cases = [
        (plies.game(f"{EXAMPLES}/mu_torere.py:MuTorere"), "", False),
        (plies.game(f"{EXAMPLES}/three_mens_morris.py:ThreeMensMorris"), "", True),
        (plies.ConnectFour(4, 4), "", False),
        (plies.Checkers(), "3", True),
        (plies.Awari(repetition="split"), "9", True),
    ]
    if not quick:
        cases += [
            (plies.ConnectFour(5, 4), "", False),
            (plies.ConnectFour(7, 3), "", False),
            (plies.Awari(repetition="split"), "12", True),
            (plies.Chess(), "KRK", True),
            (plies.Chess(), "KQKR", True),
        ]
    _measured(*cases[0])  # which loads the kernels that all games share
    for game, ending, fold in cases:
        progress(f"retrograde analysis, {game.name} {ending}")
        yield _measured(game, ending, fold)


def _measured(game: plies.Game, ending: str, fold: bool) -> Row:
    made = _by_number if list(game.stages(ending)) else _by_table
    states, edges, clock, cpu, size, disk = made(game, ending, fold)
    name = f"{game.name} {ending}".strip()
    goal = GOALS[0] if edges < 6 * states else GOALS[1]
    return Row(
        (
            name,
            f"{states:,}",
            f"{edges / states:.1f}",
            f"{millions(states / clock)}/s",
            f"{millions(states / cpu)}/s",
            f"{1e9 * cpu / edges:.0f}",
            f"{size / states:.0f}",
            f"{disk / states:.1f}",
            f"{millions(goal)}/s",
        ),
        {
            "game": name,
            "states": states,
            "edges": edges,
            "seconds": clock,
            "cpu": cpu,
            "bytes": size,
            "disk": disk,
            "goal": goal,
        },
    )


Measured = tuple[int, int, float, float, int, int]
"""States, successors, seconds by the clock and of CPU time, bytes of memory and on disk."""


def _by_table(game: plies.Game, ending: str, fold: bool) -> Measured:
    enumerate_states(game, ending, list(game.roots(ending))[:1], None, 1, fold, None)  # which compiles
    enumeration = enumerate_states(game, ending, None, None, None, fold, None)
    clock, cpu = time.perf_counter(), time.process_time()
    enumeration.run()
    states, edges, size = enumeration.count, enumeration.edges, enumeration.bytes_needed
    values = Values(enumeration)
    values.find()
    database = Database.of(enumeration, values, ending)
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    arrays = (database.starts, database.words, database.values, database.distances)
    return states, edges, clock, cpu, size, sum(array.nbytes for array in arrays)


def _by_number(game: plies.Game, ending: str, fold: bool) -> Measured:
    stages, limits = stages_of(game, ending), checked_limits(None, None)
    Maker(game, ending, stages, *limits, silent).begun().run()  # which compiles
    edges: dict[int, int] = {}

    def count(numbering: Numbering | None) -> None:
        if numbering is not None:
            edges[numbering.stage] = numbering.edges

    clock, cpu = time.perf_counter(), time.process_time()
    maker = Maker(game, ending, stages, *limits, silent)
    maker.keep = count
    database = maker.run()
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    disk = database.values.nbytes + database.distances.nbytes
    return len(database), sum(edges.values()), clock, cpu, maker.estimate.memory, disk
