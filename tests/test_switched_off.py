"""Options that a game leaves off are not compiled, and the search is the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import plies
from plies.compiled import Kernel, interpreting
from plies.compiled.workspace import record_type
from plies.engine import AlphaBeta, Limit, Options
from plies.engine.options import switched_off

GAME = plies.ConnectFour(width=5, height=4)


@pytest.mark.plain
def test_what_the_game_leaves_off_is_left_out():
    off = switched_off("pvs", Options(**GAME.refinements), GAME)
    assert {"beam", "bias", "child_order", "null_move", "reductions"} <= off
    assert not {"table", "null_window", "priority"} & off
    assert "symmetry" not in off, "it is switched on for some positions"


@pytest.mark.plain
def test_options_that_switch_more_off_share_its_code_and_others_have_all():
    own = switched_off("pvs", Options(**GAME.refinements), GAME)
    assert switched_off("pvs", Options(table=False, null_window=False), GAME) == own
    assert switched_off("pvs", Options(reductions=True), GAME) == frozenset()
    assert switched_off("pvs", Options(table=False, beam=3), GAME) == frozenset()


class Keen(plies.ConnectFour):
    """Connect Four that reduces late moves."""

    refinements = {"reductions": True}


@pytest.mark.plain
def test_what_a_game_switches_on_is_there():
    game = Keen(width=5, height=4)
    assert "reductions" not in switched_off("pvs", Options(**game.refinements), game)
    assert "reductions" in switched_off("pvs", Options(), GAME)


def machine(options: Options) -> Any:
    return AlphaBeta(GAME, memory=1, options=options).runners[0].kernel


@pytest.mark.skipif(interpreting(), reason="compilation is switched off")
@pytest.mark.costly
def test_the_search_is_the_same_in_both_forms(monkeypatch: pytest.MonkeyPatch):
    def found() -> list[Any]:
        return [
            (one.depth, one.nodes, one.value, one.action)
            for one in AlphaBeta(GAME, memory=1).analyse(limit=Limit(depth=9))
        ]

    lean, kernel = found(), machine(Options())
    assert machine(Options(table=False)) is kernel
    monkeypatch.setattr("plies.engine.worker.switched_off", lambda *_: frozenset())
    assert machine(Options()) is not kernel
    assert found() == lean


RUN = np.dtype([("none", np.int64), ("nothing", np.float64), ("some", np.int64)])


def asked(game, state, run):
    """Each way to ask for a field, as the digits of a number."""
    answer = 0
    if run.none:
        answer += 1
    if not run.none:
        answer += 10
    if run.none == 0 and run.some:
        answer += 100
    if run.none > 0 or run.nothing >= 0.5:
        answer += 1000
    answer += 10000 if run.none != 0 else 20000
    while run.nothing < 0:
        answer += 100000
    return answer + (1000000 if run.some and not run.nothing else 0)


def records() -> Iterator[Any]:
    for some in (0, 1):
        run = record_type(RUN)()
        run.some = some
        yield run


@pytest.mark.skipif(interpreting(), reason="compilation is switched off")
@pytest.mark.parametrize("off", [set(), {"none"}, {"nothing"}, {"none", "nothing"}, {"none", "stranger"}])
def test_conditions_on_fields_that_are_always_0(off: set[str]):
    game = plies.Nim()
    for run in records():
        code = Kernel(asked).compiled_for(game, game.initial(), run, off=frozenset(off))
        assert code(game, game.initial(), run) == asked(game, game.initial(), run)


@pytest.mark.skipif(interpreting(), reason="compilation is switched off")
def test_what_is_off_is_not_in_the_code():
    game = plies.Nim()
    (run, _) = records()
    run.none = 1
    code = Kernel(asked).compiled_for(game, game.initial(), run, off=frozenset({"none"}))
    assert code(game, game.initial(), run) % 10 == 0
