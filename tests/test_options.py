"""Options reach kernels: each refinement is read by the kernels it names, and by no other."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import plies
from plies.engine import kernels, options
from plies.engine.kernels import expectiminimax, pvs
from plies.engine.options import Options

pytestmark = pytest.mark.plain

KERNELS = Path(kernels.__file__).parent
ENGINE = KERNELS.parent
RECORDS = {"pvs": pvs.RUN, "expectiminimax": expectiminimax.HOPE}
PARTS = {
    "pvs": ("move_ordering", "quiescence", "repetitions", "transpositions"),
    "expectiminimax": ("chance_nodes", "chance_ordering"),
}


def read_by(kernel: str) -> set[str]:
    """The fields of its record that a kernel reads."""
    files = [KERNELS / f"{name}.py" for name in (kernel, *PARTS.get(kernel, ()))]
    return {name for file in files for name in re.findall(r"\brun\.(\w+)", file.read_text("utf-8"))}


@pytest.mark.parametrize("kernel", RECORDS)
def test_every_option_of_a_kernel_is_in_its_record_and_is_read(kernel: str) -> None:
    wanted = {one.name for one in fields(Options) if kernel in one.metadata["kernels"]}
    assert wanted <= set(RECORDS[kernel].names or ())
    assert wanted <= read_by(kernel), f"{kernel} never reads {wanted - read_by(kernel)}"


@pytest.mark.parametrize("kernel", RECORDS)
def test_a_kernel_reads_no_option_that_is_not_its_own(kernel: str) -> None:
    others = {one.name for one in fields(Options) if kernel not in one.metadata["kernels"]}
    assert not others & read_by(kernel)


def test_options_that_no_kernel_reads_are_read_at_the_root() -> None:
    source = "".join((ENGINE / name).read_text("utf-8") for name in ("root_search.py", "worker.py"))
    for one in fields(Options):
        if not one.metadata["kernels"]:
            assert f"options.{one.name}" in source, one.name


def test_every_option_names_rules_that_there_are() -> None:
    for one in fields(Options):
        assert all(hasattr(plies.Game, rule) for rule in one.metadata["rules"])


def test_what_gives_up_exactness_is_said() -> None:
    assert Options().inexact == []
    assert Options(beam=2, null_move=True).inexact == ["null_move", "beam"]
    assert {one.name for one in fields(Options) if not one.metadata["exact"]} == {
        "null_move",
        "reductions",
        "beam",
    }
    for name, value in {"null_move": True, "reductions": True, "beam": 2}.items():
        with pytest.raises(plies.BadParameter, match=f"switch off {name}"):
            plies.Solver(plies.TicTacToe(), options=Options(**{name: value}))


def test_an_option_whose_rule_is_missing_is_off() -> None:
    tree = plies.Tree([[3, 12], [2, 4]])
    given = Options(null_move=True, quiescence=True, candidates=True)
    run = plies.AlphaBeta(tree, options=given).runners[0].run
    assert not tree.has("null_move")
    assert (run.null_move, run.quiescence, run.candidates, run.priority) == (0, 0, 0, 0)
    assert (run.killers, run.history) == (1, 1)  # there is no priority
    four = plies.AlphaBeta(plies.ConnectFour(), options=Options()).runners[0].run
    assert four.candidates == 1


def test_every_option_has_a_description() -> None:
    source = Path(options.__file__).read_text(encoding="utf-8")
    for kind in (Options, plies.MctsOptions):
        for one in fields(kind):
            assert re.search(rf'\n    {one.name}: .*\n    """[A-Z]', source), one.name
