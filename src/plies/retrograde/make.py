"""Making a database: list the states, then find their values."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Callable, Iterable

from plies.errors import BadParameter, Unsuitable
from plies.game import Game, State
from plies.retrograde.checkpoint import Checkpoint
from plies.retrograde.database import Database
from plies.retrograde.enumeration import Enumeration
from plies.retrograde.fingerprint import rules_fingerprint
from plies.retrograde.indexed import Maker, stages_of
from plies.retrograde.memory import Budget
from plies.retrograde.progress import Progress, silent
from plies.retrograde.resuming import resume_enumeration, resume_maker
from plies.retrograde.roots import SUBJECT, check_suitable, rows_of
from plies.retrograde.storage import Disk
from plies.retrograde.values import Values

MOST_THREADS = 64
"""The most threads; their number is a power of 2."""


def make_database(
    game: Game,
    ending: str = "",
    *,
    roots: Iterable[State] | None = None,
    memory: float | None = None,
    threads: int | None = None,
    fold: bool = True,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Database:
    """The values of all states that can be reached from the initial one, by retrograde analysis.

    For an `ending`, which the game names ("KQK"), or for `roots`, of all states that can be reached from
    there. `memory` is a limit in megabytes: most of what there is, unless given. `threads` are used for games
    of more than 100,000 states: two, unless given. With `fold`, symmetric states are taken for one.
    With a `checkpoint`, what was found is kept every minute, and taken up again by the next call; and what
    outgrows the memory is on disk there.
    """
    check_suitable(game, game.initial())
    if roots is None and (stages := stages_of(game, ending)):
        check_deterministic(game, numbered=True)
        limits = checked_limits(threads, memory)
        maker = Maker(game, ending, stages, *limits, progress or silent)
        if checkpoint is not None:
            resume_maker(maker, checkpoint, job_of(game, ending))
        return maker.run()
    check_deterministic(game)
    enumeration = enumerate_states(game, ending, roots, memory, threads, fold, progress)
    if checkpoint is not None:
        enumeration.storage.disk = Disk(checkpoint.folder)
        resume_enumeration(enumeration, checkpoint, job_of(game, ending))
    enumeration.run()
    values = Values(enumeration)
    values.find()
    return Database.of(enumeration, values, ending)


def job_of(game: Game, ending: str = "") -> str:
    """What a checkpoint belongs to."""
    name = " ".join(filter(None, (game.name, ending)))
    return f"{name}, rules {rules_fingerprint(game)}, Plies {importlib.metadata.version('plies')}"


def enumerate_states(
    game: Game,
    ending: str,
    roots: Iterable[State] | None,
    memory: float | None,
    threads: int | None,
    fold: bool,
    progress: Callable[[Progress], None] | None,
) -> Enumeration:
    """An enumeration that is about to begin."""
    count, budget = checked_limits(threads, memory)
    first = game.initial()
    check_suitable(game, first)
    rows = rows_of(game, game.roots(ending) if roots is None else roots)
    return Enumeration(game, rows, first, count, budget, fold, progress or silent)


def checked_limits(threads: int | None, memory: float | None) -> tuple[int, Budget]:
    """The number of threads, and the memory that may be taken."""
    if threads is None:
        threads = min(2, os.cpu_count() or 1)
    if isinstance(threads, bool) or threads not in (1 << i for i in range(MOST_THREADS.bit_length())):
        raise BadParameter(f"threads must be 1, 2, 4, … or {MOST_THREADS}, not {threads!r}")
    if memory is not None and not memory > 0:
        raise BadParameter(f"memory must be more than 0 megabytes, not {memory!r}")
    return threads, Budget(memory)


def check_deterministic(game: Game, numbered: bool = False) -> None:
    """Raise an error, in a sentence, for a game with dice, or in which a repetition is no draw.

    Where states are numbered, the worth of a repetition is compared in each of them.
    """
    if game.stochastic:
        raise Unsuitable(f"{SUBJECT} is for games without chance; {type(game).__name__} has chance nodes")
    if game.cycles and game.has("repetition_value") and not numbered:
        raise Unsuitable(
            f"{SUBJECT} takes a repetition for a draw; in {type(game).__name__} repetition_value() differs"
        )
