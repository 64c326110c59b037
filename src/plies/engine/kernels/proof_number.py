"""Proof-number search, depth first (df-pn): can a player force a win?

Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; df-pn: Nagai 2002. A proof number
is the least number of leaves that must be proved to show that the attacker wins; a disproof number, to show
that they do not. The search follows the most-proving node until another one is easier, by a quarter: the 1 +
epsilon trick (Pawlewicz and Lew 2007). Where all children must be shown, the hardest counts, and one for each
of the others (weak proof-number search, Ueda et al. 2008): a sum would count transpositions twice.

With cycles, a repetition is no win, on its path (graph-history interaction, Campbell 1985). A proof rests on
terminal states alone, and holds on every path. A disproof holds on every path if it rests on repetitions of
positions from its own on only: all positions of such a disproof keep the attacker among them. Any other is
stored with a hash of its path, for that path, after Kishimoto and Müller, A Solution to the GHI Problem for
Depth-First Proof-Number Search, 2003. Threads share the table, and one keeps away from what another searches:
virtual proof numbers (Kaneko 2010).

New leaves get their numbers from mobility and `evaluate` (df-pn+, Nagai 2002). In `forcing` games, a position
is first searched for a win by threats that leave no choice, and a move that threatens such a win gets the
number of answers to it: threat-space search (Allis et al. 1993) by null moves, as in lambda search (Thomsen
2000).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine import table
from plies.engine.faults import ACTIONS, EVALUATION, MOVER, fault
from plies.engine.kernels.databases import database_answer
from plies.engine.kernels.repetitions import position
from plies.engine.kernels.transpositions import clocked_key, logarithm, table_key, verification_key
from plies.validation import MOST_ACTIONS

NEVER = (1 << 18) - 1
"""Infinity: the (dis)proof number of what cannot be shown; 0 is that of what is shown. Two numbers of 18 bits
fit in the 38 bits of a table entry's score."""

PATIENCE = 1000
"""The nodes of one search for threats. Not tuned."""

ANSWERS = 3
"""The most answers to a threat that are counted: each takes a search for threats. Not tuned."""

NOWHERE = 1 << 20
"""What a number rests on that holds on every path: above any ply."""

TASKS = (1 << 12) - 1
"""The slots where threads note what they search, less one: many more than the plies that they are at, so that
collisions, which cost a little time and nothing else, are rare. Not tuned."""

FAILURES = 1 << 20
"""The entries of the table of positions that threats do not win: 8 megabytes. Not tuned."""

PROVED = 64
"""What a proof adds to an entry's depth, by which it stays in the table: above the logarithm of any number of
nodes, so that proofs stay longest."""

PROOF = np.dtype(
    [
        ("nodes", np.int64),  # positions visited, those in searches for threats included
        ("probes", np.int64),  # positions settled by a database
        # Where the search is, for reporting a broken rule: see faults.py.
        ("ply", np.int64),  # plies from the root
        ("fault", np.int64),  # 0: none
        # Limits, and the stack of positions.
        ("stop", np.int64),  # 1: return at once
        ("limit", np.int64),  # nodes
        ("last_ply", np.int64),  # the deepest ply
        ("deep", np.int64),  # 1: a line was longer
        ("top", np.int64),  # the first free place of the stack
        ("full", np.int64),  # 1: the stack overflowed
        # The question.
        ("attacker", np.int64),  # the player who is to win
        ("win", np.float64),  # the utility of a win
        ("even", np.float64),  # of a draw
        ("loss", np.float64),  # of a loss
        ("odd", np.float64),  # a utility that is none of these, if `is_odd`
        ("is_odd", np.int64),  # 1: there was one
        # Settings.
        ("forcing", np.int64),  # 1: search for threats
        ("null_move", np.int64),  # 1: the game has `null_move`
        ("left", np.int64),  # nodes left to a search for threats
        ("evaluate", np.int64),  # 1: the game has `evaluate`
        ("symmetry", np.int64),  # up to which ply images of a position count as one
        ("threads", np.int64),  # 1, or 2 for any larger number
    ]
)
"""The kernel's counters and settings."""


