"""Proof-number search: whether a player can force a win, looking first where least is left to show.

The proof number of a position is how much must still be shown before the attacker is sure to win, at least;
the disproof number, before the other is sure to prevent it. To whoever moves, a position is as hard as its
easiest action; to the other, as hard as all of them. The search goes down the easiest way, depth first, and
comes back when another has become easier (df-pn). Of several positions that must all be shown the hardest
counts, and one for each of the others: a sum would count twice what can be reached in two ways.

In games that are `forcing`, a position is first looked at for a win by threats that leave no choice; and an
action that threatens such a win is the easier, the fewer answers there are to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine import table
from plies.engine.faults import ACTIONS, EVALUATION, MOVER, fault
from plies.engine.kernels.transpositions import logarithm, table_key, verification_key
from plies.validation import MOST_ACTIONS

NEVER = (1 << 18) - 1
"""The number of what cannot be shown; that of what has been shown is 0."""

PATIENCE = 1000
"""How many positions a look for threats may take."""

ANSWERS = 3
"""How many answers to a threat are counted: it takes long to be sure of each."""

FAILURES = 1 << 20
"""How many positions are remembered that threats do not win."""

PROVED = 64
"""What a proved position counts for in the table, beyond the work it took."""

PROOF = np.dtype(
    [
        # What is counted.
        ("nodes", np.int64),
        # Where the search is, for when a rule is at fault: see faults.py.
        ("ply", np.int64),
        ("fault", np.int64),
        # What is obeyed.
        ("stop", np.int64),
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),
        ("deep", np.int64),  # set when a line of play is longer
        ("top", np.int64),  # of the stack of positions
        ("full", np.int64),  # set when it is
        ("attacker", np.int64),
        ("win", np.float64),  # the utilities of a win, a draw and a loss …
        ("even", np.float64),
        ("loss", np.float64),
        ("odd", np.float64),  # … and one that is none of these …
        ("is_odd", np.int64),  # … if there was one
        ("forcing", np.int64),
        ("null_move", np.int64),
        ("left", np.int64),  # how many positions a look for threats may still take
        ("evaluate", np.int64),
        ("symmetry", np.int64),  # up to which ply images of a position are taken for one
    ]
)


@kernel
def prove(game, state, place, proof, disproof, ply, run, work):
    """Look into the state at a place of the stack until one of its numbers reaches a threshold."""
    run.nodes += 1
    run.ply = ply
    if ply >= run.last_ply:
        run.deep = 1
    if run.nodes >= run.limit or run.deep:
        run.stop = 1
        return 0
    nodes = run.nodes
    mover = game.to_move(state)
    if mover != 0 and mover != 1:
        return fault(MOVER, run)
    attacking = mover == run.attacker

    # 1. The actions, each with its numbers; of those that lead to images of one position, the first.
    base = run.top
    generate(game, state, attacking, ply, run, work)
    end = run.top
    while run.stop == 0:
        # 2. The numbers of this node, by those of its children.
        least, second, most, more, chosen = numbers(base, end, attacking, work)
        work.proof[place] = least if attacking else most
        work.disproof[place] = most if attacking else least
        if place == 0:
            work.chosen[0] = work.actions[chosen]
        if least == 0 or most == 0 or work.proof[place] >= proof or work.disproof[place] >= disproof:
            remember(place, run.nodes - nodes, run, work)
            break

        # 3. Into the easiest, for as long as it is about the easiest.
        easy = min(proof if attacking else disproof, second + 1 + second // 4)
        hard = disproof if attacking else proof
        if hard < NEVER:
            hard -= more
        if not attacking:
            easy, hard = hard, easy
        work.line[ply] = work.actions[chosen]
        run.ply = ply
        child = game.result(state, work.actions[chosen])
        prove(game, child, chosen, easy, hard, ply + 1, run, work)
    run.top = base
    return 0


def generate(game: Any, state: Any, attacking: bool, ply: int, run: Any, work: Any) -> None:
    """Put the actions on the stack, each with the numbers of the state it leads to."""
    base = run.top
    for action in game.candidates(state):
        i = run.top
        if i >= len(work.actions):
            run.full = 1
            run.stop = 1
            break
        work.line[ply] = action
        run.ply = ply
        child = game.result(state, action)
        work.actions[i] = action
        note(game, child, i, ply + 1, run, work)
        new = 1
        for j in range(base, i):
            if work.keys[j] == work.keys[i] and work.checks[j] == work.checks[i]:
                new = 0
        if new:
            run.top += 1
            run.ply = ply + 1
            appraise(game, child, i, ply + 1, run, work)
            if run.stop or (work.proof[i] if attacking else work.disproof[i]) == 0:
                break  # nothing can be easier
    if run.top == base and run.stop == 0:
        run.ply = ply
        fault(ACTIONS, run)


def numbers(base: int, end: int, attacking: bool, work: Any) -> tuple[int, int, int, int, int]:
    """The numbers of a node by those of its children.

    To the player to move, the least that is left below, with the second least and the place of the least; to
    the other the most, and one for each more that is left, with how many those are.
    """
    least = second = NEVER
    most = 0
    more = -1
    chosen = base
    for i in range(base, end):
        mine, theirs = work.proof[i], work.disproof[i]
        if not attacking:
            mine, theirs = theirs, mine
        if mine < least:
            second = least
            least = mine
            chosen = i
        elif mine < second:
            second = mine
        if theirs > 0:
            most = max(most, theirs)
            more += 1
    if least == 0:
        most = NEVER
    elif most > 0:
        most = min(most + more, NEVER - 1)
    return least, second, most, more, chosen


@kernel
def appraise(game, state, place, ply, run, work):
    """Put down the numbers of the state at a place of the stack: what is known, or else a guess."""
    if game.is_terminal(state):
        settle(place, succeeds(game, state, run.attacker, run), work)
        return 0
    data = table.probe(work.table, work.keys[place], work.checks[place])
    if data != table.NOTHING and table.best_of(data) == run.attacker:
        work.proof[place] = table.score_of(data) >> 18
        work.disproof[place] = table.score_of(data) & NEVER
        return 0
    nodes = run.nodes
    mover = game.to_move(state)
    if mover != 0 and mover != 1:
        return fault(MOVER, run)
    attacking = mover == run.attacker
    if run.forcing and forces(game, state, mover, ply, run, work):
        settle(place, attacking, work)
    else:
        # A threat is worth as much as it leaves few answers.
        threat = 0
        if run.forcing and run.null_move and not attacking and game.is_quiet(state):
            threat = forces(game, game.null_move(state), run.attacker, ply, run, work)
        count = 0
        for action in game.candidates(state):
            if threat == 0 or not forces(game, game.result(state, action), run.attacker, ply, run, work):
                count += 1
                if (threat and count == ANSWERS) or count > MOST_ACTIONS:
                    break
        if run.stop:
            return 0
        if count > MOST_ACTIONS or (count == 0 and threat == 0):
            return fault(ACTIONS, run)
        if count == 0:
            settle(place, True, work)
        else:
            work.proof[place] = 1
            work.disproof[place] = 1
            if attacking:
                work.disproof[place] = 1 if run.forcing else count
            elif threat == 0 and run.evaluate:
                value = game.evaluate(state, run.attacker)
                if not (run.loss <= value and value <= run.win):
                    return fault(EVALUATION, run)
                work.proof[place] = 1 + int(count * (run.win - value) / (run.win - run.loss))
            else:
                work.proof[place] = count
    remember(place, run.nodes - nodes, run, work)
    return 0


@kernel
def forces(game, state, player, ply, run, work):
    """Whether a player has their way by threats that leave no choice, as far as a look tells: 1 if so."""
    run.left = PATIENCE
    return threaten(game, state, player, ply, run, work)


@kernel
def threaten(game, state, player, ply, run, work):
    """Whether a player has their way by noisy actions that leave none but noisy answers: 1 if so."""
    run.nodes += 1
    run.left -= 1
    if run.nodes >= run.limit:
        run.stop = 1
    if run.stop:
        run.left = -1
    if run.left < 0 or ply >= run.last_ply:
        return 0
    mover = game.to_move(state) if not game.is_terminal(state) else 0
    if mover != 0 and mover != 1:
        return fault(MOVER, run)
    if game.is_terminal(state):
        return succeeds(game, state, player, run)
    if game.to_move(state) != player:
        if game.is_quiet(state):
            return 0
        count = 0
        for action in game.noisy(state):
            if threaten(game, game.result(state, action), player, ply + 1, run, work) == 0:
                return 0
            count += 1
        return int(count > 0)  # without an answer nothing is known: the rules contradict each other
    key = game.key(state) ^ run.attacker  # who needs no more than a draw fails less often
    failure = key & (FAILURES - 1)
    if work.failures[failure] == key and key != 0:
        return 0
    for action in game.noisy(state):
        if threaten(game, game.result(state, action), player, ply + 1, run, work):
            return 1
    if run.left >= 0:
        work.failures[failure] = key
    return 0


def succeeds(game: Any, state: Any, player: int, run: Any) -> int:
    """Whether a player has their way in a terminal state: the attacker if they have won, else the other."""
    utility = game.utility(state, run.attacker)
    if utility != run.win and utility != run.even and utility != run.loss:
        run.odd = utility
        run.is_odd = 1
    return int((utility == run.win) == (player == run.attacker))


def note(game: Any, state: Any, place: int, ply: int, run: Any, work: Any) -> None:
    """Put down at a place of the stack what tells a state apart in the table."""
    question = int(run.attacker) + 1  # so that what is known of both attackers has its place
    if game.has("plies_left"):  # what is proved at one clock need not be so at another
        question += 2 * int(game.plies_left(state))
    work.keys[place] = bits.mix(table_key(game, state, ply, run) ^ question)
    work.checks[place] = work.keys[place]
    if not game.exact_key or game.has("plies_left"):
        work.checks[place] = bits.mix(verification_key(game, state, ply, run) ^ question)


def settle(place: int, proved: int, work: Any) -> None:
    """Put down at a place of the stack that the attacker is sure to win, or is not."""
    work.proof[place] = 0 if proved else NEVER
    work.disproof[place] = NEVER if proved else 0


def remember(place: int, nodes: int, run: Any, work: Any) -> None:
    """Keep in the table what stands at a place of the stack and took so many nodes to find out."""
    worth = logarithm(nodes + 1)
    if work.proof[place] == 0 or work.disproof[place] == 0:
        worth += PROVED
    score = (work.proof[place] << 18) | work.disproof[place]
    data = table.pack(score, run.attacker, worth, table.EXACT, 0)  # the attacker, in place of a best action
    table.store(work.table, work.keys[place], work.checks[place], data)
