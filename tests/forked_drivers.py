"""A program that forks drivers of one tournament, and kills them: to start Python for each would take longer.

FOLDER KILLS GAMES JOBS: so many drivers are killed on one file, two shards share another, and both are ended.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

import plies
from plies.arena.tournament import Tournament, tournament
from plies.work.run import Where
from plies.work.store import Store

PLAYERS = ("random", "book:minimax:2", "reflex")


def fork(file: Path, games: int, last: int = 0, delay: float = 0, **where: Any) -> int:
    """Begin a driver in a process of its own; it may be killed, a delay after its last new game."""
    with Store(file), sqlite3.connect(file) as base:
        (known,) = base.execute("SELECT count(*) FROM units").fetchone()

    def tell(found: Tournament) -> None:
        if last and len(found.games) == known + last:  # once: each later game would put it off
            signal.setitimer(signal.ITIMER_REAL, delay)  # nobody handles it: it ends the process as it is

    if child := os.fork():
        return child
    try:
        tournament(
            plies.TicTacToe(), PLAYERS, games=games, seed=3, where=Where(units=file, **where), tell=tell
        )
        os._exit(0)
    finally:
        os._exit(1)


def ended(*children: int) -> list[int]:
    """How processes have ended: 0, or less the number of the signal."""
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def main(folder: Path, kills: int, games: int, jobs: int) -> None:
    """Print how all have ended."""
    chance, killed, shared = random.Random(7), folder / "killed.db", folder / "shared.db"
    # A game takes a millisecond or so: the delay ends in the midst of one of the next.
    ends = [(chance.randint(1, 12), chance.uniform(0.0001, 0.003)) for _ in range(kills)]
    codes = [ended(fork(killed, games, *end, jobs=jobs))[0] for end in ends]
    codes += ended(fork(killed, games, jobs=jobs))
    codes += ended(*[fork(shared, games, shard=f"{number}/2") for number in (1, 2)])
    print(*codes)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
