"""Self-play as one compiled loop: search, choose, record, next move, next game, without Python in between.

A game begins with random moves, and every search has the same number of nodes. Positions that are quiet and
not proved are recorded; a proved value ends the game. The actions at the root are shuffled, so that of equals
any may be played. Two sides may search with different evaluations: that is a match.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.compiled.packing import write_state
from plies.engine import table
from plies.engine.faults import MOVER, fault
from plies.engine.kernels.move_ordering import HISTORY, NO_MOVE, generate
from plies.engine.kernels.playout import below
from plies.engine.kernels.pvs import pvs
from plies.engine.kernels.repetitions import is_barred, position
from plies.engine.score import decoded, is_final
from plies.inputs import phase_of

DEEPEST = 60
"""The greatest depth of a search. Not tuned: a search of a few hundred nodes ends long before."""

IMAGES = 2
"""The recording of positions with a random image of each, if the game has symmetries."""

PLAY = np.dtype(
    [
        ("random", np.int64),  # the state of the random number generator
        ("nodes", np.int64),  # of a search
        ("opening", np.int64),  # random moves at the beginning of a game: at least so many …
        ("opening_more", np.int64),  # … and at most so many more
        ("longest", np.int64),  # the plies after which a game is given up as a draw
        ("reach", np.float64),  # how much better than a draw a win is
        ("even", np.float64),  # the utility of a draw
        ("limit", np.int64),  # games to play
        ("games", np.int64),  # games played
        ("lost", np.int64),  # of these, games that ended in their opening
        ("first", np.int64),  # the player who searches with the first side; -1: both do
        ("recording", np.int64),  # 0: nothing; 1: positions; IMAGES: and a random image of each
        ("room", np.int64),  # inputs that the record has room for
        ("phases", np.int64),  # of the game
        ("count", np.int64),  # positions recorded
        ("used", np.int64),  # inputs recorded
        ("searches", np.int64),  # searches
        ("visited", np.int64),  # their nodes, all together
        ("depths", np.int64),  # their depths, all together
        ("depth", np.int64),  # of the last search
        ("proved", np.int64),  # 1: the last search has proved its value
        ("ply", np.int64),  # of the current game
        ("value", np.float64),  # of the last game, to player 0: -1 to 1
        ("stop", np.int64),  # 1: return after the current search
    ]
)
"""The loop's settings and counters."""


@kernel
def play_games(game, start, one, play, out, run, work, other_run, other_work):
    """Play games to the end, and record their positions; `one` is 1, which keeps literals off a recursion.

    The sides are two workers, or the same one twice.
    """
    while play.games < play.limit and play.stop == 0:
        begun = play.count
        state, opened = begin_game(game, start, play, out, run, work, other_run, other_work)
        play.games += 1
        if not opened:
            play.lost += 1
            continue
        play.value = 0.0
        while play.stop == 0:
            if game.is_terminal(state):
                play.value = (game.utility(state, 0) - play.even) / play.reach
                break
            if game.cycles and is_over_by_repetition(game, state, play, run, work):
                play.value = (game.repetition_value(state, 0) - play.even) / play.reach
                break
            if play.ply >= play.longest:
                break
            mover = game.to_move(state)
            if play.first < 0 or play.first == mover:
                score, count = searched(game, state, one, play, run, work)
                action = work.actions[0]
                value = decoded(score, run)[0] / play.reach
            else:
                score, count = searched(game, state, one, play, other_run, other_work)
                action = other_work.actions[0]
                value = decoded(score, other_run)[0] / play.reach
            if play.stop:
                break
            if count == 0 or play.proved:  # superko forbids everything, or who wins is known
                play.value = value if mover == 0 else -value
                break
            if play.recording and is_recorded(game, state, action):
                record(game, state, mover, value, play, out)
            state = after(game, state, action, play, out, run, work, other_run, other_work)
        ended = min(max(play.value, -1.0), 1.0)
        for k in range(begun, play.count):
            out.results[k] = ended if out.movers[k] == 0 else -ended
    return 0


