"""Markdown files as programs: their Python blocks, and the output that is printed below a block."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from plies.compiled import interpreting

ROOT = Path(__file__).parents[1]

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

COMPARED = "compiled and interpreted rules were compared"
SWITCHED_OFF = "runs interpreted: compilation is switched off"


@dataclass
class Block:
    """A fenced block of a document: its language, its text, and the number of its first line."""

    language: str
    text: str
    line: int


def blocks(path: Path) -> list[Block]:
    """All fenced blocks of a document that name a language."""
    text = path.read_text(encoding="utf-8")
    assert text.count("```") % 2 == 0, f"{path.name} has a block without an end"
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in BLOCK.finditer(text)]


def run(path: Path) -> int:
    """Run the Python blocks of a document in order, and compare what a block prints with the `text` block
    that comes next after it; returns how many outputs were compared.
    """
    module = types.ModuleType(f"document_{path.stem.replace('-', '_')}")
    sys.modules[module.__name__] = module  # so that its classes can be found by name, as in a file
    compared = 0
    found = blocks(path)
    for number, block in enumerate(found):
        if block.language != "python":
            continue
        source = "\n" * (block.line - 1) + block.text  # so that an error names the line of the document
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), mock.patch.dict(os.environ):
            exec(compile(source, str(path), "exec"), vars(module))
        following = found[number + 1] if number + 1 < len(found) else None
        if following and following.language == "text":
            expected = following.text.replace(COMPARED, SWITCHED_OFF) if interpreting() else following.text
            assert printed.getvalue() == expected, f"{path.name}, line {following.line}"
            compared += 1
        else:
            assert printed.getvalue() == "", f"{path.name}, line {block.line}: output that is not shown"
    return compared
