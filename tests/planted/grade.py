"""The grader: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

GRADE, PROCESS, CLI = "tests/test_grade.py", "tests/test_grade_process.py", "tests/test_cli_grade.py"
INDEPENDENT = "tests/test_grade_independent.py"
SHAPES = f"{PROCESS}::test_an_answer_of_another_shape_is_a_sentence"
KNOWN = f"{GRADE}::test_a_bug_is_recognised_by_its_answers"

OF_THE_GRADER = [
    plant(
        "grade/variants.py", "VariantSearch._cuts", "value == bound and not strict", "value == bound", GRADE
    ),
    plant("grade/variants.py", "VariantSearch._moved", "max(alpha, value)", "value", GRADE),
    plant(
        "grade/diagnosis.py",
        "agrees",
        "leaves=prunes",
        "leaves=False",
        f"{GRADE}::test_strict_cuts_are_right_where_they_are_allowed",
    ),
    plant("grade/diagnosis.py", "diagnose", "smallest = min(wrong", "smallest = max(wrong", KNOWN),
    plant("grade/diagnosis.py", "_matching", "leaves=leaves", "leaves=False", KNOWN),
    plant(
        "grade/book_tests.py",
        "_value_is_right",
        "if not one.answer.leaves",
        "if False",
        f"{PROCESS}::test_a_file_that_misbehaves_is_a_sentence",
    ),
    plant("grade/book_tests.py", "_in_window", "return exact <= found", "return True", GRADE),
    plant(
        "sandbox/child/limits.py",
        "landlock",
        "failed = libc.syscall(LANDLOCK_RESTRICT_SELF, rules, 0) != 0",
        "failed = False",
        PROCESS,
    ),
    plant(
        "sandbox/child/limits.py", "set_limits", "_limit(resource.RLIMIT_FSIZE, file_size)", "pass", PROCESS
    ),
    plant("sandbox/child/main.py", "main", "if os.getpid() != process", "if False", PROCESS),
    plant(
        "grade/agents.py",
        "choices",
        "if value == best",
        "",
        f"{INDEPENDENT}::test_an_agent_chooses_what_is_best_below",
    ),
    plant("grade/agents.py", "worth", "-inf, inf, 1)", "-inf, inf, 0)", INDEPENDENT),
    plant(
        "grade/agents.py",
        "diagnose_agent",
        "if any(bug in other.bugs for bug, _ in fitting for other in others):",
        "if False:",
        f"{GRADE}::test_an_agent_is_not_blamed_for_the_search_that_it_calls",
    ),
    plant(
        "grade/agents.py",
        "diagnose_agent",
        "bug, variant = min(fitting",
        "bug, variant = max(fitting",
        f"{GRADE}::test_an_agent_is_not_blamed_for_the_search_that_it_calls",
    ),
    plant(
        "grade/diagnosis.py",
        "_variants",
        "replace(variant, by_window=True)",
        "variant",
        f"{GRADE}::test_a_bug_is_recognised_where_it_cuts_by_the_window",
    ),
    plant("grade/answers.py", "answers", "len(result) != len(asked)", "False", SHAPES),
    plant("grade/answers.py", "answers", "0 <= leaf < size", "True", SHAPES),
    plant("grade/answers.py", "fits", "needed <= data.keys() <= kinds.keys()", "True", SHAPES),
    plant(
        "sandbox/child/limits.py",
        "_folder_in_memory",
        "size={room}",
        "size={room * 100}",
        f"{PROCESS}::test_all_its_files_have_little_room",
    ),
    plant(
        "sandbox/process.py",
        "printable",
        "sign if sign.isprintable() else",
        "sign if True else",
        f"{PROCESS}::test_odd_errors_and_names",
    ),
    plant(
        "sandbox/process.py",
        "read_source",
        "stream.read(BIGGEST_FILE + 1)",
        "stream.read(BIGGEST_FILE)",
        f"{PROCESS}::test_a_file_that_is_not_there_or_too_large",
    ),
    plant("grade/lab_calls.py", "calls_cases", "(most, None), (None, least)", "(None, None)", INDEPENDENT),
    plant("grade/lab_calls.py", "wasteful", "(RIGHT, *fine)", "(RIGHT,)", INDEPENDENT),
    plant("grade/variants.py", "VariantSearch._cuts", "if variant.by_window", "if False", INDEPENDENT),
    plant("grade/lab_best.py", "judge_best", "if bad == total", "if False", INDEPENDENT),
    plant("grade/variants.py", "VariantSearch._bound", "if self.variant.moves_first", "if False", KNOWN),
    plant("grade/variants.py", "VariantSearch._maximises", "mover != 1", "mover == 0", KNOWN),
    plant("grade/class_report.py", "ClassReport.add", "self.bugs.update(keys)", "pass", CLI),
    plant("grade/report.py", "TestResult.passed", "self.points >= self.most", "True", CLI, GRADE),
]