def begin_game(
    game: Any, start: Any, play: Any, out: Any, run: Any, work: Any, other_run: Any, other_work: Any
) -> tuple[Any, bool]:
    """The state after the random moves of an opening, and whether the game goes on from there."""
    forget_moves(run, work)
    forget_moves(other_run, other_work)
    play.ply = 0
    state = start
    if game.cycles:
        put_on_path(game, state, play.ply, run, work)
        put_on_path(game, state, play.ply, other_run, other_work)
    wanted = play.opening + below(play.opening_more + 1, play)
    while play.ply < wanted and not game.is_terminal(state) and play.stop == 0:
        count = generate(game, state, 0, run, work)
        if run.stop:
            play.stop = 1
            break
        action = work.actions[below(count, play)]
        if game.superko and is_barred(game, game.result(state, action), 0, run, work):
            break
        state = after(game, state, action, play, out, run, work, other_run, other_work)
        if game.cycles and is_over_by_repetition(game, state, play, run, work):
            return state, False
    return state, not game.is_terminal(state) and play.stop == 0


def after(
    game: Any, state: Any, action: Any, play: Any, out: Any, run: Any, work: Any, other_run: Any, other: Any
) -> Any:
    """Play an action: the state that it leads to, on the path of both sides."""
    out.line[play.ply] = action
    play.ply += 1
    state = game.result(state, action)
    if game.cycles:
        put_on_path(game, state, play.ply, run, work)
        put_on_path(game, state, play.ply, other_run, other)
    return state


def put_on_path(game: Any, state: Any, ply: int, run: Any, work: Any) -> None:
    """Make a state the last position of the game so far."""
    run.previous = ply
    if not game.is_terminal(state):
        here = position(game, state, game.to_move(state))
        work.path[ply] = here
        work.salts[ply + 1] = bits.add(int(work.salts[ply]), bits.mix(here))


def is_over_by_repetition(game: Any, state: Any, play: Any, run: Any, work: Any) -> bool:
    """Whether the last position of the game has occurred so often that the game is over."""
    if game.superko or game.is_terminal(state):
        return False
    times = 0
    for i in range(play.ply + 1):
        if work.path[i] == work.path[play.ply]:
            times += 1
    return bool(times >= game.repetitions)


def forget_moves(run: Any, work: Any) -> None:
    """Forget killer moves and histories, which are of another game."""
    run.stop = 0
    work.history[:] = 0
    work.killers[:] = -1
    if work.has("statics"):
        work.counter_moves[:] = -1
        work.continuation[:] = 0


def grow_older(game: Any, run: Any, work: Any) -> None:
    """Age the table for the next search; with cycles, where proofs hold for one age, clear it at the last."""
    run.age += 1
    if run.age == table.AGES:
        run.age = 0
        if game.cycles:
            work.table[:] = table.NOTHING


def searched(game: Any, state: Any, one: int, play: Any, run: Any, work: Any) -> tuple[int, int]:
    """The score of a state to the player to move, by iterative deepening up to the nodes of a search; the
    number of its actions, of which the best comes first on the stack."""
    mover = game.to_move(state)
    if mover != 0 and mover != 1:
        return fault(MOVER, run), 0
    grow_older(game, run, work)
    run.root_player = mover
    run.nodes = 0
    run.stop = 0
    run.null_ply = 0
    run.ply = 0
    count = root_moves(game, state, play, run, work)
    if run.stop or count == 0:
        play.stop = play.stop | run.stop
        return 0, count
    play.proved = 0
    best = 0
    for depth in range(one, DEEPEST):
        run.limit = play.nodes if depth > one else play.nodes * 1000
        inexact = run.inexact
        score = best_score(game, state, mover, count, depth, one, run, work)
        if run.stop:  # by the limit, or for good
            break
        best = score
        play.depth = depth
        if is_final(best, run) or (run.inexact == inexact and not game.cycles):
            play.proved = 1
        if play.proved or count == 1 or 2 * run.nodes > play.nodes:
            break
    if run.fault or run.full or run.coarse < 0 or play.depth == 0:
        play.stop = 1
    play.searches += 1
    play.visited += run.nodes
    play.depths += play.depth
    return best, count


