"""Table entries of positions, and when an entry is a proof: docs/what-proved-means.md.

These functions are parts of the kernels `pvs`, `quiesce` and `prove`. Where the path matters (graph-history
interaction, Campbell 1985), proofs are kept under a key that includes it, after Kishimoto and Müller, A
General Solution to the Graph History Interaction Problem, 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.engine import table
from plies.engine.score import PLY_BITS, UNKNOWN, from_table, is_final, to_table
from plies.rules import noinline


def table_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """The key of a state or, with symmetry, the least key of its images."""
    key: int = game.key(state)
    if game.has("symmetries") and ply <= run.symmetry:
        key = least_key(game, state, key)
    return key


def own_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """The key of a state in this kernel's table; a search without repetitions has entries of its own."""
    if game.has("points_and_rest") and run.points:
        return rest_key(game, state, ply, run)
    key = table_key(game, state, ply, run)
    return bits.mix(key) if run.free else key


@noinline
def least_key(game: Any, state: Any, key: int) -> int:
    """The least of that key and those of a state's images."""
    for image in game.symmetries(state):
        key = min(key, game.key(image))
    return key


def rest_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """The key of a state without the points made so far or, with symmetry, the least key of its images."""
    key: int = bits.hash64(game.points_and_rest(state)[1])
    if game.has("symmetries") and ply <= run.symmetry:
        for image in game.symmetries(state):
            key = min(key, bits.hash64(game.points_and_rest(image)[1]))
    return key


def points_score(game: Any, state: Any, mover: int, run: Any) -> int:
    """What the player to move has made so far, which a table entry leaves out: to be added to its score."""
    if game.has("points_and_rest") and run.points:
        points = game.points_and_rest(state)[0]
        step = np.rint(points * run.scale)
        if step * run.unit == points and abs(step) < run.best >> PLY_BITS:
            return int(step if mover == 0 else -step) << PLY_BITS
        run.coarse = -1  # on no step, as in `measured`: the search begins again, and keeps points in its keys
        run.stop = 1
    return 0


@noinline
def rest_verification_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """A second key, independent of `rest_key`."""
    key: int = bits.check64(game.points_and_rest(state)[1])
    if game.has("symmetries") and ply <= run.symmetry:
        key = 0
        for image in game.symmetries(state):
            key = bits.add(key, bits.check64(game.points_and_rest(image)[1]))
        key = bits.mix(key)
    return key


@noinline
def verification_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """A second, independent key of a state; with symmetry, one for all its images."""
    key: int = bits.check64(game.identity(state))
    if game.has("symmetries") and ply <= run.symmetry:
        key = 0
        for image in game.symmetries(state):
            key = bits.add(key, bits.check64(game.identity(image)))
        key = bits.mix(key)
    return key


@noinline
def clocked_key(game: Any, state: Any) -> int:
    """A second key, independent of the first, and the clock: for tables that keep both in full."""
    key = 0
    if not game.exact_key:
        key = bits.check64(game.identity(state))
    if game.has("plies_left"):
        key ^= bits.mix(game.plies_left(state))
    return key


def own_verification_key(game: Any, state: Any, ply: int, run: Any) -> int:
    """A second key of a state, independent of `own_key`."""
    if game.has("points_and_rest") and run.points:
        return int(rest_verification_key(game, state, ply, run))
    return int(verification_key(game, state, ply, run))


def is_exact(game: Any, run: Any) -> bool:
    """Whether `own_key` distinguishes all positions, so that no verification key is needed."""
    return bool(game.exact_key and run.points == 0)


def proves(data: int, run: Any) -> bool:
    """Whether an entry is a proof, or could be taken for one: then its verification key is compared."""
    return table.depth_of(data) >= table.SOLVED or is_final(table.score_of(data), run)