@kernel
def prove(game, state, place, proof, disproof, ply, run, work) -> int:
    """Search the state at a place of the stack until one of its numbers reaches a threshold."""
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

    # 1. The actions with their numbers; of those that lead to symmetric positions, only the first.
    base = run.top
    if game.cycles:
        enter(game, state, mover, ply, work)
    generate(game, state, attacking, ply, run, work)
    end = run.top
    while run.stop == 0:
        # 2. The numbers of this node, by those of its children.
        least, second, most, more, chosen = numbers(base, end, attacking, run, work)
        work.proof[place] = least if attacking else most
        work.disproof[place] = most if attacking else least
        if place == 0:
            work.chosen[0] = work.actions[chosen]
        if least == 0 or most == 0 or work.proof[place] >= proof or work.disproof[place] >= disproof:
            if game.cycles:
                rest(place, base, end, attacking, ply, work)
            remember(game, state, place, ply, run.nodes - nodes, run, work)
            break

        # 3. The easiest child, until another one is easier by a quarter (1 + epsilon).
        easy = min(proof if attacking else disproof, second + 1 + second // 4)
        if run.threads > 1:  # another one may be easier already: what another thread searches
            easy = max(easy, (work.proof[chosen] if attacking else work.disproof[chosen]) + 1)
            work.tasks[work.keys[chosen] & TASKS] = work.keys[chosen]
        hard = disproof if attacking else proof
        if hard < NEVER:
            hard -= more
        if not attacking:
            easy, hard = hard, easy
        work.line[ply] = work.actions[chosen]
        run.ply = ply
        child = game.result(state, work.actions[chosen])
        prove(game, child, chosen, easy, hard, ply + 1, run, work)
        if run.threads > 1:
            work.tasks[work.keys[chosen] & TASKS] = 0
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


def numbers(base: int, end: int, attacking: bool, run: Any, work: Any) -> tuple[int, int, int, int, int]:
    """The numbers of a node by those of its children.

    For the player to move: the least, the second least, and the place of the least; what another thread
    searches counts as harder by a half there. For the other: the greatest plus one for each further child not
    shown yet, and the number of these.
    """
    easiest = NEVER + NEVER
    least = second = NEVER
    most = 0
    more = -1
    chosen = base
    for i in range(base, end):
        mine, theirs = work.proof[i], work.disproof[i]
        if not attacking:
            mine, theirs = theirs, mine
        least = min(least, mine)
        if run.threads > 1 and 0 < mine < NEVER and work.tasks[work.keys[i] & TASKS] == work.keys[i]:
            mine += 1 + mine // 2
        if mine < easiest:
            second = min(easiest, NEVER)
            easiest = mine
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
def appraise(game, state, place, ply, run, work) -> int:
    """Write the numbers of the state at a place of the stack: from the rules, the table, or by heuristics."""
    work.rests[place] = NOWHERE
    if game.is_terminal(state):
        settle(place, succeeds(game, state, run.attacker, run), work)
        return 0
    if work.has("database_words"):
        answer = database_answer(game, state, ply, run, work)
        if answer >= 0:
            settle(place, answer, work)
            return 0
    nodes = run.nodes
    mover = game.to_move(state)
    if mover != 0 and mover != 1:
        return fault(MOVER, run)
    if game.cycles:  # before the table, which may know that the root is won, and not without it
        work.rests[place] = disproved_by(game, state, mover, ply, run, work)
        if work.rests[place] < NOWHERE:
            settle(place, False, work)
            return 0
    data = table.probe(work.table, work.keys[place], work.checks[place])
    if data != table.NOTHING and table.best_of(data) == run.attacker:
        work.proof[place] = table.score_of(data) >> 18
        work.disproof[place] = table.score_of(data) & NEVER
        return 0
    attacking = mover == run.attacker
    if run.forcing and forces(game, state, mover, ply, run, work):
        settle(place, attacking, work)
    else:
        # After a threat, only the answers to it count.
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
    remember(game, state, place, ply, run.nodes - nodes, run, work)
    return 0


@kernel
def forces(game, state, player, ply, run, work) -> int:
    """Whether a player succeeds by threats that leave no choice, within PATIENCE nodes: 1 if so."""
    run.left = PATIENCE
    return threaten(game, state, player, ply, run, work)


@kernel
def threaten(game, state, player, ply, run, work) -> int:
    """Threat search: whether a player succeeds by noisy actions, each with noisy answers only: 1 if so."""
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
        return int(count > 0)  # not quiet, and no answer: the rules contradict each other
    key = game.key(state) ^ run.attacker  # for the defender, a draw is a success
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
    """Whether a player succeeds in a terminal state: the attacker if they have won, else the other."""
    utility = game.utility(state, run.attacker)
    if utility != run.win and utility != run.even and utility != run.loss:
        run.odd = utility
        run.is_odd = 1
    return int((utility == run.win) == (player == run.attacker))


def note(game: Any, state: Any, place: int, ply: int, run: Any, work: Any) -> None:
    """Write the table keys of a state to a place of the stack."""
    question = int(run.attacker) + 1  # each attacker has entries of their own
    if game.has("plies_left"):  # and so has each clock
        question += 2 * int(game.plies_left(state))
    work.keys[place] = bits.mix(table_key(game, state, ply, run) ^ question)
    work.checks[place] = work.keys[place]
    if not game.exact_key or game.has("plies_left"):
        work.checks[place] = bits.mix(verification_key(game, state, ply, run) ^ question)


def settle(place: int, proved: int, work: Any) -> None:
    """Write to a place of the stack that the attacker is proved to win, or not to."""
    work.proof[place] = 0 if proved else NEVER
    work.disproof[place] = NEVER if proved else 0


def enter(game: Any, state: Any, mover: int, ply: int, work: Any) -> None:
    """Put a state on the path."""
    here = position(game, state, mover)
    work.path[ply] = here
    work.salts[ply + 1] = bits.add(int(work.salts[ply]), bits.mix(here))


def disproved_by(game: Any, state: Any, mover: int, ply: int, run: Any, work: Any) -> int:
    """The ply of the path that a state repeats; 0, if it was disproved on this path before; or NOWHERE."""
    here = position(game, state, mover)
    for i in range(ply):
        if work.path[i] == here:
            return i
    key, check = path_keys(game, state, ply, run, work)
    return 0 if table.probe(work.table, key, check) != table.NOTHING else NOWHERE


def path_keys(game: Any, state: Any, ply: int, run: Any, work: Any) -> tuple[int, int]:
    """The table keys of a state on the path that leads there. Its images are elsewhere on that path."""
    salt = bits.mix(bits.add(int(work.salts[ply]), run.attacker))
    key = bits.mix(game.key(state) ^ salt)
    return key, bits.mix(clocked_key(game, state) ^ key)


def rest(place: int, base: int, end: int, attacking: bool, ply: int, work: Any) -> None:
    """Write what a disproof at a place of the stack rests on: the least ply of a position of the path.

    The attacker needs all children, and the defender one. From its own ply on, it holds on every path.
    """
    work.rests[place] = NOWHERE
    if work.disproof[place] == 0:
        found = NOWHERE if attacking else 0
        for i in range(base, end):
            if attacking:
                found = min(found, work.rests[i])
            elif work.disproof[i] == 0:
                found = max(found, work.rests[i])
        work.rests[place] = NOWHERE if found >= ply else found


def remember(game: Any, state: Any, place: int, ply: int, nodes: int, run: Any, work: Any) -> None:
    """Store the numbers at a place of the stack, which took a number of nodes to find."""
    worth = logarithm(nodes + 1)
    if work.proof[place] == 0 or work.disproof[place] == 0:
        worth += PROVED
    score = (work.proof[place] << 18) | work.disproof[place]
    data = table.pack(score, run.attacker, worth, table.EXACT, 0)  # the attacker, in place of a best action
    key, check = int(work.keys[place]), int(work.checks[place])
    if game.cycles and work.rests[place] < NOWHERE:
        key, check = path_keys(game, state, ply, run, work)
    table.store(work.table, key, check, data)