def root_moves(game: Any, state: Any, play: Any, run: Any, work: Any) -> int:
    """Put the actions of the root on the stack, shuffled, without those that superko forbids."""
    count = generate(game, state, 0, run, work)
    if run.stop:
        return 0
    if game.superko:
        kept = 0
        for i in range(count):
            if not is_barred(game, game.result(state, work.actions[i]), 0, run, work):
                work.actions[kept] = work.actions[i]
                kept += 1
        count = kept
    for i in range(count - 1, 0, -1):
        j = below(i + 1, play)
        action = work.actions[i]
        work.actions[i] = work.actions[j]
        work.actions[j] = action
    return count


def best_score(
    game: Any, state: Any, mover: int, count: int, depth: int, one: int, run: Any, work: Any
) -> int:
    """The best score of the actions on the stack, searched to a depth; the best comes to the front."""
    lower, found = run.worst - one, 0
    run.extension_limit = 2 * depth
    run.quiescence_limit = 2 * depth + 4
    for i in range(count):
        action = work.actions[i]
        work.line[0] = action
        if work.has("statics"):
            work.moves[0] = NO_MOVE
            work.moves[1] = game.move_index(state, action) & (HISTORY - 1)
        run.top = count
        child = game.result(state, action)
        upper = run.best + one if i == 0 else lower + one
        score = pvs(game, child, mover, lower, upper, depth - 1, one, run, work)
        if i > 0 and score > lower and run.stop == 0:
            run.top = count
            score = pvs(game, child, mover, lower, run.best + one, depth - 1, one, run, work)
        if run.stop:
            break
        if score > lower:
            lower, found = score, i
    if run.stop == 0:
        action = work.actions[found]
        for i in range(found, 0, -1):
            work.actions[i] = work.actions[i - 1]
        work.actions[0] = action
    return int(lower)


def is_recorded(game: Any, state: Any, action: Any) -> bool:
    """Whether a position is quiet: a search may stand pat there, and its best action is not noisy."""
    if game.has("is_quiet") and not game.is_quiet(state):
        return False
    if game.has("noisy"):
        for noisy in game.noisy(state):
            if noisy == action:
                return False
    return True


def record(game: Any, state: Any, mover: int, value: float, play: Any, out: Any) -> None:
    """Record a position and, if images are wanted, a random one of its other images by symmetry."""
    write_position(game, state, mover, value, play, out)
    if game.has("symmetries"):
        if play.recording != IMAGES:
            return
        images = 0
        for _ in game.symmetries(state):
            images += 1
        wanted = 1 + below(images - 1, play) if images > 1 else images
        number = 0
        for image in game.symmetries(state):
            if number == wanted:
                write_position(game, image, mover, value, play, out)
            number += 1  # noqa: SIM113  (compiled, this is the quicker way)


def write_position(game: Any, state: Any, mover: int, value: float, play: Any, out: Any) -> None:
    """Write the inputs of both views of a position, and what the search thought, if there is room."""
    k = play.count
    if k + 1 >= len(out.scores) or play.used + 2 * play.room >= len(out.inputs):
        return
    out.starts[2 * k] = play.used
    write_inputs(game, state, mover, play, out)
    out.starts[2 * k + 1] = play.used
    write_inputs(game, state, 1 - mover, play, out)
    out.starts[2 * k + 2] = play.used
    out.scores[k] = value
    out.phases[k] = phase_of(game, state, play.phases)
    out.movers[k] = mover
    out.games[k] = play.games - 1
    play.count += 1


def write_inputs(game: Any, state: Any, player: int, play: Any, out: Any) -> None:
    """Write the numbers of the inputs that are set in a player's view."""
    write_state(game.planes(state, player), out.words)
    for i in range(len(out.places)):
        word = int(out.words[out.places[i]]) & int(out.masks[i])
        while word != 0:
            out.inputs[play.used] = out.first[i] + bits.lowest(word)
            play.used += 1
            word = word & bits.add(word, -1)