def lookup(game: Any, state: Any, key: int, ply: int, run: Any, work: Any) -> int:
    """The data word that the table has for a state, or NOTHING."""
    if game.cycles and game.has("repetition_key"):
        return lookup_salted(game, state, key, ply, run, work)
    place = table.bucket(work.table, key)
    for _ in range(2):
        data = int(work.table[place + 1])
        check = int(work.table[place]) ^ data
        if not is_exact(game, run) and proves(data, run):
            if (check ^ key) & table.PREFIX == 0 and check == table.combined(
                key, own_verification_key(game, state, ply, run)
            ):
                return data
        elif check == key:
            return data
        place += 2
    return table.NOTHING


@noinline
def lookup_salted(game: Any, state: Any, key: int, ply: int, run: Any, work: Any) -> int:
    """The data word that is a proof for a state on this path, or else an estimate on any path, or NOTHING."""
    salt = int(work.salts[run.previous + ply])
    check = bits.add(verification_key(game, state, ply, run), salt)
    data = table.probe(work.table, bits.add(key, salt), table.combined(bits.add(key, salt), check))
    if data != table.NOTHING and proves(data, run):
        return data
    data = table.probe(work.table, key, key)
    return table.NOTHING if proves(data, run) else data


def may_be_stored(game: Any, key: int, work: Any) -> bool:
    """Whether the table may have an entry for a key: for most that it has not, no, without the state."""
    if game.cycles and game.has("repetition_key"):  # proofs have other keys, by the path
        return True
    place = table.bucket(work.table, key)
    first = int(work.table[place]) ^ int(work.table[place + 1]) ^ key
    second = int(work.table[place + 2]) ^ int(work.table[place + 3]) ^ key
    return first & table.PREFIX == 0 or second & table.PREFIX == 0


def store(game: Any, state: Any, key: int, data: int, ply: int, run: Any, work: Any) -> None:
    """Store a data word for a state."""
    check = key
    if game.cycles and game.has("repetition_key"):
        if proves(data, run):
            salt = int(work.salts[run.previous + ply])
            key = bits.add(key, salt)
            check = table.combined(key, bits.add(verification_key(game, state, ply, run), salt))
    elif not is_exact(game, run) and proves(data, run):
        check = table.combined(key, own_verification_key(game, state, ply, run))
    table.store(work.table, key, check, data)


def holds(game: Any, state: Any, data: int, run: Any) -> bool:
    """Whether a stored win or loss holds here: with this history, at this clock."""
    score = table.score_of(data)
    if not is_final(score, run):
        return True
    if game.cycles and table.age_of(data) != run.age:
        return False
    if game.has("plies_left"):
        # A score without plies holds at its own clock only; a repetition wins only while the clock runs.
        return bool(run.prefer_quick and run.best - abs(score) + run.abrupt <= game.plies_left(state))
    return True


def credit(game: Any, data: int, run: Any) -> None:
    """Count a table hit, and what a score that rests on it must count as."""
    run.hits += 1
    score = table.score_of(data)
    here = lasting = True
    if game.cycles:
        here = table.age_of(data) == run.age  # it is of a search with the same history
    if game.has("plies_left"):
        # At another clock a draw is still one, whether the clock ends the game or something else does; but
        # in a coarse search another utility may have its score.
        lasting = (score == 0 and run.coarse == 0) or is_final(score, run)
    if table.depth_of(data) < table.SOLVED or not here or not lasting:
        run.inexact += 1
        if not here or table.is_elsewhere(data):
            run.borrowed += 1


def table_score(
    game: Any,
    state: Any,
    mover: int,
    key: int,
    alpha: int,
    beta: int,
    depth: int,
    ply: int,
    run: Any,
    work: Any,
) -> tuple[int, int]:
    """The stored score of a state if it cuts off, or UNKNOWN; and the index of the hash move, or -1."""
    data = lookup(game, state, key, ply, run, work)
    if data == table.NOTHING:
        return UNKNOWN, -1
    score = from_table(table.score_of(data), ply * run.prefer_quick)
    score += points_score(game, state, mover, run)
    bound = table.bound_of(data)
    enough = (bound & table.LOWER and score >= beta) or (bound & table.UPPER and score <= alpha)
    if (
        table.depth_of(data) >= enough_depth(depth, run)
        and (enough or bound == table.EXACT)
        and holds(game, state, data, run)
    ):
        credit(game, data, run)
    else:
        score = UNKNOWN
    return score, table.best_of(data)


