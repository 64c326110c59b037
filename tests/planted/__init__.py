"""Faults to be planted in the library, one at a time, each with the tests that should notice it.

A text that is no longer found fails `tests/test_mutants.py`: whoever changes a line with a fault changes the
fault, too. A fault that no test can notice, because it changes nothing, says why.
"""

from __future__ import annotations

from planted.around import AROUND
from planted.at_once import OF_MOVES_AT_ONCE
from planted.background import OF_THE_BACKGROUND
from planted.best_first import OF_BEST_FIRST
from planted.book import OF_THE_BOOK
from planted.engine import OF_THE_ENGINE
from planted.games import OF_THE_GAMES
from planted.grade import OF_THE_GRADER
from planted.interop import OF_INTEROP
from planted.lab import OF_THE_LAB
from planted.levels import OF_LEVELS
from planted.machine_code import OF_MACHINE_CODE
from planted.mutant import Mutant as Mutant
from planted.networks import OF_NETWORKS
from planted.opening_book import OF_OPENING_BOOKS
from planted.page import OF_THE_PAGE
from planted.probing import OF_PROBING
from planted.programs import OF_PROGRAMS
from planted.protocols import OF_PROTOCOLS
from planted.published import OF_PUBLISHED_NUMBERS
from planted.retrograde import OF_RETROGRADE
from planted.survivors import SURVIVORS
from planted.training import OF_TRAINING
from planted.work import OF_WORK

PLANTED = [
    *SURVIVORS,
    *OF_THE_BOOK,
    *OF_THE_GAMES,
    *AROUND,
    *OF_THE_ENGINE,
    *OF_MOVES_AT_ONCE,
    *OF_THE_BACKGROUND,
    *OF_BEST_FIRST,
    *OF_PROGRAMS,
    *OF_THE_GRADER,
    *OF_PROTOCOLS,
    *OF_LEVELS,
    *OF_PUBLISHED_NUMBERS,
    *OF_MACHINE_CODE,
    *OF_TRAINING,
    *OF_RETROGRADE,
    *OF_PROBING,
    *OF_OPENING_BOOKS,
    *OF_THE_LAB,
    *OF_THE_PAGE,
    *OF_INTEROP,
    *OF_WORK,
    *OF_NETWORKS,
]
