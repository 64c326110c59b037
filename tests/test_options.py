"""Options reach kernels: each refinement is read by the kernels it names, and by no other."""

from __future__ import annotations

import importlib
import re
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from engine_games import INEXACT
from plies.engine import kernels, options
from plies.engine.options import Options

pytestmark = pytest.mark.plain

KERNELS = Path(kernels.__file__).parent
ENGINE = KERNELS.parent
FILES = sorted(path.stem for path in KERNELS.glob("[a-z]*.py"))
NAMED = {name for one in fields(Options) for name in one.metadata["kernels"]}


def source_of(part: str) -> str:
    return (KERNELS / f"{part}.py").read_text("utf-8")


def parts(kernel: str) -> set[str]:
    """A kernel's file and those that it imports."""
    others = re.findall(r"^from plies\.engine\.kernels\.(\w+) import", source_of(kernel), re.MULTILINE)
    return {kernel}.union(*map(parts, others))


def reads(part: str) -> set[str]:
    """The fields of a record that the code of a file reads."""
    return set(re.findall(r"\brun\.(\w+)", source_of(part)))


@pytest.mark.parametrize("kernel", sorted(NAMED))
def test_a_kernel_reads_every_option_that_names_it(kernel: str) -> None:
    wanted = {one.name for one in fields(Options) if kernel in one.metadata["kernels"]}
    missing = wanted.difference(*map(reads, parts(kernel)))
    assert not missing, f"no step of kernels/{kernel}.py reads run.{min(missing)}, an option that names it"


@pytest.mark.parametrize("part", FILES)
def test_a_kernel_reads_no_field_that_its_record_does_not_have(part: str) -> None:
    """A part that several kernels share reads fields of any of them."""
    modules = [importlib.import_module(f"{kernels.__name__}.{one}") for one in FILES if part in parts(one)]
    records = [one for module in modules for one in vars(module).values() if isinstance(one, np.dtype)]
    strange = reads(part).difference(*(record.names or () for record in records))
    assert not strange, (
        f"kernels/{part}.py reads run.{min(strange)}, which is in no record: a refinement needs a field of "
        f"Options that names its kernel, anything else a field of the record"
    )


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


@pytest.mark.parametrize("one", INEXACT, ids=lambda one: one.name)
def test_what_gives_up_exactness_is_off_unless_asked_for_and_says_so(one: Field[Any]) -> None:
    assert not one.default
    assert "Gives up exactness." in description(one.name)


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
    for kind in (Options, plies.MctsOptions):
        for one in fields(kind):
            assert description(one.name), f"{one.name} has no docstring in options.py: technique, reference"


def description(name: str) -> str:
    """The docstring below an option."""
    source = Path(options.__file__).read_text(encoding="utf-8")
    found = re.search(rf'\n    {name}: [^\n]*\n    """([A-Z].*?)"""', source, re.DOTALL)
    return " ".join(found[1].split()) if found else ""
