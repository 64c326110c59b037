"""Published numbers of endings, by retrograde analysis."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from plies.registry import game as make_game
from plies.reproduce.entry import Entry

if TYPE_CHECKING:
    from plies.retrograde.indexed_database import IndexedDatabase

CLUB = "Computer Chess Club Archives, stmintz.com/ccc, message"


def _made(name: str, ending: str, **parameters: Any) -> IndexedDatabase:
    """The database of an ending."""
    from plies.retrograde.indexed_database import IndexedDatabase
    from plies.retrograde.make import make_database

    database = make_database(make_game(name, **parameters), ending)
    assert isinstance(database, IndexedDatabase)
    return database


def _slices(database: IndexedDatabase, stage: int) -> list[tuple[Any, Any]]:
    """Of a stage, the values and the plies of all states in which each player is to move."""
    place = {number: (first, size) for number, size, first in database.stage_table.tolist()}
    first, size = place[stage]
    found = []
    for mover in (0, 1):
        here = slice(first + mover, first + size, 2)
        there = database.distances[here] != database.gone
        found.append((database.values[here][there], database.distances[here][there]))
    return found


def _longest_mate(ending: str) -> int:
    """The plies of White's longest mate, whoever is to move."""
    database = _made("chess", ending)
    slices = _slices(database, int(database.stage_table[-1, 0]))
    return max(int(plies[values > 0].max()) for values, plies in slices)


def _moves(ending: str) -> int:
    """The moves of White's longest mate."""
    return (_longest_mate(ending) + 1) // 2


def _kings(*sides: tuple[int, int]) -> list[int]:
    """Positions of checkers with so many kings of each player, the player to move not counted."""
    database = _made("checkers", str(max(map(sum, sides))))
    return [len(_slices(database, black << 4 | white << 12)[0][0]) for black, white in sides]


def _boards(most: int) -> list[int]:
    """Boards of awari with 1, 2, … seeds, the player to move not counted."""
    database = _made("awari", str(most), repetition="split")
    return [len(_slices(database, seeds)[0][0]) for seeds in range(1, most + 1)]


def _bear_offs() -> int:
    """Positions of backgammon with all checkers in a home board or off, of one player."""
    from plies.games.backgammon_bear_off import positions

    return len(positions())


def _mate(ending: str, author: str, year: int, source: str, moves: int, seconds: float) -> Entry:
    return Entry(
        f"chess-longest-mate-{ending.lower()}",
        f"chess {ending}, moves of the longest mate",
        author,
        year,
        source,
        moves,
        seconds,
        partial(_moves, ending),
    )


ENTRIES = (
    _mate("KQK", "Moreland", 2000, f"{CLUB} 138918", 10, 12),
    _mate("KRK", "Moreland", 2000, f"{CLUB} 138918", 16, 12),
    _mate("KBBK", "Moreland", 2000, f"{CLUB} 138918", 19, 25),
    _mate("KBNK", "Moreland", 2000, f"{CLUB} 138918", 33, 25),
    _mate("KQKR", "macechess.blogspot.com", 2010, "Chess endgame table base KQKR", 35, 25),
    Entry(
        "chess-longest-mate-of-three-pieces",
        "chess, plies of the longest mate with three pieces, which is KPK",
        "Conrady",
        2000,
        f"{CLUB} 113253",
        56,
        14,
        partial(_longest_mate, "KPK"),
    ),
    Entry(
        "checkers-positions-of-kings",
        "checkers, positions of one king against one, two against one, two against two and three against one",
        "VandeWettering",
        2007,
        "Checker Endgames with only Kings, brainwagon.org",
        [992, 14_880, 215_760, 143_840],
        30,
        partial(_kings, (1, 1), (2, 1), (2, 2), (3, 1)),
    ),
    Entry(
        "awari-boards-of-1-to-8-seeds",
        "awari, boards with 1 to 8 seeds in the houses, the player to move not counted",
        "VandeWettering",
        2010,
        "Counting Awari Positions, brainwagon.org",
        [12, 78, 364, 1_365, 4_368, 12_376, 31_824, 75_582],
        12,
        partial(_boards, 8),
    ),
    Entry(
        "backgammon-bear-off-positions",
        "backgammon, positions of up to fifteen checkers in a home board",
        "Trice",
        1997,
        "rec.games.backgammon, archived at bkgm.com, message 371",
        54_264,
        2,
        _bear_offs,
    ),
)
