"""How the package is written: short files and functions, and modules that say what they are for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import plies

pytestmark = pytest.mark.plain

PACKAGE = Path(plies.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION = 400, 80
"""In lines: see CONTRIBUTING.md."""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_short_and_says_what_it_is_for(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    lines = source.count("\n")
    assert lines <= LONGEST_FILE, f"{path.name} has {lines} lines; {LONGEST_FILE} at most: cut it in two"
    module = ast.parse(source)
    assert ast.get_docstring(module), f"{path.name} does not say in a docstring what it is for"
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            assert lines <= LONGEST_FUNCTION, (
                f"{node.name} in {path.name} has {lines} lines; at most {LONGEST_FUNCTION}: cut it by steps"
            )
