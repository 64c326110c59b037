"""The course: chapters in Markdown that run, as pages of the site and as notebooks.

A chapter is docs/course/NUMBER-NAME.md. Its `python` blocks run in order, as cells of one notebook; the lines
of its `sh` blocks run if they begin with `plies`. A `text` block below one of them is what it must print; in
it, a line "…" stands for any lines. A picture right below a Python block, `![…](NAME.svg)` or a link to
`NAME.html`, is the value of the block's last line. A solution is folded between `<details markdown="1">`,
`<summary>Solution</summary>` and `</details>`, each on a line of its own.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import shlex
import sys
import tempfile
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from docs.pages.written import DOCS
from plies.cli import run as program

FOLDER = DOCS / "course"

PART = re.compile(
    r"^```(?P<language>\w+)\n(?P<code>.*?)^```$"
    r"|^(?P<folds><details[^\n]*>\n<summary>[^\n]*</summary>)$"
    r"|^(?P<unfolds></details>)$",
    re.MULTILINE | re.DOTALL,
)
MADE = re.compile(r"\s*!?\[[^\]]*\]\((?P<name>[\w-]+\.(?:svg|html))\)")
EXERCISE = re.compile(r"^### Exercise (\d+)\.(\d+): \S", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """A piece of a chapter: prose ("markdown"), or a fenced block of some language."""

    language: str
    text: str
    line: int
    """The number of its first line in the chapter."""
    solution: bool
    """Whether it is part of a solution, which is folded."""


class Wrong(Exception):
    """A chapter says something that is not so."""


def chapters() -> list[Path]:
    """The chapters, in order."""
    return sorted(FOLDER.glob("[0-9]*-*.md"), key=number)


def number(chapter: Path) -> int:
    """The number of a chapter, which is that of its lecture."""
    return int(chapter.stem.partition("-")[0])


def parts(chapter: Path) -> list[Part]:
    """The pieces of a chapter, in order."""
    text = chapter.read_text(encoding="utf-8")
    found: list[Part] = []
    solution, end = False, 0

    def add(language: str, piece: str, start: int) -> None:
        if piece.strip():
            found.append(Part(language, piece, text.count("\n", 0, start) + 1, solution))

    for match in PART.finditer(text):
        add("markdown", text[end : match.start()], end)
        end = match.end()
        if match["language"]:
            add(match["language"], match["code"], match.start("code"))
        else:
            solution = match["folds"] is not None
    add("markdown", text[end:], end)
    return found


# -- Running a chapter.


def run(chapter: Path, folder: Path) -> int:
    """Run a chapter, compare what it prints with what it shows, and write its pictures to a folder.

    Returns how many outputs and pictures there were; raises `Wrong` where the chapter is.
    """
    module = types.ModuleType(f"chapter_{chapter.stem.replace('-', '_')}")
    sys.modules[module.__name__] = module  # so that its classes can be found by name, as in a file
    found = parts(chapter)
    shown = 0
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        for part, following in zip(found, [*found[1:], None], strict=True):
            where = f"{chapter.name}, line {part.line}"
            if part.language == "python":
                printed, value = _python(part, chapter, vars(module))
            elif part.language == "sh":
                printed, value = _shell(part, where), None
            else:
                continue
            if following and following.language == "text":
                if not _matches(printed, following.text):
                    raise Wrong(f"{where}: it prints\n{printed}")
                shown += 1
            elif printed and part.language == "python":
                raise Wrong(f"{where}: output that is not shown\n{printed}")
            if following and (made := MADE.match(following.text)):
                if not hasattr(value, "save"):
                    raise Wrong(f"{where}: its last line is {value!r}, which is no picture {made['name']}")
                value.save(folder / made["name"])
                shown += 1
    return shown


def _python(part: Part, chapter: Path, names: dict[str, Any]) -> tuple[str, Any]:
    """What a block prints, and the value of its last line, if that is an expression."""
    source = "\n" * (part.line - 1) + part.text  # so that an error names the line of the chapter
    body = ast.parse(source, str(chapter)).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), str(chapter), "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), str(chapter), "eval"), names)
    return printed.getvalue(), value


def _shell(part: Part, where: str) -> str:
    """What the commands of a block print."""
    printed = io.StringIO()
    for line in part.text.splitlines():
        if line.startswith("plies "):
            errors = io.StringIO()
            with (
                contextlib.redirect_stdout(printed),
                contextlib.redirect_stderr(errors),
                mock.patch("sys.stdin", io.StringIO()),
                mock.patch.dict(os.environ, {"COLUMNS": "100"}),
            ):
                code = program(shlex.split(line, comments=True)[1:])
            if code:
                raise Wrong(f"{where}: {line} ends with {code}: {errors.getvalue()}")
    return printed.getvalue()


def _matches(printed: str, expected: str) -> bool:
    """Whether a text is the one expected, in which a line "…" stands for any lines."""
    pattern = "\n".join(re.escape(piece) for piece in expected.rstrip().split("\n"))
    pattern = re.sub(r"^…$", r"(?:.*\n)*?.*", pattern, flags=re.MULTILINE)
    return re.fullmatch(pattern, "\n".join(map(str.rstrip, printed.rstrip().split("\n")))) is not None


# -- Pages and notebooks.


def page(chapter: Path) -> str:
    """A chapter as a page of the site, with a link to its notebook below the title."""
    title, rest = chapter.read_text(encoding="utf-8").split("\n", 1)
    return f"{title}\n\n[This chapter as a notebook]({chapter.stem}.ipynb)\n{rest}"


def notebook(chapter: Path) -> str:
    """A chapter as a notebook without outputs, in JSON; the code of solutions is hidden until wanted."""
    cells = list(_cells(chapter))
    data = {
        "cells": [{"id": f"cell-{i}", **cell} for i, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _cells(chapter: Path) -> Iterator[dict[str, Any]]:
    for part in parts(chapter):
        if part.language == "markdown":
            text = re.sub(r"\]\(([^):]+)\.md\b", r"](\1.html", MADE.sub("", part.text)).strip()
            if part.solution:
                text = f"<details>\n<summary>Solution</summary>\n\n{text}\n\n</details>"
            if text:
                yield {"cell_type": "markdown", "metadata": {}, "source": text}
        elif part.language in ("python", "sh"):
            lines = part.text.rstrip("\n").split("\n")
            shell = [f"!{line}" if line.startswith("plies ") else f"# {line}" for line in lines]
            folded = {"jupyter": {"source_hidden": True}, "tags": ["solution"]}
            yield {
                "cell_type": "code",
                "execution_count": None,
                "metadata": folded if part.solution else {},
                "outputs": [],
                "source": "\n".join(lines if part.language == "python" else shell),
            }


def files(folder: Path) -> None:
    """Write all pages, notebooks and pictures of the course to a folder."""
    for chapter in chapters():
        run(chapter, folder)
        (folder / chapter.name).write_text(page(chapter), encoding="utf-8")
        (folder / f"{chapter.stem}.ipynb").write_text(notebook(chapter), encoding="utf-8")
