"""Databases in searches: what an entry proves here, at this clock, on this path (docs/what-proved-means.md).

These functions are parts of the kernels `pvs`, `prove` and `grow`, which are compiled without them unless
there is a database. A database knows neither clock nor past. Its draws hold nevertheless, since repetitions
and clocks draw; and nobody gets more than it says, or sooner. Of a win, the way there must be clear: along
it, the rank of positions rises (see `rank`), so it leads through no position whose rank is not greater.

Where something is earned, an entry is of what is still to be earned, and a draw, a win or a rank is one of
that; `worth_of` adds the rest. Nothing is earned within a stage, and no stage comes back: a repetition ends
the game with what was earned before, which is a draw of what is left, and later stages have no past.
"""

from __future__ import annotations

from typing import Any

from plies.engine.kernels.repetitions import position
from plies.engine.score import HALF, UNKNOWN, final
from plies.retrograde.kernels.lookup import find
from plies.retrograde.kernels.numbers import find as find_number

SHIFT, NONE, LASTING, TIMED, GONE = range(5)
"""What `database_facts` holds: the shift of hashes; the distance that stands for none; whether a way to a win
meets no repetition of its own; whether distances say when a game that a clock may end is over; and the
distance of numbers that stand for no state."""

FARTHEST = 65_535
"""Above any distance."""


def entry_of(game: Any, state: Any, work: Any) -> int:
    """The number of a state's entry that makes sense; -1 if there is none.

    Of a game that numbers its states, a database has either stages or words.
    """
    number = -1
    if game.has("index"):
        gone = int(work.database_facts[GONE])
        number = int(find_number(game, state, work.database_stages, work.database_distances, gone))
    if number < 0:
        shift = int(work.database_facts[SHIFT])
        number = int(find(game, state, work.database_words, work.database_starts, shift, work))
    if number >= 0 and 2 * abs(int(work.database_values[number])) >= len(work.database_utilities):
        return -1
    return number


def utility_of(number: int, work: Any) -> float:
    """The utility of an entry to player 0."""
    return float(
        work.database_utilities[int(work.database_values[number]) + len(work.database_utilities) // 2]
    )


def worth_of(game: Any, state: Any, number: int, work: Any) -> float:
    """The utility of a state to player 0 by its entry, with what was earned before."""
    return utility_of(number, work) + (game.earned(state) if game.has("earned") else 0.0)


def rank(number: int, work: Any) -> int:
    """The rank of a win: the greater it is, the more is won, or the sooner.

    Whoever wins by following the database goes from rank to rank, upwards, whatever the other does.
    """
    level = abs(int(work.database_values[number]))
    return level << 16 | (FARTHEST - int(work.database_distances[number]))


def is_clear(game: Any, state: Any, number: int, ply: int, work: Any) -> bool:
    """Whether a win can be played out from here; if not, it bars the way of slower ones behind it.

    `database_barriers` holds, by ply and player, the greatest rank of wins that a way must not lead through:
    those of positions whose repetition ends the game, and those on this path that a clock may end before.
    Other positions on the path are no matter: their own win was clear, and no search went on from there.
    """
    winner = 0 if work.database_values[number] > 0 else 1
    plies = int(work.database_distances[number])
    clear = work.database_facts[LASTING] != 0 and plies != work.database_facts[NONE] and ply + plies < HALF
    clear = clear and rank(number, work) >= work.database_barriers[ply, winner]
    if game.has("plies_left"):
        clear = clear and work.database_facts[TIMED] != 0 and plies <= game.plies_left(state)
    if game.has("plies_left") and game.cycles and not clear:
        barrier = max(int(work.database_barriers[ply + 1, winner]), rank(number, work))
        work.database_barriers[ply + 1, winner] = barrier
    return bool(clear)


def carry_barriers(game: Any, ply: int, work: Any) -> None:
    """What bars the way at a ply does so at the next; without a clock, it is the same at all plies."""
    if game.has("plies_left") and game.cycles:
        work.database_barriers[ply + 1, 0] = work.database_barriers[ply, 0]
        work.database_barriers[ply + 1, 1] = work.database_barriers[ply, 1]


def database_score(
    game: Any, state: Any, mover: int, alpha: int, beta: int, ply: int, run: Any, work: Any
) -> int:
    """In alpha-beta: the score of a state by its entry, if it is proved or a bound that cuts off, or UNKNOWN.

    A position of the path, or of the game so far, is left to the rules of repetition.
    """
    carry_barriers(game, ply, work)
    number = entry_of(game, state, work)
    if number < 0:
        return UNKNOWN
    if game.cycles:
        here = position(game, state, mover)
        for i in range(run.previous + ply):
            if work.path[i] == here:
                return UNKNOWN
    value, plies = int(work.database_values[number]), int(work.database_distances[number])
    worth = worth_of(game, state, number, work)
    if not (run.low <= worth and worth <= run.high):  # a file may say anything
        return UNKNOWN
    if value == 0:
        run.probes += 1
        return final(worth, mover, ply, run, work)
    clear = is_clear(game, state, number, ply, work)
    if not clear and (run.coarse != 0 or plies == work.database_facts[NONE] or ply + plies >= HALF):
        return UNKNOWN
    score = final(worth, mover, ply + plies, run, work)
    # Where the way is not clear, the winner gets no more than that, and no less than a draw.
    won = (value > 0) == (mover == 0)
    if clear or (score <= alpha if won else score >= beta):
        run.probes += 1
        return score
    even = 0
    if game.has("earned"):
        even = final(game.draw_value + game.earned(state), mover, ply, run, work)
    if beta <= even if won else alpha >= even:
        run.probes += 1
        return even
    return UNKNOWN


def database_answer(game: Any, state: Any, ply: int, run: Any, work: Any) -> int:
    """In proof-number search: 1 if a state's entry proves that the attacker wins, 0 if not; -1: unknown."""
    carry_barriers(game, ply, work)
    number = entry_of(game, state, work)
    if number < 0:
        return -1
    utility = worth_of(game, state, number, work)
    wins = utility == run.win if run.attacker == 0 else utility == run.loss
    if wins and not is_clear(game, state, number, ply, work):
        return -1
    run.probes += 1
    return int(wins)


def note_barriers(game: Any, state: Any, ply: int, work: Any) -> None:
    """In Monte Carlo tree search: what bars the way behind a state of the walk."""
    if game.has("plies_left") and game.cycles:
        carry_barriers(game, ply, work)
        number = entry_of(game, state, work)
        if number >= 0 and work.database_values[number] != 0:
            is_clear(game, state, number, ply, work)


def database_pays(game: Any, state: Any, ply: int, run: Any, work: Any) -> bool:
    """In Monte Carlo tree search: whether a state's entry proves its value, which is written to `payoffs`."""
    number = entry_of(game, state, work)
    if number < 0 or (work.database_values[number] != 0 and not is_clear(game, state, number, ply, work)):
        return False
    run.probes += 1
    work.payoffs[0] = worth_of(game, state, number, work)
    work.payoffs[1] = run.total - work.payoffs[0]
    return True
