"""Repetitions and superko: positions repeated on the path of a search.

These functions are parts of the kernels `pvs`, `quiesce`, `expectiminimax` and `max_n`. A score by repetition
holds on its path only, the graph-history interaction problem: see transpositions.py.
"""

from __future__ import annotations

from typing import Any

from plies import bits
from plies.engine.score import STEP, UNKNOWN, final, is_final
from plies.rules import noinline


def position(game: Any, state: Any, mover: int) -> int:
    """The key by which repetitions are found: the game's key for them and, unless superko, the mover."""
    key: int = game.repetition_key(state)
    if not game.superko:
        key ^= mover
    return key


def repetition_score(game: Any, state: Any, mover: int, ply: int, run: Any, work: Any) -> int:
    """Put a state on the path: its score if it is a repetition, or UNKNOWN."""
    here = position(game, state, mover)
    if not game.superko:
        for i in range(run.previous + (0 if run.free else ply)):
            if work.path[i] == here:
                return recurred(game, state, mover, i, ply, run, work)
    work.path[run.previous + ply] = here
    if game.has("repetition_key"):  # a proof holds on this path only
        work.salts[run.previous + ply + 1] = bits.add(int(work.salts[run.previous + ply]), bits.mix(here))
    return UNKNOWN


@noinline
def recurred(game: Any, state: Any, mover: int, place: int, ply: int, run: Any, work: Any) -> int:
    """The score to the player to move of a repetition of the position at that place of the path."""
    score = final(game.repetition_value(state, 0), mover, ply, run, work)
    if run.lenient:  # the game may go on: an estimate
        run.inexact += 1
        run.paths += place >= run.previous
        run.borrowed += place < run.previous  # a quicker end may lead through it
        return int(min(max(score, run.worst + STEP), run.best - STEP))
    if place >= run.previous:  # positions of the game so far are the same on every path
        run.paths += 1
        if is_final(score, run):
            if (score > 0) == (mover == 0):
                run.first_wins += 1
            else:
                run.second_wins += 1
    return score


@noinline
def doubted(game: Any, state: Any, mover: int, score: int, ply: int, run: Any, work: Any) -> int:
    """The score of a quiescence search that found a win or loss, in a game with cycles.

    Quiescence search ignores the path. So the score is an estimate if the state is a repetition, if superko
    may forbid the line, or if the line may be longer than one action: by threats, or when a player moves
    twice.
    """
    here = position(game, state, mover)
    known = game.forcing or game.superko or abs(score) != run.best - ply - 1
    for i in range(run.previous + ply):
        known = known or work.path[i] == here
    return int(min(max(score, run.worst + STEP), run.best - STEP)) if known else score


@noinline
def is_barred(game: Any, state: Any, ply: int, run: Any, work: Any) -> bool:
    """Whether superko forbids the move from the position at a ply of the path to a state."""
    there = position(game, state, 0)  # superko ignores the player to move
    for i in range(run.previous + ply):
        if work.path[i] == there and there != work.path[run.previous + ply]:
            return True
    return False


@noinline
def repeated(game: Any, state: Any, ply: int, run: Any, work: Any) -> int:
    """Put a position on the path; 1 if it repeats one of the path or of the game so far, else 0.

    If so, its value depends on the path and is no proof.
    """
    if run.superko == 0 and game.is_terminal(state):
        return 0  # the game is over anyway
    here = game.repetition_key(state)
    last = run.previous + ply
    if run.superko:
        if last > 0 and work.path[last - 1] == here:
            work.path[last] = here
            return 0  # a pass, which is always allowed
    else:
        here = bits.mix(here ^ game.to_move(state))
    work.path[last] = here
    for i in range(last):
        if work.path[i] == here:
            return 1
    return 0
