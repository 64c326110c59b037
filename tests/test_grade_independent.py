"""The grader on wrong programs that were written without it, and the bugs that it was taught by them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graded.independent import EXPECTED, HERE
from graded.mutations import RIGHT as PROGRAMS
from plies.grade.agents import Chosen, choices, diagnose_agent
from plies.grade.bugs import BUGS
from plies.grade.diagnosis import Finding
from plies.grade.grading import grade
from plies.grade.lab_calls import Counted, _counts, _pruning, calls_cases, wasteful
from plies.grade.lab_variants import LabProgram
from plies.grade.report import Report
from plies.grade.trees import Case, TestTree, depth_cases, plain_cases
from plies.grade.variants import RIGHT, Variant

pytestmark = pytest.mark.plain

TAUGHT = ("06", "08", "10", "13", "16")
"""Programs whose bugs had no name at first. The others are like those of `graded.mutations`, and long."""

LAB = LabProgram(1, {"X": (10, -1), "O": (-10, 1), "": (0, 0)})


def named(report: Report) -> dict[str, str]:
    return {finding.function: ", ".join(bug.key for bug in finding.bugs) for finding in report.findings}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name[:2] in TAUGHT else [pytest.mark.long]) for name in EXPECTED],
)
def test_a_bug_is_named(name: str) -> None:
    report = grade(HERE / f"{name}.py", only=EXPECTED[name].tests, seconds=120)
    assert named(report) == EXPECTED[name].bugs
    assert report.points < report.most
    assert "smallest" in report.text()


@pytest.mark.long
@pytest.mark.parametrize("name", EXPECTED)
def test_it_has_the_same_name_by_all_tests(name: str) -> None:
    report = grade(HERE / f"{name}.py", seconds=120)
    assert named(report) == EXPECTED[name].bugs


def test_every_program_is_in_the_table() -> None:
    assert {path.stem for path in HERE.glob("[0-9]*.py")} == set(EXPECTED)


# -- Agents.


def test_an_agent_chooses_what_is_best_below() -> None:
    case = Case(TestTree([[3, 12], [2, 4], [3, 9]]))  # MIN takes 3, 2 and 3
    assert choices(case, RIGHT) == {"a1", "a3"}
    assert choices(case, Variant(roles="swapped at the root")) == {"a2"}
    assert choices(case, Variant(roles="all-max")) == {"a1"}  # of 12, 4 and 9


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(
    "key", ["choice-swapped", "depth-too-deep", "depth-too-shallow", "depth-not-counted"]
)
def test_the_bug_of_an_agent_is_named_whichever_of_equal_actions_it_takes(key: str, last: bool) -> None:
    variant = BUGS[key].variant
    assert variant is not None
    cases = [case for case in (*plain_cases(), *depth_cases()) if isinstance(case.tree.root, list)]
    chosen = [Chosen(case, sorted(choices(case, variant))[-last]) for case in cases]
    finding = diagnose_agent("best_action", chosen, [])
    assert finding is not None
    assert [bug.key for bug in finding.bugs] == [key]
    search = Finding("minimax", (BUGS[key],))
    assert diagnose_agent("best_action", chosen, [search]) is None  # it is the search that has it
    right = [Chosen(case, sorted(choices(case, RIGHT))[-last]) for case in cases]
    assert diagnose_agent("best_action", right, []) is None


# -- Calls of alpha-beta in lab style.


def calls(key: str, inner: bool, by_window: bool = False) -> list[Counted]:
    """The calls that a program with a bug makes: of all nodes, or of those where the game goes on."""
    found = []
    for case in calls_cases(LAB):
        variant = BUGS[key].variant if key else RIGHT
        assert variant is not None
        value, counts = _counts(_pruning(LAB, replace(variant, by_window=by_window)), case)
        found.append(case._replace(value=value, calls=counts.nodes - inner * counts.leaves))
    return found


def test_calls_tell_a_search_that_never_cuts_from_one_without_a_window() -> None:
    assert wasteful(LAB, calls("never-cuts", inner=True)) is BUGS["never-cuts"]


@pytest.mark.parametrize(
    ("line", "key"),
    [("alpha = max(alpha, best)", "alpha-not-raised"), ("beta = min(beta, best)", "beta-not-lowered")],
)
def test_a_bound_that_is_not_moved_is_named_where_the_cut_compares_bounds(
    line: str, key: str, tmp_path: Path
) -> None:
    source = (PROGRAMS / "lab_alpha_beta.py").read_text(encoding="utf-8")
    assert source.count(line) == 1
    (tmp_path / "student.py").write_text(source.replace(line, "pass"), encoding="utf-8")
    report = grade(tmp_path / "student.py", only=["minimax: calls"], seconds=120)
    assert named(report) == {"minimax": key}


def test_a_cut_by_the_window_is_right_as_well() -> None:
    assert wasteful(LAB, calls("", inner=False, by_window=True)) is None


@pytest.mark.parametrize("key", ["", "strict"])
@pytest.mark.parametrize("inner", [False, True])
def test_calls_of_a_right_program_have_no_bug(key: str, inner: bool) -> None:
    assert wasteful(LAB, calls(key, inner)) is None


def test_a_right_program_has_all_points_for_its_calls() -> None:
    report = grade(PROGRAMS / "lab_alpha_beta.py", only=["minimax: calls"], seconds=120)
    assert report.points == report.most
    assert report.findings == []
    assert "alpha-beta takes" in report.tests[0].words
