"""The grader: right programs pass in every style, and wrong ones are told what their bug is."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from graded.mutations import MUTATIONS, RIGHT, Mutation
from plies import book
from plies.book.recorder import Recorder
from plies.games.tic_tac_toe import TicTacToe
from plies.grade.agents import AT_THE_ROOT, Chosen, choices, diagnose_agent
from plies.grade.bugs import BUGS
from plies.grade.child.calls import NOTHING
from plies.grade.child.tables import positions
from plies.grade.diagnosis import Observed, diagnose
from plies.grade.drawing import game_tree, traces, tree_trace
from plies.grade.grading import grade
from plies.grade.report import Report
from plies.grade.skeletons import skeleton
from plies.grade.trees import (
    Answer,
    Case,
    TestTree,
    answer_of,
    chance_cases,
    depth_cases,
    ghost_cases,
    min_cases,
    min_window_cases,
    plain_cases,
    window_cases,
)
from plies.grade.truth import ALPHA_BETA_LEAVES, MINIMAX_LEAVES, POSITIONS, values
from plies.grade.variants import RIGHT as RIGHT_VARIANT
from plies.grade.variants import STRICT, Variant

pytestmark = pytest.mark.plain

PROGRAMS = sorted(RIGHT.glob("*.py"))

QUICK = {
    "book": ["minimax: t", "minimax: d", "alpha_beta: t", "alpha_beta: c", "alpha_beta: w", "alpha_beta: d"],
    "lab": ["minimax: positions", "minimax: the", "minimax: quick", "prompt"],
}
"""By style, tests that together are quick; the others are long."""

SEARCHES = ["expecti", "best_action"]


class Leaves(Recorder):
    """Notes the leaves of a search."""

    def __init__(self) -> None:
        self.states: list[Any] = []

    def leaf(self, action: Any, state: Any, why: str, value: Any, relation: str = "=") -> Any:
        self.states.append(state)
        return value


def by_book(case: Case, algorithm: str, **options: Any) -> Answer:
    """What the book finds in a case."""
    noted = Leaves()
    found = book.ALGORITHMS[algorithm](game_tree(case), player=0, depth=case.depth, trace=noted, **options)
    return Answer(found.value, tuple(noted.states))


# -- The judge is right itself.


@pytest.mark.parametrize("case", [*plain_cases(), *depth_cases()])
def test_without_a_bug_the_variant_is_that_of_the_book(case: Case) -> None:
    assert answer_of(case, RIGHT_VARIANT, False).agrees(by_book(case, "minimax"))
    assert answer_of(case, RIGHT_VARIANT, True).agrees(by_book(case, "alpha-beta"))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("right", [RIGHT_VARIANT, STRICT])
def test_windows_are_those_of_the_book(hard: bool, right: Variant) -> None:
    for case in (*window_cases(), *min_window_cases()):
        options = {"fail_hard": hard, "cut_on_equal": right is RIGHT_VARIANT}
        ours = by_book(case, "alpha-beta", alpha=case.alpha, beta=case.beta, **options)
        assert answer_of(case, replace(right, fail_hard=hard), True).agrees(ours)


def test_chance_and_ghosts_are_those_of_the_book() -> None:
    for case in chance_cases():
        assert answer_of(case, RIGHT_VARIANT, False).agrees(by_book(case, "expectiminimax"))
    for case in ghost_cases():
        if max(case.tree.tables["movers"]) == 2:
            assert answer_of(case, RIGHT_VARIANT, False).agrees(by_book(case, "opponents"))


def test_the_values_of_all_positions() -> None:
    game = TicTacToe()
    assert len(values()) == POSITIONS == 5_478
    assert list(values()) == positions()
    for position in positions()[1000::97]:
        assert values()[position] == book.minimax(game, game.parse_position(position), player=0).value
    assert values()["." * 9] == 0


def test_the_leaves_of_alpha_beta_on_the_empty_board() -> None:
    counts = book.Counts()
    book.alpha_beta(TicTacToe(), trace=counts)
    assert (counts.nodes, counts.leaves) == (18_297, ALPHA_BETA_LEAVES)


@pytest.mark.long
def test_the_leaves_of_minimax_on_the_empty_board() -> None:
    counts = book.Counts()
    book.minimax(TicTacToe(), trace=counts)
    assert (counts.nodes, counts.leaves) == (549_946, MINIMAX_LEAVES)


# -- Every bug of the catalogue can be told from the others, by variants that stand for students.


@pytest.mark.parametrize("key", [bug.key for bug in BUGS.values() if bug.variant])
def test_a_bug_is_recognised_by_its_answers(key: str) -> None:
    bug = BUGS[key]
    assert bug.variant is not None
    if bug.variant.chance != "expected":
        function, cases = "expectiminimax", chance_cases()
    elif bug.prunes:
        function, cases = "alpha_beta", (*plain_cases(), *window_cases(), *min_window_cases())
    else:
        function, cases = "minimax", (*plain_cases(), *depth_cases(), *ghost_cases())
    seen = [Observed(case, answer_of(case, bug.variant, bug.prunes)) for case in cases]
    finding = diagnose(function, seen, bug.prunes)
    assert finding is not None
    assert [one.key for one in finding.bugs] == [key]
    assert finding.shown is not None
    assert finding.right is not None
    smaller = [one for one in seen if one.case.size < finding.shown.case.size]
    for one in smaller:  # nothing smaller shows it
        assert one.answer.agrees(answer_of(one.case, RIGHT_VARIANT, bug.prunes), leaves=bug.prunes)
    both = traces(finding)
    assert both is not None
    theirs, ours = both
    assert theirs is not None
    assert theirs.value == finding.shown.answer.value
    assert ours.value == finding.right.value


@pytest.mark.parametrize(
    "key",
    [
        bug.key
        for bug in BUGS.values()
        if bug.prunes and bug.variant and {"max_updates", "min_updates"} & bug.variant.differs().keys()
    ],
)
def test_a_bug_is_recognised_where_it_cuts_by_the_window(key: str) -> None:
    """Many programs stop where alpha has reached beta: there, a bound moved wrongly does otherwise."""
    variant = replace(BUGS[key].variant or RIGHT_VARIANT, by_window=True)
    cases = (*plain_cases(), *window_cases(), *min_window_cases())
    finding = diagnose("alpha_beta", [Observed(case, answer_of(case, variant, True)) for case in cases], True)
    assert finding is not None
    assert len(finding.bugs) == 1
    same = "never-cuts" if key == "neither-moves" else key  # a window that never moves cuts nothing
    assert same in [bug.key for bug in (*finding.bugs, *finding.also)]


@pytest.mark.parametrize("key", AT_THE_ROOT)
def test_an_agent_that_forgets_who_is_to_move(key: str) -> None:
    cases = [case for case in (*plain_cases(), *min_cases()) if isinstance(case.tree.root, list)]
    seen = [Chosen(case, min(choices(case, AT_THE_ROOT[key]))) for case in cases]
    finding = diagnose_agent("best_action", seen, [])
    assert finding is not None
    assert [bug.key for bug in finding.bugs] == [key]
    assert finding.shown is not None
    assert (finding.shown.case.tree.levels[0] == 1) == (key == "always-max")


def test_an_agent_is_not_blamed_for_the_search_that_it_calls() -> None:
    """Many bugs would choose as it does; if one of them is in the search already, that is it."""
    bug = BUGS["estimate-of-the-mover"]
    assert bug.variant is not None
    cases = depth_cases()
    seen = [Chosen(case, min(choices(case, bug.variant))) for case in cases]
    search = diagnose(
        "minimax", [Observed(case, answer_of(case, bug.variant, False)) for case in cases], False
    )
    assert search is not None
    assert search.bugs == (bug,)
    assert diagnose_agent("best_action", seen, [search]) is None
    alone = diagnose_agent("best_action", seen, [])
    assert alone is not None
    assert alone.bugs == (bug,)


def test_nothing_returned_is_no_error() -> None:
    case = plain_cases()[0]
    finding = diagnose("minimax", [Observed(case, Answer(None, error=NOTHING))], False)
    assert finding is not None
    assert finding.title == "it returns nothing"


def test_two_bugs_at_once_are_both_named() -> None:
    both = Variant(max_start=0, keep="best", depth_shift=1)
    seen = [Observed(case, answer_of(case, both, False)) for case in (*plain_cases(), *depth_cases())]
    finding = diagnose("minimax", seen, False)
    assert finding is not None
    assert {bug.key for bug in finding.bugs} == {"max-starts-at-zero", "depth-too-deep"}


def test_what_no_bug_explains_has_no_name() -> None:
    seen = [
        Observed(case, replace(answer_of(case, RIGHT_VARIANT, False), value=case.tree.size + 0.5))
        for case in plain_cases()
    ]
    finding = diagnose("minimax", seen, False)
    assert finding is not None
    assert finding.bugs == ()
    assert finding.shown is not None
    assert finding.shown.case.tree.size == 2
    assert "none of the usual bugs" in finding.title


def test_a_right_search_has_no_finding() -> None:
    for prunes in (False, True):
        seen = [Observed(case, answer_of(case, RIGHT_VARIANT, prunes)) for case in plain_cases()]
        assert diagnose("search", seen, prunes) is None


def test_strict_cuts_are_right_where_they_are_allowed() -> None:
    seen = [Observed(case, answer_of(case, STRICT, True)) for case in plain_cases()]
    assert diagnose("alpha_beta", seen, True, STRICT) is None
    finding = diagnose("alpha_beta", seen, True)
    assert finding is not None
    assert finding.bugs[0].key == "strict"


def test_the_steps_of_a_wrong_cut_say_what_is_wrong() -> None:
    trace = tree_trace(Case(TestTree([1, 2])), Variant(max_cut="alpha"), True, "alpha-beta")
    assert "compared with alpha -inf, the wrong bound" in str(trace)


# -- Students' files.


def missed(report: Report) -> list[str]:
    """The tests of functions that the file has, and that are not passed."""
    return [
        f"{test.name}: {test.words}"
        for test in report.tests
        if not test.passed and not test.words.startswith("there is no") and test.name != "evaluation"
    ]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_right_program_passes(path: Path) -> None:
    style = path.stem.partition("_")[0]
    report = grade(path, only=QUICK[style] + (SEARCHES if style == "book" else []), seconds=120)
    assert missed(report) == []
    assert report.findings == []
    assert report.style == style
    assert report.points > 0


@pytest.mark.long
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_right_program_passes_all_tests(path: Path) -> None:
    report = grade(path, seconds=120)
    assert missed(report) == []
    assert report.findings == []
    if path.stem == "book_plain" or path.stem.startswith("lab_"):
        assert report.points == report.most


@pytest.mark.long
def test_all_positions_are_tried() -> None:
    only = ["rules", "minimax: all", "alpha_beta: leaves"]
    report = grade(RIGHT / "book_plain.py", only=only, seconds=120)
    assert [test.words for test in report.tests] == [
        "right in all 5,478 positions",
        "right in all 5,478",
        "7,330 leaves; alpha-beta looks at 7,330, minimax at 255,168",
    ]
    only = ["show", "checkWin", "minimax: all", "make_best"]
    report = grade(RIGHT / "lab_functions.py", only=only, seconds=120)
    assert [test.words for test in report.tests] == [
        "right",
        "right",
        "right in all 5,478",
        "a best move in 4,520 of 4,520 positions",
    ]


def wanted(mutation: Mutation) -> list[str]:
    """The tests that a bug is looked for with."""
    if mutation.base.startswith("book"):
        function = mutation.function
        return [f"{function}: {part}" for part in ("trees", "cut", "two", "depth", "windows", "chance")]
    return {"checkWin": ["checkWin"], "prompt": ["prompt"], "make_best_move": ["make_best"]}.get(
        mutation.function, ["minimax: positions", "minimax: quick"]
    )


def marked() -> Iterator[Any]:
    """The wrong programs. One for each bug is enough for every day, or none if another is much like it."""
    seen = {"always-max", "beta-not-lowered", "beta-raised", "chance-as-max", "depth-sign-of-min"}
    seen |= {"min-cuts-at-beta", "min-starts-at-zero", "never-cuts", "strict-max", "window-reversed"}
    for one in MUTATIONS:
        marks = [pytest.mark.long] if one.bug in seen else []
        seen.add(one.bug)
        yield pytest.param(one, id=f"{one.base}-{one.function}-{one.bug}", marks=marks)


@pytest.mark.parametrize("mutation", list(marked()))
def test_a_wrong_program_is_told_its_bug(mutation: Mutation, tmp_path: Path) -> None:
    file = tmp_path / "student.py"
    file.write_text(mutation.source, encoding="utf-8")
    report = grade(file, only=wanted(mutation), seconds=120)
    named = {finding.function: [bug.key for bug in finding.bugs] for finding in report.findings}
    assert named[mutation.function] == [mutation.bug]
    assert report.points < report.most
    assert BUGS[mutation.bug].name in report.text()
    assert "smallest" in report.text() or mutation.bug in ("prompt", "always-max", "ends")


def test_enough_wrong_programs_of_enough_kinds() -> None:
    assert len(MUTATIONS) >= 25
    assert len({mutation.bug for mutation in MUTATIONS}) >= 25
    assert len(PROGRAMS) >= 10


# -- Skeletons.


def as_module(source: str) -> ModuleType:
    module = ModuleType("student")
    exec(compile(source, "student.py", "exec"), module.__dict__)
    return module


@pytest.mark.parametrize(("style", "solution"), [("lab", "lab_import"), ("book", "book_plain")])
def test_a_solution_passes_the_examples_of_the_skeleton(
    style: str, solution: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter([1, 2, 3, 4, 6, 7, 8, 9] * 3)
    monkeypatch.setattr("builtins.input", lambda _: str(next(answers)))
    module = as_module((RIGHT / f"{solution}.py").read_text(encoding="utf-8"))
    bare = as_module(skeleton(style))
    examples = doctest.DocTestFinder().find(bare, "student", globs=vars(module))
    results = [doctest.DocTestRunner(verbose=False).run(one) for one in examples if one.examples]
    assert sum(result.attempted for result in results) >= 9
    assert not any(result.failed for result in results), capsys.readouterr().out


@pytest.mark.parametrize("style", ["lab", "book"])
def test_a_skeleton_is_no_solution(style: str, tmp_path: Path) -> None:
    text = skeleton(style)
    assert text.count("        ...\n") + text.count("    ...\n") >= 10
    file = tmp_path / "student.py"
    file.write_text(text, encoding="utf-8")
    only = ["minimax"] if style == "book" else ["minimax: pos", "checkWin"]
    report = grade(file, style=style, only=only)
    assert report.points == 0
    assert all("there is no function" not in test.words for test in report.tests)  # all names are there


def test_the_hand_outs_names_are_in_the_skeleton() -> None:
    from plies.grade.child.lab import FUNCTIONS

    module = as_module(skeleton("lab"))
    assert all(callable(getattr(module.TicTacToe, name)) for name in FUNCTIONS)
    assert callable(module.changePlayer)
    assert callable(module.make_best_move)
    assert "You are X: Choose number from 1-9: " in skeleton("lab")


def test_a_value_outside_of_every_window_is_a_bound() -> None:
    from plies.grade.book_tests import _in_window

    tree = plain_cases()[-1].tree
    exact = answer_of(Case(tree), RIGHT_VARIANT, False).value
    assert exact is not None
    assert _in_window(Observed(Case(tree, None, exact - 1, exact + 1), Answer(exact)))
    assert not _in_window(Observed(Case(tree, None, exact - 1, inf), Answer(exact + 1)))
    assert _in_window(Observed(Case(tree, None, exact, exact + 1), Answer(exact)))
    assert not _in_window(Observed(Case(tree, None, exact, exact + 1), Answer(exact - 1)))
    assert not _in_window(Observed(Case(tree, None, exact - 2, exact), Answer(exact + 1)))
