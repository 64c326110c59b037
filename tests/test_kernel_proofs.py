"""What alpha-beta keeps as a proof, step by step: the kernels' own functions, asked one at a time.

A fault here makes one proof in thousands of graphs false (test_proofs.py), so each has its own test.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import graphs
from plies.engine import AlphaBeta, Options, table
from plies.engine.kernels.pruning import CUT, START, next_cut, rest_is_pruned
from plies.engine.kernels.transpositions import credit, lookup, own_key, record_score, rests_on
from plies.engine.score import PLY_BITS, STEP
from plies.engine.worker import LAST_PLY, Worker

pytestmark = pytest.mark.plain

SCORE = 7 << PLY_BITS
"""Of neither a win nor a loss."""


def begun(kind: type[graphs.Graph], **options: Any) -> Worker:
    """A worker at the root of some graph, about to search."""
    game = graphs.random_graph(kind, random.Random(1), 8)
    game.compiled = False
    worker = AlphaBeta(game, memory=0.1, options=Options(**options)).runners[0]
    worker.begin(game.initial())
    return worker


def test_images_share_entries_only_if_nothing_that_came_before_differs_from_its_image() -> None:
    worker = begun(graphs.Centred, symmetry=True)
    nodes = {len(set(worker.game.symmetries(spot))): spot for spot in map(spot_of, range(8))}
    own, other = nodes[1], nodes[2]
    assert worker._symmetry_at(own, []) == LAST_PLY
    assert worker._symmetry_at(own, [other]) == 0
    assert worker._symmetry_at(other, []) == 0
    worker = begun(graphs.Graph, symmetry=True)
    assert worker._symmetry_at(worker.root, []) == LAST_PLY


def spot_of(node: int) -> graphs.Spot:
    return graphs.Spot(node, 0)


@pytest.mark.parametrize("counter", ["inexact", "paths", "expired"])
def test_what_rests_on_more_than_the_rules_is_no_proof(counter: str) -> None:
    assert kept(begun(graphs.Loop), SCORE) >= table.SOLVED
    assert kept(begun(graphs.Loop), SCORE, counter) < table.SOLVED


@pytest.mark.parametrize("mover", [0, 1])
def test_a_win_that_may_rest_on_a_repetition_is_not_kept(mover: int) -> None:
    """One that wins for the same player, that is; the score of a loss is the other player's win."""
    own, other = ("first_wins", "second_wins") if mover == 0 else ("second_wins", "first_wins")
    won = int(begun(graphs.Loop).run.best) - 3
    for score, counter, still in (
        (won, own, False),
        (won, other, True),
        (-won, own, True),
        (-won, other, False),
    ):
        assert (kept(begun(graphs.Loop), score, counter, mover) >= table.SOLVED) == still
    assert kept(begun(graphs.Loop), won, own, mover) == 0


def kept(worker: Worker, score: int, counter: str = "", mover: int = 0) -> int:
    """The depth of the entry of a score that was searched to depth 4, and rests on what was counted."""
    run, work, root = worker.run, worker.work, worker.root
    before = rests_on(run)
    if counter:
        setattr(run, counter, getattr(run, counter) + 1)
    key = own_key(worker.game, root, 0, run)
    record_score(worker.game, root, mover, key, score - STEP, score + STEP, score, 0, 4, before, 0, run, work)
    data = lookup(worker.game, root, key, 0, run, work)
    assert data != table.NOTHING
    return int(table.depth_of(data))


def test_a_draw_at_another_clock_is_one_unless_scores_are_shared() -> None:
    worker = begun(graphs.Clock)
    data = table.pack(0, 0, table.SOLVED, table.EXACT, worker.run.age)
    credit(worker.game, data, worker.run)
    assert worker.run.inexact == 0
    worker.run.coarse = 1
    credit(worker.game, data, worker.run)
    assert worker.run.inexact == 1


def test_reverse_futility_is_no_proof() -> None:
    worker = begun(graphs.Graph, reverse_futility=1e-6)
    run, work = worker.run, worker.work
    mover = int(worker.game.evaluate(worker.root, 1) > 0)
    asked = (worker.game, worker.root, mover, START, 0, -1, 0, 1, True, -1, 0, run, work)
    assert next_cut(*asked)[0] == CUT
    assert run.inexact == 1


def test_no_move_is_left_out_before_one_that_does_not_lose() -> None:
    worker = begun(graphs.Graph, late_moves=1)
    run, work = worker.run, worker.work
    work.statics[0] = 0
    run.promising, work.order[:9] = 1, 0
    asked = [
        rest_is_pruned(0, 0, 8, 9, best, SCORE, SCORE + 1, 1, 0, run, work)
        for best in (SCORE, -int(run.best) + 2)
    ]
    assert asked == [True, False]
    assert run.inexact == 1  # a move left out is no proof
