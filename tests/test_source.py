"""How the package is written: short files and functions, and modules that say what they are for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import plies

pytestmark = pytest.mark.plain

PACKAGE = Path(plies.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION = 400, 80
"""In lines: see CONTRIBUTING.md."""


def test_modules_are_short_and_say_what_they_are_for() -> None:
    assert len(MODULES) > 300
    found = [fault for path in MODULES for fault in faults(path)]
    assert not found, "\n".join(found)


def faults(path: Path) -> Iterator[str]:
    """What is wrong with a module."""
    name = path.relative_to(PACKAGE)
    source = path.read_text(encoding="utf-8")
    lines = source.count("\n")
    if lines > LONGEST_FILE:
        yield f"{name} has {lines} lines; {LONGEST_FILE} at most: cut it in two"
    module = ast.parse(source)
    if not ast.get_docstring(module):
        yield f"{name} does not say in a docstring what it is for"
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{node.name} in {name} has {lines} lines; at most {LONGEST_FUNCTION}: cut it by steps"
