"""The planted faults are kept true: every text is still there, once, and there are a hundred and more."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import mutants
from planted import PLANTED

pytestmark = pytest.mark.plain


def test_the_texts_are_there_exactly_once() -> None:
    lost = []
    for mutant in PLANTED:
        try:
            assert mutants.planted(mutant) != (mutants.LIBRARY / mutant.file).read_text()
        except ValueError as error:
            lost.append(str(error))
    assert not lost, "\n".join(lost)


def test_the_tests_that_should_notice_are_there() -> None:
    lost = []
    for mutant in PLANTED:
        assert mutant.tests, mutant
        for test in mutant.tests:
            path, _, name = test.partition("::")
            if name and f"def {name.partition('[')[0]}(" not in text(path):
                lost.append(f"{path} has no {name}")
    assert not lost, "\n".join(lost)


@cache
def text(path: str) -> str:
    return (mutants.ROOT / path).read_text()


def test_there_are_enough() -> None:
    assert len(PLANTED) >= 100
    assert len(set(PLANTED)) == len(PLANTED)


def test_a_text_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file.py").write_text("def rule():\n    return 1\n\n\ndef other():\n    return 2\n")
    found = mutants.Mutant("file.py", "other", "return 2", "return 3", ("tests/test_mutants.py",))
    assert "return 3" in mutants.planted(found, tmp_path)
    for function, text in (("other", "return 1"), ("nowhere", "return 2"), ("", "return")):
        lost = mutants.Mutant("file.py", function, text, "pass", ("tests/test_mutants.py",))
        with pytest.raises(ValueError, match="there"):
            mutants.planted(lost, tmp_path)