def enough_depth(depth: int, run: Any) -> int:
    """The depth of a table entry that may end a search to a depth: any proof may."""
    return table.SOLVED if run.exact else min(depth, table.SOLVED)


def prefetch_children(game: Any, state: Any, base: int, count: int, ply: int, run: Any, work: Any) -> None:
    """Write the keys of the states that the actions on the stack lead to, and prefetch their entries."""
    for i in range(count):
        work.keys[base + i] = own_key(game, game.result(state, work.actions[base + i]), ply + 1, run)
        table.prefetch(work.table, work.keys[base + i])


def cutoff_score(
    game: Any,
    state: Any,
    mover: int,
    beta: int,
    depth: int,
    base: int,
    count: int,
    ply: int,
    run: Any,
    work: Any,
) -> int:
    """Enhanced transposition cut-off (ETC): the score of an action that its entry says fails high, or
    UNKNOWN.

    Plaat, Schaeffer, Pijls and de Bruin, Exploiting Graph Properties of Game Trees, 1996.
    """
    for i in range(count):
        key = int(work.keys[base + i])
        if not may_be_stored(game, key, work):
            continue
        child = game.result(state, work.actions[base + i])
        if not game.is_terminal(child):
            data = lookup(game, child, key, ply + 1, run, work)
            if data != table.NOTHING and table.depth_of(data) >= enough_depth(depth - 1, run):
                other = game.to_move(child)
                score = from_table(table.score_of(data), (ply + 1) * run.prefer_quick)
                score += points_score(game, child, other, run)
                wanted = table.LOWER
                if other != mover:
                    score = -score
                    wanted = table.UPPER
                if table.bound_of(data) & wanted and score >= beta and holds(game, child, data, run):
                    credit(game, data, run)
                    return score
    return UNKNOWN


def rests_on(run: Any) -> tuple[int, int, int, int, int, int, int]:
    """The counters that, by whether they grow, show what a score rests on."""
    return (
        run.inexact,
        run.paths,
        run.borrowed,
        run.first_wins,
        run.second_wins,
        run.expired,
        run.nodes,
    )


def record_score(
    game: Any,
    state: Any,
    mover: int,
    key: int,
    alpha: int,
    beta: int,
    best: int,
    best_index: int,
    depth: int,
    before: Any,
    ply: int,
    run: Any,
    work: Any,
) -> None:
    """Store a score: as a proof only if it holds on every path, at any clock (docs/what-proved-means.md)."""
    inexact, paths, borrowed, first_wins, second_wins, expired, nodes = before
    bound = table.EXACT
    if best >= beta:
        bound = table.LOWER
    elif best <= alpha:
        bound = table.UPPER
    if best_index > table.MOST_ACTIONS:
        best_index = -1
    kept = min(depth, table.SOLVED - 1)
    if run.inexact == inexact and run.paths == paths:
        kept = table.SOLVED + logarithm(run.nodes - nodes)
    if game.cycles and is_final(best, run):
        winner = mover if best > 0 else 1 - mover
        if run.first_wins != first_wins if winner == 0 else run.second_wins != second_wins:
            kept = 0  # it may rest on a repetition that wins on this path only: keep just the move
    if run.expired != expired:
        kept = 0  # it may rest on this clock
    elsewhere = int(run.paths != paths or run.borrowed != borrowed)
    score = to_table(best, ply * run.prefer_quick) - points_score(game, state, mover, run)
    data = table.pack(score, best_index, kept, bound, run.age, elsewhere)
    if run.stop == 0:  # nor if the points are on no step
        store(game, state, key, data, ply, run, work)


def logarithm(x: int) -> int:
    """The binary logarithm of x, rounded down."""
    power = 0
    while x > 1:
        x >>= 1
        power += 1
    return power
